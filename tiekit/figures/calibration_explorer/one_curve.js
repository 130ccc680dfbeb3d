// What does the coefficient of one metric do while ε grows? Its curve, with F1 of ties and of ranks, ε and ε*.

import { draw, glyphOf, make, set, textAt } from "../shared/elements.js";
import { View } from "../shared/mount.js";
import { minus, plural, roundStep, ticksBetween, written } from "../shared/numbers.js";
import { effectWords, nameOf, news, pairWords, short } from "./words.js";

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
    set(this.#pin, { x1: x, x2: x, y1: TOP, y2: height - FOOT });
    set(this.#band, { width: x - SIDE, height: height - FOOT - TOP });
    for (const [name, y] of Object.entries({ value, ...f1[at] })) {
      const isKnown = !Number.isNaN(y);
      set(this.#dots[name], { visibility: isKnown ? "visible" : "hidden", cx: x, cy: isKnown ? this.#y(y) : 0 });
    }
    const { label } = this.model.data.coefficient;
    set(this.element, {
      "aria-valuemin": 0, "aria-valuemax": curve.epsilons.length - 1, "aria-valuenow": at, // places on the curve
      "aria-valuetext": `ε = ${short(epsilon)}, ${label} ${written(value)}`, "data-epsilon": epsilon,
    });
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
    const levels = ticksBetween(low, 1, low ? 0.5 : 0.25);
    const star = this.#x(best.epsilon), late = star > width / 2;
    set(this.svg, { width, height });
    this.svg.replaceChildren(
      this.#band,
      ...levels.map((y) => draw("line", { class: "grid", x1: SIDE, x2: width - END, y1: this.#y(y), y2: this.#y(y) })),
      ...levels.map((y) => textAt(SIDE - 8, this.#y(y) + 5, minus(short(y)), "end")),
      ...ticks.map((tick) => textAt(this.#x(tick), foot + 18, short(tick), "middle")),
      textAt(width - END, height - 6, "threshold ε →", "end"),
      ...(Number.isNaN(best.value) ? [] : [
        draw("line", { class: "star answer", x1: star, x2: star, y1: TOP - 8, y2: foot }),
        draw("g", { class: "answer" }, textAt(star + (late ? 4 : -4), TOP - 12, `★ ε* = ${short(best.epsilon)}`, late ? "end" : "start")),
      ]),
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

// --------------------------------------------------------------------------------------------------------------------
// Which metric scores are at most ε apart? Scores on a line, with an arc for each tie; and the pairs that become ties.

const MOST_NEWS = 6; // new ties that are listed
const MOST_ARCS = 300, MOST_GLYPHS = 12; // more would hide one another
const HIGH = 84, MIDDLE = 118, HEIGHT = 252; // of the highest arc, of the line, of the picture

export class NumberLine extends View {
  #drawn; // for which curve and width
  #points = []; // where the items stand
  #named = false; // whether there is room for the human scores in them
  #arcs = draw("g");
  #ruler = draw("path", { class: "ruler" });
  #length = draw("text", { "text-anchor": "middle" }, "ε");
  svg = draw("svg", { role: "img", height: HEIGHT });
  note = make("p", { class: "note" });
  element = make("div", { class: "line" }, this.svg, this.note);

  show() {
    const { curve, data, epsilon, widest } = this.model, width = this.element.clientWidth;
    this.element.hidden = !curve.pairs;
    if (!curve.pairs || !width) return;
    if (this.#drawn?.curve !== curve || this.#drawn.width !== width) {
      this.#drawn = { curve, width };
      this.#arrange();
    }
    const x = acrossOf(Math.min(epsilon, widest), widest, width), y = HEIGHT - 46;
    this.#ruler.setAttribute("d", `M${SIDE} ${y - 5}V${y + 5}M${SIDE} ${y}H${x}M${x} ${y - 5}V${y + 5}`);
    this.#length.setAttribute("x", x + 12);
    const { all, fresh } = this.model.ties, shown = all.slice(-MOST_ARCS), young = new Set(fresh);
    const ties = shown.map((p) => ({ ...this.model.pair(p), young: young.has(p) }));
    this.#arcs.replaceChildren(...this.#arcsOf(ties));
    const both = this.model.counts[4];
    this.svg.setAttribute("aria-label", `Scores of ${nameOf(data)} on a line, with ${plural(all.length, "tie")}: ` +
      `${both} that the human ties too, ${all.length - both} that the human orders.`);
    const arcs = all.length > MOST_ARCS ? `the ${MOST_ARCS} of ${plural(all.length, "tie")} with the largest differences` : "ties";
    this.note.textContent = `Circles: scores of ${nameOf(data)}${this.#named ? ", with those of the human in them" : ""}. Arcs: ${arcs}.`;
  }

  #arrange() {
    const { data, widest } = this.model, { width } = this.#drawn, { human, metric, style } = data;
    const items = metric.map((_, i) => i).filter((i) => human[i] !== null && metric[i] !== null);
    const scores = items.map((i) => metric[i]), low = scores.length ? Math.min(...scores) : 0;
    const across = (score) => acrossOf(score - low, widest, width), large = items.length <= 30;
    const letters = Math.max(0, ...items.map((i) => String(human[i]).length)), r = large ? (letters === 3 ? 12.5 : 10) : 4;
    const groups = Map.groupBy(items, (i) => metric[i]);
    for (const [score, same] of groups) {
      const gap = Math.min(2 * r + 2, 60 / same.length);
      same.forEach((i, k) => (this.#points[i] = across(score) + (k - (same.length - 1) / 2) * gap));
    }
    const heights = large ? apart(items.map((i) => this.#points[i]), 2 * r + 1) : items.map(() => 0);
    const ticks = ticksBetween(low, low + (widest || 1), roundStep(widest || 1));
    const dots = items.map((i, k) => draw("circle", { class: "item", cx: this.#points[i], cy: MIDDLE + heights[k], r }));
    this.#named = large && letters <= 3;
    const names = (this.#named ? items : []).map((i, k) =>
      textAt(this.#points[i], MIDDLE + heights[k] + 4, minus(human[i]), "middle", "own"));
    this.#length.setAttribute("y", HEIGHT - 41);
    this.svg.setAttribute("width", width);
    this.svg.replaceChildren(
      draw("line", { class: "axis", x1: SIDE, x2: width - END, y1: MIDDLE, y2: MIDDLE }),
      ...ticks.map((tick) => textAt(across(tick), HEIGHT - 6, minus(short(tick)), "middle")),
      ...ticks.map(across).map((x) => draw("line", { class: "grid", x1: x, x2: x, y1: 24, y2: HEIGHT - 22 })),
      textAt(0, 14, `${style.kinds[4].glyph} ties that the human makes too`, "start"),
      textAt(width - END, HEIGHT - 62, `${style.kinds[3].glyph} ties that the human orders`, "end"),
      this.#arcs, ...dots, ...names, this.#ruler, this.#length,
    );
  }

  /** One path for the old and one for the new ties of either kind; a glyph on each new one. */
  #arcsOf(ties) {
    const { kinds } = this.model.data.style, parts = [];
    for (const now of [4, 3]) {
      for (const young of [false, true]) {
        const d = ties.filter((tie) => tie.now === now && tie.young === young).map((tie) => this.#arc(tie).d).join("");
        if (d) parts.push(draw("path", { class: young ? "arc young" : "arc", d, stroke: kinds[now].color }));
      }
    }
    const marked = ties.filter(({ young }) => young).slice(0, MOST_GLYPHS);
    return [...parts, ...marked.flatMap((tie) => {
      const { x, y } = this.#arc(tie), { color, on, glyph } = kinds[tie.now];
      const words = draw("text", { x, y: y + 4, "text-anchor": "middle", style: `fill: ${on}` }, glyph);
      return [draw("circle", { cx: x, cy: y, r: 9, fill: color }), words];
    })];
  }

  /** The arc between two items, above the line where the human ties them too, and its top. */
  #arc({ i, j, now }) {
    const [from, to] = [this.#points[i], this.#points[j]].sort((a, b) => a - b), wide = (to - from) / 2;
    const room = this.#drawn.width - SIDE - END, high = 16 + (HIGH - 16) * Math.min(1, (2 * wide) / room) ** 0.5;
    const up = now === 4 ? 1 : 0;
    return {
      d: `M${from} ${MIDDLE}A${wide} ${high} 0 0 ${up} ${to} ${MIDDLE}`,
      x: (from + to) / 2,
      y: MIDDLE + (up ? -high : high),
    };
  }
}

/** How far circles stand above or below a line, so that none covers another one: as little as is needed. */
function apart(places, size) {
  const heights = [];
  for (const x of places) {
    const near = heights.flatMap((y, at) => (Math.abs(places[at] - x) < size ? [{ y, across: places[at] - x }] : []));
    const touching = near.flatMap(({ y, across }) => [-1, 1].map((side) => y + side * Math.sqrt(size ** 2 - across ** 2)));
    const isFree = (height) => Math.abs(height) <= 2 * size &&
      near.every(({ y, across }) => Math.hypot(across, y - height) >= size - 0.01);
    heights.push([0, ...touching].filter(isFree).sort((a, b) => Math.abs(a) - Math.abs(b))[0] ?? 0);
  }
  return heights;
}

/** Which pairs become ties at exactly this ε, and what does that do? */
export class NewTies extends View {
  #words = make("p");
  #list = make("ul", { class: "news" });
  element = make("section", { "aria-label": "New ties" }, this.#words, this.#list);

  show() {
    const model = this.model;
    this.element.hidden = !model.curve.pairs;
    if (this.element.hidden) return;
    const { fresh } = model.ties, rest = fresh.length - MOST_NEWS;
    this.#words.textContent = news(model, fresh.length);
    const lines = fresh.slice(0, MOST_NEWS).map((p) => this.#line(model.pair(p)));
    this.#list.replaceChildren(...lines, ...(rest > 0 ? [make("li", {}, `and ${rest} more`)] : []));
  }

  #line(pair) {
    const { data, epsilon } = this.model, { coefficient, style } = data;
    const [before, now] = [pair.before, pair.now].map((kind) => style.kinds[kind]);
    const glyphs = epsilon ? [glyphOf(before), "→ ", glyphOf(now)] : [glyphOf(now)];
    const effect = effectWords(coefficient, epsilon ? before.kind : now.kind, now.kind);
    return make("li", {}, ...glyphs, `${pairWords(this.model, pair)} (${effect})`);
  }
}
