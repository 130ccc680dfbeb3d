// How does the rank of each metric change from coefficient to coefficient? Lines over columns, one of them chosen.
//
// Other parts of the document hear of the choice, and can make it, by the event that `CHOSEN` names.

import { saveButtons, Theme } from "../shared/canvas.js";
import { draw, isPlain, keep, make, roomOf, set, tspansOf } from "../shared/elements.js";
import { glide, Model, mount, QUIET, say, spoken, View } from "../shared/mount.js";
import { listed } from "../shared/numbers.js";

const CHOSEN = "tiekit-metric"; // the detail of the event: metric, a name or null, and source, whoever sent it

/** Open the chart, whose data hold columns (key, label), metrics (name, mark, ranks), metric (a name or null), title. */
export function openFigure(host) {
  const model = new Ranks();
  return mount(host, "bump", model, ({ root, tell }) => {
    const theme = new Theme(root);
    let before = new Map(), share = 1, stop = () => {};
    const choose = (metric, wait) => {
      if (model.data.asks || !model.choose(metric)) return; // the question is about the chosen one
      tell({ metric }, wait);
      document.dispatchEvent(new CustomEvent(CHOSEN, { detail: { metric, source: root } }));
    };
    const hear = ({ detail: { metric, source } }) => {
      if (source === root || model.data.asks || (metric !== null && !model.places.has(metric))) return;
      if (model.choose(metric)) tell({ metric });
    };

    const sentence = spoken("sentence"), names = new Names(model, choose), lines = new Lines(model, choose);
    const field = make("div", { class: "field" }, names.left, make("div", { class: "lines" }, lines.element), names.right);
    const placeOf = (name, column) => {
      const to = model.places.get(name)[column], from = before.get(name)?.[column] ?? to;
      return from + (to - from) * share;
    };
    const paint = () => {
      const letter = parseFloat(getComputedStyle(lines.element).fontSize), width = lines.element.parentElement.clientWidth;
      if (!width) return;
      const { unit } = roomOf(field), row = Math.max(20 * unit, names.tallest + 2), head = lines.headOf(width, letter * 0.62);
      const inType = (pixels) => `${pixels / unit / 16}rem`; // so that the figure is lower as soon as type is smaller
      field.style.setProperty("--row", inType(row));
      field.style.setProperty("--head", inType(head));
      lines.show({ width, head, row, letter, words: `Ranks by coefficient. ${sentence.textContent}` }, placeOf);
      for (const part of [field, below]) part.style.visibility = ""; // seen once it has its size, so that nothing moves
    };

    const note = make("p", { class: "note" }), files = filesOf(model, theme, () => sentence.textContent);
    const below = make("div", { class: "below" }, note, make("details", { class: "answer" }, make("summary", {}, "Save"), files));
    for (const part of [field, below]) part.style.visibility = "hidden";
    document.addEventListener(CHOSEN, hear);
    return {
      inFrames: true,
      fits: true,
      children: [sentence, field, below],
      show() {
        say(sentence, model.data.asks ? toldOf(model) : sentenceOf(model.data, model.chosen));
        const { asks, columns, metrics } = model.data, isLacking = metrics.some(({ ranks }) => ranks.includes(null));
        const star = columns.some(({ key }) => !asks && key === "acc_eq*") ? "; *: with each metric's best ε" : "";
        note.textContent = `Ranks: 1 is best${star}${isLacking ? "; ○ and –: undefined for this metric" : ""}.${asks ? "" : " Tap a name to follow it."}`;
        field.classList.toggle("two", model.data.columns.length === 2);
        names.show();
        paint();
      },
      take(data) {
        stop();
        before = model.take(data);
        const isMoved = (name) => before.get(name)?.some((place, i) => place !== model.places.get(name)[i]);
        share = data.metrics.some(({ name }) => isMoved(name)) ? 0 : 1;
        if (!share) stop = glide((part) => {
          share = part;
          paint();
        });
      },
      close() {
        stop();
        document.removeEventListener(CHOSEN, hear);
      },
    };
  });
}

// --------------------------------------------------------------------------------------------------------------------
// Which metric has which place in each column, and which one is chosen?

/** The state of the chart: its data, the chosen metric, and the place of every metric in every column. */
class Ranks extends Model {
  places = new Map(); // by name: the row in each column, the first being 0; no two metrics share one

  /** Take new data; the places before them are returned if the columns are the same. */
  take(data) {
    const before = JSON.stringify(this.data?.columns) === JSON.stringify(data.columns) ? this.places : new Map();
    super.take(data);
    this.places = placesOf(data);
    return before;
  }

  get chosen() {
    return this.data.metrics.find(({ name }) => name === this.data.metric) ?? null;
  }

