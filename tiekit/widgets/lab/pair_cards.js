// How many pairs of each kind has each metric? A card for each, with the matrix and the counts.

import { make, glyphOf } from "../shared/elements.js";
import { listenToMatrix } from "./matrix_input.js";
import { fileButtons, MATRIX, paint } from "./pictures.js";

export class PairCards {
  element = make("div", { class: "cards" });
  legend = make("ul", { class: "counts" });
  #model;
  #theme;
  #choose;
  #cards = []; // the canvas, the line and the counts of each metric

  constructor(model, theme, { choose }) {
    this.#model = model;
    this.#theme = theme;
    this.#choose = choose;
  }

  arrange() {
    const { metrics, styles } = this.#model;
    this.legend.replaceChildren(...styles.map((style) => make("li", {}, glyphOf(style), style.label)));
    this.#cards = metrics.map(({ name }) => ({
      right: make("p", { class: "right" }),
      counts: styles.map(({ kind }) => make("b", { "data-kind": kind, "data-metric": name })),
      canvas: make("canvas", { tabindex: 0, role: "application", class: MATRIX.name }),
    }));
    this.element.replaceChildren(...metrics.map(({ name }, at) => this.#card(name, at)));
  }

  #card(name, at) {
    const { right, counts, canvas } = this.#cards[at];
    listenToMatrix(canvas, this.#model, this.#choose);
    const lines = counts.map((cell, kind) => make("li", {}, glyphOf(this.#model.styles[kind]), cell));
    return make("section", { class: "card", "aria-label": `Pairs of ${name}` },
      make("h3", {}, name), right, canvas, make("ul", { class: "counts" }, ...lines),
      fileButtons(MATRIX, this.#model, at, this.#theme));
  }

  show() {
    this.#model.metrics.forEach(({ totals }, at) => {
      const { right, counts } = this.#cards[at];
      const total = totals.reduce((sum, pairs) => sum + pairs, 0);
      right.textContent = `${total} pairs, ${totals[0] + totals[4]} right`;
      counts.forEach((cell, kind) => (cell.textContent = totals[kind]));
    });
  }

  paint() {
    this.#model.metrics.forEach((metric, at) =>
      paint(this.#cards[at].canvas, MATRIX, this.#model, metric, this.#theme));
  }
}
