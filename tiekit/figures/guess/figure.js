// What does a reader, or a class, expect a number to be? A ghost bar that is drawn on a scale, or the dots of a class;
// the true bar slides in beside them.

import { arrowOf, isPlain, keep, listenToDrag, make } from "../shared/elements.js";
import { Model, mount, QUIET, say } from "../shared/mount.js";

/** Open the figure, whose data hold low, high, digits, unit, label, said, guess, truth and guesses. */
export function openFigure(host) {
  const model = new Model();
  return mount(host, "guess", model, ({ root, tell }) => {
    const ghost = new Ghost((wait) => tell({ guess: ghost.value }, wait)), truth = new Truth(), dots = new Dots();
    const axis = make("div", { class: "axis", "aria-hidden": "true" }), said = make("p", { class: "said", role: "status" });
    return {
      children: [dots.element, ghost.element, truth.element, axis, said],
      isHeld: () => ghost.dragged,
      show() {
        const { data } = model, asks = data.truth === null && !data.guesses;
        root.classList.toggle("asks", asks);
        ghost.take(data, data.guess, asks);
        dots.take(data, data.guesses, data.truth);
        truth.take(data, data.truth, data.guess);
        axis.replaceChildren(...[data.low, middleOf(data), data.high].map((end) => make("span", {}, digitsOf(data, end))));
        say(said, data.said);
      },
    };
  });
}

// --------------------------------------------------------------------------------------------------------------------
// Which number does the reader expect? A ghost bar that is drawn by mouse, touch or arrow keys.

const LEAP = 20; // with Shift, an arrow passes a twentieth of the scale

class Ghost {
  element;
  value = null; // what is drawn; null is nothing yet
  dragged = false;
  #scale;
  #isOpen = true;
  #tell;
  #parts;

  constructor(tell) {
    this.#tell = tell;
    const bar = make("i", { class: "bar" }), grip = make("i", { class: "grip" }), number = make("b");
    const track = make("div", { class: "track", role: "slider" }, bar, grip);
    this.#parts = { bar, grip, number, track };
    this.element = make("div", { class: "lane ghost" }, make("div", { class: "head", "aria-hidden": "true" }, "Your guess: ", number), track);
    this.#listen(track);
  }

