// Where do values stand? Both charts share one vertical scale, so that a value is at the same height in both.

import { ticksBetween } from "../shared/numbers.js";

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

/** The lowest and highest value of all curves and of the constant metric, with some room, and round ticks between. */
export function scaleOf({ curves, constant }) {
  const values = curves.flatMap((curve) => curve.values).concat(constant).filter((value) => value !== null);
  const low = Math.min(...values), high = Math.max(...values), room = (high - low || 0.1) * 0.06;
  const [from, to] = [low - room, high + room], step = STEPS.find((one) => (to - from) / one <= 7) ?? 1;
  return { from, to, ticks: ticksBetween(from, to, step), digits: step < 0.1 ? 2 : 1 };
}

/** The height of a value in pixels, between `top` and `foot`. */
export const heightOf = (value, { from, to }, top, foot) => foot - ((value - from) / (to - from)) * (foot - top);
