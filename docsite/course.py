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
    return "\n\n".join([*parts, "---", links]) + "\n"


def _text(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def _result(name: str, output: dict[str, Any]) -> str:
    """Write what a cell gave: a figure, a table or text."""
    data = output.get("data", {})
    if VIEW in data:
        return live.frame_of(_address(name, data[VIEW]["model_id"]), f"A figure of {name}", 900, "../")
    if "text/html" in data:
        return re.sub(r"<style.*?</style>", "", "".join(data["text/html"]), flags=re.DOTALL)
    text = "".join(data.get("text/plain", output.get("text", "")))
    return f"```text\n{text.rstrip()}\n```" if text.strip() else ""


def figures(name: str) -> dict[str, str]:
    """Write the pages of the figures of a notebook, each in the state in which it was saved, by their addresses."""
    book = notebooks()[name]
    return {
        _address(name, one): live.with_height(figure_in(book, one, f"From the notebook {name}.")) for one in _ids(name)
    }


def figure_in(book: dict[str, Any], model: str, origin: str = "") -> str:
    """Write the page of a figure that a notebook holds."""
    state = book["metadata"]["widgets"][STATE]["state"][model]["state"]
    data = {**state["_fixed"], **{key: state[key] for key in state["_keys"]}}
    return _figure_of(data, state["_keys"]).page(data, origin)


def _ids(name: str) -> list[str]:
    """Return the ids of the figures that a notebook shows, in their order."""
    outputs = (output for cell in notebooks()[name]["cells"] for output in cell.get("outputs", ()))
    return [output["data"][VIEW]["model_id"] for output in outputs if VIEW in output.get("data", {})]


def _address(name: str, model: str) -> str:
    """Return where the page of a figure stands; the first one's has no number."""
    place = _ids(name).index(model)
    return f"course_{name}" + (f"_{place + 1}" if place else "")


def _figure_of(data: dict[str, Any], keys: list[str]) -> Figure:
    """Return the figure whose state has these keys; ranks of judges tell two of them apart."""
    fitting = [figure for figure in FIGURES.values() if [*figure.keys] == keys and figure.name != "few_ties"]
    return next(figure for figure in fitting if len(fitting) == 1 or (figure.name == "rerank") == ("judges" in data))
