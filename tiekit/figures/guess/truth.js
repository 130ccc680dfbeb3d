// What is the number? A bar that slides in from the guess, under a mark that stays where the guess was.

import { make } from "../shared/elements.js";
import { placeOf, wordsOf } from "./scale.js";

export class Truth {
  #bar = make("i", { class: "bar" });
  #mark = make("i", { class: "mark" });
  #number = make("b");
  element = make("div", { class: "lane truth" },
    make("div", { class: "head" }, "It is: ", this.#number), make("div", { class: "track" }, this.#bar, this.#mark));

  /** Show the true number, or hide it. */
  take(scale, truth, guess) {
    const slides = !this.element.dataset.truth; // it was hidden until now
    this.element.hidden = truth === null;
    this.element.dataset.truth = truth ?? "";
    if (truth === null) return;
    this.#number.textContent = wordsOf(scale, truth);
    this.#mark.hidden = guess === null;
    this.#mark.style.left = `${placeOf(scale, guess ?? scale.low)}%`;
    if (slides) {
      this.#bar.style.width = this.#mark.style.left;
      this.#bar.getBoundingClientRect(); // from here the bar slides
    }
    this.#bar.style.width = `${placeOf(scale, truth)}%`;
  }
}
