// What do the two chosen measures say of the metrics, in sentences?

const written = (value) => (value === null ? "undefined" : value.toFixed(2).replace("-", "−"));

/** A number as it stands in a cell: without the zero before its point. */
export const short = (value) => (value === null ? "" : value.toFixed(2).replace("-", "−").replace("0.", "."));

/** How alike two measures rank, which metric each finds best, and which metric moves farthest. */
export function sentence(model) {
  const { measures: [one, other], agreement, places, data: { metrics } } = model;
  const alike = `“${one.label}” and “${other.label}”: τ_b of the two rankings = ${written(agreement)}.`;
  if (one === other) return `${alike} Choose two different measures to see how far their rankings differ.`;
  const [first, second] = places.map((all) => metrics[all.indexOf(1)]);
  const best = first === second ? `Both find ${first} best.` : `The first finds ${first} best, the second ${second}.`;
  const moves = metrics.map((_, at) => (places.some((all) => all[at] === null) ? 0 : Math.abs(places[0][at] - places[1][at])));
  const most = moves.indexOf(Math.max(...moves));
  const far = moves[most] ? ` ${metrics[most]} moves farthest: rank ${places[0][most]} and rank ${places[1][most]}.` : "";
  return `${alike} ${best}${far}`;
}

/** A cell for those who do not see it. */
export const cellWords = ({ data: { measures, agreement } }, i, j) =>
  `${measures[i].label} and ${measures[j].label}: ${written(agreement[i][j])}`;

/** The two rankings in words. */
export function rankings({ measures, places, data: { metrics } }) {
  const listed = places.map((all) =>
    metrics.map((name, at) => [all[at], name]).filter(([place]) => place !== null).sort(([a], [b]) => a - b).map(([, name]) => name));
  return measures.map(({ label }, at) => `Ranking by ${label}: ${listed[at].join(", ")}`).join(". ");
}
