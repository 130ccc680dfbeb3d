// What is said of the chosen metric? Where its rank is best and where it is worst.

export const NOTHING = "Choose a metric: click a line or a name, or press the arrow keys in the list of names.";

/** A rank in words: 1st, 2nd, 3rd, 4th. */
export function ordinal(number) {
  const ending = number % 100 >= 10 && number % 100 <= 20 ? "th" : { 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th";
  return `${number}${ending}`;
}

const listed = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0]);

/** A metric's best and worst ranks as a sentence. */
export function sentenceOf({ columns, metrics }, metric) {
  if (!metric) return NOTHING;
  const ranked = columns.map(({ label }, column) => ({ label, rank: metric.ranks[column], column }));
  const known = ranked.filter(({ rank }) => rank !== null), lacking = ranked.filter(({ rank }) => rank === null);
  const by = (found) => listed(found.map(({ label }) => label));
  const without = lacking.length ? ` It has no rank by ${by(lacking)}, which is undefined for it.` : "";
  if (!known.length) return `${metric.name} has no rank: every coefficient is undefined for it.`;
  const best = Math.min(...known.map(({ rank }) => rank)), worst = Math.max(...known.map(({ rank }) => rank));
  const of = (rank) => known.filter((one) => one.rank === rank);
  const number = metrics.filter(({ ranks }) => ranks[of(best)[0].column] !== null).length;
  if (best === worst) return `${metric.name} is ${ordinal(best)} of ${number} by ${by(known)}.${without}`;
  return `${metric.name} is ${ordinal(best)} of ${number} by ${by(of(best))}, but ${ordinal(worst)} by ${by(of(worst))}.${without}`;
}
