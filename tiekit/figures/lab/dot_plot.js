// Which metric does each coefficient prefer? A row for each on one axis from −1 to 1, and the winner beside it.

import { make } from "../shared/elements.js";
import { written } from "../shared/numbers.js";
import { hueOf, markOf } from "./marks.js";

const TICKS = [-1, -0.5, 0, 0.5, 1];

const placeOf = (value) => `${50 + 50 * value}%`;

/** Who wins by values, which may be NaN: the places of the best, whether some are worse, and the best value. */
export function winnersOf(values) {
  const known = values.filter((value) => !Number.isNaN(value)), best = Math.max(...known);
  const first = values.map((value, at) => at).filter((at) => values[at] === best);
  return { best: known.length ? best : NaN, first, differ: known.some((value) => value < best) };
}

const RULES = { rewards: "counts as right", punishes: "counts as wrong", "no credit": "earns nothing", ignores: "is left out" };

/** What a coefficient does with ties, in words; empty if it does not count pairs. */
const ruleOf = (effects) => effects && `A pair that only the metric ties ${RULES[effects.ties_metric]}, `
  + `one that only the human ties ${RULES[effects.ties_human]}`;

/** In which years WMT used a coefficient, for example "WMT used it in 2010–2012, 2017–2020". */
const usedIn = (years) => years.length > 0 && `WMT used it in ${years.join(", ")}`;

export class DotPlot {
  element = make("section", { class: "dots", "aria-label": "Which metric does each coefficient prefer?" });
  #model;
  #rows = {}; // what moves in the row of each coefficient, by name

  constructor(model) {
    this.#model = model;
    this.sum = make("p", { class: "right", "aria-live": "polite" });
    this.missing = make("p", { class: "note" });
  }

  arrange() {
    const { coefficients } = this.#model;
    const ticks = TICKS.map((tick) => {
      const text = make("span", {}, String(tick).replace("-", "−"));
      text.style.left = placeOf(tick);
      return text;
    });
    const axis = make("div", { class: "dot-row axis" }, make("span"), make("div", { class: "track" }, ...ticks), make("span"));
    this.element.replaceChildren(
      make("div", { class: "head" }, make("h2", {}, "Which metric wins?"), this.sum),
      make("div", { class: "dot-rows", "aria-hidden": "true" }, ...coefficients.map((one) => this.#row(one)), axis),
      this.missing,
    );
  }

  #row({ name, label, years }) {
    const [letter, below] = label.split("_"), line = make("i", { class: "join" });
    const marks = this.#model.metrics.map((_, at) => markOf(at));
    const none = make("span", { class: "none" }), winner = make("span", { class: "winner" });
    const track = make("div", { class: "track" }, line, none, ...marks);
    const row = make("div", { class: "dot-row" },
      make("span", { class: "label" }, /_\d/.test(label) ? make("small", {}, `WMT ${years[0]?.slice(0, 4) ?? ""}`) : "", letter, ...(below ? [make("sub", {}, below)] : [])), track, winner);
    this.#rows[name] = { row, line, marks, none, winner };
    return row;
  }

  show() {
    const { coefficients, metrics } = this.#model, wins = metrics.map(() => 0);
    for (const { name, label, years, effects } of coefficients) {
      const values = metrics.map(({ results }) => results[name]), { best, first, differ } = winnersOf(values);
      if (differ && first.length === 1) wins[first[0]]++;
      this.#place(this.#rows[name], values, { best, first, differ });
      const shown = `${label}: ${metrics.map((one, at) => `${one.name} ${written(values[at])}`).join(", ")}`;
      this.#rows[name].row.title = [shown, ruleOf(effects), usedIn(years)].filter(Boolean).join(". ");
    }
    this.#sumUp(wins);
    this.#tellMissing();
  }

  #sumUp(wins) {
    const { coefficients, metrics } = this.#model, order = metrics.map((_, at) => at).sort((a, b) => wins[b] - wins[a]);
    const told = order.filter((at) => wins[at]).map((at) => `${metrics[at].name} on ${wins[at]}`);
    if (told.length) told[0] += ` of ${coefficients.length} coefficients`;
    const text = metrics.length < 2 ? "" : told.join(", ") || "no coefficient tells them apart";
    if (this.sum.textContent !== text) this.sum.textContent = text;
  }

  /** Say below the axis what is undefined where no row has room for it. */
  #tellMissing() {
    const crowded = this.#model.coefficients.filter(({ name }) => this.#rows[name].none.hidden).map(({ label }) => label);
    this.missing.textContent = crowded.length ? `Undefined for some metrics: ${crowded.join(", ")}; see the table below.` : "";
  }

  /** Put the marks of a row where the values are, join them in the winner's color, and name the winner. */
  #place({ line, marks, none, winner }, values, { best, first, differ }) {
    const { metrics } = this.#model, known = values.filter((value) => !Number.isNaN(value));
    const [low, high] = known.length ? [Math.min(...known), best] : [0, 0];
    marks.forEach((mark, at) => {
      mark.hidden = Number.isNaN(values[at]);
      if (!mark.hidden) mark.style.left = placeOf(values[at]);
    });
    line.style.left = placeOf(low);
    line.style.width = `${50 * (high - low)}%`;
    line.style.background = hueOf(first[0] ?? 0);
    const missing = metrics.filter((_, at) => Number.isNaN(values[at])).map(({ name }) => name);
    none.textContent = !missing.length ? "" : known.length ? `${missing.join(", ")} undefined` : "undefined";
    const [left, right] = [!known.length || low > -0.1, !known.length || high < 0.1]; // where no mark is
    none.classList.toggle("at-end", !left);
    none.hidden = missing.length > 0 && !left && !right;
    const one = differ && first.length === 1, alone = known.length === 1 && metrics.length > 1;
    winner.style.color = one || alone ? hueOf(first[0]) : "";
    const name = one || alone || metrics.length === 1 ? metrics[first[0] ?? 0].name : "equal";
    const both = differ && first.length > 1 ? first.map((at) => metrics[at].name).join(", ") : name;
    winner.replaceChildren(...(known.length ? [make("b", {}, both), make("span", {}, written(best))] : []));
  }
}
