// How has a class answered? One bar per option, which grows as answers come in.

export default function ({ parentElement, data }) {
  const list = parentElement.querySelector(".bars"), said = parentElement.querySelector("[role=status]");
  const { options, counts, truth, here } = data, total = counts.reduce((sum, count) => sum + count, 0);
  while (list.children.length > options.length) list.lastChild.remove();
  options.forEach((option, at) => fill(list.children[at] ?? list.appendChild(row()), option, counts[at], total, truth, at));
  const words = total === here ? `${total} answered` : `${total} of ${here} answered`;
  if (said.textContent !== words) said.textContent = words;
}

function row() {
  const line = document.createElement("li");
  for (const part of ["label", "bar", "count"]) line.append(Object.assign(document.createElement("span"), { className: part }));
  line.children[1].append(document.createElement("i"));
  return line;
}

function fill(line, option, count, total, truth, at) {
  const [label, bar, number] = line.children, percent = total ? Math.round((100 * count) / total) : 0;
  label.textContent = `${truth === at ? "✓ " : ""}${option}`;
  bar.firstChild.style.width = total ? `${(100 * count) / total}%` : "0";
  number.textContent = total ? `${count} · ${percent} %` : "0";
  line.className = truth === null || truth === undefined ? "" : truth === at ? "right" : "wrong";
}
