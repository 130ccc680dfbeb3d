// How does a QR code get onto the screen? The server draws it for the address that the browser shows when it is asked.

export default function ({ parentElement, data, setTriggerValue }) {
  const open = parentElement.querySelector(".open"), card = parentElement.querySelector("section");
  open.onclick = () => {
    card.replaceChildren(text("Drawing the code …"));
    card.showPopover();
    card.focus(); // so that Escape closes the card and nothing else
    setTriggerValue("address", location.href.slice(0, 20_000)); // the server draws no code of more
  };
  if (!data.of || card.dataset.drawn === JSON.stringify(data) && !card.matches(":popover-open")) return;
  card.dataset.drawn = JSON.stringify(data);
  const close = Object.assign(document.createElement("button"), { type: "button", onclick: () => card.hidePopover() });
  close.textContent = "Close";
  if (!data.svg) return card.replaceChildren(text(data.said), close);
  const code = document.createElement("div");
  code.className = "code";
  code.setAttribute("role", "img");
  code.setAttribute("aria-label", "QR code of the address below");
  code.innerHTML = data.svg; // drawn by the server; no text of a user is in it
  card.replaceChildren(code, text(data.address), close);
}

function text(words) {
  const line = document.createElement("p");
  line.textContent = words;
  return line;
}
