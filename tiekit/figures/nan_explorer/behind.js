// What is behind the chosen cell? The scores of each system, the counts of its pairs, and the formula with them.

import { glyphOf, make, withIndex } from "../shared/elements.js";
import { View } from "../shared/mount.js";
import { written } from "../shared/numbers.js";

const SYMBOLS = ["C", "D", "T_h", "T_m", "T_hm", "n", "k"];
const INVITATION = "Choose a cell to see its scores: click it, or go there by arrow keys and press Enter.";

export class Behind extends View {
  element = make("section", { class: "behind", "aria-label": "The chosen cell" });
  #shown; // what was shown last

  show() {
    const { chosen, coefficient, data, rule, scored } = this.model;
    const now = JSON.stringify([chosen, coefficient.name, rule, data.human, scored]);
    if (now === this.#shown) return;
    this.#shown = now;
    this.element.replaceChildren(...(chosen ? this.#parts(chosen) : [make("p", {}, INVITATION)]));
  }

  #parts({ metric, segment }) {
    const { coefficient, data, judged, cells } = this.model, { counts, row } = judged[metric][segment];
    const cell = cells[metric][segment], name = data.metrics[metric].name;
    const result = cell.reason ? `is undefined: ${cell.reason}` : `= ${written(cell.value)}`;
    const kinds = data.style.kinds.map((style, kind) =>
      make("li", {}, glyphOf(style), make("b", { "data-kind": style.kind }, String(counts[kind])), ` ${style.label}`));
    const symbol = (at) => withIndex(SYMBOLS[at]);
    return [
      make("div", {},
        make("h3", {}, `Segment ${data.segments[segment]}, ${name}`),
        make("p", { class: "result" }, withIndex(coefficient.label), ` ${result}`, ". ",
          make("span", { class: "fate" }, this.#fate(cell, name))),
        make("p", { class: "formula" }, withIndex(coefficient.label), " = ", ...inserted(coefficient.formula, symbol)),
        make("p", { class: "formula" }, "= ", ...inserted(coefficient.formula, (at) => String(row[at])),
          cell.reason ? ", where the divisor is 0" : ` = ${written(cell.value)}`),
        make("ul", { class: "kinds" }, ...kinds)),
      make("div", { class: "scores", tabindex: 0, role: "region", "aria-label": "Scores of the chosen cell" },
        this.#scores(metric, segment)),
    ];
  }

  /** What becomes of the cell under the chosen rule. */
  #fate({ reason, isGroup, counted }, name) {
    const { metrics, rule, chosen } = this.model;
    if (metrics[chosen.metric].rank === null && rule !== "common") return `${name} has no average.`;
    if (counted) return reason ? "It counts as 0 in the average." : "It is in the average.";
    if (!isGroup) return "Fewer than two scored systems are in no average.";
    if (reason) return rule === "common" ? "The segment is left out for every metric." : "The segment is left out.";
    return "The segment is left out, as another metric is undefined on it.";
  }

  /** The scores of both sides, the highest human score first. */
  #scores(metric, segment) {
    const { scored: metrics, data: { systems, human } } = this.model, h = human[segment], m = metrics[metric].scores[segment];
    const texts = [h, m].map(distinct), low = -Infinity;
    const order = [...systems.keys()].sort((a, b) => (h[b] ?? low) - (h[a] ?? low) || (m[b] ?? low) - (m[a] ?? low));
    const lines = order.map((at) => make("tr", {}, make("th", { scope: "row" }, systems[at]),
      ...texts.map((side) => make("td", {}, side[at]))));
    const heads = ["system", "human", metrics[metric].name].map((head) => make("th", { scope: "col" }, head));
    return make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...lines));
  }
}

/** A formula in mathematical notation, with something in the place of each symbol. */
function inserted(formula, put) {
  const pretty = formula.replaceAll("**2", "²").replaceAll("*", "·").replaceAll("-", "−").replaceAll("sqrt", "√");
  return pretty.split(/\b(T_hm|T_h|T_m|[CDnk])\b/).map((part, at) => (at % 2 ? put(SYMBOLS.indexOf(part)) : part));
}

/** Scores with as few digits as tell apart those that differ. */
function distinct(scores) {
  const known = scores.filter((score) => score !== null), kinds = new Set(known).size;
  const write = (digits) => (score) => String(Number(score.toPrecision(digits))).replace("-", "−");
  const digits = [4, 6, 8, 12].find((each) => new Set(known.map(write(each))).size === kinds) ?? 17;
  return scores.map((score) => (score === null ? "missing" : write(digits)(score)));
}
