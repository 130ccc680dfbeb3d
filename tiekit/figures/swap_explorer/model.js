// What is shown? The coefficient, the swapped items, and the differences after random swaps, or after every way to swap.

import { listPairs } from "../shared/counting.js";
import { allMasks, differencesOf, isExtreme, pValue, randomMasks, valuesOf } from "./swapping.js";

const AHEAD = 200; // random swaps are evaluated before they are shown, so that the axis stands still

export class Model {
  data = null; // as the host gave it last
  coefficient = "acc_eq";
  mask = []; // 1 for each item that is swapped
  draws = 0; // number of random swaps, or "all"
  seed = 0;
  values = []; // of both metrics, every coefficient by name, as the scores are now
  #pairs; // of all items
  #observed; // the differences with nothing swapped
  #source; // of the masks of random swaps
  #random = []; // the mask and the differences of each random swap
  #every = null; // the differences of each way to swap
  #listeners = [];

  subscribe(listener) {
    this.#listeners.push(listener);
  }

  // ------------------------------------------------------------------------------------------------ what is given

  take(data) {
    if (!this.data || scoresIn(data) !== scoresIn(this.data)) {
      this.#pairs = listPairs(data.human.length);
      this.#observed = differencesOf(valuesOf(data, [], this.#pairs));
      this.#every = this.#source = null;
    }
    if (data.seed !== this.seed) this.#source = null;
    this.data = data;
    this.coefficient = data.coefficient;
    this.seed = data.seed;
    this.draws = data.draws;
    this.#place(data.human.map((_, item) => Number(data.swapped.includes(item))));
  }

  /** What the host hears of. */
  get state() {
    const swapped = [...this.mask.keys()].filter((item) => this.mask[item]);
    return { coefficient: this.coefficient, swapped, draws: this.draws, seed: this.seed };
  }

  get names() {
    return this.data.metrics.map(({ name }) => name);
  }

  /** The names of the metrics that give one score to all items: they never differ significantly. */
  get constant() {
    return this.data.metrics.filter(({ constant }) => constant).map(({ name }) => name);
  }

  get label() {
    return this.data.coefficients.find(({ name }) => name === this.coefficient).label;
  }

  // ---------------------------------------------------------------------------------------------- what is counted

  get observed() {
    return this.#observed[this.coefficient];
  }

  /** The difference as the scores are now. */
  get difference() {
    const [a, b] = this.values;
    return a[this.coefficient] - b[this.coefficient];
  }

  /** The differences that are counted. */
  get differences() {
    return this.#of(this.isExact ? this.#all() : this.#upTo(this.draws).slice(0, this.draws));
  }

  /** The differences that the axis has room for. */
  get foreseen() {
    return this.#of(this.isExact ? this.#all() : this.#upTo(Math.max(this.draws, AHEAD)));
  }

  get isExact() {
    return this.draws === "all";
  }

  get isFull() {
    return !this.isExact && this.draws >= this.data.most;
  }

  /** How many swaps are counted, how many of them are extreme or undefined, and the p-value. */
  get result() {
    const { differences, observed } = this;
    return {
      number: differences.length,
      extreme: differences.filter((difference) => isExtreme(difference, observed)).length,
      undefined: differences.filter(Number.isNaN).length,
      p: pValue(differences, observed, this.isExact),
    };
  }

  #of(draws) {
    return draws.map(({ differences }) => differences[this.coefficient]);
  }

  #all() {
    const { human, items } = this.data;
    this.#every ??= [...allMasks(items, human.length)].map((mask) => this.#evaluated(mask));
    return this.#every;
  }

  #upTo(number) {
    if (!this.#source) {
      this.#source = randomMasks(this.data.items, this.data.human.length, this.seed);
      this.#random = [];
    }
    while (this.#random.length < number) this.#random.push(this.#evaluated(this.#source.next().value));
    return this.#random;
  }

  #evaluated(mask) {
    return { mask, differences: differencesOf(valuesOf(this.data, mask, this.#pairs)) };
  }

  // -------------------------------------------------------------------------------------------------- what moves

  choose(coefficient) {
    this.coefficient = coefficient;
    this.refresh();
  }

  sow(seed) {
    this.seed = seed;
    this.#source = null;
    this.refresh();
  }

  /** Swap one item's scores by hand. */
  swap(item) {
    this.#place(this.mask.with(item, 1 - this.mask[item]));
  }

  /** Count so many more random swaps; the scores are left as after the last one. */
  draw(number) {
    this.draws = Math.min((this.isExact ? 0 : this.draws) + number, this.data.most);
    this.#place([...this.#upTo(this.draws)[this.draws - 1].mask]);
  }

  /** Count every way to swap. */
  drawAll() {
    this.draws = "all";
    this.refresh();
  }

  reset() {
    this.draws = 0;
    this.#place(this.mask.map(() => 0));
  }

  #place(mask) {
    this.mask = mask;
    this.values = valuesOf(this.data, mask, this.#pairs);
    this.refresh();
  }

  /** Show what has changed. */
  refresh() {
    for (const listener of this.#listeners) listener();
  }
}

const scoresIn = ({ human, metrics, items }) => JSON.stringify([human, metrics, items]);
