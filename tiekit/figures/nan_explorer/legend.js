// What do the cells mean? The looks that occur, and which segments are shown.

import { glyphOf, make } from "../shared/elements.js";
import { whole } from "./words.js";

export class Legend {
  element = make("div", { class: "legend" });
  #model;

  constructor(model) {
    this.#model = model;
  }

  show() {
    const { cells, data } = this.#model, all = cells.flat(), { kinds, reasons } = data.style;
    const looks = [
      { when: all.some(({ value }) => value >= 0), ...kinds[0], glyph: "▲", label: "value, up to 1" },
      { when: all.some(({ value }) => value < 0), ...kinds[1], glyph: "▼", label: "value below 0" },
      ...reasons.map((look) => ({
        when: all.some(({ reason }) => reason === look.reason), ...look, label: `undefined: ${look.reason}`,
      })),
    ].filter(({ when }) => when);
    const items = looks.map((look) => make("li", {}, glyphOf(look), look.label));
    if (all.some(({ counted }) => !counted)) {
      items.push(make("li", {}, make("span", { class: "glyph sample", "aria-hidden": "true" }), "not in the average"));
    }
    this.element.replaceChildren(make("ul", { class: "kinds" }, ...items), make("p", { class: "note" }, this.#shown()));
  }

  /** Which segments the cells are, in their order. */
  #shown() {
    const { segments, total, differing } = this.#model.data;
    const plain = "One row per metric, the best on top; one cell per segment.";
    if (segments.length === total) return plain;
    return `${plain} Only ${segments.length} of ${whole(total)} segments are shown: ${differing} on which some ` +
      `metrics are undefined and others are not, and the first of the rest. The averages are those of all.`;
  }
}
