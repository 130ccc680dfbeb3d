// What is a coefficient of each segment, why is it undefined, and what is its average under each rule? As in data.py; and
// what is shown: the chosen coefficient, rule and cell, the scores that a hand has tied, and the ranking that follows.

import { classify, count, evaluate, listPairs, sizesOf, whyUndefined } from "../shared/counting.js";
import { Model } from "../shared/mount.js";

export const RULES = ["drop", "zero", "common"];
const RANK_DECIMALS = 1e12; // averages that agree to so many share a rank

const isKnown = (value) => !Number.isNaN(value);
const howMany = (flags) => flags.filter(Boolean).length;
const mean = (known, over) => (known.length ? known.reduce((sum, value) => sum + value, 0) / over : NaN);

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
const averagesGiven = ({ common, metrics }) => ({
  common,
  metrics: metrics.map((metric) => ({
    ...metric, ...Object.fromEntries(RULES.map((rule) => [rule, metric[rule] ?? NaN])),
  })),
});

/** The segments on which each metric is defined that is defined anywhere. */
function sharedOf(values) {
  const ranked = values.filter((line) => line.some(isKnown));
  return values[0].map((_, segment) => ranked.length > 0 && ranked.every((line) => isKnown(line[segment])));
}

/** The rank of each average, 1 for the highest; equal ones share theirs, NaN has none. */
export function ranksOf(averages) {
  const rounded = averages.map((value) => Math.round(value * RANK_DECIMALS));
  return rounded.map((value) => (isKnown(value) ? 1 + howMany(rounded.map((other) => other > value)) : null));
}

/** The scores of one segment with two of them tied; those between become equal too, so no pair changes its order. */
function tie(line, first, second) {
  const low = Math.min(line[first], line[second]), high = Math.max(line[first], line[second]);
  return line.map((score) => (score !== null && score >= low && score <= high ? low : score));
}

/** The metrics, those of the goal with ties; each tie is a segment and two systems. */
function tiedMetrics({ metrics, goal, ties }) {
  return metrics.map((metric) => (metric.name !== goal ? metric : {
    ...metric,
    scores: ties.reduce((all, [segment, one, other]) => all.with(segment, tie(all[segment], one, other)), metric.scores),
  }));
}

export class Segments extends Model {
  first = null; // the score that waits for a second one to be tied with: its segment and system
  scored = []; // the metrics' scores with the ties that were made
  judged = []; // for each metric a cell for each segment that is shown
  cells = []; // the same cells for the chosen coefficient: value, reason, counted
  metrics = []; // name, values by rule, the numbers of segments, average, rank, ranks by rule
  common = 0; // the number of segments on which all are defined
  #judgedOf; // the scores that were judged last

  take(data) {
    super.take(data);
    this.scored = tiedMetrics(data);
    const scores = JSON.stringify([data.human, this.scored]);
    if (scores !== this.#judgedOf) {
      this.judged = judge({ human: data.human, metrics: this.scored });
      this.first = null;
    }
    this.#judgedOf = scores;
    this.#follow();
  }

  /** Take a change of the reader's own. */
  change(change) {
    this.take({ ...this.data, ...change });
    this.changed();
  }

  get coefficient() {
    return this.data.coefficients.find(({ name }) => name === this.data.coefficient);
  }

  get rule() {
    return this.data.undefined;
  }

  /** The chosen cell's metric and segment, as places in what is shown; null where none is chosen. */
  get chosen() {
    const { cell, places, metrics } = this.data;
    return cell && { metric: metrics.findIndex(({ name }) => name === cell[1]), segment: places.indexOf(cell[0]) };
  }

  /** The place of the metric whose scores can be tied; −1 where none can. */
  get goal() {
    return this.data.metrics.findIndex(({ name }) => name === this.data.goal);
  }

  /** Places of metrics, the best first by a rule. */
  order(rule = this.rule) {
    const rank = (at) => this.metrics[at].ranks[rule] ?? Infinity;
    return [...this.metrics.keys()].sort((a, b) => rank(a) - rank(b) || a - b);
  }

  #follow() {
    const { averages, coefficient: name } = this.data, { rule } = this;
    const shared = sharedOf(this.judged.map((cells) => cells.map(({ values }) => values[name])));
    const found = averages ? averagesGiven(averages[name]) : averagesOf(this.judged, name);
    const ranks = RULES.map((one) => [one, ranksOf(found.metrics.map((metric) => metric[one]))]);
    this.common = found.common;
    this.metrics = this.scored.map((metric, at) => {
      const own = Object.fromEntries(ranks.map(([one, all]) => [one, all[at]]));
      return { ...found.metrics[at], name: metric.name, average: found.metrics[at][rule], rank: own[rule], ranks: own };
    });
    this.cells = this.judged.map((cells, at) => cells.map(({ values, reason, isGroup }, segment) => {
      const value = values[name], known = isKnown(value), isRanked = this.metrics[at].rank !== null;
      const counted = isRanked && { drop: known, zero: isGroup, common: shared[segment] }[rule];
      return { value, reason: known ? "" : reason, isGroup, counted };
    }));
  }
}
