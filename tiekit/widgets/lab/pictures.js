// What do the two pictures of a metric show, and how are they told in words, painted and saved?

import { make, offer } from "../shared/elements.js";
import { drawMatrix } from "./matrix.js";
import { canvasPen, svgPen } from "../shared/pens.js";
import { axisOf, drawScatter } from "./scatter.js";

const FILE_SIZE = 600;

/** The axes of a metric's scatter; they stand still while a point is dragged. */
export const axesOf = ({ human, held }, { scores }) =>
  held?.axes ?? { human: axisOf(human), metric: axisOf(scores) };

export const MATRIX = {
  name: "matrix",
  draw(pen, size, model, { kinds, upTo }, theme) {
    const { human, pair, pairs, styles } = model;
    drawMatrix(pen, size, { n: human.length, pairs, kinds, upTo, pair, theme, styles });
  },
  alt({ styles }, { name, totals }) {
    const words = styles.map(({ label }, kind) => `${totals[kind]} ${label}`).join(", ");
    return `Pairs of ${name}: ${words}. Arrow keys choose a pair.`;
  },
};

export const SCATTER = {
  name: "scatter",
  draw(pen, size, model, metric, theme) {
    const { human, pair, epsilon, styles } = model, { name, scores, chosen } = metric;
    const axes = axesOf(model, metric), kind = model.kindOfPair(metric);
    drawScatter(pen, size, { human, metric: scores, axes, epsilon, pair, kind, chosen, theme, styles, name });
  },
  alt({ human }, { name, scores, chosen: item }) {
    const here = item === undefined ? "" : ` Item ${item + 1}: human ${human[item]}, ${name} ${scores[item]}.`;
    return `Scores of ${name} against the human's.${here} Page Up and Page Down choose an item, arrow keys move it.`;
  },
};

/** Paint a picture on its canvas, as sharp as the screen is. */
export function paint(canvas, picture, model, metric, theme) {
  const size = canvas.clientWidth;
  if (!size) return;
  const sharp = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(size * sharp)) canvas.width = canvas.height = Math.round(size * sharp);
  const context = canvas.getContext("2d");
  context.setTransform(sharp, 0, 0, sharp, 0, 0);
  context.clearRect(0, 0, size, size);
  picture.draw(canvasPen(context), size, model, metric, theme);
  canvas.setAttribute("aria-label", picture.alt(model, metric));
}

/** The buttons that save a picture of the metric at a place. */
export function fileButtons(picture, model, at, theme) {
  const button = (type, words) => make("button", {
    type: "button", class: "save", onclick: () => save(picture, model, model.metrics[at], theme, type),
    "aria-label": `Save this picture of ${model.metrics[at].name} as ${words}`,
  }, words);
  return make("p", { class: "files" }, button("svg", "SVG"), button("png", "PNG"));
}

function save(picture, model, metric, theme, type) {
  const name = `${metric.name}-${picture.name}.${type}`.replace(/[^\w.-]+/g, "_");
  const draw = (pen) => {
    pen.rect(0, 0, FILE_SIZE, FILE_SIZE, { fill: theme.ground });
    picture.draw(pen, FILE_SIZE, model, metric, theme);
  };
  if (type === "svg") {
    const pen = svgPen(FILE_SIZE, FILE_SIZE);
    draw(pen);
    return offer(new Blob([pen.file(picture.alt(model, metric))], { type: "image/svg+xml" }), name);
  }
  const canvas = make("canvas", { width: 2 * FILE_SIZE, height: 2 * FILE_SIZE }), context = canvas.getContext("2d");
  context.scale(2, 2);
  draw(canvasPen(context));
  return canvas.toBlob((blob) => offer(blob, name));
}
