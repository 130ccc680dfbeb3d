// Where do the scores of each metric lie? A card for each, with points to drag and the WMT table of its pairs.

import { tabulate } from "../shared/counting.js";
import { arrowOf, keep, make } from "../shared/elements.js";
import { QUIET, View } from "../shared/mount.js";
import { gridOf, minus } from "../shared/numbers.js";
import {
  acrossOf,
  axesOf,
  fileButtons,
  MATRIX,
  paint,
  pointsOf,
  SCATTER,
  scoreAcross,
  scoreUp,
  upOf,
} from "./pictures.js";

const SIGNS = ["<", "=", ">"];
const KINDS_OF_TABLE = [[0, 3, 1], [2, 4, 2], [1, 3, 0]];

export class ScoreCards extends View {
  element = make("div", { class: "cards" });
  #cards = []; // the canvas of each metric, and its table's cells

  arrange() {
    const { metrics, styles } = this.model;
    this.#cards = metrics.map(() => ({
      canvas: make("canvas", { tabindex: 0, role: "application", class: SCATTER.name }),
      cells: KINDS_OF_TABLE.map((kinds) => kinds.map((kind) => cellOf(styles[kind]))),
    }));
    this.element.replaceChildren(...metrics.map(({ name }, at) => this.#card(name, at)));
  }

  #card(name, at) {
    const { canvas, cells } = this.#cards[at];
    listenToScatter(canvas, at, this.model, this.act);
    const heads = ["human \\ metric", ...SIGNS].map((sign) => make("th", { scope: "col" }, sign));
    const lines = cells.map((line, row) => make("tr", {}, make("th", { scope: "row" }, SIGNS[row]), ...line));
    const table = make("table", { class: "wmt" },
      make("caption", {}, "The WMT table of its pairs"), make("thead", {}, make("tr", {}, ...heads)),
      make("tbody", {}, ...lines));
    return make("section", { class: "card", "aria-label": `Scores of ${name}` },
      make("h2", {}, `${name}: drag a point`), canvas,
      make("div", { class: "saved" },
        make("span", { class: "note" }, "Points"), fileButtons(SCATTER, this.model, at, this.act.theme),
        make("span", { class: "note" }, "Pairs"), fileButtons(MATRIX, this.model, at, this.act.theme)),
      table);
  }

  show() {
    const { human, metrics, pairs, styles } = this.model;
    metrics.forEach(({ scores, kinds, upTo }, at) => {
      const table = tabulate(human, scores, pairs, kinds, upTo);
      table.forEach((line, row) => line.forEach((number, column) => {
        const { glyph } = styles[KINDS_OF_TABLE[row][column]];
        this.#cards[at].cells[row][column].textContent = `${glyph} ${number}`;
      }));
    });
  }

  paint() {
    this.model.metrics.forEach((metric, at) =>
      paint(this.#cards[at].canvas, SCATTER, this.model, metric, this.act.theme));
  }
}

function cellOf({ color, on }) {
  const cell = make("td");
  Object.assign(cell.style, { background: color, color: on });
  return cell;
}

// --------------------------------------------------------------------------------------------------------------------
// How are points chosen and moved in a scatter? By dragging them, or by keys.

const SLACK = 4; // pixels that a hand trembles
const REACH = 24; // pixels from a point at which it is taken up

/** Listen to a canvas with the scatter of the metric at a place. */
export function listenToScatter(canvas, at, model, actions) {
  canvas.onpointerdown = (event) => press(canvas, at, model, event);
  // a finger on a point drags it, on the empty ground it scrolls
  canvas.addEventListener("touchstart", (event) => model.held && event.preventDefault(), { passive: false });
  canvas.onpointermove = (event) => drag(model, event);
  canvas.onpointerup = canvas.onpointercancel = canvas.onlostpointercapture = (event) => release(model, actions, event);
  canvas.onkeydown = (event) => {
    if (event.key === "PageUp" || event.key === "PageDown") walk(model, at, event.key === "PageUp" ? -1 : 1);
    else if (!nudge(model, actions, at, event)) return;
    keep(event);
  };
}

function press(canvas, at, model, event) {
  const metric = model.metrics[at];
  const [x, y] = [event.offsetX, event.offsetY], size = canvas.clientWidth;
  const axes = axesOf(model, metric);
  const points = pointsOf({ human: model.human, metric: metric.scores, axes }, size);
  const away = points.map((point) => (point ? Math.hypot(point[0] - x, point[1] - y) : Infinity));
  const near = away.indexOf(Math.min(...away));
  if (!(away[near] <= REACH)) return;
  const pile = away.flatMap((far, one) => (far === away[near] ? [one] : []));
  const item = pile.includes(metric.chosen) ? metric.chosen : near;
  canvas.setPointerCapture(event.pointerId);
  const [human, score] = [model.human[item], metric.scores[item]];
  const offset = [acrossOf(human, axes.human, size) - x, upOf(score, axes.metric, size) - y];
  model.held = { at, item, name: metric.name, pile, x, y, offset, size, axes, human, score, moved: false };
}

function drag(model, event) {
  const held = model.held;
  if (!held) return;
  const [across, up] = [event.offsetX - held.x, event.offsetY - held.y];
  held.moved ||= Math.hypot(across, up) > SLACK;
  if (!held.moved) return;
  const { at, item, axes, offset, size } = held;
  const inside = (value, { low, high }) => Math.max(low, Math.min(high, value));
  const human = inside(scoreAcross(event.offsetX + offset[0], axes.human, size), axes.human);
  const score = inside(scoreUp(event.offsetY + offset[1], axes.metric, size), axes.metric);
  model.move(at, item, Math.abs(across) > SLACK ? human : null, Math.abs(up) > SLACK ? score : null, event.shiftKey);
}

function release(model, actions, event) {
  const held = model.held;
  if (!held) return;
  model.held = null;
  const { at, item, human, score } = held, metric = model.metrics[at];
  if (!held.moved) touch(model, actions, metric, held);
  else if (event.type === "pointerup")
    report(model, actions, at, item, model.human[item] !== human, metric.scores[item] !== score, 0);
  else model.putBack(held);
  actions.release();
}

/** Choose an item, of several in one place the next, and with the one chosen before it a pair. */
function touch(model, { choose }, metric, { item: at, pile }) {
  const first = metric.chosen, item = at === first ? pile[(pile.indexOf(at) + 1) % pile.length] : at;
  model.chooseItem(metric, item);
  if (first !== undefined && first !== item) choose([first, item].sort((a, b) => a - b));
}

/** Choose the next or the last item before this one that both have scored. */
function walk(model, at, by) {
  const metric = model.metrics[at];
  const known = model.human.map((_, item) => item).filter((item) => model.isScored(metric, item));
  const now = known.indexOf(metric.chosen);
  model.chooseItem(metric, known.at(now < 0 ? (by > 0 ? 0 : -1) : (now + by) % known.length));
}

/** Move the chosen item by a step of the grid; false if no key of it was pressed or none is chosen. */
function nudge(model, actions, at, event) {
  const metric = model.metrics[at], item = metric.chosen, [dx, dy] = arrowOf(event);
  if (item === undefined || (!dx && !dy)) return false;
  const part = event.shiftKey ? 10 : 1;
  const human = dx ? model.human[item] + (dx * gridOf(model.data.human)) / part : null;
  const score = dy ? metric.scores[item] + (dy * gridOf(model.data.metrics[at].scores)) / part : null;
  model.move(at, item, human, score, event.shiftKey);
  report(model, actions, at, item, dx !== 0, dy !== 0, QUIET);
  return true;
}

/** Tell the host the scores of an item that have moved, by the line in which they stand. */
export function report(model, { tell }, at, item, human, score, wait) {
  const metric = model.metrics[at], scores = {};
  if (human) scores.h = { [item]: model.human[item] };
  if (score) scores[`m${metric.slot}`] = { [item]: metric.scores[item] };
  if (human || score) tell({ scores }, wait);
}

// --------------------------------------------------------------------------------------------------------------------
// How is a score changed beside the matrix? By dragging its number, by the arrow keys, or by typing another.

const PACE = 12; // pixels that move a score by one step
const SAID = 4000; // milliseconds that a refusal stays
export const NARROWEST = 24; // pixels of a column that a finger can hit
const MOST = 1e100; // a larger score cannot be drawn

/** The scores of one side, the human's or those of the metric at a place, over the columns of its matrix. */
export class ScoreMargin extends View {
  #at;
  #isHuman;
  #fields = [];

  constructor(model, at, isHuman, actions) {
    super(model, actions);
    this.element = make("div", { class: isHuman ? "margin of-human" : "margin" });
    [this.#at, this.#isHuman] = [at, isHuman];
  }

  get #scores() {
    return this.#isHuman ? this.model.human : this.model.metrics[this.#at].scores;
  }

  /** Show the scores over columns of a width; nothing where these are too narrow. */
  show(side) {
    const { human } = this.model;
    this.element.hidden = side < NARROWEST;
    if (this.element.hidden) return;
    if (this.#fields.length !== human.length) {
      this.#fields = human.map((_, item) => this.#field(item));
      this.element.replaceChildren(...this.#fields);
    }
    this.element.style.gridTemplateColumns = `repeat(${human.length}, ${side}px)`;
    this.#scores.forEach((score, item) => {
      const field = this.#fields[item], text = score === null ? "–" : minus(score);
      field.disabled = score === null;
      if (!field.typing && field.value !== text) field.value = text;
      field.style.fontSize = text.length * 10 > side - 2 ? `${Math.max(9, (1.5 * side) / text.length)}px` : "";
    });
  }

  #field(item) {
    const who = this.#isHuman ? "Human score" : `${this.model.metrics[this.#at].name}, score`;
    const field = make("input", {
      type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": `${who} of item ${item + 1}`,
      title: "Drag sideways, press the arrow keys or type",
      onpointerdown: (event) => this.#press(item, event),
      onpointermove: (event) => this.#drag(event),
      oninput: () => void (field.typing = true),
      onfocus: () => field.select(),
      onblur: () => this.#read(item),
      onkeydown: (event) => this.#key(item, event),
    });
    field.onpointerup = field.onpointercancel = field.onlostpointercapture = (event) => this.#release(event);
    return field;
  }

  #press(item, event) {
    const model = this.model, metric = model.metrics[this.#at], [human, score] = [model.human[item], metric.scores[item]];
    if (this.#scores[item] === null) return;
    const started = { at: this.#at, item, human, score, name: metric.name, axes: axesOf(model, metric) };
    this.pressed = { ...started, x: event.clientX, from: this.#scores[item], pointer: event.pointerId };
  }

  #drag(event) {
    const { pressed } = this;
    if (!pressed || pressed.pointer !== event.pointerId) return;
    const across = event.clientX - pressed.x, field = this.#fields[pressed.item];
    if (!this.model.held && Math.abs(across) <= SLACK) return;
    if (!this.model.held) {
      this.model.held = pressed;
      field.typing = false;
      field.setPointerCapture(event.pointerId);
    }
    field.setSelectionRange(0, 0);
    this.#to(pressed.item, pressed.from + Math.round(across / PACE) * this.#step(event.shiftKey), event.shiftKey);
  }

  #release(event) {
    const { pressed } = this;
    this.pressed = undefined;
    if (!pressed || this.model.held !== pressed) return;
    this.model.held = null;
    if (event.type === "pointerup") this.#report(pressed.item, 0);
    else this.model.putBack(pressed);
    this.act.release();
  }

  #key(item, event) {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key], field = this.#fields[item];
    if (by && !event.altKey && !event.ctrlKey && !event.metaKey) {
      field.typing = false;
      this.#to(item, this.#scores[item] + by * this.#step(event.shiftKey), event.shiftKey);
      this.#report(item, QUIET);
      keep(event);
    } else if (event.key === "Enter") this.#read(item);
    else if (event.key === "Escape") {
      field.typing = false;
      this.model.changed();
    }
  }

  /** Take over what was typed; what is no number is replaced by the score. */
  #read(item) {
    const field = this.#fields[item];
    if (!field.typing) return;
    field.typing = false;
    const text = field.value.trim().replace("−", "-").replace(",", "."), score = Number(text);
    if (text && Math.abs(score) <= MOST) {
      this.model.setScore(this.#isHuman ? null : this.#at, item, score);
      this.#report(item, 0);
      return;
    }
    this.model.changed();
    this.#refuse(item, text);
  }

  /** Say what was typed and is no number, for a while, where it was typed. */
  #refuse(item, text) {
    const kept = this.#scores[item], typed = text ? `“${text.slice(0, 12)}” is not a number` : "A number is needed";
    this.refusal?.remove();
    const words = Math.abs(Number(text)) > MOST ? `${text.slice(0, 12)} is too large to be drawn` : typed;
    this.refusal = make("span", { class: "refused", role: "status" }, `${words}: the score stays ${kept}.`);
    this.element.append(this.refusal);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.refusal.remove(), SAID);
  }

  #step(fine) {
    const { data } = this.model;
    return gridOf(this.#isHuman ? data.human : data.metrics[this.#at].scores) / (fine ? 10 : 1);
  }

  #to(item, score, fine) {
    this.model.move(this.#at, item, this.#isHuman ? score : null, this.#isHuman ? null : score, fine);
  }

  #report(item, wait) {
    report(this.model, this.act, this.#at, item, this.#isHuman, !this.#isHuman, wait);
  }
}
