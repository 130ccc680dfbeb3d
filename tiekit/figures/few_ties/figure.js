// Which ranks do metrics have where people tie few pairs, as with ESA, or many, as with MQM? A line of published test
// sets, on which a share of human ties is chosen, and a row for each metric with its rank and rank interval.

import { make } from "../shared/elements.js";
import { mount, say, spoken } from "../shared/mount.js";
import { isOfMean, listenToShares, Shares, simulated } from "../shared/shares.js";
import { Rows, sentence, Sets } from "./view.js";

/** Open the figure, whose data hold label, shares, own, total, sets (name, protocol, share), metrics (name,
 * kind, of, values, ranks, best, worst), chosen (a name) and share. */
export function openFigure(host) {
  const model = new Shares();
  return mount(host, "few_ties", model, ({ tell, release }) => {
    const change = (wait = 0) => tell({ chosen: model.chosen, share: model.share }, wait);
    const said = spoken("said"), note = make("p", { class: "note" });
    const sets = new Sets(model), rows = new Rows(model, change);
    listenToShares(sets, model, { tell: change, release });
    return {
      fits: true,
      children: [said, sets.element, rows.element, note],
      views: [sets, rows],
      isHeld: () => model.dragged,
      show() {
        say(said, sentence(model));
        note.textContent = `${simulated(model)} Dot: rank at this share. Bar: the ranks over the shares of ` +
          (isOfMean(model.data) ? "published sets that can be reached; those are shares of all pairs. " : "all published sets. ") +
          "Dashed: the metric plus random noise, in its place.";
      },
    };
  });
}
