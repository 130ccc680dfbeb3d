// What does the share of human ties do? In a sentence.

import { written } from "../shared/numbers.js";

const LEVEL = 0.0005; // what three decimals cannot tell apart

/** A share in percent, whole or with a decimal where it is the set's own. */
export const percent = (share) => `${Number((100 * share).toFixed(1)).toFixed(0)} %`;

/** Whether shares are of the mean over groups, not of all pairs together. */
export const isOfMean = ({ share_of }) => share_of === "mean";

/** A share beside the place where it is chosen. */
export const chosenShare = ({ data, share }) => `${percent(share)} ${isOfMean(data) ? "of the mean" : "tied"}`;

/** What is chosen, as a label. */
export const labelOf = (data) => (isOfMean(data) ? "Share of human ties in the mean over groups" : "Share of pairs that the human ties");

/** What the share is a share of, and how much ties weigh in the mean, where that is known. */
export function simulated({ data, at, share }) {
  if (isOfMean(data)) return `Simulated: human ties weigh ${percent(share)} in the mean over groups, which a constant metric would get.`;
  const weight = data.weights?.[at] ?? null;
  const pooled = `Simulated as Perrella et al. do: human ties are ${percent(share)} of all pairs together.`;
  if (weight === null || Math.abs(weight - share) < 0.0005) return pooled;
  return `${pooled} In the mean they weigh ${Number((100 * weight).toFixed(1))} %, which a constant metric would get: ` +
    "a group that is wholly tied keeps its full weight.";
}

/** Whether noise helps the metric that stands out, or its rank where it has no sentinel. */
export function sentence(model) {
  const { ranked, chosen, data, share } = model, when = isOfMean(data)
    ? `If human ties weigh ${percent(share)} in the mean` : `If the human ties ${percent(share)} of the pairs`;
  const mine = ranked.find(({ metric }) => metric.name === chosen);
  const noisy = ranked.find(({ metric }) => metric.of === chosen && metric.kind === "sentinel");
  if (!noisy) return `${when}, ${chosen} has ${data.label} ${written(mine.value)}: rank ${mine.rank} of ${ranked.length}.`;
  const gain = noisy.value - mine.value, values = `${data.label} ${written(noisy.value)} against ${written(mine.value)}`;
  if (gain > LEVEL) return `${when}, random noise makes ${chosen} better: ${values}, rank ${noisy.rank} instead of ${mine.rank} of the ${ranked.length} shown.`;
  if (gain < -LEVEL) return `${when}, random noise makes ${chosen} worse: ${values}, rank ${noisy.rank} instead of ${mine.rank} of the ${ranked.length} shown.`;
  return `${when}, random noise changes nothing for ${chosen}: ${values}.`;
}
