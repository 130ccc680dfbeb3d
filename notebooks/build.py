"""How does a source become a notebook with results? ``python notebooks/build.py`` writes an .ipynb beside each .py.

What changes from run to run is taken out: times, random ids, progress bars and the lines of warnings that name files.
Beside each figure that moves stands a picture of it, for sites that show a notebook without running it. The state of
a figure stays in the file's metadata (50 to 120 KB), so that it moves without the kernel that made it, once a cell is
run or the notebook is trusted. Never edit an .ipynb: tests/notebooks compares all but the pictures with fresh runs.

To add a notebook:

1. Write notebooks/NUMBER_name.py, in jupytext's percent format: what one can do afterwards, minutes, the page of the
   app, a figure that no later cell changes, and exercises that call ``check(number, answer)``.
2. Write the exercises into tiekit/exercises/small_data.py or wmt22.py: a function each, which computes the right
   answer, raises `WrongAnswerError` with what to look at, never with the solution, and returns what the right answer
   teaches. Above it stand its hints and its solution. Ask nothing that the figure or a cell shows. What is guessed
   first stands in data/story.toml, questions to be answered in words in data/sheet.toml.
3. Add the name and its page to `PAGES` in tiekit/exercises/__init__.py, other right and wrong answers to
   tests/notebooks/answers.py, and a line to the table of notebooks/README.md. Run ``make notebooks``.
"""

from __future__ import annotations

import base64
import io
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jupytext
import nbformat
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from PIL import Image
from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent
sys.path.insert(0, str(ROOT))

from docsite.course import STATE, VIEW, figure_in  # noqa: E402
from tests.browser.find_chromium import find_chromium  # noqa: E402

WARNING = re.compile(r"\S+:\d+: (\w+Warning: .*)$", re.MULTILINE)
PICTURE = "image/png"
SAID = "<p>A picture: run the cell, and the figure moves.</p>"
"""What stands above a picture."""
PLACE = "@state@"
SECONDS = 300
WIDTH, HIGHEST, COLORS = 760, 1500, 64
"""Of pictures: pixels across, most pixels down, colors."""

SETTLED = 600
"""Milliseconds after which a figure stands still."""


def sources() -> list[Path]:
    """Return the sources of all notebooks, in their order."""
    return sorted(FOLDER.glob("[0-9]*_*.py"))


def read(source: Path) -> Any:
    """Return a source as a notebook without results; the same source always becomes the same notebook."""
    book = jupytext.read(source, fmt="py:percent")
    for number, cell in enumerate(book.cells, 1):
        cell.id = f"cell-{number}"
        cell.metadata = {}
    book.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return book


def execute(
    paths: list[Path], folder: Path = FOLDER, path: Path = ROOT, after: Mapping[str, str] | None = None
) -> Iterator[Any]:
    """Run notebooks one after the other in one kernel, each with names of its own, and yield them with results.

    Parameters
    ----------
    paths : list of Path
        Sources.
    folder : Path
        Where the kernel runs.
    path : Path
        Where Python finds tiekit.
    after : mapping of str to str
        Code to run at the end of a notebook, by its name; the results are in a last cell.
    """
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel(cwd=str(folder), env={**os.environ, "PYTHONPATH": str(path), "TQDM_DISABLE": "1"})
    try:
        for source in paths:
            book = read(source)
            if after is not None:
                book.cells.append(nbformat.v4.new_code_cell(after[source.stem], id="after"))
            client = NotebookClient(book, km=manager, timeout=SECONDS, record_timing=False, coalesce_streams=True)
            client.execute()
            client.kc.execute("%reset -f", reply=True, timeout=SECONDS)
            client.kc.stop_channels()
            yield clean(book)
    finally:
        manager.shutdown_kernel(now=True)


def clean(book: Any) -> Any:
    """Take out what another run would not give again."""
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    for number, cell in enumerate(code, 1):
        cell.metadata, cell.execution_count = {}, number
        for output in cell.outputs:
            if "execution_count" in output:
                output.execution_count = number
            if output.output_type == "stream" and output.name == "stderr":
                output.text = "".join(f"{found}\n" for found in WARNING.findall(output.text))
        cell.outputs = [output for output in cell.outputs if output.get("text", True)]
    if "widgets" in book.metadata:
        book = _with_fixed_ids(book)
    return book


def _with_fixed_ids(book: Any) -> Any:
    """Number the widgets' models in the order in which they were made; leave out what a layout does not set."""
    models = book.metadata.widgets[STATE].state
    for model in models.values():
        if model.model_name == "LayoutModel":
            model.state = {name: value for name, value in model.state.items() if value is not None}
    text = nbformat.writes(book)
    for number, model in enumerate(models):
        text = text.replace(model, f"{number:032x}")
    return nbformat.reads(text, as_version=4)


def add_pictures(book: Any, page: Page) -> None:
    """Put a picture of each figure beside it, as a page of a browser shows its first state."""
    for output in (one for cell in book.cells if cell.cell_type == "code" for one in cell.outputs):
        if VIEW in output.get("data", {}):
            page.set_content(figure_in(book, output.data[VIEW]["model_id"]))
            page.evaluate("words => document.body.insertAdjacentHTML('afterbegin', words)", SAID)
            page.wait_for_timeout(SETTLED)
            height = page.evaluate("document.body.scrollHeight")
            shot = page.screenshot(
                clip={"x": 0, "y": 0, "width": WIDTH, "height": min(height, HIGHEST)}, full_page=True
            )
            packed = io.BytesIO()
            Image.open(io.BytesIO(shot)).convert("RGB").quantize(COLORS).save(packed, "PNG", optimize=True)
            output.data[PICTURE] = base64.b64encode(packed.getvalue()).decode()


def text_of(book: Any) -> str:
    """Return a notebook as it is written: the cells line by line, the state of its widgets in one line."""
    nbformat.validate(book)
    whole = json.loads(nbformat.writes(book))
    state = whole["metadata"].pop("widgets", {})
    whole["metadata"]["widgets"] = PLACE
    text = json.dumps(whole, ensure_ascii=False, indent=1, sort_keys=True)
    packed = json.dumps(state, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return text.replace(json.dumps(PLACE), packed) + "\n"


def main() -> None:
    """Run all notebooks and write them with their results."""
    paths = sources()
    with sync_playwright() as browser:
        chromium = browser.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = chromium.new_page(
            viewport={"width": WIDTH, "height": 900}, color_scheme="light", reduced_motion="reduce"
        )
        for source, book in zip(paths, execute(paths), strict=True):
            add_pictures(book, page)
            target = source.with_suffix(".ipynb")
            target.write_text(text_of(book), encoding="utf-8")
            print(f"{target.name}: {len(book.cells)} cells, {target.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    main()
