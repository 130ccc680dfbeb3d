// What is the figure of judges' votes? Two tables of votes, their agreements, and a tie threshold for each judge.

import { button, make } from "../shared/elements.js";
import { Model, mount, QUIET, say, spoken, View } from "../shared/mount.js";
import { written } from "../shared/numbers.js";

/**
 * Open the figure. Its data hold for each judge its table and agreements at each of its thresholds, and who leads at each
 * two of them (see data.py); `threshold` says where the sliders stand.
 */
export function openFigure(host) {
  const model = new JudgedVotes();
  return mount(host, "judge-votes", model, ({ tell, flush }) => {
    const change = (wait = 0) => {
      model.changed();
      tell({ threshold: model.threshold }, wait);
    };
    const goTo = (words, which) => button(words, () => {
      model.goTo(which);
      change();
    });
    const said = spoken("said"), field = make("div", { class: "judges" });
    const control = make("div", { class: "control", role: "group", "aria-label": "Tie thresholds of all judges" },
      make("b", {}, "Tie thresholds"), goTo("Best for each", "best"), goTo("None", "none"));
    const note = make("p", { class: "note" });
    let judges = [];
    const tables = {
      arrange() {
        judges = model.data.judges.map((_, place) => new Judge(model, place, change, flush));
        field.replaceChildren(...judges.map(({ element }) => element));
        control.hidden = model.data.judges.every(({ steps }) => steps.length < 2);
        note.textContent = noteOf(model.data.judges, control.hidden);
      },
      show() {
        for (const judge of judges) judge.show();
      },
    };
    return {
      children: [said, control, field, note],
      views: [tables],
      madeOf: (data) => ({ ...data, threshold: null, serial: null, large: null }), // a slider that keys move keeps its focus
      show() {
        const { first, rest } = sentenceOf(model);
        say(said, rest, first);
      },
    };
  });
}

// --------------------------------------------------------------------------------------------------------------------
// What is shown? The votes of each judge at one of its thresholds, and which judge leads by each agreement.

class JudgedVotes extends Model {
  at = []; // the place of each judge's threshold

  /** Show what the host has given, at the steps nearest to its thresholds; one number is for all judges. */
  take(data) {
    super.take(data);
    this.at = data.judges.map((judge, place) => nearest(judge, [data.threshold].flat().at(place) ?? [data.threshold].flat()[0]));
  }

  /** Each judge's threshold. */
  get threshold() {
    return this.now.map(({ epsilon }) => epsilon);
  }

  /** What is known of every judge at its threshold. */
  get now() {
    return this.data.judges.map(({ name, best, steps }, place) => ({ name, best, ...steps[this.at[place]] }));
  }

  /** Give each judge the threshold with which it agrees best, or none. */
  goTo(which) {
    this.at = this.data.judges.map((judge) => nearest(judge, which === "best" ? judge.best : 0));
  }

  /** The place of the judge that is ahead beyond chance: its interval of the difference lies on one side of 0. */
  leader(agreement) {
    const sign = this.data.leads[agreement]?.[this.at[0]][this.at[1]] ?? 0;
    return sign ? (sign > 0 ? 0 : 1) : null;
  }
}

/** The place of a judge's step that is nearest to a threshold. */
function nearest({ steps }, threshold) {
  const away = steps.map(({ epsilon }) => Math.abs(epsilon - threshold));
  return away.indexOf(Math.min(...away));
}

// --------------------------------------------------------------------------------------------------------------------
// How does one judge look? A threshold, a table of votes, two bars of agreement, and what both orders give.

const AGREEMENTS = ["withoutTies", "withTies"];
const DEEPEST = 60; // percent of color in the fullest cell, so that its text stays readable

class Judge extends View {
  #place;
  #cells = [];
  #bars = {};
  #orders = make("p", { class: "orders" });
  #label = make("span", { class: "threshold" });

