// Who wins at this share? A bar for each metric, which moves to its rank; pressing one makes its metric stand out.

import { make, readInOrder } from "../shared/elements.js";
import { QUIET } from "../shared/mount.js";
import { written } from "../shared/numbers.js";

export class Bars {
  element = make("div", { class: "bars", role: "group", "aria-label": "Metrics at this share" });
  #model;
  #tell;
  #rows; // the parts of each metric's row, by name
  #made; // of which metrics

  constructor(model, tell) {
    this.#model = model;
    this.#tell = tell;
  }

  show() {
    const { data, ranked, chosen } = this.#model;
    if (this.#made !== data.metrics) this.#make(data.metrics);
    const widest = Math.max(...data.metrics.flatMap(({ values }) => values.map((value) => Math.abs(value ?? 0)))) || 1;
    ranked.forEach(({ metric, value, rank }, place) => {
      const { row, name, bar, number } = this.#rows.get(metric.name);
      row.style.transform = `translateY(${100 * place}%)`;
      row.setAttribute("aria-pressed", metric.of === chosen);
      row.setAttribute("aria-label", `Rank ${rank}: ${metric.name}, ${data.label} ${written(value)}`);
      row.dataset.rank = rank;
      name.textContent = `${rank} ${metric.name}`;
      bar.style.width = `${(100 * Math.max(0, Number.isNaN(value) ? 0 : value)) / widest}%`;
      number.textContent = written(value);
    });
    readInOrder(ranked.map(({ metric }) => this.#rows.get(metric.name).row));
  }

  #make(metrics) {
    this.#made = metrics;
    this.#rows = new Map(metrics.map((metric) => {
      const name = make("span", { class: "name" }), bar = make("i", { class: "bar" }), number = make("b");
      const row = make("button", { type: "button", class: `row ${metric.kind}`, "data-metric": metric.name, onclick: () => {
        this.#model.choose(metric.name);
        this.#tell(QUIET);
      } }, name, make("span", { class: "track" }, bar), number);
      return [metric.name, { row, name, bar, number }];
    }));
    this.element.style.setProperty("--rows", metrics.length);
    this.element.replaceChildren(...[...this.#rows.values()].map(({ row }) => row));
  }
}
