// What do the swaps say, in sentences?

import { written } from "../shared/numbers.js";

const many = (number) => number.toLocaleString("en");
const writtenP = (p) => (p < 0.001 ? p.toFixed(4) : written(p));

/** The observed difference. */
export function observedIn({ data: { names: [a, b], values: [one, other], label } }) {
  const [better, worse] = one >= other ? [a, b] : [b, a], [high, low] = one >= other ? [one, other] : [other, one];
  const than = one === other ? "agrees as well as" : "agrees better than";
  return `${better} ${than} ${worse}: ${label} ${written(high)} vs ${written(low)}.`;
}

/** What so many swaps say of it; `drawn` may be less than the number that is falling. */
export function result(model, drawn) {
  const { data: { what, exact, note }, total } = model, { extreme, p } = model.resultAfter(drawn);
  if (note) return `${note} p = 1.`;
  if (!drawn) return `If the two metrics were alike, swapping their scores would not matter. ${what} Press Shuffle.`;
  const isAll = drawn === total && exact;
  const count = isAll ? `Of all ${many(drawn)} ways to swap` : `Of ${many(drawn)} random ${drawn === 1 ? "swap" : "swaps"}`;
  const how = isAll ? `${many(extreme)}/${many(drawn)}` : `(${many(extreme)} + 1)/(${many(drawn)} + 1)`;
  const verdict = drawn < total ? "" : p <= 0.05 ? " The difference is significant (p ≤ 0.05)." : " The difference is not significant (p > 0.05).";
  return `${count}, ${many(extreme)} ${extreme === 1 ? "differs" : "differ"} at least as much: p = ${how} = ${writtenP(p)}.${verdict}`;
}

/** The histogram in words. */
export function histogramIn(model, drawn) {
  const { label, observed } = model.data, { extreme } = model.resultAfter(drawn);
  return `Histogram of ${many(drawn)} differences in ${label} after swaps; ${many(extreme)} are at least ` +
    `${written(Math.abs(observed))} from 0.`;
}
