// Where do the scores of each metric lie? A card for each, with points to drag and the WMT table of its pairs.

import { tabulate } from "../shared/counting.js";
import { arrowOf, isPlain, keep, make, markOf } from "../shared/elements.js";
import { QUIET, View } from "../shared/mount.js";
import { briefly, gridOf, minus, snap } from "../shared/numbers.js";
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
// How are scores typed? In a line for the human and one for each metric; an arrow key moves the number at the cursor.

const MOST = 1e100; // a larger score cannot be drawn
const NONE = "–"; // what stands for a missing score
const isNone = (word) => /^(–|-|nan|\(.*\))$/i.test(word); // or one in brackets, which is not compared
const HINT = "Type other scores, or press the arrow keys to move the number at the cursor";

/** The line of the scores of one side: the human's where the place is null, or those of the metric at a place. */
export class ScoreLine extends View {
  #isTyping = false;
  #refusal = make("span", { class: "refused", role: "status", hidden: "" });

  constructor(model, at, actions) {
    super(model, actions);
    const name = at === null ? "human" : model.metrics[at].name;
    this.at = at;
    this.field = make("input", {
      type: "text", autocomplete: "off", "aria-label": at === null ? "Human scores" : `Scores of ${name}`,
      oninput: () => this.#read(),
      onfocus: () => {
        this.show();
        this.field.select(); // as after Tab; a click puts the cursor where it is
      },
      onblur: () => this.#end(),
      onkeydown: (event) => this.#key(event),
    });
    this.element = make("label", { class: "line" }, at === null ? "" : markOf(at), make("span", { class: "one-line" }, name), this.field, this.#refusal);
  }

  get #scores() {
    return this.at === null ? this.model.human : this.model.metrics[this.at].scores;
  }

  /** Show the scores: briefly, but in full while one may type. */
  show() {
    const out = (item) => (this.at === null ? this.model.aside[item] ?? null : null);
    const none = (item) => (out(item) === null ? NONE : `(${minus(out(item))})`);
    const full = this.#scores.map((score, item) => (score === null ? none(item) : minus(score))).join(" ");
    const brief = briefly(this.#scores).map((word, item) => (this.#scores[item] === null ? none(item) : word)).join(" ");
    this.isLong = this.element.textContent.length > 7 || brief.length > 24;
    this.field.title = `${full === brief ? "" : `${full}. `}${full.includes("(") ? "Brackets: not compared. " : ""}${HINT}`;
    if (!this.#isTyping) this.field.value = this.field.matches(":focus") ? full : brief;
  }

  /** Take over what is typed as soon as it is as many numbers as before; until then say what is missing. */
  #read(wait = QUIET) {
    this.#isTyping = true;
    const words = this.field.value.trim().replaceAll("−", "-").split(/[\s,;]+/), old = this.#scores;
    const scores = words.map((word) => (isNone(word) ? null : Number(word)));
    const wrong = words.findIndex((word, item) => scores[item] !== null && !(word && Math.abs(scores[item]) <= MOST));
    const odd = scores.findIndex((score, item) => (score === null) !== (old[item] === null));
    const fault = wrong >= 0 ? `score ${wrong + 1}, “${words[wrong].slice(0, 12)}”, is not a number that can be drawn`
      : scores.length !== old.length ? `${scores.length} of ${old.length} scores`
        : odd < 0 ? "" : old[odd] === null ? `score ${odd + 1} is not compared: write –` : `score ${odd + 1} is missing`;
    this.#refusal.textContent = fault;
    this.#refusal.hidden = !fault;
    if (fault) return;
    const moved = Object.fromEntries([...scores.entries()].filter(([item, score]) => score !== old[item]));
    if (!Object.keys(moved).length) return;
    for (const [item, score] of Object.entries(moved)) this.model.setScore(this.at, Number(item), score);
    this.act.tell({ scores: { [this.at === null ? "h" : `m${this.model.metrics[this.at].slot}`]: moved } }, wait);
  }

  #end() {
    this.#isTyping = false;
    this.#refusal.hidden = true;
    this.model.changed();
  }

  #key(event) {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key], { field } = this;
    if (event.key === "Enter") this.#end();
    if (!by || !isPlain(event)) return;
    const at = field.selectionStart, words = field.value.split(" "), item = field.value.slice(0, at).split(" ").length - 1;
    const { human, metrics } = this.model.data, given = this.at === null ? human : metrics[this.at].scores;
    const score = Number(words[item].replace("−", "-")) + (by * gridOf(given)) / (event.shiftKey ? 10 : 1);
    if (!Number.isNaN(score)) field.value = words.with(item, minus(snap(score, given, event.shiftKey))).join(" ");
    field.setSelectionRange(at, at);
    this.#read();
    keep(event);
  }
}
