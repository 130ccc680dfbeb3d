// Which metric wins at a threshold? Its pairs by kind, acc_eq and rank; listeners hear of changes.

import { classify, count, listPairs } from "../shared/counting.js";
import { FORMULAS } from "../shared/formulas.js";

/** The pairs of each metric by kind at a threshold, how many are right, acc_eq and the rank, in the metrics' order. */
export function standings({ human, metrics }, epsilon) {
  const pairs = listPairs(human.length);
  const found = metrics.map(({ name, scores }) => {
    const kinds = classify(human, scores, pairs, epsilon), counts = count(kinds, kinds.length);
    return { name, scores, counts, right: counts[0] + counts[4], value: FORMULAS.acc_eq(...counts, human.length, 2) };
  });
  return found.map((one) => ({ ...one, rank: 1 + found.filter(({ value }) => value > one.value).length }));
}

export class Model {
  data;
  epsilon = 0;
  #listeners = [];

  constructor(data) {
    this.data = data;
    this.epsilon = data.epsilon;
  }

  get standings() {
    return standings(this.data, this.epsilon);
  }

  subscribe(listener) {
    this.#listeners.push(listener);
  }

  setEpsilon(epsilon) {
    this.epsilon = epsilon;
    for (const listener of this.#listeners) listener();
  }
}
