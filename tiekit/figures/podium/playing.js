// How does the figure move by itself? Once through a few thresholds, until somebody touches it.

const PATH = [[0, 1800], [2, 2600], [14, 2600], [2, 0]]; // thresholds, and how long each stays, in milliseconds
const PACE = 110; // milliseconds from one threshold to the next

/** Walk through the thresholds; the function that is returned stops it. Nothing moves if the reader wants stillness. */
export function play(model, done) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return () => {};
  let timer, at = 0;
  const go = () => {
    const [goal, wait] = PATH[at];
    if (model.epsilon !== goal) {
      model.setEpsilon(model.epsilon + Math.sign(goal - model.epsilon));
      timer = setTimeout(go, model.epsilon === goal ? 0 : PACE);
    } else if (++at < PATH.length) timer = setTimeout(go, wait);
    else done();
  };
  timer = setTimeout(go, 0);
  return () => clearTimeout(timer);
}
