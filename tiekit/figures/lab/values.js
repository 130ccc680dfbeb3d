// What are the coefficients of every metric? A table with bars, the best one starred, and why some are undefined.

import { KINDS, whyUndefined } from "../shared/counting.js";
import { make, withIndex } from "../shared/elements.js";
import { written } from "../shared/numbers.js";

export class ValuesTable {
  #model;
  #cells = []; // for each metric the bar, number and effect of each coefficient, by name

  constructor(model) {
    this.#model = model;
    this.table = make("table", { class: "values" });
    this.why = make("p", { class: "why", "aria-live": "polite" });
    this.element = make("div",
      { class: "wide", tabindex: 0, role: "region", "aria-label": "Coefficients of every metric" },
      this.table, this.why);
  }

  arrange() {
    const { coefficients, metrics } = this.#model;
    this.#cells = metrics.map(() => ({}));
    const heads = ["coefficient", ...metrics.map(({ name }) => name)].map((name) => make("th", { scope: "col" }, name));
    this.table.replaceChildren(
      make("caption", {}, "Every coefficient of every metric; ★ the best"),
      make("thead", {}, make("tr", {}, ...heads)),
      make("tbody", {}, ...coefficients.map((coefficient) => this.#row(coefficient))),
    );
  }

  #row({ name, label }) {
    const row = make("tr", {}, make("th", { scope: "row" }, withIndex(label)));
    this.#model.metrics.forEach(({ name: metric }, at) => {
      const bar = make("i"), number = make("b"), effect = make("em");
      this.#cells[at][name] = { bar, number, effect };
      const place = make("span", { class: "bar", "aria-hidden": "true" }, bar);
      row.append(make("td", { "data-coefficient": name, "data-metric": metric }, place, number, effect));
    });
    return row;
  }

  show() {
    const { coefficients, metrics } = this.#model;
    for (const { name, effects } of coefficients) {
      const values = metrics.map(({ results }) => results[name]);
      const known = values.filter((value) => !Number.isNaN(value)), best = Math.max(...known);
      const others = known.some((value) => value < best);
      metrics.forEach((metric, at) => {
        const value = values[at], { bar, number, effect } = this.#cells[at][name];
        number.textContent = written(value) + (others && value === best ? " ★" : "");
        number.dataset.value = value;
        bar.style.left = `${50 + 50 * Math.min(value || 0, 0)}%`;
        bar.style.width = `${50 * Math.abs(value || 0)}%`;
        effect.textContent = effects?.[KINDS[this.#model.kindOfPair(metric)]] ?? "";
      });
    }
    this.#explain();
  }

  /** Why coefficients are undefined, in one place. */
  #explain() {
    const { coefficients, metrics, step } = this.#model;
    const lines = metrics.flatMap((metric) => {
      const missing = coefficients.filter(({ name }) => Number.isNaN(metric.results[name]));
      if (!missing.length) return [];
      const labels = missing.map(({ label }) => label).join(", ");
      return [`Undefined for ${metric.name}, as ${whyUndefined(metric.totals)}: ${labels}.`];
    });
    if (step !== null) lines.push("Counted so far; n, k, r and ρ are those of all scores.");
    if (this.why.textContent !== lines.join(" ")) this.why.textContent = lines.join(" ");
  }
}
