// How is an element made? With its attributes, listeners and children in one call.

/** An element; attributes whose names begin with on are listeners. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element[name] = value;
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** A part of an SVG picture. */
export function draw(tag, attributes = {}, ...children) {
  const part = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, value);
  part.append(...children);
  return part;
}

/** The colored glyph of a kind of pairs. */
export function glyphOf({ glyph, label, color, on }) {
  const mark = make("span", { class: "glyph", role: "img", "aria-label": label }, glyph);
  Object.assign(mark.style, { background: color, color: on });
  return mark;
}

/** Offer a file to save. */
export function offer(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
