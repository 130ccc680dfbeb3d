// How many pairs of each kind are there, and what does every coefficient make of them?
// The browser's copy of tiekit's counting. FORMULAS, before this, holds tiekit's own expressions; tests compare both.

const KINDS = ["concordant", "discordant", "ties_human", "ties_metric", "ties_both"];
const NO_PAIR = KINDS.length; // one of the two items has a score missing

/** Every pair of n items, in the order of the first and then the second item. */
function listPairs(n) {
  const first = [], second = [];
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) first.push(i), second.push(j);
  return { first, second };
}

/** The place of a pair of n items in their list. */
const placeOf = (i, j, n) => i * n - (i * (i + 1)) / 2 + j - i - 1;

/** The kind of every pair, a number in KINDS. A human tie is equality, a metric tie a difference of at most epsilon. */
function classify(human, metric, pairs, epsilon) {
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
function count(kinds, upTo) {
  const counts = [0, 0, 0, 0, 0, 0];
  for (let p = 0; p < upTo; p++) counts[kinds[p]]++;
  return counts.slice(0, NO_PAIR);
}

/** WMT's table of the first pairs: rows human <, =, >, columns metric <, =, >, the earlier item named first. */
function tabulate(human, metric, pairs, kinds, upTo) {
  const table = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  for (let p = 0; p < upTo; p++) {
    if (kinds[p] === NO_PAIR) continue;
    const i = pairs.first[p], j = pairs.second[p];
    const column = kinds[p] >= 3 ? 1 : metric[i] < metric[j] ? 0 : 2;
    table[human[i] < human[j] ? 0 : human[i] === human[j] ? 1 : 2][column]++;
  }
  return table;
}

/** The scores of the items that both have scored. */
function scored(human, metric) {
  const items = human.map((_, i) => i).filter((i) => human[i] !== null && metric[i] !== null);
  return [items.map((i) => human[i]), items.map((i) => metric[i])];
}

/** Every coefficient by name; NaN where it is undefined. */
function evaluate(counts, human, metric) {
  const [h, m] = scored(human, metric);
  const row = [...counts, h.length, Math.min(new Set(h).size, new Set(m).size)];
  const values = { pearson: pearson(h, m), spearman: pearson(ranks(h), ranks(m)) };
  for (const [name, formula] of Object.entries(FORMULAS)) {
    const value = formula(...row);
    values[name] = Number.isFinite(value) ? value : NaN;
  }
  return values;
}

function pearson(x, y) {
  if (new Set(x).size < 2 || new Set(y).size < 2) return NaN;
  const [a, b] = [x, y].map(standardise);
  return Math.max(-1, Math.min(1, a.reduce((sum, value, i) => sum + value * b[i], 0)));
}

/** Differences from the mean, of length 1. */
function standardise(x) {
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

/** What makes coefficients of these counts undefined. */
function whyUndefined([c, d, th, tm, thm]) {
  if (c + d + th + tm + thm === 0) return "no pair is counted";
  const reasons = [];
  if (c + d + tm === 0) reasons.push("all human scores tie");
  if (c + d + th === 0) reasons.push("all metric scores tie");
  return reasons.join(" and ") || "no pair is ordered by both";
}

/** Zero and every difference between two scores of a metric, each once, ascending. */
function differences(metrics) {
  const found = new Set([0]);
  for (const { scores } of metrics) {
    const known = scores.filter((score) => score !== null);
    known.forEach((score, i) => known.slice(i + 1).forEach((other) => found.add(Math.abs(score - other))));
  }
  return [...found].sort((a, b) => a - b);
}

/** The last of ascending numbers that is at most a value. */
function lastUpTo(numbers, value) {
  let low = 0, high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (numbers[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Three decimals, halves to the even digit as Python writes them. */
function written(value) {
  if (Number.isNaN(value)) return "undefined";
  const thousandths = Math.abs(value) * 1000;
  const half = Number.isInteger(value * 16) && thousandths % 1 === 0.5;
  const rounded = half ? 2 * Math.round(thousandths / 2) / 1000 : Math.abs(value);
  return (value < 0 ? "−" : "") + rounded.toFixed(3);
}
