// How does the story move? Questions hide their answers until one has guessed, and figures follow the answers.

import { button, make } from "../shared/elements.js";
import { hosted } from "../shared/hosts.js";

/**
 * Begin the story in this document. `openers` open figures by name; `given` holds the style sheets (`shared`, `styles`),
 * `slots` (by name the figure of a place, its data, and `moves`: what changes with each answer), and `advice`.
 */
export function openStory(openers, { shared, styles, slots, advice }) {
  const places = new Map([...document.querySelectorAll("[data-slot]")].map((element) => {
    const { figure, data, moves } = slots[element.dataset.slot];
    return [element.dataset.slot, new Place(element, openers[figure], shared + styles[figure], data, moves)];
  }));
  const asks = [...document.querySelectorAll(".ask")].map((element) => new Ask(element, places));
  for (const ask of asks) ask.remember();
  document.querySelector(".all").onclick = () => asks.forEach((ask) => ask.show());
  openGuide(document.querySelector(".guide"), advice);
  followPath();
  openInTurn([...places.values()]);
}

/** Open figures one after the other, so that the page can be read and scrolled meanwhile. */
function openInTurn([first, ...rest]) {
  first.open();
  if (rest.length) setTimeout(() => openInTurn(rest));
  else document.documentElement.dataset.ready = "true";
}

/** A place for a figure, with a style of its own. */
class Place {
  #element; #opener; #style; #give;

  constructor(element, opener, style, data, moves) {
    [this.#element, this.#opener, this.#style, this.data, this.moves] = [element, opener, style, data, moves];
  }

  open() {
    const sheet = document.createElement("style"), figure = make("div");
    sheet.textContent = this.#style;
    this.#element.attachShadow({ mode: "open" }).append(sheet, figure);
    this.#give = hosted(this.#opener, figure, this.data, (data) => (this.data = data)).give;
    new ResizeObserver(() => { // on paper a figure is as it was on the screen, and smaller
      if (!matchMedia("print").matches) this.#element.style.setProperty("--width", this.#element.clientWidth);
    }).observe(this.#element);
  }

  /** Change what the figure shows. */
  move(change) {
    if (!change || !Object.keys(change).length) return;
    this.data = { ...this.data, ...change };
    this.#give?.(this.data);
  }
}

// --------------------------------------------------------------------------------------------------------------------
// What does one expect? A guess opens the answer and stays beside it; the page remembers it while the tab is open.

const KEY = "tiekit-story";

/** What the tab remembers: guesses by the question's name; true is an answer that was opened without one. */
function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // no storage, or not ours
  }
}

class Ask {
  #element; #options; #scale; #move;

  constructor(element, places) {
    this.#element = element;
    this.#options = [...element.querySelectorAll(".options button")];
    this.#scale = places.get(`guess-${element.id.slice("ask-".length)}`);
    this.#move = () => {
      const place = places.get(element.dataset.moves);
      place?.move(place.moves[element.dataset.number]);
    };
    this.#options.forEach((option, at) => (option.onclick = () => this.show(at)));
    element.querySelector(".show").onclick = () => this.show(this.#scale?.data.guess ?? undefined);
  }

  /** Open the answer; a guess is the place of an option, or a number on the scale. */
  show(guess) {
    const answer = this.#element.querySelector(":scope > .answer"), isAsked = document.activeElement === this.#element.querySelector(".show");
    if (!answer.classList.contains("closed")) return;
    answer.classList.remove("closed");
    this.#element.classList.add("answered");
    this.#options.forEach((option, at) => {
      option.setAttribute("aria-pressed", at === guess);
      option.setAttribute("aria-disabled", "true");
    });
    this.#element.querySelector(".reply").innerHTML = this.#options[guess]?.dataset.reply ?? "";
    this.#scale?.move({ ...this.#scale.moves[0], guess: guess ?? null });
    this.#move();
    if (isAsked) answer.focus({ preventScroll: true }); // its button is gone
    const lesson = this.#element.closest(".lesson").id;
    document.querySelector(`.path a[href="#${lesson}"]`).classList.add("done");
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ ...remembered(), [this.#element.id]: guess ?? true }));
    } catch {
      // a guess that cannot be kept
    }
  }

  /** Open the answer if it was open before. */
  remember() {
    const guess = remembered()[this.#element.id];
    if (guess !== undefined) this.show(guess === true ? undefined : guess);
  }
}

// --------------------------------------------------------------------------------------------------------------------
// Which number should one report? All advice is in the page; the answers choose it.

function openGuide(form, { texts, said, headings, own }) {
  const place = form.querySelector(".advice"), names = [...new Set([...form.elements].map(({ name }) => name).filter(Boolean))];
  const show = () => {
    const answers = names.map((name) => form.elements[name].value);
    const [paragraph, ...rules] = (said[answers.join("|")] ?? []).map((at) => texts[at]);
    if (!paragraph) return;
    const lists = Object.entries(headings).map(([role, heading]) => [heading, rules.filter(([one]) => one === role)]);
    const items = (found) => found.map(([, number, why, source, url]) =>
      make("li", {}, make("b", {}, `${number}. `), `${why} `, make("a", { href: url }, source)));
    const copy = button("Copy the paragraph", async () => {
      await navigator.clipboard?.writeText(paragraph);
      copy.textContent = "Copied";
    });
    place.replaceChildren(
      ...lists.filter(([, found]) => found.length).flatMap(([heading, found]) => [make("h3", {}, heading), make("ul", {}, ...items(found))]),
      make("h3", {}, "A paragraph for your paper"), make("blockquote", {}, paragraph), make("p", {}, copy));
    document.querySelector('.path a[href="#lesson-7"]').classList.add("done");
  };
  form.onchange = show;
  form.onsubmit = () => false;
  form.querySelector(".wmt22").onclick = () => {
    names.forEach((name, at) => (form.elements[name].value = own[at]));
    show();
  };
}

// --------------------------------------------------------------------------------------------------------------------
// Where is the reader? A line of progress, and the number of the lesson; terms are open where they have room beside.

function followPath() {
  const lessons = [...document.querySelectorAll(".lesson[id]")], progress = document.querySelector(".progress");
  const links = new Map(lessons.map(({ id }) => [id, document.querySelector(`.path a[href="#${id}"]`)]));
  const follow = () => {
    const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
    progress.style.transform = `scaleX(${scrollTop / Math.max(1, scrollHeight - clientHeight)})`;
    const now = lessons.findLast((lesson) => lesson.getBoundingClientRect().top < clientHeight / 2);
    for (const [id, link] of links) {
      if (id === now?.id) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    }
  };
  addEventListener("scroll", follow, { passive: true });
  follow();
  const wide = matchMedia("(min-width: 1240px)"), terms = document.querySelectorAll(".terms");
  wide.onchange = () => terms.forEach((one) => (one.open = wide.matches));
  wide.onchange();
}
