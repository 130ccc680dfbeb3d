// What do the scores look like? A table of systems and segments, the frames around its groups, the cells of one's pairs.

import { arrowOf, keep, make } from "../shared/elements.js";
import { View } from "../shared/mount.js";
import { written } from "../shared/numbers.js";
import { GROUPINGS, groupsOf } from "./groups.js";
import { cellWords, mean, NAMES, score, short } from "./words.js";

const OUTSIDE = 3; // pixels from a cell to its frame

export class Matrix extends View {
  #buttons = []; // of each cell, by system and segment
  #means = []; // the cell beside each system
  #foot = []; // the cell below each segment
  #frames = [];
  #grouping; // by which the frames lie
  #focused = [0, 0];
  #table = make("table");
  #around = make("div", { class: "frames", "aria-hidden": "true" });
  element = make("div", { class: "matrix" }, make("div", { class: "inner" }, this.#table, this.#around));

  /** Make the table of these scores. */
  arrange() {
    const { human, metrics, systems, segments } = this.model.data;
    const lines = (own, others, write) => [
      make("b", {}, write(own)),
      ...others.map((other, at) => make("span", { class: `of-${at}` }, make("i", {}, GLYPHS[at]), write(other))),
    ];
    this.#buttons = human.map((row, i) => row.map((own, j) => make("button", {
      type: "button", "aria-label": cellWords(this.model, [i, j]), onclick: () => this.#onClick([i, j]),
      onkeydown: (event) => this.#onKey(event, [i, j]),
    }, ...lines(own, metrics.map(({ scores }) => scores[i][j]), score))));
    this.#means = systems.map(() => make("td", { class: "side" }));
    this.#foot = segments.map(() => make("td", { class: "foot" }));
    const { means } = this.model;
    this.#means.forEach((cell, i) => cell.append(
      make("div", { class: "mean" }, ...lines(means.human[i], means.metrics.map((one) => one[i]), mean)),
      make("div", { class: "values" })));
    const key = make("th", { class: "key" }, make("b", {}, "human"), ...metrics.map(({ name }, at) =>
      make("span", { class: `of-${at}` }, make("i", {}, GLYPHS[at]), name)));
    this.side = make("th", { scope: "col", class: "side" });
    const head = make("tr", {}, key, ...segments.map((name) => make("th", { scope: "col" },
      ...(/^\d/.test(name) ? [make("small", {}, "segment"), " "] : []), name)), this.side);
    const body = this.#buttons.map((row, i) => make("tr", {}, make("th", { scope: "row" }, systems[i]),
      ...row.map((button) => make("td", {}, button)), this.#means[i]));
    this.below = make("th", { scope: "row" });
    const foot = make("tr", {}, this.below, ...this.#foot, make("td"));
    this.#table.replaceChildren(make("caption", { class: "unseen" }, `Scores of ${systems.length} systems on ${segments.length} segments`),
      make("thead", {}, head), make("tbody", {}, ...body), make("tfoot", {}, foot));
    this.#frames = Array.from({ length: Math.max(human.length, segments.length) }, () => make("i"));
    this.#around.replaceChildren(...this.#frames);
    this.#focused = this.model.cell ?? [0, 0];
    this.#grouping = undefined;
  }

  show() {
    const { grouping, cell, partners, result, data } = this.model;
    const isMean = grouping === "system_means", marked = new Set(partners.map(([i, j]) => `${i} ${j}`));
    this.element.classList.toggle("by-means", isMean);
    this.#buttons.forEach((row, i) => row.forEach((button, j) => {
      const isPicked = cell?.[0] === i && cell[1] === j;
      button.setAttribute("aria-pressed", isPicked);
      button.classList.toggle("compared", marked.has(`${i} ${j}`));
      button.tabIndex = this.#focused[0] === i && this.#focused[1] === j ? 0 : -1;
    }));
    this.#means.forEach((box, i) => {
      box.classList.toggle("compared", marked.has(`${i} null`));
      box.classList.toggle("picked", isMean && cell?.[0] === i);
    });
    const values = (at) => result.metrics.map(({ values: all }, metric) =>
      make("span", { class: `of-${metric}` }, make("i", {}, GLYPHS[metric]), short(all[at])));
    this.side.textContent = isMean ? "mean" : grouping === "system" ? data.coefficient.label : "";
    this.below.textContent = grouping === "item" ? data.coefficient.label : "";
    this.#means.forEach((box, i) => box.lastChild.replaceChildren(...(grouping === "system" ? values(i) : [])));
    this.#foot.forEach((box, j) => box.replaceChildren(...(grouping === "item" ? values(j) : [])));
    this.element.classList.toggle("by-system", grouping === "system");
  }

  /** Put the frames around the groups; where the grouping is a new one they move there. */
  paint() {
    const { grouping, data } = this.model, groups = groupsOf(data.human, grouping);
    this.#around.classList.toggle("moves", this.#grouping !== undefined && this.#grouping !== grouping);
    this.#grouping = grouping;
    this.#frames.forEach((frame, at) => {
      const cells = groups[at % groups.length], [first, last] = [cells[0], cells.at(-1)].map((cell) => this.#placeOf(cell));
      Object.assign(frame.style, {
        left: `${first.offsetLeft - OUTSIDE}px`, top: `${first.offsetTop - OUTSIDE}px`,
        width: `${last.offsetLeft + last.offsetWidth - first.offsetLeft + 2 * OUTSIDE}px`,
        height: `${last.offsetTop + last.offsetHeight - first.offsetTop + 2 * OUTSIDE}px`,
      });
    });
  }

  #placeOf([i, j]) {
    return j === null ? this.#means[i] : this.#buttons[i][j].parentElement;
  }

  #onClick(cell) {
    this.#focused = cell;
    this.act(cell);
  }

  #onKey(event, [i, j]) {
    const [across, up] = arrowOf(event), [systems, segments] = this.model.shape;
    const column = { Home: 0, End: segments - 1 }[event.key] ?? j + across, row = i - up;
    if (!across && !up && column === j) return;
    keep(event);
    if (row < 0 || row >= systems || column < 0 || column >= segments) return;
    this.#focused = [row, column];
    this.act([row, column]);
    this.#buttons[row][column].focus();
  }
}

