// What is the calibration explorer? A curve on which ε is dragged, and the pairs that become ties.
//
// host.element       where it stands
// host.data          what it shows first: human, metric and epsilon; name, coefficient, style, note; the curve of many
//                    scores (epsilons, counts, values, best, steps), null where it is computed here; serial
// host.send(state)   hears of epsilon on release, with its serial
// host.onData(take)  is given the function that takes new data, with the serial of the last state that was heard

import { make } from "../shared/elements.js";
import { Outbox, QUIET } from "../shared/mount.js";
import { hasSpan, MOST_SCORES } from "../shared/numbers.js";
import { Counts } from "./counts.js";
import { listenToCurve } from "./curve_input.js";
import { CurvePicture } from "./curve_picture.js";
import { Legend } from "./legend.js";
import { Model } from "./model.js";
import { NewTies } from "./new_ties.js";
import { NumberLine } from "./number_line.js";
import { sentence, short } from "./words.js";

/** Open the explorer in a host; the function that is returned closes it. */
export function openExplorer(host) {
  const root = host.element, model = new Model(), outbox = new Outbox(host.send);
  let pending; // data that came while the threshold was dragged

  const tell = (wait = 0) => outbox.tell({ epsilon: model.epsilon }, wait);
  const go = (to) => () => {
    model.goTo(to());
    tell(QUIET);
  };
  const button = (words, label, to) => make("button", { type: "button", "aria-label": label, onclick: go(to) }, words);
  const said = make("p", { class: "said", "aria-live": "polite" });
  const exact = make("output", { class: "exact" });
  const note = make("p", { class: "note" });
  const curve = new CurvePicture(model), line = new NumberLine(model);
  const views = [new Legend(model), curve, new Counts(model), line, new NewTies(model)];

  function take(data) {
    pending = undefined;
    if (model.dragged) return void (pending = data);
    if (outbox.isHeard(data.serial)) model.take(data);
  }

  function show() {
    const words = sentence(model);
    if (said.textContent !== words) said.textContent = words;
    exact.textContent = `ε = ${short(model.epsilon)}`;
    exact.title = `exactly ${model.epsilon}`;
    note.textContent = model.data.note;
    for (const view of views) view.show();
  }

  root.replaceChildren(
    said,
    make("div", { class: "bar-top" }, exact,
      button("‹", "To the next smaller threshold", () => model.at - 1),
      button("›", "To the next larger threshold", () => model.at + 1),
      button("Go to ε*", "Go to ε*", () => model.curve.best)),
    ...views.map((view) => view.element),
    note,
  );
  root.classList.add("tiekit", "explorer");
  model.subscribe(show);
  listenToCurve(curve, model, { tell, onRelease: () => pending && take(pending) });
  const observer = new ResizeObserver(() => model.data && show());
  observer.observe(root);
  root.addEventListener("focusout", (event) => root.contains(event.relatedTarget) || outbox.flush());
  host.onData(take);
  take(host.data);
  return () => observer.disconnect();
}

/** Data with a change that the host has heard. */
export function applied(data, { epsilon }) {
  return epsilon === undefined ? data : { ...data, epsilon };
}

/** Whether data that came from outside can be shown. */
export function isSound({ human, metric, epsilon, curve }) {
  const areScores = (line) => line.every((score) => score === null || Number.isFinite(score));
  const fits = curve
    ? human === null && metric === null
    : human.length === metric.length && human.length <= MOST_SCORES && areScores(human) && hasSpan(metric);
  return fits && Number.isFinite(epsilon) && epsilon >= 0;
}
