"""How does a notebook become a page? Its text, code and results, and the figure that moves, from the saved file."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from docsite import live
from tiekit.figures import FIGURES, Figure

FOLDER = Path(__file__).parents[1] / "notebooks"
STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
LINK = re.compile(r"\]\((?:\./)?(\w+)\.ipynb\)")


@cache
def notebooks() -> dict[str, dict[str, Any]]:
    """Return the saved notebooks by name, in the order of the course."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("[0-9]*_*.ipynb"))}


def title_of(name: str) -> str:
    """Return the heading of a notebook up to its colon, for the navigation."""
    first = _text(notebooks()[name]["cells"][0]).partition("\n")[0].removeprefix("# ")
    return first.partition(":")[0]


def page(name: str) -> str:
    """Write a notebook as a page; its exercises are checked in the notebook alone."""
    parts: list[str] = []
    for cell in notebooks()[name]["cells"]:
        text = _text(cell)
        if cell["cell_type"] == "markdown":
            parts.append(LINK.sub(r"](\1.md)", text))
        else:
            parts += [f"```python\n{text}\n```", *filter(None, (_result(name, one) for one in cell["outputs"]))]
    links = f"[Download the notebook](../files/notebooks/{name}.ipynb){{ download }}: it checks your answers."
    following = list(notebooks())[list(notebooks()).index(name) + 1 :][:1]
    links += "".join(f" Next: [{title_of(one)}]({one}.md)." for one in following)
    return "\n\n".join([*parts, "---", links]) + "\n"


def _text(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def _result(name: str, output: dict[str, Any]) -> str:
    """Write what a cell gave: a figure, a table or text."""
    data = output.get("data", {})
    if VIEW in data:
        return live.frame_of(f"course_{name}", f"The figure of {name}", 900, "../")
    if "text/html" in data:
        return re.sub(r"<style.*?</style>", "", "".join(data["text/html"]), flags=re.DOTALL)
    text = "".join(data.get("text/plain", output.get("text", "")))
    return f"```text\n{text.rstrip()}\n```" if text.strip() else ""


def figure_page(name: str) -> str | None:
    """Write the page of the figure that a notebook holds, in the state in which it was saved; None without one."""
    models = notebooks()[name]["metadata"].get("widgets", {}).get(STATE, {}).get("state", {})
    for state in (model["state"] for model in models.values()):
        if "_fixed" in state:
            data = {**state["_fixed"], **{key: state[key] for key in state["_keys"]}}
            return live.with_height(_figure_of(data, state["_keys"]).page(data, f"From the notebook {name}."))
    return None


def _figure_of(data: dict[str, Any], keys: list[str]) -> Figure:
    """Return the figure whose state has these keys; ranks of judges tell two of them apart."""
    fitting = [figure for figure in FIGURES.values() if [*figure.keys] == keys and figure.name != "few_ties"]
    return next(figure for figure in fitting if len(fitting) == 1 or (figure.name == "rerank") == ("judges" in data))
