// How large can a picture be? As large as the window allows: type grows first, to a 49th of the window's width; a picture
// that is too high is narrowed.

const USUAL = 21, SMALLEST = 13, NARROWEST = 40; // pixels of the root's type; percent of the width
const STEPS = 6, PATIENCE = 4; // halvings of an interval; fits in a second, as a picture may answer a fit with another height

/** Fit the page into the window, again whenever the window or the picture changes; returns what ends it. */
export function keepFitting(page, stage, dockHeight) {
  const root = document.documentElement, sized = new ResizeObserver(() => schedule());
  let timer = 0, fits = [], watched = null;
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(run, 60);
  };
  const run = () => {
    const picture = [...document.querySelectorAll(stage)].find((one) => one.offsetHeight), whole = document.querySelector(page), now = performance.now();
    if (picture !== watched) {
      sized.disconnect();
      watched = picture;
      if (picture) sized.observe(picture);
    }
    fits = fits.filter((at) => now - at < 1000);
    if (!picture || !whole || fits.length >= PATIENCE) return;
    fits.push(now);
    fit(root, picture, dockHeight());
  };
  const changed = new MutationObserver(schedule);
  changed.observe(document.body, { childList: true, subtree: true });
  addEventListener("resize", schedule);
  schedule();
  return () => {
    clearTimeout(timer);
    sized.disconnect();
    changed.disconnect();
    removeEventListener("resize", schedule);
    root.style.removeProperty("font-size");
    watched?.style.removeProperty("max-width");
  };
}

function fit(root, picture, dockHeight) {
  const type = (pixels) => root.style.setProperty("font-size", `${pixels}px`, "important");
  const width = (percent) => picture.style.setProperty("max-width", `${percent}%`);
  const fits = () => {
    const { bottom } = picture.getBoundingClientRect(), scrolled = picture.closest("section, main")?.scrollTop ?? 0;
    return bottom + scrolled <= innerHeight - dockHeight && picture.scrollWidth <= picture.clientWidth + 1;
  };
  type(USUAL);
  width(100);
  if (fits()) return largest(type, USUAL, Math.max(USUAL, innerWidth / 49), fits);
  width(NARROWEST);
  if (fits()) return largest(width, NARROWEST, 100, fits);
  width(100);
  type(SMALLEST);
  if (fits()) return largest(type, SMALLEST, USUAL, fits);
  return type(USUAL); // it is scrolled
}

/** Set the largest value for which the picture fits; it does for the lowest. */
function largest(set, low, high, fits) {
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    set(middle);
    if (fits()) low = middle;
    else high = middle;
  }
  set(low);
}
