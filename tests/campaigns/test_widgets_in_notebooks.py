"""Every widget by keys and by hand: in JupyterLab, Notebook 7 and marimo, with a kernel, without one, in exports."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import kit, notebooks

pytestmark = pytest.mark.browser


def drag(page: Page, selector: str, start: float, end: float) -> None:
    """Drag along an element with the mouse, from one share of its width to another."""
    element = page.locator(f".tiekit {selector}").first
    element.scroll_into_view_if_needed()
    box = element.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + start * box["width"], middle)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(box["x"] + (start + (end - start) * step / 8) * box["width"], middle)
    page.mouse.up()


def drag_epsilon_of_lab(page: Page) -> str:
    drag(page, ".grip", 0.9, 0.45)
    return page.locator(".tiekit .exact").first.inner_text()


def drag_epsilon_on_curve(page: Page) -> str:
    drag(page, ".curve", 0.9, 0.4)
    return page.locator(".tiekit .curve").get_attribute("data-epsilon") or ""


def choose_cell_and_rule(page: Page) -> str:
    page.locator(".tiekit .cell").nth(3).click()
    page.locator(".tiekit input[value=drop]").check()
    return "((3, 'A'), 'drop')"


def swap_second_item(page: Page) -> str:
    page.locator(".tiekit .item").nth(1).click()
    return "[0, 1, 2]"


def choose_cell_of_matrix(page: Page) -> str:
    page.locator(".tiekit td").nth(6).click()
    return "[1, 1]"


@dataclass(frozen=True)
class Case:
    """A widget: the code that makes it, what takes keys, a key, and the trait that the key and Python change.

    ``by_hand`` moves it with the mouse, and returns what ``moved_by_hand`` is afterwards.
    """

    code: str
    takes_keys: str
    key: str
    trait: str
    changed: str
    by_python: str
    shown: str
    by_hand: Callable[[Page], str]
    moved_by_hand: str

    @property
    def name(self) -> str:
        """The name of the widget's class."""
        return self.code.partition("(")[0]


CASES = {
    "TieLab": Case(
        code='TieLab([0, 0, 0, 0, 1, 2], {"m1": [0, 0, 0, 0, 2, 1], "m2": [0, 1, 2, 3, 4, 5]})',
        takes_keys="input[type=range]",
        key="ArrowRight",
        trait="epsilon",
        changed="1",
        by_python="3",
        shown=".exact",
        by_hand=drag_epsilon_of_lab,
        moved_by_hand="widget.epsilon",
    ),
    "CalibrationExplorer": Case(
        code="CalibrationExplorer([1, 2, 2, 3, 4, 2, 1, 3, 5], [2, 1, 1.5, 5, 3, 1.25, 0.25, 3.75, 6])",
        takes_keys=".curve",
        key="ArrowRight",
        trait="epsilon",
        changed="0.25",
        by_python="1.25",
        shown=".said",
        by_hand=drag_epsilon_on_curve,
        moved_by_hand="widget.epsilon",
    ),
    "NaNExplorer": Case(
        code="NaNExplorer([[1, 0, 0, 2], [0, 0, 1, 1], [2, 0, 3, 0]], "
        '{"A": [[3, 0, 0, 2], [0, 3, 1, 2], [3, 0, 2, 2]], "B": [[3, 3, 2, 0], [1, 3, 2, 3], [3, 3, 2, 1]]})',
        takes_keys="input[value=zero]",
        key="Space",
        trait="undefined",
        changed="'zero'",
        by_python='"common"',
        shown=".average",
        by_hand=choose_cell_and_rule,
        moved_by_hand="(widget.cell, widget.undefined)",
    ),
    "GroupingExplorer": Case(
        code="GroupingExplorer([[0, -5, -1, -3], [-1, -5, -2, -9], [-2, -1, -1, -4]], "
        '{"a": [[3, 2, 2, 4], [1, 1, 1, 2], [3, 1, 3, 2]], "b": [[3, 1, 2, 1], [3, 1, 2, 1], [4, 1, 2, 1]]})',
        takes_keys="button >> nth=1",
        key="Enter",
        trait="grouping",
        changed="'item'",
        by_python='"system"',
        shown=".pairs",
        by_hand=choose_cell_of_matrix,
        moved_by_hand="widget.cell",
    ),
    "SwapExplorer": Case(
        code="SwapExplorer([0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1], [0, 1, 2, 3, 4, 5])",
        takes_keys=".item >> nth=1",
        key="Space",
        trait="swapped",
        changed="[1]",
        by_python="[0, 2]",
        shown=".now",
        by_hand=swap_second_item,
        moved_by_hand="widget.swapped",
    ),
}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


