// Which numbers can be shown, how precisely are they written, and in what steps does a drag move a score?

const DIGITS = 12; // of a number that was computed, so that no rounding of the arithmetic shows

/** A number without the last digits of the arithmetic. */
export const rounded = (value) => Number(value.toPrecision(DIGITS));

/** A score on a grid as fine as the others are written; `fine` divides its steps by ten. */
export function snap(value, scores, fine) {
  const step = gridOf(scores) / (fine ? 10 : 1);
  return rounded(Math.round(value / step) * step);
}

/** The step of a drag: as fine as the scores are written, but no finer than a hundredth of their range. */
export function gridOf(scores) {
  const known = scores.filter((score) => score !== null);
  const range = Math.max(...known) - Math.min(...known) || Math.abs(known[0]) || 1;
  const decimals = (score) => {
    const [digits, exponent] = String(score).split("e");
    return (digits.split(".")[1]?.length ?? 0) - (exponent ?? 0);
  };
  const finest = Math.max(...known.map(decimals));
  return Math.max(10 ** -finest, 10 ** Math.floor(Math.log10(range / 10)));
}

/** Three decimals, halves to the even digit as Python writes them. */
export function written(value) {
  if (Number.isNaN(value)) return "undefined";
  const thousandths = Math.abs(value) * 1000;
  const half = Number.isInteger(value * 16) && thousandths % 1 === 0.5;
  const thousandth = half ? 2 * Math.round(thousandths / 2) / 1000 : Math.abs(value);
  return (value < 0 ? "−" : "") + thousandth.toFixed(3);
}

/** A number as it is, with a true minus sign. */
export const minus = (number) => String(number).replace("-", "−");

/** A score in a narrow cell: a whole number as it is, any other with so many significant digits. */
export const brief = (score, digits = 3) => minus(Number.isInteger(score) ? score : Number(score.toPrecision(digits)));

/** Scores in narrow cells: with three significant digits, or as many more as tell unequal ones apart; null is a dash. */
export function briefly(scores) {
  const unequal = new Set(scores).size, told = (digits) => scores.map((score) => (score === null ? "–" : brief(score, digits)));
  return told([3, 4, 5].find((digits) => new Set(told(digits)).size === unequal) ?? 6);
}

/** A whole number, a large one with commas. */
export const whole = (number) => number.toLocaleString("en-US");

/** "1 pair", "2 pairs". */
export const plural = (number, noun) => `${whole(number)} ${noun}${number === 1 ? "" : "s"}`;

/** Words in a row as a list of English. */
export const listed = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

// --------------------------------------------------------------------------------------------------------------------
// Which numbers stand at an axis? Multiples of a round step.

/** A round number of at least a tenth of a span, from which it takes at most ten steps to cross it. */
export function roundStep(span) {
  const power = 10 ** Math.floor(Math.log10(span));
  return [0.1, 0.2, 0.5, 1].map((part) => part * power).find((step) => span / step <= 6) ?? power;
}

/** The multiples of a step between two numbers. */
export function ticksBetween(low, high, step) {
  const ticks = [];
  for (let at = Math.ceil(low / step); at * step <= high && ticks.length < 20; at++) ticks.push(at * step);
  return ticks.map((value) => Number(value.toPrecision(10)));
}

// --------------------------------------------------------------------------------------------------------------------
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

let pen; // measures words

/** The width of words in a size, as a browser's own type is wide. */
export function widthOf(words, size, bold = false) {
  pen ??= document.createElement("canvas").getContext("2d");
  pen.font = `${bold ? "bold " : ""}${size}px system-ui, sans-serif`;
  return pen.measureText(words).width;
}

/** A name that fits a width, with an ellipsis in it where it is cut: its end may tell it from others. */
export function cut(name, width, size, bold = false) {
  for (let letters = name.length, shown = name; ; letters--) {
    if (letters <= 4 || widthOf(shown, size, bold) <= width) return shown;
    const end = Math.min(8, Math.floor((letters - 1) / 2));
    shown = `${name.slice(0, letters - 2 - end)}…${name.slice(-end)}`;
  }
}
