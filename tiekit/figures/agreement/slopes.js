// How does each of the two measures rank the metrics? A line per metric, from its place by one to its place by the other.

import { draw, make } from "../shared/elements.js";
import { rankings } from "./words.js";

const WIDE = 370, TOP = 30, FOOT = 6, LEFT = 130, RIGHT = 240, ROW = 17; // of the drawing, before it is scaled
const TIME = 350; // milliseconds until a line has moved

export class Slopes {
  element = make("div", { class: "slopes" });
  #model;
  #marks = [];
  #heads = [];
  #shown = null; // the places that are drawn
  #frame;

  constructor(model) {
    this.#model = model;
  }

  arrange() {
    const { metrics } = this.#model.data, high = TOP + FOOT + ROW * metrics.length;
    this.#heads = [0, WIDE].map((x, side) => draw("text", { x, y: 12, "text-anchor": side ? "end" : "start", class: "head" }));
    this.#marks = metrics.map((name) => {
      const line = draw("line", { x1: LEFT + 4, x2: RIGHT - 4 });
      const names = [LEFT, RIGHT].map((x, side) => draw("text", { x, "text-anchor": side ? "start" : "end", dy: ".35em" }, cut(name)));
      return { group: draw("g", {}, line, ...names), line, names };
    });
    this.picture = draw("svg", { viewBox: `0 0 ${WIDE} ${high}`, role: "img" }, ...this.#heads, ...this.#marks.map(({ group }) => group));
    this.element.replaceChildren(this.picture);
    this.#shown = null;
  }

  show() {
    const { measures, places } = this.#model;
    this.picture.setAttribute("aria-label", rankings(this.#model));
    this.#heads.forEach((head, side) => (head.textContent = measures[side].label));
    const moves = places[0].map((place, at) => Math.abs(place - places[1][at])), most = Math.max(...moves);
    this.#marks.forEach(({ group }, at) => {
      group.classList.toggle("far", most > 0 && moves[at] === most);
      group.classList.toggle("first", places.some((all) => all[at] === 1));
    });
    this.#moveTo(places);
  }

  /** Draw the lines between these places; they move there unless the reader wants no motion. */
  #moveTo(places) {
    cancelAnimationFrame(this.#frame);
    const from = this.#shown, calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!from || calm) return this.#place(places);
    const start = performance.now(), step = (now) => {
      const part = Math.min(1, (now - start) / TIME), eased = part * part * (3 - 2 * part);
      this.#place(places.map((all, side) =>
        all.map((to, at) => (to === null || from[side][at] === null ? to : from[side][at] + eased * (to - from[side][at])))));
      if (part < 1) this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
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

const cut = (name) => (name.length > 19 ? `${name.slice(0, 18)}…` : name);
