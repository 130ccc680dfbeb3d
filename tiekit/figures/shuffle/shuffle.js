// What is the figure of a permutation test? Buttons that shuffle, dots that fall into a histogram, and the p-value.
//
// host.element       where it stands
// host.data          names, label, values, observed, samples (differences in the order drawn), exact, what, note, drawn
// host.send(state)   hears how many swaps have been drawn
// host.onData(take)  is given the function that takes new data, with the serial of the last state that was heard

import { make } from "../shared/elements.js";
import { inNextFrame } from "../shared/frames.js";
import { Outbox, QUIET } from "../shared/outbox.js";
import { Theme } from "../shared/theme.js";
import { Model } from "./model.js";
import { Rain } from "./rain.js";
import { observedIn, result } from "./words.js";

/** Open the figure in a host; the function that is returned closes it. */
export function openShuffle(host) {
  const root = host.element, model = new Model(), theme = new Theme(root), outbox = new Outbox(host.send);
  const title = make("p", { class: "observed" }), said = make("p", { class: "result", role: "status" });
  let shown; // the differences of which dots have fallen

  const draw = inNextFrame(paint);
  const rain = new Rain(model, theme, draw);
  const act = (change) => () => {
    change();
    outbox.tell({ drawn: model.drawn }, QUIET);
  };
  const button = (label, number, words) =>
    make("button", { type: "button", "aria-label": words, onclick: act(() => model.draw(number())) }, label);
  const more = [button("Shuffle once", () => 1), button("Shuffle 100 ×", () => 100, "Shuffle 100 times")];
  const all = button("All", () => model.total);
  const reset = make("button", { type: "button", onclick: act(() => model.reset()) }, "Reset");

  function take(data) {
    if (!outbox.isHeard(data.serial)) return;
    const given = JSON.stringify([data.samples, data.observed]);
    if (given !== shown) rain.stop();
    shown = given;
    if (!model.data || data.drawn !== model.drawn) rain.put(Math.min(data.drawn, data.samples.length));
    model.take(data);
    all.textContent = `All ${model.total.toLocaleString("en")}`;
    root.classList.toggle("large", Boolean(data.large));
  }

  function paint() {
    if (!model.data) return;
    theme.read();
    said.setAttribute("aria-live", rain.landed < model.drawn ? "off" : "polite");
    for (const [element, words] of [[title, observedIn(model)], [said, result(model, rain.landed)]])
      if (element.textContent !== words) element.textContent = words;
    for (const one of [...more, all]) one.disabled = model.drawn >= model.total;
    reset.disabled = !model.drawn;
    rain.paint();
  }

  root.replaceChildren(title, make("div", { class: "buttons", role: "group", "aria-label": "Swap the scores of the two metrics at random" },
    ...more, all, reset), said, rain.canvas);
  root.classList.add("tiekit", "shuffle");
  model.subscribe(() => {
    rain.show();
    draw();
  });
  const sizes = new ResizeObserver(draw);
  host.onData(take);
  take(host.data);
  sizes.observe(root);
  root.addEventListener("focusout", (event) => root.contains(event.relatedTarget) || outbox.flush());
  return () => {
    rain.stop();
    sizes.disconnect();
  };
}

/** Data with a change that the host has heard. */
export function applied(data, { drawn = data.drawn }) {
  return { ...data, drawn };
}

/** Whether data that came from outside can be shown. */
export function isSound({ drawn, samples }) {
  return Number.isInteger(drawn) && drawn >= 0 && drawn <= samples.length;
}
