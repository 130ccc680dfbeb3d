// Which metric scores are at most ε apart? Scores on a line, with an arc for each tie; and the pairs that become ties.

import { draw, glyphOf, make } from "../shared/elements.js";
import { View } from "../shared/mount.js";
import { roundStep, ticksBetween } from "../shared/numbers.js";
import { acrossOf, END, SIDE } from "./one_curve.js";
import { effectWords, many, nameOf, news, pairWords, short } from "./words.js";

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
    this.svg.setAttribute("aria-label", `Scores of ${nameOf(data)} on a line, with ${many(all.length, "tie")}: ` +
      `${both} that the human ties too, ${all.length - both} that the human orders.`);
    const arcs = all.length > MOST_ARCS ? `the ${MOST_ARCS} of ${many(all.length, "tie")} with the largest differences` : "ties";
    this.note.textContent = `Circles: scores of ${nameOf(data)}${this.#named ? ", with those of the human in them" : ""}. Arcs: ${arcs}.`;
  }

  #arrange() {
    const { data, widest } = this.model, { width } = this.#drawn, { human, metric, style } = data;
    const items = metric.map((_, i) => i).filter((i) => human[i] !== null && metric[i] !== null);
    const scores = items.map((i) => metric[i]), low = scores.length ? Math.min(...scores) : 0;
    const across = (score) => acrossOf(score - low, widest, width), large = items.length <= 30, r = large ? 10 : 4;
    const groups = Map.groupBy(items, (i) => metric[i]);
    for (const [score, same] of groups) {
      const gap = Math.min(2 * r + 2, 60 / same.length);
      same.forEach((i, k) => (this.#points[i] = across(score) + (k - (same.length - 1) / 2) * gap));
    }
    const text = (x, y, words, anchor) => draw("text", { x, y, "text-anchor": anchor }, words);
    const ticks = ticksBetween(low, low + (widest || 1), roundStep(widest || 1));
    const dots = items.map((i) => draw("circle", { class: "item", cx: this.#points[i], cy: MIDDLE, r }));
    this.#named = large && items.every((i) => String(human[i]).length <= 3);
    const names = (this.#named ? items : []).map((i) => text(this.#points[i], MIDDLE + 4, String(human[i]).replace("-", "−"), "middle"));
    this.#length.setAttribute("y", HEIGHT - 41);
    this.svg.setAttribute("width", width);
    this.svg.replaceChildren(
      draw("line", { class: "axis", x1: SIDE, x2: width - END, y1: MIDDLE, y2: MIDDLE }),
      ...ticks.map((tick) => text(across(tick), HEIGHT - 6, short(tick).replace("-", "−"), "middle")),
      ...ticks.map(across).map((x) => draw("line", { class: "grid", x1: x, x2: x, y1: 24, y2: HEIGHT - 22 })),
      text(0, 14, `${style.kinds[4].glyph} ties that the human makes too`, "start"),
      text(width - END, HEIGHT - 62, `${style.kinds[3].glyph} ties that the human orders`, "end"),
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
