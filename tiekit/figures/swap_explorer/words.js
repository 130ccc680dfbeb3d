// What do the scores and the swaps say, in sentences?

import { written } from "../shared/numbers.js";

const SIGNIFICANT = 0.05;
const many = (number) => number.toLocaleString("en");

/** Three decimals, or four where three would make it 0. */
const writtenP = (p) => (p < 0.001 ? p.toFixed(4) : written(p));

/** The observed difference, how many of the first swaps differ as much, and the p-value. */
export const verdict = (model, number = model.number) => `${observedIn(model)} ${swapsIn(model, number)}`.trim();

function observedIn({ names: [a, b], label, observed, worth }) {
  if (Number.isNaN(observed)) return `${label} is undefined for a metric, so there is no difference to test.`;
  const [better, worse] = observed > 0 ? [a, b] : [b, a], [low, high] = worth.toSorted((x, y) => x - y).map(written);
  if (observed === 0) return `${a} and ${b} agree equally well: ${label} ${high}.`;
  return `${better} agrees better than ${worse}: ${label} ${high} vs ${low}, a difference of ${written(Math.abs(observed))}.`;
}

function swapsIn(model, number) {
  const { observed, data: { note, what }, isGiven } = model;
  if (note) return `${note} (p = 1).`;
  if (Number.isNaN(observed)) return "";
  if (!number) return `If the two metrics were alike, swapping their scores would not matter. ${what} Swap at random!`;
  const { extreme, undefined: gone, p, isExact } = model.resultAfter(number), seen = many(extreme), all = many(number);
  const swaps = isExact ? `Of all ${all} ways to swap` : `Of ${all} random ${number > 1 ? "swaps" : "swap"}`;
  const without = gone ? ` (${many(gone)} of them undefined, which counts as at least as much)` : "";
  const how = isExact ? `${seen}/${all}` : `(${seen} + 1)/(${all} + 1)`;
  const isDone = isExact || (isGiven && number === model.ways);
  const found = p <= SIGNIFICANT ? "significant (p ≤" : "not significant (p >";
  return `${swaps}, ${seen} ${extreme === 1 ? "differs" : "differ"} at least as much${without}: p = ${how} = ${writtenP(p)}.` +
    (isDone ? ` The difference is ${found} ${SIGNIFICANT}).` : "");
}

/** What the metrics are worth as their scores are now. */
export function present({ names, coefficient, values, difference, state, data, label }) {
  const number = state.swapped.length, worth = values.map((value, at) => `${names[at]} ${written(value[coefficient])}`);
  const swapped = number ? `${number} of ${data.items.length} items swapped` : "no item swapped";
  return `Now, ${swapped}: ${label} of ${worth.join(", of ")}; difference ${written(difference)}.`;
}

/** The histogram of the first swaps in words. */
export function histogramIn(model, number) {
  const { observed, label } = model, { extreme } = model.resultAfter(number);
  const known = model.differences.slice(0, number).filter((difference) => !Number.isNaN(difference));
  if (!known.length) return `Histogram of the difference in ${label}: no random swap yet.`;
  const [low, high] = [Math.min(...known), Math.max(...known)].map(written);
  return `Histogram of ${many(number)} differences in ${label}, from ${low} to ${high}; ${many(extreme)} are at least ` +
    `${written(Math.abs(observed))} away from 0.`;
}
