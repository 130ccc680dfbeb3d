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
