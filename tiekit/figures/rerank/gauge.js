// How far does the ranking come? Its value on a scale, with the most that any metric can reach, and the cap.

import { make, withIndex } from "../shared/elements.js";
import { written } from "../shared/numbers.js";

export class Gauge {
  element = make("div", { class: "gauge", role: "img" });
  #model;

  constructor(model) {
    this.#model = model;
    this.value = make("output");
    this.beyond = make("i", { class: "beyond" });
    this.most = make("b", { class: "most" });
    this.cap = make("b", { class: "cap" });
    this.needle = make("b", { class: "needle" });
    this.low = make("span");
    this.key = make("ul");
    this.element.append(this.value, make("div", { class: "scale" }, this.beyond, this.cap, this.most, this.needle),
      make("p", { class: "ends" }, this.low, make("span", {}, "1")), this.key);
  }

  show() {
    const { value, most, cap, data: { coefficient: { label, low } } } = this.#model;
    const place = (number) => `${(100 * (number - low)) / (1 - low)}%`;
    const rows = [
      ["needle", "your ranking", value], ["most", "highest of any ranking", most],
      ["cap", "cap: every majority followed", cap],
    ];
    this.element.setAttribute("aria-label",
      `${label}: ${rows.map(([, words, number]) => `${words} ${written(number)}`).join("; ")}`);
    this.value.replaceChildren(withIndex(label), ` = ${written(value)}`);
    this.low.textContent = String(low).replace("-", "−");
    for (const [name, , number] of rows) {
      this[name].hidden = Number.isNaN(number);
      this[name].style.left = place(number);
    }
    this.beyond.hidden = Number.isNaN(most);
    this.beyond.style.left = place(most);
    this.key.replaceChildren(...rows.map(([name, words, number]) =>
      make("li", {}, make("i", { class: name }), `${words} `, make("b", {}, written(number)))));
  }
}
