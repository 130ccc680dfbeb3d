// What is the figure of groupings? One matrix of scores, four ways to group its cells, and the metric that wins by each.

import { make } from "../shared/elements.js";
import { Model, mount, QUIET, say, spoken } from "../shared/mount.js";
import { comparedWith, GROUPINGS, meansOf, pairsOf, valuesOf } from "./groups.js";
import { Bars, Buttons, Matrix } from "./view.js";
import { comparison, headline, verdict } from "./words.js";

/** Open the figure, whose data hold human, metrics (two: name, scores), systems, segments, coefficient, grouping, cell. */
export function openFigure(host) {
  const model = new GroupedScores();
  return mount(host, "grouping", model, ({ tell }) => {
    const buttons = new Buttons(model, (grouping) => {
      model.choose(grouping);
      tell({ grouping }, QUIET);
    });
    const matrix = new Matrix(model, (cell) => {
      model.pick(cell);
      tell({ cell: model.cell }, QUIET);
    });
    const bars = new Bars(model), title = spoken("headline"), said = make("p", { class: "verdict" }), pairs = spoken("pairs");
    return {
      inFrames: true,
      fits: true,
      children: [buttons.element, make("div", { class: "stage" },
        matrix.element, make("div", { class: "right" }, title, bars.element, said, pairs))],
      views: [buttons, matrix, bars],
      madeOf: ({ human, metrics, systems, segments }) => [human, metrics, systems, segments],
      show() {
        say(title, headline(model));
        say(said, verdict(model));
        say(pairs, comparison(model));
      },
    };
  });
}

// --------------------------------------------------------------------------------------------------------------------
// What is shown? The scores, the grouping and the cell that was picked, and the values that follow.

const SAME = 1e-12; // values that lie closer share a rank, as in a leaderboard

class GroupedScores extends Model {
  grouping = "global";
  cell = null; // a system and a segment, counted from 0
  results = {}; // by grouping: pairs, and the values of each metric

  take(data) {
    const { human, metrics, coefficient } = data;
    super.take(data);
    this.grouping = data.grouping;
    this.cell = data.cell;
    this.means = { human: meansOf(human, human), metrics: metrics.map(({ scores }) => meansOf(scores, human)) };
    this.results = Object.fromEntries(GROUPINGS.map((grouping) => [grouping, {
      ...pairsOf(human, grouping),
      metrics: metrics.map(({ scores }) => valuesOf(human, scores, grouping, coefficient.name)),
    }]));
  }

  get state() {
    return { grouping: this.grouping, cell: this.cell };
  }

  get shape() {
    return [this.data.human.length, this.data.human[0].length];
  }

  get result() {
    return this.results[this.grouping];
  }

  /** The cells that the picked one is compared with. */
  get partners() {
    return this.cell ? comparedWith(this.data.human, this.grouping, this.cell) : [];
  }

  /** Which metric has the larger value by a grouping: its place, or null where none has. */
  winnerBy(grouping) {
    const [one, other] = this.results[grouping].metrics.map(({ mean }) => mean);
    if (Number.isNaN(one - other) || Math.abs(one - other) < SAME) return null;
    return one > other ? 0 : 1;
  }

  choose(grouping) {
    this.grouping = grouping;
    this.changed();
  }

  /** Pick a cell; the one that is picked already is let go. */
  pick(cell) {
    this.cell = this.cell && cell && this.cell.join() === cell.join() ? null : cell;
    this.changed();
  }
}
