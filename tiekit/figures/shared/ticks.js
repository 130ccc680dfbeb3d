// Which numbers stand at an axis? Multiples of a round step.

/** A round number of at least a tenth of a span, from which it takes at most ten steps to cross it. */
export function roundStep(span) {
  const power = 10 ** Math.floor(Math.log10(span));
  return [0.1, 0.2, 0.5, 1].map((part) => part * power).find((step) => span / step <= 6) ?? power;
}

/** The multiples of a step between two numbers. */
export function ticksBetween(low, high, step) {
  const ticks = [];
  for (let at = Math.ceil(low / step); at * step <= high && ticks.length < 20; at++) ticks.push(at * step);
  return ticks.map((value) => Number(value.toPrecision(10)));
}
