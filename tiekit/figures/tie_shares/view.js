// Where does each metric stand at each share of human ties? Lines, dashed for a sentinel, with a rule that moves.

import { draw, make, readInOrder } from "../shared/elements.js";
import { QUIET, View } from "../shared/mount.js";
import { cut, roundStep, spread, ticksBetween, written } from "../shared/numbers.js";
import { chosenShare, isOfMean, labelOf, LEVEL, percent } from "../shared/shares.js";

const TOP = 24, FOOT = 66, END = 44, GRIP = 13;
const SHARES = [0, 0.2, 0.4, 0.6, 0.8, 1];
const NARROW = 480; // below this width the bars alone name the metrics

export class LinesPicture extends View {
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
    const { data, chosen, share } = this.model, width = this.element.clientWidth, height = this.element.clientHeight;
    if (!width || !height) return;
    if (["data", "chosen", "width", "height"].some((key, n) => this.#drawn?.[key] !== [data, chosen, width, height][n])) {
      const size = parseFloat(getComputedStyle(this.svg).fontSize);
      const side = width < NARROW ? 18 : Math.min(14 * size, 0.34 * width);
      this.#drawn = { data, chosen, width, height, size, side, foot: height - FOOT, ...rangeOf(data) };
      this.#arrange();
    }
    const { foot } = this.#drawn, x = this.#x(share), late = x > width * 0.55;
    for (const [name, to] of Object.entries({ x1: x, x2: x, y2: foot })) this.#rule.setAttribute(name, to);
    this.#grip.setAttribute("cx", x);
    this.#grip.setAttribute("cy", foot);
    this.#said.textContent = chosenShare(this.model);
    for (const [name, to] of Object.entries({ x: late ? Math.min(x, width - END - 12) : x, y: 12, "text-anchor": late ? "end" : "start" }))
      this.#said.setAttribute(name, to);
    this.#dots.replaceChildren(...data.metrics.filter((metric) => metric.of === chosen && !Number.isNaN(this.model.valueOf(metric)))
      .map((metric) => draw("circle", { class: `dot ${metric.kind}`, cx: x, cy: this.#y(this.model.valueOf(metric)), r: 6 })));
    for (const [name, text] of Object.entries({
      "aria-label": labelOf(data), "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.round(1000 * share) / 10,
      "aria-valuetext": sentence(this.model), "data-share": share,
    })) this.element.setAttribute(name, text);
  }

  /** The share of human ties at a pixel. */
  shareAt(x) {
    return (x - this.#drawn.side) / (this.#drawn.width - this.#drawn.side - END);
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
    const text = (x, y, words, anchor, kind = "") => draw("text", { x, y, "text-anchor": anchor, class: kind }, words);
    const ticks = ticksBetween(low, high, roundStep(high - low)), own = this.#x(data.own);
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("height", height);
    this.#ground.replaceChildren(
      ...ticks.map((tick) => draw("line", { class: "grid", x1: side, x2: width - END, y1: this.#y(tick), y2: this.#y(tick) })),
      ...ticks.map((tick) => text(width - END + 6, this.#y(tick) + 4, tick.toFixed(1).replace("-", "−"), "start")),
      text(width, 12, data.label, "end", "title"),
      draw("line", { class: "axis", x1: side, x2: width - END, y1: foot, y2: foot }),
      ...SHARES.map((share) => text(this.#x(share), foot + 32, percent(share), "middle")),
      text(width - END, height - 8, isOfMean(data) ? "human ties in the mean →" : "pairs that the human ties →", "end", "title"),
      draw("line", { class: "own", x1: own, x2: own, y1: TOP, y2: foot }),
      text(own + 5, TOP + 6, `this set: ${percent(data.own)}`, "start", "halo"),
    );
    const behind = data.metrics.filter((metric) => !this.#isChosen(metric));
    this.#lines.replaceChildren(...[...behind, ...data.metrics.filter((metric) => this.#isChosen(metric))].map((metric) =>
      draw("path", { class: `line ${this.#kind(metric)}`, d: this.#path(metric) })), ...this.#names(size));
  }

  #isChosen = ({ of }) => of === this.model.chosen;

  #kind = (metric) => `${metric.kind}${this.#isChosen(metric) ? " chosen" : ""}`;

  /** The name of each line at its left end. */
  #names(size) {
    const { data } = this.model, { side, foot, width } = this.#drawn;
    if (width < NARROW) return [];
    const first = data.metrics.filter(({ values }) => values[0] !== null)
      .map((metric) => ({ metric, y: this.#y(metric.values[0]) })).sort((a, b) => a.y - b.y);
    const heights = spread(first.map(({ y }) => y), size * 1.25, TOP, foot);
    return first.flatMap(({ metric, y }, n) => [
      draw("path", { class: "leader", d: `M${side - 2} ${y}L${side - 9} ${heights[n]}` }),
      draw("text", { x: side - 12, y: heights[n] + size * 0.35, "text-anchor": "end", class: this.#kind(metric) },
        cut(metric.name, side - 14, size, this.#isChosen(metric))),
    ]);
  }

  #path({ values }) {
    const { shares } = this.model.data;
    let gap = true;
    return values.map((value, n) => {
      if (value === null) {
        gap = true;
        return "";
      }
      const step = `${gap ? "M" : "L"}${this.#x(shares[n]).toFixed(1)} ${this.#y(value).toFixed(1)}`;
      gap = false;
      return step;
    }).join("");
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

export class Bars extends View {
  element = make("div", { class: "bars", role: "group", "aria-label": "Metrics at this share" });
  #rows; // the parts of each metric's row, by name
  #made; // of which metrics

  show() {
    const { data, ranked, chosen } = this.model;
    if (this.#made !== data.metrics) this.#make(data.metrics);
    const widest = Math.max(...data.metrics.flatMap(({ values }) => values.map((value) => Math.abs(value ?? 0)))) || 1;
    ranked.forEach(({ metric, value, rank }, place) => {
      const { row, name, bar, number } = this.#rows.get(metric.name);
      row.style.transform = `translateY(${100 * place}%)`;
      row.setAttribute("aria-pressed", metric.of === chosen);
      row.setAttribute("aria-label", `Rank ${rank}: ${metric.name}, ${data.label} ${written(value)}`);
      row.dataset.rank = rank;
      name.textContent = `${rank} ${metric.name}`;
      bar.style.width = `${(100 * Math.max(0, Number.isNaN(value) ? 0 : value)) / widest}%`;
      number.textContent = written(value);
    });
    readInOrder(ranked.map(({ metric }) => this.#rows.get(metric.name).row));
  }

  #make(metrics) {
    this.#made = metrics;
    this.#rows = new Map(metrics.map((metric) => {
      const name = make("span", { class: "name" }), bar = make("i", { class: "bar" }), number = make("b");
      const row = make("button", { type: "button", class: `row ${metric.kind}`, "data-metric": metric.name, onclick: () => {
        this.model.choose(metric.name);
        this.act(QUIET);
      } }, name, make("span", { class: "track" }, bar), number);
      return [metric.name, { row, name, bar, number }];
    }));
    this.element.style.setProperty("--rows", metrics.length);
    this.element.replaceChildren(...[...this.#rows.values()].map(({ row }) => row));
  }
}

/** Whether noise helps the metric that stands out, or its rank where it has no sentinel. */
export function sentence(model) {
  const { ranked, chosen, data, share } = model, when = isOfMean(data)
    ? `If human ties weigh ${percent(share)} in the mean` : `If the human ties ${percent(share)} of the pairs`;
  const mine = ranked.find(({ metric }) => metric.name === chosen);
  const noisy = ranked.find(({ metric }) => metric.of === chosen && metric.kind === "sentinel");
  if (!noisy) return `${when}, ${chosen} has ${data.label} ${written(mine.value)}: rank ${mine.rank} of ${ranked.length}.`;
  const gain = noisy.value - mine.value, values = `${data.label} ${written(noisy.value)} against ${written(mine.value)}`;
  if (gain > LEVEL) return `${when}, random noise makes ${chosen} better: ${values}, rank ${noisy.rank} instead of ${mine.rank} of the ${ranked.length} shown.`;
  if (gain < -LEVEL) return `${when}, random noise makes ${chosen} worse: ${values}, rank ${noisy.rank} instead of ${mine.rank} of the ${ranked.length} shown.`;
  return `${when}, random noise changes nothing for ${chosen}: ${values}.`;
}
