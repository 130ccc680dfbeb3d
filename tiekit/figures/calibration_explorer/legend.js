// Which line is which, and what is its value at ε?

import { draw, make } from "../shared/elements.js";
import { written } from "../shared/numbers.js";

export class Legend {
  element = make("ul", { class: "legend" });
  #model;
  #cells = Object.fromEntries(["value", "ties", "ranks"].map((name) => [name, make("b", { "data-line": name })]));
  #label = make("span");

  constructor(model) {
    this.#model = model;
    const labels = { value: this.#label, ties: "F1 of ties", ranks: "F1 of ranks" };
    this.element.replaceChildren(...Object.entries(labels).map(([name, label]) => {
      const sample = draw("path", { class: name, d: "M2 8H34" });
      const picture = draw("svg", { width: 36, height: 16, "aria-hidden": "true" }, sample);
      return make("li", {}, picture, label, " ", this.#cells[name]);
    }));
  }

  show() {
    const { value, f1, at, data } = this.#model;
    this.#label.textContent = data.coefficient.label;
    for (const [name, number] of Object.entries({ value, ...f1[at] })) {
      this.#cells[name].textContent = written(number);
      this.#cells[name].dataset.value = number;
    }
  }
}
