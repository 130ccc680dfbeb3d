// What do the scores look like? Points, human scores against those of a metric.

import { roundStep, ticksBetween } from "../shared/ticks.js";

/** An axis from the lowest to the highest score with some room, and its ticks. */
export function axisOf(scores) {
  const known = scores.filter((score) => score !== null);
  let low = Math.min(...known), high = Math.max(...known);
  if (!known.length) [low, high] = [0, 1];
  if (low === high) [low, high] = [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];
  const room = (high - low) * 0.12, step = roundStep(high - low);
  [low, high] = [low - room, high + room];
  return { low, high, ticks: ticksBetween(low, high, step) };
}

const SIDE = 44, FOOT = 40, TOP = 8, END = 10; // room around the scatter

const part = (score, { low, high }) => (score - low) / (high - low);

/** The pixel of a score, and the score of a pixel. */
export const acrossOf = (score, axis, size) => SIDE + part(score, axis) * (size - SIDE - END);
export const upOf = (score, axis, size) => size - FOOT - part(score, axis) * (size - FOOT - TOP);
export const scoreAcross = (x, { low, high }, size) => low + ((x - SIDE) / (size - SIDE - END)) * (high - low);
export const scoreUp = (y, { low, high }, size) => low + ((size - FOOT - y) / (size - FOOT - TOP)) * (high - low);

/** Where the items' points lie, null without both scores; equal ones stand aside of one another. */
export function pointsOf({ human, metric, axes }, size) {
  const met = new Map();
  return human.map((score, item) => {
    if (score === null || metric[item] === null) return null;
    const key = `${score} ${metric[item]}`, before = met.get(key) ?? 0;
    met.set(key, before + 1);
    const aside = Math.min(before, 4) * 17;
    return [acrossOf(score, axes.human, size) + aside, upOf(metric[item], axes.metric, size) - aside / 4];
  });
}

/** Human scores against a metric's, the chosen pair joined, and the band of epsilon around its first item. */
export function drawScatter(pen, size, view) {
  const { human, metric, axes, epsilon, pair, kind, chosen, theme, styles, name } = view;
  const points = pointsOf(view, size), frame = { stroke: theme.pale, width: 1 };
  const label = { size: theme.font, fill: theme.ink };
  if (pair && points[pair[0]]) {
    const [low, high] = [metric[pair[0]] - epsilon, metric[pair[0]] + epsilon];
    const top = Math.max(TOP, upOf(high, axes.metric, size));
    const foot = Math.min(size - FOOT, upOf(low, axes.metric, size));
    pen.rect(SIDE, top, size - SIDE - END, Math.max(1, foot - top), { fill: theme.ink, alpha: 0.14 });
  }
  pen.line(SIDE, TOP, SIDE, size - FOOT, frame);
  pen.line(SIDE, size - FOOT, size - END, size - FOOT, frame);
  for (const tick of axes.human.ticks) pen.text(acrossOf(tick, axes.human, size), size - FOOT + 14, tick, label);
  for (const tick of axes.metric.ticks)
    pen.text(SIDE - 6, upOf(tick, axes.metric, size), tick, { ...label, align: "right" });
  pen.text((size + SIDE) / 2, size - 9, "human", { ...label, bold: true });
  pen.text(SIDE + 6, TOP + 6, name, { ...label, bold: true, align: "left" });
  if (pair && points[pair[0]] && points[pair[1]]) {
    const [[x1, y1], [x2, y2]] = pair.map((item) => points[item]);
    pen.line(x1, y1, x2, y2, { stroke: styles[kind]?.color ?? theme.ink, width: 5 });
  }
  const radius = human.length > 40 ? 5 : 10;
  points.forEach((point, item) => {
    if (!point) return;
    const lit = pair?.includes(item) || item === chosen;
    pen.circle(...point, radius, {
      fill: lit ? theme.ink : theme.ground,
      stroke: theme.ink,
      width: lit ? 3 : 1.5,
    });
    if (radius <= 5 && !lit) return;
    const number = { size: theme.font - 2, bold: true, fill: lit ? theme.ground : theme.ink };
    pen.text(point[0], point[1] + 1, item + 1, number);
  });
}
