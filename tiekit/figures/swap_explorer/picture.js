// Which differences do swaps make, and how often? Each falls as a dot into a histogram, with the observed difference
// marked on both sides of 0.

import { paintOn, saveButtons } from "../shared/canvas.js";
import { make } from "../shared/elements.js";
import { isCalm, View } from "../shared/mount.js";
import { cut, minus, roundStep, ticksBetween } from "../shared/numbers.js";
import { histogramIn, isExtreme } from "./model.js";

const MOST_BARS = 41, FIRST = 30; // the histogram has room for so many swaps at once
const EXTREME = "#D55E00"; // at least 3:1 on both grounds
const SIDE = 40, END = 12, TOP = 46, FOOT = 46, TALLEST = 16; // room around the bars; the height of one swap
const LETTER = 0.55; // an average letter's width, in its size
const FILE = { width: 900, height: 540 };
const FALL = 500, APART = 30, SPREAD = 1500; // milliseconds that a dot falls, between dots, and until the last one falls

/** The width of bars that are centered on multiples of it, so that equally spaced differences fill them evenly. */
export function barWidth(differences, limit) {
  const wide = (2 * limit) / MOST_BARS;
  const sizes = [...new Set([0, ...differences].map((value) => Number(Math.abs(value).toFixed(10))))].sort((x, y) => x - y);
  const nearest = Math.min(...sizes.slice(1).map((size, at) => size - sizes[at])), largest = sizes.at(-1);
  const gap = largest / Math.round(largest / nearest); // without the error of a small difference
  const isEven = sizes.every((size) => Math.abs(size / gap - Math.round(size / gap)) < 1e-3);
  return isEven ? (2 * Math.ceil((wide / gap - 1) / 2) + 1) * gap : wide; // an odd multiple, so that no bar ends on one
}

/** How many differences are in each bar, by its number from the middle: those that are extreme, and the others. */
export function barsOf(differences, width, observed) {
  const bars = new Map();
  for (const difference of differences) {
    if (Number.isNaN(difference)) continue;
    const at = Math.sign(difference) * Math.round(Math.abs(difference) / width + 1e-9) || 0;
    const bar = bars.get(at) ?? { extreme: 0, other: 0 };
    bar[isExtreme(difference, observed) ? "extreme" : "other"]++;
    bars.set(at, bar);
  }
  return bars;
}

