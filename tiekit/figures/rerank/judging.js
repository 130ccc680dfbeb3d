// What does a ranking reach on the judgments of one segment, and what can any ranking reach? As in tiekit.judgments.

import { FORMULAS } from "../shared/formulas.js";

/** How often the first of each two translations was judged worse, equal and better; ranks are judges' lines. */
export function outcomes(judges) {
  const found = [], n = judges[0].length;
  for (let first = 0; first < n; first++) {
    for (let second = first + 1; second < n; second++) {
      const counts = [0, 0, 0];
      for (const ranks of judges) {
        const a = ranks[first], b = ranks[second];
        if (a !== null && b !== null) counts[a > b ? 0 : a === b ? 1 : 2]++;
      }
      if (counts.some(Boolean)) found.push({ first, second, counts });
    }
  }
  return found;
}

/** A coefficient of scores (higher is better) on these outcomes; NaN where it is undefined. */
export function valueOf(pairs, scores, name) {
  const row = [0, 0, 0, 0, 0]; // C, D, T_h, T_m, T_hm
  for (const { first, second, counts: [worse, equal, better] } of pairs) {
    const sign = Math.sign(scores[first] - scores[second]);
    row[0] += sign > 0 ? better : sign < 0 ? worse : 0;
    row[1] += sign > 0 ? worse : sign < 0 ? better : 0;
    row[sign ? 2 : 4] += equal;
    row[3] += sign ? 0 : worse + better;
  }
  const value = FORMULAS[name](...row, scores.length, scores.length);
  return Number.isFinite(value) ? value : NaN;
}

/** The value of deciding each pair on its own. */
export function capOf(pairs, name) {
  const counted = pairs.map(({ counts }) => (name === "acc_eq" ? counts : [counts[0], 0, counts[2]]));
  const sum = (values) => values.reduce((all, value) => all + value, 0);
  const won = counted.map((counts) => (name === "acc_eq" ? Math.max(...counts) : Math.abs(counts[2] - counts[0])));
  return sum(won) / sum(counted.map(sum));
}

/** The largest value of any scores, ties allowed; all orders are tried, so there must be few translations. */
export function mostOf(pairs, n, name) {
  let most = NaN;
  for (let code = 0; code < n ** n; code++) {
    const scores = Array.from({ length: n }, (_, at) => Math.floor(code / n ** at) % n);
    const value = valueOf(pairs, scores, name);
    if (!(most >= value) && !Number.isNaN(value)) most = value;
  }
  return most;
}

/** The majorities: winner, loser, their votes, and whether the edge lies on a cycle of three. */
export function majorities(pairs) {
  const edges = pairs.map(({ first, second, counts: [worse, equal, better] }) => ({
    winner: better >= worse ? first : second, loser: better >= worse ? second : first,
    votes: [Math.max(better, worse), Math.min(better, worse)], equal, draw: better === worse,
  }));
  const beats = (a, b) => edges.some(({ winner, loser, draw }) => !draw && winner === a && loser === b);
  const nodes = new Set(edges.flatMap(({ winner, loser }) => [winner, loser]));
  return edges.map((edge) => ({
    ...edge, cycle: !edge.draw && [...nodes].some((other) => beats(edge.loser, other) && beats(other, edge.winner)),
  }));
}

// --------------------------------------------------------------------------------------------------------------------
// In what order do scores put the translations? As a list from best to worst, each one tied with the one before or not.

/** Translations from best to worst: `item`, and `tied` with the one before. */
export function orderOf(scores) {
  const items = [...scores.keys()].sort((a, b) => scores[b] - scores[a] || a - b);
  return items.map((item, at) => ({ item, tied: at > 0 && scores[item] === scores[items[at - 1]] }));
}

/** The scores of an order: whole numbers, 1 for the worst. */
export function scoresOf(order) {
  const scores = [];
  let level = 1 + order.filter(({ tied }, at) => at > 0 && !tied).length;
  order.forEach(({ item, tied }, at) => {
    if (at > 0 && !tied) level--;
    scores[item] = level;
  });
  return scores;
}

/** An order with the card at one place moved to another; it is tied with no other. */
export function moved(order, from, to) {
  const rest = order.filter((_, at) => at !== from);
  if (!order[from].tied && rest[from]?.tied) rest[from] = { ...rest[from], tied: false };
  if (rest[to]?.tied) rest[to] = { ...rest[to], tied: false };
  return rest.toSpliced(to, 0, { ...order[from], tied: false }).map((one, at) => (at ? one : { ...one, tied: false }));
}

/** An order in which the card at a place is tied with the one before, or no longer. */
export const switched = (order, at) => order.with(at, { ...order[at], tied: !order[at].tied });

// --------------------------------------------------------------------------------------------------------------------
// What stands for a long name on a card?

const FEW = 3; // letters of a name in a small mark

/** What stands for names in small marks: these, what tells them apart, or A, B, C … */
export function marksOf(names) {
  const isShort = (all) => all.every(({ length }) => length && length <= FEW);
  const begin = names[0].slice(0, [...names[0]].findIndex((letter, at) => names.some((name) => name[at] !== letter))).search(/[^\p{L}\d](?=[\p{L}\d]*$)/u) + 1;
  const rests = names.map((name) => name.slice(begin));
  return [names, rests].find(isShort) ?? names.map((_, at) => String.fromCharCode(65 + at));
}
