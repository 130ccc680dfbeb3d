// What do the scores look like? Points, human scores against those of a metric.

import { roundStep, ticksBetween } from "../shared/numbers.js";

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

/** Where the items' points lie, null without both scores. */
export const pointsOf = ({ human, metric, axes }, size) => human.map((score, item) =>
  score === null || metric[item] === null
    ? null
    : [acrossOf(score, axes.human, size), upOf(metric[item], axes.metric, size)]);

/** The items at each place where a point lies. */
export function pilesOf({ human, metric }) {
  const items = human.map((_, item) => item).filter((item) => human[item] !== null && metric[item] !== null);
  return [...Map.groupBy(items, (item) => `${human[item]} ${metric[item]}`).values()];
}

/** The numbers of items: all of a few, else the first and how many more. */
const numbersOf = (items) =>
  items.length <= 4 ? items.map((item) => item + 1).join(", ") : `${items[0] + 1} and ${items.length - 1} more`;

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
  for (const items of pilesOf(view)) {
    const point = points[items[0]], lit = items.some((item) => pair?.includes(item) || item === chosen);
    for (let ring = Math.min(items.length - 1, 3); ring > 0; ring--)
      pen.circle(...point, radius + 3 * ring, { stroke: theme.ink, width: 1 });
    pen.circle(...point, radius, {
      fill: lit ? theme.ink : theme.ground,
      stroke: theme.ink,
      width: lit ? 3 : 1.5,
    });
    if (radius <= 5 && !lit) continue;
    const number = { size: theme.font - 2, bold: true, fill: lit ? theme.ground : theme.ink };
    const one = items.includes(chosen) ? chosen : (items.find((item) => pair?.includes(item)) ?? items[0]);
    pen.text(point[0], point[1] + 1, items.length > 1 ? (lit ? one + 1 : `×${items.length}`) : one + 1, number);
    if (items.length < 2) continue;
    const right = point[0] > size / 2, aside = radius + 14;
    const style = { size: theme.font - 2, fill: theme.ink, align: right ? "right" : "left" };
    pen.text(point[0] + (right ? -aside : aside), point[1], numbersOf(items), style);
  }
}
