// How does one judge look? A threshold, a table of votes, two bars of agreement, and what both orders give.

import { make } from "../shared/elements.js";
import { QUIET } from "../shared/mount.js";
import { AGREEMENTS } from "./model.js";
import { LABELS, ordersOf, OUTCOMES, share, thresholdOf } from "./words.js";

const DEEPEST = 60; // percent of color in the fullest cell, so that its text stays readable

export class Judge {
  #model;
  #place;
  #cells = [];
  #bars = {};
  #orders = make("p", { class: "orders" });
  #label = make("span", { class: "threshold" });

  constructor(model, place, tell, rest) {
    this.#model = model;
    this.#place = place;
    const { data } = model, { name, steps } = data.judges[place];
    this.slider = make("input", {
      type: "range", min: 0, max: steps.length - 1, step: 1, "aria-label": `Tie threshold of ${name}`, onchange: rest,
      oninput: () => {
        model.at[place] = Number(this.slider.value);
        tell(QUIET);
      },
    });
    const control = make("label", { class: "limit" }, this.slider, this.#label);
    control.hidden = steps.length < 2;
    const head = make("tr", {}, make("td", {}), ...OUTCOMES.map((word) => make("th", { scope: "col" }, word)));
    const rows = OUTCOMES.map((word, row) => {
      const cells = OUTCOMES.map((_, column) => make("td", { class: kindOf(row, column) }));
      this.#cells.push(cells);
      return make("tr", {}, make("th", { scope: "row" }, word), ...cells);
    });
    const caption = make("caption", {}, make("b", {}, name), make("span", {}, ` columns; rows: ${data.human}`));
    const bars = AGREEMENTS.map((agreement) => {
      const bar = make("span", { class: "bar" }), value = make("b", {}), pairs = make("small", {});
      const line = make("div", { class: "measure", "data-agreement": agreement },
        make("span", {}, LABELS[agreement], " ", pairs), value, make("span", { class: "track" }, bar));
      this.#bars[agreement] = { bar, value, pairs, line };
      return line;
    });
    this.element = make("section", { class: "judge", "data-judge": name, "aria-label": name },
      make("table", {}, caption, make("thead", {}, head), make("tbody", {}, ...rows)),
      control, ...bars, this.#orders);
  }

  show() {
    const judge = this.#model.now[this.#place];
    this.slider.value = this.#model.at[this.#place];
    this.#label.textContent = thresholdOf(judge);
    this.slider.setAttribute("aria-valuetext", thresholdOf(judge));
    const most = Math.max(1, ...judge.counts.flat());
    this.#cells.forEach((cells, row) => cells.forEach((cell, column) => {
      const count = judge.counts[row][column];
      cell.textContent = count;
      cell.style.setProperty("--deep", `${(DEEPEST * count) / most}%`);
    }));
    for (const agreement of AGREEMENTS) {
      const { bar, value, pairs, line } = this.#bars[agreement];
      value.textContent = share(judge[agreement]);
      pairs.textContent = `of ${agreement === "withTies" ? judge.n : judge.nWithout}`;
      bar.style.width = `${100 * (judge[agreement] ?? 0)}%`;
      line.classList.toggle("leads", this.#model.leader(agreement) === this.#place);
    }
    this.#orders.textContent = ordersOf(judge.orders);
  }
}

/** Whether both agree in a cell, and whether either ties. */
function kindOf(row, column) {
  return [row === column ? "agrees" : "differs", row === 1 || column === 1 ? "tied" : ""].join(" ").trim();
}
