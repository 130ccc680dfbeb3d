// What is shown? Measures, how alike every two rank the metrics, and the two that are chosen.

export class Model {
  data = null; // as the host gave it last
  chosen = [0, 1]; // two measures, by their places
  #listeners = [];

  subscribe(listener) {
    this.#listeners.push(listener);
  }

  take(data) {
    this.data = data;
    this.chosen = data.chosen.map((name) => data.measures.findIndex((measure) => measure.name === name));
    for (const listener of this.#listeners) listener();
  }

  choose(chosen) {
    this.chosen = chosen;
    for (const listener of this.#listeners) listener();
  }

  /** What the host hears of: the measures' names. */
  get state() {
    return { chosen: this.measures.map(({ name }) => name) };
  }

  get measures() {
    return this.chosen.map((place) => this.data.measures[place]);
  }

  get agreement() {
    return this.data.agreement[this.chosen[0]][this.chosen[1]];
  }

  /** The places of all metrics by the two measures, 1 for the best; null without a value. */
  get places() {
    return this.measures.map(({ values }) => placesOf(values));
  }
}

/** The place of each value, 1 for the largest, equal ones in their order; null for a value that is missing. */
export function placesOf(values) {
  const known = values.map((_, at) => at).filter((at) => values[at] !== null);
  known.sort((a, b) => values[b] - values[a] || a - b);
  const places = values.map(() => null);
  known.forEach((at, place) => (places[at] = place + 1));
  return places;
}
