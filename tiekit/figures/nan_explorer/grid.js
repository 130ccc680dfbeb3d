// What is the coefficient of every segment and metric? One row per metric, the best on top, one cell per segment.

import { glyphOf, isPlain, keep, make, withIndex } from "../shared/elements.js";
import { isCalm, View } from "../shared/mount.js";
import { cut, minus, whole, written } from "../shared/numbers.js";
import { cellWords, shortest, told } from "./words.js";

const NARROWEST = 28, ROOMY = 46; // pixels of a cell: that can be hit, and that has room for a number
const SIZE = 14; // pixels of a segment's name, at most
const DURATION = 700; // milliseconds in which a row moves

export class Grid extends View {
  #rows = []; // for each metric the row, its head and its cells
  #marks = []; // the number in each segment's name, for cells that wrap
  #names; // of segments, as they stand above their cells
  #numbers; // the row with the names of segments
  #focus = { metric: 0, segment: 0 };

  constructor(model, choose) {
    super(model);
    this.choose = choose;
    this.#numbers = make("div", { role: "row", class: "metric numbers" });
    this.body = make("div", { role: "rowgroup" });
    this.element = make("div", { role: "grid", class: "grid", onkeydown: (event) => this.#press(event) },
      make("div", { role: "rowgroup" }, this.#numbers), this.body);
  }

  arrange() {
    const { metrics, segments } = this.model.data;
    this.#focus = { metric: 0, segment: 0 };
    const ends = segments.map((name) => name.match(/\d{1,3}$/)?.[0]);
    this.#marks = new Set(ends).size === ends.length ? ends : [];
    this.#rows = metrics.map(({ name }, metric) => {
      const rank = make("b", { class: "rank" }), average = make("b", { class: "average" });
      const over = make("span", { class: "note" });
      const head = make("div", { role: "rowheader", class: "head" },
        rank, make("span", { class: "name" }, name), average, over);
      const cells = segments.map((_, segment) => this.#cell(metric, segment));
      const strip = make("div", { role: "none", class: "strip" }, ...cells.map(({ element }) => element));
      const room = make("div", { role: "none" }, strip);
      const element = make("div", { role: "row", class: "metric", "data-metric": name }, head, room);
      return { element, rank, average, over, room, strip, cells };
    });
    this.body.replaceChildren();
    this.#names = segments.map((name) => make("span", {}, name));
    const names = segments.map((name, at) =>
      make("div", { role: "columnheader", "aria-label": `segment ${name}`, title: name }, this.#names[at]));
    this.#numbers.replaceChildren(make("div", { role: "columnheader", class: "note" }, "segment"),
      make("div", { role: "none" }, make("div", { role: "none", class: "strip" }, ...names)));
  }

  #cell(metric, segment) {
    const bar = make("i"), glyph = make("b"), number = make("span");
    const element = make("div", {
      role: "gridcell", class: "cell", tabindex: -1,
      onclick: () => {
        this.#focusOn(metric, segment);
        this.choose(metric, segment);
      },
      "data-segment": this.#marks[segment],
    }, make("div", { class: "plot" }, bar, glyph), number);
    return { element, bar, glyph, number };
  }

  show() {
    const { chosen, coefficient, metrics, rule, data } = this.model;
    this.element.setAttribute("aria-label", `${coefficient.label} of each segment, one row per metric`);
    const texts = told(metrics.map(({ average }) => average));
    this.#rows.forEach(({ rank, average, over, cells, element }, at) => {
      const { groups, undefined: lost, rank: place } = metrics[at];
      const used = place === null ? 0 : { drop: groups - lost, zero: groups, common: this.model.common }[rule];
      rank.textContent = place ?? "–";
      average.textContent = texts[at];
      average.dataset.value = metrics[at].average;
      over.textContent = `mean of ${whole(used)}`;
      element.classList.toggle("first", place === 1);
      cells.forEach((cell, segment) => this.#show(cell, at, segment, coefficient, data.style));
    });
    if (chosen && !this.body.matches(":focus-within")) this.#focus = chosen;
    this.#rove();
    reorder(this.body, this.model.order().map((at) => this.#rows[at].element));
  }

  #show({ element, bar, glyph, number }, metric, segment, { low }, style) {
    const { value, reason, isGroup, counted } = this.model.cells[metric][segment], { chosen, rule } = this.model;
    const known = !reason, look = known ? null : style.reasons.find((each) => each.reason === reason);
    element.classList.toggle("out", !counted);
    element.classList.toggle("undefined", !known);
    element.classList.toggle("zero", !known && counted);
    element.style.setProperty("--fill", look?.color ?? style.kinds[value < 0 ? 1 : 0].color);
    element.style.setProperty("--on", look?.on ?? "inherit");
    const base = low < 0 ? 50 : 0, size = Math.abs(value || 0) * (100 - base);
    element.style.setProperty("--base", `${base}%`);
    bar.style.bottom = `${value < 0 ? base - size : base}%`;
    bar.hidden = !known;
    bar.style.height = known ? `max(${size}%, 2px)` : "0";
    glyph.textContent = look?.glyph ?? "";
    number.textContent = known ? shortest(value) : rule === "zero" && isGroup && counted ? "0" : "";
    const words = cellWords(this.model, metric, segment);
    element.setAttribute("aria-label", words);
    element.title = words;
    element.setAttribute("aria-selected", chosen?.metric === metric && chosen?.segment === segment);
    element.dataset.value = value;
    element.dataset.reason = reason;
  }

  /** As many cells a line as there is room for: all, or a multiple of ten; names above all or every fifth. */
  paint() {
    const { segments } = this.model.data, n = segments.length, [{ room, strip }] = this.#rows;
    const most = Math.floor(room.clientWidth / NARROWEST), line = n <= most ? n : Math.floor(most / 10) * 10 || 5;
    this.element.style.setProperty("--line", line);
    this.element.classList.toggle("wrapped", line < n);
    const cell = strip.clientWidth / line, isRoomy = cell >= ROOMY;
    this.element.classList.toggle("roomy", isRoomy);
    this.#names.forEach((name, at) => {
      name.textContent = cut(segments[at], cell * (isRoomy ? 1 : Math.min(5, n - at)) - 4, SIZE);
    });
  }

