// Which one of a few? Buttons in a row, of which one is on; arrow keys go from one to the next.

import { arrowOf, keep, make } from "../shared/elements.js";

export class Choice {
  #buttons = new Map(); // by name
  #names = [];
  #choose;
  #tell;

  constructor(label, choose, tell) {
    this.#choose = choose;
    this.#tell = tell;
    this.element = make("div", { class: "choice" }, make("span", { class: "label", "aria-hidden": "true" }, label),
      make("div", { class: "options", role: "radiogroup", "aria-label": label }));
  }

  /** Show options with a name and a label, of which the chosen one is on. */
  show(options, chosen) {
    const names = options.map(({ name }) => name);
    if (names.join("\n") !== this.#names.join("\n")) {
      this.#names = names;
      this.#buttons = new Map(options.map(({ name, label }) => [name, make("button", {
        type: "button", role: "radio", onclick: () => this.#take(name), onkeydown: (event) => this.#onKey(event, name),
      }, label)]));
      this.element.lastChild.replaceChildren(...this.#buttons.values());
    }
    for (const [name, button] of this.#buttons) {
      button.setAttribute("aria-checked", name === chosen);
      button.tabIndex = name === chosen ? 0 : -1;
    }
  }

  #take(name) {
    this.#choose(name);
    this.#tell(0);
  }

  #onKey(event, name) {
    const [across, up] = arrowOf(event), last = this.#names.length - 1, at = this.#names.indexOf(name);
    const to = { Home: 0, End: last }[event.key] ?? (across || up ? (at + across - up + last + 1) % (last + 1) : null);
    if (to === null) return;
    keep(event);
    this.#take(this.#names[to]);
    this.#buttons.get(this.#names[to]).focus();
  }
}
