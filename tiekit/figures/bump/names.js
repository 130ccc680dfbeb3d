// Which name belongs to which line? The names stand at both ends; those on the left are a list to choose from.

import { isPlain, keep, make } from "../shared/elements.js";
import { QUIET } from "../shared/mount.js";

const STEPS = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

export class Names {
  #model;
  #choose;
  left = make("div", { class: "names", role: "listbox", tabindex: "0", "aria-label": "Metrics" });
  right = make("div", { class: "names ends", "aria-hidden": "true" });

  constructor(model, choose) {
    [this.#model, this.#choose] = [model, choose];
    this.left.onkeydown = (event) => this.#press(event);
  }

  #press(event) {
    if (!isPlain(event) || (!(event.key in STEPS) && event.key !== "Escape")) return;
    keep(event);
    if (event.key === "Escape") return void this.#choose(null, QUIET);
    const order = this.#model.inOrder(0), now = order.findIndex(({ name }) => name === this.#model.data.metric);
    const to = now < 0 && event.key === "ArrowUp" ? order.length - 1 : now + STEPS[event.key];
    this.#choose(order[Math.max(0, Math.min(order.length - 1, to))].name, QUIET);
  }

  /** Write the names anew, in the order of the first and of the last column. */
  show() {
    const { columns } = this.#model.data, last = columns.length - 1;
    this.left.replaceChildren(...this.#model.inOrder(0).map((metric, place) => this.#name(metric, 0, { role: "option", id: `metric-${place}` })));
    this.right.replaceChildren(...this.#model.inOrder(last).map((metric) => this.#name(metric, last, {})));
    const active = this.left.querySelector(".chosen");
    if (active) this.left.setAttribute("aria-activedescendant", active.id);
    else this.left.removeAttribute("aria-activedescendant");
  }

  #name(metric, column, attributes) {
    const isChosen = metric === this.#model.chosen, rank = String(metric.ranks[column] ?? "–");
    const label = make("span", { class: "label" }, ...(metric.mark ? [`${metric.mark} `] : []), metric.name);
    const name = make("div", { class: isChosen ? "name chosen" : "name", title: metric.name, ...attributes },
      make("span", { class: "place" }, rank), label);
    if (attributes.role) name.setAttribute("aria-selected", String(isChosen));
    name.onclick = () => this.#choose(isChosen ? null : metric.name);
    return name;
  }

  /** The height of the tallest name. */
  get tallest() {
    return Math.max(...[...this.left.querySelectorAll(".label")].map((label) => label.offsetHeight));
  }
}
