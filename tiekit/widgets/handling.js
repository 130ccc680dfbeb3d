// What do pointer and keyboard do in the pictures? Pairs are chosen, points are moved.

const SLACK = 4; // pixels that a hand trembles

class Handled extends Shown {
  press(picture, at, event) {
    const canvas = event.currentTarget, metric = this.metrics[at];
    const [x, y] = [event.offsetX, event.offsetY], size = canvas.clientWidth;
    if (picture === "matrix") {
      const pair = pairAt(x, y, this.human.length, size);
      if (pair) this.choose(pair);
      return;
    }
    const view = this.viewOf(metric, picture);
    const points = pointsOf(view, size);
    const away = points.map((point) => (point ? Math.hypot(point[0] - x, point[1] - y) : Infinity));
    const item = away.indexOf(Math.min(...away));
    if (!(away[item] <= 24)) return;
    canvas.setPointerCapture(event.pointerId);
    const offset = [
      acrossOf(this.human[item], view.axes.human, size) - x,
      upOf(metric.scores[item], view.axes.metric, size) - y,
    ];
    const [human, score] = [this.human[item], metric.scores[item]];
    this.held = { at, item, x, y, offset, size, axes: view.axes, human, score, moved: false };
  }

  drag(event) {
    const held = this.held;
    if (!held) return;
    const [across, up] = [event.offsetX - held.x, event.offsetY - held.y];
    held.moved ||= Math.hypot(across, up) > SLACK;
    if (!held.moved) return;
    const inside = (value, { low, high }) => Math.max(low, Math.min(high, value));
    const human = inside(scoreAcross(event.offsetX + held.offset[0], held.axes.human, held.size), held.axes.human);
    const score = inside(scoreUp(event.offsetY + held.offset[1], held.axes.metric, held.size), held.axes.metric);
    const { at, item } = held;
    this.move(at, item, Math.abs(across) > SLACK ? human : null, Math.abs(up) > SLACK ? score : null, event.shiftKey);
  }

  release(event) {
    const held = this.held;
    if (!held) return;
    this.held = null;
    const metric = this.metrics[held.at];
    if (held.moved && event.type !== "pointerup") {
      this.human = this.human.with(held.item, held.human);
      metric.scores = metric.scores.with(held.item, held.score);
      this.measure();
      this.count();
    } else if (held.moved) {
      const moved = [this.human[held.item] !== held.human, metric.scores[held.item] !== held.score];
      this.moved(held.at, held.item, ...moved, 0);
    } else {
      const first = metric.view.item;
      metric.view.item = held.item;
      if (first !== undefined && first !== held.item) this.choose([first, held.item].sort((a, b) => a - b));
      else this.draw();
    }
    this.catchUp();
  }

  /** The slider is free again. */
  letGo() {
    this.sliding = this.byKey = false;
    setTimeout(() => this.catchUp()); // after the change itself, if there is one
  }

  /** Give an item new scores, on a grid as fine as the scores themselves; null leaves one as it is. */
  move(at, item, human, score, fine) {
    const snap = (value, scores) => {
      const step = gridOf(scores) / (fine ? 10 : 1);
      return Number((Math.round(value / step) * step).toPrecision(DIGITS));
    };
    const metric = this.metrics[at], held = this.held;
    const [h, m] = [held?.human ?? this.human[item], held?.score ?? metric.scores[item]];
    this.human = this.human.with(item, human === null ? h : snap(human, this.data.human));
    metric.scores = metric.scores.with(item, score === null ? m : snap(score, this.data.metrics[at].scores));
    this.measure();
    if (this.epsilon > this.candidates.at(-1)) this.epsilon = this.candidates.at(-1);
    this.count();
  }

  /** Python writes what has moved into the text lines. */
  moved(at, item, human, score, wait) {
    const metric = this.metrics[at], scores = {};
    if (human) scores.h = { [item]: this.human[item] };
    if (score) scores[`m${metric.slot}`] = { [item]: metric.scores[item] };
    if (human || score) this.tell({ scores }, wait);
  }

  pressKey(picture, at, event) {
    const metric = this.metrics[at], n = this.human.length;
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [0, 0];
    if (picture === "matrix") {
      if (!dx && !dy) return;
      const [i, j] = this.pair ?? [0, 0];
      const [a, b] = this.pair ? [i - dy, j + dx] : [0, 1];
      if (a >= 0 && b < n && a < b) this.choose([a, b]);
    } else if (event.key === "PageUp" || event.key === "PageDown") {
      const known = this.human.map((_, item) => item).filter((one) => this.human[one] !== null && metric.scores[one] !== null);
      const [now, by] = [known.indexOf(metric.view.item), event.key === "PageUp" ? -1 : 1];
      metric.view.item = known.at(now < 0 ? (by > 0 ? 0 : -1) : (now + by) % known.length);
      this.draw();
    } else if (metric.view.item !== undefined && (dx || dy)) {
      const item = metric.view.item, part = event.shiftKey ? 10 : 1;
      const human = dx ? this.human[item] + (dx * gridOf(this.data.human)) / part : null;
      const score = dy ? metric.scores[item] + (dy * gridOf(this.data.metrics[at].scores)) / part : null;
      this.move(at, item, human, score, event.shiftKey);
      this.moved(at, item, dx !== 0, dy !== 0, QUIET);
    } else return;
    event.preventDefault();
    event.stopPropagation(); // in lecture mode the same keys go to the next example
  }
}

/** The step of a drag: as fine as the scores are written, but no finer than a hundredth of their range. */
function gridOf(scores) {
  const known = scores.filter((score) => score !== null);
  const range = Math.max(...known) - Math.min(...known) || Math.abs(known[0]) || 1;
  const decimals = (score) => {
    const [digits, exponent] = String(score).split("e");
    return (digits.split(".")[1]?.length ?? 0) - (exponent ?? 0);
  };
  const finest = Math.max(...known.map(decimals));
  return Math.max(10 ** -finest, 10 ** Math.floor(Math.log10(range / 10)));
}
