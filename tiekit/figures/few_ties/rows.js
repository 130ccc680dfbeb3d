// Which rank does each metric have at this share? A row for each, which moves to its place; pressing one makes it stand out.

import { make, readInOrder } from "../shared/elements.js";
import { QUIET } from "../shared/mount.js";
import { written } from "../shared/numbers.js";

export class Rows {
  element = make("div", { class: "lanes", role: "group", "aria-label": "Metrics at this share" });
  #model;
  #tell;
  #rows; // the parts of each metric's row, by name
  #made; // of which metrics

  constructor(model, tell) {
    this.#model = model;
    this.#tell = tell;
  }

  show() {
    const { data, ranked, chosen, at } = this.#model;
    if (this.#made !== data.metrics) this.#make(data);
    ranked.forEach(({ metric, value }, place) => {
      const { row, dot, rank, number } = this.#rows.get(metric.name), now = metric.ranks[at];
      row.style.transform = `translateY(${100 * place}%)`;
      row.setAttribute("aria-pressed", metric.of === chosen);
      row.setAttribute("aria-label", `${metric.name}: rank ${now ?? "undefined"} of ${data.total}, over published sets ` +
        `${metric.best} to ${metric.worst}, ${data.label} ${written(value)}`);
      row.dataset.rank = now;
      dot.hidden = now === null;
      dot.style.left = `${this.#left(now)}%`;
      rank.textContent = now ?? "–";
      number.textContent = written(value);
    });
    readInOrder(ranked.map(({ metric }) => this.#rows.get(metric.name).row));
  }

  /** Where a rank lies in its lane, in percent. */
  #left(rank) {
    return (100 * (rank - 1)) / Math.max(1, this.#model.data.total - 1);
  }

  #make({ metrics, total, label }) {
    this.#made = metrics;
    this.#rows = new Map(metrics.map((metric) => {
      const dot = make("i", { class: "dot" }), rank = make("b", { class: "rank" }), number = make("span", { class: "value" });
      const span = make("i", { class: "span" });
      if (metric.best === null) span.hidden = true;
      span.style.left = `${this.#left(metric.best)}%`;
      span.style.width = `${this.#left(metric.worst) - this.#left(metric.best)}%`;
      const interval = metric.best === null ? "–" : metric.best === metric.worst ? `${metric.best}` : `${metric.best}–${metric.worst}`;
      const row = make("button", { type: "button", class: `row ${metric.kind}`, "data-metric": metric.name, onclick: () => {
        this.#model.choose(metric.name);
        this.#tell(QUIET);
      } }, make("span", { class: "name" }, metric.name), rank, make("span", { class: "lane" }, make("span", { class: "inner" }, span, dot)),
      make("span", { class: "interval" }, interval), number);
      return [metric.name, { row, dot, rank, number }];
    }));
    const head = make("div", { class: "head", "aria-hidden": "true" }, make("span", { class: "name" }, "Metric"), make("span", {}, "Rank"),
      make("span", { class: "ends" }, make("span", {}, "1, best"), make("span", {}, `${total}`)), make("span", { class: "interval" }, "From, to"),
      make("span", { class: "value" }, label));
    const rows = make("div", { class: "rows" }, ...[...this.#rows.values()].map(({ row }) => row));
    this.element.style.setProperty("--rows", metrics.length);
    this.element.replaceChildren(head, rows);
  }
}
