// What is the NaN explorer? A sentence, a switch of three rules, the cells of every metric, and what is behind one.
//
// host.data holds scores and averages (see data.py), the chosen coefficient, rule ("undefined") and cell; a choice is
// sent at once. The other parts of a host are those of the lab.

import { make } from "../shared/elements.js";
import { Chosen } from "./chosen.js";
import { Controls } from "./controls.js";
import { RULES } from "./groups.js";
import { Grid } from "./grid.js";
import { Legend } from "./legend.js";
import { Model } from "./model.js";
import { Sentence } from "./sentence.js";

/** Open the explorer in a host; the function that is returned closes it. */
export function openNanExplorer(host) {
  const root = host.element, model = new Model();
  let serial = 0, given; // the last change that was sent; the scores that the views are arranged for

  const change = (changes) => {
    model.change(changes);
    show();
    host.send({ serial: ++serial, ...changes });
  };
  const controls = new Controls(model, change), sentence = new Sentence(model), chosen = new Chosen(model);
  const grid = new Grid(model, (metric, segment) => {
    const { metrics, places } = model.data;
    change({ cell: [places[segment], metrics[metric].name] });
  });
  const legend = new Legend(model), views = [sentence, controls, grid, legend, chosen];

  function show() {
    for (const view of views) view.show();
    grid.paint();
  }

  function take(data) {
    if (data.serial < serial) return; // it does not hold what was chosen since
    serial = data.serial;
    model.take(data);
    const scores = JSON.stringify([data.human, data.metrics, data.segments, data.coefficients]);
    if (scores !== given) for (const view of views) view.arrange?.();
    given = scores;
    show();
  }

  root.replaceChildren(
    sentence.element, controls.element, grid.element, legend.element, make("div", { role: "none" }, chosen.element));
  root.classList.add("tiekit", "nan-explorer");
  const watch = new ResizeObserver(() => grid.paint());
  take(host.data);
  watch.observe(root);
  host.onData(take);
  return () => watch.disconnect();
}

/** Data with a change that the host has heard. */
export const applied = (data, change) => ({ ...data, ...change });

/** Whether data that came from outside can be shown. */
export function isSound({ coefficients, coefficient, undefined: rule, cell, metrics, places }) {
  return coefficients.some(({ name }) => name === coefficient) && RULES.includes(rule) &&
    (cell === null || (cell.length === 2 && places.includes(cell[0]) && metrics.some(({ name }) => name === cell[1])));
}
