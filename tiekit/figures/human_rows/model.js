// Which human score judges, by which measure, and which row stands out? Listeners hear of changes.

const SAME = 1e-12; // values that differ by less share a rank

export class Model {
  data = null; // as the host gave it last
  judge = "";
  measure = "";
  row = ""; // the row that was chosen; none, or one that is not on this board, is the best human score
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
    this.change({ judge: data.judge, measure: data.measure, row: data.row });
  }

  change(parts) {
    Object.assign(this, parts);
    this.#changed();
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
