// What is shown? Scores with the ties that were made, their coefficients, and the ranking under each rule.

import { averagesOf, judge, ranksOf, RULES } from "../nan_explorer/groups.js";
import { tied } from "./ties.js";

export class Model {
  data = null; // as the host gave it last
  chosen = null; // the score that waits for a second one: its segment and system
  cells = []; // for each metric and segment its value, why it has none, and its scores
  before = []; // the metrics' averages before any tie
  metrics = []; // for each metric its name and, by rule, its average and rank

  /** Show what the host has given. */
  take(data) {
    this.data = data;
    this.before = averagesOf(judge(data), data.coefficient.name).metrics;
    this.#follow();
  }

  /** Show other ties. */
  change(ties) {
    this.chosen = null;
    this.data = { ...this.data, ties };
    this.#follow();
  }

  /** The place of the metric whose scores can be tied. */
  get goal() {
    return this.data.metrics.findIndex(({ name }) => name === this.data.goal);
  }

  #follow() {
    const { human, metrics, ties, coefficient: { name } } = this.data;
    const now = metrics.map((metric, at) => (at === this.goal ? { ...metric, scores: tied(metric.scores, ties) } : metric));
    const judged = judge({ human, metrics: now }), { common, metrics: averages } = averagesOf(judged, name);
    const ranks = Object.fromEntries(RULES.map((rule) => [rule, ranksOf(averages.map((found) => found[rule]))]));
    this.common = common;
    this.cells = judged.map((cells, at) => cells.map(({ values, reason }, segment) => ({
      value: values[name], reason: Number.isNaN(values[name]) ? reason : "", scores: now[at].scores[segment],
    })));
    this.metrics = averages.map((found, at) => ({
      ...found, name: metrics[at].name,
      ranks: Object.fromEntries(RULES.map((rule) => [rule, ranks[rule][at]])),
    }));
  }
}
