// Which coefficient is shown, and what is done with segments on which it is undefined? The controls on top.

import { make } from "../shared/elements.js";

const LABELS = { drop: "dropped", zero: "counted as 0", common: "dropped for all metrics" };

export class Controls {
  #model;
  #radios;

  constructor(model, change) {
    this.#model = model;
    this.#radios = Object.keys(LABELS).map((rule) => make("input", {
      type: "radio", name: "undefined", value: rule, onchange: () => change({ undefined: rule }),
    }));
    const switches = this.#radios.map((radio) => make("label", { class: "choice" }, radio, LABELS[radio.value]));
    this.select = make("select", { onchange: () => change({ coefficient: this.select.value }) });
    this.element = make("form", { class: "controls", onsubmit: () => false },
      make("fieldset", { class: "switch" }, make("legend", {}, "Undefined segments are"), ...switches),
      make("label", { class: "coefficient" }, "Coefficient", this.select));
  }

  arrange() {
    const { coefficients } = this.#model.data;
    const options = (everywhere) => coefficients.filter((entry) => entry.everywhere === everywhere)
      .map(({ name, label }) => make("option", { value: name }, label));
    this.select.replaceChildren(
      make("optgroup", { label: "undefined where scores tie" }, ...options(false)),
      make("optgroup", { label: "defined wherever there is a pair" }, ...options(true)));
  }

  show() {
    const { coefficient, rule } = this.#model;
    this.select.value = coefficient.name;
    for (const radio of this.#radios) radio.checked = radio.value === rule;
  }
}