  #press(event) {
    const { data } = this.model, order = this.model.order(), n = data.segments.length, { metric, segment } = this.#focus;
    const row = order.indexOf(metric);
    const go = (by, to) => this.#focusOn(order[Math.max(0, Math.min(row + by, order.length - 1))], to);
    const moves = {
      ArrowLeft: () => go(0, Math.max(0, segment - 1)), ArrowRight: () => go(0, Math.min(n - 1, segment + 1)),
      ArrowUp: () => go(-1, segment), ArrowDown: () => go(1, segment), Home: () => go(0, 0), End: () => go(0, n - 1),
      Enter: () => this.choose(metric, segment), " ": () => this.choose(metric, segment),
    };
    if (!moves[event.key] || !isPlain(event)) return;
    moves[event.key]();
    keep(event);
  }

  #focusOn(metric, segment) {
    this.#focus = { metric, segment };
    this.#rove();
    this.#rows[metric].cells[segment].element.focus();
  }

  /** Only one cell is reached by the tab key. */
  #rove() {
    this.#rows.forEach(({ cells }, metric) => cells.forEach(({ element }, segment) => {
      element.tabIndex = metric === this.#focus.metric && segment === this.#focus.segment ? 0 : -1;
    }));
  }
}

/** Put elements into an order; those that move are animated, unless the reader wants less motion. */
export function reorder(parent, elements) {
  const moved = elements.some((element, at) => parent.children[at] !== element);
  if (!moved) return;
  const before = elements.map((element) => (element.isConnected ? element.getBoundingClientRect().top : null));
  const focused = parent.getRootNode().activeElement;
  parent.replaceChildren(...elements);
  if (parent.contains(focused)) focused.focus({ preventScroll: true });
  if (isCalm()) return;
  elements.forEach((element, at) => {
    const by = before[at] === null ? 0 : before[at] - element.getBoundingClientRect().top;
    if (by) element.animate({ transform: [`translateY(${by}px)`, "none"] }, { duration: DURATION, easing: "ease" });
  });
}

/** What the cells mean: the looks that occur, and which segments are shown. */
export class Legend extends View {
  element = make("div", { class: "legend" });

  show() {
    const { cells, data } = this.model, all = cells.flat(), { kinds, reasons } = data.style;
    const looks = [
      { when: all.some(({ value }) => value >= 0), ...kinds[0], glyph: "▲", label: "value, up to 1" },
      { when: all.some(({ value }) => value < 0), ...kinds[1], glyph: "▼", label: "value below 0" },
      ...reasons.map((look) => ({
        when: all.some(({ reason }) => reason === look.reason), ...look, label: `undefined: ${look.reason}`,
      })),
    ].filter(({ when }) => when);
    const items = looks.map((look) => make("li", {}, glyphOf(look), look.label));
    if (all.some(({ counted }) => !counted)) {
      items.push(make("li", {}, make("span", { class: "glyph sample", "aria-hidden": "true" }), "not in the average"));
    }
    this.element.replaceChildren(make("ul", { class: "kinds" }, ...items), make("p", { class: "note" }, this.#shown()));
  }

  /** Which segments the cells are, in their order. */
  #shown() {
    const { segments, total, differing } = this.model.data;
    const plain = "One row per metric, the best on top; one cell per segment.";
    if (segments.length === total) return plain;
    return `${plain} Only ${segments.length} of ${whole(total)} segments are shown: ${differing} on which some ` +
      `metrics are undefined and others are not, and the first of the rest. The averages are those of all.`;
  }
}

// --------------------------------------------------------------------------------------------------------------------
// What is behind the chosen cell? The scores of each system, the counts of its pairs, and the formula with them.

const SYMBOLS = ["C", "D", "T_h", "T_m", "T_hm", "n", "k"];
const INVITATION = "Choose a cell to see its scores: click it, or go there by arrow keys and press Enter.";

export class Behind extends View {
  element = make("section", { class: "behind", "aria-label": "The chosen cell" });
  #shown; // what was shown last

