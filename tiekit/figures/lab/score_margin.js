// How is a score changed beside the matrix? By dragging its number, by the arrow keys, or by typing another.

import { keep, make } from "../shared/elements.js";
import { QUIET } from "../shared/mount.js";
import { gridOf } from "../shared/numbers.js";
import { axesOf } from "./pictures.js";
import { report } from "./scatter_input.js";

const SLACK = 4, PACE = 12; // pixels that a hand trembles, and that move a score by one step
const SAID = 4000; // milliseconds that a refusal stays
const NARROWEST = 24, MOST = 1e100; // pixels of a column that a finger can hit; a larger score cannot be drawn

/** The scores of one side, the human's or those of the metric at a place, over the columns of its matrix. */
export class ScoreMargin {
  #model;
  #at;
  #isHuman;
  #actions;
  #fields = [];

  constructor(model, at, isHuman, actions) {
    this.element = make("div", { class: isHuman ? "margin of-human" : "margin" });
    [this.#model, this.#at, this.#isHuman, this.#actions] = [model, at, isHuman, actions];
  }

  get #scores() {
    return this.#isHuman ? this.#model.human : this.#model.metrics[this.#at].scores;
  }

  /** Show the scores over columns of a width; nothing where these are too narrow. */
  show(side) {
    const { human } = this.#model;
    this.element.hidden = side < NARROWEST;
    if (this.element.hidden) return;
    if (this.#fields.length !== human.length) {
      this.#fields = human.map((_, item) => this.#field(item));
      this.element.replaceChildren(...this.#fields);
    }
    this.element.style.gridTemplateColumns = `repeat(${human.length}, ${side}px)`;
    this.#scores.forEach((score, item) => {
      const field = this.#fields[item], text = score === null ? "–" : String(score).replace("-", "−");
      field.disabled = score === null;
      if (!field.typing && field.value !== text) field.value = text;
      field.style.fontSize = text.length * 10 > side - 2 ? `${Math.max(9, (1.5 * side) / text.length)}px` : "";
    });
  }

  #field(item) {
    const who = this.#isHuman ? "Human score" : `${this.#model.metrics[this.#at].name}, score`;
    const field = make("input", {
      type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": `${who} of item ${item + 1}`,
      title: "Drag sideways, press the arrow keys or type",
      onpointerdown: (event) => this.#press(item, event),
      onpointermove: (event) => this.#drag(event),
      oninput: () => void (field.typing = true),
      onfocus: () => field.select(),
      onblur: () => this.#read(item),
      onkeydown: (event) => this.#key(item, event),
    });
    field.onpointerup = field.onpointercancel = field.onlostpointercapture = (event) => this.#release(event);
    return field;
  }

  #press(item, event) {
    const model = this.#model, metric = model.metrics[this.#at], [human, score] = [model.human[item], metric.scores[item]];
    if (this.#scores[item] === null) return;
    const started = { at: this.#at, item, human, score, name: metric.name, axes: axesOf(model, metric) };
    this.pressed = { ...started, x: event.clientX, from: this.#scores[item], pointer: event.pointerId };
  }

  #drag(event) {
    const { pressed } = this;
    if (!pressed || pressed.pointer !== event.pointerId) return;
    const across = event.clientX - pressed.x, field = this.#fields[pressed.item];
    if (!this.#model.held && Math.abs(across) <= SLACK) return;
    if (!this.#model.held) {
      this.#model.held = pressed;
      field.typing = false;
      field.setPointerCapture(event.pointerId);
    }
    field.setSelectionRange(0, 0);
    this.#to(pressed.item, pressed.from + Math.round(across / PACE) * this.#step(event.shiftKey), event.shiftKey);
  }

  #release(event) {
    const { pressed } = this;
    this.pressed = undefined;
    if (!pressed || this.#model.held !== pressed) return;
    this.#model.held = null;
    if (event.type === "pointerup") this.#report(pressed.item, 0);
    else this.#model.putBack(pressed);
    this.#actions.onRelease();
  }

  #key(item, event) {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key], field = this.#fields[item];
    if (by && !event.altKey && !event.ctrlKey && !event.metaKey) {
      field.typing = false;
      this.#to(item, this.#scores[item] + by * this.#step(event.shiftKey), event.shiftKey);
      this.#report(item, QUIET);
      keep(event);
    } else if (event.key === "Enter") this.#read(item);
    else if (event.key === "Escape") {
      field.typing = false;
      this.#model.changed();
    }
  }

  /** Take over what was typed; what is no number is replaced by the score. */
  #read(item) {
    const field = this.#fields[item];
    if (!field.typing) return;
    field.typing = false;
    const text = field.value.trim().replace("−", "-").replace(",", "."), score = Number(text);
    if (text && Math.abs(score) <= MOST) {
      this.#model.setScore(this.#isHuman ? null : this.#at, item, score);
      this.#report(item, 0);
      return;
    }
    this.#model.changed();
    this.#refuse(item, text);
  }

  /** Say what was typed and is no number, for a while, where it was typed. */
  #refuse(item, text) {
    const kept = this.#scores[item], typed = text ? `“${text.slice(0, 12)}” is not a number` : "A number is needed";
    this.refusal?.remove();
    const words = Math.abs(Number(text)) > MOST ? `${text.slice(0, 12)} is too large to be drawn` : typed;
    this.refusal = make("span", { class: "refused", role: "status" }, `${words}: the score stays ${kept}.`);
    this.element.append(this.refusal);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.refusal.remove(), SAID);
  }

  #step(fine) {
    const { data } = this.#model;
    return gridOf(this.#isHuman ? data.human : data.metrics[this.#at].scores) / (fine ? 10 : 1);
  }

  #to(item, score, fine) {
    this.#model.move(this.#at, item, this.#isHuman ? score : null, this.#isHuman ? null : score, fine);
  }

  #report(item, wait) {
    report(this.#model, this.#actions, this.#at, item, this.#isHuman, !this.#isHuman, wait);
  }
}
