// Which metrics win when the human ties fewer pairs, or more? Lines over the share of human ties, and bars that re-sort.

import { make } from "../shared/elements.js";
import { mount, say, spoken } from "../shared/mount.js";
import { listenToShares, Shares, simulated } from "../shared/shares.js";
import { Bars, LinesPicture, sentence } from "./view.js";

/** Open the figure, whose data hold label, shares, own, metrics (name, kind, of, values), chosen and share. */
export function openFigure(host) {
  const model = new Shares();
  return mount(host, "tie_shares", model, ({ tell, release }) => {
    const change = (wait = 0) => tell({ chosen: model.chosen, share: model.share }, wait);
    const said = spoken("said"), note = make("p", { class: "note" });
    const lines = new LinesPicture(model), bars = new Bars(model, change);
    listenToShares(lines, model, { tell: change, release });
    return {
      fits: true,
      children: [said, make("div", { class: "pictures" }, lines.element, bars.element), note],
      views: [lines, bars],
      isHeld: () => model.dragged,
      show() {
        say(said, sentence(model));
        note.textContent = `Computed at ${model.data.shares.length} shares; lines connect them. ${simulated(model)}`;
      },
    };
  });
}