  constructor(model, place, tell, rest) {
    super(model);
    this.#place = place;
    const { data } = model, { name, steps } = data.judges[place];
    this.slider = make("input", {
      type: "range", min: 0, max: steps.length - 1, step: 1, "aria-label": `Tie threshold of ${name}`, onchange: rest,
      oninput: () => {
        model.at[place] = Number(this.slider.value);
        tell(QUIET);
      },
    });
    const control = make("label", { class: "limit" }, this.slider, this.#label);
    control.hidden = steps.length < 2;
    const head = make("tr", {}, make("td", {}), ...OUTCOMES.map((word) => make("th", { scope: "col" }, word)));
    const rows = OUTCOMES.map((word, row) => {
      const cells = OUTCOMES.map((_, column) => make("td", { class: kindOf(row, column) }));
      this.#cells.push(cells);
      return make("tr", {}, make("th", { scope: "row" }, word), ...cells);
    });
    const caption = make("caption", {}, make("b", {}, name), make("span", {}, ` in columns, ${data.human} in rows`));
    const bars = AGREEMENTS.map((agreement) => {
      const bar = make("span", { class: "bar" }), value = make("b", {}), pairs = make("small", {});
      const line = make("div", { class: "measure", "data-agreement": agreement },
        make("span", {}, LABELS[agreement], " ", pairs), value, make("span", { class: "track" }, bar));
      this.#bars[agreement] = { bar, value, pairs, line };
      return line;
    });
    this.element = make("section", { class: "judge", "data-judge": name, "aria-label": name },
      make("table", {}, caption, make("thead", {}, head), make("tbody", {}, ...rows)),
      control, ...bars, this.#orders);
  }

  show() {
    const judge = this.model.now[this.#place];
    this.slider.value = this.model.at[this.#place];
    this.#label.textContent = thresholdOf(judge);
    this.slider.setAttribute("aria-valuetext", thresholdOf(judge));
    const most = Math.max(1, ...judge.counts.flat());
    this.#cells.forEach((cells, row) => cells.forEach((cell, column) => {
      const count = judge.counts[row][column];
      cell.textContent = count;
      cell.style.setProperty("--deep", `${(DEEPEST * count) / most}%`);
    }));
    for (const agreement of AGREEMENTS) {
      const { bar, value, pairs, line } = this.#bars[agreement];
      value.textContent = share(judge[agreement]);
      pairs.textContent = `of ${agreement === "withTies" ? judge.n : judge.nWithout}`;
      bar.style.width = `${100 * (judge[agreement] ?? 0)}%`;
      line.classList.toggle("leads", this.model.leader(agreement) === this.#place);
    }
    this.#orders.textContent = ordersOf(judge.orders);
  }
}

/** Whether both agree in a cell, and whether either ties. */
function kindOf(row, column) {
  return [row === column ? "agrees" : "differs", row === 1 || column === 1 ? "tied" : ""].join(" ").trim();
}

// --------------------------------------------------------------------------------------------------------------------
// What is said of the judges? Which one agrees better beyond chance, without ties and with them, and what orders do.

const OUTCOMES = ["win", "tie", "loss"];
const LABELS = { withoutTies: "without ties", withTies: "with ties" };

/** A share with three decimals. */
const share = (value) => (value === null ? "undefined" : written(value));

/** A judge's threshold in words. */
function thresholdOf({ epsilon }) {
  return epsilon ? `a difference of at most ${epsilon} is a tie` : "only equal scores are a tie";
}

/** What to do and how to read the tables; votes without a preference are in none. */
function noteOf(judges, fixed) {
  const silent = judges.filter(({ steps: [{ abstained }] }) => abstained);
  const missing = silent.map(({ name, steps: [{ abstained }] }) => `${name} ${abstained}`).join(", ");
  return (fixed ? "" : "Drag a slider: preferences up to its threshold become ties. ") +
    "On the diagonal both agree; dashed cells are left out without ties. Win, loss: of the system that is first by name. " +
    "Beyond chance: the 95 % interval of the difference does not contain 0." +
    (missing && ` Pairs of votes in which one gave no answer: ${missing}.`);
}

/** The sentence over the tables: its first words, which stand out, and the rest. */
function sentenceOf(model) {
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
function ordersOf({ n, same, first, second, half }) {
  if (!n) return "No answers were judged in both orders.";
  return `Both orders, ${n} pairs of answers: ${same} times the same vote, ${first} times for the answer shown first, ` +
    `${second} times for the second, ${half} times a tie in one order only.`;
}
