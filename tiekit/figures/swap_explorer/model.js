// What are two metrics worth when scores are swapped between them? Swaps by hand and at random, computed as tiekit does,
// or the differences of a test that tiekit has run, in the order in which it drew them.

import { classify, count, evaluate, listPairs } from "../shared/counting.js";
import { Model } from "../shared/mount.js";
import { written } from "../shared/numbers.js";

const AHEAD = 200; // random swaps are evaluated before they are shown, so that the axis stands still
const ROUNDING = 1e-12; // up to so much less than the observed difference counts as equally large

export class Swaps extends Model {
  coefficient = "acc_eq";
  mask = []; // 1 for each item that is swapped
  draws = 0; // number of random swaps, or "all"
  seed = 0;
  values = []; // of both metrics, every coefficient by name, as the scores are now
  #pairs; // of all items
  #first; // the values with nothing swapped
  #source; // of the masks of random swaps
  #random = []; // the mask and the differences of each random swap
  #every = null; // the differences of each way to swap

  // ------------------------------------------------------------------------------------------------ what is given

  take(data) {
    if (!this.data || scoresIn(data) !== scoresIn(this.data)) {
      this.#pairs = listPairs(data.human.length);
      this.#first = data.samples ? null : valuesOf(data, [], this.#pairs);
      this.#every = this.#source = null;
    }
    if (data.seed !== this.seed) this.#source = null;
    super.take(data);
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

  /** Whether tiekit has run the test, so that only its swaps can be shown. */
  get isGiven() {
    return Boolean(this.data.samples);
  }

  get names() {
    return this.data.metrics.map(({ name }) => name);
  }

  get label() {
    return this.data.coefficients.find(({ name }) => name === this.coefficient).label;
  }

  // ---------------------------------------------------------------------------------------------- what is counted

  /** The values of both metrics with nothing swapped. */
  get worth() {
    return this.isGiven ? this.data.values : this.#first.map((values) => values[this.coefficient]);
  }

  get observed() {
    const [a, b] = this.worth;
    return this.isGiven ? this.data.observed : a - b;
  }

  /** The difference as the scores are now. */
  get difference() {
    if (this.isGiven) return NaN;
    const [a, b] = this.values;
    return a[this.coefficient] - b[this.coefficient];
  }

  /** The differences that are counted, in the order drawn. */
  get differences() {
    return this.#upTo(this.number);
  }

  /** The differences that the axis has room for. */
  get foreseen() {
    return this.#upTo(this.draws === "all" ? this.number : this.isGiven ? Infinity : Math.max(this.draws, AHEAD));
  }

  /** How many differences are counted. */
  get number() {
    return this.draws === "all" ? this.ways : this.draws;
  }

  /** How many ways to swap "All" shows: every way, or those that the test has seen. */
  get ways() {
    return this.isGiven ? this.data.samples.length : 2 ** this.data.items.length;
  }

  /** Whether every way to swap is counted. */
  get isExact() {
    return this.draws === "all" || (this.isGiven && this.data.exact && this.isFull);
  }

  get isFull() {
    return this.draws !== "all" && this.draws >= this.data.most;
  }

  /** Of the first counted swaps: how many are extreme or undefined, and the p-value. */
  resultAfter(number) {
    const { observed } = this, differences = this.differences.slice(0, number);
    const isExact = this.isExact && number === this.number;
    return {
      number,
      isExact,
      extreme: differences.filter((difference) => isExtreme(difference, observed)).length,
      undefined: differences.filter(Number.isNaN).length,
      p: number ? pValue(differences, observed, isExact) : NaN,
    };
  }

  #upTo(number) {
    if (this.isGiven) return this.data.samples.slice(0, number).map((difference) => difference ?? NaN);
    const drawn = this.draws === "all" ? this.#all() : this.#draw(number).slice(0, number);
    return drawn.map(({ differences }) => differences[this.coefficient]);
  }

  #all() {
    const { human, items } = this.data;
    this.#every ??= [...allMasks(items, human.length)].map((mask) => this.#evaluated(mask));
    return this.#every;
  }

  #draw(number) {
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

  sow(seed) {
    this.#source = null;
    this.set({ seed });
  }

  /** Swap one item's scores by hand. */
  swap(item) {
    this.#place(this.mask.with(item, 1 - this.mask[item]));
  }

  /** Count so many more random swaps; the scores are left as after the last one. */
  draw(number) {
    this.draws = Math.min((this.draws === "all" ? 0 : this.draws) + number, this.data.most);
    this.#place(this.isGiven ? this.mask : [...this.#draw(this.draws)[this.draws - 1].mask]);
  }

  /** Count every way to swap, or all that the test has seen. */
  drawAll() {
    this.set({ draws: this.isGiven ? this.ways : "all" });
  }

  reset() {
    this.draws = 0;
    this.#place(this.mask.map(() => 0));
  }

  #place(mask) {
    this.mask = mask;
    if (!this.isGiven) this.values = valuesOf(this.data, mask, this.#pairs);
    this.changed();
  }
}

const scoresIn = ({ human, metrics, items, samples }) => JSON.stringify([human, metrics, items, samples]);

/** Every coefficient of both metrics, with the scores of the marked items swapped; a mark per item, 0 or 1. */
export function valuesOf({ human, metrics: [a, b] }, mask, pairs = listPairs(human.length)) {
  return [[a.z, b.z], [b.z, a.z]].map(([own, other]) => {
    const scores = own.map((score, item) => (mask[item] ? other[item] : score));
    const kinds = classify(human, scores, pairs, 0);
    return evaluate(count(kinds, kinds.length), human, scores);
  });
}

