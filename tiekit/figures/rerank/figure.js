// What is the rerank figure? Cards to order, the majorities of the judges, and a gauge with what any metric can reach.

import { draw, keep, make, withIndex } from "../shared/elements.js";
import { isCalm, Model, mount, say, spoken, View } from "../shared/mount.js";
import { minus, written } from "../shared/numbers.js";
import { capOf, majorities, marksOf, mostOf, moved, orderOf, outcomes, scoresOf, switched, valueOf } from "./judging.js";

/** Open the figure. Its data hold names, judges' ranks, the coefficient and the metric's scores (see data.py). */
export function openFigure(host) {
  const model = new Ranking();
  return mount(host, "rerank", model, ({ tell }) => {
    const sentence = spoken("sentence"), judges = make("div", { class: "judges" }), key = make("p", { class: "note" });
    const cards = new Cards(model, (order, isHeld) => {
      model.change(order);
      if (!isHeld) tell({ metric: model.data.metric });
    });
    const graph = new Graph(model), gauge = new Gauge(model);
    const ends = make("p", { class: "ends", "aria-hidden": "true" }, make("span", {}, "best"), make("span", {}, "worst"));
    return {
      children: [sentence, make("div", { class: "field" },
        make("div", { class: "hand" }, ends, cards.element, gauge.element),
        make("div", {}, graph.element, make("p", { class: "note" },
          "Arrow: the majority prefers. Dashed: your ranking contradicts it."))), key, judges],
      views: [cards, graph, gauge],
      madeOf: ({ names }) => names,
      show() {
        const { first, rest } = sentenceOf(model);
        judges.replaceChildren(...judgesOf(model.data));
        say(key, model.marks.map((mark, item) => `${mark}: ${model.data.names[item]}`).join("; "));
        key.hidden = model.marks.every((mark, item) => mark === model.data.names[item]);
        say(sentence, rest, first);
      },
    };
  });
}

/** Each judge's ranking in words, such as A > B = C. */
function judgesOf({ judges, names }) {
  return judges.map(({ name, ranks }) => {
    const items = [...ranks.keys()].filter((item) => ranks[item] !== null).sort((a, b) => ranks[a] - ranks[b]);
    const words = items.map((item, at) =>
      (at ? (ranks[item] === ranks[items[at - 1]] ? " = " : " > ") : "") + names[item]);
    return make("span", {}, make("b", {}, name), ` ${words.join("")}`);
  });
}

// --------------------------------------------------------------------------------------------------------------------
// What is shown? Judgments of one segment, a ranking that the hand changes, its value, and what any can reach.

export class Ranking extends Model {
  order = []; // the cards from best to worst
  edges = []; // the majorities

  take(data) {
    const { judges, coefficient } = data, before = JSON.stringify([this.data?.judges, this.data?.coefficient]);
    super.take(data);
    this.marks = marksOf(data.names);
    if (before !== JSON.stringify([judges, coefficient])) {
      this.pairs = outcomes(judges.map(({ ranks }) => ranks));
      this.edges = majorities(this.pairs);
      this.cap = capOf(this.pairs, coefficient.name);
      this.most = mostOf(this.pairs, data.names.length, coefficient.name);
    }
    this.order = orderOf(data.metric);
    this.value = valueOf(this.pairs, data.metric, coefficient.name);
  }

  /** Show another order. */
  change(order) {
    this.take({ ...this.data, metric: scoresOf(order) });
    this.changed();
  }
}

// --------------------------------------------------------------------------------------------------------------------
// How is a ranking changed by hand? Cards from best to worst that are dragged or moved by keys; = ties two neighbors.

class Cards extends View {
  element = make("div", { class: "cards", role: "group", "aria-label": "The ranking, best on the left" });
  #drag = null; // the card that is held, and where the hand took it

  arrange() {
    const { data: { names }, marks } = this.model;
    this.element.style.setProperty("--letters", Math.max(...marks.map(({ length }) => length)));
    this.cards = names.map((name, item) => {
      const place = make("small"), title = make("b", {}, marks[item]);
      const card = make("button", { type: "button", class: "card", "data-name": name, title: name }, place, title);
      card.onkeydown = (event) => this.#press(event, item);
      card.onpointerdown = (event) => this.#take(event, item);
      card.onpointermove = (event) => this.#move(event);
      card.onpointerup = card.onpointercancel = () => this.#drop();
      return { card, place };
    });
    this.joints = names.map(() => {
      const joint = make("button", { type: "button", class: "joint" });
      joint.onclick = () => this.act(switched(this.model.order, Number(joint.dataset.at)));
      return joint;
    });
    this.element.replaceChildren();
  }

