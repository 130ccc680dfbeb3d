// What are the coefficients of every metric? A table with bars, the best one starred, and why some are undefined.

import { KINDS, whyUndefined } from "../shared/counting.js";
import { button, hueOf, make, markOf, withIndex } from "../shared/elements.js";
import { say, View } from "../shared/mount.js";
import { minus, plural, written } from "../shared/numbers.js";

export class ValuesTable extends View {
  #cells = []; // for each metric the bar, number and effect of each coefficient, by name
  table = make("table", { class: "values" });
  why = make("p", { class: "why", "aria-live": "polite" });
  element = make("div",
    { class: "wide scrolls", tabindex: 0, role: "region", "aria-label": "Coefficients of every metric" },
    this.table, this.why);

  arrange() {
    const { coefficients, metrics } = this.model;
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
    this.model.metrics.forEach(({ name: metric }, at) => {
      const bar = make("i", { class: "answer" }), number = make("b", { class: "answer" }), effect = make("em");
      this.#cells[at][name] = { bar, number, effect };
      const place = make("span", { class: "bar", "aria-hidden": "true" }, bar);
      row.append(make("td", { "data-coefficient": name, "data-metric": metric }, place, number, effect));
    });
    return row;
  }

  show() {
    const { coefficients, metrics } = this.model;
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
        effect.textContent = effects?.[KINDS[this.model.kindOfPair(metric)]] ?? "";
      });
    }
    this.#explain();
  }

  /** Why coefficients are undefined, in one place. */
  #explain() {
    const { coefficients, metrics, step } = this.model;
    const lines = metrics.flatMap((metric) => {
      const missing = coefficients.filter(({ name }) => Number.isNaN(metric.results[name]));
      if (!missing.length) return [];
      const labels = missing.map(({ label }) => label).join(", ");
      return [`Undefined for ${metric.name}, as ${whyUndefined(metric.totals)}: ${labels}.`];
    });
    if (step !== null) lines.push("Counted so far; n, k, r and ρ are those of all scores.");
    say(this.why, lines.join(" "));
  }
}

// --------------------------------------------------------------------------------------------------------------------
// Which metric does one expect to be best? A question that hides the counts and coefficients until it is answered.

const EQUAL = "They are equal";

export class Prediction extends View {
  element = make("section", { class: "predict", "aria-label": "A prediction" });

