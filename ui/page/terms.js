// What does this word mean? Each word opens a card below it; Escape or a click elsewhere closes it.

const GAP = 4; // pixels between a word and its card

export default function ({ parentElement, data }) {
  const row = parentElement.querySelector("section"), drawn = JSON.stringify(data);
  if (row.dataset.drawn === drawn) return; // an open card stays open
  row.dataset.drawn = drawn;
  row.replaceChildren("Terms:", ...data.flatMap(explained));
}

function explained({ name, meaning, source }) {
  const word = document.createElement("button"), card = document.createElement("div");
  word.type = "button";
  word.append(...withIndex(name));
  word.popoverTargetElement = card;
  card.popover = "auto";
  const strong = document.createElement("strong"), from = document.createElement("p");
  strong.append(...withIndex(`${name}. `));
  from.textContent = `Source: ${source}.`;
  card.append(strong, ...withIndex(meaning), from);
  card.addEventListener("beforetoggle", ({ newState }) => {
    if (newState !== "open") return;
    place(card, word.getBoundingClientRect());
    // The card does not move with its word, so it closes when the page scrolls.
    document.addEventListener("scroll", () => card.hidePopover(), { capture: true, once: true });
  });
  return [word, card];
}

/** A text with true subscripts in the names of coefficients. */
const withIndex = (text) => text.split(/(?<=τ|acc|T)_(eq|hm|\w\b|\d+)/).map((part, at) => {
  if (at % 2 === 0) return part;
  const below = document.createElement("sub");
  below.textContent = part;
  return below;
});

/** Place the card below the word, or above it in the lower part of the window; its style keeps it inside. */
function place(card, word) {
  const above = word.bottom > 0.65 * window.innerHeight;
  card.style.setProperty("--left", `${word.left}px`);
  card.style.top = above ? "auto" : `${word.bottom + GAP}px`;
  card.style.bottom = above ? `${window.innerHeight - word.top + GAP}px` : "auto";
}
