// What does the protocol do to the metric that stands out? In two sentences.

import { isOfMean, percent } from "../tie_shares/words.js";

/** A share in percent that no line breaks. */
const unbroken = (share) => percent(share).replace(" ", "\u00A0");

/** Its rank here, in this set, and that of its sentinel. */
export function sentence({ data, chosen, at, share }) {
  const rankOf = (kind, place) => data.metrics.find((metric) => metric.of === chosen && (metric.kind === "sentinel") === kind)?.ranks[place];
  const own = data.shares.indexOf(data.own), now = rankOf(false, at), noisy = rankOf(true, at), here = rankOf(false, own);
  const when = isOfMean(data)
    ? `If people's ties weigh ${unbroken(share)} in the mean` : `If people tie ${unbroken(share)} of the pairs${like(data.sets, share)}`;
  if (now === undefined || now === null) return `${when}, ${chosen} has no rank.`;
  const usual = at === own || here === undefined ? "" : here === now ? `, as with this set's ${unbroken(data.own)}`
    : `; with this set's ${unbroken(data.own)}, rank ${here}`;
  const noise = noisy === undefined || noisy === null ? "" : noisy < now ? ` Random noise would lift it to rank ${noisy}.`
    : " Random noise would not lift it.";
  return `${when}, ${chosen} has rank ${now} of ${data.total}${usual}.${noise}`;
}

/** Whose share it is, in words: between the lowest and the highest of one protocol. */
function like(sets, share) {
  const protocols = [...new Set(sets.map(({ protocol }) => protocol))];
  const found = protocols.find((protocol) => {
    const shares = sets.filter((set) => set.protocol === protocol).map((set) => set.share);
    return share >= Math.min(...shares) - 0.005 && share <= Math.max(...shares) + 0.005;
  });
  return found === undefined ? "" : `, as with ${found}`;
}
