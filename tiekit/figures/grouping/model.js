// What is shown? The scores, the grouping and the cell that was picked, and the values that follow.

import { comparedWith, GROUPINGS, meansOf, pairsOf, valuesOf } from "./groups.js";

const SAME = 1e-12; // values that lie closer share a rank, as in a leaderboard

export class Model {
  data = null; // as the host gave it last
  grouping = "global";
  cell = null; // a system and a segment, counted from 0
  results = {}; // by grouping: pairs, and the values of each metric
  #listeners = [];

  subscribe(listener) {
    this.#listeners.push(listener);
  }

  refresh() {
    for (const listener of this.#listeners) listener();
  }

  take(data) {
    const { human, metrics, coefficient } = data;
    this.data = data;
    this.grouping = data.grouping;
    this.cell = data.cell;
    this.means = { human: meansOf(human, human), metrics: metrics.map(({ scores }) => meansOf(scores, human)) };
    this.results = Object.fromEntries(GROUPINGS.map((grouping) => [grouping, {
      ...pairsOf(human, grouping),
      metrics: metrics.map(({ scores }) => valuesOf(human, scores, grouping, coefficient.name)),
    }]));
    this.refresh();
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
    this.refresh();
  }

  /** Pick a cell; the one that is picked already is let go. */
  pick(cell) {
    this.cell = this.cell && cell && this.cell.join() === cell.join() ? null : cell;
    this.refresh();
  }
}
