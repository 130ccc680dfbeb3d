// Which pairs become ties at exactly this ε, and what does that do?

import { glyphOf, make } from "../shared/elements.js";
import { effectWords, news, pairWords } from "./words.js";

const MOST = 6;

export class NewTies {
  #model;
  #words = make("p");
  #list = make("ul", { class: "news" });

  constructor(model) {
    this.#model = model;
    this.element = make("section", { "aria-label": "New ties" }, this.#words, this.#list);
  }

  show() {
    const model = this.#model;
    this.element.hidden = !model.curve.pairs;
    if (this.element.hidden) return;
    const { fresh } = model.ties, rest = fresh.length - MOST;
    this.#words.textContent = news(model, fresh.length);
    const lines = fresh.slice(0, MOST).map((p) => this.#line(model.pair(p)));
    this.#list.replaceChildren(...lines, ...(rest > 0 ? [make("li", {}, `and ${rest} more`)] : []));
  }

  #line(pair) {
    const { data, epsilon } = this.#model, { coefficient, style } = data;
    const [before, now] = [pair.before, pair.now].map((kind) => style.kinds[kind]);
    const glyphs = epsilon ? [glyphOf(before), "→ ", glyphOf(now)] : [glyphOf(now)];
    const effect = effectWords(coefficient, epsilon ? before.kind : now.kind, now.kind);
    return make("li", {}, ...glyphs, `${pairWords(this.#model, pair)} (${effect})`);
  }
}
