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
INDEX = re.compile(r"<tr>\s*<th>(?P<name>[^<]+)</th>(?:\s*<th></th>)+\s*</tr>")
"""The row of a table of pandas that holds the name of the rows alone."""

COURSE = 9
"""Number of notebooks before the appendix."""


@cache
def notebooks() -> dict[str, dict[str, Any]]:
    """Return the saved notebooks by name, in the order of the course."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("[0-9]*_*.ipynb"))}


def navigation() -> list[dict[str, Any]]:
    """Return the overview and the pages of the course, for the site's navigation; the appendix stands apart."""
    pages = [{_title_of(name): f"course/{name}.md"} for name in notebooks()]
    return [{"Overview": "course/index.md"}, *pages[:COURSE], {"Appendix": pages[COURSE:]}]


def _title_of(name: str) -> str:
    """Return a notebook's number, and its heading up to the colon."""
    first = _text(notebooks()[name]["cells"][0]).partition("\n")[0].removeprefix("# ")
    return f"{int(name.partition('_')[0])} · {first.partition(':')[0]}"


def overview() -> str:
    """Write the README of the notebooks as a page of the course."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    return LINK.sub(r"](\1.md)", text.replace("](../docs/", "](../"))


def page(name: str) -> str:
    """Write a notebook as a page; its exercises are checked in the notebook alone."""
    first, *cells = notebooks()[name]["cells"]
    parts = [
        LINK.sub(r"](\1.md)", _text(first)),
        f"[Download the notebook](../files/notebooks/{name}.ipynb){{ download }} and open it in Jupyter: there its "
        "cells run, and your answers are checked. This page is for reading; its figures move here, too.",
    ]
    for cell in cells:
        text = _text(cell)
        if cell["cell_type"] == "markdown":
            parts.append(LINK.sub(r"](\1.md)", text))
        else:
            parts += [f"```python\n{text}\n```", *filter(None, (_result(name, one) for one in cell["outputs"]))]
    return "\n\n".join(parts) + "\n"


def _text(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


def _result(name: str, output: dict[str, Any]) -> str:
    """Write what a cell gave: a figure, a table or text."""
    data = output.get("data", {})
    if VIEW in data:
        return live.frame_of(_address(name, data[VIEW]["model_id"]), f"A figure of {name}", 900, "../")
    if "text/markdown" in data:
        return re.sub(r"https://[^\s)]+", r"<\g<0>>", "".join(data["text/markdown"]))
    if "text/html" in data:
        table = re.sub(
            r"<style.*?</style>|(?<=<table) border=\"1\" class=\"dataframe\"",
            "",
            "".join(data["text/html"]),
            flags=re.DOTALL,
        )
        return _with_one_heading(table)
    text = "".join(data.get("text/plain", output.get("text", "")))
    return f"```text\n{text.rstrip()}\n```" if text.strip() else ""


def _with_one_heading(table: str) -> str:
    """Put the name of the rows into the empty corner above them."""
    found = INDEX.search(table)
    return INDEX.sub("", table).replace("<th></th>", f"<th>{found['name']}</th>", 1) if found else table


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
