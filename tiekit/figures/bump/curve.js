// Which way does a metric's line take? From column to column, level at each; dashed where a rank is undefined.

/** Two paths through points in pixels, `known` saying which have a rank: the solid parts and the dashed ones. */
export function pathsOf(points, known) {
  let solid = "", dashed = "";
  for (let i = 1; i < points.length; i++) {
    const [[x, y], [toX, toY]] = [points[i - 1], points[i]], middle = (x + toX) / 2;
    const part = `M${x} ${y}C${middle} ${y} ${middle} ${toY} ${toX} ${toY}`;
    if (known[i - 1] && known[i]) solid += part;
    else dashed += part;
  }
  return { solid, dashed };
}
