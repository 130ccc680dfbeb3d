// What does each threshold make of a few scores? The browser's copy of tiekit's calibration; tests compare both.

import { classify, count, listPairs, NO_PAIR, sizesOf } from "./counting.js";

const ROUNDING = 1e-12; // values at most this far apart are equal

/**
 * Zero and every difference between two metric scores, ascending, with the counts and the value at each.
 *
 * `pairs` holds both items of every pair (`first`, `second`) and its kind at zero (`kinds`); the pairs with two scores
 * in the `order` of their differences; how many of these are ties at each threshold (`ends`).
 */
export function curveOf(human, metric, formula) {
  const { first, second } = listPairs(human.length), kinds = classify(human, metric, { first, second }, 0);
  const apart = Float64Array.from(first, (i, p) => Math.abs(metric[i] - metric[second[p]]));
  const order = [...first.keys()].filter((p) => kinds[p] !== NO_PAIR).sort((a, b) => apart[a] - apart[b]);
  const sizes = sizesOf(human, metric), now = count(kinds, kinds.length);
  const epsilons = [], counts = [], values = [], ends = [];
  let end = 0;
  for (let epsilon = 0; epsilon !== undefined; epsilon = apart[order[end]]) {
    for (; end < order.length && apart[order[end]] === epsilon; end++) {
      const kind = kinds[order[end]];
      if (kind > 2) continue; // a tie at zero already
      now[kind]--;
      now[kind === 2 ? 4 : 3]++;
    }
    const value = formula(...now, ...sizes);
    epsilons.push(epsilon);
    counts.push([...now]);
    values.push(Number.isFinite(value) ? value : NaN);
    ends.push(end);
  }
  return { epsilons, counts, values, best: bestOf(values), steps: true, pairs: { first, second, kinds, order, ends } };
}

/** The first of the largest values; values within rounding error are equal. */
function bestOf(values) {
  const highest = Math.max(...values.filter((value) => !Number.isNaN(value)));
  return Math.max(0, values.findIndex((value) => value >= highest - ROUNDING));
}

/** F1 of ties and of ranks; a precision or recall of 0/0 is 1. */
export function f1Of([c, d, th, tm, thm]) {
  const f1 = (right, claimed, wanted) => {
    const precision = claimed ? right / claimed : 1, recall = wanted ? right / wanted : 1;
    return precision + recall ? (2 * precision * recall) / (precision + recall) : 0;
  };
  return { ties: f1(thm, thm + tm, thm + th), ranks: f1(c, c + d + th, c + d + tm) };
}

/** The place of the number that is closest to a value, among ascending ones. */
export function closestTo(numbers, value) {
  let low = 0, high = numbers.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= value) low = middle;
    else high = middle;
  }
  return value - numbers[low] <= numbers[high] - value ? low : high;
}

// --------------------------------------------------------------------------------------------------------------------
// Which values of epsilon change anything? The differences between scores.

/** Zero and every difference between two scores of a metric, each once, ascending. */
export function differences(metrics) {
  const found = new Set([0]);
  for (const { scores } of metrics) {
    const known = scores.filter((score) => score !== null);
    known.forEach((score, i) => known.slice(i + 1).forEach((other) => found.add(Math.abs(score - other))));
  }
  return [...found].sort((a, b) => a - b);
}

/** The last of ascending numbers that is at most a value. */
export function lastUpTo(numbers, value) {
  let low = 0, high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (numbers[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
