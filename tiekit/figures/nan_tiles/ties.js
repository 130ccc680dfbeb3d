// What becomes of a metric's scores when some are tied? As `tied` in data.py does it.

/** The scores of one segment with two of them tied; those between become equal too, so no pair changes its order. */
export function tie(line, first, second) {
  const low = Math.min(line[first], line[second]), high = Math.max(line[first], line[second]);
  return line.map((score) => (score !== null && score >= low && score <= high ? low : score));
}

/** All scores of a metric with ties; each tie is a segment and two systems. */
export function tied(scores, ties) {
  return ties.reduce((all, [segment, first, second]) =>
    all.with(segment, tie(all[segment], first, second)), scores);
}

/** Whether a tie names a segment and two systems whose scores are there. */
export function isTie(scores, one) {
  const line = Array.isArray(one) && one.length === 3 ? scores[one[0]] : undefined;
  return Boolean(line) && one[1] !== one[2] && [one[1], one[2]].every((at) => Number.isFinite(line[at] ?? NaN));
}
