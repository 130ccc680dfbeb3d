// How many pairs of each kind has each metric? A card for each, with the matrix and the counts.

import { NO_PAIR, placeOf } from "../shared/counting.js";
import { arrowOf, button, glyphOf, isPlain, keep, longestPiece, make, markOf } from "../shared/elements.js";
import { QUIET, View } from "../shared/mount.js";
import { briefly, minus, whole } from "../shared/numbers.js";
import { MATRIX, paint, pairAt, sideOf } from "./pictures.js";
import { ScoreLine } from "./scores.js";
import { turnOf } from "./values.js";

const NARROWEST = 11; // pixels of a column that has room for a score
const GAP = 2; // pixels between two scores
const SMALLEST = 10; // pixels of type; a score that has no room for it stands upright
const widthOfWho = () => 3 * parseFloat(getComputedStyle(document.documentElement).fontSize); // as lab.css says

export class PairCards extends View {
  element = make("div", { class: "cards" });
  lines = make("div", { class: "lines" });
  legend = make("ul", { class: "counts" });
  #cards = []; // the canvas, the margins, the sentence and the counts of each metric
  #lines = []; // of the human and of each metric

  arrange() {
    const { metrics, styles } = this.model;
    this.legend.replaceChildren(...styles.map((style) => make("li", {}, glyphOf(style), style.label)));
    this.#lines = [null, ...metrics.keys()].map((at) => new ScoreLine(this.model, at, this.act));
    this.lines.replaceChildren(...this.#lines.map(({ element }) => element));
    this.#cards = metrics.map(({ name }) => ({
      margins: [true, false].map((isHuman) => make("div", { class: isHuman ? "margin of-human" : "margin", "aria-hidden": "true" })),
      right: make("p", { class: "right answer" }),
      counts: styles.map(({ kind }) => make("b", { "data-kind": kind, "data-metric": name })),
      canvas: make("canvas", { tabindex: 0, role: "application", class: MATRIX.name }),
    }));
    this.element.replaceChildren(...metrics.map(({ name }, at) => this.#card(name, at)));
  }

  #card(name, at) {
    const { right, counts, canvas, margins } = this.#cards[at];
    listenToMatrix(canvas, this.model, this.act.choose);
    const lines = counts.map((cell, kind) => make("li", {}, glyphOf(this.model.styles[kind]), cell));
    return make("section", { class: "card", "aria-label": `Pairs of ${name}` },
      make("div", { class: "head" }, make("h2", { title: name, style: `--letters: ${longestPiece([name])}` }, markOf(at), make("span", {}, name)), right),
      make("div", { class: "sheet" },
        make("span", { class: "who", "aria-hidden": "true" }, "human"), margins[0],
        make("span", { class: "who", "aria-hidden": "true" }, "metric"), margins[1],
        make("div", { class: "triangle" }, canvas, make("ul", { class: "counts answer" }, ...lines))));
  }

  show() {
    for (const line of this.#lines) line.show();
    this.lines.classList.toggle("long", this.#lines.some(({ isLong }) => isLong));
    for (const list of [this.legend, ...this.#cards.map(({ counts }) => counts[0].closest("ul"))]) {
      [...list.children].forEach((entry, kind) => // room is kept: nothing moves while ε is dragged
        (entry.style.visibility = this.model.metrics.some(({ totals }) => totals[kind]) ? "" : "hidden"));
    }
    this.model.metrics.forEach(({ totals }, at) => {
      const { right, counts } = this.#cards[at];
      const total = totals.reduce((sum, pairs) => sum + pairs, 0);
      right.replaceChildren(`${whole(totals[0] + totals[4])} of ${whole(total)} pairs`, make("span", {}, " right"));
      counts.forEach((cell, kind) => (cell.textContent = whole(totals[kind])));
    });
  }

  paint() {
    this.model.metrics.forEach((metric, at) => {
      const { canvas, margins } = this.#cards[at], sheet = canvas.closest(".sheet"), n = this.model.human.length;
      const isBare = sideOf(n, sheet.clientWidth - widthOfWho()) < NARROWEST; // by the sheet, whose width does not follow
      sheet.classList.toggle("bare", isBare);
      margins.forEach((margin, side) => {
        margin.style.gridTemplateColumns = `repeat(${n}, ${sideOf(n, canvas.clientWidth)}px)`;
        const scores = isBare ? [] : [this.model.human, metric.scores][side];
        const words = briefly(scores), longest = Math.max(1, ...words.map(({ length }) => length));
        const room = sideOf(n, canvas.clientWidth) - GAP, size = (1.35 * room) / longest;
        margin.classList.toggle("upright", size < SMALLEST);
        margin.style.fontSize = longest * 10 <= room ? "" : `${size < SMALLEST ? Math.min(14, Math.max(SMALLEST, 0.7 * room)) : size}px`;
        margin.replaceChildren(...words.map((word, item) => {
          const out = side || scores[item] !== null ? null : this.model.aside[item] ?? null;
          return out === null ? make("span", { title: scores[item] ?? word }, word)
            : make("span", { class: "aside", title: `${minus(out)}, not compared, as a metric has no score` }, briefly([out])[0]);
        }));
      });
      paint(canvas, MATRIX, this.model, metric, this.act.theme);
    });
  }
}

// --------------------------------------------------------------------------------------------------------------------
// How is a pair chosen in a matrix? By its cell or by arrow keys.

export function listenToMatrix(canvas, model, choose) {
  canvas.onpointerdown = ({ offsetX, offsetY }) => {
    const pair = pairAt(offsetX, offsetY, model.human.length, canvas.clientWidth);
    if (pair) choose(pair);
  };
  canvas.onkeydown = (event) => {
    const [dx, dy] = arrowOf(event);
    if (!dx && !dy) return;
    const [i, j] = model.pair ?? [0, 0];
    const [a, b] = model.pair ? [i - dy, j + dx] : [0, 1];
    if (a >= 0 && b < model.human.length && a < b) choose([a, b]);
    keep(event);
  };
}

// --------------------------------------------------------------------------------------------------------------------
// Which pair is chosen, and what do the human and the metrics say of it? A list to choose from, and sentences.

const HINT = "Tap a pair in a matrix to read about it.";

export class PairPicker extends View {
  #listed; // so many items have their pairs in the list
  picker = make("select", { id: "pair", onchange: () => {
    this.act.choose(this.picker.value === "" ? null : this.model.pairNumber(this.picker.value));
  } });

  show() {
    const { human, pair, pairs } = this.model;
    if (human.length !== this.#listed) {
      this.#listed = human.length;
      const names = pairs.first.map((i, p) => `${i + 1} and ${pairs.second[p] + 1}`);
      const options = names.map((name, p) => make("option", { value: p }, name));
      this.picker.replaceChildren(make("option", { value: "" }, "none"), ...options);
    }
    this.picker.value = pair ? placeOf(...pair, human.length) : "";
  }
}

export class PairSentences extends View {
  element = make("div", { class: "sentence", "aria-live": "polite" });
  #said;

  show() {
    const model = this.model;
    const turn = model.pair ? "" : turnOf(model), lines = model.pair ? model.metrics.map((metric) => sentenceOn(model, metric)) : [turn || HINT];
    const text = lines.join("\n");
    if (text === this.#said) return; // what is read aloud is not said twice
    this.#said = text;
    this.element.replaceChildren(...lines.map((line) => make("p", turn ? { class: "right" } : {}, line)));
  }
}

/** What the human says of the chosen pair, and what a metric says. */
function sentenceOn(model, metric) {
  const { human, pair: [i, j] } = model;
  const kind = model.kindOfPair(metric), gone = [i, j].find((one) => human[one] === null && (model.aside[one] ?? null) !== null);
  const { item_names: names } = model.data, items = `Translations ${i + 1} and ${j + 1}${names?.length ? ` (${names[i]}, ${names[j]})` : ""}`;
  if (kind === NO_PAIR && gone !== undefined) return `${items}: translation ${gone + 1} is not compared, as a metric has no score of it.`;
  if (kind === NO_PAIR) {
    const item = [i, j].find((one) => !model.isScored(metric, one));
    return `${items}: translation ${item + 1} has no score by the human or by ${metric.name}, so the pair is left out.`;
  }
  const order = (a, b) => briefly([a, b]).join(a === b ? " = " : a < b ? " < " : " > ");
  const [a, b] = [metric.scores[i], metric.scores[j]];
  const within = metric === model.metrics[model.measured] ? `, ${kind >= 3 ? "at most" : "more than"} ε` : "";
  const near = a === b ? "" : `, ${model.short(Math.abs(a - b))} apart${within}`;
  return `${items}: human ${order(human[i], human[j])}; ${metric.name} ${order(a, b)}${near}: ${model.styles[kind].label}.`;
}

// --------------------------------------------------------------------------------------------------------------------
// How are pairs counted one at a time? By buttons and keys, or by itself.

const PACE = 900; // milliseconds from pair to pair

export class Stepper extends View {
  #timer;
  #button = (label, words, action) => button(label, action, { "aria-label": words, title: words });
  play = this.#button("Play", "Count on by itself", () => this.#run());
  where = make("output", { class: "where", "aria-live": "polite" });
  element = make("div", {
    class: "steps", role: "group", "aria-label": "Count the pairs one at a time",
    onkeydown: (event) => this.#press(event),
  },
    this.#button("Step", "Count one pair on, from the first", () => this.#go((this.model.counted === this.model.total ? 0 : this.model.step) + 1)),
    this.#button("Back", "One pair back", () => this.#go(this.model.counted - 1)),
    this.play, this.#button("Show all pairs", "Count all pairs at once", () => this.#go(null)), this.where);

  get playing() {
    return this.#timer !== undefined;
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.play.textContent = "Play";
  }

  show() {
    const { step, counted } = this.model, all = this.model.pairsUpTo(this.model.total);
    this.where.textContent = `${step === null ? "all" : `${whole(this.model.pairsUpTo(counted))} of`} ${whole(all)} pairs counted`;
  }

  #press(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (!by || !isPlain(event)) return;
    event.preventDefault();
    this.#go(this.model.counted + by);
  }

  #go(step) {
    this.model.goTo(step);
    if (step === null || this.model.step === this.model.total) this.stop();
    if (!this.playing) this.#report();
  }

  #run() {
    if (this.playing) {
      this.stop();
      return this.#report();
    }
    if (this.model.step === null || this.model.step === this.model.total) this.#go(0);
    this.#timer = setInterval(() => this.#go(this.model.step + 1), PACE);
    this.play.textContent = "Pause";
  }

  #report() {
    const { step, pair } = this.model;
    this.act.tell({ step, pair }, QUIET);
  }
}
