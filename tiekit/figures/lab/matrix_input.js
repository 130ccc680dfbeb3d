// How is a pair chosen in a matrix? By its cell or by arrow keys.

import { arrowOf, keep } from "../shared/elements.js";
import { pairAt } from "./matrix.js";

export function listenToMatrix(canvas, model, choose) {
  canvas.onpointerdown = ({ offsetX, offsetY }) => {
    const pair = pairAt(offsetX, offsetY, model.human.length, canvas.clientWidth);
    if (pair) choose(pair);
  };
  canvas.onkeydown = (event) => {
    const [dx, dy] = arrowOf(event);
    if (!dx && !dy) return;
    const [i, j] = model.pair ?? [0, 0];
    const [a, b] = model.pair ? [i - dy, j + dx] : [0, 1];
    if (a >= 0 && b < model.human.length && a < b) choose([a, b]);
    keep(event);
  };
}
