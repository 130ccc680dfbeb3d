// Where do a metric's scores agree with the human's? One tile per segment, in it a bar per translation, worst first.

import { isPlain, keep, longestPiece, make, readInOrder, wordsWithIndex } from "../shared/elements.js";
import { View } from "../shared/mount.js";
import { written } from "../shared/numbers.js";
import { RULES } from "./model.js";
import { short } from "./words.js";

const LABELED = 6; // the most scores of a segment that are written under their bars
const FEW = 5; // so many segments stand side by side in any width

export class Tiles extends View {
  element = make("div", { class: "tiles" });
  #rows = []; // the human's tiles, then those of each metric

  arrange() {
    const { human, metrics, segments } = this.model.data;
    const orders = human.map((line) => [...line.keys()].sort((a, b) => (line[a] ?? Infinity) - (line[b] ?? Infinity)));
    this.#rows = [null, ...metrics.keys()].map((at) => {
      const isGoal = at === this.model.goal;
      const tiles = segments.map((_, segment) => this.#tile(at, segment, orders[segment], isGoal));
      const name = at === null ? "human" : metrics[at].name;
      const strip = make("div", { class: "strip" }, ...tiles.map(({ element }) => element));
      const row = make("section", { class: `row${isGoal ? " goal" : ""}${at === null ? " human" : ""}`,
        "aria-label": `Scores of ${name}` }, make("h2", {}, name), strip);
      row.onkeydown = (event) => this.#press(event, strip);
      row.addEventListener("focusin", ({ target }) => rove(strip, target));
      return { row, tiles };
    });
    this.element.classList.toggle("labeled", human[0].length <= LABELED);
    const sizes = { each: human[0].length, scores: human[0].length * segments.length, segments: segments.length,
      letters: longestPiece(metrics.map(({ name }) => name)) };
    this.element.style.cssText = Object.entries(sizes).map(([name, size]) => `--${name}: ${size}`).join("; ");
    this.element.classList.toggle("few", segments.length <= FEW);
    this.element.replaceChildren(...this.#rows.map(({ row }) => row));
  }

  #tile(at, segment, order, isGoal) {
    const bars = order.map((system) => {
      const bar = make("i"), number = make("span");
      const element = make(isGoal ? "button" : "div", { class: "score", ...(isGoal && { tabindex: -1 }) }, make("div", { class: "plot" }, bar), number);
      if (isGoal) Object.assign(element, { type: "button", onclick: () => this.act(segment, system) });
      return { element, bar, number, system };
    });
    const result = make("p", { class: "result" });
    const element = make("div", { class: "tile", role: "group" }, make("div", { class: "bars" },
      ...bars.map((one) => one.element)), result);
    return { element, bars, result, at, segment };
  }

  show() {
    for (const { tiles } of this.#rows) for (const tile of tiles) this.#show(tile);
    if (!this.element.querySelector("button[tabindex='0']:enabled")) rove(this.element, this.element.querySelector("button:enabled"));
  }

  #show({ element, bars, result, at, segment }) {
    const { data, scored, coefficient, cells, first } = this.model, name = at === null ? "human" : data.metrics[at].name;
    const cell = at === null ? {} : cells[at][segment], scores = at === null ? data.human[segment] : scored[at].scores[segment];
    const levels = [...new Set(scores.filter((one) => one !== null))].sort((a, b) => a - b);
    for (const { element: score, bar, number, system } of bars) {
      const out = at === null ? data.aside?.[segment]?.[system] ?? null : null; // a human score that is not compared
      const value = scores[system], text = out !== null ? short(out) : value === null ? "–" : short(value);
      bar.style.height = value === null ? "0" : `${(100 * (levels.indexOf(value) + 1)) / Math.max(levels.length, 2)}%`;
      number.textContent = text;
      number.classList.toggle("aside", out !== null);
      score.title = `${data.systems[system]}: ${name} ${text}, human ${short(data.human[segment][system] ?? NaN)}${out === null ? "" : ", not compared"}`;
      if (score.type !== "button") continue;
      score.disabled = value === null || Boolean(data.asks);
      score.setAttribute("aria-label", `Segment ${data.segments[segment]}, ${score.title}`);
      score.setAttribute("aria-pressed", first?.segment === segment && first?.system === system);
    }
    element.classList.toggle("gone", Boolean(cell.reason));
    element.title = cell.reason ? `no value: ${cell.reason}` : "";
    const named = data.segments[segment];
    if (at === null) result.replaceChildren(...(/^\d/.test(named) ? [make("span", {}, "segment ")] : []), `${named}`);
    else if (cell.reason) result.replaceChildren("no value");
    else result.replaceChildren(make("small", {}, ...wordsWithIndex(coefficient.label)), ` ${short(cell.value, 2)}`);
    const words = cell.reason ? `no value, ${cell.reason}` : short(cell.value ?? NaN, 3);
    element.setAttribute("aria-label", at === null ? `Segment ${data.segments[segment]}` :
      `Segment ${data.segments[segment]}, ${name}: ${coefficient.label} ${words}`);
    if (at !== null) element.dataset.value = cell.value;
  }

  #press(event, strip) {
    const all = [...strip.querySelectorAll("button:not(:disabled)")];
    const now = all.indexOf(strip.getRootNode().activeElement), last = all.length - 1;
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last }[event.key];
    if (now < 0 || (to === undefined && event.key !== "Escape") || !isPlain(event)) return;
    keep(event);
    if (event.key === "Escape") this.act(null);
    else all[Math.max(0, Math.min(to, last))].focus();
  }
}

/** Make one button of an element the only stop of Tab; arrow keys lead to the others. */
const rove = (element, to) => element.querySelectorAll("button").forEach((one) => { one.tabIndex = one === to ? 0 : -1; });

export const MEANINGS = { drop: "skip it", zero: "count it as 0", common: "skip it for all" };

/** Which metric wins under each rule for segments without a value: three columns in which the metrics slide. */
export class Podium extends View {
  element = make("div", { class: "podium", role: "group", "aria-label": "Mean and rank of each metric by rule" });
  #columns = [];

  arrange() {
    const { metrics } = this.model.data;
    this.#columns = RULES.map((rule) => {
      const steps = metrics.map(({ name }) => {
        const rank = make("b"), value = make("b", { class: "mean" });
        const element = make("li", {}, rank, make("span", { class: "name one-line", title: name }, name), value);
        return { element, rank, value };
      });
      const list = make("ul", {}, ...steps.map(({ element }) => element));
      list.style.setProperty("--steps", metrics.length);
      const head = make("h2", {}, rule, make("small", {}, MEANINGS[rule]));
      return { rule, steps, element: make("section", { "aria-label": rule }, head, list) };
    });
    this.element.replaceChildren(make("p", {}, "A segment with no value is treated by one of three rules:"), ...this.#columns.map(({ element }) => element));
  }

  show() {
    const { metrics } = this.model;
    for (const { rule, steps } of this.#columns) {
      const order = this.model.order(rule);
      steps.forEach(({ element, rank, value }, at) => {
        const place = metrics[at].ranks[rule];
        element.style.setProperty("--place", order.indexOf(at));
        element.classList.toggle("first", place === 1);
        element.classList.toggle("goal", at === this.model.goal);
        rank.textContent = place ?? "–";
        value.textContent = place === null ? "no value" : written(metrics[at][rule]);
      });
      readInOrder(order.map((at) => steps[at].element));
    }
  }
}
