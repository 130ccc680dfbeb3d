// How is a page's address copied? The first button leaves out which answers are revealed, the second keeps it.

export default function ({ parentElement, data }) {
  const [open, answered] = parentElement.querySelectorAll("button");
  const said = parentElement.querySelector("[role=status]");
  answered.hidden = !data.answers;
  // The latest input reaches the address only when the page has stopped running.
  const settled = async () => {
    const start = performance.now();
    await new Promise((done) => setTimeout(done, 250));
    while (document.querySelector(data.running) && performance.now() - start < 3000)
      await new Promise((done) => setTimeout(done, 50));
  };
  // Without https, browsers offer only the old way.
  const copied = (link, button) => {
    const field = Object.assign(document.createElement("textarea"), { value: link });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    button.focus();
    return done;
  };
  for (const button of [open, answered]) button.onclick = async () => {
    said.textContent = "";
    await settled();
    const link = new URL(location.href);
    if (button === open) link.searchParams.delete("seen");
    const done = await navigator.clipboard?.writeText(link.href).then(() => true, () => false);
    said.textContent = done || copied(link.href, button) ? "copied" : "Copy it from the address bar.";
  };
}
