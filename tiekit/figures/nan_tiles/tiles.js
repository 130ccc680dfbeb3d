// Where do a metric's scores agree with the human's? One tile per segment, in it a bar per translation, worst first.

import { glyphOf, keep, make } from "../shared/elements.js";
import { short } from "./short.js";

const LABELED = 6; // the most scores of a segment that are written under their bars
const FEW = 5; // so many segments stand side by side in any width

export class Tiles {
  element = make("div", { class: "tiles" });
  #model;
  #choose;
  #rows = []; // the human's tiles, then those of each metric

  constructor(model, choose) {
    this.#model = model;
    this.#choose = choose;
  }

  arrange() {
    const { human, metrics, segments } = this.#model.data;
    const orders = human.map((line) => [...line.keys()].sort((a, b) => (line[a] ?? Infinity) - (line[b] ?? Infinity)));
    this.#rows = [null, ...metrics.keys()].map((at) => {
      const isGoal = at === this.#model.goal;
      const tiles = segments.map((_, segment) => this.#tile(at, segment, orders[segment], isGoal));
      const name = at === null ? "human" : metrics[at].name;
      const strip = make("div", { class: "strip" }, ...tiles.map(({ element }) => element));
      const row = make("section", { class: `row${isGoal ? " goal" : ""}${at === null ? " human" : ""}`,
        "aria-label": `Scores of ${name}` }, make("h2", {}, name), strip);
      row.onkeydown = (event) => this.#press(event, strip);
      return { row, tiles };
    });
    this.element.classList.toggle("labeled", human[0].length <= LABELED);
    this.element.classList.toggle("few", segments.length <= FEW);
    this.element.replaceChildren(...this.#rows.map(({ row }) => row));
  }

  #tile(at, segment, order, isGoal) {
    const bars = order.map((system) => {
      const bar = make("i"), number = make("span");
      const element = make(isGoal ? "button" : "div", { class: "score" }, make("div", { class: "plot" }, bar), number);
      if (isGoal) Object.assign(element, { type: "button", onclick: () => this.#choose(segment, system) });
      return { element, bar, number, system };
    });
    const result = make("p", { class: "result" });
    const element = make("div", { class: "tile", role: "group" }, make("div", { class: "bars" },
      ...bars.map((one) => one.element)), result);
    return { element, bars, result, at, segment };
  }

  show() {
    for (const { tiles } of this.#rows) for (const tile of tiles) this.#show(tile);
  }

  #show({ element, bars, result, at, segment }) {
    const { data, cells, chosen } = this.#model, name = at === null ? "human" : data.metrics[at].name;
    const cell = at === null ? { scores: data.human[segment] } : cells[at][segment];
    const levels = [...new Set(cell.scores.filter((score) => score !== null))].sort((a, b) => a - b);
    const look = data.style.reasons.find(({ reason }) => reason === cell.reason);
    for (const { element: score, bar, number, system } of bars) {
      const value = cell.scores[system], text = value === null ? "–" : short(value);
      bar.style.height = value === null ? "0" : `${(100 * (levels.indexOf(value) + 1)) / Math.max(levels.length, 2)}%`;
      number.textContent = text;
      score.title = `${data.systems[system]}: ${name} ${text}, human ${short(data.human[segment][system] ?? NaN)}`;
      if (score.type !== "button") continue;
      score.disabled = value === null;
      score.setAttribute("aria-label", `Segment ${data.segments[segment]}, ${score.title}`);
      score.setAttribute("aria-pressed", chosen?.segment === segment && chosen?.system === system);
    }
    element.classList.toggle("gone", Boolean(cell.reason));
    if (at === null) result.textContent = `segment ${data.segments[segment]}`;
    else if (look) result.replaceChildren(glyphOf({ ...look, label: cell.reason }), "no value");
    else result.textContent = short(cell.value, 2);
    const words = cell.reason ? `no value, ${cell.reason}` : short(cell.value ?? NaN, 3);
    element.setAttribute("aria-label", at === null ? `Segment ${data.segments[segment]}` :
      `Segment ${data.segments[segment]}, ${name}: ${data.coefficient.label} ${words}`);
    if (at !== null) element.dataset.value = cell.value;
  }

  #press(event, strip) {
    const all = [...strip.querySelectorAll("button:not(:disabled)")];
    const now = all.indexOf(strip.getRootNode().activeElement), last = all.length - 1;
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
    if (now < 0 || (to === undefined && event.key !== "Escape") || event.ctrlKey || event.metaKey || event.altKey) return;
    keep(event);
    if (event.key === "Escape") this.#choose(null);
    else all[Math.max(0, Math.min(to, last))].focus();
  }
}
