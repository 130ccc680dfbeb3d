// Which metrics win when the human ties fewer pairs, or more? Lines over the share of human ties, and bars that re-sort.
//
// host.element       where it stands
// host.data          what it shows: label, shares, own, metrics (name, kind, of, values), chosen (a name), share, serial
// host.send(state)   hears of chosen and share, with a serial
// host.onData(take)  is given the function that takes new data, with the serial of the last state that was heard

import { make } from "../shared/elements.js";
import { Outbox } from "../shared/mount.js";
import { Bars } from "./bars.js";
import { LinesPicture } from "./lines_picture.js";
import { Model } from "./model.js";
import { listenToShares } from "./shares_input.js";
import { sentence, simulated } from "./words.js";

/** Open the figure in a host; the function that is returned closes it. */
export function openShares(host) {
  const root = host.element, model = new Model(), outbox = new Outbox(host.send);
  let pending; // data that came while the rule was dragged

  const tell = (wait = 0) => outbox.tell({ chosen: model.chosen, share: model.share }, wait);
  const said = make("p", { class: "said", "aria-live": "polite" });
  const note = make("p", { class: "note" });
  const lines = new LinesPicture(model), bars = new Bars(model, tell);

  function take(data) {
    pending = undefined;
    if (model.dragged) return void (pending = data);
    root.classList.toggle("large", Boolean(data.large));
    if (outbox.isHeard(data.serial)) model.take(data);
  }

  function show() {
    const words = sentence(model);
    if (said.textContent !== words) said.textContent = words;
    note.textContent = `Computed at ${model.data.shares.length} shares; lines connect them. ${simulated(model)}`;
    lines.show();
    bars.show();
  }

  root.replaceChildren(said, make("div", { class: "pictures" }, lines.element, bars.element), note);
  root.classList.add("tiekit", "tie_shares");
  model.subscribe(show);
  listenToShares(lines, model, { tell, onRelease: () => pending && take(pending) });
  const observer = new ResizeObserver(() => model.data && show());
  observer.observe(root);
  root.addEventListener("focusout", (event) => root.contains(event.relatedTarget) || outbox.flush());
  host.onData(take);
  take(host.data);
  return () => observer.disconnect();
}

/** Data with a change that the host has heard. */
export function applied(data, { chosen, share }) {
  return { ...data, ...(chosen === undefined ? {} : { chosen }), ...(share === undefined ? {} : { share }) };
}

/** Whether data that came from outside can be shown. */
export function isSound({ metrics, chosen, share }) {
  return metrics.some(({ name }) => name === chosen) && share >= 0 && share <= 1;
}
