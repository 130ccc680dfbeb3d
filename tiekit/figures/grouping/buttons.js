// By which grouping are scores compared? Four buttons, of which one is on; arrow keys go from one to the next.

import { arrowOf, keep, make } from "../shared/elements.js";
import { GROUPINGS } from "./groups.js";
import { NAMES } from "./words.js";

export class Buttons {
  #model;
  #buttons;

  constructor(model, choose) {
    this.#model = model;
    this.#buttons = GROUPINGS.map((grouping) => make("button", {
      type: "button", role: "radio", onclick: () => choose(grouping),
      onkeydown: (event) => this.#onKey(event, grouping, choose),
    }, NAMES[grouping]));
    this.element = make("div", { class: "groupings", role: "radiogroup", "aria-label": "Group pairs by" }, ...this.#buttons);
  }

  show() {
    this.#buttons.forEach((button, at) => {
      const isOn = GROUPINGS[at] === this.#model.grouping;
      button.setAttribute("aria-checked", isOn);
      button.tabIndex = isOn ? 0 : -1;
    });
  }

  #onKey(event, grouping, choose) {
    const [across, up] = arrowOf(event), last = GROUPINGS.length - 1, at = GROUPINGS.indexOf(grouping);
    const to = { Home: 0, End: last }[event.key] ?? (across || up ? (at + across - up + last + 1) % (last + 1) : null);
    if (to === null) return;
    keep(event);
    choose(GROUPINGS[to]);
    this.#buttons[to].focus();
  }
}
