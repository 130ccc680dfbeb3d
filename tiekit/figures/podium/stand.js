// Who stands where? A column for each metric, as high as its acc_eq; the winner's moves to the left.

import { make } from "../shared/elements.js";
import { written } from "../shared/numbers.js";
import { hueOf, markOf } from "../lab/marks.js";

export class Stand {
  element = make("div", { class: "stand", role: "img" });
  #model;
  #columns;

  constructor(model) {
    this.#model = model;
    this.#columns = model.data.metrics.map(({ name }, at) => {
      const value = make("b"), place = make("strong"), block = make("div", { class: "block" }, place);
      block.style.background = hueOf(at);
      const column = make("div", { class: "column" }, make("span", {}, markOf(at), ` ${name}`), value, block);
      return { column, value, place, block };
    });
    this.element.append(...this.#columns.map(({ column }) => column));
  }

  show() {
    const { standings } = this.#model, places = standings.map(({ rank }, at) =>
      rank - 1 + standings.slice(0, at).filter((other) => other.rank === rank).length);
    this.#columns.forEach(({ column, value, place, block }, at) => {
      column.style.left = `${(100 * places[at]) / standings.length}%`;
      block.style.height = `${Math.round(62 * standings[at].value)}%`;
      value.textContent = `acc_eq ${written(standings[at].value)}`;
      place.textContent = standings[at].rank;
    });
    const told = standings.map(({ name, value, rank }) => `${name}: place ${rank}, acc_eq ${written(value)}`);
    this.element.setAttribute("aria-label", `${told.join("; ")}.`);
  }
}
