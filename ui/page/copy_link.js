// How is a page's address copied? With or without which answers are revealed.

const SHOWN = 5000; // ms; the address may soon hold something else

/** In a narrow window the strip of pages is moved to the open one, so that one sees where one is, and what follows. */
function showStep(step) {
  const place = document.querySelector(`.st-key-step_${step}`), strip = place?.closest(".st-key-pages");
  if (!strip || strip.dataset.step === String(step)) return;
  strip.dataset.step = step;
  strip.scrollLeft += place.getBoundingClientRect().left - strip.getBoundingClientRect().left - (strip.clientWidth - place.clientWidth) / 2;
}

export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  const said = parentElement.querySelector("[role=status]");
  button.textContent = data.answers ? "Copy link with answers" : "Copy link";
  showStep(data.step);
  let ending = 0;
  // The latest input reaches the address only when the page has stopped running.
  const settled = async () => {
    const start = performance.now();
    await new Promise((done) => setTimeout(done, 250));
    while (document.querySelector(data.running) && performance.now() - start < 3000)
      await new Promise((done) => setTimeout(done, 50));
  };
  // Without https, browsers offer only the old way.
  const copied = (link) => {
    const field = Object.assign(document.createElement("textarea"), { value: link });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    button.focus();
    return done;
  };
  button.onclick = async () => {
    clearTimeout(ending);
    said.textContent = "";
    await settled();
    const link = new URL(location.href);
    if (!data.answers) link.searchParams.delete("seen");
    const done = await navigator.clipboard?.writeText(link.href).then(() => true, () => false);
    const isCopied = done || copied(link.href);
    said.textContent = isCopied ? "copied" : "Copy it from the address bar.";
    if (isCopied) ending = setTimeout(() => (said.textContent = ""), SHOWN);
  };
}
