// What is said of a ranking? Whether it reaches the most, and whether a cycle keeps the cap out of reach.

import { written } from "../shared/numbers.js";

const CLOSE = 1e-12;

/** The sentence above the cards. */
export function sentenceOf({ value, most, cap, edges, data: { coefficient: { label } } }) {
  if (Number.isNaN(most)) return { first: `${label} is undefined:`, rest: " every judgment is a tie." };
  const cycle = edges.some((edge) => edge.cycle);
  const why = cycle && cap - most > CLOSE ?
    " Majorities that form a cycle (red) fit no ranking." : "";
  if (Number.isNaN(value)) return { first: `${label} is undefined:`, rest: " the ranking ties every pair that counts." };
  if (most - value > CLOSE) {
    return { first: "Drag the cards to agree with the judges.", rest: why };
  }
  const one = most > 1 - CLOSE ? "" : " More is impossible, because the judges contradict each other.";
  return { first: `No ranking reaches more than ${written(most)}.`, rest: `${one}${why}` };
}
