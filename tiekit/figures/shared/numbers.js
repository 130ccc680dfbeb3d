// Which numbers can be shown, how precisely are they written, and in what steps does a drag move a score?

export const MOST_SCORES = 200; // as in given.py

/** Whether scores are numbers, or null, whose differences are numbers too. */
export function hasSpan(scores) {
  const known = scores.filter((score) => score !== null);
  return known.every(Number.isFinite) && (!known.length || Number.isFinite(Math.max(...known) - Math.min(...known)));
}

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
