// What do the pairs look like? A triangle of items with a cell for each pair.

import { NO_PAIR } from "../shared/counting.js";

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
    else if ((item + 1) % every === 0 || bold) pen.text(x - 3, y + side / 2, item + 1, { ...style, align: "right" });
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
