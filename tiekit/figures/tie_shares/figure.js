// Which metrics win when the human ties fewer pairs, or more? Lines over the share of human ties, and bars that re-sort.

import { draw, fill, make, pathOf, roomOf, set, textAt } from "../shared/elements.js";
import { say, View } from "../shared/mount.js";
import { cut, fitting, minus, roundStep, spread, ticksBetween, written } from "../shared/numbers.js";
import {
  chosenShare,
  isAbove,
  isOfMean,
  openShares,
  percent,
  ShareRows,
  simulated,
  tellShare,
} from "../shared/shares.js";

/** Open the figure, whose data hold label, shares, own, metrics (name, kind, of, values), chosen and share. */
export const openFigure = (host) => openShares(host, "tie_shares", (model, change) => {
  const picture = new LinesPicture(model), rows = new Bars(model, change);
  return { picture, rows, frame: [make("div", { class: "pictures" }, picture.element, rows.element)], sentence, note };
});

const note = (model) => `Computed at ${model.data.shares.length} shares; lines connect them. ${simulated(model)}`;

// --------------------------------------------------------------------------------------------------------------------
// Where does each metric stand at each share of human ties? Lines, dashed for a sentinel, with a rule that moves.

const TOP = 24, FOOT = 66, END = 44, GRIP = 13;
const SHARES = [0, 0.2, 0.4, 0.6, 0.8, 1];
const NARROW = 480; // below this width the bars alone name the metrics

