// Which cells does a grouping put together, and what are metrics worth by it? As tiekit has it.

import { classify, count, evaluate, listPairs } from "../shared/counting.js";

export const GROUPINGS = ["global", "item", "system", "system_means"];
const SAME = 1e-11; // means that lie closer than this share of the scores' standard deviation are equal

/** Every cell of a matrix of systems × segments, as [system, segment]. */
export const cellsOf = (rows) => rows.flatMap((row, system) => row.map((_, segment) => [system, segment]));

/** The cells of each group, in the order of segments or systems; by system means a group holds whole systems. */
export function groupsOf(rows, grouping) {
  const systems = rows.map((_, system) => system), segments = rows[0].map((_, segment) => segment);
  if (grouping === "item") return segments.map((segment) => systems.map((system) => [system, segment]));
  if (grouping === "system") return systems.map((system) => segments.map((segment) => [system, segment]));
  return [grouping === "global" ? cellsOf(rows) : systems.map((system) => [system, null])];
}

/** The cells that a cell is compared with: those of its group whose scores are known; none where its own is not. */
export function comparedWith(rows, grouping, [system, segment]) {
  const isKnown = ([i, j]) => (j === null ? rows[i].some((score) => score !== null) : rows[i][j] !== null);
  const own = grouping === "system_means" ? [system, null] : [system, segment];
  const isOwn = ([i, j]) => i === own[0] && j === own[1];
  const group = groupsOf(rows, grouping).find((cells) => cells.some(isOwn));
  return isKnown(own) ? group.filter((cell) => isKnown(cell) && !isOwn(cell)) : [];
}

/** How many groups with a pair there are, and how many pairs. */
export function pairsOf(rows, grouping) {
  const means = grouping === "system_means" && meansOf(rows, rows);
  const score = ([i, j]) => (means ? means[i] : rows[i][j]);
  const sizes = groupsOf(rows, grouping).map((cells) => cells.filter((cell) => score(cell) !== null).length);
  return {
    groups: sizes.filter((size) => size > 1).length,
    pairs: sizes.reduce((sum, size) => sum + (size * (size - 1)) / 2, 0),
  };
}

/** A metric's coefficient in each group, NaN where it is undefined, and the mean over the groups that have one. */
export function valuesOf(human, metric, grouping, coefficient) {
  const sides = grouping === "system_means" ? [meansOf(human, metric), meansOf(metric, human)] : null;
  const scores = (side, cells) => cells.map(([i, j]) => (sides ? sides[side][i] : [human, metric][side][i][j]));
  const values = groupsOf(human, grouping).map((cells) => valueOf(scores(0, cells), scores(1, cells), coefficient));
  const defined = values.filter((value) => !Number.isNaN(value));
  return { values, mean: defined.length ? sumOf(defined) / defined.length : NaN };
}

function valueOf(human, metric, coefficient) {
  const known = human.map((_, at) => at).filter((at) => human[at] !== null && metric[at] !== null);
  if (known.length < 2) return NaN;
  const [h, m] = [human, metric].map((side) => known.map((at) => side[at]));
  const kinds = classify(h, m, listPairs(known.length), 0);
  return evaluate(count(kinds, kinds.length), h, m)[coefficient] ?? NaN;
}

/** Each system's mean over the cells that both sides have scored; null without one. Near-equal means are made equal. */
export function meansOf(rows, others) {
  const known = rows.map((row, i) => row.filter((score, j) => score !== null && others[i][j] !== null));
  const means = known.map((scores) => (scores.length ? sumOf(scores) / scores.length : null));
  return merged(means, SAME * spreadOf(known.flat()));
}

/** A sum in which no order of the numbers shows (Neumaier). */
function sumOf(numbers) {
  let sum = 0, lost = 0;
  for (const number of numbers) {
    const next = sum + number;
    lost += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** The standard deviation; infinite where all are equal. */
function spreadOf(numbers) {
  const mean = sumOf(numbers) / numbers.length;
  return Math.hypot(...numbers.map((number) => number - mean)) / Math.sqrt(numbers.length) || Infinity;
}

/** Numbers of which each that lies within a tolerance of the next smaller one is made equal to it. */
function merged(numbers, tolerance) {
  const order = numbers.map((_, at) => at).filter((at) => numbers[at] !== null).sort((a, b) => numbers[a] - numbers[b]);
  const equal = [...numbers];
  order.slice(1).forEach((at, before) => {
    if (numbers[at] - numbers[order[before]] <= tolerance) equal[at] = equal[order[before]];
  });
  return equal;
}
