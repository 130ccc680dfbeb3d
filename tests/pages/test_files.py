"""Every file beside a table holds numbers as numbers: none of them is written for the eye."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from ui.page import pages, tables

NUMBER_FOR_THE_EYE = re.compile(r"[★±\s]*[−-]?\d[\d,]*(\.\d+)?( ?%| ?†| \(.*\)| · .*)?")
"""What a person reads as one number and `float` may not."""


@pytest.fixture
def files(monkeypatch):
    """The tables that a page offers as CSV, by name."""
    found: dict[str, pd.DataFrame] = {}

    def keep(frame, name, **_):
        found[name] = frame.to_pandas() if isinstance(frame, pa.Table) else frame

    monkeypatch.setattr(tables, "_offer", keep)
    return found


PAGES = [Path(page.file).stem for page in pages.lessons()]


@pytest.mark.parametrize("page", PAGES)
def test_numbers_in_files_are_numbers(open_app, files, page):
    app = open_app(page)
    while open_questions := [box for box in app.radio if str(box.key).startswith("predict ")]:
        key = open_questions[0].key
        open_questions[0].set_value(open_questions[0].options[0]).run()
        app.button(key=key.replace("predict", "reveal", 1)).click().run()
    assert not app.exception
    assert files
    for name, frame in files.items():
        for column in frame.select_dtypes(["object", "string"]):
            for cell in frame[column].dropna():
                written = isinstance(cell, str) and NUMBER_FOR_THE_EYE.fullmatch(cell)
                assert not written or re.fullmatch(r"-?\d+(\.\d+)?", cell), (name, column)
