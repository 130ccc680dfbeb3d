// What is the toy lab? A model and the views of it: scores that are dragged, pairs that are counted, every coefficient.

import { Theme } from "../shared/canvas.js";
import { make } from "../shared/elements.js";
import { mount, QUIET } from "../shared/mount.js";
import { EpsilonLine } from "./epsilon.js";
import { Lab, namesIn } from "./model.js";
import { PairCards, PairPicker, PairSentences, Stepper } from "./pairs.js";
import { ScoreCards } from "./scores.js";
import { DotPlot, Prediction, ValuesTable } from "./values.js";

/** Open the lab. Its data hold human, metrics, epsilon, epsilon_of, pair, step, coefficients, style, predict and folded. */
export function openFigure(host) {
  const model = new Lab();
  return mount(host, "lab", model, ({ root, data: given, tell, release }) => {
    const theme = new Theme(root);
    const choose = (pair) => {
      model.choose(pair);
      tell({ pair }, QUIET);
    };
    const actions = { tell, choose, release, theme };
    const epsilon = new EpsilonLine(model, actions), stepper = new Stepper(model, actions);
    const picker = new PairPicker(model, actions), sentences = new PairSentences(model);
    const values = new ValuesTable(model), dots = new DotPlot(model), prediction = new Prediction(model);
    const pairs = new PairCards(model, actions), scores = new ScoreCards(model, actions);
    const chosen = make("div", { class: "chosen" },
      make("label", { for: "pair" }, "Highlight pair"), picker.picker, stepper.element);
    const rest = make("details", { class: "rest", ontoggle: () => model.changed() },
      make("summary", {}, "Every pair and number"),
      given.folded ? chosen : "", values.element, make("div", { class: "beneath" }, scores.element));
    return {
      inFrames: true,
      fits: true,
      children: [
        prediction.element,
        make("div", { class: "stage" },
          pairs.element, pairs.legend, pairs.lines, dots.element, sentences.element, epsilon.element),
        given.folded ? "" : chosen,
        rest,
      ],
      views: [theme, epsilon, stepper, values, dots, pairs, scores, picker, sentences, prediction],
      madeOf: namesIn,
      isHeld: () => model.held || epsilon.dragged,
      take(data) {
        if (!model.data) rest.open = !data.folded || data.pair !== null || data.step !== null;
        if (!model.hasScoresOf(data)) stepper.stop();
        model.take(data, stepper.playing ? model : data);
        root.classList.toggle("many", data.metrics.length > 2);
        root.classList.toggle("result", Boolean(data.typed)); // beside lines in which scores are typed
      },
      close: () => stepper.stop(),
    };
  });
}
