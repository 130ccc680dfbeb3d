// Which rank has the row that stands out, between whom? And what do noise and ties say about it?

import { written } from "../shared/numbers.js";

const percent = (share) => `${Math.round(100 * share)} %`;
const LEVEL = 0.0005; // what three decimals cannot tell apart

/** The rank of the row that stands out and its neighbors. */
export function sentence(model) {
  const { chosen, ranked, judge, label } = model, place = ranked.findIndex(({ name }) => name === chosen.name);
  const shown = (row) => `${row.name} (${written(row.value ?? NaN)})`;
  const noisy = ranked.find(({ name, kind }) => kind === "sentinel" && name.startsWith(`${chosen.name} `));
  const start = `Judged by ${judge}, ${chosen.name} has rank ${chosen.rank} of ${ranked.length}: ${label} ${written(chosen.value ?? NaN)}`;
  if (noisy && noisy.value - chosen.value > LEVEL) {
    return `${start}. With random noise, which adds no knowledge, it has ${written(noisy.value)}: rank ${noisy.rank}.`;
  }
  const [above, below] = [ranked[place - 1], ranked[place + 1]];
  if (above && below) return `${start}, between ${shown(above)} and ${shown(below)}.`;
  return above ? `${start}, below ${shown(above)}.` : `${start}, above ${shown(below)}.`;
}

/** How many pairs are tied by whom. */
export function note(model) {
  const { board, chosen, judge } = model, parts = ["Lines are 95 % intervals over segments."];
  if (board.rows.some(({ kind }) => kind === "sentinel")) parts.unshift("The striped bar is a human score with noise.");
  if (board.judgeTies !== null && chosen.ties !== null) {
    parts.unshift(`Of the cells that all have, ${judge} ties ${percent(board.judgeTies)} of the pairs, ${chosen.name} ${percent(chosen.ties)}.`);
  }
  return parts.join(" ");
}
