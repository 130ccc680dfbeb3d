// Which metric does one expect to be best? A question that hides the counts and coefficients until it is answered.

import { make } from "../shared/elements.js";
import { written } from "../shared/numbers.js";

const EQUAL = "They are equal";

export class Prediction {
  element = make("section", { class: "predict", "aria-label": "A prediction" });
  #model;
  #root;

  constructor(model, root) {
    this.#model = model;
    this.#root = root;
  }

  /** Ask anew: the metrics have changed. */
  arrange() {
    const { data, metrics } = this.#model;
    const asking = Boolean(data.predict) && metrics.length > 1;
    this.element.hidden = !asking;
    const answers = [...metrics.map(({ name }) => name), EQUAL];
    this.said = make("p", { role: "status" });
    this.choices = make("p", { class: "choices" },
      ...answers.map((answer) => this.#button(answer, () => this.#reveal(answer))),
      this.#button("Just show me", () => this.#reveal(null)));
    this.element.replaceChildren(
      make("p", {}, make("strong", {}, "Which metric has the highest acc", make("sub", {}, "eq"), "? ")),
      this.choices, this.said);
    this.#root.classList.toggle("asking", asking);
  }

  show() {}

  #button = (text, onclick) => make("button", { type: "button", onclick }, text);

  #reveal(answer) {
    const found = this.#model.metrics.map(({ name, results }) => ({ name, value: results.acc_eq }));
    const best = Math.max(...found.map(({ value }) => value));
    const winners = found.filter(({ value }) => value === best);
    const right = winners.length === found.length ? answer === EQUAL : winners.some(({ name }) => name === answer);
    const values = found.map(({ name, value }) => `${name} has ${written(value)}`).join(", ");
    this.said.textContent = `${answer === null ? "" : right ? "Yes: " : "No: "}${values}.`;
    this.choices.hidden = true;
    this.#root.classList.remove("asking");
    this.#model.changed();
  }
}
