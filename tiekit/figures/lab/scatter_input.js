// How are points chosen and moved in a scatter? By dragging them, or by keys.

import { arrowOf, keep } from "../shared/elements.js";
import { QUIET } from "../shared/mount.js";
import { gridOf } from "../shared/numbers.js";
import { axesOf } from "./pictures.js";
import { acrossOf, pointsOf, scoreAcross, scoreUp, upOf } from "./scatter.js";

const SLACK = 4; // pixels that a hand trembles
const REACH = 24; // pixels from a point at which it is taken up

/** Listen to a canvas with the scatter of the metric at a place. */
export function listenToScatter(canvas, at, model, actions) {
  canvas.onpointerdown = (event) => press(canvas, at, model, event);
  // a finger on a point drags it, on the empty ground it scrolls
  canvas.addEventListener("touchstart", (event) => model.held && event.preventDefault(), { passive: false });
  canvas.onpointermove = (event) => drag(model, event);
  canvas.onpointerup = canvas.onpointercancel = canvas.onlostpointercapture = (event) => release(model, actions, event);
  canvas.onkeydown = (event) => {
    if (event.key === "PageUp" || event.key === "PageDown") walk(model, at, event.key === "PageUp" ? -1 : 1);
    else if (!nudge(model, actions, at, event)) return;
    keep(event);
  };
}

function press(canvas, at, model, event) {
  const metric = model.metrics[at];
  const [x, y] = [event.offsetX, event.offsetY], size = canvas.clientWidth;
  const axes = axesOf(model, metric);
  const points = pointsOf({ human: model.human, metric: metric.scores, axes }, size);
  const away = points.map((point) => (point ? Math.hypot(point[0] - x, point[1] - y) : Infinity));
  const near = away.indexOf(Math.min(...away));
  if (!(away[near] <= REACH)) return;
  const pile = away.flatMap((far, one) => (far === away[near] ? [one] : []));
  const item = pile.includes(metric.chosen) ? metric.chosen : near;
  canvas.setPointerCapture(event.pointerId);
  const [human, score] = [model.human[item], metric.scores[item]];
  const offset = [acrossOf(human, axes.human, size) - x, upOf(score, axes.metric, size) - y];
  model.held = { at, item, name: metric.name, pile, x, y, offset, size, axes, human, score, moved: false };
}

function drag(model, event) {
  const held = model.held;
  if (!held) return;
  const [across, up] = [event.offsetX - held.x, event.offsetY - held.y];
  held.moved ||= Math.hypot(across, up) > SLACK;
  if (!held.moved) return;
  const { at, item, axes, offset, size } = held;
  const inside = (value, { low, high }) => Math.max(low, Math.min(high, value));
  const human = inside(scoreAcross(event.offsetX + offset[0], axes.human, size), axes.human);
  const score = inside(scoreUp(event.offsetY + offset[1], axes.metric, size), axes.metric);
  model.move(at, item, Math.abs(across) > SLACK ? human : null, Math.abs(up) > SLACK ? score : null, event.shiftKey);
}

function release(model, actions, event) {
  const held = model.held;
  if (!held) return;
  model.held = null;
  const { at, item, human, score } = held, metric = model.metrics[at];
  if (!held.moved) touch(model, actions, metric, held);
  else if (event.type === "pointerup")
    report(model, actions, at, item, model.human[item] !== human, metric.scores[item] !== score, 0);
  else model.putBack(held);
  actions.onRelease();
}

/** Choose an item, of several in one place the next, and with the one chosen before it a pair. */
function touch(model, { choose }, metric, { item: at, pile }) {
  const first = metric.chosen, item = at === first ? pile[(pile.indexOf(at) + 1) % pile.length] : at;
  model.chooseItem(metric, item);
  if (first !== undefined && first !== item) choose([first, item].sort((a, b) => a - b));
}

/** Choose the next or the last item before this one that both have scored. */
function walk(model, at, by) {
  const metric = model.metrics[at];
  const known = model.human.map((_, item) => item).filter((item) => model.isScored(metric, item));
  const now = known.indexOf(metric.chosen);
  model.chooseItem(metric, known.at(now < 0 ? (by > 0 ? 0 : -1) : (now + by) % known.length));
}

/** Move the chosen item by a step of the grid; false if no key of it was pressed or none is chosen. */
function nudge(model, actions, at, event) {
  const metric = model.metrics[at], item = metric.chosen, [dx, dy] = arrowOf(event);
  if (item === undefined || (!dx && !dy)) return false;
  const part = event.shiftKey ? 10 : 1;
  const human = dx ? model.human[item] + (dx * gridOf(model.data.human)) / part : null;
  const score = dy ? metric.scores[item] + (dy * gridOf(model.data.metrics[at].scores)) / part : null;
  model.move(at, item, human, score, event.shiftKey);
  report(model, actions, at, item, dx !== 0, dy !== 0, QUIET);
  return true;
}

/** Tell the host the scores of an item that have moved, by the line in which they stand. */
export function report(model, { tell }, at, item, human, score, wait) {
  const metric = model.metrics[at], scores = {};
  if (human) scores.h = { [item]: model.human[item] };
  if (score) scores[`m${metric.slot}`] = { [item]: metric.scores[item] };
  if (human || score) tell({ scores }, wait);
}
