// Which translation does the majority prefer? An arrow from the winner of each pair to its loser; cycles are red.

import { draw, make } from "../shared/elements.js";

const SIZE = 300, RADIUS = 112, NODE = 22;

/** The part of the picture that the nodes fill. */
function roomOf(at) {
  const [left, top] = [0, 1].map((axis) => Math.min(...at.map((point) => point[axis])) - NODE - 4);
  const [right, bottom] = [0, 1].map((axis) => Math.max(...at.map((point) => point[axis])) + NODE + 4);
  return [left, top, right - left, bottom - top];
}

export class Graph {
  element = make("div", { class: "graph" });
  #model;

  constructor(model) {
    this.#model = model;
  }

  show() {
    const { edges, data: { names, metric } } = this.#model;
    const at = names.map((_, item) => {
      const angle = (2 * Math.PI * (item + 0.5)) / names.length - Math.PI / 2;
      return [SIZE / 2 + RADIUS * Math.cos(angle), SIZE / 2 + RADIUS * Math.sin(angle)];
    });
    const head = (name) => draw("marker", { id: `head-${name}`, class: name, viewBox: "0 0 10 10", refX: 8, refY: 5,
      markerWidth: 14, markerHeight: 14, markerUnits: "userSpaceOnUse", orient: "auto" },
      draw("path", { d: "M0 0 10 5 0 10z" }));
    const arrows = edges.map((edge) => this.#arrow(edge, at, metric));
    const nodes = names.map((name, item) => draw("g", { class: "node" },
      draw("circle", { cx: at[item][0], cy: at[item][1], r: NODE }),
      draw("text", { x: at[item][0], y: at[item][1], "dominant-baseline": "central", "text-anchor": "middle" }, name)));
    const words = edges.map(({ winner, loser, votes, draw: even }) =>
      `${names[winner]} ${even ? "and" : "over"} ${names[loser]} ${votes.join(" to ")}`).join("; ");
    this.element.replaceChildren(draw("svg", { viewBox: roomOf(at).join(" "), role: "img",
      "aria-label": `Majorities: ${words}` }, draw("defs", {}, head("plain"), head("cycle")), ...arrows, ...nodes));
  }

  #arrow({ winner, loser, votes, cycle, draw: even }, at, metric) {
    const [x1, y1] = at[winner], [x2, y2] = at[loser], long = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / long, (y2 - y1) / long], followed = even || metric[winner] > metric[loser];
    const kind = cycle ? "cycle" : "plain", label = [x1 + dx * long * 0.32, y1 + dy * long * 0.32];
    const line = { x1: x1 + dx * NODE, y1: y1 + dy * NODE, x2: x2 - dx * (NODE + 5), y2: y2 - dy * (NODE + 5) };
    if (!even) line["marker-end"] = `url(#head-${kind})`;
    return draw("g", { class: `edge ${kind}${followed ? "" : " against"}` },
      draw("line", { ...line, "stroke-width": 1.5 + 1.5 * (votes[0] - votes[1]) }),
      draw("text", { x: label[0], y: label[1], "dominant-baseline": "central", "text-anchor": "middle" },
        votes.join(":")));
  }
}
