// Which metric is ahead? Two bars; the longer one is above.

import { make } from "../shared/elements.js";
import { written } from "../shared/numbers.js";

export const GLYPHS = ["●", "◆"];

export class Bars {
  #model;
  #rows = [];

  constructor(model) {
    this.#model = model;
    this.element = make("div", { class: "bars", role: "img" });
  }

  arrange() {
    this.#rows = this.#model.data.metrics.map(({ name }, at) => {
      const bar = make("i"), value = make("b");
      const row = make("div", { class: `row of-${at}` },
        make("span", { class: "who" }, make("i", {}, GLYPHS[at]), name), make("span", { class: "track" }, bar), value);
      return { row, bar, value };
    });
    this.element.replaceChildren(...this.#rows.map(({ row }) => row));
  }

  show() {
    const model = this.#model, values = model.result.metrics.map(({ mean }) => mean), first = model.winnerBy(model.grouping) ?? 0;
    const all = Object.values(model.results).flatMap(({ metrics }) => metrics.map(({ mean }) => mean));
    const low = all.some((value) => value < 0) ? -1 : 0, across = (value) => (100 * (value - low)) / (1 - low);
    this.#rows.forEach(({ row, bar, value }, at) => {
      const worth = values[at], from = Number.isNaN(worth) ? 0 : Math.min(0, worth), to = Number.isNaN(worth) ? 0 : Math.max(0, worth);
      row.classList.toggle("second", at !== first);
      row.style.setProperty("--zero", `${across(0)}%`);
      Object.assign(bar.style, { left: `${across(from)}%`, width: `${across(to) - across(from)}%` });
      value.textContent = written(worth);
    });
    const words = model.data.metrics.map(({ name }, at) => `${name} ${written(values[at])}`);
    this.element.setAttribute("aria-label", `${model.data.coefficient.label}: ${words.join(", ")}`);
  }
}
