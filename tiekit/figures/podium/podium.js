// How can one threshold change the winner? Six translations, two metrics on a podium, and a slider.
//
// host.element, host.send and host.onData are those of the lab; host.data holds errors, human, metrics, epsilon, most,
// and play: whether the figure moves by itself when it opens.

import { make } from "../shared/elements.js";
import { Outbox, QUIET } from "../shared/mount.js";
import { Board } from "./board.js";
import { captionOf } from "./caption.js";
import { Model } from "./model.js";
import { play } from "./playing.js";
import { Stand } from "./stand.js";

/** Open the podium in a host; the function that is returned closes it. */
export function openPodium(host) {
  const root = host.element, model = new Model(host.data), outbox = new Outbox(host.send);
  const board = new Board(model), stand = new Stand(model);
  let given = host.data.epsilon, stop;

  const exact = make("output", { for: "podium-epsilon" });
  const slider = make("input", {
    type: "range", id: "podium-epsilon", min: 0, max: host.data.most, step: 1,
    oninput: () => model.setEpsilon(Number(slider.value)),
    onchange: () => outbox.tell({ epsilon: model.epsilon }, QUIET),
  });
  const winner = make("strong"), why = make("span"), caption = make("p", { class: "caption" }, winner, " ", why);
  const halt = () => {
    stop?.();
    stop = undefined;
    caption.setAttribute("aria-live", "polite");
  };

  function show() {
    const said = captionOf(model.standings, model.epsilon);
    [winner.textContent, why.textContent] = [said.winner, said.why];
    slider.value = model.epsilon;
    slider.setAttribute("aria-valuetext", `ε = ${model.epsilon}. ${said.winner}`);
    exact.textContent = model.epsilon;
    board.show();
    stand.show();
  }

  root.replaceChildren(
    make("div", { class: "scene" }, board.element, stand.element,
      make("div", { class: "control" },
        make("label", { for: "podium-epsilon" }, "ε ="), exact, slider,
        make("span", { class: "note" }, "Drag ε: metric scores within ε points count as tied.")),
      caption));
  root.classList.add("tiekit", "podium");
  root.classList.toggle("large", Boolean(host.data.large));
  for (const touch of ["pointerdown", "keydown", "wheel"]) root.addEventListener(touch, halt, { passive: true });
  model.subscribe(show);
  show();
  if (host.data.play) stop = play(model, halt);
  else halt();

  host.onData((data) => {
    root.classList.toggle("large", Boolean(data.large));
    if (!outbox.isHeard(data.serial) || data.epsilon === given) return;
    given = data.epsilon;
    halt();
    model.setEpsilon(data.epsilon);
  });
  return halt;
}

/** Data with a change that the host has heard. */
export const applied = (data, { epsilon = data.epsilon }) => ({ ...data, epsilon });

/** Whether data that came from outside can be shown. */
export const isSound = ({ epsilon, most }) => Number.isInteger(epsilon) && epsilon >= 0 && epsilon <= most;
