// What does every figure do in its host? It draws what it is given, tells what was moved, and takes new data.
//
// host.element       where it stands
// host.data          what it shows first: its data, with the `serial` of the last state that the host heard, `large`, and
//                    `asks` while a reader is to guess: what has the class "answer" is hidden then
// host.send(state)   hears of what was moved, with a serial: all changes that no data have held yet
// host.onData(take)  is given the function that takes new data

import { make, wordsWithIndex } from "./elements.js";

/** What a figure shows; views hear of changes. */
export class Model {
  data = null; // as the host gave it last
  #listeners = [];

  subscribe(listener) {
    this.#listeners.push(listener);
  }

  /** Let the views show what has changed. */
  changed() {
    for (const listener of this.#listeners) listener();
  }

  /** Set fields, and let the views show them. */
  set(fields) {
    Object.assign(this, fields);
    this.changed();
  }

  /** Take data from the host; who calls it lets the views show them. */
  take(data) {
    this.data = data;
  }
}

/** A part of a figure: it shows a model; `act` is what the reader does with it. */
export class View {
  constructor(model, act) {
    this.model = model;
    this.act = act;
  }
}

/** A paragraph whose words are said to those who do not see it. */
export const spoken = (kind) => make("p", { class: kind, "aria-live": "polite" });

/** Write words into an element if it has others; the first ones may stand out. */
export function say(element, words, first = "") {
  if (element.textContent !== first + words) element.replaceChildren(...(first && [make("strong", {}, first)]), ...wordsWithIndex(words));
}

/**
 * Open a figure in a host; the function that is returned closes it.
 *
 * `build({ root, data, tell, flush, release })` makes the figure's parts: `tell(change, wait)` tells the host of a change,
 * `flush()` sends what waits, `release()` takes the data that came while something was held. It returns
 *
 * children          the elements of the figure
 * show()            draws the model; called by the model's changes, and where `fits` is set by changes of the figure's size
 * views             their `show` is called before the figure's own, `paint` after it, `arrange` when `madeOf(data)` changed
 * inFrames          whether it is drawn once a frame
 * isHeld()          whether something is held, so that new data wait for `release`
 * take(data)        takes data instead of the model
 * close()           ends what goes on
 */
export function mount(host, name, model, build) {
  const root = host.element, outbox = new Outbox(host.send);
  const part = make("p", { class: "note part" }); // of what was given, where not all of it is shown
  const key = make("p", { class: "note" }); // of numbered scores: the systems that they are
  let pending, arranged;
  const figure = build({
    root,
    data: host.data,
    tell: (change, wait) => outbox.tell(change, wait),
    flush: () => outbox.flush(),
    release: () => pending && take(pending),
  });
  const { views = [], madeOf = () => null } = figure;

  function take(data) {
    pending = undefined;
    if (figure.isHeld?.()) return void (pending = data);
    for (const state of ["large", "asks"]) root.classList.toggle(state, Boolean(data[state]));
    if (!outbox.isHeard(data.serial)) return;
    part.textContent = data.part ? `Shown: ${data.part}.` : "";
    part.hidden = !data.part;
    key.hidden = !(key.textContent = (data.item_names ?? []).map((item, at) => `${at + 1}: ${item}`).join("; "));
    if (figure.take) figure.take(data);
    else model.take(data);
    const made = JSON.stringify(madeOf(data));
    if (made !== arranged) for (const view of views) view.arrange?.();
    arranged = made;
    model.changed();
  }

  const draw = () => {
    if (!model.data) return;
    for (const view of views) view.show();
    figure.show?.();
    for (const view of views) view.paint?.(); // when all is laid out
    for (const box of root.querySelectorAll(".scrolls")) fade(box);
  };
  const show = figure.inFrames ? inNextFrame(draw) : draw;
  root.replaceChildren(part, ...figure.children, key);
  root.classList.add("tiekit", name);
  root.addEventListener("focusout", (event) => root.contains(event.relatedTarget) || outbox.flush());
  model.subscribe(show);
  host.onData(take);
  take(host.data);
  const sizes = new ResizeObserver(show);
  if (figure.fits) sizes.observe(root);
  return () => {
    figure.close?.();
    sizes.disconnect();
    outbox.flush();
  };
}

/** Let a box that scrolls sideways fade where there is more to the right. */
function fade(box) {
  box.onscroll = () => box.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 2);
  box.onscroll();
}

// --------------------------------------------------------------------------------------------------------------------
// What has the host not heard yet? Only the last state reaches it, so each one repeats all changes that have not been
// heard; data carry the serial of the last that was.

export const QUIET = 500; // milliseconds after the last key until the host hears of it

export class Outbox {
  #send;
  #serial = 0; // of the last change that was sent
  #unheard = []; // changes that were sent, with their serials
  #unsaid = null; // a change that is not sent yet
  #waiting;

  constructor(send) {
    this.#send = send;
  }

  /** Tell the host: at once after a drag, else when the keys have come to rest. */
  tell(change, wait = 0) {
    this.#unsaid = merged(this.#unsaid, change);
    clearTimeout(this.#waiting);
    if (wait) this.#waiting = setTimeout(() => this.flush(), wait);
    else this.flush();
  }

  /** Send what waits. */
  flush() {
    clearTimeout(this.#waiting);
    if (!this.#unsaid) return;
    this.#unheard.push({ serial: ++this.#serial, change: this.#unsaid });
    this.#unsaid = null;
    const all = this.#unheard.reduce((sum, { change }) => merged(sum, change), null);
    this.#send({ serial: this.#serial, ...all });
  }

  /** Whether data of this serial hold every change; what has not been sent goes out. */
  isHeard(serial) {
    this.#unheard = this.#unheard.filter((change) => change.serial > serial);
    this.#serial = Math.max(this.#serial, serial);
    this.flush();
    return !this.#unheard.length;
  }
}

/** Two changes as one; of scores each item's last. */
function merged(before, after) {
  const scores = { ...before?.scores };
  for (const [line, items] of Object.entries(after.scores ?? {})) scores[line] = { ...scores[line], ...items };
  return { ...before, ...after, scores };
}

/** Data with a change that the host has heard: scores by line and item, and anything else as it is now. */
export function applied(data, { scores = {}, ...rest }) {
  if (!Object.keys(scores).length) return { ...data, ...rest };
  const moved = (line, old) =>
    Object.entries(scores[line] ?? {}).reduce((all, [item, score]) => all.with(item, score), old);
  const metrics = data.metrics.map((metric) => ({ ...metric, scores: moved(`m${metric.slot}`, metric.scores) }));
  return { ...data, ...rest, human: moved("h", data.human), metrics };
}

// --------------------------------------------------------------------------------------------------------------------
// When is a picture drawn? Once a frame, also while something glides to another place.

/** Whether the reader wants no motion. */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const TAKES = 350; // milliseconds

/** Call `paint(part)` in each frame until it is 1, at once where the reader wants no motion; the function returned stops it. */
export function glide(paint) {
  let frame, from;
  const step = (now) => {
    from ??= now;
    const part = Math.min(1, (now - from) / TAKES);
    paint(part * part * (3 - 2 * part));
    if (part < 1) frame = requestAnimationFrame(step);
  };
  if (isCalm()) paint(1);
  else frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}

/** A function that runs another once in the next frame, however often it is called before. */
export function inNextFrame(run) {
  let frame;
  return () => {
    frame ??= requestAnimationFrame(() => {
      frame = undefined;
      run();
    });
  };
}
