// Which rank has a human score among metrics? Bars with intervals, which re-sort as another human score judges.

import { Choice, make, readInOrder } from "../shared/elements.js";
import { Model, mount, QUIET, say, spoken, View } from "../shared/mount.js";
import { written } from "../shared/numbers.js";

/**
 * Open the figure, whose data hold judges, measures (name, label), boards (judge, measure, judgeTies, rows), and what is
 * chosen: judge, measure, row (a name, or none).
 */
export function openFigure(host) {
  const model = new Boards();
  return mount(host, "human_rows", model, ({ tell }) => {
    const change = (wait) => tell({ judge: model.judge, measure: model.measure, row: model.row }, wait);
    const said = spoken("said"), small = make("p", { class: "note" }), bars = new Bars(model, change);
    const choice = (label, key) => new Choice(label, (name) => {
      model.set({ [key]: name });
      change();
    });
    const judges = choice("Human score that judges", "judge"), measures = choice("Measure", "measure");
    const field = (label, { element }) =>
      make("div", { class: "choice" }, make("span", { class: "label", "aria-hidden": "true" }, label), element);
    return {
      children: [said, field("Human score that judges", judges), bars.element, field("Measure", measures), small],
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

// --------------------------------------------------------------------------------------------------------------------
// Who agrees best with the human score that judges? A bar with an interval for each row, which moves to its rank.

class Bars extends View {
  element = make("div", { class: "bars", role: "group", "aria-label": "Human scores and metrics" });
  #rows = new Map(); // the parts of each row, by name
  #names = "";

  show() {
    const { ranked, chosen, widest } = this.model, names = ranked.map(({ name }) => name).sort().join("\n");
    if (names !== this.#names) this.#make(ranked, names);
    const at = (value) => `${(100 * Math.max(0, value ?? 0)) / widest}%`;
    ranked.forEach(({ name, kind, value, low, high, rank }, place) => {
      const { row, label, bar, interval, number } = this.#rows.get(name), shown = written(value ?? NaN);
      row.className = `row ${kind}`;
      row.style.transform = `translateY(${100 * place}%)`;
      row.setAttribute("aria-pressed", name === chosen.name);
      const ends = low === null ? "" : `, interval ${written(low)} to ${written(high)}`;
      row.setAttribute("aria-label", `Rank ${rank}: ${name}, ${kind}, ${shown}${ends}`);
      say(label, `${rank} ${name}`);
      bar.style.width = at(value);
      interval.hidden = low === null;
      Object.assign(interval.style, { left: at(low), width: `calc(${at(high)} - ${at(low)})` });
      number.textContent = value === null ? "–" : shown;
    });
    readInOrder(ranked.map(({ name }) => this.#rows.get(name).row));
  }

  #make(ranked, names) {
    const before = this.#rows;
    this.#names = names;
    this.#rows = new Map(ranked.map(({ name }) => [name, before.get(name) ?? this.#one(name)]));
    this.element.style.cssText = `--rows: ${ranked.length}; --name: ${Math.max(...ranked.map(({ name }) => name.length)) + 4}ch`;
    const parts = [...this.#rows.values()].map(({ row }) => row);
    for (const { row } of before.values()) if (!parts.includes(row)) row.remove();
    this.element.append(...parts.filter((row) => !row.isConnected));
  }

  #one(name) {
    const label = make("span", { class: "name one-line" }), bar = make("i", { class: "bar" }), number = make("b");
    const interval = make("i", { class: "interval" });
    const row = make("button", { type: "button", "data-row": name, title: name, onclick: () => {
      this.model.set({ row: name });
      this.act(QUIET);
    } }, label, make("span", { class: "track" }, bar, interval), number);
    return { row, label, bar, interval, number };
  }
}

// --------------------------------------------------------------------------------------------------------------------
// Which rank has the row that stands out, between whom? And what do noise and ties say about it?

const percent = (share) => `${Math.round(100 * share)} %`;
const LEVEL = 0.0005; // what three decimals cannot tell apart

/** The rank of the row that stands out and its neighbors. */
function sentence(model) {
  const { chosen, ranked, judge, label } = model, place = ranked.findIndex(({ name }) => name === chosen.name);
  const shown = (row) => `${row.name} (${written(row.value ?? NaN)})`;
  const noisy = ranked.find(({ name, kind }) => kind === "sentinel" && name.startsWith(`${chosen.name} `));
  const start = `Judged by ${judge}, ${chosen.name} has rank ${chosen.rank} of ${ranked.length}: ${label} ${written(chosen.value ?? NaN)}`;
  if (noisy && noisy.value - chosen.value > LEVEL) {
    return `${start}. With random noise, which adds no knowledge, it has ${written(noisy.value)}: rank ${noisy.rank}.`;
  }
  const [above, below] = [ranked[place - 1], ranked[place + 1]];
  if (above && below) return `${start}, between ${shown(above)} and ${shown(below)}.`;
  return above ? `${start}, below ${shown(above)}.` : `${start}, above ${shown(below)}.`;
}

/** How many pairs are tied by whom. */
function note(model) {
  const { board, chosen, judge } = model, parts = ["Tap a row to read about it."];
  if (board.rows.some(({ low }) => low !== null)) parts.unshift("Lines are 95 % intervals over segments.");
  if (board.rows.some(({ kind }) => kind === "sentinel")) parts.unshift("The striped bar is a human score with noise.");
  if (board.judgeTies !== null && chosen.ties !== null) {
    parts.unshift(`Of the cells that all have, ${judge} ties ${percent(board.judgeTies)} of the pairs, ${chosen.name} ${percent(chosen.ties)}.`);
  }
  return parts.join(" ");
}
