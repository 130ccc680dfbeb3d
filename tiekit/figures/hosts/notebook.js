// How does a notebook host a figure? As an anywidget: the data are traits, which Python and other views may change.

import { hosted } from "./state.js";

/** An anywidget of a figure; `_fixed` and the names in `_keys` are traits. */
export function host(figure, style) {
  return {
    render({ model, el }) {
      const element = document.createElement("div"), sheet = document.createElement("style");
      sheet.textContent = style;
      (el.shadowRoot ?? el.attachShadow({ mode: "open" })).replaceChildren(sheet, element); // a style for us alone
      el.dataset.lmSuppressShortcuts = "true"; // JupyterLab's keys are its own only outside of the figure
      el.addEventListener("keydown", (event) => event.stopPropagation());
      const keys = model.get("_keys");
      const read = () => ({ ...model.get("_fixed"), ...Object.fromEntries(keys.map((key) => [key, model.get(key)])) });
      let own = false; // whether the change is the figure's own
      const { give, close } = hosted(figure, element, read(), (data) => {
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
        close();
      };
    },
  };
}

const changed = (before, after) => JSON.stringify(before) !== JSON.stringify(after);
