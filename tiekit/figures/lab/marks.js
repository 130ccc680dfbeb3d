// By which color and which shape is a metric known? The same ones in every picture of the lab.

import { make } from "../shared/elements.js";

const SHAPES = ["circle", "diamond", "square", "up", "down", "cross"];

/** The color of the metric at a place, which the style sheet makes fit the ground. */
export const hueOf = (at) => `var(--metric-${at % SHAPES.length})`;

/** The shape of the metric at a place, in its color; readers of the screen hear the name beside it. */
export function markOf(at) {
  const mark = make("span", { class: `mark ${SHAPES[at % SHAPES.length]}`, "aria-hidden": "true" });
  mark.style.background = hueOf(at);
  return mark;
}
