// Which metric has which place in each column, and which one is chosen?

/** The state of the chart: its data, the chosen metric, and the place of every metric in every column. */
export class Model {
  #views = [];
  data = null;
  places = new Map(); // by name: the row in each column, the first being 0; no two metrics share one

  subscribe(view) {
    this.#views.push(view);
  }

  /** Take new data; the places before them are returned if the columns are the same. */
  take(data) {
    const before = JSON.stringify(this.data?.columns) === JSON.stringify(data.columns) ? this.places : new Map();
    this.data = data;
    this.places = placesOf(data);
    this.changed();
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

  changed() {
    for (const view of this.#views) view();
  }
}

/** The rows of all metrics in each column: the best on top, equal ranks in the order given, undefined ones last. */
export function placesOf({ columns, metrics }) {
  const places = new Map(metrics.map(({ name }) => [name, []]));
  columns.forEach((_, column) => {
    const rank = (metric) => metric.ranks[column] ?? Infinity;
    const order = metrics.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
    order.forEach(({ name }, place) => places.get(name).push(place));
  });
  return places;
}