/** The first metric's value minus the second's, of every coefficient by name; NaN where one is undefined. */
export const differencesOf = ([a, b]) =>
  Object.fromEntries(Object.keys(a).map((name) => [name, a[name] - b[name]]));

/** Whether a difference is at least as large as the observed one, on either side; an undefined one is. */
export const isExtreme = (difference, observed) => !(Math.abs(difference) < Math.abs(observed) - ROUNDING);

/** The p-value of the observed difference; `exact`: the differences are those of every way to swap. */
export function pValue(differences, observed, exact) {
  if (Number.isNaN(observed)) return NaN;
  const extreme = differences.filter((difference) => isExtreme(difference, observed)).length;
  return exact ? extreme / differences.length : (extreme + 1) / (differences.length + 1);
}

/** A mark per item, without end: each of the given ones is swapped with probability 1/2. */
export function* randomMasks(items, number, seed) {
  const random = bitsFrom(seed);
  for (;;) {
    const mask = new Uint8Array(number);
    for (const item of items) mask[item] = random();
    yield mask;
  }
}

/** Every way to swap the given items, the observed one first. */
export function* allMasks(items, number) {
  for (let way = 0; way < 2 ** items.length; way++) {
    const mask = new Uint8Array(number);
    items.forEach((item, place) => (mask[item] = (way >> place) & 1));
    yield mask;
  }
}

/** A source of random bits: the highest of Mulberry32's 32 (Tommy Ettinger, public domain). */
function bitsFrom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 31;
  };
}

// --------------------------------------------------------------------------------------------------------------------
// What do the scores and the swaps say, in sentences?

const SIGNIFICANT = 0.05;
const many = (number) => number.toLocaleString("en");

/** Three decimals, or four where three would make it 0. */
const writtenP = (p) => (p < 0.001 ? p.toFixed(4) : written(p));

/** The observed difference, how many of the first swaps differ as much, and the p-value. */
export const verdict = (model, number = model.number) => `${observedIn(model)} ${swapsIn(model, number)}`.trim();

function observedIn({ names: [a, b], label, observed, worth }) {
  if (Number.isNaN(observed)) return `${label} is undefined for a metric, so there is no difference to test.`;
  const [better, worse] = observed > 0 ? [a, b] : [b, a], [low, high] = worth.toSorted((x, y) => x - y).map(written);
  if (observed === 0) return `${a} and ${b} agree equally well: ${label} ${high}.`;
  const [far, near] = worth.map((value) => Number(value.toFixed(3))), apart = Math.abs(observed);
  const isRounded = Math.abs(far - near).toFixed(3) !== apart.toFixed(3); // and so seems wrong: one more digit
  const difference = isRounded ? apart.toFixed(4) : written(apart);
  return `${better} agrees better than ${worse}: ${label} ${high} vs ${low}, a difference of ${difference}.`;
}

function swapsIn(model, number) {
  const { observed, data: { note, what }, isGiven } = model;
  if (note) return `${note} (p = 1).`;
  if (Number.isNaN(observed)) return "";
  if (!number) return `If the two metrics were alike, swapping their scores would not matter. ${what} Swap at random!`;
  const { extreme, undefined: gone, p, isExact } = model.resultAfter(number), seen = many(extreme), all = many(number);
  const differ = extreme === 1 ? "differs" : "differ";
  if (model.isExact && !isExact) return `Of the first ${all} of ${many(model.number)} ways to swap, ${seen} ${differ} at least as much.`;
  const swaps = isExact ? `Of all ${all} ways to swap` : `Of ${all} random ${number > 1 ? "swaps" : "swap"}`;
  const without = gone ? ` (${many(gone)} of them undefined, which counts as at least as much)` : "";
  const how = isExact ? `${seen}/${all}` : `(${seen} + 1)/(${all} + 1)`;
  const isDone = isExact || (isGiven && number === model.ways);
  const found = p <= SIGNIFICANT ? "significant (p ≤" : "not significant (p >";
  return `${swaps}, ${seen} ${differ} at least as much${without}: p = ${how} = ${writtenP(p)}.` +
    (isDone ? ` The difference is ${found} ${SIGNIFICANT}).` : "");
}

/** What the metrics are worth as their scores are now. */
export function present({ names, coefficient, values, difference, state, data, label }) {
  const number = state.swapped.length, worth = values.map((value, at) => `${names[at]} ${written(value[coefficient])}`);
  const swapped = number ? `${number} of ${data.items.length} items swapped` : "no item swapped";
  return `Now, ${swapped}: ${label} of ${worth.join(", of ")}; difference ${written(difference)}.`;
}

/** The histogram of the first swaps in words. */
export function histogramIn(model, number) {
  const { observed, label } = model, { extreme } = model.resultAfter(number);
  const known = model.differences.slice(0, number).filter((difference) => !Number.isNaN(difference));
  if (!known.length) return `Histogram of the difference in ${label}: no random swap yet.`;
  const [low, high] = [Math.min(...known), Math.max(...known)].map(written);
  return `Histogram of ${many(number)} differences in ${label}, from ${low} to ${high}; ${many(extreme)} are at least ` +
    `${written(Math.abs(observed))} away from 0.`;
}