  /** Choose a metric by its name; null for none. */
  choose(name) {
    if (name === this.data.metric) return false;
    this.data = { ...this.data, metric: name };
    this.changed();
    return true;
  }

  /** The metrics in the order of a column. */
  inOrder(column) {
    return this.data.metrics.toSorted((a, b) => this.places.get(a.name)[column] - this.places.get(b.name)[column]);
  }
}

/** The rows of all metrics in each column: the best on top, equal ranks in the order given, undefined ones last. */
function placesOf({ columns, metrics }) {
  const places = new Map(metrics.map(({ name }) => [name, []]));
  columns.forEach((_, column) => {
    const rank = (metric) => metric.ranks[column] ?? Infinity;
    const order = metrics.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
    order.forEach(({ name }, place) => places.get(name).push(place));
  });
  return places;
}

// --------------------------------------------------------------------------------------------------------------------
// How are the ranks drawn? One line per metric over the columns, the chosen one bold with its ranks in circles.

const MARGIN = 16, TURNED = 58; // pixels: left and right of the lines; between columns, below which headings are turned

/** The headings: Pearson's r and Spearman's ρ by their letters if two would touch in type of a size. */
function headingsOf(columns, size, middleOf) {
  const places = columns.map(({ label }, column) => [middleOf(label, column), 0.37 * label.length * size]);
  const isTight = places.some(([middle, half], at) => at && places[at - 1][0] + places[at - 1][1] + half > middle);
  return columns.map(({ label }) => (isTight ? label.replace(/^(Pearson|Spearman) /, "") : label));
}

class Lines extends View {
  #points = () => [];
  element = draw("svg", { role: "img" });

  /** The height of the headings in a picture of this width. */
  headOf(width, letter) {
    const longest = Math.max(...this.model.data.columns.map(({ label }) => label.length));
    return this.#isTurned(width) ? longest * letter + 14 : 2.4 * letter + 10;
  }

  #isTurned(width) {
    return this.#step(width) < TURNED;
  }

  #step(width) {
    return (width - 2 * MARGIN) / Math.max(1, this.model.data.columns.length - 1);
  }

  /** Draw all lines; `placeOf(name, column)` is a row, between two rows while lines move. */
  show({ width, head, row, letter, words }, placeOf) {
    const { asked, asks, columns, metrics } = this.model.data, chosen = this.model.chosen;
    const height = head + row * metrics.length, step = this.#step(width), turned = this.#isTurned(width);
    const x = (column) => (columns.length > 1 ? MARGIN + column * step : width / 2);
    this.#points = (name) => columns.map((_, column) => [x(column), head + row * (placeOf(name, column) + 0.5)]);
    set(this.element, { viewBox: `0 0 ${width} ${height}`, width, height, "aria-label": words });
    const seen = (column) => !asks || asked.includes(columns[column].key);
    const halfOf = (label) => Math.min(width, 0.6 * label.length * letter) / 2;
    const middleOf = (label, column) => Math.max(halfOf(label), Math.min(width - halfOf(label), x(column))); // inside the picture
    const labels = turned ? columns.map(({ label }) => label) : headingsOf(columns, letter, middleOf);
    const headings = labels.map((label, column) => {
      const middle = middleOf(label, column);
      const at = { x: middle, y: head - 10, class: seen(column) ? "heading" : "heading answer", "text-anchor": turned ? "start" : "middle" };
      if (turned) at.transform = `rotate(-90 ${x(column) + 0.35 * letter} ${head - 10})`;
      return draw("text", turned ? { ...at, x: x(column) + 0.35 * letter } : at, ...tspansOf(label));
    });
    const wanted = asks ? columns.findIndex(({ key }) => key === asked[1]) : -1;
    if (wanted >= 0) headings.push(draw("text", { x: x(wanted), y: height / 2, class: "told wanted" }, "?"));
    const rules = columns.map((_, column) => draw("path", { class: seen(column) ? "rule" : "rule answer", d: `M${x(column)} ${head}V${height}` }));
    const others = metrics.filter((metric) => metric !== chosen);
    const parts = [...others, ...(chosen ? [chosen] : [])].map((metric) => this.#line(metric, metric === chosen));
    this.element.classList.toggle("any", chosen !== null);
    this.element.replaceChildren(...rules, ...parts, ...headings);
  }

  #line(metric, isChosen) {
    const { asked, asks, columns } = this.model.data, points = this.#points(metric.name), known = metric.ranks.map((rank) => rank !== null);
    const told = columns.map(({ key }) => !asks || key === asked[0]); // where the chosen one stands out
    const seen = columns.map(({ key }) => !asks || asked.includes(key));
    const { solid, dashed } = pathsOf(points, known);
    const dots = points.map(([cx, cy], column) =>
      draw("circle", { cx, cy, r: isChosen && told[column] ? 11 : 3.5,
        class: `dot${known[column] ? "" : " open"}${told[column] ? "" : " untold"}${seen[column] ? "" : " answer"}` }));
    const ranks = points.map(([x, y], column) =>
      draw("text", { x, y, class: `rank${known[column] ? "" : " open"}${told[column] ? "" : " answer"}` }, String(metric.ranks[column] ?? "–")));
    const group = draw("g", { class: isChosen ? "metric chosen" : "metric", "data-name": metric.name },
      ...(asks ? [] : [draw("title", {}, metric.name)]),
      draw("path", { class: "hit answer", d: solid + dashed }),
      draw("path", { class: "line answer", d: solid }),
      draw("path", { class: "line dashed answer", d: dashed }), ...dots, ...(isChosen ? ranks : []),
      ...(isChosen && asks ? points.filter((_, column) => told[column])
        .map(([x, y]) => draw("text", { x: x + 16, y, class: "told" }, metric.short)) : []));
    group.onclick = () => this.act(isChosen ? null : metric.name);
    return group;
  }
}

