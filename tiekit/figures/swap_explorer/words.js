// What do the scores and the swaps say, in sentences?

import { written } from "../shared/numbers.js";

const many = (number) => number.toLocaleString("en");

/** Three decimals, or four where three would make it 0. */
const writtenP = (p) => (p < 0.001 ? p.toFixed(4) : written(p));

/** The observed difference, how many swaps differ as much, and the p-value. */
export function verdict(model) {
  return `${observedIn(model)} ${swapsIn(model)}`;
}

function observedIn({ names: [a, b], label, observed }) {
  if (Number.isNaN(observed)) return `Observed: ${label} is undefined for a metric, so there is no difference to test.`;
  if (observed === 0) return `Observed: ${a} and ${b} have the same ${label}.`;
  const [better, worse] = observed > 0 ? [a, b] : [b, a];
  return `Observed: ${better} beats ${worse} by ${written(Math.abs(observed))} in ${label}.`;
}

function swapsIn({ observed, result, isExact, constant }) {
  const { number, extreme, undefined: gone, p } = result;
  if (constant.length) return `${constant.join(" and ")}: one score for all items, so never significant (p = 1).`;
  if (Number.isNaN(observed)) return "";
  if (!number) return "Swap scores at random: how often do the metrics then differ at least as much?";
  const swaps = isExact ? `Of all ${many(number)} ways to swap` : `Of ${many(number)} random ${number > 1 ? "swaps" : "swap"}`;
  const without = gone ? ` (${many(gone)} of them undefined, which counts as at least as much)` : "";
  return `${swaps}, ${many(extreme)} ${extreme === 1 ? "differs" : "differ"} at least as much${without}: p = ${writtenP(p)}.`;
}

/** What the metrics are worth as their scores are now. */
export function present({ names, coefficient, values, difference, state, data, label }) {
  const number = state.swapped.length, worth = values.map((value, at) => `${names[at]} ${written(value[coefficient])}`);
  const swapped = number ? `${number} of ${data.items.length} items swapped` : "no item swapped";
  return `Now, ${swapped}: ${label} of ${worth.join(", of ")}; difference ${written(difference)}.`;
}

/** The histogram in words. */
export function histogramIn({ result, observed, label, differences }) {
  const { number, extreme } = result, known = differences.filter((difference) => !Number.isNaN(difference));
  if (!known.length) return `Histogram of the difference in ${label}: no random swap yet.`;
  const [low, high] = [Math.min(...known), Math.max(...known)].map(written);
  return `Histogram of ${many(number)} differences in ${label}, from ${low} to ${high}; ${many(extreme)} are at least ` +
    `${written(Math.abs(observed))} away from 0.`;
}
