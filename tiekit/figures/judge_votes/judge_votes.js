// What is the figure of judges' votes? Two tables of votes, their agreements, and a tie threshold for each judge.
//
// host.data holds for each judge its table and agreements at each of its thresholds, and who leads at each two of them
// (see data.py); threshold says where the sliders stand. The other parts of a host are those of the lab.

import { make } from "../shared/elements.js";
import { Outbox } from "../shared/mount.js";
import { Judge } from "./judge.js";
import { Model } from "./model.js";
import { sentenceOf } from "./words.js";

/** Open the figure in a host; the function that is returned closes it. */
export function openJudgeVotes(host) {
  const root = host.element, model = new Model(), outbox = new Outbox(host.send);
  const said = make("p", { class: "said", "aria-live": "polite" });
  const tell = (wait = 0) => {
    show();
    outbox.tell({ threshold: model.threshold }, wait);
  };
  const button = (words, which) => make("button", { type: "button", onclick: () => {
    model.goTo(which);
    tell();
  } }, words);
  const control = make("div", { class: "control", role: "group", "aria-label": "Tie thresholds of all judges" },
    make("b", {}, "Tie thresholds"), button("Best for each", "best"), button("None", "none"));
  const field = make("div", { class: "judges" });
  const note = make("p", { class: "note" },
    "On the diagonal both agree; dashed cells are left out without ties. Win, loss: of the system that is first by name. " +
    "Beyond chance: the 95 % interval of the difference does not contain 0.");
  let judges = [], shown = "";

  function take(data) {
    root.classList.toggle("large", Boolean(data.large));
    if (!outbox.isHeard(data.serial)) return;
    model.take(data);
    const votes = JSON.stringify({ ...data, threshold: null, serial: null, large: null });
    if (votes !== shown) { // else a slider that is being moved by keys keeps its focus
      shown = votes;
      judges = data.judges.map((_, place) => new Judge(model, place, tell, () => outbox.flush()));
      field.replaceChildren(...judges.map(({ element }) => element));
    }
    control.hidden = data.judges.every(({ steps }) => steps.length < 2);
    show();
  }

  function show() {
    const { first, rest } = sentenceOf(model);
    for (const judge of judges) judge.show();
    if (said.textContent !== first + rest) said.replaceChildren(make("strong", {}, first), rest);
  }

  root.replaceChildren(said, control, field, note);
  root.classList.add("tiekit", "judge-votes");
  take(host.data);
  host.onData(take);
  return () => {};
}

/** Data with a change that the host has heard. */
export const applied = (data, { threshold }) => (threshold === undefined ? data : { ...data, threshold });

/** Whether data that came from outside can be shown. */
export const isSound = ({ threshold, judges }) => [threshold].flat().every((one) => Number.isFinite(one) && one >= 0) &&
  (!Array.isArray(threshold) || threshold.length === judges.length);
