// How are scores swapped at random? By buttons: once, many times, one after the other, or in every way.

import { make } from "../shared/elements.js";

const PACE = 200; // milliseconds from swap to swap
const CALM = 1000; // so long, and as many swaps at once, where the reader wants no motion

export class Controls {
  #model;
  #tell;
  #timer;
  #seed; // as it was last written into its box
  #adding = [];

  constructor(model, { tell }) {
    this.#model = model;
    this.#tell = tell;
    const button = (label, onclick, words) => make("button", { type: "button", onclick, "aria-label": words }, label);
    const add = (label, number, words) => button(label, () => this.#act(() => model.draw(number)), words);
    this.#adding = [add("Swap at random", 1), add("×10", 10, "Swap at random ×10"), add("×100", 100, "Swap at random ×100")];
    this.play = button("Play", () => (this.#timer ? this.pause() : this.#run()));
    this.all = button("All", () => this.#act(() => model.drawAll()));
    this.coefficient = make("select", {
      onchange: () => this.#act(() => model.choose(this.coefficient.value)),
    });
    this.seed = make("input", {
      type: "number", min: 0, max: 2 ** 32 - 1, step: 1, required: "", onchange: () => this.#sow(),
    });
    this.element = make("div", { class: "controls" },
      make("div", { class: "buttons", role: "group", "aria-label": "Swap all items at random" },
        ...this.#adding, this.play, this.all, button("Reset", () => this.#act(() => model.reset()))),
      make("div", { class: "choices" },
        make("label", {}, "Coefficient ", this.coefficient), make("label", {}, "Seed ", this.seed)));
  }

  get playing() {
    return this.#timer !== undefined;
  }

  arrange() {
    const { coefficients, items, few } = this.#model.data;
    this.coefficient.replaceChildren(...coefficients.map(({ name, label }) => make("option", { value: name }, label)));
    this.all.hidden = items.length > few;
    this.all.textContent = `All ${(2 ** items.length).toLocaleString("en")}`;
    this.all.setAttribute("aria-label", `${this.all.textContent} ways to swap`);
  }

  show() {
    const { coefficient, seed, isFull, isExact } = this.#model;
    this.coefficient.value = coefficient;
    if (seed !== this.#seed) this.seed.value = this.#seed = seed; // else it may just be typed
    this.play.textContent = this.playing ? "Pause" : "Play";
    for (const button of [...this.#adding, this.play]) button.disabled = isFull;
    this.all.setAttribute("aria-pressed", isExact);
  }

  /** Stop playing, and tell nobody. */
  stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  pause() {
    this.#act(() => this.#model.refresh());
  }

  #act(change) {
    this.stop();
    change();
    this.#tell();
  }

  #run() {
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#timer = setInterval(() => {
      this.#model.draw(calm ? CALM / PACE : 1);
      if (this.#model.isFull) this.pause();
    }, calm ? CALM : PACE);
    this.#model.refresh();
  }

  #sow() {
    if (this.seed.reportValidity()) this.#act(() => this.#model.sow(Number(this.seed.value)));
  }
}
