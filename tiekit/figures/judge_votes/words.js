// What is said of the judges? Which one agrees better beyond chance, without ties and with them, and what orders do.

import { written } from "../shared/numbers.js";
import { AGREEMENTS } from "./model.js";

export const OUTCOMES = ["win", "tie", "loss"];
export const LABELS = { withoutTies: "without ties", withTies: "with ties" };

/** A share with three decimals. */
export const share = (value) => (value === null ? "undefined" : written(value));

/** A judge's threshold in words. */
export function thresholdOf({ epsilon }) {
  return epsilon ? `a difference of at most ${epsilon} is a tie` : "only equal scores are a tie";
}

/** The sentence over the tables: its first words, which stand out, and the rest. */
export function sentenceOf(model) {
  const judges = model.now, [one, other] = judges;
  if (!other) {
    return { first: `${one.name} agrees in ${share(one.withoutTies)} without ties, in ${share(one.withTies)} with them.`,
      rest: ` Ties leave ${one.nWithout} of ${one.n} pairs of votes.` };
  }
  const leaders = AGREEMENTS.map((agreement) => model.leader(agreement)), [without, withTies] = leaders;
  const better = leaders.find((place) => place !== null);
  const first = without !== null && withTies !== null && without !== withTies ? "Counting ties changes which judge is better."
    : better === undefined ? "No judge is better beyond chance."
      : without === withTies ? `${judges[better].name} agrees better, with ties and without.`
        : `${judges[better].name} agrees better ${LABELS[AGREEMENTS[leaders.indexOf(better)]]} only.`;
  return { first, rest: AGREEMENTS.map((agreement, at) => ` ${told(model, agreement, leaders[at])}`).join("") };
}

/** Both values of an agreement and whether they differ beyond chance; an undefined one is neither better nor worse. */
function told({ now: judges, data }, agreement, leader) {
  const label = LABELS[agreement], silent = judges.filter((judge) => judge[agreement] === null);
  if (silent.length) {
    const others = judges.filter((judge) => judge[agreement] !== null).map((judge) => `${judge.name} has ${share(judge[agreement])}`);
    return [...silent.map((judge) => `${judge.name} has no value ${label}: ${whySilent(judge)}.`), ...others.map((words) => `${words}.`)].join(" ");
  }
  const [high, low] = [...judges].sort((a, b) => b[agreement] - a[agreement]);
  const values = `${high.name} has ${share(high[agreement])}, ${low.name} ${share(low[agreement])}`;
  const fewest = Math.min(...judges.map((judge) => judge[agreement === "withTies" ? "n" : "nWithout"]));
  const sure = leader !== null ? "beyond chance" : fewest < data.few ? "too few pairs of votes to tell" : "it may be chance";
  return `${label[0].toUpperCase()}${label.slice(1)}, ${values}: ${sure}.`;
}

const whySilent = ({ counts }) =>
  counts.every(([win, , loss]) => !win && !loss) ? "it ties everything" : "on each pair of votes a side ties";

/** How often the judge says the same in both orders; the numbers add up. */
export function ordersOf({ n, same, first, second, half }) {
  if (!n) return "No answers were judged in both orders.";
  return `Both orders, ${n} pairs of answers: ${same} times the same vote, ${first} times for the answer shown first, ` +
    `${second} times for the second, ${half} times a tie in one order only.`;
}
