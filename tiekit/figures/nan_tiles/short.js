// How is a score written where there is little room? With few digits and a minus sign.

/** A number in up to four digits, without the 0 before its point, or with so many decimals. */
export function short(value, decimals) {
  if (Number.isNaN(value)) return "–";
  const text = decimals === undefined ? String(Number(value.toPrecision(4))).replace(/^(-?)0\./, "$1.") : value.toFixed(decimals);
  return text.replace("-", "−");
}
