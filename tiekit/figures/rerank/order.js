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
