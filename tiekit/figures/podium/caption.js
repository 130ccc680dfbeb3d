// What does the threshold do just now? Sentences that follow from the counts.

const pairsOf = (number) => `${number} pair${number === 1 ? "" : "s"}`;

/** What a threshold makes of the last metric's pairs, and who wins. */
export function captionOf(standings, epsilon) {
  const { name, counts: [, d, th, tm, thm] } = standings.at(-1), told = [];
  if (th) told.push(`${name} orders ${thm ? `${th} of` : "all"} the ${th + thm} pairs that the human ties.`);
  if (d) told.push(`It puts ${pairsOf(d)} in the wrong order.`);
  if (tm) told.push(`${th ? "It also" : name} ties ${pairsOf(tm)} that the human orders.`);
  if (!told.length) told.push(`${name} ties exactly the ${th + thm} pairs that the human ties, and orders the rest correctly.`);
  const total = standings[0].counts.reduce((sum, number) => sum + number, 0);
  const [first, second] = [...standings].sort((a, b) => a.rank - b.rank);
  const winner = second.rank === 1
    ? `It is a draw: each has ${first.right} of ${total} pairs right.`
    : `${first.name} wins: ${first.right} of ${total} pairs right, ${second.name} ${second.right}.`;
  return { winner, why: `ε = ${epsilon}: ${told.join(" ")}` };
}
