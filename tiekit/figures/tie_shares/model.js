// At which share of human ties are the metrics ranked, and which one stands out? Listeners hear of changes.

import { closestTo } from "../shared/curve.js";

export class Model {
  data = null; // as the host gave it last
  at = 0; // the place of the share
  chosen = ""; // the metric that stands out, with its sentinel
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
    this.chosen = data.chosen;
    this.at = closestTo(data.shares, data.share);
    this.#changed();
  }

  choose(name) {
    this.chosen = this.data.metrics.find((metric) => metric.name === name).of;
    this.#changed();
  }

  goTo(at) {
    this.at = Math.max(0, Math.min(at, this.data.shares.length - 1));
    this.#changed();
  }

  goNear(share) {
    this.goTo(closestTo(this.data.shares, share));
  }

  get share() {
    return this.data.shares[this.at];
  }

  /** A metric's value at the share, NaN where it is undefined. */
  valueOf({ values }) {
    return values[this.at] ?? NaN;
  }

  /** The metrics with their values at the share, the highest first, and their ranks; values that are written alike share the best one. */
  get ranked() {
    const found = this.data.metrics.map((metric) => ({ metric, value: this.valueOf(metric) }));
    const height = ({ value }) => (Number.isNaN(value) ? -Infinity : value);
    found.sort((a, b) => height(b) - height(a));
    return found.map((one) => ({ ...one, rank: 1 + found.filter((other) => Math.round(1000 * height(other)) > Math.round(1000 * height(one))).length }));
  }
}
