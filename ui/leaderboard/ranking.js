// How is a leaderboard shown and sorted? A first press on a heading puts the best on top, a second one turns it around.

const HIGHER = "▲", LOWER = "▼";
const SIGNS = { "★": "best of its column", "(1)": "rank", "†": "mean over fewer groups than others have", "‡": "ε* ties 90 % of the pairs or more, nearly a constant metric", "◆": "baseline", "✚": "added by you" };
const CHOSEN = "tiekit-metric"; // the event by which the chart of ranks and the table tell one another what is chosen

/** An element with a class, attributes and children. */
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined && value !== null) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Words in which indices of coefficients are below the line. */
function wordsWithIndex(words) {
  const parts = words.split(/(?<=τ|acc)_(eq|[abc]|\d+)/);
  return parts.map((part, at) => (at % 2 ? make("sub", {}, make("span", { class: "stroke" }, "_"), part) : part));
}

/** Rows in the order of a column's places, those without a place last; turned around on request. */
function ordered(rows, column, turned) {
  const place = (row) => (column === "" ? row.order : row.cells[column].place);
  const known = rows.filter((row) => place(row) !== null), others = rows.filter((row) => place(row) === null);
  known.sort((a, b) => (turned ? place(b) - place(a) : place(a) - place(b)) || a.order - b.order);
  return [...known, ...others];
}

function cellOf(cell) {
  const number = make("span", { class: cell.isBest ? "best" : undefined }, cell.text);
  const found = make("td", { title: cell.title }, number);
  if (cell.below) found.append(make("span", { class: "below" }, cell.below));
  return found;
}

function nameOf(row) {
  const name = make("th", { scope: "row" }, row.mark ? make("span", { class: "mark" }, row.mark) : "", row.short ?? row.name);
  name.title = row.name;
  return name;
}

class Ranking {
  constructor(element) {
    this.element = element;
    this.column = null;
    this.turned = false;
    this.said = []; // orders that were chosen here and that the page has not repeated
    this.isWhole = false; // whether all rows are shown where there are many
    this.hear = ({ detail: { metric, source } }) => {
      if (!this.element.isConnected) document.removeEventListener(CHOSEN, this.hear);
      else if (source !== this && this.data.chosen !== undefined) {
        this.data.chosen = metric;
        this.draw();
      }
    };
    new ResizeObserver(() => this.hint()).observe(element);
  }

  take(data) {
    if (JSON.stringify(data) === this.known) return;
    this.known = JSON.stringify(data);
    this.data = data;
    document.addEventListener(CHOSEN, this.hear);
    const own = this.said.indexOf(data.sort);
    if (own >= 0) this.said.splice(0, own + 1); // an order that was chosen here; a later one may be on its way
    else if (data.sort !== this.given) this.order(data.sort);
    this.given = data.sort;
    if (!data.columns.some((column) => column.key === this.column)) this.order("");
    this.draw();
  }

  /** Take an order from the page's address; an empty one is that of the column by which metrics are ranked. */
  order(text) {
    this.turned = text.startsWith(this.data.turned);
    this.column = (this.turned ? text.slice(this.data.turned.length) : text) || this.data.sorted;
  }

  sort(key) {
    this.turned = this.column === key && !this.turned;
    this.column = key;
    const order = key === this.data.sorted && !this.turned ? "" : (this.turned ? this.data.turned : "") + key;
    this.said.push(order);
    this.say?.("order", order);
    this.draw();
    this.element.querySelector(`[data-key="${CSS.escape(key)}"]`).focus();
  }

  heading(column) {
    const sorted = this.column === column.key;
    const button = make("button", { "data-key": column.key, title: column.help || undefined }, ...wordsWithIndex(column.label));
    button.append(make("span", { class: "arrow", "aria-hidden": "true" }, sorted ? (this.turned ? HIGHER : LOWER) : ""));
    button.onclick = () => this.sort(column.key);
    const order = sorted ? (this.turned ? "ascending" : "descending") : "none";
    return make("th", { scope: "col", "aria-sort": order }, button);
  }

