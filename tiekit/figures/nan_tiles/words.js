// What is said of a try? What to do, how far it is from winning, or how it won.

import { listed } from "../nan_explorer/words.js";
import { written } from "../shared/numbers.js";

/** The sentence under the tiles: its first words, which stand out, and the rest. */
export function sentenceOf(model) {
  const { data: { ties, goal, segments }, metrics, cells } = model;
  const own = metrics[model.goal], rivals = metrics.filter((_, at) => at !== model.goal);
  const best = Math.max(...rivals.map(({ drop }) => drop).filter((value) => !Number.isNaN(value)));
  if (!rivals.length || best === -Infinity) return { first: "There is no other metric with a value.", rest: "" };
  const [leader] = rivals.filter(({ drop }) => drop === best), left = own.groups - own.undefined;
  const against = `${leader.name} has ${written(best)}`;
  if (!ties.length) {
    return { first: `Make ${goal} win under drop:`, rest: " tap two scores of one tile to tie them." };
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
  const others = ["zero", "common"].filter((rule) => own.ranks[rule] !== 1);
  const still = others.length ? ` Under ${listed(others)} it does not win.` : "";
  return { first: `${goal} wins under drop by tying more.`, rest: ` ${so} No information is added: segments that ` +
    `${goal} ties have no value and are left out.${still}${left === 1 ? " Can it win with two segments left?" : ""}` };
}
