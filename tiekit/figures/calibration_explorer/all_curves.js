// What does the coefficient do while ε grows? The curves of all metrics over the share of pairs that each one ties.

import { draw, make } from "../shared/elements.js";
import { View } from "../shared/mount.js";
import { ticksBetween, written } from "../shared/numbers.js";
import { percent, sentences, short } from "./words.js";

// Both charts share one vertical scale, so that a value is at the same height in both.
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

/** The lowest and highest value of all curves and of the constant metric, with some room, and round ticks between. */
export function scaleOf({ curves, constant }) {
  const values = curves.flatMap((curve) => curve.values).concat(constant).filter((value) => value !== null);
  const low = Math.min(...values), high = Math.max(...values), room = (high - low || 0.1) * 0.06;
  const [from, to] = [low - room, high + room], step = STEPS.find((one) => (to - from) / one <= 7) ?? 1;
  return { from, to, ticks: ticksBetween(from, to, step), digits: step < 0.1 ? 2 : 1 };
}

/** The height of a value in pixels, between `top` and `foot`. */
export const heightOf = (value, { from, to }, top, foot) => foot - ((value - from) / (to - from)) * (foot - top);

const SIDE = 46, END = 22, TOP = 26, FOOT = 62;
const SHARES = [0, 0.2, 0.4, 0.6, 0.8, 1];
const GRIP = 13; // of the handle, at least 24 pixels wide

export class CurvesPicture extends View {
  #drawn; // for which data, bold curve and size
  #ground = draw("g");
  #lines = draw("g");
  #bold = draw("g");
  #near = draw("path", { class: "near" });
  #name = draw("text", { class: "name" });
  #pin = draw("line", { class: "pin" });
  #level = draw("line", { class: "level" });
  #dot = draw("circle", { class: "dot", r: 7 });
  #grip = draw("circle", { class: "grip", r: GRIP });
  #epsilon = draw("text", { class: "epsilon" });

