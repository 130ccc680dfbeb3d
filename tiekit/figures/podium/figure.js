// How can one threshold change the winner? Six translations, two metrics on a podium, and a slider.

import { classify, count, listPairs } from "../shared/counting.js";
import { make } from "../shared/elements.js";
import { FORMULAS } from "../shared/formulas.js";
import { Model, mount, QUIET } from "../shared/mount.js";
import { Board, captionOf, Stand } from "./view.js";

/** Open the podium. Its data hold errors, human, metrics, epsilon, most, and play: whether it moves by itself at first. */
export function openFigure(host) {
  const model = new Podium(host.data);
  return mount(host, "podium", model, ({ root, data, tell }) => {
    const board = new Board(model), stand = new Stand(model);
    let stop;
    const exact = make("output", { for: "podium-epsilon" });
    const slider = make("input", {
      type: "range", id: "podium-epsilon", min: 0, max: data.most, step: 1,
      oninput: () => model.setEpsilon(Number(slider.value)),
      onchange: () => tell({ epsilon: model.epsilon }, QUIET),
    });
    const winner = make("strong"), why = make("span"), caption = make("p", { class: "caption" }, winner, " ", why);
    const halt = () => {
      stop?.();
      stop = undefined;
      caption.setAttribute("aria-live", "polite");
    };
    for (const touch of ["pointerdown", "keydown", "wheel"]) root.addEventListener(touch, halt, { passive: true });
    if (data.play) stop = play(model, halt);
    else halt();
    return {
      children: [make("div", { class: "scene" }, board.element, stand.element,
        make("div", { class: "control" },
          make("label", { for: "podium-epsilon" }, "ε ="), exact, slider,
          make("span", { class: "note" }, "Drag ε: metric scores within ε points count as tied.")),
        caption)],
      views: [board, stand],
      show() {
        const said = captionOf(model.standings, model.epsilon);
        [winner.textContent, why.textContent] = [said.winner, said.why];
        slider.value = model.epsilon;
        slider.setAttribute("aria-valuetext", `ε = ${model.epsilon}. ${said.winner}`);
        exact.textContent = model.epsilon;
      },
      take(fresh) {
        if (fresh.epsilon === model.data.epsilon) return; // nobody else has moved it
        halt();
        model.take(fresh);
      },
      close: halt,
    };
  });
}

// --------------------------------------------------------------------------------------------------------------------
// Which metric wins at a threshold? Its pairs by kind, acc_eq and rank; listeners hear of changes.

/** The pairs of each metric by kind at a threshold, how many are right, acc_eq and the rank, in the metrics' order. */
export function standings({ human, metrics }, epsilon) {
  const pairs = listPairs(human.length);
  const found = metrics.map(({ name, scores }) => {
    const kinds = classify(human, scores, pairs, epsilon), counts = count(kinds, kinds.length);
    return { name, scores, counts, right: counts[0] + counts[4], value: FORMULAS.acc_eq(...counts, human.length, 2) };
  });
  return found.map((one) => ({ ...one, rank: 1 + found.filter(({ value }) => value > one.value).length }));
}

class Podium extends Model {
  epsilon = 0;

  constructor(data) {
    super();
    this.take(data);
  }

  take(data) {
    super.take(data);
    this.epsilon = data.epsilon;
  }

  get standings() {
    return standings(this.data, this.epsilon);
  }

  setEpsilon(epsilon) {
    this.epsilon = epsilon;
    this.changed();
  }
}

// --------------------------------------------------------------------------------------------------------------------
// How does the figure move by itself? Once through a few thresholds, until somebody touches it.

const PATH = [[0, 1800], [2, 2600], [14, 2600], [2, 0]]; // thresholds, and how long each stays, in milliseconds
const PACE = 110; // milliseconds from one threshold to the next

/** Walk through the thresholds; the function that is returned stops it. Nothing moves if the reader wants stillness. */
function play(model, done) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return () => {};
  let timer, at = 0;
  const go = () => {
    const [goal, wait] = PATH[at];
    if (model.epsilon !== goal) {
      model.setEpsilon(model.epsilon + Math.sign(goal - model.epsilon));
      timer = setTimeout(go, model.epsilon === goal ? 0 : PACE);
    } else if (++at < PATH.length) timer = setTimeout(go, wait);
    else done();
  };
  timer = setTimeout(go, 0);
  return () => clearTimeout(timer);
}
