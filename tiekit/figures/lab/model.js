// What is shown? Scores, epsilon, the chosen pair and the step, and the counts that follow. Listeners hear of changes.

import { classify, count, evaluate, listPairs, NO_PAIR, placeOf } from "../shared/counting.js";
import { curveOf, differences, lastUpTo } from "../shared/curve.js";
import { FORMULAS } from "../shared/formulas.js";
import { Model } from "../shared/mount.js";
import { briefly, snap } from "../shared/numbers.js";

export class Lab extends Model {
  human = [];
  metrics = []; // name, slot, scores, the chosen item, and what follows: epsilon, kinds, totals, upTo, results, atZero
  epsilon = 0; // of the measured metric; the others tie equal scores alone
  pairs = listPairs(0);
  pair = null; // two items, counted from 0
  step = null; // pairs counted so far; null for all
  candidates = [0]; // the values of epsilon that change anything
  held = null; // the point that is being dragged, and the axes on which it is
  measured = 0; // the place of the metric that epsilon is of, whose scores lie on its line
  #curves = new WeakMap(); // of acc_eq by epsilon, for the scores of a metric

  // ------------------------------------------------------------------------------------------------ what is given

  /** Whether data hold the scores that were given last. */
  hasScoresOf(data) {
    return this.data !== null && scoresIn(data) === scoresIn(this.data);
  }

  /** Show what the host has given, with a pair and a step that may be its own. */
  take(data, { pair, step }) {
    const same = this.data && namesIn(data) === namesIn(this.data);
    const chosen = same ? this.metrics.map((metric) => metric.chosen) : [];
    this.data = data;
    this.human = data.human;
    this.epsilon = data.epsilon;
    this.metrics = data.metrics.map(({ name, slot, scores }, at) => {
      const known = (data.human[chosen[at]] ?? null) !== null && (scores[chosen[at]] ?? null) !== null;
      return { name, slot, scores, chosen: known ? chosen[at] : undefined };
    });
    this.measured = Math.max(0, this.metrics.findIndex(({ name }) => name === data.epsilon_of));
    this.pairs = listPairs(this.human.length);
    this.pair = pair && pair[1] < this.human.length ? pair : null;
    this.step = step === null ? null : Math.min(step, this.total);
    this.candidates = differences([this.metrics[this.measured]]);
    this.recount();
  }

  /** Human scores of items that are not compared, as a metric has none of them; null elsewhere. */
  get aside() {
    return this.data.aside?.length === this.human.length ? this.data.aside : [];
  }

  get coefficients() {
    return this.data.coefficients;
  }

  /** How each kind of pairs looks and what it is called. */
  get styles() {
    return this.data.style.kinds;
  }

  get total() {
    return this.pairs.first.length;
  }

  get counted() {
    return this.step ?? this.total;
  }

  /** How many of the first pairs have scores, by the human and by a metric; the others are not counted. */
  pairsUpTo(last) {
    return this.pairs.first.slice(0, last).filter((_, p) => this.metrics.some(({ kinds }) => kinds[p] !== NO_PAIR)).length;
  }

  pairNumber(p) {
    return [this.pairs.first[p], this.pairs.second[p]];
  }

  /** The kind that a metric makes of the chosen pair; undefined without one. */
  kindOfPair(metric) {
    return this.pair ? metric.kinds[placeOf(...this.pair, this.human.length)] : undefined;
  }

  /** The lowest score on the line of epsilon, and how far the highest lies above it. */
  get lowest() {
    const known = this.metrics[this.measured].scores.filter((score) => score !== null);
    return known.length ? Math.min(...known) : 0;
  }

  get span() {
    const known = this.metrics[this.measured].scores.filter((score) => score !== null);
    return known.length ? Math.max(...known) - this.lowest : 0;
  }

  /** acc_eq of the measured metric by epsilon. */
  get curve() {
    const { scores } = this.metrics[this.measured], kept = this.#curves.get(scores);
    if (kept?.human === this.human) return kept.curve;
    const curve = curveOf(this.human, scores, FORMULAS.acc_eq);
    this.#curves.set(scores, { human: this.human, curve });
    return curve;
  }

