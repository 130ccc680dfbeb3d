// What is seen? One sentence, in which the chosen rule stands out.

import { make, withIndex } from "../shared/elements.js";
import { RULES } from "./groups.js";
import { sentenceOf } from "./words.js";

export class Sentence {
  element = make("p", { class: "sentence", "aria-live": "polite" });
  #model;

  constructor(model) {
    this.#model = model;
  }

  show() {
    const { opening: [before, label, after], rules } = sentenceOf(this.#model);
    const parts = RULES.map((rule) => make(rule === this.#model.rule ? "strong" : "span", {}, rules?.[rule] ?? ""));
    const words = [before, withIndex(label), after, ...(rules ? parts.flatMap((part) => [" ", part]) : [])];
    const next = make("p", {}, ...words);
    if (next.innerHTML !== this.element.innerHTML) this.element.replaceChildren(...next.childNodes);
  }
}
