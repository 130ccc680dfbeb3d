// What stands there? The elements of the toy lab's moving part; what they show is for showing.js.

/** An element with its attributes, listeners (on…) and children. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element[name] = value;
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

class Built {
  build() {
    this.slider = make("input", {
      type: "range", min: 0, step: 1, id: "epsilon", "aria-describedby": "epsilon-help",
      oninput: () => this.setEpsilon(this.candidates[this.slider.value]),
      onpointerdown: () => void (this.sliding = true), // a handler that returns false would stop the drag
      onpointerup: () => this.letGo(),
      onpointercancel: () => this.letGo(),
      onlostpointercapture: () => this.letGo(),
      onkeydown: () => void (this.byKey = true),
      onchange: () => this.tell({ epsilon: this.epsilon }, this.byKey ? QUIET : 0),
    });
    this.exact = make("output", { for: "epsilon", class: "exact" });
    this.values = make("table", { class: "values" });
    this.legend = make("ul", { class: "counts" });
    this.matrices = make("div", { class: "cards" });
    this.scatters = make("div", { class: "cards" });
    this.why = make("p", { class: "why", "aria-live": "polite" });
    this.sentence = make("div", { class: "sentence", "aria-live": "polite" });
    this.picker = make("select", { id: "pair", onchange: () => this.pick() });
    this.root.replaceChildren(
      make("div", { class: "bar-top" },
        make("div", { class: "epsilon" },
          make("label", { for: "epsilon" }, "ε ="), this.exact, this.slider,
          make("span", { id: "epsilon-help", class: "note" }, "Drag it: scores at most ε apart are tied by the metric.")),
        make("div", { class: "chosen" }, make("label", { for: "pair" }, "A pair:"), this.picker, this.stepper())),
      this.legend,
      make("div", { class: "stage" },
        this.matrices, this.sentence,
        make("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Coefficients of every metric" },
          this.values, this.why)),
      this.scatters,
    );
  }

  /** The buttons that count pairs one at a time. */
  stepper() {
    const button = (label, words, action) =>
      make("button", { type: "button", "aria-label": words, title: words, onclick: action }, label);
    this.play = button("Play", "Count on by itself", () => this.run());
    this.where = make("output", { class: "where", "aria-live": "polite" });
    const group = make("div", {
      class: "steps", role: "group", "aria-label": "Count the pairs one at a time",
      onkeydown: (event) => {
        const to = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
        if (!to) return;
        event.preventDefault();
        this.go((this.step ?? this.pairs.first.length) + to);
      },
    });
    this.all = button("All", "Count all pairs at once", () => this.go(null));
    group.append(
      button("Step", "Start counting pair by pair", () => this.go(0)),
      button("◀", "One pair back", () => this.go((this.step ?? this.pairs.first.length) - 1)),
      button("▶", "One pair on", () => this.go((this.step ?? 0) + 1)),
      this.play, this.all, this.where,
    );
    return group;
  }

  listPairs() {
    const options = [make("option", { value: "" }, "none")];
    this.pairs.first.forEach((i, p) =>
      options.push(make("option", { value: p }, `${i + 1} and ${this.pairs.second[p] + 1}`)));
    this.picker.replaceChildren(...options);
  }

  /** The table of coefficients and the metrics' cards, made anew where metrics have come or gone. */
  arrange() {
    const key = JSON.stringify(this.metrics.map(({ name }) => name));
    if (key !== this.key) {
      this.key = key;
      this.views = this.metrics.map(() => ({ numbers: {}, bars: {}, effects: {} }));
      const head = make("tr", {}, make("th", { scope: "col" }, "coefficient"));
      for (const { name } of this.metrics) head.append(make("th", { scope: "col" }, name));
      this.values.replaceChildren(
        make("caption", {}, "Every coefficient of every metric; ★ the best"),
        make("thead", {}, head),
        make("tbody", {}, ...this.data.coefficients.map((coefficient) => this.row(coefficient))),
      );
      this.legend.replaceChildren(
        ...this.style.kinds.map(({ label }, kind) => make("li", {}, this.mark(kind), label)));
      this.matrices.replaceChildren(...this.metrics.map(({ name }, at) => this.pairsCard(name, at)));
      this.scatters.replaceChildren(...this.metrics.map(({ name }, at) => this.scoresCard(name, at)));
    }
    this.metrics.forEach((metric, at) => (metric.view = this.views[at]));
  }

  row({ name, label }) {
    const [letter, below] = label.split("_");
    const row = make("tr", {}, make("th", { scope: "row" }, letter, ...(below ? [make("sub", {}, below)] : [])));
    this.metrics.forEach(({ name: metric }, at) => {
      const bar = make("i"), number = make("b"), effect = make("em"), view = this.views[at];
      [view.bars[name], view.numbers[name], view.effects[name]] = [bar, number, effect];
      const place = make("span", { class: "bar", "aria-hidden": "true" }, bar);
      row.append(make("td", { "data-coefficient": name, "data-metric": metric }, place, number, effect));
    });
    return row;
  }

  pairsCard(name, at) {
    const view = this.views[at];
    view.right = make("p", { class: "right" });
    view.counts = this.style.kinds.map(({ kind }) => make("b", { "data-kind": kind, "data-metric": name }));
    const counts = view.counts.map((cell, kind) => make("li", {}, this.mark(kind), cell));
    view.matrix = this.canvas("matrix", at);
    return make("section", { class: "card", "aria-label": `Pairs of ${name}` },
      make("h3", {}, name), view.right, view.matrix, make("ul", { class: "counts" }, ...counts), this.files("matrix", at));
  }

  /** The coloured glyph of a kind of pairs. */
  mark(kind) {
    const { glyph, label, colour, on } = this.style.kinds[kind];
    const mark = make("span", { class: "glyph", role: "img", "aria-label": label }, glyph);
    Object.assign(mark.style, { background: colour, color: on });
    return mark;
  }

  scoresCard(name, at) {
    const view = this.views[at];
    view.scatter = this.canvas("scatter", at);
    view.table = make("table", { class: "wmt" });
    return make("section", { class: "card", "aria-label": `Scores of ${name}` },
      make("h3", {}, `${name}: drag a point`), view.scatter, this.files("scatter", at), view.table);
  }

  canvas(picture, at) {
    const canvas = make("canvas", { tabindex: 0, role: "application", class: picture });
    canvas.onpointerdown = (event) => this.press(picture, at, event);
    canvas.onpointermove = (event) => this.drag(event);
    canvas.onpointerup = canvas.onpointercancel = canvas.onlostpointercapture = (event) => this.release(event);
    canvas.onkeydown = (event) => this.pressKey(picture, at, event);
    return canvas;
  }

  files(picture, at) {
    const save = (type, words) =>
      make("button", { type: "button", class: "save", onclick: () => this.save(picture, at, type),
        "aria-label": `Save this picture of ${this.metrics[at].name} as ${words}` }, words);
    return make("p", { class: "files" }, save("svg", "SVG"), save("png", "PNG"));
  }
}
