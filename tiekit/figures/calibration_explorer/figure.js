// What is the calibration explorer? The curve of one metric on which ε is dragged, and the pairs that become ties; or the
// curves of all metrics with a crosshair, and where calibration moves each of them.
//
// host.data holds of one metric human, metric and epsilon; name, coefficient, style, note; the curve of many scores
// (epsilons, counts, values, best, steps), null where it is computed here. Of all metrics it holds label, kinds, constant,
// curves (name, epsilons, values, tied, both, concordant, best, human, deviation), chosen (a name) and tied (the
// crosshair's share of tied pairs, null at ε*); of one metric curves are empty.

import { arrowOf, glyphOf, keep, make } from "../shared/elements.js";
import { mount, QUIET, say, spoken, View } from "../shared/mount.js";
import { CurvesPicture } from "./all_curves.js";
import { AllCurves, OneCurve } from "./model.js";
import { NewTies, NumberLine } from "./number_line.js";
import { CurvePicture, Legend } from "./one_curve.js";
import { listenToSlopes, SlopeChart } from "./slope_chart.js";
import { percent, sentence, sentences, short } from "./words.js";

/** Open the figure in a host. */
export const openFigure = (host) => (host.data.curves.length ? openAll(host) : openOne(host));

/** One metric: its curve, its scores on a line, and the pairs that become ties at ε. */
function openOne(host) {
  const model = new OneCurve();
  return mount(host, "explorer", model, ({ tell, release }) => {
    const change = (wait = 0) => tell(model.state, wait);
    const button = (words, label, to) => make("button", { type: "button", "aria-label": label, onclick: () => {
      model.goTo(to());
      change(QUIET);
    } }, words);
    const said = spoken("said"), exact = make("output", { class: "exact" }), note = make("p", { class: "note" });
    const curve = new CurvePicture(model), counts = new Pairs(model);
    const views = [new Legend(model), curve, counts, new NumberLine(model), new NewTies(model)];
    listen(curve, model, { change, release, follow: (x) => model.goNear(curve.epsilonAt(x)), up: (by) => model.goTo(model.at + by) });
    return {
      fits: true,
      children: [said, make("div", { class: "bar-top" }, exact,
        button("‹", "To the next smaller threshold", () => model.at - 1),
        button("›", "To the next larger threshold", () => model.at + 1),
        button("Go to ε*", "Go to ε*", () => model.curve.best)),
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

/** All metrics: their curves, what calibration does to each, and the pairs at the crosshair. */
function openAll(host) {
  const model = new AllCurves();
  return mount(host, "tie_curves", model, ({ tell, release }) => {
    const change = (wait = 0) => tell(model.state, wait);
    const toBest = make("button", { type: "button", onclick: () => {
      model.goToBest();
      change(QUIET);
    } }, "Go to ε*");
    const said = spoken("said"), curves = new CurvesPicture(model), slopes = new SlopeChart(model), bar = new Pairs(model);
    const other = (x, y) => {
      const near = curves.isOnCrosshair(x, y) ? undefined : curves.curveNear(x, y, REACH);
      return near && near !== model.chosen ? near : null;
    };
    listen(curves, model, {
      change, release,
      follow: (x) => model.goNear(curves.shareAt(x)),
      up: (by) => model.chooseNext(-by),
      pick(x, y) {
        const near = other(x, y);
        if (near) model.choose(near.name);
        else curves.point(null);
        return Boolean(near);
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
      children: [make("div", { class: "head" }, said, toBest),
        make("div", { class: "pictures" }, curves.element, slopes.element), bar.element],
      views: [curves, slopes, bar],
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

function listen({ element }, model, { change, release, follow, up, pick = () => false, hover = () => {} }) {
  const at = (event) => {
    const { left, top } = element.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  element.onpointerdown = (event) => {
    if (event.button !== 0) return;
    if (pick(...at(event))) return void change();
    element.setPointerCapture(event.pointerId);
    model.dragged = true;
    follow(...at(event));
  };
  element.onpointermove = (event) => (model.dragged ? follow : hover)(...at(event));
  element.onpointerleave = () => hover();
  element.onpointerup = element.onpointercancel = element.onlostpointercapture = () => {
    if (!model.dragged) return;
    model.dragged = false;
    change();
    release();
  };
  element.onkeydown = (event) => {
    const [across, by] = arrowOf(event), to = placeAfter(event, model, across);
    if (to === undefined && !by) return;
    keep(event);
    if (by) up(by);
    else model.goTo(to);
    change(QUIET);
  };
}

/** Where a key leads on the curve; undefined if it leads nowhere. */
function placeAfter({ key }, { at, last }, across) {
  const leap = Math.max(1, Math.round(last / LEAP));
  return across ? at + across : { Home: 0, End: last, PageUp: at + leap, PageDown: at - leap }[key];
}

// --------------------------------------------------------------------------------------------------------------------

const ORDER = [4, 0, 1, 3, 2]; // what is right stands together, then what is wrong
const WORDS = ["order right", "order wrong", "human tie missed", "tie wrong", "tie right"];

/** How many pairs are of each kind? Of one metric their numbers, of all a bar with the shares at the crosshair. */
class Pairs extends View {
  #parts;
  #bar = make("div", { class: "bar", "aria-hidden": "true" });
  #list = make("ul", { class: "kinds", "aria-label": "Pairs of each kind" });
  element = make("div", { class: "pairs" }, this.#bar, this.#list);

  show() {
    const { data, counts, shares } = this.model, { kinds } = data.style;
    this.#bar.hidden = !shares;
    this.#parts ??= (shares ? ORDER : [...kinds.keys()]).map((kind) => {
      const part = make("i"), number = make("b", { "data-kind": kinds[kind].kind }), glyph = glyphOf(kinds[kind]);
      part.style.background = kinds[kind].color;
      this.#bar.append(part);
      this.#list.append(shares ? make("li", {}, glyph, `${WORDS[kind]} `, number) :
        make("li", {}, glyph, number, make("span", { "aria-hidden": "true" }, ` ${kinds[kind].label}`)));
      return { kind, part, number };
    });
    for (const { kind, part, number } of this.#parts) {
      if (shares) part.style.width = `${100 * shares[kind]}%`;
      number.textContent = shares ? percent(shares[kind]) : counts[kind].toLocaleString("en-US");
    }
  }
}
