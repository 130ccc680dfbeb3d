// What does the coefficient do while ε grows? The curves of all metrics over the share of pairs that each one ties.

import { draw, fill, keep, make, pathOf, roomOf, set, textAt } from "../shared/elements.js";
import { QUIET, View } from "../shared/mount.js";
import { apart, cut, minus, spread, ticksBetween, written } from "../shared/numbers.js";
import { percent, rise, sentences, threshold } from "./words.js";

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

/** The lowest and highest value of all curves and of the constant metric, with some room, and round ticks between. */
export function scaleOf({ curves, constant }, below = 1) {
  const values = curves.flatMap((curve) => curve.values).concat(constant).filter((value) => value !== null);
  const low = Math.min(...values), high = Math.max(...values), room = (high - low || 0.1) * 0.06;
  const [from, to] = [low - below * room, high + room], step = STEPS.find((one) => (to - from) / one <= 7) ?? 1;
  return { from, to, ticks: ticksBetween(from, to, step), digits: step < 0.1 ? 2 : 1 };
}

/** The height of a value in pixels, between `top` and `foot`. */
export const heightOf = (value, { from, to }, top, foot) => foot - ((value - from) / (to - from)) * (foot - top);

const SIDE = 52, END = 22, TOP = 26, FOOT = 62;
const NARROW = 345, WIDE = 500; // below these widths of a chart its titles are short, and do not explain
const SHARES = [0, 0.2, 0.4, 0.6, 0.8, 1];
const GRIP = 13; // of the handle, at least 24 pixels wide

export class CurvesPicture extends View {
  #drawn; // for which data, bold curve and size
  #ground = draw("g");
  #lines = draw("g", { class: "answer" });
  #bold = draw("g", { class: "answer" });
  #starts = draw("g"); // where the curves begin, while the reader is to guess how they go on
  #guess = draw("g", { class: "guess" });
  #near = draw("path", { class: "near" });
  #name = draw("text", { class: "name" });
  #pin = draw("line", { class: "pin" });
  #level = draw("line", { class: "level answer" });
  #dot = draw("circle", { class: "dot answer", r: 7 });
  #grip = draw("circle", { class: "grip", r: GRIP });
  #epsilon = draw("text", { class: "epsilon" });