  show() {
    const { order, data: { names } } = this.model;
    let place = 0;
    const parts = order.flatMap(({ item, tied }, at) => {
      const { card, place: shown } = this.cards[item];
      if (!tied) place = at + 1;
      shown.textContent = `${place}.`;
      const words = `${names[item]}, rank ${place} of ${names.length}`;
      card.setAttribute("aria-label", `${words}. Move it with the arrow keys.`);
      if (!at) return [card];
      const joint = this.joints[at], above = names[order[at - 1].item];
      joint.dataset.at = at;
      joint.textContent = tied ? "=" : ">";
      joint.setAttribute("aria-label", tied ? `${above} and ${names[item]} are tied: separate them` :
        `${above} is ahead of ${names[item]}: tie them`);
      joint.setAttribute("aria-pressed", tied);
      return [joint, card];
    });
    this.#place(parts);
  }

  /** Put the parts into their order; those that move are seen on the way, unless the reader wants less motion. */
  #place(parts) {
    if (parts.every((part, at) => this.element.children[at] === part)) return;
    const before = new Map(parts.map((part) => [part, part.isConnected ? part.getBoundingClientRect().left : null]));
    const held = this.#drag?.card, focused = this.element.getRootNode().activeElement;
    for (const part of parts) if (part !== held || !part.isConnected) this.element.append(part);
    if (held) { // it stays in the document, so that the pointer stays with it
      const at = parts.indexOf(held);
      parts.slice(0, at).forEach((part) => this.element.insertBefore(part, held));
    }
    if (focused && focused !== held && this.element.contains(focused)) focused.focus({ preventScroll: true });
    if (isCalm()) return;
    for (const [part, left] of before) {
      const by = left === null || part === held ? 0 : left - part.getBoundingClientRect().left;
      if (by) part.animate({ transform: [`translateX(${by}px)`, "none"] }, { duration: 250, easing: "ease" });
    }
  }

  #press(event, item) {
    const { order } = this.model, from = order.findIndex((one) => one.item === item), last = order.length - 1;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    keep(event);
    if (to < 0 || to > last || to === from) return;
    this.act(moved(order, from, to));
    this.cards[item].card.focus();
  }

  #take(event, item) {
    if (event.button) return;
    const { card } = this.cards[item];
    card.setPointerCapture(event.pointerId);
    this.#drag = { card, item, from: this.model.order };
    card.classList.add("held");
  }

  #move(event) {
    if (!this.#drag) return;
    const { order } = this.model, at = order.findIndex(({ item }) => item === this.#drag.item);
    const middle = ({ item }) => {
      const box = this.cards[item].card.getBoundingClientRect();
      return box.left + box.width / 2;
    };
    const to = order.filter((one, place) => place !== at && middle(one) < event.clientX).length;
    if (to !== at) this.act(moved(order, at, to), true);
  }

  #drop() {
    if (!this.#drag) return;
    const { card, from } = this.#drag;
    card.classList.remove("held");
    this.#drag = null;
    if (from !== this.model.order) this.act(this.model.order);
  }
}

// --------------------------------------------------------------------------------------------------------------------
// How far does the ranking come? Its value on a scale, with the most that any metric can reach, and the cap.

class Gauge extends View {
  element = make("div", { class: "gauge", role: "img" });

  constructor(model) {
    super(model);
    this.value = make("output");
    this.beyond = make("i", { class: "beyond" });
    this.most = make("b", { class: "most" });
    this.cap = make("b", { class: "cap" });
    this.needle = make("b", { class: "needle" });
    this.low = make("span");
    this.key = make("ul");
    this.element.append(this.value, make("div", { class: "scale" }, this.beyond, this.cap, this.most, this.needle),
      make("p", { class: "ends" }, this.low, make("span", {}, "1")), this.key);
  }

  show() {
    const { value, most, cap, data: { coefficient: { label, low } } } = this.model;
    const place = (number) => `${(100 * (number - low)) / (1 - low)}%`;
    const rows = [
      ["needle", "your ranking", value], ["most", "highest of any ranking", most],
      ["cap", "cap: every majority followed", cap],
    ];
    this.element.setAttribute("aria-label",
      `${label}: ${rows.map(([, words, number]) => `${words} ${written(number)}`).join("; ")}`);
    this.value.replaceChildren(withIndex(label), ` = ${written(value)}`);
    this.low.textContent = minus(low);
    for (const [name, , number] of rows) {
      this[name].hidden = Number.isNaN(number);
      this[name].style.left = place(number);
    }
    this.beyond.hidden = Number.isNaN(most);
    this.beyond.style.left = place(most);
    this.key.replaceChildren(...rows.map(([name, words, number]) =>
      make("li", {}, make("i", { class: name }), `${words} `, make("b", {}, written(number)))));
  }
}

