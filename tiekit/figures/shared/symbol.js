// How is a symbol with an index written? With the index below the line.

import { make } from "./elements.js";

/** A symbol such as T_h as an element. */
export function withIndex(symbol) {
  const [letter, below] = symbol.split("_");
  return make("span", { class: "symbol" }, letter, ...(below ? [make("sub", {}, below)] : []));
}
