// What is the figure of measures? A square that says which measures rank metrics alike, and two of the rankings.

import { cellAfter, draw, make } from "../shared/elements.js";
import { glide, Model, mount, QUIET, say, spoken, View } from "../shared/mount.js";
import { cut, listed, minus } from "../shared/numbers.js";

/** Open the figure in a host, whose data hold measures (name, label, short, values), metrics, agreement and chosen. */
export function openFigure(host) {
  const model = new Measures();
  return mount(host, "agreement", model, ({ tell }) => {
    const choose = (chosen) => {
      model.set({ chosen });
      tell({ chosen: model.measures.map(({ name }) => name) }, QUIET);
    };
    const matrix = new Matrix(model, choose), slopes = new Slopes(model), said = spoken("sentence");
    return {
      inFrames: true,
      children: [make("div", { class: "stage" }, matrix.element, make("div", { class: "right" }, said, slopes.element))],
      views: [matrix, slopes],
      madeOf: ({ measures, metrics, agreement }) => [measures, metrics, agreement],
      show: () => say(said, sentence(model)),
    };
  });
}

// --------------------------------------------------------------------------------------------------------------------
// What is shown? Measures, how alike every two rank the metrics, and the two that are chosen.

class Measures extends Model {
  chosen = [0, 1]; // two measures, by their places

  take(data) {
    super.take(data);
    this.chosen = data.chosen.map((name) => data.measures.findIndex((measure) => measure.name === name));
  }

  get measures() {
    return this.chosen.map((place) => this.data.measures[place]);
  }

  get agreement() {
    return this.data.agreement[this.chosen[0]][this.chosen[1]];
  }

  /** The places of all metrics by the two measures, 1 for the best; null without a value. */
  get places() {
    return this.measures.map(({ values }) => placesOf(values));
  }
}

/** The place of each value, 1 for the largest, equal ones in their order; null for a value that is missing. */
function placesOf(values) {
  const known = values.map((_, at) => at).filter((at) => values[at] !== null);
  known.sort((a, b) => values[b] - values[a] || a - b);
  const places = values.map(() => null);
  known.forEach((at, place) => (places[at] = place + 1));
  return places;
}

// --------------------------------------------------------------------------------------------------------------------
// How alike do every two measures rank? A square of cells; one is chosen by a click or by arrow keys.

const NUMBERED_UP_TO = 14, NUMBERED_ON_A_PHONE = 8; // measures, with which numbers stand in the cells
const WHY_A_DASH = "–: undefined, as one of the two measures gives all metrics the same value, or too few a value.";
const REVERSED = "#E69F00", ALIKE = "#56B4E9", NEITHER = "#F7F7F7";

class Matrix extends View {
  element = make("div", { class: "square scrolls" });
  #buttons = [];
  #heads = [];

  arrange() {
    const { measures, agreement } = this.model.data;
    this.element.classList.toggle("crowded", measures.length > NUMBERED_ON_A_PHONE);
    this.element.style.setProperty("--measures", measures.length);
    this.#buttons = agreement.map((row, i) => row.map((value, j) => {
      const button = make("button", {
        type: "button", "aria-label": cellWords(this.model, i, j), title: cellWords(this.model, i, j), onclick: () => this.#pick(i, j),
        onkeydown: (event) => this.#onKey(event, i, j),
      }, measures.length > NUMBERED_UP_TO ? "" : short(value));
      button.style.setProperty("--fill", colorOf(value));
      return button;
    }));
    this.#heads = measures.map(({ short: name, label }) => make("th", { scope: "row", title: label }, name));
    const tops = measures.map(({ short: name, label }) => make("th", { scope: "col", title: label }, make("span", {}, name)));
    const rows = this.#buttons.map((row, i) =>
      make("tr", {}, this.#heads[i], ...row.map((button) => make("td", {}, button))));
    const why = agreement.flat().includes(null) ? [make("p", { class: "note" }, WHY_A_DASH)] : [];
    this.element.replaceChildren(make("table", {},
      make("caption", { class: "unseen" }, `How alike every two of ${measures.length} measures rank the metrics`),
      make("thead", {}, make("tr", {}, make("td"), ...tops)), make("tbody", {}, ...rows)), ...why);
  }

  show() {
    const { chosen: [first, second] } = this.model;
    this.#buttons.forEach((row, i) => row.forEach((button, j) => {
      const isChosen = i === first && j === second;
      button.setAttribute("aria-pressed", isChosen);
      button.tabIndex = isChosen ? 0 : -1;
    }));
    this.#heads.forEach((head, i) => head.classList.toggle("chosen", i === first || i === second));
  }

  #pick(i, j) {
    this.act([i, j]);
    this.#buttons[i][j].focus();
  }

  #onKey(event, i, j) {
    const to = cellAfter(event, [i, j], [this.#buttons.length, this.#buttons.length]);
    if (to) this.#pick(...to);
  }
}

/** Blue for rankings that are alike, orange for reversed ones; black text is readable on each. */
function colorOf(value) {
  if (value === null) return NEITHER;
  return `color-mix(in srgb, ${value < 0 ? REVERSED : ALIKE} ${Math.round(100 * Math.abs(value))}%, ${NEITHER})`;
}

// --------------------------------------------------------------------------------------------------------------------
// How does each of the two measures rank the metrics? A line per metric, from its place by one to its place by the other.

const WIDE = 370, TOP = 30, FOOT = 6, LEFT = 130, RIGHT = 240, ROW = 17; // of the drawing, before it is scaled

