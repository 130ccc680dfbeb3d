// Which number does the reader expect? A ghost bar that is drawn by mouse, touch or arrow keys.

import { arrowOf, isPlain, keep, make } from "../shared/elements.js";
import { QUIET } from "../shared/mount.js";
import { middleOf, placeOf, snapped, wordsOf } from "./scale.js";

const LEAP = 20; // with Shift, an arrow passes a twentieth of the scale

export class Ghost {
  element;
  value = null; // what is drawn; null is nothing yet
  dragged = false;
  #scale;
  #isOpen = true;
  #tell;
  #parts;

  constructor(tell) {
    this.#tell = tell;
    const bar = make("i", { class: "bar" }), grip = make("i", { class: "grip" }), number = make("b");
    const track = make("div", { class: "track", role: "slider" }, bar, grip);
    this.#parts = { bar, grip, number, track };
    this.element = make("div", { class: "lane ghost" }, make("div", { class: "head", "aria-hidden": "true" }, "Your guess: ", number), track);
    this.#listen(track);
  }

  /** Show a guess on a scale; a closed one cannot be changed. */
  take(scale, value, isOpen) {
    [this.#scale, this.value, this.#isOpen] = [scale, value, isOpen];
    this.#show();
  }

  #show() {
    const { bar, grip, number, track } = this.#parts, at = this.value ?? middleOf(this.#scale), place = `${placeOf(this.#scale, at)}%`;
    const words = this.value === null ? "not drawn yet" : wordsOf(this.#scale, at);
    [bar.style.width, grip.style.left] = [place, place];
    number.textContent = words;
    this.element.hidden = this.value === null && !this.#isOpen;
    this.element.classList.toggle("unset", this.value === null);
    this.element.classList.toggle("open", this.#isOpen);
    const told = { label: `Your guess. ${this.#scale.label}`, valuemin: this.#scale.low, valuemax: this.#scale.high, valuenow: at,
      valuetext: words, disabled: !this.#isOpen };
    for (const [name, text] of Object.entries(told)) track.setAttribute(`aria-${name}`, text);
    track.tabIndex = this.#isOpen ? 0 : -1;
  }

  #draw(value) {
    this.value = snapped(this.#scale, value);
    this.#show();
  }

  #listen(track) {
    let before; // what was drawn when the drag began
    const follow = ({ clientX }) => {
      const { left, width } = track.getBoundingClientRect(), { low, high } = this.#scale;
      this.#draw(low + ((clientX - left) / width) * (high - low));
    };
    track.onpointerdown = (event) => {
      if (event.button !== 0 || !this.#isOpen) return;
      track.setPointerCapture(event.pointerId);
      [before, this.dragged] = [this.value, true];
      follow(event);
    };
    track.onpointermove = (event) => this.dragged && follow(event);
    track.onpointerup = () => {
      if (!this.dragged) return;
      this.dragged = false;
      this.#tell();
    };
    track.onpointercancel = () => { // a finger that scrolls the page draws nothing
      if (!this.dragged) return;
      this.dragged = false;
      this.value = before;
      this.#show();
      this.#tell(QUIET);
    };
    track.onkeydown = (event) => {
      const to = this.#isOpen ? this.#placeAfter(event) : undefined;
      if (to === undefined) return;
      keep(event);
      this.#draw(to);
      this.#tell(QUIET);
    };
  }

  /** Where a key leads; undefined if it leads nowhere. */
  #placeAfter(event) {
    const { low, high, digits } = this.#scale, [across, up] = arrowOf(event), step = 10 ** -digits;
    const pace = event.shiftKey ? Math.max(step, (high - low) / LEAP) : step;
    if (across || up) return (this.value ?? middleOf(this.#scale)) + (across + up) * pace;
    return isPlain(event) ? { Home: low, End: high }[event.key] : undefined;
  }
}
