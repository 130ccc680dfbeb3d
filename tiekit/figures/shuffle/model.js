// What is shown? The differences of two metrics after random swaps, of which some have been drawn.

import { isExtreme, pValue } from "../swap_explorer/swapping.js";

export class Model {
  data = null; // as the host gave it last
  drawn = 0; // how many of the swaps
  #listeners = [];

  subscribe(listener) {
    this.#listeners.push(listener);
  }

  refresh() {
    for (const listener of this.#listeners) listener();
  }

  take(data) {
    this.data = data;
    this.drawn = Math.min(data.drawn, data.samples.length);
    this.refresh();
  }

  get total() {
    return this.data.samples.length;
  }

  /** The differences, those that are undefined as NaN. */
  get samples() {
    return this.data.samples.map((value) => value ?? NaN);
  }

  /** How many of the first swaps are extreme, and the p-value from them; exact where all ways were tried. */
  resultAfter(drawn) {
    const { observed, exact } = this.data, differences = this.samples.slice(0, drawn);
    const extreme = differences.filter((difference) => isExtreme(difference, observed)).length;
    return { extreme, p: drawn ? pValue(differences, observed, exact && drawn === this.total) : NaN };
  }

  /** Draw so many more swaps. */
  draw(number) {
    this.drawn = Math.min(this.total, this.drawn + number);
    this.refresh();
  }

  reset() {
    this.drawn = 0;
    this.refresh();
  }
}
