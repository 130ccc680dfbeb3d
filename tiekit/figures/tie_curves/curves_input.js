// How is the crosshair moved, and a curve chosen? By a pointer, and by keys from threshold to threshold.

import { keep } from "../shared/elements.js";
import { QUIET } from "../shared/mount.js";

const REACH = 12; // so many pixels from a curve a click still means it
const LEAP = 10; // Page Up and Page Down pass a tenth of the thresholds

export function listenToCurves(picture, model, { tell, onRelease }) {
  const { element } = picture;
  const at = (event) => {
    const { left, top } = element.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const follow = (event) => model.goNear(picture.shareAt(at(event)[0]));
  element.onpointerdown = (event) => {
    if (event.button !== 0) return;
    const [x, y] = at(event), near = picture.isOnCrosshair(x, y) ? undefined : picture.curveNear(x, y, REACH);
    if (near && near !== model.chosen) {
      model.choose(near.name);
      return void tell();
    }
    element.setPointerCapture(event.pointerId);
    model.dragged = true;
    picture.point(null);
    follow(event);
  };
  element.onpointermove = (event) => {
    if (model.dragged) return void follow(event);
    const [x, y] = at(event), near = picture.isOnCrosshair(x, y) ? undefined : picture.curveNear(x, y, REACH);
    const other = near && near !== model.chosen ? near : null;
    element.classList.toggle("on-curve", Boolean(other));
    picture.point(other, x, y);
  };
  element.onpointerleave = () => picture.point(null);
  element.onpointerup = element.onpointercancel = element.onlostpointercapture = () => {
    if (!model.dragged) return;
    model.dragged = false;
    tell();
    onRelease();
  };
  element.onkeydown = (event) => {
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      keep(event);
      chooseNext(model, event.key === "ArrowUp" ? -1 : 1);
      return void tell(QUIET);
    }
    const to = placeAfter(event, model);
    if (to === undefined) return;
    keep(event);
    model.goTo(to);
    tell(QUIET);
  };
}

/** Choose the metric whose value at ε* is the next better one (−1) or the next worse one (1). */
export function chooseNext(model, by) {
  const { ranked, chosen } = model;
  const to = Math.max(0, Math.min(ranked.length - 1, ranked.indexOf(chosen) + by));
  model.choose(ranked[to].name);
}

/** Where a key leads on the curve; undefined if it leads nowhere. */
function placeAfter({ key }, { at, chosen }) {
  const last = chosen.tied.length - 1, leap = Math.max(1, Math.round(last / LEAP));
  return { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last, PageUp: at + leap, PageDown: at - leap }[key];
}
