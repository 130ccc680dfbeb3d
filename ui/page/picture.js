// How does a picture become a file? The SVG that Vega drew beside these buttons, on the background of its theme.

const SCALE = 3; // pixels of the PNG per pixel of the page

export default function ({ parentElement, data }) {
  const [svg, png] = parentElement.querySelectorAll("button"), said = parentElement.querySelector("[role=status]");
  const offer = (button, kind, make) => {
    button.title = `Download this picture: ${data.file}.${kind}`;
    button.setAttribute("aria-label", `${kind.toUpperCase()} of the picture ${data.file}`);
    button.onclick = async () => {
      said.textContent = "";
      const drawn = chartBeside(parentElement, data.chart);
      if (drawn) return save(await make(drawn), `${data.file}.${kind}`);
      said.textContent = "The picture is not drawn yet.";
    };
  };
  offer(svg, "svg", (drawn) => new Blob([fileOf(drawn, data.alt)], { type: "image/svg+xml" }));
  offer(png, "png", (drawn) => painted(drawn, data));
}

/** Return the chart in the nearest container around these buttons that has one. */
function chartBeside(element, chart) {
  let box = element.getRootNode().host ?? element;
  while (box && !box.querySelector(chart)) box = box.parentElement;
  return box?.querySelector(`${chart} svg.marks`);
}

function sizeOf(drawn) {
  return ["width", "height"].map((side) => Math.ceil(drawn.viewBox.baseVal[side] || drawn.getBoundingClientRect()[side]));
}

/** Return the text of an SVG file with the CSS `style` in it. */
function fileOf(drawn, alt, style = "") {
  const file = drawn.cloneNode(true), [width, height] = sizeOf(drawn);
  const add = (name, content, attributes = {}) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = content;
    return element;
  };
  file.removeAttribute("style");
  const ground = { width, height, fill: drawn.style.backgroundColor }; // not every program draws the style of an SVG file
  file.prepend(add("title", alt), add("style", style), add("rect", "", ground));
  return new XMLSerializer().serializeToString(file);
}

/** Return the chart as a PNG in the page's font, which must be embedded because a picture cannot load it. */
async function painted(drawn, { alt, font }) {
  const image = new Image(), canvas = document.createElement("canvas"), [width, height] = sizeOf(drawn);
  image.src = `data:image/svg+xml,${encodeURIComponent(fileOf(drawn, alt, await withFont(font)))}`;
  await image.decode();
  Object.assign(canvas, { width: SCALE * width, height: SCALE * height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** Return the page's CSS rule for its upright font, which Vega uses, with the font embedded. */
async function withFont(font) {
  const upright = new RegExp(`@font-face.*"${font}".*font-style: normal`, "s");
  const rules = [...document.styleSheets].filter((sheet) => sheet.href?.startsWith(location.origin));
  const rule = rules.flatMap((sheet) => [...sheet.cssRules]).find(({ cssText }) => cssText.match(upright));
  if (!rule) return "";
  const from = new URL(rule.cssText.match(/url\("(.+?)"\)/)[1], rule.parentStyleSheet.href);
  const reader = new FileReader(), read = new Promise((done) => (reader.onload = done));
  reader.readAsDataURL(await (await fetch(from)).blob());
  await read;
  return rule.cssText.replace(/url\(".+?"\)/, `url("${reader.result}")`);
}

function save(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
