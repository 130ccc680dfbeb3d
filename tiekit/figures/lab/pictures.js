// What do the two pictures of a metric show, and how are they told in words, painted and saved?

import { paintOn, saveButtons } from "../shared/canvas.js";
import { NO_PAIR } from "../shared/counting.js";
import { cut, minus, roundStep, ticksBetween, widthOf } from "../shared/numbers.js";

const FILE_SIZE = 600;

/** The axes of a metric's scatter; they stand still while a point is dragged. */
export function axesOf({ human, held }, { name, scores }) {
  const metric = held?.name === name ? held.axes.metric : axisOf(scores);
  const side = Math.max(LEAST_SIDE, 10 + Math.max(...metric.ticks.map((tick) => widthOf(minus(tick), TICK)))); // room for its numbers
  return { human: { ...(held?.axes.human ?? axisOf(human)), side }, metric };
}

export const MATRIX = {
  name: "matrix",
  what: "pairs",
  draw(pen, size, model, { kinds, upTo }, theme) {
    const { human, pair, pairs, styles } = model;
    drawMatrix(pen, size, { n: human.length, pairs, kinds, upTo, pair, theme, styles });
  },
  heading: (model, { name, epsilon }) => `Pairs of ${name} at ε = ${model.short(epsilon)}`,
  legend: ({ styles }, { totals }) =>
    styles.map(({ color, on, glyph, label }, kind) => ({ color, on, glyph, label: `${totals[kind]} ${label}` })),
  alt({ styles }, { name, totals }) {
    const words = styles.map(({ label }, kind) => `${totals[kind]} ${label}`).join(", ");
    return `Pairs of ${name}: ${words}. Arrow keys choose a pair.`;
  },
};

export const SCATTER = {
  name: "scatter",
  what: "points",
  draw(pen, size, model, metric, theme) {
    const { human, pair, styles } = model, { name, scores, chosen, epsilon } = metric;
    const axes = axesOf(model, metric), kind = model.kindOfPair(metric);
    drawScatter(pen, size, { human, metric: scores, axes, epsilon, pair, kind, chosen, theme, styles, name });
  },
  heading: (model, { name }) => `Scores of ${name} against the human's`,
  legend: () => [],
  alt({ human }, { name, scores, chosen: item }) {
    const here = item === undefined ? "" : ` Item ${item + 1}: human ${human[item]}, ${name} ${scores[item]}.`;
    return `Scores of ${name} against the human's.${here} Page Up and Page Down choose an item, arrow keys move it.`;
  },
};

/** Paint a picture on its canvas. */
export function paint(canvas, picture, model, metric, theme) {
  paintOn(canvas, (pen, size) => picture.draw(pen, size, model, metric, theme));
  canvas.setAttribute("aria-label", picture.alt(model, metric));
}

/** The buttons that save a picture of the metric at a place. */
export const fileButtons = (picture, model, at, theme) =>
  saveButtons(`the ${picture.what} of ${model.metrics[at].name}`, () => {
    const metric = model.metrics[at];
    return {
      draw: (pen, size) => picture.draw(pen, size, model, metric, theme),
      width: FILE_SIZE,
      height: FILE_SIZE,
      title: picture.alt(model, metric),
      heading: picture.heading(model, metric),
      legend: picture.legend(model, metric),
      ink: theme.ink,
      name: `${metric.name}-${picture.name}`,
      ground: theme.ground,
    };
  });

// --------------------------------------------------------------------------------------------------------------------
// What do the pairs look like? A triangle of items with a cell for each pair.

const LABELED = 13; // pixels of a cell that holds a glyph or a number

/** The side of a cell in a matrix of n items. */
export function sideOf(n, size) {
  const exact = (size - 4) / Math.max(2, n);
  return exact >= 4 ? Math.floor(exact) : exact;
}

/** Where the cell of two items lies in a matrix of n items: its left, its top, its side. */
function cellOf(i, j, n, size) {
  const side = sideOf(n, size);
  return [j * side, i * side, side];
}

/** The pair whose cell holds a point; undefined beside the triangle. */
export function pairAt(x, y, n, size) {
  const side = sideOf(n, size), i = Math.floor(y / side), j = Math.floor(x / side);
  return i >= 0 && j < n && i < j ? [i, j] : undefined;
}

