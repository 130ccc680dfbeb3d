// Which pair is chosen, and what do the human and the metrics say of it? A list to choose from, and sentences.

import { NO_PAIR, placeOf } from "../shared/counting.js";
import { make } from "../shared/elements.js";
import { rounded } from "../shared/numbers.js";

const HINT = "Choose a pair in the list, in a matrix, or by clicking two points of a scatter plot.";

export class PairPicker {
  #model;
  #listed; // so many items have their pairs in the list

  constructor(model, { choose }) {
    this.#model = model;
    const pick = () => choose(this.picker.value === "" ? null : model.pairNumber(this.picker.value));
    this.picker = make("select", { id: "pair", onchange: pick });
  }

  show() {
    const { human, pair, pairs } = this.#model;
    if (human.length !== this.#listed) {
      this.#listed = human.length;
      const names = pairs.first.map((i, p) => `${i + 1} and ${pairs.second[p] + 1}`);
      const options = names.map((name, p) => make("option", { value: p }, name));
      this.picker.replaceChildren(make("option", { value: "" }, "none"), ...options);
    }
    this.picker.value = pair ? placeOf(...pair, human.length) : "";
  }
}

export class PairSentences {
  element = make("div", { class: "sentence", "aria-live": "polite" });
  #model;
  #said;

  constructor(model) {
    this.#model = model;
  }

  show() {
    const model = this.#model;
    const lines = model.pair ? model.metrics.map((metric) => sentenceOn(model, metric)) : [HINT];
    const text = lines.join("\n");
    if (text === this.#said) return; // what is read aloud is not said twice
    this.#said = text;
    this.element.replaceChildren(...lines.map((line) => make("p", {}, line)));
  }
}

/** What the human says of the chosen pair, and what a metric says. */
function sentenceOn(model, metric) {
  const { human, pair: [i, j] } = model;
  const kind = model.kindOfPair(metric);
  const items = `Items ${i + 1} and ${j + 1}`;
  if (kind === NO_PAIR) {
    const item = [i, j].find((one) => !model.isScored(metric, one));
    return `${items}: item ${item + 1} has no score by the human or by ${metric.name}, so the pair is left out.`;
  }
  const order = (a, b) => `${a} ${a === b ? "=" : a < b ? "<" : ">"} ${b}`;
  const [a, b] = [metric.scores[i], metric.scores[j]];
  const within = metric === model.metrics[model.measured] ? `, ${kind >= 3 ? "at most" : "more than"} ε` : "";
  const near = a === b ? "" : `, ${rounded(Math.abs(a - b))} apart${within}`;
  const { label, symbol } = model.styles[kind];
  return `${items}: human ${order(human[i], human[j])}; ${metric.name} ${order(a, b)}${near}: ${label} (${symbol}).`;
}
