// What are two metrics worth when scores are swapped between them, and which swaps are random? As tiekit has it.

import { evaluate } from "../shared/coefficients.js";
import { classify, count, listPairs } from "../shared/counting.js";

const ROUNDING = 1e-12; // up to so much less than the observed difference counts as equally large

/** Every coefficient of both metrics, with the scores of the marked items swapped; a mark per item, 0 or 1. */
export function valuesOf({ human, metrics: [a, b] }, mask, pairs = listPairs(human.length)) {
  return [[a.z, b.z], [b.z, a.z]].map(([own, other]) => {
    const scores = own.map((score, item) => (mask[item] ? other[item] : score));
    const kinds = classify(human, scores, pairs, 0);
    return evaluate(count(kinds, kinds.length), human, scores);
  });
}

/** The first metric's value minus the second's, of every coefficient by name; NaN where one is undefined. */
export const differencesOf = ([a, b]) =>
  Object.fromEntries(Object.keys(a).map((name) => [name, a[name] - b[name]]));

/** Whether a difference is at least as large as the observed one, on either side; an undefined one is. */
export const isExtreme = (difference, observed) => !(Math.abs(difference) < Math.abs(observed) - ROUNDING);

/** The p-value of the observed difference; `exact`: the differences are those of every way to swap. */
export function pValue(differences, observed, exact) {
  if (Number.isNaN(observed)) return NaN;
  const extreme = differences.filter((difference) => isExtreme(difference, observed)).length;
  return exact ? extreme / differences.length : (extreme + 1) / (differences.length + 1);
}

/** A mark per item, without end: each of the given ones is swapped with probability 1/2. */
export function* randomMasks(items, number, seed) {
  const random = bitsFrom(seed);
  for (;;) {
    const mask = new Uint8Array(number);
    for (const item of items) mask[item] = random();
    yield mask;
  }
}

/** Every way to swap the given items, the observed one first. */
export function* allMasks(items, number) {
  for (let way = 0; way < 2 ** items.length; way++) {
    const mask = new Uint8Array(number);
    items.forEach((item, place) => (mask[item] = (way >> place) & 1));
    yield mask;
  }
}

/** A source of random bits: the highest of Mulberry32's 32 (Tommy Ettinger, public domain). */
function bitsFrom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 31;
  };
}