  /** A threshold in few digits, but as many as tell it apart from the next ones that change anything. */
  short(epsilon) {
    const at = lastUpTo(this.candidates, epsilon);
    return briefly([epsilon, ...this.candidates.slice(Math.max(0, at - 1), at + 2)])[0];
  }

  /** What epsilon changes for the measured metric: correct ties won, correct orders lost, acc_eq before and after. */
  get gain() {
    const { epsilons, counts, values } = this.curve, at = lastUpTo(epsilons, this.epsilon);
    return { won: counts[at][4] - counts[0][4], lost: counts[0][0] - counts[at][0], before: values[0], after: values[at] };
  }

  /** Whether both sides have a score of an item. */
  isScored(metric, item) {
    return this.human[item] !== null && metric.scores[item] !== null;
  }

  // -------------------------------------------------------------------------------------------------- what moves

  setEpsilon(epsilon) {
    this.epsilon = epsilon;
    this.recount();
  }

  /** Let epsilon be of the metric at a place, lowered to a difference of its scores; between two no pair changes. */
  measure(at) {
    this.measured = at;
    this.candidates = differences([this.metrics[at]]);
    this.setEpsilon(this.candidates[lastUpTo(this.candidates, this.epsilon)]);
  }

  choose(pair) {
    this.pair = pair;
    this.recount();
  }

  chooseItem(metric, item) {
    metric.chosen = item;
    this.changed();
  }

  /** Count so many pairs, and choose the last of them. */
  goTo(step) {
    this.step = step === null ? null : Math.max(0, Math.min(step, this.total));
    this.pair = this.step ? this.pairNumber(this.step - 1) : null;
    this.recount();
  }

  /** Give an item scores on the grid of the given ones; null leaves a side as it was when the item was taken up. */
  move(at, item, human, score, fine) {
    const { human: h, score: m } = this.held ?? { human: this.human[item], score: this.metrics[at].scores[item] };
    this.#place(
      at,
      item,
      human === null ? h : snap(human, this.data.human, fine),
      score === null ? m : snap(score, this.data.metrics[at].scores, fine),
    );
    this.epsilon = Math.min(this.epsilon, this.candidates.at(-1));
    this.recount();
  }

  /** Give an item a score by the metric at a place, or by the human where that is null. */
  setScore(at, item, score) {
    if (at === null) this.#place(0, item, score, this.metrics[0].scores[item]);
    else this.#place(at, item, this.human[item], score);
    this.epsilon = Math.min(this.epsilon, this.candidates.at(-1));
    this.recount();
  }

  /** Give an item back the scores that it had when it was taken up. */
  putBack({ at, item, human, score }) {
    this.#place(at, item, human, score);
    this.recount();
  }

  #place(at, item, human, score) {
    this.human = this.human.with(item, human);
    this.metrics[at].scores = this.metrics[at].scores.with(item, score);
    this.candidates = differences([this.metrics[this.measured]]);
  }

  recount() {
    for (const [at, metric] of this.metrics.entries()) {
      metric.epsilon = at === this.measured ? this.epsilon : 0;
      metric.kinds = classify(this.human, metric.scores, this.pairs, metric.epsilon);
      metric.totals = count(metric.kinds, this.counted);
      metric.upTo = this.counted;
      metric.results = evaluate(metric.totals, this.human, metric.scores);
      const untied = metric.epsilon ? count(classify(this.human, metric.scores, this.pairs, 0), this.counted) : metric.totals;
      metric.atZero = evaluate(untied, this.human, metric.scores);
    }
    this.changed();
  }
}

const scoresIn = ({ human, metrics }) => JSON.stringify([human, metrics]);

/** The names of the metrics and coefficients, as one string. */
export const namesIn = ({ metrics, coefficients }) =>
  JSON.stringify([metrics, coefficients].map((all) => all.map(({ name }) => name)));
