// The toy lab's moving part: epsilon, scores, a chosen pair and the step move everything here, without the server.
// Python hears of a change on release, through the state `said`, and answers with data that carry the serial of what it
// heard. Only the last state reaches it, so each one repeats all changes that have not been heard yet.

const DIGITS = 12; // of a score that was dragged, so that no rounding of the arithmetic shows
const QUIET = 500; // milliseconds after the last key until Python hears of it

export default function (component) {
  const root = component.parentElement.querySelector(".lab");
  root.lab ??= new Lab(root);
  root.lab.take(component.data, component.setStateValue);
  return () => setTimeout(() => root.isConnected || root.lab.leave());
}

class Lab extends Handled {
  constructor(root) {
    super();
    this.root = root;
    this.serial = 0; // of the last change that was sent
    this.unheard = []; // changes that were sent, with their serials
    this.unsaid = null; // a change that is not sent yet
    this.pair = null; // two items, counted from 0
    this.step = null; // pairs counted so far; null for all
    this.held = null; // the point that is being dragged
    this.build();
    new ResizeObserver(() => this.draw()).observe(root);
    root.addEventListener("focusout", (event) => root.contains(event.relatedTarget) || this.say());
  }

  // ------------------------------------------------------------------------------------------ from and to Python

  take(data, send) {
    this.send = send ?? this.send;
    this.pending = undefined;
    if (this.held || this.sliding) return void (this.pending = data);
    this.unheard = this.unheard.filter(({ serial }) => serial > data.serial);
    this.serial = Math.max(this.serial, data.serial);
    if (this.unsaid) return this.say();
    if (this.unheard.length) return;
    const before = this.data, scores = JSON.stringify([data.human, data.metrics]);
    if (scores !== this.scores) this.stop();
    const pair = this.playing ? this.pair : data.pair, step = this.playing ? this.step : data.step;
    Object.assign(this, { data, scores, epsilon: data.epsilon, human: data.human, style: data.style });
    this.metrics = data.metrics.map(({ name, slot, scores: known }) => ({ name, slot, scores: known }));
    this.root.classList.toggle("large", data.large);
    this.pairs = listPairs(this.human.length);
    if (before?.human.length !== this.human.length) this.listPairs();
    this.pair = pair && pair[1] < this.human.length ? pair : null;
    this.step = step === null ? null : Math.min(step, this.pairs.first.length);
    this.steps();
    this.measure();
    this.arrange();
    for (const { view, scores: known } of this.metrics)
      if ((this.human[view.item] ?? null) === null || (known[view.item] ?? null) === null) view.item = undefined;
    this.count();
  }

  /** What came while something was held. */
  catchUp() {
    if (this.pending) this.take(this.pending);
  }

  leave() {
    this.stop();
  }

  /** Tell Python: at once after a drag, else when the keys have come to rest. */
  tell(change, wait = 0) {
    this.unsaid = merged(this.unsaid, change);
    clearTimeout(this.waiting);
    if (wait) this.waiting = setTimeout(() => this.say(), wait);
    else this.say();
  }

  say() {
    clearTimeout(this.waiting);
    if (!this.unsaid) return;
    this.unheard.push({ serial: ++this.serial, change: this.unsaid });
    this.unsaid = null;
    const all = this.unheard.reduce((sum, { change }) => merged(sum, change), null);
    this.send("said", { serial: this.serial, ...all });
  }

  // ------------------------------------------------------------------------------------------------------ what moves

  setEpsilon(epsilon) {
    this.epsilon = epsilon;
    this.count();
  }

  /** The slider's places: the differences that occur. */
  measure() {
    this.candidates = differences(this.metrics);
    this.slider.max = this.candidates.length - 1;
    if (!this.held) this.slider.value = lastUpTo(this.candidates, this.epsilon);
  }

  go(step) {
    const total = this.pairs.first.length;
    this.step = step === null ? null : Math.max(0, Math.min(step, total));
    this.pair = this.step ? [this.pairs.first[this.step - 1], this.pairs.second[this.step - 1]] : null;
    if (step === null || this.step === total) this.stop();
    this.steps();
    this.count();
    if (!this.playing) this.tell({ step: this.step, pair: this.pair }, QUIET);
  }

  run() {
    if (this.playing) return this.pause();
    if (this.step === null || this.step === this.pairs.first.length) this.go(0);
    this.playing = setInterval(() => this.go(this.step + 1), 900);
    this.play.textContent = "Pause";
  }

  pause() {
    this.stop();
    this.tell({ step: this.step, pair: this.pair }, QUIET);
  }

  stop() {
    clearInterval(this.playing);
    this.playing = undefined;
    this.play.textContent = "Play";
  }

  steps() {
    const total = this.pairs.first.length;
    this.where.textContent = this.step === null ? `all ${total} pairs counted` : `${this.step} of ${total} pairs counted`;
  }

  choose(pair) {
    this.pair = pair;
    this.count();
    this.tell({ pair }, QUIET);
  }

  pick() {
    const p = this.picker.value;
    this.choose(p === "" ? null : [this.pairs.first[p], this.pairs.second[p]]);
  }

  count() {
    const upTo = this.step ?? this.pairs.first.length;
    for (const metric of this.metrics) {
      metric.kinds = classify(this.human, metric.scores, this.pairs, this.epsilon);
      metric.totals = count(metric.kinds, upTo);
      metric.results = evaluate(metric.totals, this.human, metric.scores);
      metric.upTo = upTo;
    }
    this.draw();
  }
}

/** Two changes as one; of scores each item's last. */
function merged(before, after) {
  const scores = { ...before?.scores };
  for (const [line, items] of Object.entries(after.scores ?? {})) scores[line] = { ...scores[line], ...items };
  return { ...before, ...after, scores };
}
