// Which ranks do metrics have where people tie few pairs, as with ESA, or many, as with MQM? A line of published test
// sets, on which a share of human ties is chosen, and a row for each metric with its rank and rank interval.

import { draw, make, withIndex } from "../shared/elements.js";
import { View } from "../shared/mount.js";
import { written } from "../shared/numbers.js";
import { chosenShare, isOfMean, openShares, percent, ShareRows, simulated, tellShare } from "../shared/shares.js";

/** Open the figure, whose data hold label, shares, own, total, sets (name, protocol, share), metrics (name,
 * kind, of, values, ranks, best, worst), chosen (a name) and share. */
export const openFigure = (host) => openShares(host, "few_ties", (model, change) => {
  const picture = new Sets(model), rows = new Rows(model, change);
  return { picture, rows, frame: [picture.element, rows.element], sentence, note };
});

function note(model) {
  const { data, share } = model, isOwn = percent(share) === percent(data.own), shown = data.metrics.filter(({ kind }) => kind !== "sentinel").length;
  const tied = percent(share);
  const how = isOfMean(data) ? simulated(model) : isOwn ? `In ${data.set || "this set"} people tie ${tied} of the pairs.` : `Simulated: pairs that people tie count ${share < data.own ? "less" : "more"}, as if they were ${tied} of all.`;
  const all = data.sets.map((set) => set.share), ends = `${parseInt(percent(Math.min(...all)), 10)} to ${percent(Math.max(...all))}`;
  const dashed = shown === data.metrics.length ? "" : " Dashed: with noise.";
  const more = data.asks ? "Noise: a small random number, added to each score." : `Dot: rank here. Bar: its best to worst rank where people tie ${ends}${isOfMean(data) ? " of all pairs, as far as that can be reached" : ""}.${dashed}`;
  return `${how} ${more} ${shown} of ${data.total} metrics shown.`.replaceAll(" %", "\u00a0%");
}

// --------------------------------------------------------------------------------------------------------------------
// How many pairs do people tie in published test sets? A line with a dot for each set, and a grip that chooses a share.

const HIGH = 110, LINE = 62, SIDE = 16, GRIP = 12, DOT = 6, GAP = 12, HALF = 28; // half of the words below the grip
const NARROW = 520, WIDE = 760; // below these widths the names of two protocols would meet, and what a dot is would meet them

