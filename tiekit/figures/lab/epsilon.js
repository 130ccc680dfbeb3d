// How is epsilon moved? On the line of one metric's scores: by dragging the end of a bracket, or by keys.

import { closestTo, lastUpTo } from "../shared/curve.js";
import { glyphOf, make } from "../shared/elements.js";
import { QUIET } from "../shared/mount.js";
import { written } from "../shared/numbers.js";
import { EpsilonPicture } from "./epsilon_picture.js";
import { markOf } from "./marks.js";

const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

export class EpsilonLine {
  sliding = false;
  #model;
  #tell;
  #onRelease;
  #before; // epsilon when it was taken up
  #buttons = [];

  constructor(model, { tell, onRelease }) {
    [this.#model, this.#tell, this.#onRelease] = [model, tell, onRelease];
    this.picture = new EpsilonPicture(model);
    this.slider = make("input", {
      type: "range", min: 0, step: 1, id: "epsilon", "aria-describedby": "epsilon-help",
      oninput: () => model.setEpsilon(model.candidates[this.slider.value]),
      onchange: () => tell({ epsilon: model.epsilon }, QUIET),
    });
    this.label = make("label", { for: "epsilon" });
    this.note = make("span", { id: "epsilon-help", class: "note" });
    this.exact = make("output", { for: "epsilon", class: "exact" });
    this.whose = make("span", { class: "whose", role: "group", "aria-label": "Whose scores are on the line, and tied within ε?" });
    [this.ties, this.orders, this.value] = [make("span"), make("span"), make("b")];
    this.gain = make("p", { class: "gain", "aria-live": "polite" });
    const grip = make("div", {
      class: "grip",
      onpointerdown: (event) => this.#press(event),
      onpointermove: (event) => this.sliding && this.#to(event),
    });
    grip.onpointerup = grip.onpointercancel = grip.onlostpointercapture = (event) => this.#letGo(event);
    this.element = make("section", { class: "epsilon", "aria-label": "The threshold ε" },
      make("div", { class: "head" },
        this.label, this.exact, this.note, this.whose, this.gain),
      make("div", { class: "number-line" }, this.picture.svg, this.slider, grip));
  }

  arrange() {
    const { metrics, styles } = this.#model;
    this.#buttons = metrics.map(({ name }, at) =>
      make("button", { type: "button", onclick: () => this.#measure(at) }, markOf(at), ` ${name}`));
    this.whose.replaceChildren(...this.#buttons);
    this.whose.hidden = metrics.length < 2;
    const [won, lost] = [glyphOf(styles[4]), glyphOf(styles[3])];
    for (const glyph of [won, lost]) glyph.setAttribute("aria-hidden", "true");
    this.gain.replaceChildren(make("span", {}, won, this.ties), make("span", {}, lost, this.orders), this.value);
  }

  show() {
    const { candidates, epsilon, measured, metrics } = this.#model;
    this.slider.max = candidates.length - 1;
    this.slider.value = lastUpTo(candidates, epsilon);
    this.slider.disabled = candidates.length < 2;
    const { name } = metrics[measured], several = metrics.length > 1;
    this.label.textContent = several ? `ε of ${name} =` : "ε =";
    this.note.textContent = `Drag ε: scores of ${several ? `${name} alone` : name} within ε count as tied.`;
    this.exact.textContent = String(epsilon);
    this.#buttons.forEach((button, at) => button.setAttribute("aria-pressed", at === measured));
    const { won, lost, before, after } = this.#model.gain;
    this.ties.textContent = `+${counted(won, "correct tie")}`;
    this.orders.textContent = `−${counted(lost, "correct order")}`;
    this.value.textContent = `acc_eq ${written(before)} → ${written(after)}`;
    const told = `${this.ties.textContent}, ${this.orders.textContent}, ${this.value.textContent}`;
    this.slider.setAttribute("aria-valuetext", `ε = ${epsilon}; ${name}: ${told}`);
  }

  paint() {
    this.picture.paint();
  }

  /** Let epsilon be of another metric, and tell what has become of it. */
  #measure(at) {
    const model = this.#model, before = model.epsilon;
    model.measure(at);
    const { epsilon } = model;
    this.#tell({ epsilon_of: model.metrics[at].name, ...(epsilon === before ? {} : { epsilon }) });
  }

  #press(event) {
    if (this.slider.disabled || event.button) return;
    this.sliding = true;
    this.#before = this.#model.epsilon;
    event.target.setPointerCapture(event.pointerId);
    this.slider.focus({ preventScroll: true });
    event.preventDefault(); // else the focus goes elsewhere
    this.#to(event);
  }

  #to(event) {
    const { candidates } = this.#model;
    this.#model.setEpsilon(candidates[closestTo(candidates, this.picture.epsilonAt(event.offsetX))]);
  }

  #letGo(event) {
    if (!this.sliding) return;
    this.sliding = false;
    if (event.type !== "pointerup") this.#model.setEpsilon(this.#before); // the hand scrolls
    else if (this.#model.epsilon !== this.#before) this.#tell({ epsilon: this.#model.epsilon });
    this.#onRelease();
  }
}