  /** Show a guess on a scale; a closed one cannot be changed. */
  take(scale, value, isOpen) {
    [this.#scale, this.value, this.#isOpen] = [scale, value, isOpen];
    this.#show();
  }

  #show() {
    const { bar, grip, number, track } = this.#parts, at = this.value ?? middleOf(this.#scale), place = `${placeOf(this.#scale, at)}%`;
    const words = this.value === null ? "not drawn yet" : wordsOf(this.#scale, at);
    [bar.style.width, grip.style.left] = [place, place];
    number.textContent = words;
    this.element.hidden = this.value === null && !this.#isOpen;
    this.element.classList.toggle("unset", this.value === null);
    this.element.classList.toggle("open", this.#isOpen);
    const told = { label: `Your guess. ${this.#scale.label}`, valuemin: this.#scale.low, valuemax: this.#scale.high, valuenow: at,
      valuetext: words, disabled: !this.#isOpen };
    for (const [name, text] of Object.entries(told)) track.setAttribute(`aria-${name}`, text);
    track.tabIndex = this.#isOpen ? 0 : -1;
  }

  #draw(value) {
    this.value = snapped(this.#scale, value);
    this.#show();
  }

  #listen(track) {
    let before; // what was drawn when the drag began
    listenToDrag(track, this, {
      pick: () => {
        before = this.value;
        return !this.#isOpen;
      },
      follow: (x) => this.#draw(this.#scale.low + (x / track.getBoundingClientRect().width) * (this.#scale.high - this.#scale.low)),
      done: () => this.#tell(),
      cancel: () => { // a finger that scrolls the page draws nothing
        this.value = before;
        this.#show();
        this.#tell(QUIET);
      },
    });
    track.onkeydown = (event) => {
      const to = this.#isOpen ? this.#placeAfter(event) : undefined;
      if (to === undefined) return;
      keep(event);
      this.#draw(to);
      this.#tell(QUIET);
    };
  }

  /** Where a key leads; undefined if it leads nowhere. */
  #placeAfter(event) {
    const { low, high, digits } = this.#scale, [across, up] = arrowOf(event), step = 10 ** -digits;
    const pace = event.shiftKey ? Math.max(step, (high - low) / LEAP) : step;
    if (across || up) return (this.value ?? middleOf(this.#scale)) + (across + up) * pace;
    return isPlain(event) ? { Home: low, End: high }[event.key] : undefined;
  }
}

// --------------------------------------------------------------------------------------------------------------------
// What is the number? A bar that slides in from the guess, under a mark that stays where the guess was.

class Truth {
  #bar = make("i", { class: "bar" });
  #mark = make("i", { class: "mark" });
  #number = make("b");
  element = make("div", { class: "lane truth" },
    make("div", { class: "head" }, "It is: ", this.#number), make("div", { class: "track" }, this.#bar, this.#mark));

  /** Show the true number, or hide it. */
  take(scale, truth, guess) {
    const slides = !this.element.dataset.truth; // it was hidden until now
    this.element.hidden = truth === null;
    this.element.dataset.truth = truth ?? "";
    if (truth === null) return;
    this.#number.textContent = wordsOf(scale, truth);
    this.#mark.hidden = guess === null;
    this.#mark.style.left = `${placeOf(scale, guess ?? scale.low)}%`;
    if (slides) {
      this.#bar.style.width = this.#mark.style.left;
      this.#bar.getBoundingClientRect(); // from here the bar slides
    }
    this.#bar.style.width = `${placeOf(scale, truth)}%`;
  }
}

// --------------------------------------------------------------------------------------------------------------------
// What does a class expect? One dot per guess over the scale; guesses that are close stand on one another.

const COLUMNS = 40; // as many dots fit beside one another
const HIGH = 6, STEP = 1; // the height of the strip and of one dot, in rem

class Dots {
  #rule = make("i", { class: "rule" });
  #dots = make("div", { class: "all" });
  element = make("div", { class: "dots", "aria-hidden": "true" }, this.#dots, this.#rule);

  /** Show the guesses of a class, and the truth over them. */
  take(scale, guesses, truth) {
    this.element.hidden = !guesses;
    if (!guesses) return;
    const columns = new Map(), columnOf = (guess) => Math.round((COLUMNS * placeOf(scale, guess)) / 100);
    for (const guess of guesses) columns.set(columnOf(guess), (columns.get(columnOf(guess)) ?? 0) + 1);
    const step = Math.min(STEP, (HIGH - STEP) / Math.max(1, Math.max(0, ...columns.values()) - 1)), levels = new Map();
    while (this.#dots.children.length > guesses.length) this.#dots.lastChild.remove();
    guesses.forEach((guess, at) => {
      const dot = this.#dots.children[at] ?? this.#dots.appendChild(make("i", { class: "dot" })), column = columnOf(guess);
      const level = levels.get(column) ?? 0;
      levels.set(column, level + 1);
      dot.style.left = `${placeOf(scale, guess)}%`;
      dot.style.bottom = `${level * step}rem`;
    });
    this.#rule.hidden = truth === null;
    if (truth !== null) this.#rule.style.left = `${placeOf(scale, truth)}%`;
  }
}

// --------------------------------------------------------------------------------------------------------------------
// Where does a number lie on the scale, which numbers are on it, and how is one written?

/** A number on the grid of the scale, between its ends. */
function snapped({ low, high, digits }, value) {
  return Math.min(high, Math.max(low, Number(value.toFixed(digits))));
}

/** The share of the scale that lies below a number, in percent. */
const placeOf = ({ low, high }, value) => (100 * (value - low)) / (high - low || 1);

const middleOf = (scale) => snapped(scale, (scale.low + scale.high) / 2);

/** A number with a true minus sign. */
function digitsOf({ digits }, value) {
  const shown = Math.abs(value).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (value < 0 ? "−" : "") + shown;
}

/** A number with what it counts, as in "1 pair". */
function wordsOf(scale, value) {
  return digitsOf(scale, value) + (scale.unit && ` ${scale.unit}${value === 1 || scale.unit === "%" ? "" : "s"}`);
}
