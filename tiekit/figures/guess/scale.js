// Where does a number lie on the scale, which numbers are on it, and how is one written?

/** A number on the grid of the scale, between its ends. */
export function snapped({ low, high, digits }, value) {
  return Math.min(high, Math.max(low, Number(value.toFixed(digits))));
}

/** The share of the scale that lies below a number, in percent. */
export const placeOf = ({ low, high }, value) => (100 * (value - low)) / (high - low || 1);

export const middleOf = (scale) => snapped(scale, (scale.low + scale.high) / 2);

/** A number with a true minus sign. */
export function digitsOf({ digits }, value) {
  const shown = Math.abs(value).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (value < 0 ? "−" : "") + shown;
}

/** A number with what it counts, as in "1 pair". */
export function wordsOf(scale, value) {
  return digitsOf(scale, value) + (scale.unit && ` ${scale.unit}${value === 1 ? "" : "s"}`);
}
