// What is the figure of groupings? One matrix of scores, four ways to group its cells, and the metric that wins by each.

import { cellAfter, Choice, longestPiece, make } from "../shared/elements.js";
import { Model, mount, QUIET, say, spoken, View } from "../shared/mount.js";
import { brief, listed, minus, plural, written } from "../shared/numbers.js";
import { comparedWith, GROUPINGS, groupsOf, meansOf, pairsOf, valuesOf } from "./groups.js";

/** Open the figure, whose data hold human, metrics (two: name, scores), systems, segments, coefficient, grouping, cell. */
export function openFigure(host) {
  const model = new GroupedScores();
  return mount(host, "grouping", model, ({ tell }) => {
    const choice = new Choice("Group pairs by", (grouping) => {
      model.set({ grouping });
      tell({ grouping }, QUIET);
    }, "groupings");
    const options = GROUPINGS.map((name) => ({ name, label: NAMES[name] }));
    const matrix = new Matrix(model, (cell) => {
      model.pick(cell);
      tell({ cell: model.cell }, QUIET);
    });
    const bars = new Bars(model), title = spoken("headline"), said = make("p", { class: "verdict" }), pairs = spoken("pairs");
    return {
      inFrames: true,
      fits: true,
      children: [choice.element, make("div", { class: "stage" },
        matrix.element, make("div", { class: "right" }, title, bars.element, said, pairs))],
      views: [matrix, bars],
      madeOf: ({ human, metrics, systems, segments }) => [human, metrics, systems, segments],
      show() {
        choice.show(options, model.grouping);
        say(title, headline(model));
        say(said, verdict(model));
        say(pairs, comparison(model));
      },
    };
  });
}

// --------------------------------------------------------------------------------------------------------------------
// What is shown? The scores, the grouping and the cell that was picked, and the values that follow.

const SAME = 1e-12; // values that lie closer share a rank, as in a leaderboard

class GroupedScores extends Model {
  grouping = "global";
  cell = null; // a system and a segment, counted from 0
  results = {}; // by grouping: pairs, and the values of each metric

  take(data) {
    const { human, metrics, coefficient } = data;
    super.take(data);
    this.grouping = data.grouping;
    this.cell = data.cell;
    this.means = { human: meansOf(human, human), metrics: metrics.map(({ scores }) => meansOf(scores, human)) };
    this.results = Object.fromEntries(GROUPINGS.map((grouping) => [grouping, {
      ...pairsOf(human, grouping),
      metrics: metrics.map(({ scores }) => valuesOf(human, scores, grouping, coefficient.name)),
    }]));
  }

  get shape() {
    return [this.data.human.length, this.data.human[0].length];
  }

  get result() {
    return this.results[this.grouping];
  }

  /** The cells that the picked one is compared with. */
  get partners() {
    return this.cell ? comparedWith(this.data.human, this.grouping, this.cell) : [];
  }

  /** Which metric has the larger value by a grouping: its place, or null where none has. */
  winnerBy(grouping) {
    const [one, other] = this.results[grouping].metrics.map(({ mean }) => mean);
    if (Number.isNaN(one - other) || Math.abs(one - other) < SAME) return null;
    return one > other ? 0 : 1;
  }

  /** Pick a cell; the one that is picked already is let go. */
  pick(cell) {
    this.set({ cell: this.cell && cell && this.cell.join() === cell.join() ? null : cell });
  }
}

// --------------------------------------------------------------------------------------------------------------------
// What do the scores look like? A table of systems and segments, the frames around its groups, the cells of one's pairs.

const OUTSIDE = 3; // pixels from a cell to its frame
const LEAST = 4; // letters that a cell has room for