  show() {
    const { chosen, coefficient, data, rule, scored } = this.model;
    const now = JSON.stringify([chosen, coefficient.name, rule, data.human, scored]);
    if (now === this.#shown) return;
    this.#shown = now;
    this.element.replaceChildren(...(chosen ? this.#parts(chosen) : [make("p", {}, INVITATION)]));
  }

  #parts({ metric, segment }) {
    const { coefficient, data, judged, cells } = this.model, { counts, row } = judged[metric][segment];
    const cell = cells[metric][segment], name = data.metrics[metric].name;
    const result = cell.reason ? `is undefined: ${cell.reason}` : `= ${written(cell.value)}`;
    const kinds = data.style.kinds.map((style, kind) =>
      make("li", {}, glyphOf(style), make("b", { "data-kind": style.kind }, String(counts[kind])), ` ${style.label}`));
    const symbol = (at) => withIndex(SYMBOLS[at]);
    return [
      make("div", {},
        make("h3", {}, `Segment ${data.segments[segment]}, ${name}`),
        make("p", { class: "result" }, withIndex(coefficient.label), ` ${result}`, ". ",
          make("span", { class: "fate" }, this.#fate(cell, name))),
        make("p", { class: "formula" }, withIndex(coefficient.label), " = ", ...inserted(coefficient.formula, symbol)),
        make("p", { class: "formula" }, "= ", ...inserted(coefficient.formula, (at) => String(row[at])),
          cell.reason ? ", where the divisor is 0" : ` = ${written(cell.value)}`),
        make("ul", { class: "kinds" }, ...kinds)),
      make("div", { class: "scores", tabindex: 0, role: "region", "aria-label": "Scores of the chosen cell" },
        this.#scores(metric, segment)),
    ];
  }

  /** What becomes of the cell under the chosen rule. */
  #fate({ reason, isGroup, counted }, name) {
    const { metrics, rule, chosen } = this.model;
    if (metrics[chosen.metric].rank === null && rule !== "common") return `${name} has no average.`;
    if (counted) return reason ? "It counts as 0 in the average." : "It is in the average.";
    if (!isGroup) return "Fewer than two scored systems are in no average.";
    if (reason) return rule === "common" ? "The segment is left out for every metric." : "The segment is left out.";
    return "The segment is left out, as another metric is undefined on it.";
  }

  /** The scores of both sides, the highest human score first. */
  #scores(metric, segment) {
    const { scored: metrics, data: { systems, human, aside = [] } } = this.model, h = human[segment], out = aside[segment] ?? [], m = metrics[metric].scores[segment];
    const texts = [h, m].map(distinct), low = -Infinity;
    const order = [...systems.keys()].sort((a, b) => (h[b] ?? low) - (h[a] ?? low) || (m[b] ?? low) - (m[a] ?? low));
    const lines = order.map((at) => make("tr", {}, make("th", { scope: "row" }, systems[at]),
      ...texts.map((side, n) => (n || (out[at] ?? null) === null ? make("td", {}, side[at]) : make("td", { class: "aside" }, `${minus(out[at])}, not compared`)))));
    const heads = ["system", "human", metrics[metric].name].map((head) => make("th", { scope: "col" }, head));
    return make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...lines));
  }
}

/** A formula in mathematical notation, with something in the place of each symbol. */
function inserted(formula, put) {
  const pretty = formula.replaceAll("**2", "²").replaceAll("*", "·").replaceAll("-", "−").replaceAll("sqrt", "√");
  return pretty.split(/\b(T_hm|T_h|T_m|[CDnk])\b/).map((part, at) => (at % 2 ? put(SYMBOLS.indexOf(part)) : part));
}

/** Scores with as few digits as tell apart those that differ. */
function distinct(scores) {
  const known = scores.filter((score) => score !== null), kinds = new Set(known).size;
  const write = (digits) => (score) => minus(Number(score.toPrecision(digits)));
  const digits = [4, 6, 8, 12].find((each) => new Set(known.map(write(each))).size === kinds) ?? 17;
  return scores.map((score) => (score === null ? "missing" : write(digits)(score)));
}
