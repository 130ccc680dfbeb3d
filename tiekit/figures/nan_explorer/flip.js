// How do rows move to their new places? They are put there at once, and are seen on the way from the old ones.

const DURATION = 700; // milliseconds

/** Put elements into an order; those that move are animated, unless the reader wants less motion. */
export function reorder(parent, elements) {
  const moved = elements.some((element, at) => parent.children[at] !== element);
  if (!moved) return;
  const before = elements.map((element) => (element.isConnected ? element.getBoundingClientRect().top : null));
  const focused = parent.getRootNode().activeElement;
  parent.replaceChildren(...elements);
  if (parent.contains(focused)) focused.focus({ preventScroll: true });
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  elements.forEach((element, at) => {
    const by = before[at] === null ? 0 : before[at] - element.getBoundingClientRect().top;
    if (by) element.animate({ transform: [`translateY(${by}px)`, "none"] }, { duration: DURATION, easing: "ease" });
  });
}
