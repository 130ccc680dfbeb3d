// How has a class answered? One bar per option, empty until the answer is revealed; the number of answers grows before.

export default function ({ parentElement, data }) {
  const list = parentElement.querySelector(".bars"), said = parentElement.querySelector("[role=status]");
  const { options, counts, truth, total, here } = data;
  while (list.children.length > options.length) list.lastChild.remove();
  options.forEach((option, at) => fill(list.children[at] ?? list.appendChild(row()), option, counts?.[at], total, truth, at));
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
  const [label, bar, number] = line.children, percent = count && total ? Math.round((100 * count) / total) : 0;
  label.textContent = `${truth === at ? "✓ " : ""}${option}`;
  bar.firstChild.style.width = `${percent}%`;
  number.textContent = count === undefined ? "" : `${count} · ${percent} %`;
  line.className = truth === null || truth === undefined ? "" : truth === at ? "right" : "wrong";
}