class Matrix extends View {
  #buttons = []; // of each cell, by system and segment
  #means = []; // the cell beside each system
  #foot = []; // the cell below each segment
  #frames = [];
  #grouping; // by which the frames lie
  #focused = [0, 0];
  #table = make("table");
  #around = make("div", { class: "frames", "aria-hidden": "true" });
  element = make("div", { class: "matrix scrolls" }, make("div", { class: "inner" }, this.#table, this.#around));

  /** Make the table of these scores. */
  arrange() {
    const { human, metrics, systems, segments, aside = [] } = this.model.data;
    const lines = (own, others, out = null) => [
      make("b", out === null ? {} : { class: "aside" }, score(own ?? out)),
      ...others.map((other, at) => make("span", { class: `of-${at}` }, make("i", {}, GLYPHS[at]), score(other))),
    ];
    this.#buttons = human.map((row, i) => row.map((own, j) => make("button", {
      type: "button", title: cellWords(this.model, [i, j]), "aria-label": cellWords(this.model, [i, j]), onclick: () => this.#onClick([i, j]),
      onkeydown: (event) => this.#onKey(event, [i, j]),
    }, ...lines(own, metrics.map(({ scores }) => scores[i][j]), aside[i]?.[j]))));
    const texts = [human, ...metrics.map(({ scores }) => scores)].flat(2).map((one) => score(one).length);
    const heads = segments.map((name) => name.replace(/^segment (?=\d)/, ""));
    this.element.style.setProperty("--cell", `${Math.max(LEAST, ...texts, 1.1 * longestPiece(heads))}ch`);
    this.element.style.setProperty("--columns", segments.length);
    const names = [...systems, ...metrics.map(({ name }) => name)], whole = names.map(({ length }) => length);
    this.element.style.setProperty("--piece", `${longestPiece(names) + 2}ch`);
    this.element.style.setProperty("--name", `${Math.max(...whole) + 3}ch`);
    this.#means = systems.map(() => make("td", { class: "side" }));
    this.#foot = segments.map(() => make("td", { class: "foot" }));
    const { means } = this.model;
    this.#means.forEach((cell, i) => cell.append(
      make("div", { class: "mean" }, ...lines(means.human[i], means.metrics.map((one) => one[i]))),
      make("div", { class: "values" })));
    const key = make("th", { class: "key" }, make("b", {}, "human"), ...metrics.map(({ name }, at) =>
      make("span", { class: `of-${at}` }, make("i", {}, GLYPHS[at]), name)));
    this.side = make("th", { scope: "col", class: "side" });
    const head = make("tr", {}, key, ...segments.map((name, at) => make("th", { scope: "col" },
      ...(/^(segment )?\d/.test(name) ? [make("small", {}, "segment"), " "] : []), heads[at])), this.side);
    const body = this.#buttons.map((row, i) => make("tr", {}, make("th", { scope: "row" }, systems[i]),
      ...row.map((button) => make("td", {}, button)), this.#means[i]));
    this.below = make("th", { scope: "row" });
    const foot = make("tr", {}, this.below, ...this.#foot, make("td"));
    this.#table.replaceChildren(make("caption", { class: "unseen" }, `Scores of ${systems.length} systems on ${segments.length} segments`),
      make("thead", {}, head), make("tbody", {}, ...body), make("tfoot", {}, foot));
    this.#frames = Array.from({ length: Math.max(human.length, segments.length) }, () => make("i"));
    this.#around.replaceChildren(...this.#frames);
    this.#focused = this.model.cell ?? [0, 0];
    this.#grouping = undefined;
  }

  show() {
    const { grouping, cell, partners, result, data } = this.model;
    const isMean = grouping === "system_means", marked = new Set(partners.map(([i, j]) => `${i} ${j}`));
    this.element.classList.toggle("by-means", isMean);
    this.#buttons.forEach((row, i) => row.forEach((button, j) => {
      const isPicked = cell?.[0] === i && cell[1] === j;
      button.setAttribute("aria-pressed", isPicked);
      button.classList.toggle("compared", marked.has(`${i} ${j}`));
      button.tabIndex = this.#focused[0] === i && this.#focused[1] === j ? 0 : -1;
    }));
    this.#means.forEach((box, i) => {
      box.classList.toggle("compared", marked.has(`${i} null`));
      box.classList.toggle("picked", isMean && cell?.[0] === i);
    });
    const values = (at) => result.metrics.map(({ values: all }, metric) =>
      make("span", { class: `of-${metric}` }, make("i", {}, GLYPHS[metric]), short(all[at])));
    this.side.textContent = isMean ? "mean" : grouping === "system" ? data.coefficient.label : "";
    this.below.textContent = grouping === "item" ? data.coefficient.label : "";
    this.#means.forEach((box, i) => box.lastChild.replaceChildren(...(grouping === "system" ? values(i) : [])));
    this.#foot.forEach((box, j) => box.replaceChildren(...(grouping === "item" ? values(j) : [])));
    this.element.classList.toggle("by-system", grouping === "system");
  }

  /** Put the frames around the groups; where the grouping is a new one they move there. */
  paint() {
    const { grouping, data } = this.model, groups = groupsOf(data.human, grouping);
    this.#around.classList.toggle("moves", this.#grouping !== undefined && this.#grouping !== grouping);
    this.#grouping = grouping;
    this.#frames.forEach((frame, at) => {
      const cells = groups[at % groups.length], [first, last] = [cells[0], cells.at(-1)].map((cell) => this.#placeOf(cell));
      Object.assign(frame.style, {
        left: `${first.offsetLeft - OUTSIDE}px`, top: `${first.offsetTop - OUTSIDE}px`,
        width: `${last.offsetLeft + last.offsetWidth - first.offsetLeft + 2 * OUTSIDE}px`,
        height: `${last.offsetTop + last.offsetHeight - first.offsetTop + 2 * OUTSIDE}px`,
      });
    });
  }

  #placeOf([i, j]) {
    return j === null ? this.#means[i] : this.#buttons[i][j].parentElement;
  }

  #onClick(cell) {
    this.#focused = cell;
    this.act(cell);
  }

  #onKey(event, [i, j]) {
    const to = cellAfter(event, [i, j], this.model.shape);
    if (!to) return;
    this.#onClick(to);
    this.#buttons[to[0]][to[1]].focus();
  }
}

// --------------------------------------------------------------------------------------------------------------------
// Which metric is ahead? Two bars; the longer one is above.

