// Who agrees best with the human score that judges? A bar with an interval for each row, which moves to its rank.

import { make, readInOrder } from "../shared/elements.js";
import { QUIET } from "../shared/mount.js";
import { written } from "../shared/numbers.js";

export class Bars {
  element = make("div", { class: "bars", role: "group", "aria-label": "Human scores and metrics" });
  #model;
  #tell;
  #rows = new Map(); // the parts of each row, by name
  #names = "";

  constructor(model, tell) {
    this.#model = model;
    this.#tell = tell;
  }

  show() {
    const { ranked, chosen, widest } = this.#model, names = ranked.map(({ name }) => name).sort().join("\n");
    if (names !== this.#names) this.#make(ranked, names);
    const at = (value) => `${(100 * Math.max(0, value ?? 0)) / widest}%`;
    ranked.forEach(({ name, kind, value, low, high, rank }, place) => {
      const { row, label, bar, interval, number } = this.#rows.get(name), shown = written(value ?? NaN);
      row.className = `row ${kind}`;
      row.style.transform = `translateY(${100 * place}%)`;
      row.setAttribute("aria-pressed", name === chosen.name);
      const ends = low === null ? "" : `, interval ${written(low)} to ${written(high)}`;
      row.setAttribute("aria-label", `Rank ${rank}: ${name}, ${kind}, ${shown}${ends}`);
      label.textContent = `${rank} ${name}`;
      bar.style.width = at(value);
      interval.hidden = low === null;
      Object.assign(interval.style, { left: at(low), width: `calc(${at(high)} - ${at(low)})` });
      number.textContent = shown;
    });
    readInOrder(ranked.map(({ name }) => this.#rows.get(name).row));
  }

  #make(ranked, names) {
    const before = this.#rows;
    this.#names = names;
    this.#rows = new Map(ranked.map(({ name }) => [name, before.get(name) ?? this.#one(name)]));
    this.element.style.setProperty("--rows", ranked.length);
    const parts = [...this.#rows.values()].map(({ row }) => row);
    for (const { row } of before.values()) if (!parts.includes(row)) row.remove();
    this.element.append(...parts.filter((row) => !row.isConnected));
  }

  #one(name) {
    const label = make("span", { class: "name" }), bar = make("i", { class: "bar" }), number = make("b");
    const interval = make("i", { class: "interval" });
    const row = make("button", { type: "button", "data-row": name, onclick: () => {
      this.#model.change({ row: name });
      this.#tell(QUIET);
    } }, label, make("span", { class: "track" }, bar, interval), number);
    return { row, label, bar, interval, number };
  }
}
