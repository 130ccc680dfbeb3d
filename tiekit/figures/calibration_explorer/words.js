// How is it told? In sentences.

import { plural, rounded, written } from "../shared/numbers.js";

const ROUNDING = 1e-12;

/** A threshold or score in few digits. */
export function short(value) {
  const full = String(rounded(value));
  return full.length <= 7 ? full : String(Number(value.toPrecision(4)));
}

export const nameOf = ({ name }) => (name === "metric" ? "the metric" : name);

/** What is seen at this threshold. */
export function sentence({ data, counts, epsilon, value, best }) {
  const total = counts.reduce((sum, number) => sum + number, 0), tied = counts[3] + counts[4];
  if (!total) return "There is no pair to compare.";
  const number = (pairs) => pairs.toLocaleString("en-US");
  const too = tied ? `: the human ties ${number(counts[4])} of them too` : "";
  const { label } = data.coefficient, ties = `${nameOf(data)} ties ${number(tied)} of ${plural(total, "pair")}${too}`;
  return `At ε = ${short(epsilon)} ${ties}; ${label} ${written(value)}${data.asks ? "" : againstBest(epsilon, value, best)}.`;
}

function againstBest(epsilon, value, best) {
  if (Number.isNaN(best.value)) return " at every ε";
  const star = `ε* = ${short(best.epsilon)}`;
  if (!(value >= best.value - ROUNDING)) return `, best ${written(best.value)} at ${star}`;
  return epsilon === best.epsilon ? ", the best: this is ε*" : `, the best, as at ${star}`;
}

/** What becomes a tie at this threshold. */
export function news({ epsilon }, number) {
  if (epsilon === 0)
    return number ? `${plural(number, "pair")} with equal metric scores:` : "No two metric scores are equal.";
  const who = number ? plural(number, "pair") : "no pair", end = number ? ":" : ".";
  return `At exactly ε = ${short(epsilon)}, ${who} ${number > 1 ? "become ties" : "becomes a tie"}${end}`;
}

const EFFECTS = { rewards: "rewarded", punishes: "punished", ignores: "ignored" };

/** What a coefficient does with a pair, before and now. */
export function effectWords({ label, effects }, before, now) {
  const words = [...new Set([before, now].map((kind) => EFFECTS[effects[kind]] ?? effects[kind]))];
  return `${label}: ${words.join(" → ")}`;
}

/** A pair that becomes a tie. */
export function pairWords({ data }, { i, j }) {
  const { human, metric, name } = data;
  return `items ${i + 1} and ${j + 1}: human ${short(human[i])} and ${short(human[j])}, ` +
    `${name} ${short(metric[i])} and ${short(metric[j])}`;
}

/** A share in percent, whole or with decimals. */
export const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;

/** A threshold in three digits, more only before the point. */
export const threshold = ({ epsilons, best }, at, asks = false) =>
  `${at === best && !asks ? "ε*" : "ε"} = ${epsilons[at] < 1000 ? Number(epsilons[at].toPrecision(3)) : short(epsilons[at])}`;

/** The name that is shown of a metric; files have its own. */
const shortOf = (curve) => curve.short ?? curve.name;

/** What the crosshair shows. */
export function sentences({ data, chosen, at, value }) {
  if (data.asks) return `${shortOf(chosen)} ties ${percent(chosen.tied[at])} of its pairs here; people tie ${percent(chosen.human)}.`;
  const gain = data.constant === null || Number.isNaN(value) ? "" : over(value - data.constant);
  return `${shortOf(chosen)}: ${data.label} ${written(value)} at ${threshold(chosen, at)}${gain}. ` +
    `It ties ${percent(chosen.tied[at])} of its pairs.`;
}

const over = (gain) =>
  Math.abs(gain) < 0.0005 ? ", as much as a constant metric" :
    `, ${written(Math.abs(gain))} ${gain > 0 ? "more" : "less"} than a constant metric`;

/** A curve's rise in words. */
export function rise({ name, short: shown = name, values, best }, label) {
  return `${shown}: ${label} ${written(values[0] ?? NaN)}, calibrated ${written(values[best])}`;
}
