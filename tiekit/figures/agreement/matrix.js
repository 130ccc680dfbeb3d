// How alike do every two measures rank? A square of cells; one is chosen by a click or by arrow keys.

import { arrowOf, keep, make } from "../shared/elements.js";
import { cellWords, short } from "./words.js";

const NUMBERED_UP_TO = 14; // measures, with which numbers stand in the cells
const REVERSED = "#E69F00", ALIKE = "#56B4E9", NEITHER = "#F7F7F7";

export class Matrix {
  element = make("div", { class: "square" });
  #model;
  #choose;
  #buttons = [];
  #heads = [];

  constructor(model, choose) {
    this.#model = model;
    this.#choose = choose;
  }

  arrange() {
    const { measures, agreement } = this.#model.data;
    this.#buttons = agreement.map((row, i) => row.map((value, j) => {
      const button = make("button", {
        type: "button", "aria-label": cellWords(this.#model, i, j), onclick: () => this.#pick(i, j),
        onkeydown: (event) => this.#onKey(event, i, j),
      }, measures.length > NUMBERED_UP_TO ? "" : short(value));
      button.style.setProperty("--fill", colorOf(value));
      return button;
    }));
    this.#heads = measures.map(({ short: name, label }) => make("th", { scope: "row", title: label }, name));
    const tops = measures.map(({ short: name, label }) => make("th", { scope: "col", title: label }, make("span", {}, name)));
    const rows = this.#buttons.map((row, i) =>
      make("tr", {}, this.#heads[i], ...row.map((button) => make("td", {}, button))));
    this.element.replaceChildren(make("table", {},
      make("caption", { class: "unseen" }, `How alike every two of ${measures.length} measures rank the metrics`),
      make("thead", {}, make("tr", {}, make("td"), ...tops)), make("tbody", {}, ...rows)));
  }

  show() {
    const { chosen: [first, second] } = this.#model;
    this.#buttons.forEach((row, i) => row.forEach((button, j) => {
      const isChosen = i === first && j === second;
      button.setAttribute("aria-pressed", isChosen);
      button.tabIndex = isChosen ? 0 : -1;
    }));
    this.#heads.forEach((head, i) => head.classList.toggle("chosen", i === first || i === second));
  }

  #pick(i, j) {
    this.#choose([i, j]);
    this.#buttons[i][j].focus();
  }

  #onKey(event, i, j) {
    const [across, up] = arrowOf(event), last = this.#buttons.length - 1;
    const column = { Home: 0, End: last }[event.key] ?? j + across, row = i - up;
    if (!across && !up && column === j) return;
    keep(event);
    if (row >= 0 && row <= last && column >= 0 && column <= last) this.#pick(row, column);
  }
}

/** Blue for rankings that are alike, orange for reversed ones; black text is readable on each. */
function colorOf(value) {
  if (value === null) return NEITHER;
  return `color-mix(in srgb, ${value < 0 ? REVERSED : ALIKE} ${Math.round(100 * Math.abs(value))}%, ${NEITHER})`;
}
