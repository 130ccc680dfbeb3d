// Which rank has a human score among metrics? Bars with intervals, which re-sort as another human score judges.

import { make } from "../shared/elements.js";
import { Model, mount, say, spoken } from "../shared/mount.js";
import { Bars, Choice, note, sentence } from "./view.js";

/**
 * Open the figure, whose data hold judges, measures (name, label), boards (judge, measure, judgeTies, rows), and what is
 * chosen: judge, measure, row (a name, or none).
 */
export function openFigure(host) {
  const model = new Boards();
  return mount(host, "human_rows", model, ({ tell }) => {
    const change = (wait) => tell({ judge: model.judge, measure: model.measure, row: model.row }, wait);
    const said = spoken("said"), small = make("p", { class: "note" }), bars = new Bars(model, change);
    const judges = new Choice("Human score that judges", (judge) => model.change({ judge }), change);
    const measures = new Choice("Measure", (measure) => model.change({ measure }), change);
    return {
      children: [said, judges.element, bars.element, measures.element, small],
      views: [bars],
      show() {
        say(said, sentence(model));
        small.textContent = note(model);
        judges.show(model.data.judges.map((name) => ({ name, label: name })), model.judge);
        measures.show(model.data.measures, model.measure);
      },
    };
  });
}

// --------------------------------------------------------------------------------------------------------------------
// Which human score judges, by which measure, and which row stands out? Listeners hear of changes.

const SAME = 1e-12; // values that differ by less share a rank

class Boards extends Model {
  judge = "";
  measure = "";
  row = ""; // the row that was chosen; none, or one that is not on this board, is the best human score

  take(data) {
    super.take(data);
    Object.assign(this, { judge: data.judge, measure: data.measure, row: data.row });
  }

  change(parts) {
    Object.assign(this, parts);
    this.changed();
  }

  get board() {
    return this.data.boards.find(({ judge, measure }) => judge === this.judge && measure === this.measure);
  }

  get label() {
    return this.data.measures.find(({ name }) => name === this.measure).label;
  }

  /** The rows of the board with their ranks, the highest first; a row without a value comes last. */
  get ranked() {
    const height = ({ value }) => value ?? -Infinity;
    const rows = [...this.board.rows].sort((a, b) => height(b) - height(a));
    return rows.map((row) => ({ ...row, rank: 1 + rows.filter((one) => height(one) > height(row) + SAME).length }));
  }

  /** The row that stands out. */
  get chosen() {
    const { ranked } = this;
    return ranked.find(({ name }) => name === this.row) ?? ranked.find(({ kind }) => kind === "human") ?? ranked[0];
  }

  /** The longest bar's value, over all boards of the measure, so that bars of two judges can be compared. */
  get widest() {
    const boards = this.data.boards.filter(({ measure }) => measure === this.measure);
    return Math.max(...boards.flatMap(({ rows }) => rows.map(({ value, high }) => high ?? value ?? 0)), 0) || 1;
  }
}
