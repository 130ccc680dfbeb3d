// What is the swap explorer? A permutation test in an element that a host gives: buttons that swap at random, a histogram
// and a sentence; with few scores also the items, which are swapped by hand.
//
// host.data holds human, metrics (name, scores, z), items that can be swapped, coefficients, most, few, note and what; of a
// test that has been run values, observed, samples and exact; and coefficient, swapped, draws and seed, which move.

import { Theme } from "../shared/canvas.js";
import { button, make } from "../shared/elements.js";
import { inNextFrame, isCalm, mount, QUIET, say, View } from "../shared/mount.js";
import { Items } from "./items.js";
import { present, Swaps, verdict } from "./model.js";
import { Picture } from "./picture.js";

const PACE = 200; // milliseconds from swap to swap
const CALM = 1000; // so long, and as many swaps at once, where the reader wants no motion

/** Open the figure in a host. */
export function openFigure(host) {
  const model = new Swaps();
  return mount(host, "swap-explorer", model, ({ root, tell }) => {
    const theme = new Theme(root), actions = { tell: () => tell(model.state, model.isGiven ? QUIET : 0) };
    const draw = inNextFrame(paint), picture = new Picture(model, { theme, draw });
    const controls = new Controls(model, actions), items = new Items(model, actions);
    const sentence = make("p", { class: "verdict", role: "status" }), now = make("p", { class: "now", role: "status" });
    const byHand = make("div", { class: "by-hand" }, now, items.element);
    let arranged, shown; // the scores that dots have fallen for, and of which swaps

    function take(data) {
      controls.stop();
      const scores = JSON.stringify([data.human, data.metrics, data.samples]);
      const isOther = scores !== arranged || data.draws !== model.draws;
      arranged = scores;
      model.take(data);
      if (isOther) picture.put();
      shown = kindOf(model);
      byHand.hidden = model.isGiven;
      root.classList.toggle("given", model.isGiven);
    }

    /** Let fall what is new; swaps of another kind, from 0. */
    function show() {
      if (kindOf(model) !== shown) picture.landed = 0;
      shown = kindOf(model);
      picture.fall();
    }

    function paint() {
      theme.read();
      const words = [[sentence, verdict(model, picture.landed)], [now, model.isGiven ? "" : present(model)]];
      const isMoving = controls.isPlaying || picture.landed < model.number;
      for (const [element, text] of words) {
        element.setAttribute("aria-live", isMoving ? "off" : "polite");
        const [first] = element === sentence ? text.match(/^.*?[.?!](?= |$)/) ?? [text] : [""];
        say(element, text.slice(first.length), first);
      }
      for (const view of model.isGiven ? [controls, picture] : [controls, items, picture]) view.show();
    }

    return {
      fits: true,
      children: [sentence, controls.element, make("div", { class: "stage" }, picture.element, byHand)],
      views: [{ show, arrange: () => (model.isGiven ? [controls] : [controls, items]).forEach((view) => view.arrange()) }],
      madeOf: ({ human, metrics, samples }) => [human, metrics, samples],
      take,
      close() {
        controls.stop();
        picture.stop();
      },
    };
  });
}

/** Which swaps are counted: those of a seed, or all. */
const kindOf = ({ draws, seed }) => (draws === "all" ? draws : seed);

/** How scores are swapped at random: by buttons, once, many times, one after the other, or in every way. */
class Controls extends View {
  #timer;
  #seed; // as it was last written into its box
  #adding = [];

  constructor(model, act) {
    super(model, act);
    const add = (label, number, words) => button(label, () => this.#act(() => model.draw(number)), { "aria-label": words });
    this.#adding = [add("Swap at random", 1), add("×10", 10, "Swap at random ×10"), add("×100", 100, "Swap at random ×100")];
    this.play = button("Play", () => (this.#timer ? this.#act(() => model.changed()) : this.#run()));
    this.all = button("All", () => this.#act(() => model.drawAll()));
    this.reset = button("Reset", () => this.#act(() => model.reset()));
    this.coefficient = make("select", {
      onchange: () => this.#act(() => model.set({ coefficient: this.coefficient.value })),
    });
    this.seed = make("input", {
      type: "number", min: 0, max: 2 ** 32 - 1, step: 1, required: "", onchange: () => this.#sow(),
    });
    this.choices = make("div", { class: "choices" },
      make("label", {}, "Coefficient ", this.coefficient), make("label", {}, "Seed ", this.seed));
    this.element = make("div", { class: "controls" },
      make("div", { class: "buttons", role: "group", "aria-label": "Swap all scores at random" },
        ...this.#adding, this.play, this.all, this.reset), this.choices);
  }

  get isPlaying() {
    return this.#timer !== undefined;
  }

  arrange() {
    const { isGiven, ways, data: { coefficients, items, few } } = this.model;
    this.coefficient.replaceChildren(...coefficients.map(({ name, label }) => make("option", { value: name }, label)));
    this.choices.hidden = isGiven;
    this.all.hidden = !isGiven && items.length > few;
    this.all.textContent = `All ${ways.toLocaleString("en")}`;
    this.all.setAttribute("aria-label", isGiven ? `${this.all.textContent} swaps` : `${this.all.textContent} ways to swap`);
  }

  show() {
    const { coefficient, seed, isFull, isGiven, draws } = this.model;
    this.coefficient.value = coefficient;
    if (seed !== this.#seed) this.seed.value = this.#seed = seed; // else it may just be typed
    this.play.textContent = this.isPlaying ? "Pause" : "Play";
    for (const one of [...this.#adding, this.play]) one.disabled = isFull;
    this.all.disabled = isGiven && isFull;
    this.all.setAttribute("aria-pressed", isGiven ? isFull : draws === "all");
  }

  /** Stop playing, and tell nobody. */
  stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #act(change) {
    this.stop();
    change();
    this.act.tell();
  }

  #run() {
    const calm = isCalm();
    this.#timer = setInterval(() => {
      this.model.draw(calm ? CALM / PACE : 1);
      if (this.model.isFull) this.#act(() => this.model.changed());
    }, calm ? CALM : PACE);
    this.model.changed();
  }

  #sow() {
    if (this.seed.reportValidity()) this.#act(() => this.model.sow(Number(this.seed.value)));
  }
}
