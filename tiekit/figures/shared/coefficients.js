// What does every coefficient make of the counts? tiekit's own formulas, and Pearson and Spearman on the scores.

import { FORMULAS } from "./formulas.js";

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
