// What is said? How many segments are undefined, which metric wins under each rule, and how a try of the puzzle went.

import { listed, minus, whole, written } from "../shared/numbers.js";
import { ranksOf, RULES } from "./model.js";

const NAMED = 3; // metrics of one number that are named, and numbers that are told
const FEW = " Segments with fewer than two scored systems are in no average.";

/** Averages with three decimals, or with as many more (up to six) as tell those apart that differ. */
export function told(averages) {
  const ranks = ranksOf(averages), kinds = new Set(ranks).size;
  const write = (digits) => averages.map((value) =>
    digits === 3 || Number.isNaN(value) ? written(value) : minus(value.toFixed(digits)));
  return [3, 4, 5, 6].map(write).find((texts) => new Set(texts).size >= kinds) ?? write(6);
}

/** The sentence on top: what is undefined, around the coefficient's symbol, and then one part for each rule. */
export function sentenceOf({ metrics, common, data, coefficient: { label } }) {
  const ranked = metrics.filter((metric) => RULES.some((rule) => !Number.isNaN(metric[rule])));
  const opening = (after) => [`Of ${whole(data.total)} segments, `, label, after];
  if (metrics.every(({ drop }) => Number.isNaN(drop))) return { opening: opening(" is undefined on all for every metric.") };
  const lost = metrics.map((metric) => ({ name: metric.name, number: data.total - metric.groups + metric.undefined }));
  if (!lost.some(({ number }) => number)) {
    return { opening: ["", label, ` is defined on all ${whole(data.total)} segments; ${leaders(ranked, "drop")} by every rule.`] };
  }
  const same = common === 0 ? "no segment is defined for every metric" :
    `on the ${common === 1 ? "one segment" : `${whole(common)} segments`} that all share, ${leaders(ranked, "common")}`;
  return {
    opening: opening(` is undefined ${numbers(lost, data.total)}.${metrics.some(({ groups }) => groups < data.total) ? FEW : ""}`),
    rules: {
      drop: `Dropped, ${leaders(ranked, "drop")};`, zero: `counted as 0, ${leaders(ranked, "zero")};`,
      common: `${same}.`,
    },
  };
}

/** On how many segments each metric is undefined, those of one number together, the highest number first. */
function numbers(counted, total) {
  const some = (number) => (number === total ? `all ${whole(number)}` : number ? whole(number) : "none");
  const sorted = [...counted].sort((a, b) => b.number - a.number), byNumber = new Map();
  for (const { name, number } of sorted) byNumber.set(number, [...(byNumber.get(number) ?? []), name]);
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

/** A number in up to four digits, without the 0 before its point, or with so many decimals. */
export function short(value, decimals) {
  if (Number.isNaN(value)) return "–";
  const text = decimals === undefined ? withoutZero(String(Number(value.toPrecision(4)))) : value.toFixed(decimals);
  return minus(text);
}

/** Two decimals, without the 0 before them. */
export const shortest = (value) => withoutZero(short(value, 2));

const withoutZero = (text) => text.replace(/^([-−]?)0\./, "$1.");

/** What is said of a try: what to do, how far it is from winning, or how it won; its first words, which stand out, and the rest. */
export function puzzleSentence(model) {
  const { data: { ties, goal, segments }, metrics, cells } = model;
  const own = metrics[model.goal], rivals = metrics.filter((_, at) => at !== model.goal);
  const best = Math.max(...rivals.map(({ drop }) => drop).filter((value) => !Number.isNaN(value)));
  if (!rivals.length || best === -Infinity) return { first: "There is no other metric with a value.", rest: "" };
  const [leader] = rivals.filter(({ drop }) => drop === best), left = own.groups - own.undefined;
  const against = `${leader.name} has ${written(best)}`;
  if (model.data.asks) {
    return { first: "Each tile: the translations of one sentence, a bar for each score.", rest: " Below the bars: how well the metric orders them as the human does." };
  }
  if (!ties.length) {
    return { first: `Make ${goal} win under drop:`, rest: ` in one tile of ${goal}, tap two bars: they, and all scores between them, become equal.` };
  }
  if (!left) return { first: `${goal} has no value on any segment, so it has no rank.`, rest: " Undo the last tie." };
  const so = `${goal} has ${written(own.drop)} over ${left} of ${segments.length} segments, ${against}.`;
  if (own.ranks.drop !== 1 || rivals.some(({ ranks }) => ranks.drop === 1)) {
    const worst = cells[model.goal].reduce((low, { value }, at, all) =>
      (!(all[low].value <= value) && !Number.isNaN(value) ? at : low), 0);
    return { first: "Not yet.", rest: ` ${so} Segment ${segments[worst]} lowers the mean most, with ` +
      `${written(cells[model.goal][worst].value)}.` };
  }
  if (!own.undefined) return { first: `${goal} wins without losing a segment.`, rest: ` ${so}` };
  const few = model.common === 1 ? "one segment is" : `${model.common} segments are`;
  const others = ` Under common it ${own.ranks.common === 1 ? "wins too" : "does not"} (${few} left); under zero it ${own.ranks.zero === 1 ? "wins too" : `only reaches rank ${own.ranks.zero}`} (0 beats a negative value).`;
  return { first: `${goal} wins under drop by tying more.`, rest: ` ${so}${others}${left === 1 ? " Can it win with two segments left?" : ""}` };
}