class Sets extends View {
  #ground = draw("g");
  #grip = draw("g", { class: "grip" });
  #drawn; // for which data and width
  svg = draw("svg", { "aria-hidden": "true", height: HIGH }, this.#ground, this.#grip);
  element = make("div", { class: "sets", role: "slider", tabindex: 0 }, this.svg);

  show() {
    const { data, share } = this.model, width = this.element.clientWidth;
    if (!width) return;
    if (this.#drawn?.data !== data || this.#drawn.width !== width) {
      this.#drawn = { data, width, last: Math.max(...data.shares) };
      this.#arrange();
    }
    const x = this.#x(share);
    this.#grip.replaceChildren(
      draw("circle", { cx: x, cy: LINE, r: GRIP }),
      draw("text", { x: Math.max(HALF, Math.min(x, width - HALF)), y: HIGH - 4, "text-anchor": "middle", class: "now halo" }, chosenShare(this.model)),
    );
    tellShare(this.element, this.model, Math.round(100 * this.#drawn.last), sentence(this.model));
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
      width < WIDE ? "" : draw("text", { x: end, y: 13, "text-anchor": "end" }, "each small dot: a published test set"),
      draw("path", { class: "own", d: `M${own} ${LINE - 14}l-6 -11h12z` }),
      draw("text", { x: own, y: LINE - 28, "text-anchor": "middle", class: "halo" }, data.set || "this set"),
      ...protocols.flatMap((protocol, n) =>
        this.#protocol(data.sets.filter((set) => set.protocol === protocol), protocol, width < NARROW && n > 0)),
    );
  }

  /** A bracket from the first to the last set of a protocol, its name, and a dot for each set, stacked where they meet. */
  #protocol(sets, protocol, isAtEnd) {
    const places = sets.map(({ share }) => this.#x(share)), kind = protocol.toLowerCase();
    const [first, last] = [Math.min(...places), Math.max(...places)];
    const what = this.#drawn.width < NARROW ? "" : { ESA: ", 0 to 100 points", MQM: ", errors marked by experts" }[protocol] ?? "";
    const span = `${protocol}${what}: ${parseInt(percent(sets[0].share), 10)}–${percent(sets.at(-1).share)}`, x = isAtEnd ? last + DOT : Math.max(2, first - DOT);
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

// --------------------------------------------------------------------------------------------------------------------
// Which rank does each metric have at this share? A row for each, which moves to its place; pressing one makes it stand out.

class Rows extends ShareRows {
  element = make("div", { class: "lanes", role: "group", "aria-label": "Metrics at this share" });

  write({ row, dot, rank, number }, { metric, value }) {
    const { data, at } = this.model, now = metric.ranks[at], own = data.metrics.find(({ name }) => name === metric.of);
    const isAsked = data.asks && metric.kind === "sentinel", over = `, over published sets ${metric.best} to ${metric.worst}, ${data.label} ${written(value)}`;
    row.setAttribute("aria-label", `${metric.short}: rank ${isAsked ? "?" : now ?? "undefined"} of ${data.total}${data.asks ? "" : over}`);
    row.dataset.rank = now;
    dot.hidden = now === null;
    dot.style.left = `${this.#left(isAsked ? own.ranks[at] : now)}%`; // an empty one at its metric's place: which way does it go?
    rank.textContent = isAsked ? "?" : now ?? "–";
    number.textContent = isAsked ? "" : written(value);
  }

  /** Where a rank lies in its lane, in percent. */
  #left(rank) {
    return (100 * (rank - 1)) / Math.max(1, this.model.data.total - 1);
  }

  fill({ name, short, best, worst }) {
    const dot = make("i", { class: "dot" }), rank = make("b", { class: "rank" }), number = make("span", { class: "value" });
    const span = make("i", { class: "span answer" });
    if (best === null) span.hidden = true;
    span.style.left = `${this.#left(best)}%`;
    span.style.width = `${this.#left(worst) - this.#left(best)}%`;
    const interval = best === null ? "–" : best === worst ? `${best}` : `${best}–${worst}`;
    return { dot, rank, number, children: [make("span", { class: "name", title: name }, short), rank,
      make("span", { class: "lane" }, make("span", { class: "inner" }, span, dot)), make("span", { class: "interval answer" }, interval), number] };
  }

  place(rows) {
    const { total, label } = this.model.data;
    const head = make("div", { class: "head", "aria-hidden": "true" }, make("span", { class: "name" }, "Metric"), make("span", { class: "rank" }, "Rank"),
      make("span", { class: "ends" }, make("span", {}, "1, best"), make("span", {}, `${total}`)), make("span", { class: "interval answer" }, "From, to"),
      make("span", { class: "value" }, withIndex(label)));
    this.element.replaceChildren(head, make("div", { class: "rows" }, ...rows));
  }
}

// --------------------------------------------------------------------------------------------------------------------
// What does the protocol do to the metric that stands out? In one sentence.

/** A share in percent that no line breaks. */
const unbroken = (share) => percent(share).replace(" ", "\u00A0");

/** Its rank here, and that of its sentinel. */
function sentence({ data, chosen, at, share }) { // without the noise, as long as the reader is to guess
  const tie = isOfMean(data) ? `people's ties weigh ${unbroken(share)} in the mean` : `people tie ${unbroken(share)} of the pairs${like(data.sets, share)}`;
  if (data.asks) return `Here ${tie}${tie.endsWith("ESA") ? ": raters give 0 to 100 points" : ""}.`; // a rank would tell too much
  const { short } = data.metrics.find(({ name }) => name === chosen);
  const [own, noise] = [false, true].map((is) => data.metrics.find(({ kind, of }) => of === chosen && (kind === "sentinel") === is));
  const now = own?.ranks[at], noisy = noise?.ranks[at];
  const when = `If ${tie}`;
  if (now === undefined || now === null) return `${when}, ${short} has no rank.`;
  const again = Math.abs(own.values[at] - noise?.values[at]) < 0.002 ? ": its best ε ties those scores again" : ""; // or the values would differ
  const beside = noisy === undefined || noisy === null ? "" : `, and with noise rank ${noisy}${again}`;
  return `${when}, ${short} has rank ${now} of ${data.total}${beside}.`;
}

/** Whose share it is, in words: between the lowest and the highest of one protocol. */
function like(sets, share) {
  const protocols = [...new Set(sets.map(({ protocol }) => protocol))];
  const found = protocols.find((protocol) => {
    const shares = sets.filter((set) => set.protocol === protocol).map((set) => set.share);
    return share >= Math.min(...shares) - 0.005 && share <= Math.max(...shares) + 0.005;
  });
  return found === undefined ? "" : `, as with ${found}`;
}
