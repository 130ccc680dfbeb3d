// Where do the scores of each metric lie? A card for each, with points to drag and the WMT table of its pairs.

import { tabulate } from "../shared/counting.js";
import { make } from "../shared/elements.js";
import { fileButtons, MATRIX, paint, SCATTER } from "./pictures.js";
import { listenToScatter } from "./scatter_input.js";

const SIGNS = ["<", "=", ">"];
const KINDS_OF_TABLE = [[0, 3, 1], [2, 4, 2], [1, 3, 0]];

export class ScoreCards {
  element = make("div", { class: "cards" });
  #model;
  #theme;
  #actions;
  #cards = []; // the canvas of each metric, and its table's cells

  constructor(model, theme, actions) {
    this.#model = model;
    this.#theme = theme;
    this.#actions = actions;
  }

  arrange() {
    const { metrics, styles } = this.#model;
    this.#cards = metrics.map(() => ({
      canvas: make("canvas", { tabindex: 0, role: "application", class: SCATTER.name }),
      cells: KINDS_OF_TABLE.map((kinds) => kinds.map((kind) => cellOf(styles[kind]))),
    }));
    this.element.replaceChildren(...metrics.map(({ name }, at) => this.#card(name, at)));
  }

  #card(name, at) {
    const { canvas, cells } = this.#cards[at];
    listenToScatter(canvas, at, this.#model, this.#actions);
    const heads = ["human \\ metric", ...SIGNS].map((sign) => make("th", { scope: "col" }, sign));
    const lines = cells.map((line, row) => make("tr", {}, make("th", { scope: "row" }, SIGNS[row]), ...line));
    const table = make("table", { class: "wmt" },
      make("caption", {}, "The WMT table of its pairs"), make("thead", {}, make("tr", {}, ...heads)),
      make("tbody", {}, ...lines));
    return make("section", { class: "card", "aria-label": `Scores of ${name}` },
      make("h2", {}, `${name}: drag a point`), canvas,
      make("div", { class: "saved" },
        make("span", { class: "note" }, "Points"), fileButtons(SCATTER, this.#model, at, this.#theme),
        make("span", { class: "note" }, "Pairs"), fileButtons(MATRIX, this.#model, at, this.#theme)),
      table);
  }

  show() {
    const { human, metrics, pairs, styles } = this.#model;
    metrics.forEach(({ scores, kinds, upTo }, at) => {
      const table = tabulate(human, scores, pairs, kinds, upTo);
      table.forEach((line, row) => line.forEach((number, column) => {
        const { glyph } = styles[KINDS_OF_TABLE[row][column]];
        this.#cards[at].cells[row][column].textContent = `${glyph} ${number}`;
      }));
    });
  }

  paint() {
    this.#model.metrics.forEach((metric, at) =>
      paint(this.#cards[at].canvas, SCATTER, this.#model, metric, this.#theme));
  }
}

function cellOf({ color, on }) {
  const cell = make("td");
  Object.assign(cell.style, { background: color, color: on });
  return cell;
}
