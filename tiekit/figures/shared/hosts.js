// What has changed in a figure? A host keeps the data, hears of changes, and gives data that others have changed.
//
// A figure that holds changes of its own does not take what is given until they are heard. They are then a part of the
// data, which are given once more.

import { applied } from "./mount.js";
import { areSound } from "./rules.js";

/** Open a figure in an element; `changed(data)` hears of its changes. Returned: give data, and close. */
export function hosted(open, element, data, changed) {
  let take, isGiven = false, serial = 0;
  const close = open({
    element,
    data: { ...data, serial },
    send: ({ serial: heard, ...change }) => {
      serial = heard;
      data = applied(data, change);
      changed(data);
      if (isGiven) queueMicrotask(() => take({ ...data, serial }));
      isGiven = false;
    },
    onData: (taker) => (take = taker),
  });
  return {
    close,
    give: (fresh) => {
      data = fresh;
      isGiven = true;
      take({ ...data, serial });
    },
  };
}

// --------------------------------------------------------------------------------------------------------------------
// How does a notebook host a figure? As an anywidget: the data are traits, which Python and other views may change.

/** An anywidget of a figure; `_fixed` and the names in `_keys` are traits. */
export function notebookHost(open, style) {
  return {
    render({ model, el }) {
      const element = document.createElement("div"), sheet = document.createElement("style");
      sheet.textContent = style;
      (el.shadowRoot ?? el.attachShadow({ mode: "open" })).replaceChildren(sheet, element); // a style for us alone
      el.addEventListener("keydown", (event) => isNotebooks(event) || event.stopPropagation());
      const heed = (event) => el.toggleAttribute("data-lm-suppress-shortcuts", !isNotebooks(event));
      addEventListener("keydown", heed, true); // before JupyterLab, which asks whether the figure has this attribute
      const keys = model.get("_keys");
      const read = () => ({ ...model.get("_fixed"), ...Object.fromEntries(keys.map((key) => [key, model.get(key)])) });
      let own = false; // whether the change is the figure's own
      const { give, close } = hosted(open, element, read(), (data) => {
        own = true;
        try {
          for (const key of keys) if (changed(model.get(key), data[key])) model.set(key, data[key]);
        } finally {
          own = false;
        }
        model.save_changes();
      });
      const hear = () => own || give(read());
      const heard = ["_fixed", ...keys].map((key) => `change:${key}`);
      for (const event of heard) model.on(event, hear);
      return () => {
        for (const event of heard) model.off(event, hear);
        removeEventListener("keydown", heed, true);
        close();
      };
    },
  };
}

/** Whether a key is the notebook's also within a figure: Ctrl or Cmd with a letter that changes no text, such as S. */
const isNotebooks = ({ ctrlKey, metaKey, key }) => (ctrlKey || metaKey) && /^[^acvxyz]$/i.test(key);

const changed = (before, after) => JSON.stringify(before) !== JSON.stringify(after);

// --------------------------------------------------------------------------------------------------------------------
// How does a page of its own host a figure? The data stand in the page, what has changed in the address's fragment.

/** Show a figure in an element of this page; the fragment may hold what has a rule. */
export function pageHost(open, element, given, rules) {
  const keys = Object.keys(rules);
  const start = () => {
    const data = { ...given, ...readFragment(keys) };
    return areSound(rules, data) ? data : given;
  };
  const { give } = hosted(open, element, start(), (data) => {
    history.replaceState(null, "", `#${fragmentOf(data, given, keys)}`);
  });
  addEventListener("hashchange", () => give(start()));
}

function readFragment(keys) {
  const found = {};
  for (const [key, text] of new URLSearchParams(location.hash.slice(1))) {
    try {
      if (keys.includes(key)) found[key] = JSON.parse(text);
    } catch {
      // a damaged part of a link is left out
    }
  }
  return found;
}

function fragmentOf(data, given, keys) {
  const texts = keys.map((key) => [key, JSON.stringify(data[key])]);
  return new URLSearchParams(texts.filter(([key, text]) => text !== JSON.stringify(given[key])));
}

// --------------------------------------------------------------------------------------------------------------------
// How does Streamlit host a figure? It calls the component with every run, on the same element, with data and with a
// function that takes the state `said`. Large data come as texts, which are read once.

/** The data with what `texts` hold as JSON; what was read from a text is in `known`, by name. */
function whole({ texts, ...data }, known) {
  for (const [name, text] of Object.entries(texts ?? {})) {
    if (known[name]?.text !== text) known[name] = { text, value: JSON.parse(text) };
    data[name] = known[name].value;
  }
  return data;
}

/** A component of a figure, which fills the element of the class figure. */
export function streamlitHost(open) {
  return ({ parentElement, data: given, setStateValue }) => {
    const element = parentElement.querySelector(".figure"), own = (element.own ??= { known: {} });
    const data = whole(given, own.known);
    own.say = setStateValue ?? own.say;
    if (own.take) own.take(data);
    else
      own.close = open({
        element,
        data,
        send: (state) => own.say("said", state),
        onData: (take) => (own.take = take),
      });
    return () => setTimeout(() => element.isConnected || own.close());
  };
}
