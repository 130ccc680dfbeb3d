// What is the figure of measures? A square that says which measures rank metrics alike, and two of the rankings.

import { cellAfter, draw, fill, make, roomOf, tspansOf, wordsWithIndex } from "../shared/elements.js";
import { glide, Model, mount, QUIET, say, spoken, View } from "../shared/mount.js";
import { cut, listed, minus, widthOf } from "../shared/numbers.js";

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
      fits: true,
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

  /** Where all metrics stand by the two measures. */
  get places() {
    return this.measures.map(({ values }) => placesOf(values));
  }
}

/** Of each value its line, equal ones in their order, its rank, which equal ones share, and their mean line; null without one. */
function placesOf(values) {
  return values.map((value, at) => {
    if (value === null) return null;
    const rank = 1 + values.filter((one) => one !== null && one > value).length, same = values.filter((one) => one === value).length;
    return { line: rank + values.slice(0, at).filter((one) => one === value).length, rank, same, mean: rank + (same - 1) / 2 };
  });
}

// --------------------------------------------------------------------------------------------------------------------
// How alike do every two measures rank? A square of cells; one is chosen by a click or by arrow keys.

const NUMBERED_UP_TO = 14, NUMBERED_ON_A_PHONE = 8; // measures, with which numbers stand in the cells
const HOW = "Tap a cell to compare its two measures. Blue: they rank metrics alike; orange: in reverse.";
const WHY_A_DASH = " –: undefined, as one of the two measures gives all metrics the same value, or too few a value.";
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
    this.#heads = measures.map(({ short: name, label }) => make("th", { scope: "row", title: label }, ...wordsWithIndex(name)));
    const tops = measures.map(({ short: name, label }) => make("th", { scope: "col", title: label }, make("span", {}, ...wordsWithIndex(name))));
    const rows = this.#buttons.map((row, i) =>
      make("tr", {}, this.#heads[i], ...row.map((button) => make("td", {}, button))));
    const note = make("p", { class: "note" }, HOW + (agreement.flat().includes(null) ? WHY_A_DASH : ""));
    this.element.replaceChildren(make("table", {},
      make("caption", { class: "unseen" }, `How alike every two of ${measures.length} measures rank the metrics`),
      make("thead", {}, make("tr", {}, make("td"), ...tops)), make("tbody", {}, ...rows)), note);
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

const TOP = 30, FOOT = 6, LEAST = 70, ROW = 19, SIZE = 13, BEND = 12; // pixels where type has its usual size

class Slopes extends View {
  element = make("div", { class: "slopes" });
  #marks = [];
  #heads = [];
  #shown = null; // the lines and their means that are drawn, by measure and metric
  #drawn; // for which width and measures
  #stop = () => {};

  arrange() {
    this.#heads = [0, 1].map((side) => draw("text", { y: 12, "text-anchor": side ? "end" : "start", class: "head" }));
    this.#marks = this.model.data.metrics.map((name) => {
      const line = draw("path");
      const names = [0, 1].map((side) => draw("text", { "text-anchor": side ? "start" : "end", dy: ".35em" }));
      return { name, group: draw("g", {}, draw("title", {}, name), line, ...names), line, names };
    });
    this.picture = draw("svg", { role: "img" }, ...this.#heads, ...this.#marks.map(({ group }) => group));
    this.element.replaceChildren(this.picture);
    this.#shown = null;
  }

  /** Give names the room that they need, at most so much that lines are left between them. */
  #lay() {
    const { width, unit } = roomOf(this.element), { measures, data: { metrics } } = this.model;
    if (!width) return false;
    const needed = Math.max(...metrics.map((name) => widthOf(name, SIZE, true)), ...measures.map(({ label }) => widthOf(label, SIZE, true) - LEAST));
    const side = Math.min(needed, (width - LEAST) / 2), all = 2 * side + LEAST;
    this.ends = [side, all - side];
    fill(this.picture, { width: all, height: TOP + FOOT + ROW * metrics.length, unit });
    this.#heads.forEach((head, at) => {
      head.setAttribute("x", at * all);
      const { label, short: few } = measures[at], fits = widthOf(label, SIZE, true) <= all / 2 - 4;
      head.replaceChildren(...tspansOf(fits ? label : cut(few, all / 2 - 4, SIZE, true)));
    });
    for (const { name, names } of this.#marks) names.forEach((text, at) => {
      text.setAttribute("x", this.ends[at]);
      text.textContent = cut(name, side, SIZE, true);
    });
    return true;
  }

  show() {
    const { measures, places } = this.model;
    this.picture.setAttribute("aria-label", rankings(this.model));
    const now = `${this.element.clientWidth} ${measures.map(({ name }) => name)}`;
    if (this.#shown && now === this.#drawn) return;
    this.#drawn = now;
    if (!this.#lay()) return;
    const moves = movesOf(places), most = Math.max(...moves);
    this.#marks.forEach(({ group }, at) => {
      group.classList.toggle("far", most > 0 && moves[at] === most);
      group.classList.toggle("first", places.some((all) => all[at]?.rank === 1));
    });
    this.#moveTo(places.map((all) => all.map((place) => place && [place.line, place.mean])));
  }

  /** Draw the lines between these places; they glide there. */
  #moveTo(places) {
    this.#stop();
    const from = this.#shown;
    if (!from) return this.#place(places);
    this.#stop = glide((part) => this.#place(places.map((all, side) =>
      all.map((to, at) => (to && from[side][at] ? to.map((end, n) => from[side][at][n] + part * (end - from[side][at][n])) : to)))));
  }

  #place(places) {
    this.#shown = places;
    this.#marks.forEach(({ group, line, names }, at) => {
      const isGone = places.some((all) => !all[at]), [from, to] = this.ends;
      group.classList.toggle("gone", isGone);
      if (isGone) return;
      const [one, other] = places.map((all) => all[at].map((place) => TOP + ROW * (place - 0.5)));
      line.setAttribute("d", `M${from + 4} ${one[0]}L${from + 4 + BEND} ${one[1]}L${to - 4 - BEND} ${other[1]}L${to - 4} ${other[0]}`);
      [one, other].forEach(([y], side) => names[side].setAttribute("y", y));
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