class LinesPicture extends View {
  #drawn; // for which data, metric and size
  #ground = draw("g");
  #lines = draw("g");
  #rule = draw("line", { class: "rule", y1: TOP });
  #dots = draw("g");
  #grip = draw("circle", { class: "grip", r: GRIP });
  #said = draw("text", { class: "title halo" });
  svg = draw("svg", { "aria-hidden": "true" }, this.#ground, this.#lines, this.#rule, this.#dots, this.#grip, this.#said);
  element = make("div", { class: "lines", role: "slider", tabindex: 0 }, this.svg);

  show() {
    const { data, chosen, share } = this.model, { width, height, unit } = roomOf(this.element);
    if (!width || !height) return;
    const now = { data, chosen, width, height, unit };
    if (Object.keys(now).some((key) => this.#drawn?.[key] !== now[key])) {
      const size = parseFloat(getComputedStyle(this.svg).fontSize);
      const side = width < NARROW ? 18 : Math.min(14 * size, 0.34 * width);
      this.#drawn = { ...now, size, side, foot: height - FOOT, ...rangeOf(data) };
      this.#arrange();
    }
    const { foot } = this.#drawn, x = this.#x(share), late = x > width * 0.55;
    set(this.#rule, { x1: x, x2: x, y2: foot });
    set(this.#grip, { cx: x, cy: foot });
    this.#said.textContent = chosenShare(this.model);
    set(this.#said, { x: late ? Math.min(x, width - END - 12) : x, y: 12, "text-anchor": late ? "end" : "start" });
    this.#dots.replaceChildren(...data.metrics.filter((metric) => metric.of === chosen && !Number.isNaN(this.model.valueOf(metric)))
      .map((metric) => draw("circle", { class: `dot ${metric.kind}`, cx: x, cy: this.#y(this.model.valueOf(metric)), r: 6 })));
    tellShare(this.element, this.model, 100, sentence(this.model));
  }

  /** The share of human ties at a pixel. */
  shareAt(x) {
    return (x / this.#drawn.unit - this.#drawn.side) / (this.#drawn.width - this.#drawn.side - END);
  }

  #x(share) {
    const { side, width } = this.#drawn;
    return side + share * (width - side - END);
  }

  #y(value) {
    const { low, high, foot } = this.#drawn;
    return foot - ((value - low) / (high - low)) * (foot - TOP);
  }

  #arrange() {
    const { data } = this.model, { width, height, foot, size, side, low, high } = this.#drawn;
    const ticks = ticksBetween(low, high, roundStep(high - low)), own = this.#x(data.own);
    fill(this.svg, this.#drawn);
    this.#ground.replaceChildren(
      ...ticks.map((tick) => draw("line", { class: "grid", x1: side, x2: width - END, y1: this.#y(tick), y2: this.#y(tick) })),
      ...ticks.map((tick) => textAt(width - END + 6, this.#y(tick) + 4, minus(tick.toFixed(1)), "start")),
      textAt(width, 12, data.label, "end", "title"),
      draw("line", { class: "axis", x1: side, x2: width - END, y1: foot, y2: foot }),
      ...SHARES.map((share) => textAt(this.#x(share), foot + 32, percent(share), "middle")),
      textAt(width - END, height - 8, isOfMean(data) ? "human ties in the mean →" : "pairs that the human ties →", "end", "title"),
      draw("line", { class: "own", x1: own, x2: own, y1: TOP, y2: foot }),
      textAt(own + 5, TOP + 6, `this set: ${percent(data.own)}`, "start", "halo"),
    );
    const behind = data.metrics.filter((metric) => !this.#isChosen(metric));
    this.#lines.replaceChildren(...[...behind, ...data.metrics.filter((metric) => this.#isChosen(metric))].map((metric) =>
      draw("path", { class: `line ${this.#kind(metric)}`, d: this.#path(metric) }, draw("title", {}, metric.short))), ...this.#names(size));
  }

  #path({ values }) {
    return pathOf(values.map((value, n) => value !== null && [this.#x(this.model.data.shares[n]), this.#y(value)]));
  }

  #isChosen = ({ of }) => of === this.model.chosen;

  #kind = (metric) => `${metric.kind}${this.#isChosen(metric) ? " chosen" : ""}`;

  /** The name of each line at its left end. */
  #names(size) {
    const { data } = this.model, { side, foot, width } = this.#drawn;
    if (width < NARROW) return [];
    const begun = data.metrics.filter(({ values }) => values[0] !== null)
      .map((metric) => ({ metric, y: this.#y(metric.values[0]) })).sort((a, b) => a.y - b.y);
    const [chosen] = begun.filter(({ metric }) => metric.name === this.model.chosen), room = [TOP, foot - size / 2], gap = size * 1.25;
    const first = fitting(begun, chosen ?? begun[0], room, gap).sort((a, b) => a.y - b.y);
    const heights = spread(first.map(({ y }) => y), gap, ...room);
    return first.flatMap(({ metric, y }, n) => [
      draw("path", { class: `leader ${metric.kind}`, d: `M${side - 2} ${y}L${side - 9} ${heights[n]}` }),
      draw("text", { x: side - 12, y: heights[n] + size * 0.35, "text-anchor": "end", class: this.#kind(metric) },
        cut(metric.short, side - 14, size, this.#isChosen(metric))),
    ]);
  }
}

/** The lowest and highest value, with some room. */
function rangeOf({ metrics }) {
  const values = metrics.flatMap((metric) => metric.values).filter((value) => value !== null);
  const [low, high] = [Math.min(...values, 1), Math.max(...values, -1)], room = (high - low || 0.1) * 0.05;
  return { low: low - room, high: high + room };
}

// --------------------------------------------------------------------------------------------------------------------
// Who wins at this share? A bar for each metric, which moves to its rank; pressing one makes its metric stand out.

class Bars extends ShareRows {
  element = make("div", { class: "bars", role: "group", "aria-label": "Metrics at this share" });

  write({ row, name, bar, number }, { metric, value, rank }) {
    const { metrics, label: coefficient } = this.model.data;
    const widest = Math.max(...metrics.flatMap(({ values }) => values.map((one) => Math.abs(one ?? 0)))) || 1;
    row.setAttribute("aria-label", `Rank ${rank}: ${metric.short}, ${coefficient} ${written(value)}`);
    row.dataset.rank = rank;
    say(name, `${rank} ${metric.short}`);
    row.title = metric.name;
    bar.style.width = `${(100 * Math.max(0, Number.isNaN(value) ? 0 : value)) / widest}%`;
    number.textContent = written(value);
  }

  fill() {
    const name = make("span", { class: "name" }), bar = make("i", { class: "bar" }), number = make("b");
    return { name, bar, number, children: [name, make("span", { class: "track" }, bar), number] };
  }

  place(rows) {
    this.element.replaceChildren(...rows);
  }
}

/** Whether noise helps the metric that stands out, or its rank where it has no sentinel. */
function sentence(model) {
  const { ranked, chosen, data, share } = model, when = isOfMean(data)
    ? `If human ties weigh ${percent(share)} in the mean` : `If the human ties ${percent(share)} of the pairs`;
  const mine = ranked.find(({ metric }) => metric.name === chosen);
  const noisy = ranked.find(({ metric }) => metric.of === chosen && metric.kind === "sentinel");
  if (!noisy) return `${when}, ${mine.metric.short} has ${data.label} ${written(mine.value)}: rank ${mine.rank} of ${ranked.length}.`;
  const values = `${data.label} ${written(noisy.value)} against ${written(mine.value)}`;
  if (isAbove(noisy.value, mine.value)) return `${when}, random noise makes ${mine.metric.short} better: ${values}, rank ${noisy.rank} instead of ${mine.rank} of the ${ranked.length} shown.`;
  if (isAbove(mine.value, noisy.value)) return `${when}, random noise makes ${mine.metric.short} worse: ${values}, rank ${noisy.rank} instead of ${mine.rank} of the ${ranked.length} shown.`;
  return `${when}, random noise changes nothing for ${mine.metric.short}: ${values}.`;
}