// --------------------------------------------------------------------------------------------------------------------
// By which grouping are scores compared? Four buttons, of which one is on; arrow keys go from one to the next.

export class Buttons extends View {
  #buttons;

  constructor(model, choose) {
    super(model);
    this.#buttons = GROUPINGS.map((grouping) => make("button", {
      type: "button", role: "radio", onclick: () => choose(grouping),
      onkeydown: (event) => this.#onKey(event, grouping, choose),
    }, NAMES[grouping]));
    this.element = make("div", { class: "groupings", role: "radiogroup", "aria-label": "Group pairs by" }, ...this.#buttons);
  }

  show() {
    this.#buttons.forEach((button, at) => {
      const isOn = GROUPINGS[at] === this.model.grouping;
      button.setAttribute("aria-checked", isOn);
      button.tabIndex = isOn ? 0 : -1;
    });
  }

  #onKey(event, grouping, choose) {
    const [across, up] = arrowOf(event), last = GROUPINGS.length - 1, at = GROUPINGS.indexOf(grouping);
    const to = { Home: 0, End: last }[event.key] ?? (across || up ? (at + across - up + last + 1) % (last + 1) : null);
    if (to === null) return;
    keep(event);
    choose(GROUPINGS[to]);
    this.#buttons[to].focus();
  }
}

// --------------------------------------------------------------------------------------------------------------------
// Which metric is ahead? Two bars; the longer one is above.

export const GLYPHS = ["●", "◆"];

export class Bars extends View {
  #rows = [];
  element = make("div", { class: "bars", role: "img" });

  arrange() {
    this.#rows = this.model.data.metrics.map(({ name }, at) => {
      const bar = make("i"), value = make("b");
      const row = make("div", { class: `row of-${at}` },
        make("span", { class: "who" }, make("i", {}, GLYPHS[at]), name), make("span", { class: "track" }, bar), value);
      return { row, bar, value };
    });
    this.element.replaceChildren(...this.#rows.map(({ row }) => row));
  }

  show() {
    const model = this.model, values = model.result.metrics.map((metric) => metric.mean), first = model.winnerBy(model.grouping) ?? 0;
    const all = Object.values(model.results).flatMap(({ metrics }) => metrics.map((metric) => metric.mean));
    const low = all.some((value) => value < 0) ? -1 : 0, across = (value) => (100 * (value - low)) / (1 - low);
    this.#rows.forEach(({ row, bar, value }, at) => {
      const worth = values[at], from = Number.isNaN(worth) ? 0 : Math.min(0, worth), to = Number.isNaN(worth) ? 0 : Math.max(0, worth);
      row.classList.toggle("second", at !== first);
      row.style.setProperty("--zero", `${across(0)}%`);
      Object.assign(bar.style, { left: `${across(from)}%`, width: `${across(to) - across(from)}%` });
      value.textContent = written(worth);
    });
    const words = model.data.metrics.map(({ name }, at) => `${name} ${written(values[at])}`);
    this.element.setAttribute("aria-label", `${model.data.coefficient.label}: ${words.join(", ")}`);
  }
}
