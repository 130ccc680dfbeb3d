// How is an element made? With its attributes, listeners and children in one call.

/** An element; attributes whose names begin with on are listeners. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element[name] = value;
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** A part of an SVG picture. */
export function draw(tag, attributes = {}, ...children) {
  const part = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, value);
  part.append(...children);
  return part;
}

/** The colored glyph of a kind of pairs. */
export function glyphOf({ glyph, label, color, on }) {
  const mark = make("span", { class: "glyph", role: "img", "aria-label": label }, glyph);
  Object.assign(mark.style, { background: color, color: on });
  return mark;
}

/** Offer a file to save. */
export function offer(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// --------------------------------------------------------------------------------------------------------------------
// How is a symbol with an index written? With the index below the line.

/** A symbol such as T_h as an element. */
export function withIndex(symbol) {
  const [letter, below] = symbol.split("_");
  return make("span", { class: "symbol" }, letter, ...(below ? [make("sub", {}, below)] : []));
}

// --------------------------------------------------------------------------------------------------------------------
// In which order is read, and tabbed through, what moves on the screen? In the order in which it has come to stand there.

const asked = new WeakMap(); // what was last asked of each parent

/** Put the children of one parent into an order as soon as they rest; the one with the focus keeps it. */
export async function readInOrder(elements) {
  const parent = elements[0]?.parentElement;
  if (!parent) return;
  asked.set(parent, elements);
  await Promise.allSettled(elements.flatMap((element) => element.getAnimations()).map(({ finished }) => finished));
  if (asked.get(parent) !== elements || elements.some((element) => element.parentElement !== parent)) return;
  if (elements.every((element, at) => parent.children[at] === element)) return;
  const focused = parent.getRootNode().activeElement;
  const held = Math.max(0, elements.findIndex((element) => element.contains(focused)));
  elements[held].before(...elements.slice(0, held));
  elements[held].after(...elements.slice(held + 1));
}

// --------------------------------------------------------------------------------------------------------------------
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

// --------------------------------------------------------------------------------------------------------------------
// By which color and which shape is a metric known? The same ones in every picture of the lab.

const SHAPES = ["circle", "diamond", "square", "up", "down", "cross"];

/** The color of the metric at a place, which the style sheet makes fit the ground. */
export const hueOf = (at) => `var(--metric-${at % SHAPES.length})`;

/** The shape of the metric at a place, in its color; readers of the screen hear the name beside it. */
export function markOf(at) {
  const mark = make("span", { class: `mark ${SHAPES[at % SHAPES.length]}`, "aria-hidden": "true" });
  mark.style.background = hueOf(at);
  return mark;
}
