// Where do names stand beside a chart? Near their marks, without covering one another.

/** The heights of labels, ascending like the wanted ones: at least a gap apart, and moved as little as possible. */
export function spread(wanted, gap, low, high) {
  const blocks = []; // labels that touch, with the mean of where they would like to be
  wanted.forEach((y, n) => {
    blocks.push({ sum: y - n * gap, size: 1 });
    for (let last = blocks.length - 1; last > 0; last--) {
      const [before, block] = [blocks[last - 1], blocks[last]];
      if (before.sum / before.size <= block.sum / block.size) break;
      blocks.splice(last - 1, 2, { sum: before.sum + block.sum, size: before.size + block.size });
    }
  });
  const top = high - (wanted.length - 1) * gap;
  return blocks.flatMap(({ sum, size }) => Array(size).fill(Math.max(low, Math.min(top, sum / size))))
    .map((y, n) => y + n * gap);
}

/** Of labels that stand at their own heights, those that no earlier one covers. */
export function apart(labels, gap) {
  return labels.reduce((kept, one) => (kept.every(({ y }) => Math.abs(y - one.y) >= gap) ? [...kept, one] : kept), []);
}

/** As many of the ranked ones as have room, the best first and the chosen one always. */
export function fitting(ranked, chosen, [low, high], gap) {
  const most = Math.max(1, Math.floor((high - low) / gap) + 1);
  if (ranked.length <= most) return ranked;
  return [...ranked.filter((one) => one !== chosen).slice(0, most - 1), chosen];
}

const WIDE = 0.55; // an average letter's width, in its size

/** A name that fits a width, with an ellipsis in it where it is cut: its end may tell it from others. */
export function cut(name, width, size, bold = false) {
  const letters = Math.max(4, Math.floor(width / (size * WIDE * (bold ? 1.06 : 1))));
  if (name.length <= letters) return name;
  const end = Math.min(8, Math.floor(letters / 2));
  return `${name.slice(0, letters - 1 - end)}…${name.slice(-end)}`;
}
