// How is ε moved on the curve? By a pointer anywhere in the picture, and by keys from threshold to threshold.

import { arrowOf, keep } from "../shared/elements.js";
import { QUIET } from "../shared/mount.js";

const LEAP = 10; // Page Up and Page Down pass a tenth of the thresholds

export function listenToCurve(picture, model, { tell, onRelease }) {
  const { element } = picture;
  const follow = (event) => model.goNear(picture.epsilonAt(event.clientX - element.getBoundingClientRect().left));
  element.onpointerdown = (event) => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    model.dragged = true;
    follow(event);
  };
  element.onpointermove = (event) => model.dragged && follow(event);
  element.onpointerup = element.onpointercancel = element.onlostpointercapture = () => {
    if (!model.dragged) return;
    model.dragged = false;
    tell();
    onRelease();
  };
  element.onkeydown = (event) => {
    const to = placeAfter(event, model);
    if (to === undefined) return;
    keep(event);
    model.goTo(to);
    tell(QUIET);
  };
}

/** Where a key leads on the curve; undefined if it leads nowhere. */
function placeAfter(event, { at, curve }) {
  const last = curve.epsilons.length - 1, leap = Math.max(1, Math.round(last / LEAP)), [across, up] = arrowOf(event);
  if (across || up) return at + across + up;
  return { Home: 0, End: last, PageUp: at + leap, PageDown: at - leap }[event.key];
}
