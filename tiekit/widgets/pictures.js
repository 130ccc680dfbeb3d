// What do the pairs look like? The matrix of pairs and the scatter of scores, drawn with a pen: a canvas or an SVG file.

/** Draws on a canvas. */
function canvasPen(context) {
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

const FONT = "'Source Sans', 'Source Sans 3', sans-serif";
const ANCHOR = { left: "start", center: "middle", right: "end" };
const escaped = (words) => String(words).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Writes the same strokes as an SVG file. */
function svgPen(width, height) {
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

const LABELS = 30; // room for item numbers, beside and above

/** Where the cell of a pair lies in a matrix of n items: its left, its top, its side. */
function cellOf(i, j, n, size) {
  const exact = (size - LABELS - 4) / Math.max(1, n - 1);
  const side = exact >= 4 ? Math.floor(exact) : exact;
  return [LABELS + (j - 1) * side, LABELS + i * side, side];
}

/** The pair whose cell holds a point; undefined beside the triangle. */
function pairAt(x, y, n, size) {
  const side = cellOf(0, 1, n, size)[2];
  const i = Math.floor((y - LABELS) / side), j = Math.floor((x - LABELS) / side) + 1;
  return i >= 0 && j < n && i < j ? [i, j] : undefined;
}

/** Every pair as a cell of the items' triangle, coloured and with its glyph; pairs not yet counted are left empty. */
function drawMatrix(pen, size, { n, pairs, kinds, upTo, pair, style }) {
  const side = cellOf(0, 1, n, size)[2];
  const every = n <= 20 ? 1 : 10;
  for (let item = 0; item < n; item++) {
    const [x] = cellOf(0, item, n, size), [, y] = cellOf(item, n, n, size);
    const label = (bold) => ({ size: style.font, fill: style.ink, bold });
    const told = (item + 1) % every === 0, [above, beside] = [item === pair?.[1], item === pair?.[0]];
    if (item > 0 && (told || above)) pen.text(x + side / 2, LABELS - 12, item + 1, label(above));
    if (item < n - 1 && (told || beside)) pen.text(LABELS - 14, y + side / 2, item + 1, label(beside));
  }
  for (let p = 0; p < kinds.length; p++) {
    const [x, y] = cellOf(pairs.first[p], pairs.second[p], n, size);
    const gap = side >= 8 ? 1 : 0;
    if (p >= upTo || kinds[p] === NO_PAIR) {
      if (gap) pen.rect(x + 1.5, y + 1.5, side - 3, side - 3, { stroke: style.pale, width: 1, dash: [2, 3] });
      continue;
    }
    const kind = style.kinds[kinds[p]];
    pen.rect(x + gap / 2, y + gap / 2, side - gap, side - gap, { fill: kind.colour });
    if (side >= 13) {
      const glyph = { size: Math.min(22, side * 0.6), fill: kind.on, bold: true };
      pen.text(x + side / 2, y + side / 2 + 1, kind.glyph, glyph);
    }
  }
  if (!pair) return;
  const [x, y] = cellOf(pair[0], pair[1], n, size);
  const room = Math.max(3, 9 - side); // a small cell is ringed from further away
  pen.rect(x - room / 2, y - room / 2, side + room, side + room, { stroke: style.ground, width: 6 });
  pen.rect(x - room / 2, y - room / 2, side + room, side + room, { stroke: style.ink, width: 3 });
}

/** A round number of at least a tenth of a span, from which it takes at most ten steps to cross it. */
function roundStep(span) {
  const power = 10 ** Math.floor(Math.log10(span));
  return [0.1, 0.2, 0.5, 1].map((part) => part * power).find((step) => span / step <= 6) ?? power;
}

/** An axis from the lowest to the highest score with some room, and its ticks. */
function axisOf(scores) {
  const known = scores.filter((score) => score !== null);
  let low = Math.min(...known), high = Math.max(...known);
  if (!known.length) [low, high] = [0, 1];
  if (low === high) [low, high] = [low - (Math.abs(low) || 1) / 2, high + (Math.abs(high) || 1) / 2];
  const room = (high - low) * 0.12, tick = roundStep(high - low);
  [low, high] = [low - room, high + room];
  const ticks = [];
  for (let at = Math.ceil(low / tick); at * tick <= high && ticks.length < 20; at++) ticks.push(at * tick);
  return { low, high, ticks: ticks.map((value) => Number(value.toPrecision(10))) };
}

const SIDE = 44, FOOT = 40, TOP = 8; // room around the scatter

const acrossOf = (score, axis, size) => SIDE + ((score - axis.low) / (axis.high - axis.low)) * (size - SIDE - 10);
const upOf = (score, axis, size) => size - FOOT - ((score - axis.low) / (axis.high - axis.low)) * (size - FOOT - TOP);
const scoreAcross = (x, axis, size) => axis.low + ((x - SIDE) / (size - SIDE - 10)) * (axis.high - axis.low);
const scoreUp = (y, axis, size) => axis.low + ((size - FOOT - y) / (size - FOOT - TOP)) * (axis.high - axis.low);

/** Where the items' points lie, null without both scores; equal ones stand aside of one another. */
function pointsOf({ human, metric, axes }, size) {
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
function drawScatter(pen, size, view) {
  const { human, metric, axes, epsilon, pair, kind, chosen, style, name } = view;
  const points = pointsOf(view, size), frame = { stroke: style.pale, width: 1 };
  const label = { size: style.font, fill: style.ink };
  if (pair && points[pair[0]]) {
    const [low, high] = [metric[pair[0]] - epsilon, metric[pair[0]] + epsilon];
    const top = Math.max(TOP, upOf(high, axes.metric, size)), foot = Math.min(size - FOOT, upOf(low, axes.metric, size));
    pen.rect(SIDE, top, size - SIDE - 10, Math.max(1, foot - top), { fill: style.ink, alpha: 0.14 });
  }
  pen.line(SIDE, TOP, SIDE, size - FOOT, frame);
  pen.line(SIDE, size - FOOT, size - 10, size - FOOT, frame);
  for (const tick of axes.human.ticks) pen.text(acrossOf(tick, axes.human, size), size - FOOT + 14, tick, label);
  for (const tick of axes.metric.ticks)
    pen.text(SIDE - 6, upOf(tick, axes.metric, size), tick, { ...label, align: "right" });
  pen.text((size + SIDE) / 2, size - 9, "human", { ...label, bold: true });
  pen.text(SIDE + 6, TOP + 6, name, { ...label, bold: true, align: "left" });
  if (pair && points[pair[0]] && points[pair[1]]) {
    const [[x1, y1], [x2, y2]] = pair.map((item) => points[item]);
    pen.line(x1, y1, x2, y2, { stroke: style.kinds[kind]?.colour ?? style.ink, width: 5 });
  }
  const radius = human.length > 40 ? 5 : 10;
  points.forEach((point, item) => {
    if (!point) return;
    const lit = pair?.includes(item) || item === chosen;
    pen.circle(...point, radius, {
      fill: lit ? style.ink : style.ground,
      stroke: style.ink,
      width: lit ? 3 : 1.5,
    });
    if (radius > 5 || lit)
      pen.text(point[0], point[1] + 1, item + 1, { size: style.font - 2, bold: true, fill: lit ? style.ground : style.ink });
  });
}
