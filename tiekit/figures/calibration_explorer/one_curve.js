// What does the coefficient of one metric do while ε grows? Its curve, with F1 of ties and of ranks, ε and ε*.

import { draw, make } from "../shared/elements.js";
import { View } from "../shared/mount.js";
import { roundStep, ticksBetween, written } from "../shared/numbers.js";
import { short } from "./words.js";

// Curve and number line share one axis, so that ε is as long in both.
export const SIDE = 44; // room left
export const END = 18; // and right

/** The pixel of a difference, and the difference of a pixel. */
export const acrossOf = (difference, widest, width) => SIDE + (difference / (widest || 1)) * (width - SIDE - END);
export const differenceAt = (x, widest, width) => ((x - SIDE) / (width - SIDE - END)) * (widest || 1);

const TOP = 26, FOOT = 46;
const LINES = ["value", "ties", "ranks"];

/** The picture of the curve. */
export class CurvePicture extends View {
  #drawn; // for which curve and width
  #band = draw("rect", { class: "band", x: SIDE, y: TOP });
  #pin = draw("line", { class: "pin" });
  #dots = Object.fromEntries(LINES.map((name) => [name, draw("circle", { class: `dot ${name}`, r: 6 })]));
  svg = draw("svg", { "aria-hidden": "true" });
  element = make("div", { class: "curve", role: "slider", tabindex: 0, "aria-label": "Threshold ε" }, this.svg);

  /** The threshold at a pixel of the picture. */
  epsilonAt(x) {
    return differenceAt(x, this.model.widest, this.element.clientWidth);
  }

  show() {
    const { curve, at, epsilon, value, f1 } = this.model, width = this.element.clientWidth;
    if (!width) return;
    const height = Math.round(Math.max(210, Math.min(340, width * 0.5)));
    if (this.#drawn?.curve !== curve || this.#drawn.width !== width) {
      this.#drawn = { curve, width, low: curve.values.some((one) => one < 0) ? -1 : 0, height };
      this.#arrange();
    }
    const x = Math.min(this.#x(epsilon), width - END);
    for (const [name, to] of Object.entries({ x1: x, x2: x, y1: TOP, y2: height - FOOT }))
      this.#pin.setAttribute(name, to);
    this.#band.setAttribute("width", x - SIDE);
    this.#band.setAttribute("height", height - FOOT - TOP);
    for (const [name, y] of Object.entries({ value, ...f1[at] })) {
      this.#dots[name].setAttribute("visibility", Number.isNaN(y) ? "hidden" : "visible");
      this.#dots[name].setAttribute("cx", x);
      this.#dots[name].setAttribute("cy", Number.isNaN(y) ? 0 : this.#y(y));
    }
    const { label } = this.model.data.coefficient;
    for (const [name, text] of Object.entries({
      "aria-valuemin": 0, "aria-valuemax": curve.epsilons.length - 1, "aria-valuenow": at, // places on the curve
      "aria-valuetext": `ε = ${short(epsilon)}, ${label} ${written(value)}`, "data-epsilon": epsilon,
    })) this.element.setAttribute(name, text);
  }

  #x(epsilon) {
    return acrossOf(epsilon, this.model.widest, this.#drawn.width);
  }

  #y(value) {
    const { low, height } = this.#drawn;
    return height - FOOT - ((value - low) / (1 - low)) * (height - FOOT - TOP);
  }

  #arrange() {
    const { curve, widest, f1, best } = this.model, { width, height, low } = this.#drawn;
    const ticks = ticksBetween(0, widest || 1, roundStep(widest || 1)), foot = height - FOOT;
    const text = (x, y, words, anchor) => draw("text", { x, y, "text-anchor": anchor }, words);
    const levels = ticksBetween(low, 1, low ? 0.5 : 0.25);
    const star = this.#x(best.epsilon), late = star > width / 2;
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    this.svg.replaceChildren(
      this.#band,
      ...levels.map((y) => draw("line", { class: "grid", x1: SIDE, x2: width - END, y1: this.#y(y), y2: this.#y(y) })),
      ...levels.map((y) => text(SIDE - 8, this.#y(y) + 5, short(y).replace("-", "−"), "end")),
      ...ticks.map((tick) => text(this.#x(tick), foot + 18, short(tick), "middle")),
      text(width - END, height - 6, "threshold ε →", "end"),
      draw("line", { class: "star", x1: star, x2: star, y1: TOP - 8, y2: foot }),
      text(star + (late ? 4 : -4), TOP - 12, `★ ε* = ${short(best.epsilon)}`, late ? "end" : "start"),
      draw("path", { class: "ranks", d: this.#path(f1.map(({ ranks }) => ranks)) }),
      draw("path", { class: "ties", d: this.#path(f1.map(({ ties }) => ties)) }),
      draw("path", { class: "value", d: this.#path(curve.values) }),
      this.#pin,
      ...Object.values(this.#dots),
    );
  }

  /** A line through values: in steps where every threshold is known, with a gap where one is undefined. */
  #path(values) {
    const { epsilons, steps } = this.model.curve, parts = [];
    let before = null;
    values.forEach((value, k) => {
      if (Number.isNaN(value)) return void (before = null);
      const x = Math.round(this.#x(epsilons[k]) * 2) / 2, y = Math.round(this.#y(value) * 2) / 2;
      if (before === null) parts.push(`M${x} ${y}`);
      else if (x !== before[0] || y !== before[1]) parts.push(steps ? `H${x}V${y}` : `L${x} ${y}`);
      before = [x, y];
    });
    return parts.join("");
  }
}

/** Which line is which, and what is its value at ε? */
export class Legend extends View {
  element = make("ul", { class: "legend" });
  #cells = Object.fromEntries(["value", "ties", "ranks"].map((name) => [name, make("b", { "data-line": name })]));
  #label = make("span");

  constructor(model) {
    super(model);
    const labels = { value: this.#label, ties: "F1 of ties", ranks: "F1 of ranks" };
    this.element.replaceChildren(...Object.entries(labels).map(([name, label]) => {
      const sample = draw("path", { class: name, d: "M2 8H34" });
      const picture = draw("svg", { width: 36, height: 16, "aria-hidden": "true" }, sample);
      return make("li", {}, picture, label, " ", this.#cells[name]);
    }));
  }

  show() {
    const { value, f1, at, data } = this.model;
    this.#label.textContent = data.coefficient.label;
    for (const [name, number] of Object.entries({ value, ...f1[at] })) {
      this.#cells[name].textContent = written(number);
      this.#cells[name].dataset.value = number;
    }
  }
}
