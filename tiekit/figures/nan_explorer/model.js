// What is shown? Judged segments, the chosen coefficient, rule and cell, and the ranking that follows.

import { averagesGiven, averagesOf, judge, ranksOf, sharedOf } from "./groups.js";

export class Model {
  data = null; // as the host gave it last
  judged = []; // for each metric a cell for each segment that is shown
  cells = []; // the same cells for the chosen coefficient: value, reason, counted
  metrics = []; // name, values by rule, the numbers of segments, average, rank
  order = []; // places of metrics, the best first
  shared = []; // whether a segment that is shown is defined for all
  common = 0; // the number of those among all segments

  /** Show what the host has given. */
  take(data) {
    const { human, metrics } = this.data ?? {};
    if (JSON.stringify([human, metrics]) !== JSON.stringify([data.human, data.metrics])) this.judged = judge(data);
    this.data = data;
    this.#follow();
  }

  /** Take a change of the reader's own. */
  change(change) {
    this.take({ ...this.data, ...change });
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

  #follow() {
    const { averages, coefficient, metrics } = this.data, name = coefficient;
    this.shared = sharedOf(this.judged.map((cells) => cells.map(({ values }) => values[name])));
    const found = averages ? averagesGiven(averages[name]) : averagesOf(this.judged, name);
    this.common = found.common;
    const ranks = ranksOf(found.metrics.map((metric) => metric[this.rule]));
    this.metrics = metrics.map((metric, at) => ({
      ...found.metrics[at], name: metric.name, average: found.metrics[at][this.rule], rank: ranks[at],
    }));
    this.order = [...metrics.keys()].sort((a, b) => (ranks[a] ?? Infinity) - (ranks[b] ?? Infinity) || a - b);
    this.cells = this.judged.map((cells, at) => cells.map((cell, segment) => this.#cellOf(cell, segment, at)));
  }

  /** A cell for the chosen coefficient, and whether it is in the average. */
  #cellOf({ values, reason, isGroup }, segment, at) {
    const value = values[this.data.coefficient], known = !Number.isNaN(value);
    const isRanked = this.metrics[at].rank !== null;
    const counted = isRanked && { drop: known, zero: isGroup, common: this.shared[segment] }[this.rule];
    return { value, reason: known ? "" : reason, isGroup, counted };
  }
}