class Slopes extends View {
  element = make("div", { class: "slopes" });
  #marks = [];
  #heads = [];
  #shown = null; // the places that are drawn
  #stop = () => {};

  arrange() {
    const { metrics } = this.model.data, high = TOP + FOOT + ROW * metrics.length;
    this.#heads = [0, WIDE].map((x, side) => draw("text", { x, y: 12, "text-anchor": side ? "end" : "start", class: "head" }));
    this.#marks = metrics.map((name) => {
      const line = draw("line", { x1: LEFT + 4, x2: RIGHT - 4 });
      const names = [LEFT, RIGHT].map((x, side) => draw("text", { x, "text-anchor": side ? "start" : "end", dy: ".35em" }, cut(name, LEFT, 12)));
      return { group: draw("g", {}, line, ...names), line, names };
    });
    this.picture = draw("svg", { viewBox: `0 0 ${WIDE} ${high}`, role: "img" }, ...this.#heads, ...this.#marks.map(({ group }) => group));
    this.element.replaceChildren(this.picture);
    this.#shown = null;
  }

  show() {
    const { measures, places } = this.model;
    this.picture.setAttribute("aria-label", rankings(this.model));
    this.#heads.forEach((head, side) => (head.textContent = measures[side].label));
    const moves = places[0].map((place, at) => Math.abs(place - places[1][at])), most = Math.max(...moves);
    this.#marks.forEach(({ group }, at) => {
      group.classList.toggle("far", most > 0 && moves[at] === most);
      group.classList.toggle("first", places.some((all) => all[at] === 1));
    });
    this.#moveTo(places);
  }

  /** Draw the lines between these places; they glide there. */
  #moveTo(places) {
    this.#stop();
    const from = this.#shown;
    if (!from) return this.#place(places);
    this.#stop = glide((part) => this.#place(places.map((all, side) =>
      all.map((to, at) => (to === null || from[side][at] === null ? to : from[side][at] + part * (to - from[side][at]))))));
  }

  #place(places) {
    this.#shown = places;
    this.#marks.forEach(({ group, line, names }, at) => {
      const heights = places.map((all) => (all[at] === null ? null : TOP + ROW * (all[at] - 0.5)));
      group.classList.toggle("gone", heights.includes(null));
      if (heights.includes(null)) return;
      heights.forEach((y, side) => {
        line.setAttribute(`y${side + 1}`, y);
        names[side].setAttribute("y", y);
      });
    });
  }
}

// --------------------------------------------------------------------------------------------------------------------
// What do the two chosen measures say of the metrics, in sentences?

const written = (value) => (value === null ? "undefined" : minus(value.toFixed(2)));

/** Why two rankings have no agreement: one of the measures finds all metrics equal that both have a value of. */
function whyUndefined({ measures }, ...pair) {
  const [one, other] = pair.map((at) => measures[at]);
  const known = one.values.map((_, at) => at).filter((at) => one.values[at] !== null && other.values[at] !== null);
  const even = [one, other].find(({ values }) => known.every((at) => values[at] === values[known[0]]));
  return known.length < 2 ? "as too few metrics have a value" : `as all metrics have the same value by “${even.label}”`;
}

/** A number as it stands in a cell: without the zero before its point; a dash where it is undefined. */
function short(value) {
  if (value === null) return "–";
  const text = value.toFixed(2);
  return text.endsWith(".00") ? minus(Number(text) || 0) : minus(text).replace("0.", ".");
}

/** How alike two measures rank, which metric each finds best, and which metric moves farthest. */
function sentence(model) {
  const { measures: [one, other], agreement, places, data: { metrics } } = model;
  const alike = `“${one.label}” and “${other.label}”: τ_b of the two rankings = ${written(agreement)}.`;
  if (agreement === null) return alike.replace(/\.$/, `, ${whyUndefined(model.data, ...model.chosen)}.`);
  if (one === other) return `${alike} Choose two different measures to see how far their rankings differ.`;
  const [first, second] = places.map((all) => metrics[all.indexOf(1)]);
  const best = first === second ? `Both find ${first} best.` : `The first finds ${first} best, the second ${second}.`;
  const moves = metrics.map((_, at) => (places.some((all) => all[at] === null) ? 0 : Math.abs(places[0][at] - places[1][at])));
  const most = Math.max(...moves), [at, ...more] = [...moves.keys()].filter((place) => moves[place] === most);
  const alone = ` ${metrics[at]} moves farthest: rank ${places[0][at]} and rank ${places[1][at]}.`;
  const far = !most || metrics.length < 3 ? "" : more.length ? ` ${listed([at, ...more].map((place) => metrics[place]))} move farthest.` : alone;
  return `${alike} ${best}${far}`;
}

/** A cell for those who do not see it. */
const cellWords = ({ data: { measures, agreement } }, i, j) =>
  `${measures[i].label} and ${measures[j].label}: ${written(agreement[i][j])}`
  + (agreement[i][j] === null ? `, ${whyUndefined({ measures }, i, j)}` : "");

/** The two rankings in words. */
function rankings({ measures, places, data: { metrics } }) {
  const ranked = places.map((all) =>
    metrics.map((name, at) => [all[at], name]).filter(([place]) => place !== null).sort(([a], [b]) => a - b).map(([, name]) => name));
  return measures.map(({ label }, at) => `Ranking by ${label}: ${ranked[at].join(", ")}`).join(". ");
}
