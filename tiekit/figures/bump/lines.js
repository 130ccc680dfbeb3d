// How are the ranks drawn? One line per metric over the columns, the chosen one bold with its ranks in circles.

import { draw } from "../shared/elements.js";
import { pathsOf } from "./curve.js";

const MARGIN = 16, TURNED = 58; // pixels: left and right of the lines; between columns, below which headings are turned

export class Lines {
  #model;
  #choose;
  #points = () => [];
  element = draw("svg", { role: "img" });

  constructor(model, choose) {
    [this.#model, this.#choose] = [model, choose];
  }

  /** The height of the headings in a picture of this width. */
  headOf(width, letter) {
    const longest = Math.max(...this.#model.data.columns.map(({ label }) => label.length));
    return this.#isTurned(width) ? longest * letter + 14 : 2.4 * letter + 10;
  }

  #isTurned(width) {
    return this.#step(width) < TURNED;
  }

  #step(width) {
    return (width - 2 * MARGIN) / Math.max(1, this.#model.data.columns.length - 1);
  }

  /** Draw all lines; `placeOf(name, column)` is a row, between two rows while lines move. */
  show({ width, head, row, letter, words }, placeOf) {
    const { columns, metrics } = this.#model.data, chosen = this.#model.chosen;
    const height = head + row * metrics.length, step = this.#step(width), turned = this.#isTurned(width);
    const x = (column) => (columns.length > 1 ? MARGIN + column * step : width / 2);
    this.#points = (name) => columns.map((_, column) => [x(column), head + row * (placeOf(name, column) + 0.5)]);
    for (const [key, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height, "aria-label": words }))
      this.element.setAttribute(key, value);
    const headings = columns.map(({ label }, column) => {
      const at = { x: x(column), y: head - 10, class: "heading", "text-anchor": turned ? "start" : "middle" };
      if (turned) at.transform = `rotate(-90 ${x(column) + 0.35 * letter} ${head - 10})`;
      return draw("text", turned ? { ...at, x: x(column) + 0.35 * letter } : at, label);
    });
    const rules = columns.map((_, column) => draw("path", { class: "rule", d: `M${x(column)} ${head}V${height}` }));
    const others = metrics.filter((metric) => metric !== chosen);
    const parts = [...others, ...(chosen ? [chosen] : [])].map((metric) => this.#line(metric, metric === chosen));
    this.element.classList.toggle("any", chosen !== null);
    this.element.replaceChildren(...rules, ...headings, ...parts);
  }

  #line(metric, isChosen) {
    const points = this.#points(metric.name), known = metric.ranks.map((rank) => rank !== null);
    const { solid, dashed } = pathsOf(points, known);
    const dots = points.map(([cx, cy], column) => {
      const dot = draw("circle", { cx, cy, r: isChosen ? 11 : 3.5, class: known[column] ? "dot" : "dot open" });
      return dot;
    });
    const ranks = points.map(([x, y], column) =>
      draw("text", { x, y, class: known[column] ? "rank" : "rank open" }, String(metric.ranks[column] ?? "–")));
    const group = draw("g", { class: isChosen ? "metric chosen" : "metric", "data-name": metric.name },
      draw("title", {}, metric.name),
      draw("path", { class: "hit", d: solid + dashed }),
      draw("path", { class: "line", d: solid }),
      draw("path", { class: "line dashed", d: dashed }), ...dots, ...(isChosen ? ranks : []));
    group.onclick = () => this.#choose(isChosen ? null : metric.name);
    return group;
  }
}
