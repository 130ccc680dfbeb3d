// Which metric wins under each rule for segments without a value? Three columns in which the metrics slide.

import { RULES } from "../nan_explorer/groups.js";
import { make, readInOrder } from "../shared/elements.js";
import { written } from "../shared/numbers.js";

const MEANINGS = { drop: "left out", zero: "counted as 0", common: "left out for all" };

export class Podium {
  element = make("div", { class: "podium", role: "group", "aria-label": "Mean and rank of each metric by rule" });
  #model;
  #columns = [];

  constructor(model) {
    this.#model = model;
  }

  arrange() {
    const { metrics } = this.#model.data;
    this.#columns = RULES.map((rule) => {
      const steps = metrics.map(({ name }) => {
        const rank = make("b"), value = make("b", { class: "mean" });
        const element = make("li", {}, rank, make("span", { class: "name", title: name }, name), value);
        return { element, rank, value };
      });
      const list = make("ul", {}, ...steps.map(({ element }) => element));
      list.style.setProperty("--steps", metrics.length);
      const head = make("h2", {}, rule, make("small", {}, MEANINGS[rule]));
      return { rule, steps, element: make("section", { "aria-label": rule }, head, list) };
    });
    this.element.replaceChildren(...this.#columns.map(({ element }) => element));
  }

  show() {
    const { metrics } = this.#model;
    for (const { rule, steps } of this.#columns) {
      const order = [...metrics.keys()].sort((a, b) =>
        (metrics[a].ranks[rule] ?? Infinity) - (metrics[b].ranks[rule] ?? Infinity) || a - b);
      steps.forEach(({ element, rank, value }, at) => {
        const place = metrics[at].ranks[rule];
        element.style.setProperty("--place", order.indexOf(at));
        element.classList.toggle("first", place === 1);
        element.classList.toggle("goal", at === this.#model.goal);
        rank.textContent = place ?? "–";
        value.textContent = place === null ? "no value" : written(metrics[at][rule]);
      });
      readInOrder(order.map((at) => steps[at].element));
    }
  }
}
