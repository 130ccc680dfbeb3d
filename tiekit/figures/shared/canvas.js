// How does a picture get onto a canvas, or into a file? It is drawn by a function of a pen, a width and a height.

import { make, offer } from "./elements.js";

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

// --------------------------------------------------------------------------------------------------------------------
// How is a stroke drawn? On a canvas or into an SVG file, by pens of the same methods.

const FONT = "'Source Sans', 'Source Sans 3', sans-serif";
const ANCHOR = { left: "start", center: "middle", right: "end" };
const escaped = (words) => String(words).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Draws on a canvas. */
export function canvasPen(context) {
  const set = ({ fill, stroke, width = 1, dash = [], alpha = 1 }) => {
    context.globalAlpha = alpha;
    context.fillStyle = fill ?? "transparent";
    context.strokeStyle = stroke ?? "transparent";
    context.lineWidth = width;
    context.setLineDash(dash);
  };
  return {
    rect(x, y, w, h, style) {
      if (style.stroke) {
        set(style);
        context.strokeRect(x, y, w, h);
      } else { // of these a matrix has thousands
        context.globalAlpha = style.alpha ?? 1;
        context.fillStyle = style.fill;
        context.fillRect(x, y, w, h);
      }
    },
    circle(x, y, r, style) {
      set(style);
      context.beginPath();
      context.arc(x, y, r, 0, 2 * Math.PI);
      context.fill();
      context.stroke();
    },
    line(x1, y1, x2, y2, style) {
      set(style);
      context.beginPath();
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
      context.stroke();
    },
    text(x, y, words, { size, align = "center", bold = false, ...style }) {
      set(style);
      context.font = `${bold ? 700 : 400} ${size}px ${FONT}`;
      context.textAlign = align;
      context.textBaseline = "middle";
      context.fillText(words, x, y);
    },
  };
}

/** Writes the same strokes as an SVG file. */
export function svgPen(width, height) {
  const marks = [];
  const attributes = ({ fill = "none", stroke = "none", width: line = 1, dash = [], alpha = 1 }) =>
    `fill="${fill}" stroke="${stroke}" stroke-width="${line}" stroke-dasharray="${dash.join(" ")}" opacity="${alpha}"`;
  return {
    rect: (x, y, w, h, s) => marks.push(`<rect x="${x}" y="${y}" width="${w}" height="${h}" ${attributes(s)}/>`),
    circle: (x, y, r, s) => marks.push(`<circle cx="${x}" cy="${y}" r="${r}" ${attributes(s)}/>`),
    line: (x1, y1, x2, y2, s) =>
      marks.push(`<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" ${attributes(s)}/>`),
    text: (x, y, words, { size, align = "center", bold = false, ...s }) =>
      marks.push(
        `<text x="${x}" y="${y}" font-size="${size}" font-weight="${bold ? 700 : 400}" dominant-baseline="central" ` +
          `text-anchor="${ANCHOR[align]}" ${attributes(s)}>${escaped(words)}</text>`,
      ),
    file: (title) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="${escaped(FONT)}">` +
      `<title>${escaped(title)}</title>${marks.join("")}</svg>`,
  };
}

// --------------------------------------------------------------------------------------------------------------------
// In which colors and what size is drawn? Those that the page has at the moment, for canvases know no CSS.

export class Theme {
  #root;

  constructor(root) {
    this.#root = root;
  }

  /** A theme can be the first of a figure's views. */
  show() {
    this.read();
  }

  read() {
    const style = getComputedStyle(this.#root);
    this.ink = style.color;
    this.ground = style.backgroundColor;
    this.pale = style.caretColor;
    this.font = Math.round(parseFloat(style.fontSize) * 0.85);
  }
}
