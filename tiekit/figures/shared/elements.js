// How is an element made? With its attributes, listeners and children in one call.

/** An element; attributes whose names begin with on are listeners. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element[name] = value;
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flatMap((child) => (typeof child === "string" ? breakable(child) : [child])));
  return element;
}

// --------------------------------------------------------------------------------------------------------------------
// Where does a long name break? At hyphens, underscores, capitals and numbers.

const LONG = /^(?=.*\p{L})\S{11,}$/u; // a word that may have to break
const LEAST = 3; // letters of a piece; a shorter one stays with its neighbor
const SEAMS = /(?<=[-_.:/])(?=[\p{L}\d])|(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/u;

/** The pieces of a word that may stand on lines of their own. */
const piecesOf = (word) => (!LONG.test(word) ? [word] : word.split(SEAMS).reduce((all, piece) =>
  (all.length && Math.min(piece.length, all.at(-1).length) < LEAST ? [...all.slice(0, -1), all.at(-1) + piece] : [...all, piece]), []));

/** The letters of the longest piece of some names. */
export const longestPiece = (names) => Math.max(...names.flatMap((name) => name.split(/\s+/).flatMap(piecesOf)).map(({ length }) => length));

/** Words of which a long one stands on a line of its own, and breaks between its pieces, if it fits none. */
const breakable = (words) => words.split(/(\S{11,})/).filter(Boolean).map((word) => {
  const pieces = piecesOf(word), long = document.createElement("span");
  if (pieces.length === 1) return word;
  long.className = "long-word";
  long.append(...pieces.flatMap((piece, at) => (at ? [document.createElement("wbr"), piece] : [piece])));
  return long;
});

/** A part of an SVG picture. */
export function draw(tag, attributes = {}, ...children) {
  const part = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, value);
  part.append(...children);
  return part;
}

/** Set attributes of an element. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

/** A button with words on it. */
export const button = (words, onclick, attributes = {}) => make("button", { type: "button", onclick, ...attributes }, words);

/** An element's size for a picture that grows with the type: in units of so many pixels, 1 where type has its usual size. */
export function roomOf(element) {
  const unit = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  return { width: element.clientWidth / unit, height: element.clientHeight / unit, unit };
}

/** Let a drawing fill a room. */
export const fill = (svg, { width, height, unit }) =>
  set(svg, { width: width * unit, height: height * unit, viewBox: `0 0 ${width} ${height}` });

/** Words in an SVG picture, of which one end or the middle is at a place. */
export const textAt = (x, y, words, anchor, kind) =>
  draw("text", { x, y, "text-anchor": anchor, ...(kind && { class: kind }) }, ...tspansOf(words));

/** The path of a line through points [x, y]; a gap where one is null. */
export const pathOf = (points) => points.map((point, at) =>
  (point ? `${points[at - 1] ? "L" : "M"}${point[0].toFixed(1)} ${point[1].toFixed(1)}` : "")).join("");

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

const INDEX = /(?<=τ|acc)_(eq|[abc]|\d+)/; // of a coefficient; split at it, every other part is below the line

/** Words in which indices of coefficients are below the line; whoever copies or reads the text still finds "τ_b". */
export const wordsWithIndex = (words) => words.split(INDEX).flatMap((part, at) =>
  (at % 2 ? [make("sub", {}, make("span", { class: "stroke" }, "_"), part)] : breakable(part)));

/** The same as parts of an SVG text. */
export const tspansOf = (words) => words.split(INDEX).flatMap((part, at) => {
  if (at % 2) return [draw("tspan", { "font-size": 0 }, "_"), draw("tspan", { dy: "0.25em", "font-size": "75%" }, part)];
  return at && part ? [draw("tspan", { dy: "-0.19em" }, part)] : [part];
});

/** A symbol such as T_h as an element. */
export function withIndex(symbol) {
  const [letter, below] = symbol.split("_");
  return make("span", { class: "symbol" }, letter, ...(below ? [make("sub", {}, below.replace("*", "")), below.endsWith("*") ? "*" : ""] : []));
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

/** Where a key leads on a line of so many places; undefined if it leads nowhere. */
export function placeAfter(event, at, last, leap = last) {
  const [across, up] = arrowOf(event);
  if (across || up) return at + across + up;
  return isPlain(event) ? { Home: 0, End: last, PageUp: at + leap, PageDown: at - leap }[event.key] : undefined;
}

/** Where a key leads in a table of [rows, columns]; undefined if it leads nowhere. */
export function cellAfter(event, [row, column], [rows, columns]) {
  const [across, up] = arrowOf(event), to = [row - up, { Home: 0, End: columns - 1 }[event.key] ?? column + across];
  if (!across && !up && to[1] === column) return undefined;
  keep(event);
  return to[0] >= 0 && to[0] < rows && to[1] >= 0 && to[1] < columns ? to : undefined;
}

/** Which one of a few? Buttons in a row, of which one is on; arrow keys go around from one to the next. */
export class Choice {
  #buttons = new Map(); // by name

  constructor(label, choose, kind = "options") {
    this.choose = choose;
    this.element = make("div", { class: kind, role: "radiogroup", "aria-label": label });
  }

  /** Show options with a name and a label, of which the chosen one is on. */
  show(options, chosen) {
    const names = options.map(({ name }) => name);
    if (names.join("\n") !== [...this.#buttons.keys()].join("\n")) {
      this.#buttons = new Map(options.map(({ name, label }) => [name, make("button", {
        type: "button", role: "radio", onclick: () => this.choose(name), onkeydown: (event) => this.#press(event, names, name),
      }, label)]));
      this.element.replaceChildren(...this.#buttons.values());
    }
    for (const [name, one] of this.#buttons) {
      one.setAttribute("aria-checked", name === chosen);
      one.tabIndex = name === chosen ? 0 : -1;
    }
  }

  #press(event, names, name) {
    const [across, up] = arrowOf(event), at = names.indexOf(name) + across - up;
    const to = { Home: 0, End: -1 }[event.key] ?? (across || up ? at % names.length : null);
    if (to === null) return;
    keep(event);
    this.choose(names.at(to));
    this.#buttons.get(names.at(to)).focus();
  }
}

/** A key that a picture uses goes no further: in lecture mode the same keys go to the next example. */
export function keep(event) {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Let something be dragged: `follow(x, y)` hears of pixels in the element, `done()` when the hand lets go, `cancel()` when
 * it scrolls instead. `pick(x, y)` may take a press for itself, `hover(x, y)` hears of a pointer that is not pressed.
 */
export function listenToDrag(element, model, { follow, done, cancel = done, pick = () => false, hover = () => {} }) {
  const at = ({ clientX, clientY }) => {
    const { left, top } = element.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };
  element.onpointerdown = (event) => {
    if (event.button !== 0 || pick(...at(event), event)) return;
    element.setPointerCapture(event.pointerId);
    model.dragged = true;
    follow(...at(event));
  };
  element.onpointermove = (event) => (model.dragged ? follow : hover)(...at(event));
  element.onpointerleave = () => hover();
  element.onpointerup = element.onpointercancel = element.onlostpointercapture = (event) => {
    if (!model.dragged) return;
    model.dragged = false;
    (event.type === "pointerup" ? done : cancel)();
  };
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
