// How is the crosshair told? In sentences.

import { short } from "../calibration_explorer/words.js";
import { written } from "../shared/numbers.js";

/** A share in whole percent. */
export const percent = (share) => `${Math.round(100 * share)} %`;

/** A threshold in the metric's unit and in standard deviations. */
function threshold({ epsilons, deviation, best }, at) {
  const star = at === best ? "ε*" : "ε", size = `${star} = ${short(epsilons[at])}`;
  return deviation && epsilons[at] ? `${size} (${Number((epsilons[at] / deviation).toPrecision(2))} standard deviations)` : size;
}

/** What the crosshair shows. */
export function sentences({ data, chosen, at, value }) {
  const gain = data.constant === null || Number.isNaN(value) ? "" : over(value - data.constant);
  return `${chosen.name}: ${data.label} ${written(value)} at ${threshold(chosen, at)}${gain}. ` +
    `It ties ${percent(chosen.tied[at])} of its pairs; the human ties ${percent(chosen.human)}.`;
}

const over = (gain) =>
  Math.abs(gain) < 0.0005 ? ", as much as a constant metric" :
    `, ${written(Math.abs(gain))} ${gain > 0 ? "more" : "less"} than a constant metric`;

/** A curve's rise in words. */
export function rise({ name, values, best }, label) {
  return `${name}: ${label} ${written(values[0] ?? NaN)}, calibrated ${written(values[best])}`;
}
