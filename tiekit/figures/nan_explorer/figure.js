// What is the NaN explorer? A sentence and the segments of every metric. In the explorer a switch of three rules, a cell
// per segment, and what is behind one; in the puzzle tiles with scores, which are tied by hand, and three podiums.
//
// host.data holds scores and averages (see data.py), the chosen coefficient, rule ("undefined") and cell, the metric whose
// scores can be tied ("goal", null in the explorer) and the ties that were made.

import { button, make, withIndex } from "../shared/elements.js";
import { mount, say, spoken, View } from "../shared/mount.js";
import { Behind, Grid, Legend } from "./grid.js";
import { RULES, Segments } from "./model.js";
import { MEANINGS, Podium, Tiles } from "./tiles.js";
import { puzzleSentence, sentenceOf } from "./words.js";

/** Open the figure in a host. */
export function openFigure(host) {
  const model = new Segments(), isPuzzle = host.data.goal !== null;
  return mount(host, isPuzzle ? "nan-tiles" : "nan-explorer", model, ({ root, tell }) => {
    const change = (changes) => {
      model.change(changes);
      tell(changes);
    };
    return {
      ...(isPuzzle ? puzzle(model, change, root) : explorer(model, change)),
      fits: true,
      madeOf: ({ human, metrics, segments, coefficients }) => [human, metrics, segments, coefficients],
    };
  });
}

/** The explorer's parts. */
function explorer(model, change) {
  const said = new Sentence(model), controls = new Controls(model, change), behind = new Behind(model);
  const grid = new Grid(model, (metric, segment) => {
    const { metrics, places } = model.data;
    change({ cell: [places[segment], metrics[metric].name] });
  });
  const views = [said, controls, grid, new Legend(model), behind];
  return { views, children: views.map(({ element }) => element) };
}

/** The puzzle's parts: two scores of one tile are chosen one after the other, which ties them. */
function puzzle(model, change, root) {
  const tiles = new Tiles(model, choose), podium = new Podium(model);
  const tie = (ties) => (podium.element.classList.add("moving"), change({ ties })); // what opens does not slide
  const sentence = spoken("sentence");
  const undo = button("Undo", () => tie(model.data.ties.slice(0, -1))), again = button("Start again", () => tie([]));

  function choose(segment, system) {
    const { first, scored, goal, data: { ties } } = model;
    const isSecond = first?.segment === segment && first.system !== system;
    if (isSecond && scored[goal].scores[segment][first.system] !== scored[goal].scores[segment][system]) {
      tie([...ties, [segment, first.system, system]]);
    } else {
      const isAgain = first?.segment === segment && !isSecond;
      model.first = segment === null || isAgain ? null : { segment, system };
      model.changed();
    }
  }

  function show() {
    const { first, rest } = puzzleSentence(model);
    say(sentence, rest, first);
    undo.disabled = again.disabled = !model.data.ties.length;
    root.classList.toggle("won", first.includes(" wins "));
  }

  const side = make("div", { class: "side" }, podium.element, make("p", { class: "buttons answer" }, undo, again));
  return { views: [tiles, podium, { show }], children: [sentence, make("div", { class: "field" }, tiles.element, side)] };
}

/** What is seen: one sentence, in which the chosen rule stands out. */
class Sentence extends View {
  element = spoken("sentence");

  show() {
    const { opening: [before, label, after], rules } = sentenceOf(this.model);
    const parts = RULES.map((rule) => make(rule === this.model.rule ? "strong" : "span", {}, rules?.[rule] ?? ""));
    const words = [before, withIndex(label), after, ...(rules ? parts.flatMap((part) => [" ", part]) : [])];
    const next = make("p", {}, ...words);
    if (next.innerHTML !== this.element.innerHTML) this.element.replaceChildren(...next.childNodes);
  }
}

/** Which coefficient is shown, and what is done with segments on which it is undefined. */
class Controls extends View {
  #radios;

  constructor(model, change) {
    super(model);
    this.#radios = RULES.map((rule) => make("input", {
      type: "radio", name: "undefined", value: rule, onchange: () => change({ undefined: rule }),
    }));
    const switches = this.#radios.map((radio) => make("label", { class: "choice" }, radio, `${radio.value}: ${MEANINGS[radio.value]}`));
    this.select = make("select", { onchange: () => change({ coefficient: this.select.value }) });
    this.element = make("form", { class: "controls", onsubmit: () => false },
      make("fieldset", { class: "switch" }, make("legend", {}, "A segment with no value"), ...switches),
      make("label", { class: "coefficient" }, "Coefficient", this.select));
  }

  arrange() {
    const { coefficients } = this.model.data;
    const options = (everywhere) => coefficients.filter((entry) => entry.everywhere === everywhere)
      .map(({ name, label }) => make("option", { value: name }, label));
    this.select.replaceChildren(
      make("optgroup", { label: "undefined where scores tie" }, ...options(false)),
      make("optgroup", { label: "defined wherever there is a pair" }, ...options(true)));
  }

  show() {
    const { coefficient, rule } = this.model;
    this.select.value = coefficient.name;
    for (const radio of this.#radios) radio.checked = radio.value === rule;
  }
}
