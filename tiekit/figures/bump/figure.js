// How does the rank of each metric change from coefficient to coefficient? Lines over columns, one of them chosen.
//
// Other parts of the document hear of the choice, and can make it, by the event that `CHOSEN` names.

import { Theme } from "../shared/canvas.js";
import { make } from "../shared/elements.js";
import { Model, mount, say, spoken } from "../shared/mount.js";
import { filesOf, glide, Lines, Names, sentenceOf } from "./view.js";

const CHOSEN = "tiekit-metric"; // the detail of the event: metric, a name or null, and source, whoever sent it

/** Open the chart, whose data hold columns (key, label), metrics (name, mark, ranks), metric (a name or null), title. */
export function openFigure(host) {
  const model = new Ranks();
  return mount(host, "bump", model, ({ root, tell }) => {
    const theme = new Theme(root);
    let before = new Map(), share = 1, stop = () => {};
    const choose = (metric, wait) => {
      if (!model.choose(metric)) return;
      tell({ metric }, wait);
      document.dispatchEvent(new CustomEvent(CHOSEN, { detail: { metric, source: root } }));
    };
    const hear = ({ detail: { metric, source } }) => {
      if (source === root || (metric !== null && !model.places.has(metric))) return;
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
      const row = Math.max(26, names.tallest + 4), head = lines.headOf(width, letter * 0.62);
      field.style.setProperty("--row", `${row}px`);
      field.style.setProperty("--head", `${head}px`);
      lines.show({ width, head, row, letter, words: `Ranks by coefficient. ${sentence.textContent}` }, placeOf);
    };

    document.addEventListener(CHOSEN, hear);
    return {
      inFrames: true,
      fits: true,
      children: [sentence, field, make("div", { class: "below" }, make("p", { class: "note" },
        "Ranks: 1 is best. Equal ranks stand one below the other; ○ and – are undefined."),
        filesOf(model, theme, () => sentence.textContent))],
      show() {
        say(sentence, sentenceOf(model.data, model.chosen));
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