/** How far each metric moves from one ranking to the other. */
const movesOf = ([one, other]) => one.map((place, at) => (place && other[at] ? Math.abs(place.mean - other[at].mean) : 0));

/** Which metrics a ranking finds best, in words after "finds" or "find". */
const bestOf = (places, metrics) => {
  const best = metrics.filter((_, at) => places[at]?.rank === 1);
  return best.length > 1 ? `${listed(best)} best, tied` : `${best[0]} best`;
};

/** How alike two measures rank, which metric each finds best, and which metric moves farthest. */
function sentence(model) {
  const { measures: [one, other], agreement, places, data: { metrics } } = model;
  const alike = `“${one.label}” and “${other.label}”: τ_b of the two rankings = ${written(agreement)}.`;
  if (agreement === null) return alike.replace(/\.$/, `, ${whyUndefined(model.data, ...model.chosen)}.`);
  if (one === other) return `${alike} Choose two different measures to see how far their rankings differ.`;
  const [first, second] = places.map((all) => bestOf(all, metrics));
  const best = first === second ? `Both find ${first}.` : `The first finds ${first}, the second ${second.replace(/ best$/, "")}.`;
  const moves = movesOf(places), rankOf = ({ rank, same }) => `${same > 1 ? "tied " : ""}rank ${rank}`;
  const most = Math.max(...moves), [at, ...more] = [...moves.keys()].filter((place) => moves[place] === most);
  const alone = ` ${metrics[at]} moves farthest: ${rankOf(places[0][at])} and ${rankOf(places[1][at])}.`;
  const far = !most || metrics.length < 3 ? "" : more.length ? ` ${listed([at, ...more].map((place) => metrics[place]))} move farthest.` : alone;
  return `${alike} ${best}${far}${without(model)}`;
}

/** Which metrics have no value by one of the two measures. */
function without({ places, data: { metrics } }) {
  const names = metrics.filter((_, at) => places.some((all) => all[at] === null));
  const both = names.length && names.every((name) => places.every((all) => all[metrics.indexOf(name)] === null));
  return names.length ? ` ${listed(names)} ${names.length > 1 ? "have" : "has"} no value by ${both ? "either measure" : "one of them"}.` : "";
}

/** A cell for those who do not see it. */
const cellWords = ({ data: { measures, agreement } }, i, j) =>
  `${measures[i].label} and ${measures[j].label}: ${written(agreement[i][j])}`
  + (agreement[i][j] === null ? `, ${whyUndefined({ measures }, i, j)}` : "");

/** The two rankings in words. */
function rankings({ measures, places, data: { metrics } }) {
  const ranked = places.map((all) =>
    metrics.map((name, at) => [all[at], name]).filter(([place]) => place).sort(([a], [b]) => a.line - b.line)
      .map(([{ line, rank }, name]) => (line > rank ? "= " : line > 1 ? ", " : "") + name).join("").replaceAll(/(?<=.)= /g, " = "));
  return measures.map(({ label }, at) => `Ranking by ${label}: ${ranked[at]}`).join(". ");
}
