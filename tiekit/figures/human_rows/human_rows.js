// Which rank has a human score among metrics? Bars with intervals, which re-sort as another human score judges.
//
// host.element       where it stands
// host.data          what it shows: judges, measures (name, label), boards (judge, measure, judgeTies, rows), and what is
//                    chosen: judge, measure, row (a name, or none), serial
// host.send(state)   hears of judge, measure and row, with a serial
// host.onData(take)  is given the function that takes new data, with the serial of the last state that was heard

import { make } from "../shared/elements.js";
import { Outbox } from "../shared/mount.js";
import { Bars } from "./bars.js";
import { Choice } from "./choice.js";
import { Model } from "./model.js";
import { note, sentence } from "./words.js";

/** Open the figure in a host; the function that is returned closes it. */
export function openHumans(host) {
  const root = host.element, model = new Model(), outbox = new Outbox(host.send);
  const tell = (wait) => outbox.tell({ judge: model.judge, measure: model.measure, row: model.row }, wait);
  const said = make("p", { class: "said", "aria-live": "polite" }), small = make("p", { class: "note" });
  const judges = new Choice("Human score that judges", (judge) => model.change({ judge }), tell);
  const measures = new Choice("Measure", (measure) => model.change({ measure }), tell);
  const bars = new Bars(model, tell);

  function show() {
    const words = sentence(model);
    if (said.textContent !== words) said.textContent = words;
    small.textContent = note(model);
    judges.show(model.data.judges.map((name) => ({ name, label: name })), model.judge);
    measures.show(model.data.measures, model.measure);
    bars.show();
  }

  root.replaceChildren(said, judges.element, bars.element, measures.element, small);
  root.classList.add("tiekit", "human_rows");
  model.subscribe(show);
  root.addEventListener("focusout", (event) => root.contains(event.relatedTarget) || outbox.flush());
  const take = (data) => {
    root.classList.toggle("large", Boolean(data.large));
    if (outbox.isHeard(data.serial)) model.take(data);
  };
  host.onData(take);
  take(host.data);
  return () => outbox.flush();
}

/** Data with a change that the host has heard. */
export function applied(data, { judge, measure, row }) {
  const change = Object.entries({ judge, measure, row }).filter(([, value]) => value !== undefined);
  return { ...data, ...Object.fromEntries(change) };
}

/** Whether data that came from outside can be shown. */
export function isSound({ judges, measures, judge, measure, row }) {
  return judges.includes(judge) && measures.some(({ name }) => name === measure) && typeof row === "string";
}