/** Every pair as a cell of the items' triangle, colored and with its glyph, the items' numbers on the diagonal. */
export function drawMatrix(pen, size, { n, pairs, kinds, upTo, pair, theme, styles }) {
  const side = sideOf(n, size), every = side >= LABELED ? 1 : 10;
  for (let item = 0; item < n; item++) {
    const [x, y] = cellOf(item, item, n, size), bold = Boolean(pair?.includes(item));
    const style = { size: Math.min(theme.font, Math.max(11, side * 0.5)), fill: theme.ink, bold };
    if (every === 1) pen.text(x + side / 2, y + side / 2, item + 1, style);
    else if (((item + 1) % every === 0 || bold) && x - 3 > widthOf(item + 1, style.size, bold)) pen.text(x - 3, y + side / 2, item + 1, { ...style, align: "right" });
  }
  for (let p = 0; p < kinds.length; p++) {
    const [x, y] = cellOf(pairs.first[p], pairs.second[p], n, size);
    const gap = side >= 8 ? 1 : 0;
    if (p >= upTo || kinds[p] === NO_PAIR) {
      if (gap) pen.rect(x + 1.5, y + 1.5, side - 3, side - 3, { stroke: theme.pale, width: 1, dash: [2, 3] });
      continue;
    }
    const kind = styles[kinds[p]];
    pen.rect(x + gap / 2, y + gap / 2, side - gap, side - gap, { fill: kind.color });
    if (side >= LABELED) {
      const glyph = { size: Math.min(22, side * 0.6), fill: kind.on, bold: true };
      pen.text(x + side / 2, y + side / 2 + 1, kind.glyph, glyph);
    }
  }
  if (!pair) return;
  const [x, y] = cellOf(pair[0], pair[1], n, size);
  const room = Math.max(3, 9 - side); // a small cell is ringed from further away
  pen.rect(x - room / 2, y - room / 2, side + room, side + room, { stroke: theme.ground, width: 6 });
  pen.rect(x - room / 2, y - room / 2, side + room, side + room, { stroke: theme.ink, width: 3 });
}

// --------------------------------------------------------------------------------------------------------------------
// What do the scores look like? Points, human scores against those of a metric.

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

const LEAST_SIDE = 44, FOOT = 40, TOP = 8, END = 10; // room around the scatter
const TICK = 15, LEAST_TICK = 10; // pixels of type at its axes

const part = (score, { low, high }) => (score - low) / (high - low);

/** The pixel of a score, and the score of a pixel. */
export const acrossOf = (score, axis, size) => axis.side + part(score, axis) * (size - axis.side - END);
export const upOf = (score, axis, size) => size - FOOT - part(score, axis) * (size - FOOT - TOP);
export const scoreAcross = (x, { low, high, side }, size) => low + ((x - side) / (size - side - END)) * (high - low);
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
  const points = pointsOf(view, size), frame = { stroke: theme.pale, width: 1 }, { side } = axes.human;
  const label = { size: theme.font, fill: theme.ink };
  if (pair && points[pair[0]]) {
    const [low, high] = [metric[pair[0]] - epsilon, metric[pair[0]] + epsilon];
    const top = Math.max(TOP, upOf(high, axes.metric, size));
    const foot = Math.min(size - FOOT, upOf(low, axes.metric, size));
    pen.rect(side, top, size - side - END, Math.max(1, foot - top), { fill: theme.ink, alpha: 0.14 });
  }
  pen.line(side, TOP, side, size - FOOT, frame);
  pen.line(side, size - FOOT, size - END, size - FOOT, frame);
  const fitting = (ticks, room) => Math.min(theme.font, (TICK * room) / Math.max(...ticks.map((tick) => widthOf(minus(tick), TICK))));
  const [first, second = Infinity] = axes.human.ticks.map((tick) => acrossOf(tick, axes.human, size)), room = second - first - 8;
  const every = fitting(axes.human.ticks, room) < LEAST_TICK ? 2 : 1, below = fitting(axes.human.ticks, every * room);
  for (const tick of axes.human.ticks.filter((_, n) => n % every === 0))
    pen.text(acrossOf(tick, axes.human, size), size - FOOT + 14, minus(tick), { ...label, size: below });
  const beside = { ...label, size: fitting(axes.metric.ticks, side - 8), align: "right" };
  for (const tick of axes.metric.ticks) pen.text(side - 6, upOf(tick, axes.metric, size), minus(tick), beside);
  pen.text((size + side) / 2, size - 9, "human", { ...label, bold: true });
  pen.text(side + 6, TOP + 6, cut(name, 0.94 * (size - side - END - 6), theme.font, true), { ...label, bold: true, align: "left" });
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
