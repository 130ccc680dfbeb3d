// What does a class expect? One dot per guess over the scale; guesses that are close stand on one another.

import { make } from "../shared/elements.js";
import { placeOf } from "./scale.js";

const COLUMNS = 40; // as many dots fit beside one another
const HIGH = 6, STEP = 1; // the height of the strip and of one dot, in rem

export class Dots {
  #rule = make("i", { class: "rule" });
  #dots = make("div", { class: "all" });
  element = make("div", { class: "dots", "aria-hidden": "true" }, this.#dots, this.#rule);

  /** Show the guesses of a class, and the truth over them. */
  take(scale, guesses, truth) {
    this.element.hidden = !guesses;
    if (!guesses) return;
    const columns = new Map(), columnOf = (guess) => Math.round((COLUMNS * placeOf(scale, guess)) / 100);
    for (const guess of guesses) columns.set(columnOf(guess), (columns.get(columnOf(guess)) ?? 0) + 1);
    const step = Math.min(STEP, (HIGH - STEP) / Math.max(1, Math.max(0, ...columns.values()) - 1)), levels = new Map();
    while (this.#dots.children.length > guesses.length) this.#dots.lastChild.remove();
    guesses.forEach((guess, at) => {
      const dot = this.#dots.children[at] ?? this.#dots.appendChild(make("i", { class: "dot" })), column = columnOf(guess);
      const level = levels.get(column) ?? 0;
      levels.set(column, level + 1);
      dot.style.left = `${placeOf(scale, guess)}%`;
      dot.style.bottom = `${level * step}rem`;
    });
    this.#rule.hidden = truth === null;
    if (truth !== null) this.#rule.style.left = `${placeOf(scale, truth)}%`;
  }
}
