// Which differences do swaps make? Each falls as a dot into a histogram, with the observed difference marked.

import { paintOn } from "../shared/canvas.js";
import { make } from "../shared/elements.js";
import { roundStep, ticksBetween } from "../shared/ticks.js";
import { barsOf, barWidth } from "../swap_explorer/histogram.js";
import { isExtreme } from "../swap_explorer/swapping.js";
import { histogramIn } from "./words.js";

const EXTREME = "#D55E00"; // at least 3:1 on both grounds
const SIDE = 40, END = 12, TOP = 40, FOOT = 44, TALLEST = 12; // room around the bars; the height of one swap
const FALL = 500, SPREAD = 1500; // milliseconds that a dot falls, and until the last of many begins to

export class Rain {
  canvas = make("canvas", { class: "rain", role: "img" });
  #model;
  #theme;
  #onFrame;
  #landed = 0; // how many dots lie in the histogram
  #falling = null; // when the fall began, and how many fall
  #frame;

  constructor(model, theme, onFrame) {
    this.#model = model;
    this.#theme = theme;
    this.#onFrame = onFrame;
  }

  /** How many swaps have been counted by now. */
  get landed() {
    return this.#landed;
  }

  /** Show the swaps that are drawn: new ones fall, unless the reader wants no motion. */
  show() {
    const { drawn } = this.#model, calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (drawn > this.#landed && !calm) {
      this.#falling ??= { start: performance.now(), first: this.#landed };
      cancelAnimationFrame(this.#frame);
      this.#frame = requestAnimationFrame((now) => this.#step(now));
    } else {
      this.put(drawn);
    }
  }

  /** Show swaps that were drawn elsewhere: they lie in the histogram already. */
  put(drawn) {
    this.stop();
    this.#landed = drawn;
  }

  /** Let nothing fall any more. */
  stop() {
    cancelAnimationFrame(this.#frame);
    this.#falling = null;
  }

  paint() {
    this.canvas.setAttribute("aria-label", histogramIn(this.#model, this.#landed));
    paintOn(this.canvas, (...where) => this.#draw(...where));
  }

  #step(now) {
    const { start, first } = this.#falling, { drawn } = this.#model, spread = this.#spread(drawn - first);
    const passed = now - start - FALL;
    this.#landed = passed < 0 ? first : Math.min(drawn, first + 1 + Math.floor(spread ? ((drawn - first) * passed) / spread : Infinity));
    if (this.#landed < drawn) this.#frame = requestAnimationFrame((next) => this.#step(next));
    else this.#falling = null;
    this.#onFrame();
  }

  #spread(number) {
    return number > 1 ? Math.min(SPREAD, 30 * number) : 0;
  }

  #draw(pen, wide, high) {
    const { data: { observed, names, label }, samples, drawn } = this.#model;
    const { ink, pale, font } = this.#theme, small = { size: font, fill: ink }, floor = high - FOOT;
    const known = [...samples, observed].filter((value) => !Number.isNaN(value));
    const limit = 1.1 * Math.max(...known.map(Math.abs), 0) || 1;
    const across = (value) => SIDE + ((value + limit) / (2 * limit)) * (wide - SIDE - END);
    const width = barWidth(known, limit), thick = across(width) - across(0);
    const tallest = Math.max(...[...barsOf(samples.slice(0, Math.max(drawn, 30)), width, observed).values()].map(sizeOf), 1);
    const unit = Math.min(TALLEST, (floor - TOP) / tallest), bars = barsOf(samples.slice(0, this.#landed), width, observed);
    for (const [at, { extreme, other }] of bars) {
      const x = across(at * width) - thick / 2 + 0.5;
      pen.rect(x, floor - other * unit, thick - 1, other * unit, { fill: pale });
      pen.rect(x, floor - (extreme + other) * unit, thick - 1, extreme * unit, { fill: EXTREME });
    }
    this.#drawFalling(pen, across, floor);
    pen.line(SIDE, floor, wide - END, floor, { stroke: ink });
    for (const tick of ticksBetween(-limit, limit, roundStep(wide > 500 ? 2 * limit : 4 * limit)))
      pen.text(across(tick), floor + 14, String(tick).replace("-", "−"), small);
    const words = wide > 500 ? `${names[1]} better  ←  difference in ${label}  →  ${names[0]} better` : `difference in ${label}`;
    pen.text((wide + SIDE - END) / 2, high - 10, words, small);
    for (const value of observed ? [observed, -observed] : [0]) {
      const x = across(value), isOwn = value === observed, right = value < 0;
      pen.line(x, TOP - 16, x, floor, { stroke: ink, width: 2, dash: isOwn ? [] : [5, 4] });
      pen.text(x + (right ? 4 : -4), 12, isOwn ? "observed" : "as much", { ...small, align: right ? "left" : "right", bold: isOwn });
    }
  }

  /** The dots that are in the air. */
  #drawFalling(pen, across, floor) {
    if (!this.#falling) return;
    const { start, first } = this.#falling, { data: { observed }, samples, drawn } = this.#model;
    const spread = this.#spread(drawn - first), now = performance.now();
    for (let at = this.#landed; at < drawn; at++) {
      const part = (now - start - (spread * (at - first)) / (drawn - first)) / FALL;
      if (part <= 0) break;
      if (Number.isNaN(samples[at])) continue;
      const fill = isExtreme(samples[at], observed) ? EXTREME : this.#theme.pale;
      pen.circle(across(samples[at]), TOP + (floor - TOP) * Math.min(1, part) ** 2, 3.5, { fill });
    }
  }
}

const sizeOf = ({ extreme, other }) => extreme + other;