export class Picture extends View {
  landed = 0; // how many swaps lie in the histogram
  #falls = []; // when the fall of each swap that is in the air begins
  #frame;
  canvas = make("canvas", { class: "histogram", role: "img" });
  now = make("span", {}, "▼ the scores as they are now");
  #key = make("i");
  element = make("div", { class: "picture" }, this.canvas,
    make("p", { class: "note keys" },
      make("span", {}, this.#key, "at least as far from 0 as observed"), make("span", {}, make("i"), "nearer to 0"), this.now),
    saveButtons("the histogram", () => ({
      ...FILE,
      draw: (...where) => this.#paint(...where),
      title: histogramIn(this.model, this.landed),
      name: `swaps-${this.model.names.join("-")}-${this.model.coefficient}`,
      ground: this.act.theme.ground,
    })));

  /** Let the swaps fall that have been drawn since, unless the reader wants no motion. */
  fall() {
    const { number } = this.model, more = number - this.landed - this.#falls.length, now = performance.now();
    if (more < 0 || isCalm()) this.put();
    else for (let one = 0; one < more; one++) this.#falls.push(now + one * Math.min(APART, SPREAD / more));
    this.#step(now);
  }

  /** All swaps that are counted lie in the histogram. */
  put() {
    this.stop();
    this.landed = this.model.number;
  }

  /** Let nothing fall any more. */
  stop() {
    cancelAnimationFrame(this.#frame);
    this.#falls = [];
  }

  show() {
    this.now.hidden = this.model.isGiven;
    this.#key.style.background = EXTREME;
    this.canvas.setAttribute("aria-label", histogramIn(this.model, this.landed));
    paintOn(this.canvas, (...where) => this.#paint(...where));
  }

  #step(now) {
    cancelAnimationFrame(this.#frame);
    for (; this.#falls[0] + FALL <= now; this.landed++) this.#falls.shift();
    if (this.#falls.length) this.#frame = requestAnimationFrame((next) => this.#step(next));
    this.act.draw();
  }

  #paint(pen, wide, high) {
    const { differences, foreseen, observed, difference, label, names, number } = this.model;
    const { ink, pale, font, ground } = this.act.theme, small = { size: font, fill: ink }, floor = high - FOOT;
    const known = [...foreseen, observed, difference].filter((value) => !Number.isNaN(value));
    const limit = 1.1 * Math.max(...known.map(Math.abs), 0) || 1;
    const across = (value) => SIDE + ((value + limit) / (2 * limit)) * (wide - SIDE - END);
    const width = barWidth(known, limit), thick = across(width) - across(0);
    const heights = [...barsOf(foreseen.slice(0, Math.max(number, FIRST)), width, observed).values()].map(sizeOf);
    const unit = Math.min(TALLEST, (floor - TOP) / Math.max(1, ...heights));

    for (const [at, bar] of barsOf(differences.slice(0, this.landed), width, observed)) {
      const x = across(at * width) - thick / 2 + 0.5, all = sizeOf(bar);
      pen.rect(x, floor - bar.other * unit, thick - 1, bar.other * unit, { fill: pale });
      pen.rect(x, floor - all * unit, thick - 1, bar.extreme * unit, { fill: EXTREME });
      if (unit >= 5)
        for (let one = 1; one < all; one++) pen.rect(x, floor - one * unit, thick - 1, 1, { fill: ground });
    }
    this.#falls.forEach((start, one) => {
      const value = differences[this.landed + one], part = (performance.now() - start) / FALL;
      if (part <= 0 || Number.isNaN(value)) return;
      const y = TOP + (floor - TOP) * Math.min(1, part) ** 2;
      pen.circle(across(value), y, 3.5, { fill: isExtreme(value, observed) ? EXTREME : pale });
    });
    pen.line(SIDE, floor, wide - END, floor, { stroke: ink });
    const apart = roundStep(2 * limit), few = wide > 500 || 2 * limit <= 4 * apart;
    for (const tick of ticksBetween(-limit, limit, few ? apart : 2 * apart))
      pen.text(across(tick), floor + 14, minus(tick), small);
    const step = Math.max(1, roundStep((floor - TOP) / unit));
    for (const tick of ticksBetween(0, (floor - TOP) / unit, step))
      pen.text(SIDE - 6, floor - tick * unit, tick, { ...small, align: "right" });
    pen.text(4, TOP - 14, "swaps", { ...small, align: "left" });
    const [a, b] = names.map((name) => cut(name, 8 * font, font)), titles = [`difference in ${label}`, label].map((one) => `${b} better  ←  ${one}  →  ${a} better`);
    const title = titles.find(({ length }) => length * LETTER * font < wide - SIDE) ?? `difference in ${label}`;
    pen.text((wide + SIDE - END) / 2, high - 12, title, small);
    if (!Number.isNaN(observed)) this.#paintObserved(pen, across, wide, floor);
    if (!Number.isNaN(difference)) pen.text(across(difference), TOP - 12, "▼", { ...small, size: font + 3 });
  }

  /** The observed difference and its mirror image, named on their outer sides where there is room. */
  #paintObserved(pen, across, wide, floor) {
    const { observed } = this.model, { ink, font } = this.act.theme, far = across(Math.abs(observed)) > 0.72 * wide;
    for (const value of observed ? [observed, -observed] : [0]) {
      const x = across(value), right = value > 0 !== far;
      pen.line(x, TOP, x, floor, { stroke: ink, width: 2, dash: value === observed ? [] : [5, 4] });
      pen.text(x + (right ? 4 : -4), 12, value === observed ? "observed" : "as large", {
        size: font, fill: ink, align: right ? "left" : "right", bold: value === observed,
      });
    }
  }
}

const sizeOf = ({ extreme, other }) => extreme + other;
