// What does a reader, or a class, expect a number to be? A ghost bar that is drawn on a scale, or the dots of a class;
// the true bar slides in beside them.

import { make } from "../shared/elements.js";
import { Model, mount, say } from "../shared/mount.js";
import { digitsOf, Dots, Ghost, middleOf, Truth } from "./view.js";

/** Open the figure, whose data hold low, high, digits, unit, label, said, guess, truth and guesses. */
export function openFigure(host) {
  const model = new Model();
  return mount(host, "guess", model, ({ root, tell }) => {
    const ghost = new Ghost((wait) => tell({ guess: ghost.value }, wait)), truth = new Truth(), dots = new Dots();
    const axis = make("div", { class: "axis", "aria-hidden": "true" }), said = make("p", { class: "said", role: "status" });
    return {
      children: [dots.element, ghost.element, truth.element, axis, said],
      isHeld: () => ghost.dragged,
      show() {
        const { data } = model, asks = data.truth === null && !data.guesses;
        root.classList.toggle("asks", asks);
        ghost.take(data, data.guess, asks);
        dots.take(data, data.guesses, data.truth);
        truth.take(data, data.truth, data.guess);
        axis.replaceChildren(...[data.low, middleOf(data), data.high].map((end) => make("span", {}, digitsOf(data, end))));
        say(said, data.said);
      },
    };
  });
}