// --------------------------------------------------------------------------------------------------------------------
// Which translation does the majority prefer? An arrow from the winner of each pair to its loser; cycles are red.

const SIZE = 300, RADIUS = 112, NODE = 22;
const PARTS = [0.4, 0.24, 0.56, 0.6, 0.74, 0.7], ROOM = [28, 17]; // where on an arrow its votes may stand, and in how much room

/** The part of the picture that the nodes fill. */
function roomOf(at) {
  const [left, top] = [0, 1].map((axis) => Math.min(...at.map((point) => point[axis])) - NODE - 4);
  const [right, bottom] = [0, 1].map((axis) => Math.max(...at.map((point) => point[axis])) + NODE + 4);
  return [left, top, right - left, bottom - top];
}

class Graph extends View {
  element = make("div", { class: "graph" });

  show() {
    const { edges, marks, data: { names, metric } } = this.model;
    const at = names.map((_, item) => {
      const angle = (2 * Math.PI * (item + 0.5)) / names.length - Math.PI / 2;
      return [SIZE / 2 + RADIUS * Math.cos(angle), SIZE / 2 + RADIUS * Math.sin(angle)];
    });
    const head = (name) => draw("marker", { id: `head-${name}`, class: name, viewBox: "0 0 10 10", refX: 8, refY: 5,
      markerWidth: 14, markerHeight: 14, markerUnits: "userSpaceOnUse", orient: "auto" },
      draw("path", { d: "M0 0 10 5 0 10z" }));
    const placed = [], arrows = edges.map((edge) => this.#arrow(edge, at, metric, placed));
    const nodes = marks.map((name, item) => draw("g", { class: "node" },
      draw("circle", { cx: at[item][0], cy: at[item][1], r: NODE }),
      draw("text", { x: at[item][0], y: at[item][1], "dominant-baseline": "central", "text-anchor": "middle", "font-size": Math.min(20, (3 * NODE) / name.length) }, name)));
    const words = edges.map(({ winner, loser, votes, draw: even }) =>
      `${names[winner]} ${even ? "and" : "over"} ${names[loser]} ${votes.join(" to ")}`).join("; ");
    this.element.replaceChildren(draw("svg", { viewBox: roomOf(at).join(" "), role: "img",
      "aria-label": `Majorities: ${words}` }, draw("defs", {}, head("plain"), head("cycle")), ...arrows, ...nodes));
  }

  #arrow({ winner, loser, votes, cycle, draw: even }, at, metric, placed) {
    const [x1, y1] = at[winner], [x2, y2] = at[loser], long = Math.hypot(x2 - x1, y2 - y1);
    const [dx, dy] = [(x2 - x1) / long, (y2 - y1) / long], followed = even || metric[winner] > metric[loser];
    const kind = cycle ? "cycle" : "plain", on = (part) => [x1 + dx * long * part, y1 + dy * long * part];
    const away = (one) => Math.min(1, ...placed.map((other) => Math.max(...ROOM.map((room, axis) => Math.abs(one[axis] - other[axis]) / room))));
    const label = PARTS.map(on).reduce((best, one) => (away(one) > away(best) ? one : best));
    placed.push(label);
    const line = { x1: x1 + dx * NODE, y1: y1 + dy * NODE, x2: x2 - dx * (NODE + 5), y2: y2 - dy * (NODE + 5) };
    if (!even) line["marker-end"] = `url(#head-${kind})`;
    return draw("g", { class: `edge ${kind}${followed ? "" : " against"}` },
      draw("line", { ...line, "stroke-width": 1.5 + 1.5 * (votes[0] - votes[1]) }),
      draw("text", { x: label[0], y: label[1], "dominant-baseline": "central", "text-anchor": "middle" },
        votes.join(":")));
  }
}

// --------------------------------------------------------------------------------------------------------------------
// What is said of a ranking? Whether it reaches the most, and whether a cycle keeps the cap out of reach.

const CLOSE = 1e-12;

/** The sentence above the cards. */
function sentenceOf({ value, most, cap, edges, data: { coefficient: { label } } }) {
  if (Number.isNaN(most)) return { first: `${label} is undefined:`, rest: " every judgment is a tie." };
  const cycle = edges.some((edge) => edge.cycle);
  const why = cycle && cap - most > CLOSE ?
    " Majorities that form a cycle (red) fit no ranking." : "";
  if (Number.isNaN(value)) return { first: `${label} is undefined:`, rest: " the ranking ties every pair that counts." };
  if (most - value > CLOSE) {
    return { first: "Drag the cards to agree with the judges.", rest: why };
  }
  const one = most > 1 - CLOSE ? "" : " More is impossible, because the judges contradict each other.";
  return { first: `No ranking reaches more than ${written(most)}.`, rest: `${one}${why}` };
}
