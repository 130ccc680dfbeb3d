// How does a lecturer walk through scenes? PageUp and PageDown wherever the focus is, two buttons; Escape leaves.

import { keepFitting } from "./fit.js";

export default function ({ parentElement, data, setTriggerValue }) {
  const dock = parentElement.querySelector(".dock"), drawn = JSON.stringify(data);
  const say = (value) => setTriggerValue("said", value);
  dock.say = say; // the listeners, which stay, call the function of the last run
  if (dock.dataset.drawn !== drawn) {
    dock.dataset.drawn = drawn;
    draw(dock, data);
  }
  oneEntry();
  if (dock.listens) return dock.stop;
  dock.listens = true;
  const walk = (event) => {
    const by = { PageUp: -1, PageDown: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    go(dock, by);
  };
  const leave = (event) => {
    const busy = event.composedPath().some((element) => element.matches?.("[role=dialog], [role=listbox], [popover]"));
    if (event.key === "Escape" && !event.defaultPrevented && !busy) dock.say("leave");
  };
  addEventListener("keydown", walk, true);
  addEventListener("keydown", leave);
  const release = keepFitting(data.page, data.stage, () => dock.getBoundingClientRect().height + 36);
  dock.stop = () => setTimeout(() => {
    if (dock.isConnected) return;
    removeEventListener("keydown", walk, true);
    removeEventListener("keydown", leave);
    release();
  });
  return dock.stop;
}

function go(dock, by) {
  const { number, total } = JSON.parse(dock.dataset.drawn), to = number + by;
  if (to >= 1 && to <= total) dock.say(to);
}

function draw(dock, { say, number, total, asks }) {
  const button = (words, name, off, press) => {
    const made = Object.assign(document.createElement("button"), { type: "button", disabled: off, onclick: press });
    made.textContent = words;
    made.title = name;
    made.setAttribute("aria-label", name);
    return made;
  };
  const sentence = document.createElement("p"), place = document.createElement("span");
  sentence.textContent = say;
  sentence.setAttribute("aria-live", "polite");
  place.className = "place";
  place.textContent = `${number} of ${total}`;
  const words = asks === null ? "Start a class" : asks ? "Show the picture" : "Ask the class";
  const ask = button(words, words, false, () => dock.say("class"));
  const leave = button("Leave", "Leave the presentation (Esc)", false, () => dock.say("leave"));
  ask.className = leave.className = "small";
  dock.replaceChildren(
    button("‹", "Previous slide (PageUp)", number === 1, () => go(dock, -1)),
    button("›", "Next slide (PageDown)", number === total, () => go(dock, 1)),
    sentence, place, ask, leave,
  );
}

/** A whole presentation is one entry of the browser's history: Back returns to where it began. */
function oneEntry() {
  if (history.tiekitPresents) return;
  history.tiekitPresents = true;
  const push = history.pushState.bind(history);
  history.pushState = (state, title, url) => {
    const now = new URL(location.href), next = new URL(url ?? now, now);
    const isScene = (address) => address.searchParams.has("scene");
    const replaces = isScene(now) || history.tiekitOnTheWay;
    // From one scene to the next leads a page that shows nothing.
    history.tiekitOnTheWay = isScene(now) && !isScene(next) && now.pathname !== next.pathname;
    return replaces ? history.replaceState(state, title, url) : push(state, title, url);
  };
}
