// How can one threshold change the winner? Six translations, two metrics on a podium, and a slider.

import { classify, count, listPairs } from "../shared/counting.js";
import { hueOf, make, markOf } from "../shared/elements.js";
import { FORMULAS } from "../shared/formulas.js";
import { isCalm, Model, mount, QUIET, View } from "../shared/mount.js";
import { minus, plural, written } from "../shared/numbers.js";

/** Open the podium. Its data hold errors, human, metrics, epsilon, most, and play: whether it moves by itself at first. */
export function openFigure(host) {
  const model = new Podium(host.data);
  return mount(host, "podium", model, ({ root, data, tell }) => {
    const board = new Board(model), stand = new Stand(model);
    let stop;
    const exact = make("output", { for: "podium-epsilon" });
    const slider = make("input", {
      type: "range", id: "podium-epsilon", min: 0, max: data.most, step: 1,
      oninput: () => model.set({ epsilon: Number(slider.value) }),
      onchange: () => tell({ epsilon: model.epsilon }, QUIET),
    });
    const winner = make("strong"), why = make("span"), caption = make("p", { class: "caption" }, winner, " ", why);
    const halt = () => {
      stop?.();
      stop = undefined;
      caption.setAttribute("aria-live", "polite");
    };
    for (const touch of ["pointerdown", "keydown", "wheel"]) root.addEventListener(touch, halt, { passive: true });
    if (data.play) stop = play(model, halt);
    else halt();
    return {
      children: [make("div", { class: "scene" }, board.element, stand.element,
        make("div", { class: "control" },
          make("label", { for: "podium-epsilon" }, "ε ="), exact, slider,
          make("span", { class: "note" }, "Drag ε: metric scores within ε points count as tied.")),
        caption)],
      views: [board, stand],
      show() {
        const said = captionOf(model.standings, model.epsilon);
        [winner.textContent, why.textContent] = [said.winner, said.why];
        slider.value = model.epsilon;
        slider.setAttribute("aria-valuetext", `ε = ${model.epsilon}. ${said.winner}`);
        exact.textContent = model.epsilon;
      },
      take(fresh) {
        if (fresh.epsilon === model.data.epsilon) return; // nobody else has moved it
        halt();
        model.take(fresh);
      },
      close: halt,
    };
  });
}

// --------------------------------------------------------------------------------------------------------------------
// Which metric wins at a threshold? Its pairs by kind, acc_eq and rank; listeners hear of changes.

/** The pairs of each metric by kind at a threshold, how many are right, acc_eq and the rank, in the metrics' order. */
export function standingsOf({ human, metrics }, epsilon) {
  const pairs = listPairs(human.length);
  const found = metrics.map(({ name, scores }) => {
    const kinds = classify(human, scores, pairs, epsilon), counts = count(kinds, kinds.length);
    return { name, scores, counts, right: counts[0] + counts[4], value: FORMULAS.acc_eq(...counts, human.length, 2) };
  });
  return found.map((one) => ({ ...one, rank: 1 + found.filter(({ value }) => value > one.value).length }));
}

class Podium extends Model {
  epsilon = 0;

  constructor(data) {
    super();
    this.take(data);
  }

  take(data) {
    super.take(data);
    this.epsilon = data.epsilon;
  }

  get standings() {
    return standingsOf(this.data, this.epsilon);
  }
}

// --------------------------------------------------------------------------------------------------------------------
// How does the figure move by itself? Once through a few thresholds, until somebody touches it.

const PATH = [[0, 1800], [2, 2600], [14, 2600], [2, 0]]; // thresholds, and how long each stays, in milliseconds
const PACE = 110; // milliseconds from one threshold to the next

/** Walk through the thresholds; the function that is returned stops it. Nothing moves if the reader wants stillness. */
function play(model, done) {
  if (isCalm()) return () => {};
  let timer, at = 0;
  const go = () => {
    const [goal, wait] = PATH[at];
    if (model.epsilon !== goal) {
      model.set({ epsilon: model.epsilon + Math.sign(goal - model.epsilon) });
      timer = setTimeout(go, model.epsilon === goal ? 0 : PACE);
    } else if (++at < PATH.length) timer = setTimeout(go, wait);
    else done();
  };
  timer = setTimeout(go, 0);
  return () => clearTimeout(timer);
}

// --------------------------------------------------------------------------------------------------------------------
// What is compared? Six translations with their errors, the human's scores, and below them those of each metric.

const WORDS = [5, 3, 6, 4]; // the lengths of an abstract translation's words

class Board extends View {
  #rows = []; // for each metric the cells between neighbors
  #pairs = []; // for each metric a mark for every pair, and what names them

