// How are pairs counted one at a time? By buttons and keys, or by itself.

import { isPlain, make } from "../shared/elements.js";
import { QUIET } from "../shared/mount.js";

const PACE = 900; // milliseconds from pair to pair

export class Stepper {
  #model;
  #tell;
  #timer;

  constructor(model, { tell }) {
    this.#model = model;
    this.#tell = tell;
    const button = (label, words, action) =>
      make("button", { type: "button", "aria-label": words, title: words, onclick: action }, label);
    this.play = button("Play", "Count on by itself", () => this.#run());
    this.where = make("output", { class: "where", "aria-live": "polite" });
    this.element = make("div", {
      class: "steps", role: "group", "aria-label": "Count the pairs one at a time",
      onkeydown: (event) => this.#press(event),
    },
      button("Step", "Start counting pair by pair", () => this.#go(0)),
      button("◀", "One pair back", () => this.#go(model.counted - 1)),
      button("▶", "One pair on", () => this.#go((model.step ?? 0) + 1)),
      this.play, button("Show all pairs", "Count all pairs at once", () => this.#go(null)), this.where);
  }

  get playing() {
    return this.#timer !== undefined;
  }

  stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.play.textContent = "Play";
  }

  show() {
    const { step, total } = this.#model;
    this.where.textContent = step === null ? `all ${total} pairs counted` : `${step} of ${total} pairs counted`;
  }

  #press(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (!by || !isPlain(event)) return;
    event.preventDefault();
    this.#go(this.#model.counted + by);
  }

  #go(step) {
    this.#model.goTo(step);
    if (step === null || this.#model.step === this.#model.total) this.stop();
    if (!this.playing) this.#report();
  }

  #run() {
    if (this.playing) {
      this.stop();
      return this.#report();
    }
    if (this.#model.step === null || this.#model.step === this.#model.total) this.#go(0);
    this.#timer = setInterval(() => this.#go(this.#model.step + 1), PACE);
    this.play.textContent = "Pause";
  }

  #report() {
    const { step, pair } = this.#model;
    this.#tell({ step, pair }, QUIET);
  }
}
