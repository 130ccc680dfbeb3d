// What do keys mean in a picture?

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** The step of an arrow key, across and up. */
export const arrowOf = (event) => ARROWS[event.key] ?? [0, 0];

/** A key that a picture uses goes no further: in lecture mode the same keys go to the next example. */
export function keep(event) {
  event.preventDefault();
  event.stopPropagation();
}
