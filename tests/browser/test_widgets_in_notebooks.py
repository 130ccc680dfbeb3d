"""Every widget in a real JupyterLab and a real marimo, with a kernel, without one, and in exported pages."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from playwright.sync_api import Browser, Page, expect

from tests.browser import kit, notebooks

pytestmark = [pytest.mark.browser, pytest.mark.campaign]


@dataclass(frozen=True)
class Case:
    """A widget: the code that makes it, what takes keys, a key, and the trait that the key and Python change."""

    code: str
    takes_keys: str
    key: str
    trait: str
    changed: str
    by_python: str
    shown: str


CASES = {
    "TieLab": Case(
        code='TieLab([0, 0, 0, 0, 1, 2], {"m1": [0, 0, 0, 0, 2, 1], "m2": [0, 1, 2, 3, 4, 5]})',
        takes_keys="input[type=range]",
        key="ArrowRight",
        trait="epsilon",
        changed="1",
        by_python="3",
        shown=".exact",
    ),
}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]


def cells(case: Case, name: str) -> list[str]:
    return [
        f"from tiekit.widgets import {name}\nwidget = {case.code}\nwidget",
        f'print("the trait is", repr(widget.{case.trait}))',
        f"widget.{case.trait} = {case.by_python}",
    ]


@pytest.fixture
def notebook(case: Case, tmp_path: Path) -> Path:
    found = nbformat.v4.new_notebook()
    name = next(name for name, one in CASES.items() if one is case)
    found.cells = [nbformat.v4.new_code_cell(cell) for cell in cells(case, name)]
    found.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(found, tmp_path / "widget.ipynb")
    return tmp_path / "widget.ipynb"


def press(page: Page, case: Case) -> None:
    """Press the case's key on what takes keys."""
    page.locator(f".tiekit {case.takes_keys}").first.focus()
    page.keyboard.press(case.key)


def shown(page: Page, case: Case) -> str:
    return page.locator(f".tiekit {case.shown}").first.inner_text()


def run_cell(page: Page, number: int) -> None:
    """Run one cell of JupyterLab."""
    page.locator(".jp-CodeCell").nth(number).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")


def test_in_jupyterlab(chromium: Browser, case: Case, notebook: Path) -> None:
    with notebooks.jupyterlab(notebook.parent) as lab, kit.new_page(chromium, lab) as (page, traffic):
        page.goto(f"{lab}/tree/widget.ipynb")
        expect(page.get_by_title("Change kernel for widget.ipynb")).to_contain_text("Idle", timeout=60_000)
        run_cell(page, 0)
        expect(page.locator(".tiekit")).to_be_visible(timeout=60_000)
        at_first = shown(page, case)
        press(page, case)
        expect(page.locator(f".tiekit {case.shown}").first).not_to_have_text(at_first)
        by_key = shown(page, case)
        run_cell(page, 1)
        expect(page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea-output")).to_contain_text(
            f"the trait is {case.changed}"
        )
        run_cell(page, 2)
        expect(page.locator(f".tiekit {case.shown}").first).not_to_have_text(by_key)
        by_python = shown(page, case)
        violations = [line for line in kit.axe_violations(page) if "tiekit" in line]
        assert not violations
        page.keyboard.press("Escape")
        page.keyboard.press("Control+s")
        for _ in range(100):
            if "widget-state" in notebook.read_text():
                break
            page.wait_for_timeout(100)
        errors = [one for one in traffic.console_errors if "tiekit" in one or "widget" in one]
        assert not errors
    with notebooks.jupyterlab(notebook.parent, kernels=False) as lab, kit.new_page(chromium, lab) as (page, _):
        page.goto(f"{lab}/workspaces/other/tree/widget.ipynb")
        dialog = page.locator(".jp-Dialog")
        dialog.or_(page.locator(".tiekit")).first.wait_for(timeout=60_000)
        if dialog.count():
            dialog.get_by_role("button", name="No Kernel").click()
        expect(page.locator(".tiekit")).to_be_visible(timeout=60_000)
        assert shown(page, case) == by_python
        press(page, case)
        expect(page.locator(f".tiekit {case.shown}").first).not_to_have_text(by_python)


def test_in_a_page_of_nbconvert(chromium: Browser, case: Case, notebook: Path) -> None:
    found = nbformat.read(notebook, 4)
    found.cells.pop()
    NotebookClient(found, kernel_name="python3", store_widget_state=True).execute()
    exported = notebook.with_suffix(".html")
    exported.write_text(HTMLExporter().from_notebook_node(found)[0], encoding="utf-8")
    page = chromium.new_page()
    try:
        unanswered = notebooks.serve_from_packages(page)
        page.goto(exported.as_uri())
        expect(page.locator(".tiekit")).to_be_visible(timeout=30_000)
        at_first = shown(page, case)
        press(page, case)
        expect(page.locator(f".tiekit {case.shown}").first).not_to_have_text(at_first)
        assert all("mathjax" in url.lower() for url in unanswered)
    finally:
        page.close()


MARIMO = """import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
    from tiekit.widgets import {name}

    widget = mo.ui.anywidget({code})
    button = mo.ui.button(label="change", value=0, on_click=lambda value: value + 1)
    return mo, widget, button


@app.cell
def _(widget):
    widget
    return


@app.cell
def _(mo, widget):
    widget.value
    mo.md(f"the trait is {{widget.widget.{trait}!r}}")
    return


@app.cell
def _(button):
    button
    return


@app.cell
def _(button, widget):
    if button.value:
        widget.widget.{trait} = {by_python}
    return


if __name__ == "__main__":
    app.run()
"""


@pytest.fixture
def script(case: Case, tmp_path: Path) -> Path:
    name = next(name for name, one in CASES.items() if one is case)
    path = tmp_path / "widget.py"
    path.write_text(MARIMO.format(name=name, code=case.code, trait=case.trait, by_python=case.by_python))
    return path


def test_in_marimo(chromium: Browser, case: Case, script: Path) -> None:
    with notebooks.marimo_app(script) as address, kit.new_page(chromium, address.rstrip("/")) as (page, _):
        page.goto(address)
        expect(page.locator(".tiekit")).to_be_visible(timeout=60_000)
        at_first = shown(page, case)
        press(page, case)
        expect(page.locator(f".tiekit {case.shown}").first).not_to_have_text(at_first)
        expect(page.get_by_text(f"the trait is {case.changed}")).to_be_visible(timeout=10_000)
        by_key = shown(page, case)
        page.get_by_role("button", name="change").click()
        expect(page.locator(f".tiekit {case.shown}").first).not_to_have_text(by_key, timeout=10_000)
        violations = [line for line in kit.axe_violations(page) if "tiekit" in line]
        assert not violations


def test_in_a_page_of_marimo(chromium: Browser, case: Case, script: Path) -> None:
    exported = script.with_suffix(".html")
    command = [sys.executable, "-m", "marimo", "export", "html", str(script), "-o", str(exported), "--no-include-code"]
    subprocess.run(command, cwd=script.parent, env={**os.environ, "PYTHONPATH": str(notebooks.ROOT)}, check=True)
    page = chromium.new_page()
    try:
        unanswered = notebooks.serve_from_packages(page)
        page.goto(exported.as_uri())
        expect(page.locator(".tiekit")).to_be_visible(timeout=30_000)
        at_first = shown(page, case)
        press(page, case)
        expect(page.locator(f".tiekit {case.shown}").first).not_to_have_text(at_first)
        assert all("font" in url for url in unanswered)
    finally:
        page.close()