// --------------------------------------------------------------------------------------------------------------------
// Which name belongs to which line? The names stand at both ends; those on the left are a list to choose from.

const STEPS = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

class Names extends View {
  left = make("div", { class: "names", role: "listbox", tabindex: "0", "aria-label": "Metrics" });
  right = make("div", { class: "names ends answer", "aria-hidden": "true" });

  constructor(model, choose) {
    super(model, choose);
    this.left.onkeydown = (event) => this.#press(event);
  }

  #press(event) {
    if (!isPlain(event) || (!(event.key in STEPS) && event.key !== "Escape")) return;
    keep(event);
    if (event.key === "Escape") return void this.act(null, QUIET);
    const order = this.model.inOrder(0), now = order.findIndex(({ name }) => name === this.model.data.metric);
    const to = now < 0 && event.key === "ArrowUp" ? order.length - 1 : now + STEPS[event.key];
    this.act(order[Math.max(0, Math.min(order.length - 1, to))].name, QUIET);
  }

  /** Write the names anew, in the order of the first and of the last column. */
  show() {
    const { columns } = this.model.data, last = columns.length - 1;
    set(this.left, this.model.data.asks ? { role: "presentation", tabindex: -1 } : { role: "listbox", tabindex: 0 });
    this.left.replaceChildren(...this.model.inOrder(0).map((metric, place) => this.#name(metric, 0, this.model.data.asks ? {} : { role: "option", id: `metric-${place}` })));
    this.right.replaceChildren(...this.model.inOrder(last).map((metric) => this.#name(metric, last, {})));
    const active = this.left.querySelector(".chosen");
    if (active) this.left.setAttribute("aria-activedescendant", active.id);
    else this.left.removeAttribute("aria-activedescendant");
  }

  #name(metric, column, attributes) {
    const { asked, asks, columns } = this.model.data, isChosen = !asks && metric === this.model.chosen, rank = String(metric.ranks[column] ?? "–");
    const label = make("span", { class: `label${asks && asked[0] === columns[0].key ? "" : " answer"}` }, ...(metric.mark ? [`${metric.mark} `] : []), metric.short);
    const name = make("div", { class: isChosen ? "name chosen" : "name", ...(asks ? {} : { title: metric.name }), ...attributes },
      make("span", { class: "place" }, rank), label);
    if (attributes.role) name.setAttribute("aria-selected", String(isChosen));
    name.onclick = () => this.act(isChosen ? null : metric.name);
    return name;
  }

  /** The height of the tallest name. */
  get tallest() {
    return Math.max(...[...this.left.querySelectorAll(".label")].map((label) => label.offsetHeight));
  }
}

// --------------------------------------------------------------------------------------------------------------------
// Which way does a metric's line take? From column to column, level at each; dashed where a rank is undefined.

/** Two paths through points in pixels, `known` saying which have a rank: the solid parts and the dashed ones. */
function pathsOf(points, known) {
  let solid = "", dashed = "";
  for (let i = 1; i < points.length; i++) {
    const [[x, y], [toX, toY]] = [points[i - 1], points[i]], middle = (x + toX) / 2;
    const part = `M${x} ${y}C${middle} ${y} ${middle} ${toY} ${toX} ${toY}`;
    if (known[i - 1] && known[i]) solid += part;
    else dashed += part;
  }
  return { solid, dashed };
}

// --------------------------------------------------------------------------------------------------------------------
// How does the chart get into a file? It is drawn once more, with a title and with the names of all metrics.

const WIDTH = 1000, ROW = 26, HEAD = 76, SIDE = 250, SIZE = 13;

/** Two buttons that save the chart as SVG and as PNG. */
function filesOf(model, theme, sentence) {
  return saveButtons("the chart of ranks", () => {
    theme.read();
    const { metrics, title } = model.data;
    return {
      draw: (pen) => drawRanks(pen, model, theme, sentence()),
      width: WIDTH, height: HEAD + ROW * metrics.length + 10, title, name: "ranks", ground: theme.ground,
    };
  });
}

function drawRanks(pen, model, theme, sentence) {
  const { columns, metrics, title } = model.data, chosen = model.chosen, last = columns.length - 1;
  const x = (column) => SIDE + (last ? (column * (WIDTH - 2 * SIDE)) / last : WIDTH / 2 - SIDE);
  const y = (metric, column) => HEAD + ROW * (model.places.get(metric.name)[column] + 0.5);
  pen.text(10, 16, title, { size: 16, bold: true, align: "left", fill: theme.ink });
  if (chosen) pen.text(10, 36, sentence, { size: SIZE, align: "left", fill: theme.ink });
  const headings = headingsOf(columns, SIZE, (_, column) => x(column));
  headings.forEach((label, column) => pen.text(x(column), HEAD - 14, label, { size: SIZE, bold: true, fill: theme.ink }));
  for (const metric of [...metrics.filter((one) => one !== chosen), ...(chosen ? [chosen] : [])]) {
    const bold = metric === chosen, stroke = bold ? theme.ink : theme.pale, width = bold ? 4 : 1;
    for (let column = 1; column <= last; column++) {
      const isKnown = metric.ranks[column - 1] !== null && metric.ranks[column] !== null;
      pen.line(x(column - 1), y(metric, column - 1), x(column), y(metric, column), { stroke, width, dash: isKnown ? [] : [4, 4] });
    }
    columns.forEach((_, column) => {
      const fill = metric.ranks[column] === null ? theme.ground : stroke;
      pen.circle(x(column), y(metric, column), bold ? 6 : 3, { fill, stroke });
    });
    const words = (column) => `${metric.ranks[column] ?? "–"}  ${metric.name}`;
    pen.text(x(0) - 14, y(metric, 0), words(0), { size: SIZE, bold, align: "right", fill: theme.ink });
    if (last) pen.text(x(last) + 14, y(metric, last), words(last), { size: SIZE, bold, align: "left", fill: theme.ink });
  }
}

// --------------------------------------------------------------------------------------------------------------------
// What is said of the chosen metric? Where its rank is best and where it is worst.

const MEANING = { acc_eq: ", the share of pairs that are right" };
const NOTHING = "Choose a metric: click a line or a name, or press the arrow keys in the list of names.";

/** A rank in words: 1st, 2nd, 3rd, 4th. */
function ordinal(number) {
  const ending = number % 100 >= 10 && number % 100 <= 20 ? "th" : { 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th";
  return `${number}${ending}`;
}

/** What is told while the reader is to guess. */
function toldOf({ data: { asked, columns, metrics, title }, chosen }) {
  const column = columns.findIndex(({ key }) => key === asked[0]);
  return chosen ? `${chosen.short} is ${ordinal(chosen.ranks[column])} of ${metrics.length} by ${columns[column].label}${MEANING[asked[0]] ?? ""}.` : `${title}.`;
}

/** A metric's best and worst ranks as a sentence. */
function sentenceOf(data, metric) {
  const { columns, metrics } = data;
  if (!metric) return NOTHING;
  const ranked = columns.map(({ label }, column) => ({ label, rank: metric.ranks[column], column }));
  const known = ranked.filter(({ rank }) => rank !== null), lacking = ranked.filter(({ rank }) => rank === null);
  const by = (found) => `${data.by} ${listed(found.map(({ label }) => label))}`;
  const without = lacking.length ? ` It has no rank ${by(lacking)}, which is undefined for it.` : "";
  if (!known.length) return `${metric.short} has no rank: every coefficient is undefined for it.`;
  const best = Math.min(...known.map(({ rank }) => rank)), worst = Math.max(...known.map(({ rank }) => rank));
  const of = (rank) => known.filter((one) => one.rank === rank);
  const number = metrics.filter(({ ranks }) => ranks[of(best)[0].column] !== null).length;
  if (best === worst) return `${metric.short} is ${ordinal(best)} of ${number} ${by(known)}.${without}`;
  return `${metric.short} is ${ordinal(best)} of ${number} ${by(of(best))}, but ${ordinal(worst)} ${by(of(worst))}.${without}`;
}
