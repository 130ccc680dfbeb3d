// How many pairs of each kind are there? The browser's copy of tiekit's counting; tests compare both.

import { FORMULAS } from "./formulas.js";

export const KINDS = ["concordant", "discordant", "ties_human", "ties_metric", "ties_both"];
export const NO_PAIR = KINDS.length; // one of the two items has a score missing

/** Every pair of n items, in the order of the first and then the second item. */
export function listPairs(n) {
  const first = [], second = [];
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++) {
      first.push(i);
      second.push(j);
    }
  }
  return { first, second };
}

/** The place of a pair of n items in their list. */
export const placeOf = (i, j, n) => i * n - (i * (i + 1)) / 2 + j - i - 1;

/** The kind of every pair, a number in KINDS. A human tie is equality, a metric tie a difference of at most epsilon. */
export function classify(human, metric, pairs, epsilon) {
  const kinds = new Uint8Array(pairs.first.length);
  for (let p = 0; p < kinds.length; p++) {
    const i = pairs.first[p], j = pairs.second[p];
    if (human[i] === null || human[j] === null || metric[i] === null || metric[j] === null) kinds[p] = NO_PAIR;
    else if (Math.abs(metric[i] - metric[j]) <= epsilon) kinds[p] = human[i] === human[j] ? 4 : 3;
    else if (human[i] === human[j]) kinds[p] = 2;
    else kinds[p] = human[i] < human[j] === metric[i] < metric[j] ? 0 : 1;
  }
  return kinds;
}

/** The pairs of each kind among the first ones. */
export function count(kinds, upTo) {
  const counts = [0, 0, 0, 0, 0, 0];
  for (let p = 0; p < upTo; p++) counts[kinds[p]]++;
  return counts.slice(0, NO_PAIR);
}

/** WMT's table of the first pairs: rows human <, =, >, columns metric <, =, >, the earlier item named first. */
export function tabulate(human, metric, pairs, kinds, upTo) {
  const table = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  for (let p = 0; p < upTo; p++) {
    if (kinds[p] === NO_PAIR) continue;
    const i = pairs.first[p], j = pairs.second[p];
    const column = kinds[p] >= 3 ? 1 : metric[i] < metric[j] ? 0 : 2;
    table[human[i] < human[j] ? 0 : human[i] === human[j] ? 1 : 2][column]++;
  }
  return table;
}

/** What makes coefficients of these counts undefined. */
export function whyUndefined([c, d, th, tm, thm]) {
  if (c + d + th + tm + thm === 0) return "no pair is counted";
  const reasons = [];
  if (c + d + tm === 0) reasons.push("all human scores tie");
  if (c + d + th === 0) reasons.push("all metric scores tie");
  return reasons.join(" and ") || "no pair is ordered by both";
}

// --------------------------------------------------------------------------------------------------------------------
// What does every coefficient make of the counts? tiekit's own formulas, and Pearson and Spearman on the scores.

/** The scores of the items that both have scored. */
function scored(human, metric) {
  const items = human.map((_, i) => i).filter((i) => human[i] !== null && metric[i] !== null);
  return [items.map((i) => human[i]), items.map((i) => metric[i])];
}

/** How many items both have scored, and the smaller of the numbers of their distinct scores: n and k of a formula. */
export function sizesOf(human, metric) {
  const [h, m] = scored(human, metric);
  return [h.length, Math.min(new Set(h).size, new Set(m).size)];
}

/** Every coefficient by name; NaN where it is undefined. */
export function evaluate(counts, human, metric) {
  const [h, m] = scored(human, metric);
  const row = [...counts, ...sizesOf(human, metric)];
  const values = { pearson: pearson(h, m), spearman: pearson(ranks(h), ranks(m)) };
  for (const [name, formula] of Object.entries(FORMULAS)) {
    const value = formula(...row);
    values[name] = Number.isFinite(value) ? value : NaN;
  }
  return values;
}

function pearson(x, y) {
  if (new Set(x).size < 2 || new Set(y).size < 2) return NaN;
  const [a, b] = [x, y].map(standardize);
  return Math.max(-1, Math.min(1, a.reduce((sum, value, i) => sum + value * b[i], 0)));
}

/** Differences from the mean, of length 1. */
function standardize(x) {
  const largest = Math.max(...x.map(Math.abs)); // so that no square overflows
  const scaled = x.map((value) => value / largest);
  const mean = scaled.reduce((sum, value) => sum + value, 0) / x.length;
  const apart = scaled.map((value) => value - mean);
  const length = Math.hypot(...apart);
  return apart.map((value) => value / length);
}

/** Ranks from 1; equal values share the mean of theirs. */
function ranks(x) {
  const ordered = [...x].sort((a, b) => a - b);
  return x.map((value) => (ordered.indexOf(value) + ordered.lastIndexOf(value)) / 2 + 1);
}
