// What has become of the pairs at the crosshair? A bar of all pairs, by kind.

import { glyphOf, make } from "../shared/elements.js";
import { percent } from "./words.js";

const ORDER = [4, 0, 1, 3, 2]; // what is right stands together, then what is wrong
const WORDS = ["order right", "order wrong", "human tie missed", "tie wrong", "tie right"];

export class PairBar {
  #model;
  #parts;
  #bar = make("div", { class: "bar", "aria-hidden": "true" });
  #list = make("ul", { class: "kinds", "aria-label": "Pairs of each kind at the crosshair" });

  constructor(model) {
    this.#model = model;
    this.element = make("div", { class: "pairs" }, this.#bar, this.#list);
  }

  show() {
    const { data, shares } = this.#model;
    if (!this.#parts) {
      this.#parts = ORDER.map((kind) => {
        const part = make("i"), number = make("b"), { color } = data.kinds[kind];
        part.style.background = color;
        const item = make("li", {}, glyphOf(data.kinds[kind]), `${WORDS[kind]} `, number);
        return { kind, part, number, item };
      });
      this.#bar.replaceChildren(...this.#parts.map(({ part }) => part));
      this.#list.replaceChildren(...this.#parts.map(({ item }) => item));
    }
    for (const { kind, part, number } of this.#parts) {
      part.style.width = `${100 * shares[kind]}%`;
      number.textContent = percent(shares[kind]);
    }
  }
}
