// What is the figure of measures? A square that says which measures rank metrics alike, and two of the rankings.
//
// host.element       where it stands
// host.data          measures (name, label, short, values), metrics, agreement, chosen (two measures' names), serial
// host.send(state)   hears of the two measures that were chosen
// host.onData(take)  is given the function that takes new data, with the serial of the last state that was heard

import { make } from "../shared/elements.js";
import { inNextFrame, Outbox, QUIET } from "../shared/mount.js";
import { Matrix } from "./matrix.js";
import { Model } from "./model.js";
import { Slopes } from "./slopes.js";
import { sentence } from "./words.js";

/** Open the figure in a host; the function that is returned closes it. */
export function openAgreement(host) {
  const root = host.element, model = new Model(), outbox = new Outbox(host.send);
  let arranged; // the measures and metrics that the views are made of

  const choose = (chosen) => {
    model.choose(chosen);
    outbox.tell(model.state, QUIET);
  };
  const matrix = new Matrix(model, choose), slopes = new Slopes(model);
  const said = make("p", { class: "sentence", "aria-live": "polite" });

  function take(data) {
    if (!outbox.isHeard(data.serial)) return;
    model.take(data);
    root.classList.toggle("large", Boolean(data.large));
    const given = JSON.stringify([data.measures, data.metrics, data.agreement]);
    if (given === arranged) return;
    arranged = given;
    for (const view of [matrix, slopes]) view.arrange();
  }

  const draw = inNextFrame(() => {
    for (const view of [matrix, slopes]) view.show();
    const words = sentence(model);
    if (said.textContent !== words) said.textContent = words;
  });

  root.replaceChildren(make("div", { class: "stage" }, matrix.element, make("div", { class: "right" }, said, slopes.element)));
  root.classList.add("tiekit", "agreement");
  model.subscribe(draw);
  host.onData(take);
  take(host.data);
  root.addEventListener("focusout", (event) => root.contains(event.relatedTarget) || outbox.flush());
  return () => outbox.flush();
}

/** Data with a change that the host has heard. */
export function applied(data, { chosen = data.chosen }) {
  return { ...data, chosen };
}

/** Whether data that came from outside can be shown. */
export function isSound({ measures, chosen }) {
  return chosen.length === 2 && chosen.every((name) => measures.some((measure) => measure.name === name));
}
