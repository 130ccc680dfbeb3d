// How does the rank of each metric change from coefficient to coefficient? Lines over columns, one of them chosen.
//
// host.element, host.data, host.send, host.onData as in lab/lab.js. The data hold `columns` (key, label), `metrics`
// (name, mark, ranks, null where undefined), `metric` (the chosen name or null), `title`, `large` and `serial`.
// Other parts of the document hear of the choice, and can make it, by the event that `CHOSEN` names.

import { Theme } from "../shared/canvas.js";
import { make } from "../shared/elements.js";
import { inNextFrame, Outbox } from "../shared/mount.js";
import { Lines } from "./lines.js";
import { Model } from "./model.js";
import { glide } from "./motion.js";
import { Names } from "./names.js";
import { filesOf } from "./picture.js";
import { sentenceOf } from "./words.js";

const CHOSEN = "tiekit-metric"; // the detail of the event: metric, a name or null, and source, whoever sent it

const MOST_METRICS = 300, MOST_COLUMNS = 30;

/** Open the chart in a host; the function that is returned closes it. */
export function openBump(host) {
  const root = host.element, model = new Model(), theme = new Theme(root), outbox = new Outbox(host.send);
  let before = new Map(), share = 1, stop = () => {};

  const choose = (metric, wait) => {
    if (!model.choose(metric)) return;
    outbox.tell({ metric }, wait);
    document.dispatchEvent(new CustomEvent(CHOSEN, { detail: { metric, source: root } }));
  };
  const hear = ({ detail: { metric, source } }) => {
    if (source === root || (metric !== null && !model.places.has(metric))) return;
    if (model.choose(metric)) outbox.tell({ metric });
  };

  const sentence = make("p", { class: "sentence", "aria-live": "polite" });
  const names = new Names(model, choose), lines = new Lines(model, choose);
  const field = make("div", { class: "field" }, names.left, make("div", { class: "lines" }, lines.element), names.right);
  const files = filesOf(model, theme, () => sentence.textContent);

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
  const show = inNextFrame(() => {
    if (!model.data) return;
    const words = sentenceOf(model.data, model.chosen);
    if (sentence.textContent !== words) sentence.textContent = words;
    names.show();
    paint();
  });

  function take(data) {
    if (!outbox.isHeard(data.serial)) return;
    stop();
    before = model.take(data);
    root.classList.toggle("large", data.large);
    const moved = data.metrics.some(({ name }) => before.get(name)?.some((place, i) => place !== model.places.get(name)[i]));
    share = moved ? 0 : 1;
    if (moved) stop = glide((part) => {
      share = part;
      paint();
    });
  }

  root.replaceChildren(sentence, field, make("div", { class: "below" },
    make("p", { class: "note" }, "Ranks: 1 is best. Equal ranks stand one below the other; ○ and – are undefined."), files));
  root.classList.add("tiekit", "bump");
  model.subscribe(show);
  const sizes = new ResizeObserver(show);
  sizes.observe(root);
  document.addEventListener(CHOSEN, hear);
  root.addEventListener("focusout", (event) => root.contains(event.relatedTarget) || outbox.flush());
  host.onData(take);
  take(host.data);
  return () => {
    stop();
    sizes.disconnect();
    document.removeEventListener(CHOSEN, hear);
  };
}

/** Data with a change that the host has heard. */
export function applied(data, { metric = data.metric }) {
  return { ...data, metric };
}

/** Whether data that came from outside can be shown. */
export function isSound({ columns, metrics, metric }) {
  const names = metrics.map(({ name }) => name);
  const isRank = (rank) => rank === null || (Number.isInteger(rank) && rank > 0);
  return columns.length > 0 && columns.length <= MOST_COLUMNS && metrics.length > 0 && metrics.length <= MOST_METRICS &&
    columns.every(({ label }) => typeof label === "string") && new Set(names).size === names.length &&
    metrics.every(({ ranks }) => ranks.length === columns.length && ranks.every(isRank)) &&
    (metric === null || names.includes(metric));
}