  constructor(model) {
    super(model);
    this.svg = draw("svg", { "aria-hidden": "true" }, this.#ground, this.#lines, this.#near, this.#bold, this.#level,
      this.#pin, this.#dot, this.#grip, this.#epsilon, this.#name);
    const label = "Crosshair: share of pairs that the metric ties";
    this.element = make("div", { class: "curves", role: "slider", tabindex: 0, "aria-label": label }, this.svg);
  }

  show() {
    const { data, chosen, at, value } = this.model, width = this.element.clientWidth, height = this.element.clientHeight;
    if (!width || !height) return;
    if (["data", "chosen", "width", "height"].some((key, n) => this.#drawn?.[key] !== [data, chosen, width, height][n])) {
      this.#drawn = { data, chosen, width, height, scale: scaleOf(data), foot: height - FOOT };
      this.#arrange();
      this.point(null);
    }
    const { foot } = this.#drawn, x = this.#x(chosen.tied[at]), y = Number.isNaN(value) ? foot : this.#y(value);
    for (const [line, x1, y1, x2, y2] of [[this.#pin, x, TOP, x, foot], [this.#level, SIDE, y, x, y]])
      for (const [name, to] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, to);
    for (const [mark, cy] of [[this.#dot, y], [this.#grip, foot]]) {
      mark.setAttribute("cx", x);
      mark.setAttribute("cy", cy);
    }
    this.#epsilon.textContent = `${at === chosen.best ? "ε*" : "ε"} = ${short(chosen.epsilons[at])}`;
    this.#epsilon.setAttribute("x", x > width - 130 ? x - GRIP - 5 : x + GRIP + 5);
    this.#epsilon.setAttribute("text-anchor", x > width - 130 ? "end" : "start");
    this.#epsilon.setAttribute("y", foot - 8);
    for (const [name, text] of Object.entries({
      "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.round(1000 * chosen.tied[at]) / 10,
      "aria-valuetext": sentences(this.model), "data-epsilon": chosen.epsilons[at], "data-value": value,
    })) this.element.setAttribute(name, text);
  }

  /** The share of tied pairs at a pixel. */
  shareAt(x) {
    return (x - SIDE) / (this.#drawn.width - SIDE - END);
  }

  /** Whether a pixel is on the crosshair, its handle or the axis. */
  isOnCrosshair(x, y) {
    const { chosen, at } = this.model;
    return y > this.#drawn.foot - GRIP || Math.abs(x - this.#x(chosen.tied[at])) <= GRIP;
  }

  /** The curve at most a few pixels above or below a point; undefined if there is none. */
  curveNear(x, y, reach) {
    const share = this.shareAt(x);
    const far = this.model.data.curves.map((curve) => {
      const value = valueAt(curve, share);
      return value === null ? Infinity : Math.abs(this.#y(value) - y);
    });
    const least = Math.min(...far);
    return least <= reach ? this.model.data.curves[far.indexOf(least)] : undefined;
  }

  /** Show the curve that a pointer is on, with its name; none of null. */
  point(curve, x = 0, y = 0) {
    this.#near.setAttribute("d", curve ? this.#path(curve) : "");
    this.#name.textContent = curve?.name ?? "";
    this.#name.setAttribute("x", x);
    this.#name.setAttribute("y", Math.max(TOP + 12, y - 10));
    this.#name.setAttribute("text-anchor", x > this.#drawn.width / 2 ? "end" : "start");
  }

  #x(share) {
    return SIDE + share * (this.#drawn.width - SIDE - END);
  }

  #y(value) {
    return heightOf(value, this.#drawn.scale, TOP, this.#drawn.foot);
  }

  #path({ tied, values }) {
    let gap = true;
    return tied.map((share, k) => {
      if (values[k] === null) {
        gap = true;
        return "";
      }
      const step = `${gap ? "M" : "L"}${this.#x(share).toFixed(1)} ${this.#y(values[k]).toFixed(1)}`;
      gap = false;
      return step;
    }).join("");
  }

  #arrange() {
    const { data, chosen } = this.model, { width, height, foot, scale } = this.#drawn;
    const text = (x, y, words, anchor, kind = "") => draw("text", { x, y, "text-anchor": anchor, class: kind }, words);
    const level = (y) => ({ x1: SIDE, x2: width - END, y1: this.#y(y), y2: this.#y(y) });
    const human = this.#x(chosen.human), late = chosen.human > 0.3;
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    this.#ground.replaceChildren(
      ...scale.ticks.map((y) => draw("line", { class: "grid", ...level(y) })),
      ...scale.ticks.map((y) => text(SIDE - 8, this.#y(y) + 4, y.toFixed(scale.digits).replace("-", "−"), "end")),
      text(0, 12, data.label, "start", "title"),
      draw("line", { class: "axis", x1: SIDE, x2: width - END, y1: foot, y2: foot }),
      ...SHARES.map((share) => text(this.#x(share), foot + 30, percent(share), "middle")),
      text(width - END, height - 8, "pairs that the metric ties (more as ε grows) →", "end", "title"),
      draw("line", { class: "human", x1: human, x2: human, y1: TOP, y2: foot }),
      text(human + (late ? -5 : 5), TOP + 4, `the human ties ${percent(chosen.human)}`, late ? "end" : "start", "halo"),
      ...(data.constant === null ? [] : [draw("line", { class: "constant", ...level(data.constant) }),
        text(width - END, this.#y(data.constant) + 15, `constant metric ${written(data.constant)}`, "end", "halo")]),
    );
    const others = data.curves.filter((curve) => curve !== chosen);
    this.#lines.replaceChildren(...others.map((curve) => draw("path", { class: "curve", d: this.#path(curve) })),
      ...others.map((curve) => this.#star(curve)));
    this.#bold.replaceChildren(draw("path", { class: "chosen", d: this.#path(chosen) }), this.#star(chosen));
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
