// How is epsilon moved? On the line of one metric's scores: by dragging the end of a bar, or by keys.

import { closestTo, lastUpTo } from "../shared/curve.js";
import { draw, glyphOf, hueOf, listenToDrag, make, markOf, textAt } from "../shared/elements.js";
import { QUIET, say, View } from "../shared/mount.js";
import { briefly, plural, widthOf, written } from "../shared/numbers.js";

export class EpsilonLine extends View {
  dragged = false;
  #before; // epsilon when it was taken up
  #buttons = [];
  picture = new EpsilonPicture(this.model);
  slider = make("input", {
    type: "range", min: 0, step: 1, id: "epsilon", "aria-describedby": "epsilon-help",
    oninput: () => this.model.setEpsilon(this.model.candidates[this.slider.value]),
    onchange: () => this.act.tell({ epsilon: this.model.epsilon }, QUIET),
  });
  label = make("label", { for: "epsilon" });
  note = make("span", { id: "epsilon-help", class: "note" });
  exact = make("output", { for: "epsilon", class: "exact" });
  whose = make("span", { class: "whose", role: "group", "aria-label": "Whose scores are on the line, and tied within ε?" });
  ties = make("span");
  orders = make("span");
  value = make("b", { class: "answer" });
  gain = make("p", { class: "gain", "aria-live": "polite" });
  #grip = make("div", { class: "grip" });
  element = make("section", { class: "epsilon", "aria-label": "The threshold ε" },
    make("div", { class: "head" }, this.label, this.exact, this.note, this.whose, this.gain),
    make("div", { class: "number-line" }, this.picture.svg, this.slider, this.#grip));

  arrange() {
    const { metrics, styles } = this.model;
    this.#buttons = metrics.map(({ name }, at) =>
      make("button", { type: "button", onclick: () => this.#measure(at) }, markOf(at), ` ${name}`));
    this.whose.replaceChildren(...this.#buttons);
    this.whose.hidden = metrics.length < 2;
    const [won, lost] = [glyphOf(styles[4]), glyphOf(styles[3])];
    for (const glyph of [won, lost]) glyph.setAttribute("aria-hidden", "true");
    this.#listen();
    this.gain.replaceChildren(make("span", {}, won, this.ties), make("span", {}, lost, this.orders), this.value);
  }

  show() {
    const { candidates, epsilon, measured, metrics } = this.model, short = this.model.short(epsilon);
    this.slider.max = candidates.length - 1;
    this.slider.value = lastUpTo(candidates, epsilon);
    this.slider.disabled = candidates.length < 2;
    const { name } = metrics[measured];
    say(this.label, metrics.length > 1 ? `ε of ${name} =` : "ε =");
    say(this.note, `Drag the ball: scores of ${name} at most ε apart count as equal. Arcs: pairs that ε makes ties.`);
    this.exact.textContent = short;
    this.exact.dataset.value = this.exact.title = epsilon;
    this.#buttons.forEach((button, at) => button.setAttribute("aria-pressed", at === measured));
    const { won, lost, before, after } = this.model.gain;
    this.gain.classList.toggle("none", !epsilon);
    this.ties.textContent = `+${plural(won, "correct tie")}`;
    this.orders.textContent = `−${plural(lost, "correct order")}`;
    say(this.value, `acc_eq ${written(before)} → ${written(after)}`);
    const told = `${this.ties.textContent}, ${this.orders.textContent}, ${this.value.textContent}`;
    this.slider.setAttribute("aria-valuetext", `ε = ${short}; ${name}: ${told}`);
  }

  paint() {
    this.picture.paint();
  }

  /** Let epsilon be of another metric, and tell what has become of it. */
  #measure(at) {
    const model = this.model, before = model.epsilon;
    model.measure(at);
    const { epsilon } = model;
    this.act.tell({ epsilon_of: model.metrics[at].name, ...(epsilon === before ? {} : { epsilon }) });
  }

  #listen() {
    const { model } = this, { tell, release } = this.act;
    listenToDrag(this.#grip, this, {
      pick: (x, y, event) => {
        if (this.slider.disabled) return true;
        this.#before = model.epsilon;
        this.slider.focus({ preventScroll: true });
        event.preventDefault(); // else the focus goes elsewhere
        return false;
      },
      follow: (x) => model.setEpsilon(model.candidates[closestTo(model.candidates, this.picture.epsilonAt(x))]),
      done: () => {
        if (model.epsilon !== this.#before) tell({ epsilon: model.epsilon });
        release();
      },
      cancel: () => { // the hand scrolls
        model.setEpsilon(this.#before);
        release();
      },
    });
  }
}

// --------------------------------------------------------------------------------------------------------------------
// Which ties does epsilon make? Scores on a line, arcs above it, and a bar below.

const SIDE = 56, END = 24; // room beside the line
const SIZE = 14; // pixels of a text, at most
const MOST_ARCS = 400; // more would hide one another
const WON = 4, LOST = 3; // the kinds that a new tie can become

export class EpsilonPicture extends View {
  svg = draw("svg", { role: "img" });

  get #across() {
    return (this.svg.clientWidth - SIDE - END) / (this.model.span || 1);
  }

  /** The epsilon whose bracket ends at a pixel. */
  epsilonAt(x) {
    return Math.max(0, Math.min(this.model.span, (x - SIDE) / this.#across));
  }

  paint() {
    const { svg } = this, model = this.model, metric = model.metrics[model.measured];
    const [width, height] = [svg.clientWidth, svg.clientHeight];
    if (!width) return;
    svg.style.color = hueOf(model.measured);
    const ball = height - 38, line = ball - 38, high = line - 12;
    const end = SIDE + Math.min(model.epsilon, model.span) * this.#across;
    svg.replaceChildren(
      ...this.#arcs(line, high),
      draw("line", { class: "rule", x1: SIDE - 12, x2: width - END + 12, y1: line, y2: line }),
      ...this.#scores(metric, line),
      ...this.#ball(ball, end),
    );
    const { won, lost, before, after } = model.gain;
    svg.setAttribute("aria-label", `Scores of ${metric.name} on a line. ε = ${model.short(model.epsilon)} wins ${won} correct ties ` +
      `and loses ${lost} correct orders; acc_eq goes from ${written(before)} to ${written(after)}.`);
  }

  /** One path for the ties that are won, one for the orders that are lost, one for wrong orders that become ties. */
  #arcs(line, high) {
    const { measured, metrics, curve, styles } = this.model, { scores } = metrics[measured], low = this.model.lowest;
    const { first, second, kinds, order, ends } = curve.pairs;
    const fresh = order.slice(ends[0], ends[lastUpTo(curve.epsilons, this.model.epsilon)]).slice(-MOST_ARCS);
    const arc = (p) => {
      const [a, b] = [scores[first[p]], scores[second[p]]].map((score) => SIDE + (score - low) * this.#across);
      const up = line - 8 - 2 * Math.min(high - 4, 14 + Math.abs(b - a) * 0.22);
      return `M${a} ${line - 8}Q${(a + b) / 2} ${up} ${b} ${line - 8}`;
    };
    return [[2, "won", styles[WON].color], [0, "lost", styles[LOST].color], [1, "same", styles[LOST].color]].map(
      ([kind, name, stroke]) => draw("path", {
        class: `arc ${name}`, stroke, d: fresh.filter((p) => kinds[p] === kind).map(arc).join(""),
      }));
  }

  /** Each score once, with the number of items that have it. */
  #scores({ scores }, line) {
    const { human } = this.model, parts = [], width = this.svg.clientWidth;
    const known = scores.filter((score, item) => score !== null && human[item] !== null).sort((a, b) => a - b);
    const unequal = [...new Set(known)], words = briefly(unequal);
    let free = -Infinity; // where the next number may begin
    unequal.forEach((score, at) => {
      const x = SIDE + (score - this.model.lowest) * this.#across, same = known.filter((one) => one === score).length;
      parts.push(draw("path", { class: "score", d: `M${x} ${line - 9}v18` }));
      const text = `${words[at]}${same > 1 ? ` ×${same}` : ""}`, half = widthOf(text, SIZE) / 2;
      const middle = Math.max(half, Math.min(x, width - half));
      if (middle - half < free) return;
      free = middle + half + 6;
      parts.push(draw("text", { x: middle, y: line + 22, "text-anchor": "middle" }, text));
    });
    return parts;
  }

  /** The ball, which is dragged, at the end of a bar as long as epsilon, and where acc_eq is best below it. */
  #ball(ball, end) {
    const { epsilons, values, best } = this.model.curve, star = SIDE + epsilons[best] * this.#across;
    const isKnown = values.length && !Number.isNaN(values[0]);
    const drop = values.findIndex((value, at) => at > best && value < values[best]);
    const upTo = drop > best + 1 ? ` to below ${this.model.short(epsilons[drop])}` : "";
    const words = `★ best acc_eq ${written(values[best])} at ε = ${this.model.short(epsilons[best])}${upTo}`;
    const from = Math.max(0, Math.min(star, this.svg.clientWidth - widthOf(words, SIZE)));
    return [
      draw("path", { class: "bracket", d: `M${SIDE} ${ball - 6}v12M${SIDE} ${ball}H${end}` }),
      draw("circle", { class: "ring", cx: end, cy: ball, r: 13 }),
      draw("circle", { class: "thumb", cx: end, cy: ball, r: 10 }),
      ...(isKnown ? [textAt(from, ball + 28, words, "start", "answer")] : []),
    ];
  }
}
