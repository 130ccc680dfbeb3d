// How many pairs of each kind has each metric? A card for each, with the matrix and the counts.

import { make, glyphOf } from "../shared/elements.js";
import { markOf } from "./marks.js";
import { sideOf } from "./matrix.js";
import { listenToMatrix } from "./matrix_input.js";
import { MATRIX, paint } from "./pictures.js";
import { ScoreMargin } from "./score_margin.js";

export class PairCards {
  element = make("div", { class: "cards" });
  legend = make("ul", { class: "counts" });
  #model;
  #theme;
  #actions;
  #cards = []; // the canvas, the margins, the line and the counts of each metric

  constructor(model, theme, actions) {
    this.#model = model;
    this.#theme = theme;
    this.#actions = actions;
  }

  arrange() {
    const { metrics, styles } = this.#model;
    this.legend.replaceChildren(...styles.map((style) => make("li", {}, glyphOf(style), style.label)));
    this.#cards = metrics.map(({ name }, at) => ({
      margins: [true, false].map((isHuman) => new ScoreMargin(this.#model, at, isHuman, this.#actions)),
      right: make("p", { class: "right" }),
      counts: styles.map(({ kind }) => make("b", { "data-kind": kind, "data-metric": name })),
      canvas: make("canvas", { tabindex: 0, role: "application", class: MATRIX.name }),
    }));
    this.element.replaceChildren(...metrics.map(({ name }, at) => this.#card(name, at)));
  }

  #card(name, at) {
    const { right, counts, canvas, margins } = this.#cards[at];
    listenToMatrix(canvas, this.#model, this.#actions.choose);
    const lines = counts.map((cell, kind) => make("li", {}, glyphOf(this.#model.styles[kind]), cell));
    return make("section", { class: "card", "aria-label": `Pairs of ${name}` },
      make("div", { class: "head" }, make("h2", { title: name }, markOf(at), ` ${name}`), right),
      make("div", { class: "sheet" },
        make("span", { class: "who", "aria-hidden": "true" }, "h"), margins[0].element,
        make("span", { class: "who", "aria-hidden": "true" }, "m"), margins[1].element,
        make("div", { class: "triangle" }, canvas, make("ul", { class: "counts" }, ...lines))));
  }

  show() {
    this.#model.metrics.forEach(({ totals }, at) => {
      const { right, counts } = this.#cards[at];
      const total = totals.reduce((sum, pairs) => sum + pairs, 0);
      right.replaceChildren(`${totals[0] + totals[4]} of ${total} pairs`, make("span", {}, " right"));
      counts.forEach((cell, kind) => (cell.textContent = totals[kind]));
    });
  }

  paint() {
    this.#model.metrics.forEach((metric, at) => {
      const { canvas, margins } = this.#cards[at], side = sideOf(this.#model.human.length, canvas.clientWidth);
      for (const margin of margins) margin.show(side);
      canvas.closest(".sheet").classList.toggle("bare", margins[0].element.hidden);
      paint(canvas, MATRIX, this.#model, metric, this.#theme);
    });
  }
}
