// What do the two pictures of a metric show, and how are they told in words, painted and saved?

import { paintOn, saveButtons } from "../shared/canvas.js";
import { drawMatrix } from "./matrix.js";
import { axisOf, drawScatter } from "./scatter.js";

const FILE_SIZE = 600;

/** The axes of a metric's scatter; they stand still while a point is dragged. */
export const axesOf = ({ human, held }, { name, scores }) => ({
  human: held?.axes.human ?? axisOf(human),
  metric: held?.name === name ? held.axes.metric : axisOf(scores),
});

export const MATRIX = {
  name: "matrix",
  what: "pairs",
  draw(pen, size, model, { kinds, upTo }, theme) {
    const { human, pair, pairs, styles } = model;
    drawMatrix(pen, size, { n: human.length, pairs, kinds, upTo, pair, theme, styles });
  },
  heading: (model, { name, epsilon }) => `Pairs of ${name} at ε = ${epsilon}`,
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
