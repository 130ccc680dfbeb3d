// Which values may what moves in a figure take? The rules are written in Python (rules.py) and come as JSON.

/** What a path such as "metrics.name" leads to in the data: a value, or of a list the values of its parts. */
const at = (path, data) =>
  path.split(".").reduce((value, part) => (Array.isArray(value) ? value.flatMap((one) => one[part]) : value[part]), data);

/** A bound: a number, a path to a number, or to a list, whose length it is; null for none. */
function boundOf(bound, data, otherwise = Infinity) {
  const value = typeof bound === "string" ? at(bound, data) : bound;
  return Array.isArray(value) ? value.length : value ?? otherwise;
}

const isWhole = (value, low, high) => Number.isInteger(value) && value >= low && value <= high;
const isText = (value) => typeof value === "string";
const areDifferent = (values) => new Set(values).size === values.length;

const KINDS = {
  whole: (value, data, low, high) => isWhole(value, low, boundOf(high, data)),
  index: (value, data, path) => isWhole(value, 0, at(path, data).length - 1),
  number: (value, data, low, high) => Number.isFinite(value) &&
    value >= boundOf(low, data, -Infinity) && value <= boundOf(high, data),
  one_of: (value, data, choices) => (isText(choices) ? at(choices, data) : choices).includes(value),
  optional: (value, data, rule) => value === null || holds(rule, value, data),
  either: (value, data, ...rules) => rules.some((rule) => holds(rule, value, data)),
  list_of: (value, data, rule, least, most, order) => Array.isArray(value) &&
    value.length >= boundOf(least, data, 0) && value.length <= boundOf(most, data) &&
    value.every((one) => holds(rule, one, data)) &&
    (!order || value.every((one, place) => !place || value[place - 1] < one)),
  tuple_of: (value, data, ...rules) => Array.isArray(value) && value.length === rules.length &&
    rules.every((rule, place) => holds(rule, value[place], data)),
  scores: (value, data, least, most) => {
    const known = Array.isArray(value) && value.filter((score) => score !== null);
    return known && isWhole(value.length, boundOf(least, data), boundOf(most, data)) && known.every(Number.isFinite) &&
      (!known.length || Number.isFinite(Math.max(...known) - Math.min(...known)));
  },
  unless: (value, data, path, rule) => (at(path, data) === null ? holds(rule, value, data) : value === null),
  all_ways: (value, { samples, items, few }) => value === "all" && !samples && items.length <= few,
  lines: (value, data, most) => Array.isArray(value) && isWhole(value.length, 1, most) &&
    value.every(({ name, slot, scores }) => isText(name) && Number.isInteger(slot) && Array.isArray(scores) &&
      holds(["scores", "human", "human"], scores, data)) &&
    areDifferent(value.map(({ name }) => name)) && areDifferent(value.map(({ slot }) => slot)),
  tie: (value, data) => {
    const rows = data.metrics.find(({ name }) => name === data.goal).scores;
    return holds(["tuple_of", ["index", "segments"], ["index", "systems"], ["index", "systems"]], value, data) &&
      value[1] !== value[2] && value.slice(1).every((system) => rows[value[0]][system] !== null);
  },
};

/** Whether a value keeps a rule: its kind and what follows from it; names and bounds may be paths into the data. */
export const holds = ([kind, ...more], value, data) => KINDS[kind](value, data, ...more);

/** Whether all that moves in the data keeps its rule; data that lack a part do not. */
export function areSound(rules, data) {
  try {
    return Object.entries(rules).every(([key, rule]) => holds(rule, data[key], data));
  } catch {
    return false; // it has not even the right parts
  }
}
