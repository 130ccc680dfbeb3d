// How does a picture become a file? The SVG that Vega drew beside these buttons, on the background of its theme, with the
// words that stand beside it on the page: a heading above it, a legend below.

const SCALE = 3; // pixels of the PNG per pixel of the page
const LINE = 22; // pixels of a line of words
const LETTER = 7.4; // pixels of a letter of the heading, on average
const WORDS = { "font-family": "'Source Sans', 'Source Sans 3', sans-serif", "font-size": 14 };

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
  offer(svg, "svg", (drawn) => new Blob([fileOf(drawn, data)], { type: "image/svg+xml" }));
  offer(png, "png", (drawn) => painted(drawn, data));
}

/** Return the chart in the nearest container around these buttons that has one. */
function chartBeside(element, chart) {
  let box = element.getRootNode().host ?? element;
  while (box && !box.querySelector(chart)) box = box.parentElement;
  return box?.querySelector(`${chart} svg.marks`);
}

/** The lines above and below a chart, and the size of chart and file. */
function planOf(drawn, { alt, legend }) {
  const [width, chart] = ["width", "height"].map((side) =>
    Math.ceil(drawn.viewBox.baseVal[side] || drawn.getBoundingClientRect()[side]));
  const heading = drawn.querySelector(".role-title text") ? [] : linesOf(alt.split(/[:;]/u)[0], width / LETTER);
  const top = heading.length * LINE + (heading.length ? 8 : 0);
  return { width, chart, top, heading, height: top + chart + (legend.length ? legend.length * LINE + 8 : 0) };
}

/** Words in lines of at most so many letters. */
function linesOf(words, most) {
  const lines = [""];
  for (const word of words.split(" ")) {
    if (lines.at(-1) && lines.at(-1).length + word.length >= most) lines.push("");
    lines[lines.length - 1] += (lines.at(-1) && " ") + word;
  }
  return lines;
}

/** Return the text of an SVG file with the CSS `style` in it. */
function fileOf(drawn, data, style = "") {
  const file = drawn.cloneNode(true), { width, chart, top, heading, height } = planOf(drawn, data);
  const make = (name, content, attributes = {}) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = content;
    return element;
  };
  const ground = { width, height, fill: drawn.style.backgroundColor }; // not every program draws the style of an SVG file
  const moved = make("g", "", { transform: `translate(0, ${top})` });
  const words = { ...WORDS, fill: getComputedStyle(document.body).color };
  moved.append(...file.childNodes);
  file.removeAttribute("style");
  for (const [side, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
    file.setAttribute(side, value);
  file.append(
    make("title", data.alt), make("style", style), make("rect", "", ground), moved,
    ...heading.map((line, at) => make("text", line, { ...words, x: 8, y: (at + 0.75) * LINE, "font-weight": 700 })),
    ...data.legend.flatMap(([color, glyph, label], at) => {
      const y = top + chart + at * LINE + 6;
      return [
        make("rect", "", { x: 8, y, width: 16, height: 16, fill: color }),
        make("text", `${glyph}  ${label}`, { ...words, x: 32, y: y + 13 }),
      ];
    }),
  );
  return new XMLSerializer().serializeToString(file);
}

/** Return the chart as a PNG in the page's font, which must be embedded because a picture cannot load it. */
async function painted(drawn, data) {
  const image = new Image(), canvas = document.createElement("canvas"), { width, height } = planOf(drawn, data);
  image.src = `data:image/svg+xml,${encodeURIComponent(fileOf(drawn, data, await withFont(data.font)))}`;
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
