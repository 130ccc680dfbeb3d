// What do the elements show? Numbers, sentences and pictures of the present state, in the next frame.

class Shown extends Built {
  /** Show everything in the next frame. */
  draw() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      if (!this.data) return;
      this.look();
      this.write();
      for (const metric of this.metrics) for (const picture of ["matrix", "scatter"]) this.paint(metric, picture);
    });
  }

  look() {
    const colours = getComputedStyle(this.root);
    this.style.ink = colours.color;
    this.style.ground = colours.getPropertyValue("--st-background-color").trim() || "#FFFFFF";
    this.style.pale = colours.getPropertyValue("--pale").trim();
    this.style.font = Math.round(parseFloat(colours.fontSize) * 0.85);
  }

  write() {
    this.exact.textContent = String(this.epsilon);
    this.slider.setAttribute("aria-valuetext", `ε = ${this.epsilon}`);
    this.slider.disabled = this.candidates.length < 2;
    const best = {};
    for (const { name } of this.data.coefficients)
      best[name] = Math.max(...this.metrics.map(({ results }) => results[name]).filter((value) => !Number.isNaN(value)));
    const effects = this.effects();
    this.metrics.forEach((metric, at) => {
      const values = this.data.coefficients.map(({ name }) => metric.results[name]);
      this.data.coefficients.forEach(({ name }, place) => {
        const value = values[place], number = metric.view.numbers[name];
        const others = this.metrics.some(({ results }) => results[name] < best[name]);
        number.textContent = written(value) + (others && value === best[name] ? " ★" : "");
        number.dataset.value = value;
        const bar = metric.view.bars[name].style;
        bar.left = `${50 + 50 * Math.min(value || 0, 0)}%`;
        bar.width = `${50 * Math.abs(value || 0)}%`;
        metric.view.effects[name].textContent = effects[at][name] ?? "";
      });
      const total = metric.totals.reduce((sum, pairs) => sum + pairs, 0);
      metric.view.right.textContent = `${total} pairs, ${metric.totals[0] + metric.totals[4]} right`;
      metric.view.counts.forEach((cell, kind) => (cell.textContent = metric.totals[kind]));
      this.tabulate(metric);
    });
    this.explain();
    this.picker.value = this.pair ? placeOf(...this.pair, this.human.length) : "";
    this.describe();
  }

  tabulate(metric) {
    const table = tabulate(this.human, metric.scores, this.pairs, metric.kinds, metric.upTo);
    const kinds = [[0, 3, 1], [2, 4, 2], [1, 3, 0]];
    if (!metric.view.table.rows.length) {
      const head = make("tr", {}, make("th", { scope: "col" }, "human \\ metric"));
      for (const sign of "<=>") head.append(make("th", { scope: "col" }, sign));
      metric.view.table.append(make("caption", {}, "The WMT table of its pairs"), make("thead", {}, head));
      table.forEach((_, row) => {
        const line = make("tr", {}, make("th", { scope: "row" }, "<=>"[row]));
        for (const kind of kinds[row]) {
          const cell = make("td"), { colour, on } = this.style.kinds[kind];
          Object.assign(cell.style, { background: colour, color: on });
          line.append(cell);
        }
        metric.view.table.append(line);
      });
    }
    table.forEach((line, row) => line.forEach((pairs, column) => {
      const cell = metric.view.table.rows[row + 1].cells[column + 1];
      cell.textContent = `${this.style.kinds[kinds[row][column]].glyph} ${pairs}`;
    }));
  }

  /** Why coefficients are undefined, in one place. */
  explain() {
    const lines = this.metrics.flatMap((metric) => {
      const missing = this.data.coefficients.filter(({ name }) => Number.isNaN(metric.results[name]));
      if (!missing.length) return [];
      const labels = missing.map(({ label }) => label).join(", ");
      return [`Undefined for ${metric.name}, as ${whyUndefined(metric.totals)}: ${labels}.`];
    });
    if (this.step !== null) lines.push("Counted so far; n, k, r and ρ are those of all scores.");
    if (this.why.textContent !== lines.join(" ")) this.why.textContent = lines.join(" ");
  }

  /** What each coefficient does with the chosen pair, for every metric. */
  effects() {
    return this.metrics.map((metric) => {
      if (!this.pair) return {};
      const kind = metric.kinds[placeOf(...this.pair, this.human.length)];
      if (kind === NO_PAIR) return {};
      return Object.fromEntries(this.data.coefficients.map(({ name, effects }) => [name, effects?.[KINDS[kind]]]));
    });
  }

  /** One sentence for each metric on the chosen pair: what the human says, what the metric says. */
  describe() {
    const lines = this.pair ? this.metrics.map((metric) => this.sentenceOn(metric)) : [
      "Choose a pair in the list, in a matrix or by two points of a scatter: it lights up everywhere."];
    const text = lines.join("\n");
    if (text === this.said) return;
    this.said = text;
    this.sentence.replaceChildren(...lines.map((line) => make("p", {}, line)));
  }

  sentenceOn(metric) {
    const [i, j] = this.pair;
    const kind = metric.kinds[placeOf(i, j, this.human.length)];
    const items = `Items ${i + 1} and ${j + 1}`;
    if (kind === NO_PAIR) {
      const item = [i, j].find((one) => this.human[one] === null || metric.scores[one] === null);
      return `${items}: item ${item + 1} has no score by the human or by ${metric.name}, so the pair is left out.`;
    }
    const order = (a, b) => `${a} ${a === b ? "=" : a < b ? "<" : ">"} ${b}`;
    const [a, b] = [metric.scores[i], metric.scores[j]];
    const apart = Number(Math.abs(a - b).toPrecision(DIGITS));
    const near = a !== b ? `, ${apart} apart, ${kind >= 3 ? "at most" : "more than"} ε` : "";
    const { label, symbol } = this.style.kinds[kind];
    return `${items}: human ${order(this.human[i], this.human[j])}; ${metric.name} ${order(a, b)}${near}: ` +
      `${label} (${symbol}).`;
  }

  // -------------------------------------------------------------------------------------------------------- pictures

  viewOf(metric, picture) {
    const shared = { style: this.style, pair: this.pair, kinds: metric.kinds };
    if (picture === "matrix") return { ...shared, n: this.human.length, pairs: this.pairs, upTo: metric.upTo };
    const axes = this.held?.axes ?? { human: axisOf(this.human), metric: axisOf(metric.scores) };
    const kind = this.pair ? metric.kinds[placeOf(...this.pair, this.human.length)] : undefined;
    const { name, scores } = metric;
    return { ...shared, axes, kind, name, human: this.human, metric: scores, epsilon: this.epsilon, chosen: metric.view.item };
  }

  paint(metric, picture) {
    const canvas = metric.view[picture], size = canvas.clientWidth;
    if (!size) return;
    const sharp = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(size * sharp)) canvas.width = canvas.height = Math.round(size * sharp);
    const context = canvas.getContext("2d");
    context.setTransform(sharp, 0, 0, sharp, 0, 0);
    context.clearRect(0, 0, size, size);
    (picture === "matrix" ? drawMatrix : drawScatter)(canvasPen(context), size, this.viewOf(metric, picture));
    canvas.setAttribute("aria-label", this.altOf(metric, picture));
  }

  altOf(metric, picture) {
    if (picture === "matrix") {
      const words = this.style.kinds.map(({ label }, kind) => `${metric.totals[kind]} ${label}`).join(", ");
      return `Pairs of ${metric.name}: ${words}. Arrow keys choose a pair.`;
    }
    const item = metric.view.item;
    const here = item === undefined ? "" :
      ` Item ${item + 1}: human ${this.human[item]}, ${metric.name} ${metric.scores[item]}.`;
    return `Scores of ${metric.name} against the human's.${here} Page Up and Page Down choose an item, arrow keys move it.`;
  }

  save(picture, at, type) {
    const metric = this.metrics[at], size = 600;
    const name = `${metric.name}-${picture}.${type}`.replace(/[^\w.-]+/g, "_");
    const paint = (pen) =>
      (picture === "matrix" ? drawMatrix : drawScatter)(pen, size, this.viewOf(metric, picture));
    const offer = (blob) => {
      const link = make("a", { href: URL.createObjectURL(blob), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    };
    if (type === "svg") {
      const pen = svgPen(size, size);
      pen.rect(0, 0, size, size, { fill: this.style.ground });
      paint(pen);
      return offer(new Blob([pen.file(this.altOf(metric, picture))], { type: "image/svg+xml" }));
    }
    const canvas = make("canvas", { width: 2 * size, height: 2 * size }), context = canvas.getContext("2d");
    context.scale(2, 2);
    const pen = canvasPen(context);
    pen.rect(0, 0, size, size, { fill: this.style.ground });
    paint(pen);
    return canvas.toBlob(offer);
  }
}
