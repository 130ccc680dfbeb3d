// What is shown? A curve, and a threshold on it. Listeners hear of changes.

import { closestTo, curveOf, f1Of, lastUpTo } from "../shared/curve.js";
import { FORMULAS } from "../shared/formulas.js";

export class Model {
  data = null; // as the host gave it last
  curve = null; // thresholds, counts and values, the place of the best; of a few scores the pairs too
  at = 0; // the place of the threshold on the curve
  epsilon = 0; // itself; of a few scores it may lie between two that change anything
  dragged = false;
  #listeners = [];

  subscribe(listener) {
    this.#listeners.push(listener);
  }

  changed() {
    for (const listener of this.#listeners) listener();
  }

  /** Show what the host has given. */
  take(data) {
    const before = this.data;
    this.data = data;
    const same = ["human", "metric", "curve", "coefficient"].every((key) => before?.[key] === data[key]);
    if (!same) {
      const { curve, human, metric, coefficient } = data;
      const values = curve?.values.map((value) => value ?? NaN);
      this.curve = curve ? { ...curve, values, pairs: null } : curveOf(human, metric, FORMULAS[coefficient.name]);
      this.f1 = this.curve.counts.map(f1Of);
    }
    this.at = lastUpTo(this.curve.epsilons, data.epsilon);
    this.epsilon = this.curve.pairs ? data.epsilon : this.curve.epsilons[this.at];
    this.changed();
  }

  goTo(at) {
    this.at = Math.max(0, Math.min(at, this.curve.epsilons.length - 1));
    this.epsilon = this.curve.epsilons[this.at];
    this.changed();
  }

  goNear(epsilon) {
    this.goTo(closestTo(this.curve.epsilons, epsilon));
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
