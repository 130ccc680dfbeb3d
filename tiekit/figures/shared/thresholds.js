// Which values of epsilon change anything? The differences between scores.

/** Zero and every difference between two scores of a metric, each once, ascending. */
export function differences(metrics) {
  const found = new Set([0]);
  for (const { scores } of metrics) {
    const known = scores.filter((score) => score !== null);
    known.forEach((score, i) => known.slice(i + 1).forEach((other) => found.add(Math.abs(score - other))));
  }
  return [...found].sort((a, b) => a - b);
}

/** The last of ascending numbers that is at most a value. */
export function lastUpTo(numbers, value) {
  let low = 0, high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (numbers[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