  /** Choose a metric, here and in the chart; a second press takes the choice back. */
  choose(name) {
    this.data.chosen = this.data.chosen === name ? null : name;
    document.dispatchEvent(new CustomEvent(CHOSEN, { detail: { metric: this.data.chosen, source: this } }));
    this.draw();
  }

  /** Show the button that scrolls sideways while there is more to the right. */
  hint() {
    const wide = this.element.querySelector(".wide"), more = this.element.querySelector(".more");
    if (wide) more.hidden = wide.scrollLeft + wide.clientWidth > wide.scrollWidth - 4;
  }

  /** The rows that are shown: where there are many the first ones, those that are new, and the chosen one. */
  shown(all) {
    const { few, chosen } = this.data;
    if (!few || this.isWhole || all.length <= few + 2) return all;
    return all.filter((row, place) => place < few || row.isNew || row.name === chosen);
  }

  /** The line that says how many rows are left out before a row that is shown. */
  gap(number) {
    const words = `… ${number} ${number === 1 ? "metric" : "metrics"} not shown`;
    return make("tr", { class: "gap" }, make("td", { colspan: this.data.columns.length }, words));
  }

  /** What the signs in the table mean, those that stand in it. */
  legend() {
    const { columns, rows, note } = this.data;
    const cells = rows.flatMap((row) => [row.mark, ...columns.slice(1).map(({ key }) => row.cells[key].text)]).join(" ");
    const signs = Object.entries(SIGNS).filter(([sign]) => cells.includes(sign)).map(([sign, words]) => `${sign} ${words}`);
    return [...(note ? [note] : []), ...signs].join(" · ");
  }

  /** The button that shows all rows, or the first ones again. */
  whole(number) {
    const { few } = this.data;
    if (!few || number <= few + 2) return "";
    const words = this.isWhole ? `Show the first ${few} metrics` : `Show all ${number} metrics`;
    const button = make("button", { class: "whole", type: "button", "aria-expanded": String(this.isWhole) }, words);
    button.onclick = () => {
      this.isWhole = !this.isWhole;
      this.draw();
      this.element.querySelector(".whole").focus();
    };
    return button;
  }

  draw() {
    const { columns, rows, alt, large, tested, chosen } = this.data;
    const left = this.element.querySelector(".wide")?.scrollLeft ?? 0;
    const body = make("tbody", {});
    let last = null;
    const all = ordered(rows, this.column, this.turned);
    let before = -1;
    for (const row of this.shown(all)) {
      const place = all.indexOf(row), skipped = place - before - 1;
      if (skipped) body.append(this.gap(skipped));
      before = place;
      const cluster = this.column === tested && tested ? row.cells.cluster.place : null;
      const isChosen = chosen !== undefined && row.name === chosen;
      const classes = [row.isNew && "new", isChosen && "chosen", last !== null && cluster !== null && cluster !== last && "begins"];
      last = cluster;
      const line = make("tr", { class: classes.filter(Boolean).join(" ") || undefined }, nameOf(row));
      if (isChosen) line.setAttribute("aria-current", "true");
      if (chosen !== undefined) line.onclick = () => this.choose(row.name);
      for (const column of columns.slice(1)) line.append(cellOf(row.cells[column.key]));
      body.append(line);
    }
    const head = make("thead", {}, make("tr", {}, ...columns.map((column) => this.heading(column))));
    const table = make("table", { class: large ? "large" : undefined }, make("caption", {}, alt), head, body);
    const wide = make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Leaderboard" }, table);
    const more = make("button", { class: "more", type: "button", hidden: "" }, "More columns →");
    more.onclick = () => wide.scrollBy({ left: wide.clientWidth / 2, behavior: "smooth" });
    wide.onscroll = () => this.hint();
    const above = make("div", { class: "above" }, make("p", { class: "legend" }, this.legend()), more);
    this.element.replaceChildren(above, wide, this.whole(rows.length));
    wide.scrollLeft = left;
    this.hint();
  }
}

export default function ({ parentElement, data, setStateValue }) {
  const element = parentElement.querySelector(".ranking");
  element.hosted ??= new Ranking(element);
  element.hosted.say = setStateValue ?? element.hosted.say;
  element.hosted.take(data);
}
