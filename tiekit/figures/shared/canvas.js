// How does a picture get onto a canvas, or into a file? It is drawn by a function of a pen, a width and a height.

import { make, offer } from "./elements.js";
import { canvasPen, svgPen } from "./pens.js";

/** Draw on a canvas, as sharp as the screen is; nothing while it is hidden. */
export function paintOn(canvas, draw) {
  const width = canvas.clientWidth, height = canvas.clientHeight, sharp = window.devicePixelRatio || 1;
  if (!width) return;
  const size = [width, height].map((length) => Math.round(length * sharp));
  if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
  const context = canvas.getContext("2d");
  context.setTransform(sharp, 0, 0, sharp, 0, 0);
  context.clearRect(0, 0, width, height);
  draw(canvasPen(context), width, height);
}

const LINE = 28; // pixels of a line of words in a file
const MARGIN = 12;

/**
 * Offer a picture as an SVG or PNG file on a ground of its own. Outside of its page it needs words: a `heading` above it,
 * and below it a `legend`, a list of { color, on, glyph, label }, both in `ink`.
 */
export function savePicture({ draw, width, height, title, name, ground, heading, legend = [], ink }, type) {
  const file = `${name}.${type}`.replace(/[^\w.-]+/g, "_"), foot = legend.length ? legend.length * LINE + MARGIN : 0;
  const top = heading ? LINE + MARGIN : 0, whole = top + height + foot;
  const all = (pen) => {
    pen.rect(0, 0, width, whole, { fill: ground });
    if (heading) pen.text(MARGIN, top / 2, heading, { size: 18, fill: ink, align: "left", bold: true });
    draw(shifted(pen, top), width, height);
    legend.forEach(({ color, on, glyph, label }, line) => {
      const middle = top + height + (line + 0.5) * LINE, side = LINE - 6;
      pen.rect(MARGIN, middle - side / 2, side, side, { fill: color });
      pen.text(MARGIN + side / 2, middle + 1, glyph, { size: 15, fill: on, bold: true });
      pen.text(MARGIN + LINE, middle, label, { size: 16, fill: ink, align: "left" });
    });
  };
  if (type === "svg") {
    const pen = svgPen(width, whole);
    all(pen);
    return offer(new Blob([pen.file(title)], { type: "image/svg+xml" }), file);
  }
  const canvas = make("canvas", { width: 2 * width, height: 2 * whole }), context = canvas.getContext("2d");
  context.scale(2, 2);
  all(canvasPen(context));
  return canvas.toBlob((blob) => offer(blob, file));
}

/** A pen that draws lower by so many pixels. */
function shifted(pen, by) {
  return {
    rect: (x, y, ...rest) => pen.rect(x, y + by, ...rest),
    circle: (x, y, ...rest) => pen.circle(x, y + by, ...rest),
    line: (x1, y1, x2, y2, style) => pen.line(x1, y1 + by, x2, y2 + by, style),
    text: (x, y, ...rest) => pen.text(x, y + by, ...rest),
  };
}

/** The buttons that save a picture, which `picture` describes at that time; `words` name it. */
export function saveButtons(words, picture) {
  const button = (type, label) => make("button", {
    type: "button", class: "save", onclick: () => savePicture(picture(), type), "aria-label": `Save ${words} as ${label}`,
  }, label);
  return make("p", { class: "files" }, button("svg", "SVG"), button("png", "PNG"));
}
