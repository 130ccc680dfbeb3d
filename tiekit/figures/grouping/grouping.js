// What is the figure of groupings? One matrix of scores, four ways to group its cells, and the metric that wins by each.
//
// host.element       where it stands
// host.data          human, metrics (two: name, scores), systems, segments, coefficient, grouping, cell, serial
// host.send(state)   hears of the grouping and the cell that were chosen
// host.onData(take)  is given the function that takes new data, with the serial of the last state that was heard

import { make } from "../shared/elements.js";
import { inNextFrame, Outbox, QUIET } from "../shared/mount.js";
import { Bars } from "./bars.js";
import { Buttons } from "./buttons.js";
import { GROUPINGS } from "./groups.js";
import { Matrix } from "./matrix.js";
import { Model } from "./model.js";
import { comparison, headline, verdict } from "./words.js";

/** Open the figure in a host; the function that is returned closes it. */
export function openGrouping(host) {
  const root = host.element, model = new Model(), outbox = new Outbox(host.send);
  let arranged; // the scores that the table is made of

  const choose = (grouping) => {
    model.choose(grouping);
    outbox.tell({ grouping }, QUIET);
  };
  const pick = (cell) => {
    model.pick(cell);
    outbox.tell({ cell: model.cell }, QUIET);
  };
  const buttons = new Buttons(model, choose), matrix = new Matrix(model, pick), bars = new Bars(model);
  const title = make("p", { class: "headline", "aria-live": "polite" }), said = make("p", { class: "verdict" });
  const pairs = make("p", { class: "pairs", "aria-live": "polite" });

  function take(data) {
    if (!outbox.isHeard(data.serial)) return;
    model.take(data);
    root.classList.toggle("large", Boolean(data.large));
    const scores = JSON.stringify([data.human, data.metrics, data.systems, data.segments]);
    if (scores === arranged) return;
    arranged = scores;
    for (const view of [matrix, bars]) view.arrange();
  }

  const draw = inNextFrame(() => {
    for (const view of [buttons, matrix, bars]) view.show();
    for (const [element, words] of [[title, headline(model)], [said, verdict(model)], [pairs, comparison(model)]])
      if (element.textContent !== words) element.textContent = words;
    matrix.paint();
  });

  root.replaceChildren(buttons.element, make("div", { class: "stage" },
    matrix.element, make("div", { class: "right" }, title, bars.element, said, pairs)));
  root.classList.add("tiekit", "grouping");
  model.subscribe(draw);
  const sizes = new ResizeObserver(draw);
  host.onData(take);
  take(host.data);
  sizes.observe(root);
  root.addEventListener("focusout", (event) => root.contains(event.relatedTarget) || outbox.flush());
  return () => sizes.disconnect();
}

/** Data with a change that the host has heard. */
export function applied(data, { grouping = data.grouping, cell = data.cell }) {
  return { ...data, grouping, cell };
}

/** Whether data that came from outside can be shown. */
export function isSound({ human, grouping, cell }) {
  const isUpTo = (number, bound) => Number.isInteger(number) && number >= 0 && number < bound;
  return GROUPINGS.includes(grouping) &&
    (cell === null || (cell.length === 2 && isUpTo(cell[0], human.length) && isUpTo(cell[1], human[0].length)));
}
