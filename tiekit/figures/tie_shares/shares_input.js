// How is the rule moved? By a pointer anywhere in the picture, and by keys from share to share.

import { arrowOf, keep } from "../shared/elements.js";
import { QUIET } from "../shared/mount.js";

const LEAP = 3; // Page Up and Page Down pass so many shares

export function listenToShares(picture, model, { tell, onRelease }) {
  const { element } = picture;
  const follow = (event) => model.goNear(picture.shareAt(event.clientX - element.getBoundingClientRect().left));
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

/** Where a key leads; undefined if it leads nowhere. */
function placeAfter(event, { at, data }) {
  const [across, up] = arrowOf(event);
  if (across || up) return at + across + up;
  return { Home: 0, End: data.shares.length - 1, PageUp: at + LEAP, PageDown: at - LEAP }[event.key];
}
