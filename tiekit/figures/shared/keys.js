// What do keys mean in a picture?

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Whether a key is pressed without those that make it the browser's own, as Alt and an arrow go back a page. */
export const isPlain = ({ ctrlKey, metaKey, altKey }) => !ctrlKey && !metaKey && !altKey;

/** The step of an arrow key, across and up. */
export const arrowOf = (event) => (isPlain(event) && ARROWS[event.key]) || [0, 0];

/** A key that a picture uses goes no further: in lecture mode the same keys go to the next example. */
export function keep(event) {
  event.preventDefault();
  event.stopPropagation();
}
