// What does a reader, or a class, expect a number to be? A ghost bar that is drawn on a scale, or the dots of a class;
// the true bar slides in beside them.
//
// host.element       where it stands
// host.data          what it shows: low, high, digits, unit, label, said, guess, truth, guesses, serial
// host.send(state)   hears of the guess, with a serial
// host.onData(take)  is given the function that takes new data, with the serial of the last state that was heard

import { make } from "../shared/elements.js";
import { Outbox } from "../shared/mount.js";
import { Dots } from "./dots.js";
import { Ghost } from "./ghost.js";
import { digitsOf, middleOf } from "./scale.js";
import { Truth } from "./truth.js";

/** Open the figure in a host; the function that is returned closes it. */
export function openGuess(host) {
  const root = host.element, outbox = new Outbox(host.send);
  const ghost = new Ghost((wait) => outbox.tell({ guess: ghost.value }, wait)), truth = new Truth(), dots = new Dots();
  const axis = make("div", { class: "axis", "aria-hidden": "true" }), said = make("p", { class: "said", role: "status" });

  function take(data) {
    if (ghost.dragged || !outbox.isHeard(data.serial)) return;
    const asks = data.truth === null && !data.guesses;
    root.classList.toggle("asks", asks);
    ghost.take(data, data.guess, asks);
    dots.take(data, data.guesses, data.truth);
    truth.take(data, data.truth, data.guess);
    axis.replaceChildren(...[data.low, middleOf(data), data.high].map((end) => make("span", {}, digitsOf(data, end))));
    if (said.textContent !== data.said) said.textContent = data.said;
  }

  root.replaceChildren(dots.element, ghost.element, truth.element, axis, said);
  root.classList.add("tiekit", "guess");
  root.addEventListener("focusout", (event) => root.contains(event.relatedTarget) || outbox.flush());
  host.onData(take);
  take(host.data);
  return () => outbox.flush();
}

/** Data with a change that the host has heard. */
export const applied = (data, { guess = data.guess }) => ({ ...data, guess });

/** Whether data that came from outside can be shown. */
export const isSound = ({ guess, low, high }) => guess === null || (guess >= low && guess <= high);
