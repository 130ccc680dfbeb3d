// How is epsilon moved? By a slider whose places are the differences that occur.

import { make } from "../shared/elements.js";
import { QUIET } from "../shared/outbox.js";
import { lastUpTo } from "../shared/thresholds.js";

export class EpsilonSlider {
  sliding = false;
  #model;
  #onRelease;
  #byKey = false;
  #placed; // the candidates that the slider's places are

  constructor(model, { tell, onRelease }) {
    this.#model = model;
    this.#onRelease = onRelease;
    this.slider = make("input", {
      type: "range", min: 0, step: 1, id: "epsilon", "aria-describedby": "epsilon-help",
      oninput: () => model.setEpsilon(model.candidates[this.slider.value]),
      onpointerdown: () => void (this.sliding = true), // a handler that returns false would stop the drag
      onpointerup: () => this.#letGo(),
      onpointercancel: () => this.#letGo(),
      onlostpointercapture: () => this.#letGo(),
      onkeydown: () => void (this.#byKey = true),
      onchange: () => tell({ epsilon: model.epsilon }, this.#byKey ? QUIET : 0),
    });
    this.exact = make("output", { for: "epsilon", class: "exact" });
    this.element = make("div", { class: "epsilon" },
      make("label", { for: "epsilon" }, "ε ="), this.exact, this.slider,
      make("span", { id: "epsilon-help", class: "note" }, "Drag it: scores at most ε apart are tied by the metric."));
  }

  show() {
    const { candidates, epsilon, held } = this.#model;
    if (candidates !== this.#placed) {
      this.#placed = candidates;
      this.slider.max = candidates.length - 1;
      if (!held) this.slider.value = lastUpTo(candidates, epsilon);
    }
    this.exact.textContent = String(epsilon);
    this.slider.setAttribute("aria-valuetext", `ε = ${epsilon}`);
    this.slider.disabled = candidates.length < 2;
  }

  #letGo() {
    this.sliding = this.#byKey = false;
    setTimeout(this.#onRelease); // after the change itself, if there is one
  }
}
