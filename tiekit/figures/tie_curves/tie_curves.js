// What do all metrics gain from tying close scores? Their curves with a crosshair, and where calibration moves each one.
//
// host.element       where it stands
// host.data          what it shows: label, kinds, constant, curves (name, epsilons, values, tied, both, concordant, best,
//                    human, deviation), chosen (a name), tied (the crosshair's share of tied pairs, null at ε*), serial
// host.send(state)   hears of chosen and tied, with a serial
// host.onData(take)  is given the function that takes new data, with the serial of the last state that was heard

import { make } from "../shared/elements.js";
import { Outbox, QUIET } from "../shared/mount.js";
import { listenToCurves } from "./curves_input.js";
import { CurvesPicture } from "./curves_picture.js";
import { Model } from "./model.js";
import { PairBar } from "./pair_bar.js";
import { SlopeChart } from "./slope_chart.js";
import { listenToSlopes } from "./slope_input.js";
import { sentences } from "./words.js";

/** Open the figure in a host; the function that is returned closes it. */
export function openCurves(host) {
  const root = host.element, model = new Model(), outbox = new Outbox(host.send);
  let pending; // data that came while the crosshair was dragged

  const tell = (wait = 0) => outbox.tell({ chosen: model.chosen.name, tied: model.tied }, wait);
  const toBest = make("button", { type: "button", onclick: () => {
    model.goToBest();
    tell(QUIET);
  } }, "Go to ε*");
  const said = make("p", { class: "said", "aria-live": "polite" });
  const curves = new CurvesPicture(model), slopes = new SlopeChart(model), bar = new PairBar(model);
  const views = [curves, slopes, bar];

  function take(data) {
    pending = undefined;
    if (model.dragged) return void (pending = data);
    root.classList.toggle("large", Boolean(data.large));
    if (outbox.isHeard(data.serial)) model.take(data);
  }

  function show() {
    const words = sentences(model);
    if (said.textContent !== words) said.textContent = words;
    toBest.disabled = model.at === model.chosen.best;
    for (const view of views) view.show();
  }

  root.replaceChildren(make("div", { class: "head" }, said, toBest),
    make("div", { class: "pictures" }, curves.element, slopes.element), bar.element);
  root.classList.add("tiekit", "tie_curves");
  model.subscribe(show);
  const listen = { tell, onRelease: () => pending && take(pending) };
  listenToCurves(curves, model, listen);
  listenToSlopes(slopes, model, listen);
  const observer = new ResizeObserver(() => model.data && show());
  observer.observe(root);
  root.addEventListener("focusout", (event) => root.contains(event.relatedTarget) || outbox.flush());
  host.onData(take);
  take(host.data);
  return () => observer.disconnect();
}

/** Data with a change that the host has heard. */
export function applied(data, { chosen, tied }) {
  return { ...data, ...(chosen === undefined ? {} : { chosen }), ...(tied === undefined ? {} : { tied }) };
}

/** Whether data that came from outside can be shown. */
export function isSound({ curves, chosen, tied }) {
  return curves.some(({ name }) => name === chosen) && (tied === null || (tied >= 0 && tied <= 1));
}
