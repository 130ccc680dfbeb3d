// What are the NaN tiles? Segment tiles of each metric, two of whose scores are tied by hand, and three podiums.
//
// host.data holds scores, the coefficient, the metric to tie ("goal") and the ties that were made (see data.py). The
// other parts of a host are those of the lab.

import { make } from "../shared/elements.js";
import { Model } from "./model.js";
import { Podium } from "./podium.js";
import { Tiles } from "./tiles.js";
import { isTie } from "./ties.js";
import { sentenceOf } from "./words.js";

/** Open the tiles in a host; the function that is returned closes it. */
export function openNanTiles(host) {
  const root = host.element, model = new Model();
  let serial = 0, given; // the last change that was sent; the scores that the views are arranged for
  const tiles = new Tiles(model, choose), podium = new Podium(model);
  const sentence = make("p", { class: "sentence", "aria-live": "polite" });
  const button = (words, onclick) => make("button", { type: "button", onclick }, words);
  const undo = button("Undo", () => change(model.data.ties.slice(0, -1)));
  const again = button("Start again", () => change([]));

  function change(ties) {
    model.change(ties);
    show();
    host.send({ serial: ++serial, ties });
  }

  /** Choose a score; the second one of a tile is tied with the first. */
  function choose(segment, system) {
    const first = model.chosen;
    if (segment === null || (first?.segment === segment && first.system === system)) model.chosen = null;
    else if (first?.segment === segment) {
      const { scores } = model.cells[model.goal][segment];
      if (scores[first.system] !== scores[system]) return change([...model.data.ties, [segment, first.system, system]]);
      model.chosen = { segment, system };
    } else model.chosen = { segment, system };
    return show();
  }

  function show() {
    tiles.show();
    podium.show();
    const { first, rest } = sentenceOf(model);
    if (sentence.textContent !== first + rest) sentence.replaceChildren(make("strong", {}, first), rest);
    undo.disabled = again.disabled = !model.data.ties.length;
    root.classList.toggle("won", first.includes(" wins "));
  }

  function take(data) {
    if (data.serial < serial) return; // it does not hold what was tied since
    serial = data.serial;
    model.take(data);
    const scores = JSON.stringify([data.human, data.metrics, data.segments, data.goal]);
    if (scores !== given) {
      model.chosen = null;
      tiles.arrange();
      podium.arrange();
    }
    given = scores;
    show();
  }

  root.replaceChildren(sentence, make("div", { class: "field" }, tiles.element,
    make("div", { class: "side" }, podium.element, make("p", { class: "buttons" }, undo, again))));
  root.classList.add("tiekit", "nan-tiles");
  take(host.data);
  host.onData(take);
  return () => {};
}

/** Data with a change that the host has heard. */
export const applied = (data, change) => ({ ...data, ...change });

/** Whether data that came from outside can be shown. */
export function isSound({ metrics, goal, ties }) {
  const own = metrics.find(({ name }) => name === goal);
  return Array.isArray(ties) && ties.every((one) => isTie(own.scores, one));
}
