// How many pairs of each kind are there at ε?

import { glyphOf, make } from "../shared/elements.js";

export class Counts {
  element = make("ul", { class: "counts", "aria-label": "Pairs of each kind" });
  #model;
  #cells;

  constructor(model) {
    this.#model = model;
  }

  show() {
    const { counts, data } = this.#model;
    if (!this.#cells) {
      this.#cells = data.style.kinds.map(({ kind }) => make("b", { "data-kind": kind }));
      this.element.replaceChildren(...data.style.kinds.map((style, kind) =>
        make("li", {}, glyphOf(style), this.#cells[kind], make("span", { "aria-hidden": "true" }, ` ${style.label}`))));
    }
    counts.forEach((number, kind) => (this.#cells[kind].textContent = number.toLocaleString("en-US")));
  }
}
