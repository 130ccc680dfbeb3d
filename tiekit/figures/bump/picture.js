// How does the chart get into a file? It is drawn once more, with a title and with the names of all metrics.

import { saveButtons } from "../shared/canvas.js";

const WIDTH = 1000, ROW = 26, HEAD = 76, SIDE = 250, SIZE = 13;

/** Two buttons that save the chart as SVG and as PNG. */
export function filesOf(model, theme, sentence) {
  return saveButtons("the chart of ranks", () => {
    theme.read();
    const { metrics, title } = model.data;
    return {
      draw: (pen) => drawRanks(pen, model, theme, sentence()),
      width: WIDTH, height: HEAD + ROW * metrics.length + 10, title, name: "ranks", ground: theme.ground,
    };
  });
}

function drawRanks(pen, model, theme, sentence) {
  const { columns, metrics, title } = model.data, chosen = model.chosen, last = columns.length - 1;
  const x = (column) => SIDE + (last ? (column * (WIDTH - 2 * SIDE)) / last : WIDTH / 2 - SIDE);
  const y = (metric, column) => HEAD + ROW * (model.places.get(metric.name)[column] + 0.5);
  pen.text(10, 16, title, { size: 16, bold: true, align: "left", fill: theme.ink });
  if (chosen) pen.text(10, 36, sentence, { size: SIZE, align: "left", fill: theme.ink });
  columns.forEach(({ label }, column) => pen.text(x(column), HEAD - 14, label, { size: SIZE, bold: true, fill: theme.ink }));
  for (const metric of [...metrics.filter((one) => one !== chosen), ...(chosen ? [chosen] : [])]) {
    const bold = metric === chosen, stroke = bold ? theme.ink : theme.pale, width = bold ? 4 : 1;
    for (let column = 1; column <= last; column++) {
      const isKnown = metric.ranks[column - 1] !== null && metric.ranks[column] !== null;
      pen.line(x(column - 1), y(metric, column - 1), x(column), y(metric, column), { stroke, width, dash: isKnown ? [] : [4, 4] });
    }
    columns.forEach((_, column) => {
      const fill = metric.ranks[column] === null ? theme.ground : stroke;
      pen.circle(x(column), y(metric, column), bold ? 6 : 3, { fill, stroke });
    });
    const words = (column) => `${metric.ranks[column] ?? "–"}  ${metric.name}`;
    pen.text(x(0) - 14, y(metric, 0), words(0), { size: SIZE, bold, align: "right", fill: theme.ink });
    if (last) pen.text(x(last) + 14, y(metric, last), words(last), { size: SIZE, bold, align: "left", fill: theme.ink });
  }
}
