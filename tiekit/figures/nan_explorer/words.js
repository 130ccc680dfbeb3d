// What is said of the explorer? How many segments are undefined, and which metric wins under each rule.

import { written } from "../shared/numbers.js";
import { ranksOf, RULES } from "./groups.js";

const NAMED = 3; // metrics of one number that are named, and numbers that are told

/** Words in a row as a list of English. */
export const listed = (words, last = "and") =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;

export const whole = (number) => number.toLocaleString("en-US");

/** Averages with three decimals, or with as many more (up to six) as tell those apart that differ. */
export function told(averages) {
  const ranks = ranksOf(averages), kinds = new Set(ranks).size;
  const write = (digits) => averages.map((value) =>
    digits === 3 || Number.isNaN(value) ? written(value) : value.toFixed(digits).replace("-", "−"));
  return [3, 4, 5, 6].map(write).find((texts) => new Set(texts).size >= kinds) ?? write(6);
}

/** The sentence on top: what is undefined, around the coefficient's symbol, and then one part for each rule. */
export function sentenceOf({ metrics, common, data, coefficient: { label } }) {
  const ranked = metrics.filter((metric) => RULES.some((rule) => !Number.isNaN(metric[rule])));
  const opening = (after) => [`Of ${whole(data.total)} segments, `, label, after];
  if (!ranked.length) return { opening: opening(" is undefined on all for every metric.") };
  if (!metrics.some((metric) => metric.undefined)) {
    return { opening: opening(` is undefined on none, so dropped or not, ${leaders(ranked, "drop")}.`) };
  }
  const same = common === 0 ? "no segment is defined for every metric" :
    `on the ${common === 1 ? "one segment" : `${whole(common)} segments`} that all share, ${leaders(ranked, "common")}`;
  return {
    opening: opening(` is undefined ${numbers(metrics, data.total)}.`),
    rules: {
      drop: `Dropped, ${leaders(ranked, "drop")};`, zero: `counted as 0, ${leaders(ranked, "zero")};`,
      common: `${same}.`,
    },
  };
}

/** On how many segments each metric is undefined, those of one number together, the highest number first. */
function numbers(metrics, total) {
  const some = (number) => (number === total ? `all ${whole(number)}` : number ? whole(number) : "none");
  const sorted = [...metrics].sort((a, b) => b.undefined - a.undefined), byNumber = new Map();
  for (const { name, undefined: lost } of sorted) byNumber.set(lost, [...(byNumber.get(lost) ?? []), name]);
  const all = [...byNumber], each = all.slice(0, all.length > NAMED + 1 ? NAMED : NAMED + 1);
  const parts = each.map(([lost, names], at) =>
    `for ${group(names, at > 0 && at === all.length - 1)} on ${some(lost)}`);
  const rest = all.slice(each.length), number = rest.flatMap(([, names]) => names).length;
  if (number) parts.push(`for the other ${number} on ${some(rest.at(-1)[0])} to ${whole(rest[0][0])}`);
  return listed(parts);
}


/** The names of a few metrics; of many, how many they are. */
function group(names, areTheOthers) {
  if (names.length <= NAMED) return listed(names);
  return areTheOthers ? `the other ${names.length}` : `${names.length} metrics`;
}

/** Who has the highest average under a rule. */
function leaders(metrics, rule) {
  const averages = metrics.map((metric) => metric[rule]), ranks = ranksOf(averages);
  const first = metrics.map((_, at) => at).filter((at) => ranks[at] === 1), value = written(averages[first[0]]);
  const names = listed(first.map((at) => metrics[at].name));
  if (metrics.length === 1) return `${names} has ${value}`;
  return first.length > 1 ? `${names} share the lead with ${value}` : `${names} wins with ${value}`;
}

/** What is said of a cell: its segment and metric, its value or why it has none, and whether it is averaged. */
export function cellWords({ data, cells, rule }, metric, segment) {
  const { value, reason, counted } = cells[metric][segment];
  const what = reason ? `undefined, ${reason}` : written(value);
  const end = counted ? (reason && rule === "zero" ? ", counted as 0" : "") : ", not in the average";
  return `segment ${data.segments[segment]}, ${data.metrics[metric].name}: ${what}${end}`;
}
