// How is a metric chosen in the slope chart? By a click on its name or line, and by keys along the ranking.

import { keep } from "../shared/elements.js";
import { QUIET } from "../shared/mount.js";
import { chooseNext } from "./curves_input.js";

const STEPS = { ArrowUp: -1, ArrowDown: 1, PageUp: -5, PageDown: 5, Home: -Infinity, End: Infinity };

export function listenToSlopes(chart, model, { tell }) {
  chart.element.onclick = (event) => {
    const { left, top } = chart.element.getBoundingClientRect();
    model.choose(chart.curveAt(event.clientX - left, event.clientY - top).name);
    tell();
  };
  chart.element.onkeydown = (event) => {
    if (!(event.key in STEPS)) return;
    keep(event);
    chooseNext(model, STEPS[event.key]);
    tell(QUIET);
  };
}
