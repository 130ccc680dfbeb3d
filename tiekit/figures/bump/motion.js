// How do lines glide to new ranks? In a third of a second, unless the reader wants no motion.

const TAKES = 350;

/** Calls `paint(share)` in each frame until it is 1, and once with 1 where there is nothing to show on the way. */
export function glide(paint) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    paint(1);
    return () => {};
  }
  let frame, from;
  const step = (now) => {
    from ??= now;
    const share = Math.min(1, (now - from) / TAKES);
    paint(share * share * (3 - 2 * share));
    if (share < 1) frame = requestAnimationFrame(step);
  };
  frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}
