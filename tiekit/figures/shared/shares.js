// At which share of human ties are the metrics ranked, and which one stands out? Listeners hear of changes.

import { closestTo } from "./curve.js";
import { arrowOf, keep } from "./elements.js";
import { Model, QUIET } from "./mount.js";

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

  /** The metrics with their values at the share, the highest first, and their ranks; values that are written alike share the best one. */
  get ranked() {
    const found = this.data.metrics.map((metric) => ({ metric, value: this.valueOf(metric) }));
    const height = ({ value }) => (Number.isNaN(value) ? -Infinity : value);
    found.sort((a, b) => height(b) - height(a));
    return found.map((one) => ({ ...one, rank: 1 + found.filter((other) => Math.round(1000 * height(other)) > Math.round(1000 * height(one))).length }));
  }
}

// --------------------------------------------------------------------------------------------------------------------
// How is the rule moved? By a pointer anywhere in the picture, and by keys from share to share.

const LEAP = 3; // Page Up and Page Down pass so many shares

/** Let the rule of a picture be moved; `release` is called when the hand lets it go. */
export function listenToShares(picture, model, { tell, release }) {
  const { element } = picture;
  const follow = (event) => model.goNear(picture.shareAt(event.clientX - element.getBoundingClientRect().left));
  element.onpointerdown = (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    model.dragged = true;
    follow(event);
  };
  element.onpointermove = (event) => model.dragged && follow(event);
  element.onpointerup = element.onpointercancel = element.onlostpointercapture = () => {
    if (!model.dragged) return;
    model.dragged = false;
    tell();
    release();
  };
  element.onkeydown = (event) => {
    const to = placeAfter(event, model);
    if (to === undefined) return;
    keep(event);
    model.goTo(to);
    tell(QUIET);
  };
}

/** Where a key leads; undefined if it leads nowhere. */
function placeAfter(event, { at, data }) {
  const [across, up] = arrowOf(event);
  if (across || up) return at + across + up;
  return { Home: 0, End: data.shares.length - 1, PageUp: at + LEAP, PageDown: at - LEAP }[event.key];
}

// --------------------------------------------------------------------------------------------------------------------
// How is a share of human ties written?

export const LEVEL = 0.0005; // what three decimals cannot tell apart

/** A share in percent, whole or with a decimal where it is the set's own. */
export const percent = (share) => `${Number((100 * share).toFixed(1)).toFixed(0)} %`;

/** Whether shares are of the mean over groups, not of all pairs together. */
export const isOfMean = ({ share_of }) => share_of === "mean";

/** A share beside the place where it is chosen. */
export const chosenShare = ({ data, share }) => `${percent(share)} ${isOfMean(data) ? "of the mean" : "tied"}`;

/** What is chosen, as a label. */
export const labelOf = (data) => (isOfMean(data) ? "Share of human ties in the mean over groups" : "Share of pairs that the human ties");

/** What the share is a share of, and how much ties weigh in the mean, where that is known. */
export function simulated({ data, at, share }) {
  if (isOfMean(data)) return `Simulated: human ties weigh ${percent(share)} in the mean over groups, which a constant metric would get.`;
  const weight = data.weights?.[at] ?? null;
  const pooled = `Simulated as Perrella et al. do: human ties are ${percent(share)} of all pairs together.`;
  if (weight === null || Math.abs(weight - share) < LEVEL) return pooled;
  return `${pooled} In the mean they weigh ${Number((100 * weight).toFixed(1))} %, which a constant metric would get: ` +
    "a group that is wholly tied keeps its full weight.";
}
