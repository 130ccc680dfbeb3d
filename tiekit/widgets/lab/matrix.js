// What do the pairs look like? A triangle of items with a cell for each pair.

import { NO_PAIR } from "../shared/counting.js";

const LABELS = 30; // room for item numbers, beside and above

/** Where the cell of a pair lies in a matrix of n items: its left, its top, its side. */
function cellOf(i, j, n, size) {
  const exact = (size - LABELS - 4) / Math.max(1, n - 1);
  const side = exact >= 4 ? Math.floor(exact) : exact;
  return [LABELS + (j - 1) * side, LABELS + i * side, side];
}

/** The pair whose cell holds a point; undefined beside the triangle. */
export function pairAt(x, y, n, size) {
  const side = cellOf(0, 1, n, size)[2];
  const i = Math.floor((y - LABELS) / side), j = Math.floor((x - LABELS) / side) + 1;
  return i >= 0 && j < n && i < j ? [i, j] : undefined;
}

/** Every pair as a cell of the items' triangle, colored and with its glyph; pairs not yet counted are left empty. */
export function drawMatrix(pen, size, { n, pairs, kinds, upTo, pair, theme, styles }) {
  const side = cellOf(0, 1, n, size)[2];
  const every = n <= 20 ? 1 : 10;
  for (let item = 0; item < n; item++) {
    const [x] = cellOf(0, item, n, size), [, y] = cellOf(item, n, n, size);
    const label = (bold) => ({ size: theme.font, fill: theme.ink, bold });
    const told = (item + 1) % every === 0, [above, beside] = [item === pair?.[1], item === pair?.[0]];
    if (item > 0 && (told || above)) pen.text(x + side / 2, LABELS - 12, item + 1, label(above));
    if (item < n - 1 && (told || beside)) pen.text(LABELS - 14, y + side / 2, item + 1, label(beside));
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
    if (side >= 13) {
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