  constructor(model) {
    super(model);
    this.svg = draw("svg", { "aria-hidden": "true" }, this.#ground, this.#lines, this.#near, this.#bold,
      this.#level, this.#pin, this.#starts, this.#guess, this.#dot, this.#grip, this.#epsilon, this.#name);
    const label = "Crosshair: share of pairs that the metric ties";
    this.element = make("div", { class: "curves", role: "slider", tabindex: 0, "aria-label": label }, this.svg);
  }

  show() {
    const { data, chosen, at, value } = this.model, { width, height, unit } = roomOf(this.element);
    if (!width || !height) return;
    const now = { data, chosen, width, height, unit };
    if (Object.keys(now).some((key) => this.#drawn?.[key] !== now[key])) {
      this.#drawn = { ...now, scale: scaleOf(data, 2), foot: height - FOOT }; // the grip hides no beginning
      this.#arrange();
      this.point(null);
    }
    const { foot } = this.#drawn, x = this.#x(chosen.tied[at]), y = Number.isNaN(value) ? foot : this.#y(value);
    set(this.#pin, { x1: x, y1: TOP, x2: x, y2: foot });
    set(this.#level, { x1: SIDE, y1: y, x2: x, y2: y });
    set(this.#dot, { cx: x, cy: y });
    set(this.#grip, { cx: x, cy: foot });
    const late = x > width - 130;
    this.#epsilon.textContent = threshold(chosen, at, data.asks);
    set(this.#epsilon, { x: late ? x - GRIP - 5 : x + GRIP + 5, "text-anchor": late ? "end" : "start", y: foot - 8 });
    set(this.element, {
      "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.round(1000 * chosen.tied[at]) / 10,
      "aria-valuetext": sentences(this.model), "data-epsilon": chosen.epsilons[at], "data-value": data.asks ? "" : value,
    });
  }

  /** The share of tied pairs at a pixel. */
  shareAt(x) {
    return (x / this.#drawn.unit - SIDE) / (this.#drawn.width - SIDE - END);
  }

  /** Whether a pixel is on the crosshair, its handle or the axis. */
  isOnCrosshair(x, y) {
    const { chosen, at } = this.model, { foot, unit } = this.#drawn;
    return y / unit > foot - GRIP || Math.abs(x / unit - this.#x(chosen.tied[at])) <= GRIP;
  }

  /** The curve at most a few pixels above or below a point; undefined if there is none. */
  curveNear(x, y, reach) {
    const share = this.shareAt(x);
    const far = this.model.data.curves.map((curve) => {
      const value = valueAt(curve, share);
      return value === null ? Infinity : Math.abs(this.#y(value) - y / this.#drawn.unit);
    });
    const least = Math.min(...far);
    return least <= reach ? this.model.data.curves[far.indexOf(least)] : undefined;
  }

  /** Show the curve that a pointer is on, with its name; none of null. */
  point(curve, x = 0, y = 0) {
    this.#near.setAttribute("d", curve ? this.#path(curve) : "");
    this.#name.textContent = curve?.short ?? curve?.name ?? "";
    const { width, unit } = this.#drawn, anchor = x / unit > width / 2 ? "end" : "start";
    set(this.#name, { x: x / unit, y: Math.max(TOP + 12, y / unit - 10), "text-anchor": anchor });
  }

  #x(share) {
    return SIDE + share * (this.#drawn.width - SIDE - END);
  }

  #y(value) {
    return heightOf(value, this.#drawn.scale, TOP, this.#drawn.foot);
  }

  #path({ tied, values }) {
    return pathOf(tied.map((share, k) => values[k] !== null && [this.#x(share), this.#y(values[k])]));
  }

  #arrange() {
    const { data, chosen } = this.model, { width, height, foot, scale } = this.#drawn;
    const level = (y) => ({ x1: SIDE, x2: width - END, y1: this.#y(y), y2: this.#y(y) });
    const human = this.#x(chosen.human), late = human > NARROW / 2 && chosen.human > 0.3;
    const isClear = human - (late ? 92 : -5) > 185; // what stands at the line of people's ties is right of the title
    fill(this.svg, this.#drawn);
    this.#ground.replaceChildren(
      ...scale.ticks.map((y) => draw("line", { class: "grid", ...level(y) })),
      ...scale.ticks.map((y) => textAt(SIDE - GRIP - 4, this.#y(y) + 4, minus(y.toFixed(scale.digits)), "end")),
      textAt(0, 12, `${data.label}${data.label === "acc_eq" && width >= WIDE && isClear ? ": the share of pairs right" : ""}`, "start", "title"),
      draw("line", { class: "axis", x1: SIDE, x2: width - END, y1: foot, y2: foot }),
      ...SHARES.map((share) => textAt(this.#x(share), foot + 30, percent(share), "middle")),
      textAt(width - END, height - 8, `pairs that the metric ties${width < NARROW ? "" : " (more as ε grows)"} →`, "end", "title"),
      draw("line", { class: "human", x1: human, x2: human, y1: TOP, y2: foot }),
      ...(data.constant === null ? [] : [draw("line", { class: "constant", ...level(data.constant) })]),
    );
    const others = data.curves.filter((curve) => curve !== chosen);
    this.#lines.replaceChildren(...others.map((curve) => draw("path", { class: "curve", d: this.#path(curve) })),
      ...others.map((curve) => this.#star(curve)));
    this.#bold.replaceChildren(draw("path", { class: "chosen", d: this.#path(chosen) }), this.#star(chosen));
    const begun = data.asks ? [...others, chosen].filter(({ values }) => values[0] !== null) : [];
    this.#starts.replaceChildren(...begun.map((curve) =>
      draw("circle", { class: curve === chosen ? "start chosen" : "start", cx: this.#x(curve.tied[0]), cy: this.#y(curve.values[0]), r: curve === chosen ? 6 : 4 })));
    const isLeft = data.guess > 0.15 && data.guess <= chosen.tied[chosen.best] || data.guess > 0.85; // away from the crosshair
    const isOther = chosen.name !== data.chosen; // the guess was about the metric that was chosen then
    const guessed = isOther ? null : valueAt(chosen, data.guess ?? -1), x = this.#x(data.guess ?? 0), key = foot - GRIP - 24;
    this.#guess.replaceChildren( // words stand above all lines
      textAt(human + (late ? -5 : 5), TOP - 9, `people tie ${percent(chosen.human)}`, late ? "end" : "start", "halo"),
      ...(begun.length ? [textAt(width - END, key - 18, `each dot: a metric at ε = 0; ${chosen.short ?? chosen.name} is purple`, "end", "halo")] : []),
      ...(data.constant === null ? [] : [textAt(width - END, width < WIDE ? key : TOP - 9, `- - constant metric ${written(data.constant)}`, "end", "halo")]), // a key: its line crosses curves
      ...(guessed === null ? [] : [draw("circle", { class: "guessed", cx: x, cy: this.#y(guessed), r: 7 }),
        textAt(x + (isLeft ? -10 : 10), this.#y(guessed) + 30, "your guess", isLeft ? "end" : "start", "halo")]));
  }

  /** A small mark at a curve's best threshold. */
  #star({ tied, values, best }) {
    return draw("circle", { class: "best", cx: this.#x(tied[best]), cy: this.#y(values[best]), r: 3 });
  }
}

/** A curve's value at a share of tied pairs, between its points along a line; null outside. */
export function valueAt({ tied, values }, share) {
  const next = tied.findIndex((one) => one >= share);
  if (next < 0 || share < tied[0]) return null;
  if (next === 0 || tied[next] === share) return values[next];
  if (values[next] === null || values[next - 1] === null) return null;
  const part = (share - tied[next - 1]) / (tied[next] - tied[next - 1]);
  return values[next - 1] + part * (values[next] - values[next - 1]);
}

// --------------------------------------------------------------------------------------------------------------------
// What does calibration do to each metric? A line from its value at ε = 0 to that at ε*; of many only three have names.

const ABOVE = 30, BELOW = 14, VALUE = 44; // the room of a value beside its line
const LINE = 1.12, AIRY = 1.5; // the least and the largest height of a line of text, in its size
const MANY = 10; // of more metrics the chosen one, the best and the best known have names
const KNOWN = "BLEU";
const LEADER = 26; // how far a name stands from its dot: leaders that are shorter make one tangle

export class SlopeChart extends View {
  #drawn; // for which data, bold curve and size
  #labels = []; // heights of the names on the right, with their curves
  svg = draw("svg", {});
  element = make("div", { class: "slopes answer", role: "listbox", tabindex: 0, "aria-label": "Metrics" }, this.svg);

  show() {
    const { data, chosen } = this.model, { width, height, unit } = roomOf(this.element);
    if (!width || !height) return;
    const now = { data, chosen, width, height, unit };
    if (Object.keys(now).every((key) => this.#drawn?.[key] === now[key])) return;
    const size = parseFloat(getComputedStyle(this.svg).fontSize);
    this.#drawn = { ...now, size, scale: scaleOf(data) };
    this.#arrange();
  }

  /** The curve whose name or line is nearest to a pixel. */
  curveAt(across, down) {
    const [left, right] = this.#ends(), { data } = this.model, [x, y] = [across, down].map((at) => at / this.#drawn.unit);
    if (x > right + LEADER / 2) return nearest(this.#labels, y);
    const part = Math.max(0, Math.min(1, (x - left) / (right - left)));
    return nearest(data.curves.map((curve) => {
      const [from, to] = this.#heights(curve);
      return { curve, y: from + part * (to - from) };
    }), y);
  }

  #ends() {
    const { width, size } = this.#drawn, left = VALUE + 6 + 3 * size;
    return [left, Math.max(left + 54, width - LEADER - VALUE - Math.min(0.46 * width, 15.5 * size))];
  }

  #heights({ values, best }) {
    const { scale, height } = this.#drawn;
    return [values[0] ?? values[best], values[best]].map((value) => heightOf(value, scale, ABOVE, height - BELOW));
  }

  #arrange() {
    const { data, chosen, ranked } = this.model, { width, height, size, scale } = this.#drawn;
    const [left, right] = this.#ends(), least = size * LINE, room = [ABOVE, height - BELOW];
    const text = (x, y, ...more) => textAt(x, y + size * 0.35, ...more);
    const named = ranked.filter((curve) => ranked.length <= MANY || [chosen, ranked[0]].includes(curve) || curve.short === KNOWN);
    const gap = Math.max(least, Math.min(size * AIRY, (room[1] - room[0]) / Math.max(1, named.length - 1)));
    const starts = [chosen, ...named].map((curve) => ({ curve, y: this.#heights(curve)[0] }));
    const ends = named.map((curve) => ({ curve, y: this.#heights(curve)[1] })).sort((a, b) => a.y - b.y);
    const high = spread(ends.map(({ y }) => y), gap, ...room), at = right + LEADER;
    this.#labels = ends.map(({ curve }, n) => ({ curve, y: high[n] }));
    const kind = (curve) => (curve === chosen ? "chosen" : "other");
    const beginnings = apart(starts, least).map(({ curve, y }) =>
      text(left - 10, y, `${curve.short === KNOWN && curve !== chosen ? `${KNOWN} ` : ""}${written(curve.values[0] ?? NaN)}`, "end", `start ${kind(curve)}`));
    const options = new Map(ends.map(({ curve, y }, n) => [curve, [
      draw("path", { class: "leader", d: `M${right + 4} ${y}L${at - 4} ${high[n]}` }),
      text(at, high[n], written(curve.values[curve.best]), "start", kind(curve)),
      text(at + VALUE, high[n], cut(curve.short ?? curve.name, width - at - 4 - VALUE, size, curve === chosen), "start", kind(curve)),
    ]]));
    fill(this.svg, this.#drawn);
    this.svg.replaceChildren(
      textAt(left, 14, `${data.label}, ε = 0`, "middle", "title"), textAt(at, 14, `${data.label}*, at ε*`, "start", "title"),
      ...[left, right].map((x) => draw("line", { class: "axis", x1: x, x2: x, y1: ABOVE - 6, y2: height - BELOW + 6 })),
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
      draw("title", {}, `${curve.name}. ${words}`),
      draw("line", { class: is ? "chosen" : "slope", x1: left, y1: from, x2: right, y2: to }),
      draw("circle", { class: is ? "chosen" : "end", cx: right, cy: to, r: is ? 5 : 2.5 }),
      draw("circle", { class: is ? "chosen" : "end", cx: left, cy: from, r: is ? 5 : 2.5 }), ...label);
  }
}

/** Of places with heights the curve of the nearest one. */
function nearest(places, y) {
  return places.reduce((best, place) => (Math.abs(place.y - y) < Math.abs(best.y - y) ? place : best)).curve;
}

const KEYS = { ArrowUp: -1, ArrowDown: 1, PageUp: -5, PageDown: 5, Home: -Infinity, End: Infinity };

/** Let a metric be chosen by a click on its name or line, and by keys along the ranking. */
export function listenToSlopes(chart, model, tell) {
  chart.element.onclick = (event) => {
    const { left, top } = chart.element.getBoundingClientRect();
    model.choose(chart.curveAt(event.clientX - left, event.clientY - top).name);
    tell();
  };
  chart.element.onkeydown = (event) => {
    if (!(event.key in KEYS)) return;
    keep(event);
    model.chooseNext(KEYS[event.key]);
    tell(QUIET);
  };
}
