// What is a coefficient of each segment, why is it undefined, and what is its average under each rule? As in table.py.

import { classify, count, evaluate, listPairs, sizesOf, whyUndefined } from "../shared/counting.js";

export const RULES = ["drop", "zero", "common"];
const RANK_DECIMALS = 1e12; // averages that agree to so many share a rank

/** The counts and every coefficient of each segment, for each metric; `isGroup` where there is a pair. */
export function judge({ human, metrics }) {
  const pairs = listPairs(human[0].length);
  return metrics.map(({ scores }) => scores.map((line, segment) => {
    const kinds = classify(human[segment], line, pairs, 0), counts = count(kinds, kinds.length);
    const row = [...counts, ...sizesOf(human[segment], line)], isGroup = row[5] >= 2; // n
    const reason = isGroup ? whyUndefined(counts) : "fewer than two items have both scores";
    return { counts, row, values: evaluate(counts, human[segment], line), reason, isGroup };
  }));
}

/** The averages of a coefficient over judged segments: for each metric under each rule, and what they are over. */
export function averagesOf(judged, coefficient) {
  const values = judged.map((cells) => cells.map((cell) => cell.values[coefficient]));
  const shared = sharedOf(values);
  const metrics = judged.map((cells, at) => {
    const own = values[at].filter((_, segment) => cells[segment].isGroup), known = own.filter(isKnown);
    return {
      drop: mean(known, known.length),
      zero: known.length || !own.length ? mean(known, own.length) : 0,
      common: mean(values[at].filter((value, segment) => shared[segment] && isKnown(value)), howMany(shared)),
      undefined: own.length - known.length,
      groups: own.length,
    };
  });
  return { common: howMany(shared), metrics };
}

/** Averages as Python computed them, an undefined one as NaN. */
export const averagesGiven = ({ common, metrics }) => ({
  common,
  metrics: metrics.map((metric) => ({
    ...metric, ...Object.fromEntries(RULES.map((rule) => [rule, metric[rule] ?? NaN])),
  })),
});

/** The segments on which each metric is defined that is defined anywhere. */
export function sharedOf(values) {
  const ranked = values.filter((line) => line.some(isKnown));
  return values[0].map((_, segment) => ranked.length > 0 && ranked.every((line) => isKnown(line[segment])));
}

/** The rank of each average, 1 for the highest; equal ones share theirs, NaN has none. */
export function ranksOf(averages) {
  const rounded = averages.map((value) => Math.round(value * RANK_DECIMALS));
  return rounded.map((value) => (isKnown(value) ? 1 + howMany(rounded.map((other) => other > value)) : null));
}

const isKnown = (value) => !Number.isNaN(value);
const howMany = (flags) => flags.filter(Boolean).length;
const mean = (known, over) => (known.length ? known.reduce((sum, value) => sum + value, 0) / over : NaN);
