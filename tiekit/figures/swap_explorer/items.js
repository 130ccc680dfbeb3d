// Whose score counts for which metric? A button for each item, which swaps its two scores.

import { isPlain, keep, make } from "../shared/elements.js";
import { say, View } from "../shared/mount.js";
import { minus } from "../shared/numbers.js";

const GLYPHS = ["●", "◆"];

/** How scores of this range are written: three digits of it. */
function writer(scores) {
  const known = scores.filter((score) => score !== null), range = Math.max(...known) - Math.min(...known);
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(range || 1))), few = decimals <= 6 && range < 1e6;
  const short = (score) => Number(few ? score.toFixed(decimals) : score.toPrecision(3));
  return (score) => (score === null ? "–" : minus(short(score) || 0));
}

export class Items extends View {
  #buttons = [];
  #words = []; // each item's human score and both metrics' scores, as they are written
  #shown = []; // the marks of the swapped items, as they are shown
  #heads = make("div", { class: "heads", "aria-hidden": "true" });
  #cells = make("div", {
    class: "cells", role: "toolbar", "aria-label": "Items: arrow keys choose one, Space swaps its scores",
    onkeydown: (event) => this.#press(event),
  });
  #legend = make("p", { class: "note keys" });
  #note = make("p", { class: "note" });
  element = make("div", { class: "items" },
    make("div", { class: "table" }, this.#heads, this.#cells), this.#legend, this.#note);

  arrange() {
    const { human, items, metrics, aside = [], item_names: named = [] } = this.model.data;
    this.#heads.replaceChildren(...["item", "human", ...this.model.names].map((name) =>
      make("span", { class: "one-line", title: name }, name)));
    this.#legend.replaceChildren(...metrics.map(({ name }, at) =>
      make("span", {}, make("b", { class: `glyph-${at}` }, GLYPHS[at]), ` score that ${name} gave`)));
    const [a, b] = this.model.names, lines = [human, ...metrics.map(({ scores }) => scores)];
    const written = lines.map((scores) => scores.map(writer(scores)));
    const isAside = (item) => (aside[item] ?? null) !== null;
    this.#words = human.map((_, item) => written.map((line, side) => (!side && isAside(item) ? minus(aside[item]) : line[item])));
    say(this.#note, `Of an item, the upper score counts for ${a}, the lower one for ${b}. The bars show the ` +
      "standardized scores (mean 0, standard deviation 1): these are swapped, so that both metrics have one scale.");
    this.#buttons = human.map((_, item) => make("button", {
      type: "button", class: "item", title: named[item], tabindex: item ? -1 : 0, onclick: () => this.#swap(item),
      onfocus: () => this.#reach(item), "aria-disabled": items.includes(item) ? undefined : "true",
    }, make("span", { class: "number" }), make("span", isAside(item) ? { class: "aside", title: "not compared" } : {}, this.#words[item][0]),
    this.#chip(0, item), this.#chip(1, item)));
    this.#cells.replaceChildren(...this.#buttons);
    this.#shown = [];
  }

  #chip(at, item) {
    const { z } = this.model.data.metrics[at];
    const known = this.model.data.metrics.flatMap((metric) => metric.z.filter((score) => score !== null));
    const low = Math.min(...known), high = Math.max(...known);
    const chip = make("span", { class: `chip from-${at}` },
      make("b", { class: `glyph-${at}` }, GLYPHS[at]), this.#words[item][at + 1]);
    const part = z[item] === null ? 0 : high > low ? (z[item] - low) / (high - low) : 0.5;
    chip.style.setProperty("--part", `${Math.round(100 * part)}%`);
    return chip;
  }

  show() {
    const { mask, names, data } = this.model;
    this.#buttons.forEach((button, item) => {
      if (mask[item] === this.#shown[item]) return;
      const swapped = Boolean(mask[item]), [human, ...own] = this.#words[item];
      const [first, second] = swapped ? own.toReversed() : own;
      const state = data.items.includes(item) ? "" : ", not counted";
      button.setAttribute("aria-pressed", swapped);
      button.setAttribute("aria-label",
        `${item + 1}: human ${human}, ${names[0]} ${first}, ${names[1]} ${second}${state}`);
      button.firstChild.textContent = swapped ? `⇄ ${item + 1}` : item + 1;
    });
    this.#shown = mask;
  }

  #swap(item) {
    if (!this.model.data.items.includes(item)) return;
    this.model.swap(item);
    this.act.tell();
  }

  /** The item that the Tab key comes back to. */
  #reach(item) {
    this.#buttons.forEach((button, at) => (button.tabIndex = at === item ? 0 : -1));
  }

  #press(event) {
    const at = this.#buttons.indexOf(event.target), last = this.#buttons.length - 1;
    const row = this.#buttons.filter(({ offsetTop }) => offsetTop === this.#buttons[0].offsetTop).length;
    const to = {
      ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - row, ArrowDown: at + row, Home: 0, End: last,
    }[event.key];
    if (to === undefined || !isPlain(event)) return;
    keep(event);
    this.#buttons[Math.max(0, Math.min(last, to))].focus();
  }
}
