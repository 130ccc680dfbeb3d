// At which share of human ties are the metrics ranked, and which one stands out? Listeners hear of changes.

import { closestTo } from "./curve.js";
import { keep, listenToDrag, make, placeAfter, readInOrder, set } from "./elements.js";
import { Model, mount, QUIET, say, spoken, View } from "./mount.js";

export class Shares extends Model {
  at = 0; // the place of the share
  chosen = ""; // the metric that stands out, with its sentinel
  dragged = false;

  take(data) {
    super.take(data);
    this.chosen = data.chosen;
    this.at = closestTo(data.shares, data.share);
  }

  choose(name) {
    this.chosen = this.data.metrics.find((metric) => metric.name === name).of;
    this.changed();
  }

  goTo(at) {
    this.at = Math.max(0, Math.min(at, this.data.shares.length - 1));
    this.changed();
  }

  goNear(share) {
    this.goTo(closestTo(this.data.shares, share));
  }

  get share() {
    return this.data.shares[this.at];
  }

  /** A metric's value at the share, NaN where it is undefined. */
  valueOf({ values }) {
    return values[this.at] ?? NaN;
  }

  /** The metrics with their values at the share, without sentinels while the reader is to guess, the highest first, and their ranks; see `isAbove`. */
  get ranked() {
    const { metrics, asks } = this.data, found = metrics.filter(({ kind }) => !asks || kind !== "sentinel").map((metric) => ({ metric, value: this.valueOf(metric) }));
    const height = ({ value }) => (Number.isNaN(value) ? -Infinity : value);
    found.sort((a, b) => height(b) - height(a));
    return found.map((one) => ({ ...one, rank: 1 + found.filter((other) => isAbove(height(other), height(one))).length }));
  }
}

// --------------------------------------------------------------------------------------------------------------------
// What do both figures do? A picture with a rule that is dragged, and rows that re-sort, of which one stands out.

const LEAP = 3; // Page Up and Page Down pass so many shares

/** Open a figure; `parts(model, change)` makes its picture, its rows, their frame, a sentence and a note. */
export function openShares(host, name, parts) {
  const model = new Shares();
  return mount(host, name, model, ({ tell, release }) => {
    const change = (wait = 0) => tell({ chosen: model.chosen, share: model.share }, wait);
    const said = spoken("said"), small = make("p", { class: "note" });
    const { picture, rows, frame, sentence, note } = parts(model, change);
    const done = () => {
      change();
      release();
    };
    listenToDrag(picture.element, model, { pick: () => model.data.asks, follow: (x) => model.goNear(picture.shareAt(x)), done }); // the question is about this share
    picture.element.onkeydown = (event) => {
      const to = placeAfter(event, model.at, model.data.shares.length - 1, LEAP);
      if (to === undefined || model.data.asks) return;
      keep(event);
      model.goTo(to);
      change(QUIET);
    };
    return {
      fits: true,
      children: [said, ...frame, small],
      views: [picture, rows],
      isHeld: () => model.dragged,
      show() {
        say(said, sentence(model));
        small.textContent = note(model);
      },
    };
  });
}

/** A row for each metric, which moves to its place at the share; pressing one makes its metric stand out. */
export class ShareRows extends View {
  parts; // of each metric's row, by name
  #made; // of which metrics

  /** Make and sort the rows; `make(metric)` fills a row, `show(parts, ranked)` writes what is known at this share. */
  show() {
    const { data, ranked, chosen } = this.model;
    if (this.#made !== data.metrics) this.#make(data);
    const asked = data.metrics.filter(({ kind, of }) => data.asks && kind === "sentinel" && of === chosen).map((metric) => ({ metric, value: NaN }));
    for (const { row } of this.parts.values()) row.hidden = true;
    ranked.flatMap((one) => (one.metric.name === chosen ? [one, ...asked] : [one])).forEach((one, place) => {
      const parts = this.parts.get(one.metric.name);
      parts.row.hidden = false;
      parts.row.style.transform = `translateY(${100 * place}%)`;
      parts.row.setAttribute("aria-pressed", one.metric.of === chosen);
      parts.row.disabled = Boolean(data.asks); // the question is about the chosen one
      this.write(parts, one);
    });
    readInOrder(ranked.map(({ metric }) => this.parts.get(metric.name).row));
  }

  #make(data) {
    this.#made = data.metrics;
    this.parts = new Map(data.metrics.map((metric) => {
      const { children, ...parts } = this.fill(metric);
      const row = make("button", { type: "button", class: `row ${metric.kind}`, "data-metric": metric.name, onclick: () => {
        this.model.choose(metric.name);
        this.act(QUIET);
      } }, ...children);
      return [metric.name, { row, ...parts }];
    }));
    this.element.style.setProperty("--rows", data.metrics.length);
    this.place([...this.parts.values()].map(({ row }) => row));
  }
}

/** What a picture says of its share to those who do not see it. */
export function tellShare(element, { data, share }, most, words) {
  set(element, {
    "aria-label": labelOf(data), "aria-valuemin": 0, "aria-valuemax": most, "aria-valuenow": Math.round(1000 * share) / 10,
    "aria-valuetext": words, "data-share": share, "aria-disabled": Boolean(data.asks),
  });
}

// --------------------------------------------------------------------------------------------------------------------
// How is a share of human ties written?

export const LEVEL = 0.0005; // what three decimals cannot tell apart

/** Whether a value is higher than another: they are written otherwise, and that is not due to rounding alone. */
export const isAbove = (value, other) =>
  value - other > LEVEL && Math.round(1000 * value) > Math.round(1000 * other);

/** A share in percent, whole or with a decimal where it is the set's own. */
export const percent = (share) => `${Number((100 * share).toFixed(1)).toFixed(0)} %`;

/** Whether shares are of the mean over groups, not of all pairs together. */
export const isOfMean = ({ share_of }) => share_of === "mean";

/** A share beside the place where it is chosen. */
export const chosenShare = ({ data, share }) => `${percent(share)} ${isOfMean(data) ? "of the mean" : "tied"}`;

/** What is chosen, as a label. */
const labelOf = (data) => (isOfMean(data) ? "Share of human ties in the mean over groups" : "Share of pairs that the human ties");

/** What the share is a share of, and how much ties weigh in the mean, where that is known. */
export function simulated({ data, at, share }) {
  if (isOfMean(data)) return `Simulated: human ties weigh ${percent(share)} in the mean over groups, which a constant metric would get.`;
  const weight = data.weights?.[at] ?? null;
  const pooled = `Simulated, as by Perrella et al.: pairs are weighted so that people tie ${percent(share)} of them.`;
  if (weight === null || Math.abs(weight - share) < LEVEL) return pooled;
  return `${pooled} Segments in which they tie every pair keep their weight, so a constant metric still gets ` +
    `${Number((100 * weight).toFixed(1))} % right.`;
}
