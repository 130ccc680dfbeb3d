// Which metric is bold, and where does the crosshair stand? Listeners hear of changes.

import { closestTo } from "../shared/curve.js";

export class Model {
  data = null; // as the host gave it last
  chosen = null; // the bold curve
  at = 0; // the crosshair's place on it
  tied = null; // the share of tied pairs there; null at ε*
  dragged = false;
  #listeners = [];

  subscribe(listener) {
    this.#listeners.push(listener);
  }

  #changed() {
    for (const listener of this.#listeners) listener();
  }

  /** Show what the host has given. */
  take(data) {
    this.data = data;
    this.chosen = data.curves.find(({ name }) => name === data.chosen) ?? data.curves[0];
    this.#moveTo(data.tied);
    this.#changed();
  }

  /** Make another curve bold, with the crosshair at its best threshold. */
  choose(name) {
    if (name === this.chosen.name) return;
    this.chosen = this.data.curves.find((curve) => curve.name === name);
    this.goToBest();
  }

  goToBest() {
    this.#moveTo(null);
    this.#changed();
  }

  /** Move the crosshair to a place on the curve. */
  goTo(at) {
    const { tied, best } = this.chosen;
    this.at = Math.max(0, Math.min(at, tied.length - 1));
    this.tied = this.at === best ? null : tied[this.at];
    this.#changed();
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

  /** The shares of pairs of each kind at the crosshair, in the order of `kinds`. */
  get shares() {
    const { tied, both, concordant, human } = this.chosen, at = this.at;
    const missed = human - both[at];
    const shares = [concordant[at], 1 - tied[at] - missed - concordant[at], missed, tied[at] - both[at], both[at]];
    return shares.map((share) => Math.max(0, share));
  }

  /** The curves from the highest value at ε* to the lowest. */
  get ranked() {
    return [...this.data.curves].sort((a, b) => b.values[b.best] - a.values[a.best]);
  }
}
