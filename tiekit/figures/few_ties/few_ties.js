// Which ranks do metrics have where people tie few pairs, as with ESA, or many, as with MQM? A line of published test
// sets, on which a share of human ties is chosen, and a row for each metric with its rank and rank interval.
//
// host.element       where it stands
// host.data          what it shows: label, shares, own, total, sets (name, protocol, share), metrics (name, kind, of,
//                    values, ranks, best, worst), chosen (a name), share, serial
// host.send(state)   hears of chosen and share, with a serial
// host.onData(take)  is given the function that takes new data, with the serial of the last state that was heard

import { make } from "../shared/elements.js";
import { Outbox } from "../shared/mount.js";
import { Model } from "../tie_shares/model.js";
import { listenToShares } from "../tie_shares/shares_input.js";
import { isOfMean, simulated } from "../tie_shares/words.js";
import { Rows } from "./rows.js";
import { Sets } from "./sets.js";
import { sentence } from "./words.js";

/** Open the figure in a host; the function that is returned closes it. */
export function openFewTies(host) {
  const root = host.element, model = new Model(), outbox = new Outbox(host.send);
  let pending; // data that came while the grip was dragged

  const tell = (wait = 0) => outbox.tell({ chosen: model.chosen, share: model.share }, wait);
  const said = make("p", { class: "said", "aria-live": "polite" });
  const sets = new Sets(model), rows = new Rows(model, tell);
  const note = make("p", { class: "note" });

  function take(data) {
    pending = undefined;
    if (model.dragged) return void (pending = data);
    root.classList.toggle("large", Boolean(data.large));
    if (outbox.isHeard(data.serial)) model.take(data);
  }

  function show() {
    const words = sentence(model);
    if (said.textContent !== words) said.textContent = words;
    note.textContent = `${simulated(model)} Dot: rank at this share. Bar: the ranks over the shares of ` +
      (isOfMean(model.data) ? "published sets that can be reached; those are shares of all pairs. " : "all published sets. ") +
      "Dashed: the metric plus random noise, in its place.";
    sets.show();
    rows.show();
  }

  root.replaceChildren(said, sets.element, rows.element, note);
  root.classList.add("tiekit", "few_ties");
  model.subscribe(show);
  listenToShares(sets, model, { tell, onRelease: () => pending && take(pending) });
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
