// What is the rerank figure? Cards to order, the majorities of the judges, and a gauge with what any metric can reach.

import { make } from "../shared/elements.js";
import { Model, mount, spoken } from "../shared/mount.js";
import { capOf, majorities, mostOf, orderOf, outcomes, scoresOf, valueOf } from "./judging.js";
import { Cards, Gauge, Graph, sentenceOf } from "./view.js";

/** Open the figure. Its data hold names, judges' ranks, the coefficient and the metric's scores (see data.py). */
export function openFigure(host) {
  const model = new Ranking();
  return mount(host, "rerank", model, ({ tell }) => {
    const sentence = spoken("sentence"), judges = make("div", { class: "judges" });
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
          "Arrow: the majority prefers. Dashed: your ranking contradicts it."))), judges],
      views: [cards, graph, gauge],
      madeOf: ({ names }) => names,
      show() {
        const { first, rest } = sentenceOf(model);
        judges.replaceChildren(...judgesOf(model.data));
        if (sentence.textContent !== first + rest) sentence.replaceChildren(make("strong", {}, first), rest);
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
