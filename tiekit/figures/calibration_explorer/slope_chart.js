// What does calibration do to each metric? A line from its value at ε = 0 to that at ε*, with names that do not overlap.

import { draw, keep, make } from "../shared/elements.js";
import { QUIET, View } from "../shared/mount.js";
import { apart, cut, fitting, spread, written } from "../shared/numbers.js";
import { heightOf, scaleOf } from "./all_curves.js";
import { rise } from "./words.js";

const TOP = 30, FOOT = 14, VALUE = 44; // the room of a value beside its line
const LINE = 1.12, AIRY = 1.5; // the least and the largest height of a line of text, in its size
const LEADER = 26; // how far a name stands from its dot: leaders that are shorter make one tangle

export class SlopeChart extends View {
  #drawn; // for which data, bold curve and size
  #labels = []; // heights of the names on the right, with their curves
  svg = draw("svg", {});
  element = make("div", { class: "slopes", role: "listbox", tabindex: 0, "aria-label": "Metrics" }, this.svg);

  show() {
    const { data, chosen } = this.model, width = this.element.clientWidth, height = this.element.clientHeight;
    if (!width || !height) return;
    if (["data", "chosen", "width", "height"].every((key, n) => this.#drawn?.[key] === [data, chosen, width, height][n])) return;
    const size = parseFloat(getComputedStyle(this.svg).fontSize);
    this.#drawn = { data, chosen, width, height, size, scale: scaleOf(data) };
    this.#arrange();
  }

  /** The curve whose name or line is nearest to a pixel. */
  curveAt(x, y) {
    const [left, right] = this.#ends(), { data } = this.model;
    if (x > right + LEADER / 2) return nearest(this.#labels, y);
    const part = Math.max(0, Math.min(1, (x - left) / (right - left)));
    return nearest(data.curves.map((curve) => {
      const [from, to] = this.#heights(curve);
      return { curve, y: from + part * (to - from) };
    }), y);
  }

  #ends() {
    const { width, size } = this.#drawn;
    return [VALUE + 6, Math.max(VALUE + 60, width - LEADER - VALUE - Math.min(0.46 * width, 15.5 * size))];
  }

  #heights({ values, best }) {
    const { scale, height } = this.#drawn;
    return [values[0] ?? values[best], values[best]].map((value) => heightOf(value, scale, TOP, height - FOOT));
  }

  #arrange() {
    const { data, chosen, ranked } = this.model, { width, height, size, scale } = this.#drawn;
    const [left, right] = this.#ends(), least = size * LINE, room = [TOP, height - FOOT];
    const text = (x, y, words, anchor, kind = "") => draw("text", { x, y: y + size * 0.35, "text-anchor": anchor, class: kind }, words);
    const title = (x, words, anchor) => draw("text", { x, y: 14, "text-anchor": anchor, class: "title" }, words);
    const named = fitting(ranked, chosen, room, least);
    const gap = Math.max(least, Math.min(size * AIRY, (room[1] - room[0]) / Math.max(1, named.length - 1)));
    const starts = [chosen, ...named].map((curve) => ({ curve, y: this.#heights(curve)[0] }));
    const ends = named.map((curve) => ({ curve, y: this.#heights(curve)[1] })).sort((a, b) => a.y - b.y);
    const high = spread(ends.map(({ y }) => y), gap, ...room), at = right + LEADER;
    this.#labels = ends.map(({ curve }, n) => ({ curve, y: high[n] }));
    const kind = (curve) => (curve === chosen ? "chosen" : "other");
    const beginnings = apart(starts, least).map(({ curve, y }) =>
      text(left - 10, y, written(curve.values[0] ?? NaN), "end", `start ${kind(curve)}`));
    const options = new Map(ends.map(({ curve, y }, n) => [curve, [
      draw("path", { class: "leader", d: `M${right + 4} ${y}L${at - 4} ${high[n]}` }),
      text(at, high[n], written(curve.values[curve.best]), "start", kind(curve)),
      text(at + VALUE, high[n], cut(curve.name, width - at - 4 - VALUE, size, curve === chosen), "start", kind(curve)),
    ]]));
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    this.svg.replaceChildren(
      title(left, `${data.label}, ε = 0`, width < 330 ? "start" : "middle"), title(at, `${data.label}*, at ε*`, "start"),
      ...[left, right].map((x) => draw("line", { class: "axis", x1: x, x2: x, y1: TOP - 6, y2: height - FOOT + 6 })),
      ...(data.constant === null ? [] : [draw("line", { class: "constant", x1: left, x2: right,
        ...Object.fromEntries(["y1", "y2"].map((key) => [key, heightOf(data.constant, scale, ...room)])) })]),
      ...beginnings,
      ...[...ranked.filter((curve) => curve !== chosen), chosen].map((curve) => this.#option(curve, left, right, options.get(curve))),
    );
    this.element.setAttribute("aria-activedescendant", "bold");
  }

  #option(curve, left, right, label = []) {
    const { data, chosen } = this.model, [from, to] = this.#heights(curve), is = curve === chosen;
    const words = rise(curve, data.label);
    return draw("g", { role: "option", "aria-selected": is, "aria-label": words, ...(is ? { id: "bold" } : {}), "data-metric": curve.name },
      draw("title", {}, words),
      draw("line", { class: is ? "chosen" : "slope", x1: left, y1: from, x2: right, y2: to }),
      draw("circle", { class: is ? "chosen" : "end", cx: right, cy: to, r: is ? 5 : 2.5 }),
      draw("circle", { class: is ? "chosen" : "end", cx: left, cy: from, r: is ? 5 : 2.5 }), ...label);
  }
}

/** Of places with heights the curve of the nearest one. */
function nearest(places, y) {
  return places.reduce((best, place) => (Math.abs(place.y - y) < Math.abs(best.y - y) ? place : best)).curve;
}

const STEPS = { ArrowUp: -1, ArrowDown: 1, PageUp: -5, PageDown: 5, Home: -Infinity, End: Infinity };

/** Let a metric be chosen by a click on its name or line, and by keys along the ranking. */
export function listenToSlopes(chart, model, tell) {
  chart.element.onclick = (event) => {
    const { left, top } = chart.element.getBoundingClientRect();
    model.choose(chart.curveAt(event.clientX - left, event.clientY - top).name);
    tell();
  };
  chart.element.onkeydown = (event) => {
    if (!(event.key in STEPS)) return;
    keep(event);
    model.chooseNext(STEPS[event.key]);
    tell(QUIET);
  };
}