const GLYPHS = ["●", "◆"];

class Bars extends View {
  #rows = [];
  element = make("div", { class: "bars", role: "img" });

  arrange() {
    this.#rows = this.model.data.metrics.map(({ name }, at) => {
      const bar = make("i"), value = make("b");
      const row = make("div", { class: `row of-${at}` },
        make("span", { class: "who one-line" }, make("i", {}, GLYPHS[at]), name), make("span", { class: "track" }, bar), value);
      return { row, bar, value };
    });
    this.element.replaceChildren(...this.#rows.map(({ row }) => row));
  }

  show() {
    const model = this.model, values = model.result.metrics.map((metric) => metric.mean), first = model.winnerBy(model.grouping) ?? 0;
    const all = Object.values(model.results).flatMap(({ metrics }) => metrics.map((metric) => metric.mean));
    const low = all.some((value) => value < 0) ? -1 : 0, across = (value) => (100 * (value - low)) / (1 - low);
    this.#rows.forEach(({ row, bar, value }, at) => {
      const worth = values[at], from = Number.isNaN(worth) ? 0 : Math.min(0, worth), to = Number.isNaN(worth) ? 0 : Math.max(0, worth);
      row.classList.toggle("second", at !== first);
      row.style.setProperty("--zero", `${across(0)}%`);
      Object.assign(bar.style, { left: `${across(from)}%`, width: `${across(to) - across(from)}%` });
      value.textContent = written(worth);
    });
    const words = model.data.metrics.map(({ name }, at) => `${name} ${written(values[at])}`);
    this.element.setAttribute("aria-label", `${model.data.coefficient.label}: ${words.join(", ")}`);
  }
}

// --------------------------------------------------------------------------------------------------------------------
// What do the scores, the grouping and the picked cell say, in sentences?

const NAMES = {
  global: "Without grouping", item: "By item", system: "By system", system_means: "System means",
};
const PHRASES = { global: "without grouping", item: "by item", system: "by system", system_means: "by system means" };

const score = (number) => (number === null ? "–" : brief(number));

/** A value in a narrow cell: two decimals. */
const short = (value) => (Number.isNaN(value) ? "–" : minus(value.toFixed(2)));

/** A segment in a sentence; a number alone is not understood there. */
const segmentNamed = (name) => (/^\d+$/.test(name) ? `segment ${name}` : name);

/** Which metric wins by the present grouping. */
function headline(model) {
  const { grouping, result, data: { metrics, coefficient } } = model, winner = model.winnerBy(grouping);
  const values = result.metrics.map(({ mean: value }) => value);
  const by = `${coefficient.label} ${PHRASES[grouping]}`;
  if (values.some(Number.isNaN)) {
    const gone = metrics.filter((_, at) => Number.isNaN(values[at])).map(({ name }) => name);
    return `${by}: undefined for ${listed(gone)}`;
  }
  return winner === null ? `${by}: no metric is ahead` : `${by}: ${metrics[winner].name} wins`;
}

/** Which metric wins by which grouping. */
function verdict(model) {
  const { metrics } = model.data;
  const won = metrics.map((_, at) => GROUPINGS.filter((grouping) => model.winnerBy(grouping) === at));
  const none = GROUPINGS.filter((grouping) => model.winnerBy(grouping) === null);
  const parts = won.flatMap((groupings, at) =>
    groupings.length ? [`${metrics[at].name} wins ${listed(groupings.map((one) => PHRASES[one]))}`] : []);
  if (none.length) parts.push(`neither wins ${listed(none.map((one) => PHRASES[one]))}`);
  const opening = won.every((groupings) => groupings.length) ? "The ranking flips: " : "";
  return `${opening}${parts.join("; ")}.`;
}

/** How many pairs are compared, and which of them the picked cell is part of. */
function comparison(model) {
  const { result: { pairs, groups }, grouping, cell, partners, data } = model;
  const all = `${NAMES[grouping]}: ${plural(pairs, "pair")} in ${plural(groups, "group")}.`;
  if (!cell) return `${all} Click a cell to see which cells it is compared with.`;
  const name = grouping === "system_means" ? `The mean of ${data.systems[cell[0]]}` : `${data.systems[cell[0]]}, ${segmentNamed(data.segments[cell[1]])},`;
  const others = plural(partners.length, `other ${grouping === "system_means" ? "mean" : "cell"}`);
  return `${all} ${name} is compared with ${partners.length ? `${others}, marked •` : "no other"}: ${plural(partners.length, "pair")}.`;
}

/** A cell for those who do not see it. */
function cellWords({ data: { human, metrics, systems, segments, aside = [] } }, [i, j]) {
  const out = aside[i]?.[j] ?? null, own = out === null ? minus(human[i][j] ?? "–") : `${minus(out)} (not compared, as a metric has no score)`;
  const scores = metrics.map(({ name, scores: rows }) => `${name} ${minus(rows[i][j] ?? "–")}`);
  return `${systems[i]}, ${segmentNamed(segments[j])}: human ${own}, ${scores.join(", ")}`;
}