  /** Ask anew: the metrics have changed. */
  arrange() {
    const { data, metrics } = this.model;
    const asking = Boolean(data.predict) && metrics.length > 1;
    this.element.hidden = !asking;
    const answers = [...metrics.map(({ name }) => name), EQUAL];
    this.said = make("p", { role: "status" });
    this.choices = make("p", { class: "choices" },
      ...answers.map((answer) => button(answer, () => this.#reveal(answer))),
      button("Just show me", () => this.#reveal(null)));
    this.element.replaceChildren(
      make("p", {}, make("strong", {}, "Which metric has the highest acc", make("sub", {}, "eq"), "? ")),
      this.choices, this.said);
    this.element.parentElement.classList.toggle("asking", asking);
  }

  show() {}

  #reveal(answer) {
    const found = this.model.metrics.map(({ name, results }) => ({ name, value: results.acc_eq }));
    const best = Math.max(...found.map(({ value }) => value));
    const winners = found.filter(({ value }) => value === best);
    const right = winners.length === found.length ? answer === EQUAL : winners.some(({ name }) => name === answer);
    const values = found.map(({ name, value }) => `${name} has ${written(value)}`).join(", ");
    say(this.said, `${answer === null ? "" : right ? "Yes: " : "No: "}${values}.`);
    this.choices.hidden = true;
    this.element.parentElement.classList.remove("asking");
    this.model.changed();
  }
}

// --------------------------------------------------------------------------------------------------------------------
// Which metric does each coefficient prefer? Rows of four on one axis from −1 to 1 with the winner beside, and a list of the
// others, which becomes such rows.

const SET_OFF = ["pearson", "tau_b", "tau_13", "acc_eq"];
const TICKS = [-1, -0.5, 0, 0.5, 1];
const NEAR = 0.03; // marks that are closer would cover each other
const LONG = 16; // letters of a name that is not written ten times
const NUMBER = 10; // letters of a value, a mark and the gaps

const placeOf = (value) => `${50 + 50 * value}%`;

/** Who wins by values, which may be NaN: the places of the best, whether some are worse, and the best value. */
export function winnersOf(values) {
  const known = values.filter((value) => !Number.isNaN(value)), best = Math.max(...known);
  const first = values.map((value, at) => at).filter((at) => values[at] === best);
  return { best: known.length ? best : NaN, first, differ: known.some((value) => value < best) };
}

/** On how many coefficients each metric alone is the best, by its `results`, or by those `atZero`. */
const winsOf = ({ coefficients, metrics }, which) => coefficients.reduce((wins, { name }) => {
  const { first, differ } = winnersOf(metrics.map((metric) => metric[which][name]));
  return differ && first.length === 1 ? wins.with(first[0], wins[first[0]] + 1) : wins;
}, metrics.map(() => 0));

/** What ε does if another metric wins most often by it; else empty. */
export function turnOf(model) {
  const [before, now] = ["atZero", "results"].map((which) => winsOf(model, which)), most = [before, now].map((wins) => Math.max(...wins));
  const [then, first] = [before.indexOf(most[0]), now.indexOf(most[1])];
  if (then === first || now[then] === most[1] || before[first] === most[0]) return "";
  return `ε alone turns the result: at ε = 0, ${model.metrics[then].name} wins on ${most[0]} of ${model.coefficients.length} coefficients; `
    + `with ε = ${model.short(model.epsilon)}, ${model.metrics[first].name} wins on ${most[1]}.`;
}

/** How many pairs a metric ties, and how many of them the human ties too. */
function tiesOf({ name, totals: [, , , alone, both] }) {
  const all = alone + both, rightly = alone ? (both ? `${both} of them` : "none of them") : all === 1 ? "" : "all";
  return all ? `${name} ties ${plural(all, "pair")}, ${`${rightly} as the human does`.trim()}` : `${name} ties no pair`;
}

/** In which years WMT used a coefficient, for example "WMT used it in 2010–2012, 2017–2020". */
const usedIn = (years) => years.length > 0 && `WMT used it in ${years.join(", ")}`;

export class DotPlot extends View {
  element = make("section", { class: "dots", "aria-label": "Which metric does each coefficient prefer?" });
  #rows = {}; // what moves in the row of each coefficient, by name
  sum = make("p", { class: "right answer", "aria-live": "polite" });
  why = make("p", { class: "ties" });
  missing = make("p", { class: "note" });

  arrange() {
    const { coefficients, metrics } = this.model, longest = Math.max(...metrics.map(({ name }) => name.length));
    this.isUnnamed = metrics.length < 2 || longest > LONG;
    this.element.style.setProperty("--winner", `${(this.isUnnamed ? 0 : longest) + NUMBER}ch`);
    const ticks = TICKS.map((tick) => {
      const text = make("span", {}, minus(tick));
      text.style.left = placeOf(tick);
      return text;
    });
    const axis = make("div", { class: "dot-row axis answer" }, make("div", { class: "track" }, ...ticks));
    const [first, others] = [true, false].map((are) => coefficients.filter(({ name }) => SET_OFF.includes(name) === are));
    const list = make("div", { class: "dot-rows others", "aria-hidden": "true" }, ...others.map((one) => this.#row(one)));
    const open = (is) => (list.classList.toggle("open", is), more.setAttribute("aria-expanded", is));
    const more = button(`The other ${plural(others.length, "coefficient")}: `, () => open(!list.classList.contains("open")), { class: "unfold" });
    more.append(...others.flatMap(({ label }, at) => [at ? ", " : "", withIndex(label)]));
    open(this.model.data.large || !first.length);
    more.hidden = !others.length || !first.length;
    this.element.replaceChildren(
      make("div", { class: "head" }, make("h2", {}, "Which metric wins?"), this.sum), this.why,
      make("div", { class: "dot-rows", "aria-hidden": "true" }, ...first.map((one) => this.#row(one)), axis),
      more, list, this.missing, make("p", { class: "note" }, withIndex("τ_10"), ", ", withIndex("τ_13"), ", ", withIndex("τ_14"), ": as WMT counted ties in 2010, 2013 and 2014."),
    );
  }

  #row({ name, label, rule }) {
    const [letter, below] = label.split("_"), line = make("i", { class: "join answer" });
    const marks = this.model.metrics.map((_, at) => markOf(at));
    for (const mark of marks) mark.classList.add("answer");
    const none = make("span", { class: "none one-line" }), winner = make("span", { class: "winner answer" });
    const track = make("div", { class: "track" }, line, none, ...marks);
    const row = make("div", { class: "dot-row" },
      make("span", { class: "label" }, letter, ...(below ? [make("sub", {}, below)] : [])), track, winner, make("small", { class: "rule" }, rule));
    this.#rows[name] = { row, line, marks, none, winner };
    return row;
  }

  show() {
    const { coefficients, metrics } = this.model;
    for (const { name, label, years } of coefficients) {
      const values = metrics.map(({ results }) => results[name]), { best, first, differ } = winnersOf(values);
      this.#place(this.#rows[name], values, { best, first, differ });
      const shown = `${label}: ${metrics.map((one, at) => `${one.name} ${written(values[at])}`).join(", ")}`;
      this.#rows[name].row.title = [!this.model.data.asks && shown, usedIn(years)].filter(Boolean).join(". ");
    }
    this.#sumUp(winsOf(this.model, "results"));
    say(this.why, `${metrics.map(tiesOf).join("; ")}.`);
    this.#tellMissing();
  }

  /** Leave the winners' names out where one has no room: their marks are enough. */
  paint() {
    const { classList } = this.element, isCut = (name) => name.scrollWidth > name.clientWidth + 1;
    classList.remove("unnamed");
    classList.toggle("unnamed", this.isUnnamed || [...this.element.querySelectorAll(".winner b")].some(isCut));
    for (const { none } of Object.values(this.#rows)) none.hidden ||= isCut(none);
    this.#tellMissing();
  }

  #sumUp(wins) {
    const { coefficients, metrics } = this.model, order = metrics.map((_, at) => at).sort((a, b) => wins[b] - wins[a]);
    const told = order.filter((at) => wins[at]).map((at) => `${metrics[at].name} on ${wins[at]}`);
    if (told.length) told[0] += ` of ${coefficients.length} coefficients`;
    const left = coefficients.length - wins.reduce((sum, one) => sum + one, 0);
    if (told.length && left) told.push(`${left} undecided`);
    const text = metrics.length < 2 ? "" : told.join(", ") || "no coefficient tells them apart";
    say(this.sum, text);
  }

  /** Say below the axis what is undefined where no row has room for it. */
  #tellMissing() {
    const crowded = this.model.coefficients.filter(({ name }) => this.#rows[name].none.hidden).map(({ label }) => label);
    this.missing.textContent = crowded.length ? `No value for some metrics: ${crowded.join(", ")}; see the table below.` : "";
  }

  /** Put the marks of a row where the values are, join them in the winner's color, and name the winner. */
  #place({ line, marks, none, winner }, values, { best, first, differ }) {
    const { metrics } = this.model, known = values.filter((value) => !Number.isNaN(value));
    const [low, high] = known.length ? [Math.min(...known), best] : [0, 0];
    marks.forEach((mark, at) => {
      mark.hidden = Number.isNaN(values[at]);
      if (!mark.hidden) mark.style.left = placeOf(values[at]);
      const near = values.findIndex((value, other) => other !== at && Math.abs(value - values[at]) < NEAR);
      mark.style.top = near < 0 ? "" : near < at ? "68%" : "32%"; // of two that would cover each other, one stands higher
    });
    line.style.left = placeOf(low);
    line.style.width = `${50 * (high - low)}%`;
    line.style.background = hueOf(first[0] ?? 0);
    const missing = metrics.filter((_, at) => Number.isNaN(values[at])).map(({ name }) => name);
    none.textContent = known.length && missing.length ? `${missing.join(", ")}: no value` : "";
    const [left, right] = known.length ? [50 + 50 * low, 50 - 50 * high] : [100, 0]; // percent of the track without a mark
    none.classList.toggle("at-end", left < right);
    none.style.maxWidth = `calc(${Math.max(left, right)}% - .8rem)`;
    none.hidden = missing.length > 0 && Math.max(left, right) < 45;
    const one = differ && first.length === 1, alone = known.length === 1 && metrics.length > 1;
    winner.style.color = one || alone ? hueOf(first[0]) : "";
    const ahead = one || alone || metrics.length === 1 || (differ && first.length > 1) ? first : [];
    const names = ahead.map((at) => metrics[at].name).join(", ") || "equal";
    winner.replaceChildren(...(known.length ? [...ahead.map(markOf), make("b", { title: names }, names), make("span", {}, written(best))] : ["no value"]));
  }
}
