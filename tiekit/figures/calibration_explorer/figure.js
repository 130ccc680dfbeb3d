// What is the calibration explorer? The curve of one metric on which ε is dragged, and the pairs that become ties; or the
// curves of all metrics with a crosshair, and where calibration moves each of them.
//
// host.data holds of one metric human, metric and epsilon; name, coefficient, style, note; the curve of many scores
// (epsilons, counts, values, best, steps), null where it is computed here. Of all metrics it holds label, kinds, constant,
// curves (name, epsilons, values, tied, best, human, deviation), chosen (a name) and tied (the
// crosshair's share of tied pairs, null at ε*); of one metric curves are empty.

import { arrowOf, button, glyphOf, keep, listenToDrag, make, placeAfter } from "../shared/elements.js";
import { mount, QUIET, say, spoken, View } from "../shared/mount.js";
import { CurvesPicture, listenToSlopes, SlopeChart } from "./all_curves.js";
import { AllCurves, OneCurve } from "./model.js";
import { CurvePicture, Legend, NewTies, NumberLine } from "./one_curve.js";
import { sentence, sentences, short } from "./words.js";

/** Open the figure in a host. */
export const openFigure = (host) => (host.data.curves.length ? openAll(host) : openOne(host));

/** One metric: its curve, its scores on a line, and the pairs that become ties at ε. */
function openOne(host) {
  const model = new OneCurve();
  return mount(host, "explorer", model, ({ tell, release }) => {
    const change = (wait = 0) => tell(model.state, wait);
    const goTo = (words, label, to) => button(words, () => {
      model.goTo(to());
      change(QUIET);
    }, { "aria-label": label });
    const said = spoken("said"), exact = make("output", { class: "exact" }), note = make("p", { class: "note" });
    const curve = new CurvePicture(model), counts = new Pairs(model), toBest = goTo("Go to ε*", "Go to ε*", () => model.curve.best);
    toBest.classList.add("answer");
    const views = [new Legend(model), curve, counts, new NumberLine(model), new NewTies(model)];
    listen(curve, model, { change, release, follow: (x) => model.goNear(curve.epsilonAt(x)), up: (by) => model.goTo(model.at + by) });
    return {
      fits: true,
      children: [said, make("div", { class: "bar-top" }, exact,
        goTo("‹", "To the next smaller threshold", () => model.at - 1),
        goTo("›", "To the next larger threshold", () => model.at + 1),
        toBest),
      ...views.map((view) => view.element), note],
      views,
      isHeld: () => model.dragged,
      show() {
        say(said, sentence(model));
        exact.textContent = `ε = ${short(model.epsilon)}`;
        exact.title = `exactly ${model.epsilon}`;
        note.textContent = model.data.note;
      },
    };
  });
}

/** All metrics: their curves, and what calibration does to each. */
function openAll(host) {
  const model = new AllCurves();
  return mount(host, "tie_curves", model, ({ tell, release }) => {
    const change = (wait = 0) => tell(model.state, wait);
    const toBest = button("Go to ε*", () => {
      model.goToBest();
      change(QUIET);
    }, { class: "answer" });
    const said = spoken("said"), curves = new CurvesPicture(model), slopes = new SlopeChart(model);
    const other = (x, y) => {
      const near = model.data.asks || curves.isOnCrosshair(x, y) ? undefined : curves.curveNear(x, y, REACH);
      return near && near !== model.chosen ? near : null;
    };
    listen(curves, model, {
      change, release,
      follow: (x) => model.goNear(curves.shareAt(x)),
      up: (by) => model.chooseNext(-by),
      pick(x, y) {
        const near = other(x, y);
        if (!near) return curves.point(null);
        model.choose(near.name);
        change();
        return true;
      },
      hover(x, y) {
        const near = x === undefined ? null : other(x, y);
        curves.element.classList.toggle("on-curve", Boolean(near));
        curves.point(near, x, y);
      },
    });
    listenToSlopes(slopes, model, change);
    return {
      fits: true,
      children: [make("div", { class: "head" }, said, toBest), make("div", { class: "pictures" }, curves.element, slopes.element),
        make("p", { class: "note answer" }, "Tap a curve to choose its metric; drag the ball to another ε. ε* is a metric’s best ε.")],
      views: [curves, slopes],
      isHeld: () => model.dragged,
      show() {
        say(said, sentences(model));
        toBest.disabled = model.at === model.chosen.best;
      },
    };
  });
}

// --------------------------------------------------------------------------------------------------------------------
// How is a threshold moved? By a pointer anywhere in the picture, and by keys from threshold to threshold.

const REACH = 12; // so many pixels from a curve a click still means it
const LEAP = 10; // Page Up and Page Down pass a tenth of the thresholds

/** Let a pointer drag the threshold of a picture, and keys go from one to the next; `up` hears of those that go up or down. */
function listen({ element }, model, { change, release, up, ...drag }) {
  const done = () => {
    change();
    release();
  };
  listenToDrag(element, model, { done, ...drag });
  element.onkeydown = (event) => {
    const [, by] = arrowOf(event), to = placeAfter(event, model.at, model.last, Math.max(1, Math.round(model.last / LEAP)));
    if (to === undefined) return;
    keep(event);
    if (by) up(by);
    else model.goTo(to);
    change(QUIET);
  };
}

/** How many pairs are of each kind? */
class Pairs extends View {
  #numbers;
  #list = make("ul", { class: "kinds", "aria-label": "Pairs of each kind" });
  element = make("div", { class: "pairs" }, this.#list);

  show() {
    const { data, counts } = this.model, { kinds } = data.style;
    this.#numbers ??= kinds.map((kind) => {
      const number = make("b", { "data-kind": kind.kind });
      this.#list.append(make("li", {}, glyphOf(kind), number, make("span", { "aria-hidden": "true" }, ` ${kind.label}`)));
      return number;
    });
    this.#numbers.forEach((number, kind) => (number.textContent = counts[kind].toLocaleString("en-US")));
  }
}
