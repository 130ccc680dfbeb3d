// How is a ranking changed by hand? Cards from best to worst that are dragged or moved by keys; = ties two neighbors.

import { keep, make } from "../shared/elements.js";
import { moved, switched } from "./order.js";

export class Cards {
  element = make("div", { class: "cards", role: "group", "aria-label": "The ranking, best on the left" });
  #model;
  #change;
  #drag = null; // the card that is held, and where the hand took it

  constructor(model, change) {
    this.#model = model;
    this.#change = change;
  }

  arrange() {
    const { names } = this.#model.data;
    this.cards = names.map((name, item) => {
      const place = make("small"), title = make("b", {}, name);
      const card = make("button", { type: "button", class: "card", "data-name": name }, place, title);
      card.onkeydown = (event) => this.#press(event, item);
      card.onpointerdown = (event) => this.#take(event, item);
      card.onpointermove = (event) => this.#move(event);
      card.onpointerup = card.onpointercancel = () => this.#drop();
      return { card, place };
    });
    this.joints = names.map(() => {
      const joint = make("button", { type: "button", class: "joint" });
      joint.onclick = () => this.#change(switched(this.#model.order, Number(joint.dataset.at)));
      return joint;
    });
    this.element.replaceChildren();
  }

  show() {
    const { order, data: { names } } = this.#model;
    let place = 0;
    const parts = order.flatMap(({ item, tied }, at) => {
      const { card, place: shown } = this.cards[item];
      if (!tied) place = at + 1;
      shown.textContent = `${place}.`;
      const words = `${names[item]}, rank ${place} of ${names.length}`;
      card.setAttribute("aria-label", `${words}. Move it with the arrow keys.`);
      if (!at) return [card];
      const joint = this.joints[at], above = names[order[at - 1].item];
      joint.dataset.at = at;
      joint.textContent = tied ? "=" : ">";
      joint.setAttribute("aria-label", tied ? `${above} and ${names[item]} are tied: separate them` :
        `${above} is ahead of ${names[item]}: tie them`);
      joint.setAttribute("aria-pressed", tied);
      return [joint, card];
    });
    this.#place(parts);
  }

  /** Put the parts into their order; those that move are seen on the way, unless the reader wants less motion. */
  #place(parts) {
    if (parts.every((part, at) => this.element.children[at] === part)) return;
    const before = new Map(parts.map((part) => [part, part.isConnected ? part.getBoundingClientRect().left : null]));
    const held = this.#drag?.card, focused = this.element.getRootNode().activeElement;
    for (const part of parts) if (part !== held || !part.isConnected) this.element.append(part);
    if (held) { // it stays in the document, so that the pointer stays with it
      const at = parts.indexOf(held);
      parts.slice(0, at).forEach((part) => this.element.insertBefore(part, held));
    }
    if (focused && focused !== held && this.element.contains(focused)) focused.focus({ preventScroll: true });
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [part, left] of before) {
      const by = left === null || part === held ? 0 : left - part.getBoundingClientRect().left;
      if (by) part.animate({ transform: [`translateX(${by}px)`, "none"] }, { duration: 250, easing: "ease" });
    }
  }

  #press(event, item) {
    const { order } = this.#model, from = order.findIndex((one) => one.item === item), last = order.length - 1;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    keep(event);
    if (to < 0 || to > last || to === from) return;
    this.#change(moved(order, from, to));
    this.cards[item].card.focus();
  }

  #take(event, item) {
    if (event.button) return;
    const { card } = this.cards[item];
    card.setPointerCapture(event.pointerId);
    this.#drag = { card, item, from: this.#model.order };
    card.classList.add("held");
  }

  #move(event) {
    if (!this.#drag) return;
    const { order } = this.#model, at = order.findIndex(({ item }) => item === this.#drag.item);
    const middle = ({ item }) => {
      const box = this.cards[item].card.getBoundingClientRect();
      return box.left + box.width / 2;
    };
    const to = order.filter((one, place) => place !== at && middle(one) < event.clientX).length;
    if (to !== at) this.#change(moved(order, at, to), true);
  }

  #drop() {
    if (!this.#drag) return;
    const { card, from } = this.#drag;
    card.classList.remove("held");
    this.#drag = null;
    if (from !== this.#model.order) this.#change(this.#model.order);
  }
}
