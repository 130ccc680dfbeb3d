// What is the figure of measures? A square that says which measures rank metrics alike, and two of the rankings.

import { make } from "../shared/elements.js";
import { Model, mount, QUIET, say, spoken } from "../shared/mount.js";
import { Matrix, sentence, Slopes } from "./view.js";

/** Open the figure in a host, whose data hold measures (name, label, short, values), metrics, agreement and chosen. */
export function openFigure(host) {
  const model = new Measures();
  return mount(host, "agreement", model, ({ tell }) => {
    const choose = (chosen) => {
      model.choose(chosen);
      tell(model.state, QUIET);
    };
    const matrix = new Matrix(model, choose), slopes = new Slopes(model), said = spoken("sentence");
    return {
      inFrames: true,
      children: [make("div", { class: "stage" }, matrix.element, make("div", { class: "right" }, said, slopes.element))],
      views: [matrix, slopes],
      madeOf: ({ measures, metrics, agreement }) => [measures, metrics, agreement],
      show: () => say(said, sentence(model)),
    };
  });
}

// --------------------------------------------------------------------------------------------------------------------
// What is shown? Measures, how alike every two rank the metrics, and the two that are chosen.

class Measures extends Model {
  chosen = [0, 1]; // two measures, by their places

  take(data) {
    super.take(data);
    this.chosen = data.chosen.map((name) => data.measures.findIndex((measure) => measure.name === name));
  }

  choose(chosen) {
    this.chosen = chosen;
    this.changed();
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
function placesOf(values) {
  const known = values.map((_, at) => at).filter((at) => values[at] !== null);
  known.sort((a, b) => values[b] - values[a] || a - b);
  const places = values.map(() => null);
  known.forEach((at, place) => (places[at] = place + 1));
  return places;
}
