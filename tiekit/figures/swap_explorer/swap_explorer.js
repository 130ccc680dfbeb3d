// What is the swap explorer? A permutation test by hand, in an element that a host gives.
//
// host.element       where it stands
// host.data          what it shows first: human, metrics (name, scores, z, constant), items that can be swapped,
//                    coefficients, most, few; and its state: coefficient, swapped, draws, seed; serial
// host.send(state)   hears the whole state after a change, with a serial
// host.onData(take)  is given the function that takes new data, with the serial of the last state that was heard

import { make } from "../shared/elements.js";
import { inNextFrame } from "../shared/frames.js";
import { Theme } from "../shared/theme.js";
import { Controls } from "./controls.js";
import { Histogram } from "./histogram.js";
import { Items } from "./items.js";
import { Model } from "./model.js";
import { present, verdict } from "./words.js";

/** Open the figure in a host; the function that is returned closes it. */
export function openSwapExplorer(host) {
  const root = host.element, model = new Model(), theme = new Theme(root);
  let serial = 0, arranged; // the last state that was sent; the scores that the views are arranged for

  const actions = { tell: () => host.send({ serial: ++serial, ...model.state }) };
  const controls = new Controls(model, actions), items = new Items(model, actions), histogram = new Histogram(model, theme);
  const sentence = make("p", { class: "verdict", role: "status" }), now = make("p", { class: "now", role: "status" });

  function take(data) {
    if (data.serial < serial) return; // older than what is shown
    controls.stop();
    serial = data.serial;
    const scores = JSON.stringify([data.human, data.metrics]);
    model.take(data);
    if (scores === arranged) return;
    arranged = scores;
    for (const view of [controls, items]) view.arrange();
  }

  const draw = inNextFrame(() => {
    theme.read();
    for (const [element, words] of [[sentence, verdict(model)], [now, present(model)]]) {
      element.setAttribute("aria-live", controls.playing ? "off" : "polite");
      if (element.textContent !== words) element.textContent = words;
    }
    for (const view of [controls, items, histogram]) view.show();
    histogram.paint();
  });

  root.replaceChildren(sentence, controls.element,
    make("div", { class: "stage" }, histogram.element, make("div", { class: "by-hand" }, now, items.element)));
  root.classList.add("tiekit", "swap-explorer");
  model.subscribe(draw);
  const sizes = new ResizeObserver(draw);
  host.onData(take);
  take(host.data);
  sizes.observe(root);
  return () => {
    controls.stop();
    sizes.disconnect();
  };
}

/** Data with a change that the host has heard. */
export const applied = (data, change) => ({ ...data, ...change });

/** Whether data that came from outside can be shown. */
export function isSound({ coefficients, items, most, few, coefficient, swapped, draws, seed }) {
  const isUpTo = (number, bound) => Number.isInteger(number) && number >= 0 && number <= bound;
  return coefficients.some(({ name }) => name === coefficient) && swapped.every((item) => items.includes(item)) &&
    (draws === "all" ? items.length <= few : isUpTo(draws, most)) && isUpTo(seed, 2 ** 32 - 1);
}
