// What is the rerank figure? Cards to order, the majorities of the judges, and a gauge with what any metric can reach.
//
// host.data holds names, judges' ranks, the coefficient and the metric's scores (see data.py). The other parts of a
// host are those of the lab.

import { make } from "../shared/elements.js";
import { Cards } from "./cards.js";
import { Gauge } from "./gauge.js";
import { Graph } from "./graph.js";
import { Model } from "./model.js";
import { sentenceOf } from "./words.js";

/** Open the figure in a host; the function that is returned closes it. */
export function openRerank(host) {
  const root = host.element, model = new Model();
  let serial = 0, given; // the last change that was sent; the names that the cards are made for
  const sentence = make("p", { class: "sentence", "aria-live": "polite" });
  const cards = new Cards(model, change), graph = new Graph(model), gauge = new Gauge(model);

  function change(order, isHeld) {
    model.change(order);
    show();
    if (!isHeld) host.send({ serial: ++serial, metric: model.data.metric });
  }

  function show() {
    for (const view of [cards, graph, gauge]) view.show();
    const { first, rest } = sentenceOf(model);
    judges.replaceChildren(...judgesOf(model.data));
    if (sentence.textContent !== first + rest) sentence.replaceChildren(make("strong", {}, first), rest);
  }

  function take(data) {
    if (data.serial < serial) return; // it does not hold what was moved since
    serial = data.serial;
    model.take(data);
    const names = JSON.stringify(data.names);
    if (names !== given) cards.arrange();
    given = names;
    show();
  }

  const judges = make("div", { class: "judges" });
  const ends = make("p", { class: "ends", "aria-hidden": "true" }, make("span", {}, "best"), make("span", {}, "worst"));
  root.replaceChildren(sentence, make("div", { class: "field" },
    make("div", { class: "hand" }, ends, cards.element, gauge.element),
    make("div", {}, graph.element, make("p", { class: "note" },
      "Arrow: the majority prefers. Dashed: your ranking contradicts it.")), judges));
  root.classList.add("tiekit", "rerank");
  take(host.data);
  host.onData(take);
  return () => {};
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

/** Data with a change that the host has heard. */
export const applied = (data, change) => ({ ...data, ...change });

/** Whether data that came from outside can be shown. */
export const isSound = ({ names, metric }) => metric.length === names.length && metric.every(Number.isFinite);
