// What is shown? A curve of one metric, or those of all, and a threshold on it.

import { closestTo, curveOf, f1Of, lastUpTo } from "../shared/curve.js";
import { FORMULAS } from "../shared/formulas.js";
import { Model } from "../shared/mount.js";

/** The curve of one metric, and a threshold on it. */
export class OneCurve extends Model {
  curve = null; // thresholds, counts and values, the place of the best; of a few scores the pairs too
  at = 0; // the place of the threshold on the curve
  epsilon = 0; // itself; of a few scores it may lie between two that change anything
  dragged = false;

  take(data) {
    const before = this.data;
    super.take(data);
    const same = ["human", "metric", "curve", "coefficient"].every((key) => before?.[key] === data[key]);
    if (!same) {
      const { curve, human, metric, coefficient } = data;
      const values = curve?.values.map((value) => value ?? NaN);
      this.curve = curve ? { ...curve, values, pairs: null } : curveOf(human, metric, FORMULAS[coefficient.name]);
      const hasPairs = this.curve.counts[0].some(Boolean), none = { ties: NaN, ranks: NaN };
      this.f1 = this.curve.counts.map((counts) => (hasPairs ? f1Of(counts) : none));
    }
    this.at = lastUpTo(this.curve.epsilons, data.epsilon);
    this.epsilon = this.curve.pairs ? data.epsilon : this.curve.epsilons[this.at];
  }

  goTo(at) {
    this.at = Math.max(0, Math.min(at, this.curve.epsilons.length - 1));
    this.epsilon = this.curve.epsilons[this.at];
    this.changed();
  }

  goNear(epsilon) {
    this.goTo(closestTo(this.curve.epsilons, epsilon));
  }

  /** What the host hears of. */
  get state() {
    return { epsilon: this.epsilon };
  }

  get last() {
    return this.curve.epsilons.length - 1;
  }

  get widest() {
    return this.curve.epsilons.at(-1);
  }

  get counts() {
    return this.curve.counts[this.at];
  }

  get value() {
    return this.curve.values[this.at];
  }

  get best() {
    const { best, epsilons, values } = this.curve;
    return { epsilon: epsilons[best], value: values[best] };
  }

  /** Places in the list of pairs of those that become ties at this threshold, and of all ties; a few scores only. */
  get ties() {
    const { order, ends } = this.curve.pairs, isCandidate = this.epsilon === this.curve.epsilons[this.at];
    const start = isCandidate ? (ends[this.at - 1] ?? 0) : ends[this.at];
    return { fresh: order.slice(start, ends[this.at]), all: order.slice(0, ends[this.at]) };
  }

  /** The two items of a pair, the first item being 0, and whether the human ties them. */
  pair(p) {
    const { first, second, kinds } = this.curve.pairs, [i, j] = [first[p], second[p]];
    const tied = this.data.human[i] === this.data.human[j];
    return { i, j, before: kinds[p], now: tied ? 4 : 3 };
  }
}

/** The curves of all metrics: which one is bold, and where the crosshair stands on it. */
export class AllCurves extends Model {
  chosen = null; // the bold curve
  at = 0; // the crosshair's place on it
  tied = null; // the share of tied pairs there; null at ε*
  dragged = false;

  take(data) {
    super.take(data);
    this.chosen = data.curves.find(({ name }) => name === data.chosen) ?? data.curves[0];
    this.#moveTo(data.tied);
  }

  /** What the host hears of. */
  get state() {
    return { chosen: this.chosen.name, tied: this.tied };
  }

  get last() {
    return this.chosen.tied.length - 1;
  }

  /** Make another curve bold, with the crosshair at its best threshold. */
  choose(name) {
    if (name === this.chosen.name) return;
    this.chosen = this.data.curves.find((curve) => curve.name === name);
    this.goToBest();
  }

  /** Choose the metric whose value at ε* is so many places better (−) or worse (+). */
  chooseNext(by) {
    const { ranked } = this;
    this.choose(ranked[Math.max(0, Math.min(ranked.length - 1, ranked.indexOf(this.chosen) + by))].name);
  }

  goToBest() {
    this.#moveTo(null);
    this.changed();
  }

  /** Move the crosshair to a place on the curve. */
  goTo(at) {
    const { tied, best } = this.chosen;
    this.at = Math.max(0, Math.min(at, tied.length - 1));
    this.tied = this.at === best ? null : tied[this.at];
    this.changed();
  }

  /** Move the crosshair to the threshold that ties about this share of the pairs. */
  goNear(share) {
    this.goTo(closestTo(this.chosen.tied, share));
  }

  #moveTo(share) {
    this.tied = share;
    this.at = share === null ? this.chosen.best : closestTo(this.chosen.tied, share);
  }

  /** The coefficient at the crosshair, NaN where it is undefined. */
  get value() {
    return this.chosen.values[this.at] ?? NaN;
  }

  /** The curves from the highest value at ε* to the lowest. */
  get ranked() {
    return [...this.data.curves].sort((a, b) => b.values[b.best] - a.values[a.best]);
  }
}