def cells(case: Case) -> list[str]:
    return [
        f"from tiekit.figures import {case.name}\nwidget = {case.code}\nwidget",
        f'print("the trait is", repr(widget.{case.trait}))',
        f"widget.{case.trait} = {case.by_python}",
        f'print("by hand", repr({case.moved_by_hand}))',
    ]


@pytest.fixture
def notebook(case: Case, tmp_path: Path) -> Path:
    found = nbformat.v4.new_notebook()
    found.cells = [nbformat.v4.new_code_cell(cell) for cell in cells(case)]
    found.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(found, tmp_path / "widget.ipynb")
    return tmp_path / "widget.ipynb"


def run(file: Path, *command: object) -> None:
    """Run a program of Jupyter or marimo beside a file."""
    asked = [str(notebooks.PYTHON), "-m", *map(str, command)]
    environment = {**os.environ, "PYTHONPATH": str(notebooks.ROOT)}
    done = subprocess.run(asked, cwd=file.parent, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def press(page: Page, case: Case) -> None:
    """Press the case's key on what takes keys."""
    page.locator(f".tiekit {case.takes_keys}").first.focus()
    page.keyboard.press(case.key)


def shown(page: Page, case: Case) -> str:
    return page.locator(f".tiekit {case.shown}").first.inner_text()


def open_widget(page: Page) -> None:
    expect(page.locator(".tiekit")).to_be_visible(timeout=60_000)


@contextmanager
def moving(page: Page, case: Case, timeout: float | None = None) -> Iterator[None]:
    """What the widget shows is another text after the block."""
    before = shown(page, case)
    yield
    expect(page.locator(f".tiekit {case.shown}").first).not_to_have_text(before, timeout=timeout)


def check_names(page: Page) -> None:
    assert not [line for line in kit.axe_violations(page) if "tiekit" in line]


def check_export(chromium: Browser, case: Case, exported: Path, may_lack: str) -> None:
    """A page without a kernel is moved by key and by hand, and asks for nothing that is not there."""
    page = chromium.new_page()
    try:
        unanswered = notebooks.serve_from_packages(page)
        page.goto(exported.as_uri())
        open_widget(page)
        with moving(page, case):
            press(page, case)
        with moving(page, case):
            case.by_hand(page)
        assert all(may_lack in url.lower() for url in unanswered)
    finally:
        page.close()


def run_cell(page: Page, number: int) -> None:
    """Run one cell of JupyterLab or Notebook 7."""
    page.locator(".jp-CodeCell").nth(number).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")


def move_in_cells(page: Page, case: Case) -> str:
    """Show the widget, move it by key, from Python and by hand, and read it in cells; return what it shows at last."""
    outputs = [page.locator(".jp-CodeCell").nth(number).locator(".jp-OutputArea-output") for number in range(4)]
    run_cell(page, 0)
    open_widget(page)
    with moving(page, case):
        press(page, case)
    run_cell(page, 1)
    expect(outputs[1]).to_contain_text(f"the trait is {case.changed}")
    with moving(page, case):
        run_cell(page, 2)
    with moving(page, case):
        moved = case.by_hand(page)
    at_last = shown(page, case)
    run_cell(page, 3)
    expect(outputs[3]).to_contain_text(f"by hand {moved}")
    check_names(page)
    return at_last


def errors_of_widgets(traffic: kit.Traffic) -> list[str]:
    return [one for one in traffic.console_errors if "tiekit" in one or "widget" in one]


def test_in_jupyterlab(chromium: Browser, case: Case, notebook: Path) -> None:
    with notebooks.jupyterlab(notebook.parent) as lab, kit.new_page(chromium, lab) as (page, traffic):
        page.goto(f"{lab}/tree/widget.ipynb")
        expect(page.get_by_title("Change kernel for widget.ipynb")).to_contain_text("Idle", timeout=60_000)
        at_last = move_in_cells(page, case)
        page.locator(f".tiekit {case.takes_keys}").first.focus()
        page.keyboard.press("Control+s")  # saves the notebook also from within the figure
        for _ in range(100):
            if "widget-state" in notebook.read_text():
                break
            page.wait_for_timeout(100)
        assert not errors_of_widgets(traffic)
    # With another kernel, which knows nothing of it. Without any, JupyterLab shows no widget of anybody.
    with notebooks.jupyterlab(notebook.parent) as lab, kit.new_page(chromium, lab) as (page, _):
        page.goto(f"{lab}/workspaces/other/tree/widget.ipynb")
        open_widget(page)
        assert shown(page, case) == at_last
        with moving(page, case):
            press(page, case)


def test_in_notebook_7(chromium: Browser, case: Case, notebook: Path) -> None:
    with notebooks.jupyterlab(notebook.parent) as lab, kit.new_page(chromium, lab) as (page, traffic):
        page.goto(f"{lab.removesuffix('/lab')}/notebooks/widget.ipynb")
        # The circle says "idle" before there is a kernel, too; a cell that is run then never runs.
        expect(page.get_by_title("Python 3 (ipykernel)").first).to_be_attached(timeout=60_000)
        circle = page.locator(".jp-Notebook-ExecutionIndicator").first
        expect(circle).to_have_attribute("data-status", "idle", timeout=60_000)
        move_in_cells(page, case)
        assert not errors_of_widgets(traffic)


def test_in_a_page_of_nbconvert(chromium: Browser, case: Case, notebook: Path) -> None:
    run(notebook, "nbconvert", "--to", "html", "--execute", notebook)
    check_export(chromium, case, notebook.with_suffix(".html"), "mathjax")


MARIMO = """import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
    from tiekit.figures import {name}

    widget = mo.ui.anywidget({code})
    button = mo.ui.button(label="change", value=0, on_click=lambda value: value + 1)
    clicks = [0]  # a change of the widget runs the cell below again, which then changes nothing
    return mo, widget, button, clicks


@app.cell
def _(widget):
    widget
    return


@app.cell
def _(mo, widget):
    widget.value
    mo.md(f"the trait is {{widget.widget.{trait}!r}}; by hand {{{moved_by_hand}!r}}")
    return


@app.cell
def _(button):
    button
    return


@app.cell
def _(button, clicks, widget):
    if button.value > clicks[-1]:
        clicks.append(button.value)
        widget.widget.{trait} = {by_python}
    return


if __name__ == "__main__":
    app.run()
"""


@pytest.fixture
def script(case: Case, tmp_path: Path) -> Path:
    path = tmp_path / "widget.py"
    moved = case.moved_by_hand.replace("widget.", "widget.widget.")
    path.write_text(MARIMO.format(**{**vars(case), "name": case.name, "moved_by_hand": moved}))
    return path


def test_in_marimo(chromium: Browser, case: Case, script: Path) -> None:
    with notebooks.marimo_app(script) as address, kit.new_page(chromium, address.rstrip("/")) as (page, _):
        page.goto(address)
        open_widget(page)
        with moving(page, case):
            press(page, case)
        expect(page.get_by_text(f"the trait is {case.changed}")).to_be_visible(timeout=10_000)
        with moving(page, case, timeout=10_000):
            page.get_by_role("button", name="change").click()
        with moving(page, case):
            moved = case.by_hand(page)
        expect(page.get_by_text(f"by hand {moved}")).to_be_visible(timeout=10_000)
        check_names(page)


def test_in_a_page_of_marimo(chromium: Browser, case: Case, script: Path) -> None:
    exported = script.with_suffix(".html")
    run(script, "marimo", "export", "html", script, "-o", exported, "--no-include-code")
    check_export(chromium, case, exported, "font")