  constructor(model) {
    super(model);
    const { errors, human, metrics } = model.data;
    this.element = make("div", { class: "board", role: "table", "aria-label": "Translations and their scores" },
      row("cards", make("span", { role: "columnheader" }, "translation"), errors.map((error, at) => card(error, at))),
      row("human", make("span", { role: "rowheader" }, "human"), human.map((score) => cell(score))),
      ...metrics.flatMap((metric, at) => [this.#row(metric, at), this.#count(metric)]));
  }

  #row({ name, scores }, at) {
    const between = scores.slice(1).map(() => make("i", { class: "between" }));
    this.#rows.push(between);
    const cells = scores.map((score, item) => cell(score, ...(item ? [between[item - 1]] : [])));
    return row("metric", make("span", { role: "rowheader" }, markOf(at), ` ${name}`), cells);
  }

  /** All pairs of a metric as marks that one can count. */
  #count({ scores }) {
    const pairs = listPairs(scores.length), marks = Array.from(pairs.first, () => make("i", { "aria-hidden": "true" }));
    const all = make("span", { class: "all", role: "cell" }, ...marks);
    this.#pairs.push({ marks, all, pairs });
    return row("pairs", make("span", { role: "rowheader" }, `all ${marks.length} pairs`), [all]);
  }

  /** Whether each two neighbors are tied or ordered, and whether the human says the same. */
  show() {
    const { data: { human }, epsilon, standings } = this.model;
    this.#pairs.forEach(({ marks, all, pairs: { first, second } }, at) => {
      marks.forEach((mark, pair) => {
        const [one, other] = [first[pair], second[pair]], { scores } = standings[at];
        const apart = scores[one] - scores[other], said = Math.abs(apart) <= epsilon ? 0 : Math.sign(apart);
        const right = said === Math.sign(human[one] - human[other]);
        mark.className = right ? "right" : "wrong";
        mark.textContent = right ? "✓" : "×";
        mark.title = `translations ${one + 1} and ${other + 1}: ${right ? "" : "not "}as the human has it`;
      });
      all.setAttribute("aria-label", `${standings[at].right} of ${marks.length} pairs as the human has them`);
    });
    this.#rows.forEach((between, at) => between.forEach((mark, item) => {
      const apart = standings[at].scores[item] - standings[at].scores[item + 1], higher = human[item] - human[item + 1];
      const said = Math.abs(apart) <= epsilon ? 0 : Math.sign(apart), right = said === Math.sign(higher);
      mark.textContent = ["<", "=", ">"][said + 1];
      mark.className = `between ${right ? "right" : "wrong"}`;
      mark.title = right ? "as the human has it" : "not as the human has it";
    }));
  }
}

const row = (name, head, cells) => make("div", { role: "row", class: name }, head, ...cells);
const cell = (score, ...before) => make("span", { role: "cell" }, ...before, minus(score));

/** A translation as bars for words; a minor error underlines one of them, a major one crosses them out. */
function card(error, at) {
  const words = [...WORDS, ...WORDS].map((long, word) => {
    const bar = make("i");
    bar.style.flexGrow = 1 + ((long + at + word) % 4);
    if (word === 2 && error !== "no error") bar.className = "error";
    if (word === 5 && error === "major error") bar.className = "error";
    return bar;
  });
  return make("span", { role: "columnheader", class: `card ${error.split(" ")[0]}` },
    make("span", { class: "words", "aria-hidden": "true" }, ...words), make("b", {}, error));
}

// --------------------------------------------------------------------------------------------------------------------
// Who stands where? A column for each metric, as high as its acc_eq; the winner's moves to the left.

class Stand extends View {
  element = make("div", { class: "stand", role: "img" });
  #columns;

  constructor(model) {
    super(model);
    this.#columns = model.data.metrics.map(({ name }, at) => {
      const value = make("b"), place = make("strong"), block = make("div", { class: "block" }, place);
      block.style.background = hueOf(at);
      const column = make("div", { class: "column" }, make("span", {}, markOf(at), ` ${name}`), value, block);
      return { column, value, place, block };
    });
    this.element.append(...this.#columns.map(({ column }) => column));
  }

  show() {
    const { standings } = this.model, places = standings.map(({ rank }, at) =>
      rank - 1 + standings.slice(0, at).filter((other) => other.rank === rank).length);
    this.#columns.forEach(({ column, value, place, block }, at) => {
      column.style.left = `${(100 * places[at]) / standings.length}%`;
      block.style.height = `${Math.round(62 * standings[at].value)}%`;
      value.textContent = `acc_eq ${written(standings[at].value)}`;
      place.textContent = standings[at].rank;
    });
    const told = standings.map(({ name, value, rank }) => `${name}: place ${rank}, acc_eq ${written(value)}`);
    this.element.setAttribute("aria-label", `${told.join("; ")}.`);
  }
}

// --------------------------------------------------------------------------------------------------------------------
// What does the threshold do just now? Sentences that follow from the counts.

/** What a threshold makes of the last metric's pairs, and who wins. */
function captionOf(found, epsilon) {
  const { name, counts: [, d, th, tm, thm] } = found.at(-1), told = [];
  if (th) told.push(`${name} orders ${thm ? `${th} of` : "all"} the ${th + thm} pairs that the human ties.`);
  if (d) told.push(`It puts ${plural(d, "pair")} in the wrong order.`);
  if (tm) told.push(`${th ? "It also" : name} ties ${plural(tm, "pair")} that the human orders.`);
  if (!told.length) told.push(`${name} ties exactly the ${th + thm} pairs that the human ties, and orders the rest correctly.`);
  const total = found[0].counts.reduce((sum, number) => sum + number, 0);
  const [first, second] = [...found].sort((a, b) => a.rank - b.rank);
  const winner = second.rank === 1
    ? `It is a draw: each has ${first.right} of ${total} pairs right.`
    : `${first.name} wins: ${first.right} of ${total} pairs right, ${second.name} ${second.right}.`;
  return { winner, why: `ε = ${epsilon}: ${told.join(" ")}` };
}
