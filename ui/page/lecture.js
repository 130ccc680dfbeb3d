// When do PageUp and PageDown step through examples? While the buttons for it are in view and nothing else uses the
// keys; otherwise they scroll. Streamlit's shortcuts listen on the document, so the window gets the keys first.

const OWN_USE = "input, textarea, select, [contenteditable], [role=slider], [role=listbox], [role=grid], [role=dialog]";

export default function ({ data }) {
  const walk = (event) => {
    const by = { PageUp: 0, PageDown: 1 }[event.key];
    if (by === undefined || event.composedPath()[0].closest?.(OWN_USE)) return;
    const button = document.querySelector(`.st-key-${CSS.escape(data.keys[by])} button`);
    const box = button?.getBoundingClientRect();
    if (box && !button.disabled && box.top >= 0 && box.bottom <= innerHeight) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    const page = document.querySelector(data.page);
    page.scrollBy({ top: (by ? 0.85 : -0.85) * page.clientHeight });
  };
  addEventListener("keydown", walk, true);
  return () => removeEventListener("keydown", walk, true);
}
