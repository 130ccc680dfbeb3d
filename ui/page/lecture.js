// When do PageUp and PageDown step through examples? While the buttons for it are in view, unless something is typed
// or an open list or table uses the keys; otherwise they scroll. A slider, a switch or a closed list that was just used
// keeps the other keys. Streamlit's shortcuts leave the keys to any control, so the window takes them first.

const SWITCHES = ["checkbox", "radio", "button", "submit", "range", "file"].map((kind) => `[type=${kind}]`).join();
const OWN_USE = `input:not(${SWITCHES}, [role=combobox][aria-expanded=false]), textarea, select, [contenteditable],
  [role=listbox], [role=grid], [role=dialog]`;

export default function ({ data }) {
  const walk = (event) => {
    const by = { PageUp: 0, PageDown: 1 }[event.key];
    if (by === undefined || event.composedPath()[0].closest?.(OWN_USE)) return;
    const button = document.querySelector(`.st-key-${CSS.escape(data.keys[by])} button`);
    const box = button?.getBoundingClientRect();
    event.stopImmediatePropagation();
    event.preventDefault();
    if (box && !button.disabled && box.top >= 0 && box.bottom <= innerHeight) return button.click();
    const page = document.querySelector(data.page);
    page.scrollBy({ top: (by ? 0.85 : -0.85) * page.clientHeight });
  };
  addEventListener("keydown", walk, true);
  return () => removeEventListener("keydown", walk, true);
}
