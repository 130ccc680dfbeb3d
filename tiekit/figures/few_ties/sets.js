// How many pairs do people tie in published test sets? A line with a dot for each set, and a grip that chooses a share.

import { draw, make } from "../shared/elements.js";
import { chosenShare, labelOf, percent } from "../tie_shares/words.js";
import { sentence } from "./words.js";

const HIGH = 104, LINE = 62, SIDE = 16, GRIP = 12, DOT = 6, GAP = 12;
const NARROW = 520; // below this width the names of two protocols would meet

export class Sets {
  #model;
  #ground = draw("g");
  #grip = draw("g", { class: "grip" });
  #drawn; // for which data and width

  constructor(model) {
    this.#model = model;
    this.svg = draw("svg", { "aria-hidden": "true", height: HIGH }, this.#ground, this.#grip);
    this.element = make("div", { class: "sets", role: "slider", tabindex: 0 }, this.svg);
  }

  show() {
    const { data, share } = this.#model, width = this.element.clientWidth;
    if (!width) return;
    if (this.#drawn?.data !== data || this.#drawn.width !== width) {
      this.#drawn = { data, width, last: Math.max(...data.shares) };
      this.#arrange();
    }
    const x = this.#x(share), anchor = x < 60 ? "start" : x > width - 60 ? "end" : "middle";
    this.#grip.replaceChildren(
      draw("line", { x1: x, x2: x, y1: LINE - 30, y2: LINE }),
      draw("circle", { cx: x, cy: LINE, r: GRIP }),
      draw("text", { x: anchor === "start" ? 2 : anchor === "end" ? width - 2 : x, y: HIGH - 4, "text-anchor": anchor, class: "now halo" },
        chosenShare(this.#model)),
    );
    for (const [name, text] of Object.entries({
      "aria-label": labelOf(data), "aria-valuemin": 0, "aria-valuemax": Math.round(100 * this.#drawn.last), "aria-valuenow": Math.round(1000 * share) / 10,
      "aria-valuetext": sentence(this.#model), "data-share": share,
    })) this.element.setAttribute(name, text);
  }

  /** The share of human ties at a pixel. */
  shareAt(x) {
    return ((x - SIDE) / (this.#drawn.width - 2 * SIDE)) * this.#drawn.last;
  }

  #x(share) {
    return SIDE + (share / this.#drawn.last) * (this.#drawn.width - 2 * SIDE);
  }

  #arrange() {
    const { data, width, last } = this.#drawn, end = width - SIDE;
    const protocols = [...new Set(data.sets.map(({ protocol }) => protocol))];
    const own = this.#x(data.own);
    this.svg.setAttribute("width", width);
    this.#ground.replaceChildren(
      draw("line", { class: "axis", x1: SIDE, x2: end, y1: LINE, y2: LINE }),
      ...[0, 0.2, 0.4, 0.6, 0.8].filter((tick) => tick <= last).flatMap((tick) => [
        draw("line", { class: "axis", x1: this.#x(tick), x2: this.#x(tick), y1: LINE, y2: LINE + 6 }),
        draw("text", { x: this.#x(tick), y: LINE + 22, "text-anchor": "middle" }, percent(tick)),
      ]),
      draw("path", { class: "own", d: `M${own} ${LINE - 14}l-6 -11h12z` }),
      ...protocols.flatMap((protocol, n) =>
        this.#protocol(data.sets.filter((set) => set.protocol === protocol), protocol, width < NARROW && n > 0)),
    );
  }

  /** A bracket from the first to the last set of a protocol, its name, and a dot for each set, stacked where they meet. */
  #protocol(sets, protocol, isAtEnd) {
    const places = sets.map(({ share }) => this.#x(share)), kind = protocol.toLowerCase();
    const [first, last] = [Math.min(...places), Math.max(...places)];
    const span = `${protocol}: ${parseInt(percent(sets[0].share), 10)}–${percent(sets.at(-1).share)}`, x = isAtEnd ? last + DOT : Math.max(2, first - DOT);
    let before = -Infinity, level = 0;
    const dots = places.map((place, n) => {
      level = place - before < GAP ? level + 1 : 0;
      before = place;
      return draw("circle", { class: `set ${kind}`, cx: place, cy: LINE - level * 8, r: DOT },
        draw("title", {}, `${sets[n].name}, ${protocol}: ${percent(sets[n].share)}`));
    });
    return [
      draw("path", { class: `bracket ${kind}`, d: `M${first - DOT} 26v-6H${last + DOT}v6` }),
      draw("text", { x, y: 13, class: `title ${kind}`, "text-anchor": isAtEnd ? "end" : "start" }, span),
      ...dots,
    ];
  }
}
