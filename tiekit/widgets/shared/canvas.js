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

/** Offer a picture as an SVG or PNG file on a ground of its own. */
export function savePicture({ draw, width, height, title, name, ground }, type) {
  const file = `${name}.${type}`.replace(/[^\w.-]+/g, "_");
  const all = (pen) => {
    pen.rect(0, 0, width, height, { fill: ground });
    draw(pen, width, height);
  };
  if (type === "svg") {
    const pen = svgPen(width, height);
    all(pen);
    return offer(new Blob([pen.file(title)], { type: "image/svg+xml" }), file);
  }
  const canvas = make("canvas", { width: 2 * width, height: 2 * height }), context = canvas.getContext("2d");
  context.scale(2, 2);
  all(canvasPen(context));
  return canvas.toBlob((blob) => offer(blob, file));
}

/** The buttons that save a picture, which `picture` describes at that time; `words` name it. */
export function saveButtons(words, picture) {
  const button = (type, label) => make("button", {
    type: "button", class: "save", onclick: () => savePicture(picture(), type), "aria-label": `Save ${words} as ${label}`,
  }, label);
  return make("p", { class: "files" }, button("svg", "SVG"), button("png", "PNG"));
}
