// What is the toy lab? A model, the views of it and an outbox, in an element that a host gives.
//
// host.element       where it stands
// host.data          what it shows first: scores, metrics, epsilon, epsilon_of, pair, step, coefficients, style, serial, predict
// host.send(state)   hears of a change on release: its serial, and all changes that no data have held yet
// host.onData(take)  is given the function that takes new data, with the serial of the last state that was heard

import { Theme } from "../shared/canvas.js";
import { make } from "../shared/elements.js";
import { inNextFrame, Outbox, QUIET } from "../shared/mount.js";
import { hasSpan, MOST_SCORES } from "../shared/numbers.js";
import { PairPicker, PairSentences } from "./chosen_pair.js";
import { DotPlot } from "./dot_plot.js";
import { EpsilonLine } from "./epsilon.js";
import { Model, namesIn } from "./model.js";
import { PairCards } from "./pair_cards.js";
import { Prediction } from "./prediction.js";
import { ScoreCards } from "./score_cards.js";
import { Stepper } from "./stepper.js";
import { ValuesTable } from "./values.js";

const MOST_METRICS = 6; // as in data.py

/** Open the lab in a host; the function that is returned closes it. */
export function openLab(host) {
  const root = host.element, model = new Model(), theme = new Theme(root), outbox = new Outbox(host.send);
  let pending, names; // data that came while something was held; the names that the views are arranged for

  const actions = {
    tell: (change, wait) => outbox.tell(change, wait),
    choose: (pair) => {
      model.choose(pair);
      outbox.tell({ pair }, QUIET);
    },
    onRelease: () => pending && take(pending),
  };
  const epsilon = new EpsilonLine(model, actions), stepper = new Stepper(model, actions);
  const picker = new PairPicker(model, actions), sentences = new PairSentences(model);
  const values = new ValuesTable(model), dots = new DotPlot(model);
  const pairs = new PairCards(model, theme, actions), scores = new ScoreCards(model, theme, actions);
  const stage = make("div", { class: "stage" }, pairs.element, dots.element, epsilon.element);
  const label = make("label", { for: "pair" }, "Highlight pair");
  const chosen = make("div", { class: "chosen" }, label, picker.picker, stepper.element);
  const prediction = new Prediction(model, root);
  const views = [epsilon, stepper, values, dots, pairs, scores, picker, sentences, prediction];

  function take(data) {
    pending = undefined;
    if (model.held || epsilon.sliding) return void (pending = data);
    if (!outbox.isHeard(data.serial)) return;
    if (!model.hasScoresOf(data)) stepper.stop();
    model.take(data, stepper.playing ? model : data);
    root.classList.toggle("large", data.large);
    if (namesIn(data) === names) return;
    names = namesIn(data);
    root.classList.toggle("many", data.metrics.length > 2);
    for (const view of views) view.arrange?.();
  }

  const draw = inNextFrame(() => {
    if (!model.data) return;
    theme.read();
    for (const view of views) view.show();
    for (const view of views) view.paint?.(); // when all is laid out
  });

  root.replaceChildren(
    prediction.element,
    stage,
    pairs.legend,
    chosen,
    make("div", { class: "numbers" }, sentences.element, values.element),
    scores.element,
  );
  root.classList.add("tiekit", "lab");
  model.subscribe(draw);
  const sizes = new ResizeObserver(draw);
  sizes.observe(root);
  root.addEventListener("focusout", (event) => root.contains(event.relatedTarget) || outbox.flush());
  host.onData(take);
  take(host.data);
  return () => {
    stepper.stop();
    sizes.disconnect();
  };
}

/** Data with a change that the host has heard: scores by line and item, and anything else as it is now. */
export function applied(data, { scores = {}, ...rest }) {
  const moved = (line, old) =>
    Object.entries(scores[line] ?? {}).reduce((all, [item, score]) => all.with(item, score), old);
  const metrics = data.metrics.map((metric) => ({ ...metric, scores: moved(`m${metric.slot}`, metric.scores) }));
  return { ...data, ...rest, human: moved("h", data.human), metrics };
}

/** Whether data that came from outside can be shown. */
export function isSound({ human, metrics, epsilon, epsilon_of, pair, step }) {
  const n = human.length, isItem = (item) => Number.isInteger(item) && item >= 0 && item < n;
  const isLine = (line) => line.length === n && hasSpan(line);
  const areDifferent = (values) => new Set(values).size === values.length;
  return n <= MOST_SCORES && isLine(human) && metrics.length > 0 && metrics.length <= MOST_METRICS &&
    metrics.every(({ name, slot, scores }) => typeof name === "string" && Number.isInteger(slot) && isLine(scores)) &&
    areDifferent(metrics.map(({ name }) => name)) && areDifferent(metrics.map(({ slot }) => slot)) &&
    Number.isFinite(epsilon) && epsilon >= 0 && metrics.some(({ name }) => name === epsilon_of) &&
    (pair === null || (pair.length === 2 && pair.every(isItem) && pair[0] < pair[1])) &&
    (step === null || (Number.isInteger(step) && step >= 0));
}
