// How can one threshold change the winner? Six translations of a sentence, two metrics on a podium, and a slider.

import { classify, count, listPairs } from "../shared/counting.js";
import { hueOf, make, markOf, wordsWithIndex } from "../shared/elements.js";
import { FORMULAS } from "../shared/formulas.js";
import { Model, mount, QUIET, View } from "../shared/mount.js";
import { minus, plural, written } from "../shared/numbers.js";

/**
 * Open the podium. Its data hold source, translations, wrong (words), errors, underlines and signs (what they mean), equal
 * (what is asked of two translations), human, metrics, epsilon and most.
 */
export function openFigure(host) {
  const model = new Podium(host.data);
  return mount(host, "podium", model, ({ data, tell }) => {
    const board = new Board(model), stand = new Stand(model);
    const exact = make("output", { for: "podium-epsilon" });
    const slider = make("input", {
      type: "range", id: "podium-epsilon", min: 0, max: data.most, step: 1,
      oninput: () => model.set({ epsilon: Number(slider.value) }),
      onchange: () => tell({ epsilon: model.epsilon }, QUIET),
    });
    const winner = make("strong"), why = make("span");
    const caption = make("p", { class: "caption answer", "aria-live": "polite" }, winner, " ", why);
    return {
      children: [make("div", { class: "scene" },
        make("div", {}, board.element, make("p", { class: "note answer" }, data.signs)),
        stand.element,
        make("div", { class: "control answer" },
          make("p", {}, data.equal),
          make("label", { for: "podium-epsilon" }, "ε ="), exact, slider,
          make("span", { class: "note" }, "Drag the ball: scores up to ε points apart are a tie.")),
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
        if (fresh.epsilon !== model.data.epsilon) model.take(fresh); // somebody else has moved it
      },
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
// What is compared? A sentence and six translations, each with what two raters and both metrics give it; below, all pairs.

const LETTERS = "ABCDEF";

class Board extends View {
  #rows = []; // for each metric the marks between neighbors
  #pairs = []; // for each metric a mark for every pair, and what names them

  constructor(model) {
    super(model);
    const { source, translations, underlines, metrics } = model.data;
    this.#rows = metrics.map(() => translations.slice(1).map(() => make("i", { class: "between answer" })));
    this.element = make("div", { class: "board", role: "table", "aria-label": "Translations and their scores" },
      row("head", make("span", { role: "columnheader", lang: "de", class: "text" }, `“${source}”`), [
        make("span", { role: "columnheader" }, "Raters"),
        ...metrics.map(({ name }, at) => make("span", { role: "columnheader" }, markOf(at), ` ${name}`))]),
      ...translations.map((text, item) => this.#row(text, item)),
      row("note", make("span", { role: "cell" }, underlines), []),
      ...metrics.map((metric, at) => this.#count(metric, at)));
  }

  #row(text, item) {
    const { errors, wrong, human, metrics } = this.model.data;
    return row(`translation ${errors[item].split(" ")[0]}`,
      make("span", { role: "rowheader", class: "text", title: errors[item] }, make("b", {}, LETTERS[item]), make("span", {}, ...marked(text, wrong[item]))),
      [cell(minus(human[item])),
        ...metrics.map(({ scores }, at) => cell(minus(scores[item]), ...(item ? [this.#rows[at][item - 1]] : [])))]);
  }

  /** All pairs of a metric as marks that one can count. */
  #count({ name, scores }, at) {
    const pairs = listPairs(scores.length), marks = Array.from(pairs.first, () => make("i", { "aria-hidden": "true" }));
    const all = make("span", { class: "all", role: "cell" }, ...marks);
    const made = make("span");
    this.#pairs.push({ marks, all, made, pairs });
    marks.forEach((mark, pair) => mark.style.setProperty("--turn", pair));
    return row("pairs answer", make("span", { role: "rowheader" }, markOf(at), ` ${name}: `, made), [all]);
  }

  /** Whether each two neighbors are tied or ordered, and whether the raters say the same. */
  show() {
    const { data: { human }, epsilon, standings } = this.model;
    this.#pairs.forEach(({ marks, all, made, pairs: { first, second } }, at) => {
      marks.forEach((mark, pair) => {
        const [one, other] = [first[pair], second[pair]], { scores } = standings[at];
        const apart = scores[one] - scores[other], said = Math.abs(apart) <= epsilon ? 0 : Math.sign(apart);
        const right = said === Math.sign(human[one] - human[other]);
        mark.className = right ? "right" : "wrong";
        mark.textContent = right ? "✓" : "×";
        mark.title = `${LETTERS[one]} and ${LETTERS[other]}: ${right ? "" : "not "}as the raters have it`;
      });
      made.textContent = `${standings[at].right} of ${marks.length} pairs right`;
      all.setAttribute("aria-label", `${standings[at].right} of ${marks.length} pairs as the raters have them`);
    });
    this.#rows.forEach((between, at) => between.forEach((mark, item) => {
      const apart = standings[at].scores[item] - standings[at].scores[item + 1], higher = human[item] - human[item + 1];
      const said = Math.abs(apart) <= epsilon ? 0 : Math.sign(apart), right = said === Math.sign(higher);
      mark.textContent = ["<", "=", ">"][said + 1];
      mark.className = `between answer ${right ? "right" : "wrong"}`;
      mark.title = `${LETTERS[item]} ${["is lower than", "ties", "is higher than"][said + 1]} ${LETTERS[item + 1]}: ${right ? "" : "not "}as the raters have it`;
    }));
  }
}

const row = (name, head, cells) => make("div", { role: "row", class: name }, head, ...cells);
const cell = (score, ...before) => make("span", { role: "cell" }, ...before, score);

/** A text with its wrong words marked. */
function marked(text, wrong) {
  if (!wrong) return [text];
  const at = text.indexOf(wrong);
  return [text.slice(0, at), make("mark", {}, wrong), text.slice(at + wrong.length)];
}

// --------------------------------------------------------------------------------------------------------------------
// Who stands where? A column for each metric, as high as its acc_eq; the winner's moves to the left.

class Stand extends View {
  element = make("div", { class: "stand answer", role: "img" });
  #columns;

  constructor(model) {
    super(model);
    this.#columns = model.data.metrics.map(({ name }, at) => {
      const value = make("b"), place = make("strong"), block = make("div", { class: "block" }, place);
      block.style.background = hueOf(at);
      const column = make("div", { class: "column" }, make("span", {}, markOf(at), ` ${name}`), value, block);
      return { column, value, place, block };
    });
    this.element.append(make("p", {}, ...wordsWithIndex("acc_eq: the share of pairs right")), ...this.#columns.map(({ column }) => column));
  }

  show() {
    const { standings } = this.model, places = standings.map(({ rank }, at) =>
      rank - 1 + standings.slice(0, at).filter((other) => other.rank === rank).length);
    this.#columns.forEach(({ column, value, place, block }, at) => {
      column.style.left = `${(100 * places[at]) / standings.length}%`;
      block.style.height = `${Math.round(62 * standings[at].value)}%`;
      value.textContent = written(standings[at].value);
      place.textContent = `rank ${standings[at].rank}`;
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
  if (th) told.push(`${name} orders ${thm ? `${th} of the` : "all"} ${th + thm} pairs that the raters tie.`);
  if (d) told.push(`It puts ${plural(d, "pair")} in the wrong order.`);
  if (tm) told.push(`${th ? "It also" : name} ties ${plural(tm, "pair")} that the raters order.`);
  if (!told.length) told.push(`${name} ties exactly the ${th + thm} pairs that the raters tie, and orders the rest correctly.`);
  const total = found[0].counts.reduce((sum, number) => sum + number, 0);
  const [first, second] = [...found].sort((a, b) => a.rank - b.rank);
  const winner = second.rank === 1
    ? `It is a draw: each has ${first.right} of ${total} pairs right.`
    : `${first.name} wins: ${first.right} of ${total} pairs right, ${second.name} ${second.right}.`;
  return { winner, why: `ε = ${epsilon}: ${told.join(" ")}` };
}
