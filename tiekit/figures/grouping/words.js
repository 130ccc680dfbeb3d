// What do the scores, the grouping and the picked cell say, in sentences?

import { GROUPINGS } from "./groups.js";

export const NAMES = {
  global: "Without grouping", item: "By item", system: "By system", system_means: "System means",
};
const PHRASES = { global: "without grouping", item: "by item", system: "by system", system_means: "by system means" };

const plural = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
const listed = (parts) => (parts.length < 3 ? parts.join(" and ") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`);

/** A score as it was typed, with a true minus sign; a mean, which is no longer than four digits. */
export const score = (number) => (number === null ? "–" : String(number).replace("-", "−"));
export const mean = (number) => score(number === null ? null : Number(number.toPrecision(3)));

/** A value in a narrow cell: two decimals. */
export const short = (value) => (Number.isNaN(value) ? "–" : value.toFixed(2).replace("-", "−"));

/** A segment in a sentence; a number alone is not understood there. */
const segmentNamed = (name) => (/^\d+$/.test(name) ? `segment ${name}` : name);

/** Which metric wins by the present grouping. */
export function headline(model) {
  const { grouping, result, data: { metrics, coefficient } } = model, winner = model.winnerBy(grouping);
  const values = result.metrics.map(({ mean: value }) => value);
  const by = `${coefficient.label} ${PHRASES[grouping]}`;
  if (values.some(Number.isNaN)) {
    const gone = metrics.filter((_, at) => Number.isNaN(values[at])).map(({ name }) => name);
    return `${by}: undefined for ${listed(gone)}`;
  }
  return winner === null ? `${by}: no metric is ahead` : `${by}: ${metrics[winner].name} wins`;
}

/** Which metric wins by which grouping. */
export function verdict(model) {
  const { metrics } = model.data;
  const won = metrics.map((_, at) => GROUPINGS.filter((grouping) => model.winnerBy(grouping) === at));
  const none = GROUPINGS.filter((grouping) => model.winnerBy(grouping) === null);
  const parts = won.flatMap((groupings, at) =>
    groupings.length ? [`${metrics[at].name} wins ${listed(groupings.map((one) => PHRASES[one]))}`] : []);
  if (none.length) parts.push(`neither wins ${listed(none.map((one) => PHRASES[one]))}`);
  const opening = won.every((groupings) => groupings.length) ? "The ranking flips: " : "";
  return `${opening}${parts.join("; ")}.`;
}

/** How many pairs are compared, and which of them the picked cell is part of. */
export function comparison(model) {
  const { result: { pairs, groups }, grouping, cell, partners, data } = model;
  const all = `${NAMES[grouping]}: ${plural(pairs, "pair")} in ${plural(groups, "group")}.`;
  if (!cell) return `${all} Click a cell to see which cells it is compared with.`;
  const name = grouping === "system_means" ? `The mean of ${data.systems[cell[0]]}` : `${data.systems[cell[0]]}, ${segmentNamed(data.segments[cell[1]])},`;
  const others = plural(partners.length, `other ${grouping === "system_means" ? "mean" : "cell"}`);
  return `${all} ${name} is compared with ${partners.length ? `${others}, marked •` : "no other"}: ${plural(partners.length, "pair")}.`;
}

/** A cell for those who do not see it. */
export function cellWords({ data: { human, metrics, systems, segments } }, [i, j]) {
  const scores = metrics.map(({ name, scores: rows }) => `${name} ${score(rows[i][j])}`);
  return `${systems[i]}, ${segmentNamed(segments[j])}: human ${score(human[i][j])}, ${scores.join(", ")}`;
}
