// When does a choice become an entry of the browser's history? When the page has settled and nobody holds a pointer.
// Until then each write of the address replaces the last, so that Back never shows a page that is half filled. What a busy
// server adds to a choice after the page had settled, with nobody doing anything, belongs to the entry of that choice.

const QUIET = 300; // milliseconds without a change of the address or a run of the page
const TYPING = 1000; // and without a key in a field, or an arrow key that moves something
const LOOK = 100;
const MOVES = /^(Arrow|Home$|End$)/;

export default function ({ data }) {
  globalThis.tiekitHistory ??= keep(data);
}

function keep({ running, silent }) {
  const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
  let entry = null; // the address of the present entry as it settled; null until it has
  let seen = location.href, changed = performance.now(), moved = -TYPING, held = false;
  let acted = false; // somebody did something since the page settled

  const isRunning = () => document.querySelector(running) !== null;
  const named = (address) => {
    const url = new URL(address);
    for (const key of silent) url.searchParams.delete(key);
    url.searchParams.sort();
    return url.pathname + url.search;
  };
  const settle = () => {
    const now = location.href;
    if (entry !== null && acted && named(entry) !== named(now)) {
      replace({}, "", entry);
      push({}, "", now);
    }
    [entry, seen, moved, acted] = [now, now, -TYPING, false];
  };
  const look = () => {
    const now = performance.now();
    if (isRunning() || seen !== location.href) [changed, seen] = [now, location.href];
    else if (!held && now - changed >= QUIET && now - moved >= TYPING && entry !== seen) settle();
  };
  const before = () => isRunning() || entry === null || settle(); // what comes next is another choice

  history.pushState = (state, title, address) => {
    if (new URL(address, location.href).pathname === location.pathname) return replace(state, title, address);
    if (entry !== null) replace({}, "", entry); // Streamlit has emptied it for the next page
    push(state, title, address);
    entry = null;
  };
  addEventListener("popstate", () => { [entry, seen, changed] = [null, location.href, performance.now()]; });
  const listen = (name, heard) => addEventListener(name, heard, true);
  listen("pointerdown", () => {
    before();
    held = acted = true;
  });
  for (const name of ["pointerup", "pointercancel"]) listen(name, () => { held = false; });
  addEventListener("blur", () => { held = false; }); // of the window: a pointer released elsewhere is not heard
  listen("keydown", ({ key, repeat }) => {
    if (MOVES.test(key)) moved = performance.now();
    else if (performance.now() - moved > TYPING && !repeat) before();
    acted = true;
  });
  listen("click", () => { acted = true; }); // a program that reads the page aloud presses no pointer
  listen("input", () => {
    moved = performance.now();
    acted = true;
  });
  listen("change", () => { moved = -TYPING; });
  listen("focusout", () => { moved = -TYPING; });
  setInterval(look, LOOK);
  return true;
}
