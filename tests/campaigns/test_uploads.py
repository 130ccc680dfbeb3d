"""A file of every format is dropped onto the page: the browser sends what the readers read."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import kit
from tiekit.readers import recognize

pytestmark = pytest.mark.browser
SAMPLES = Path(__file__).parents[1] / "readers" / "samples"
REFUSED = {"sacrebleu.json": "run sacrebleu with -sl", "DArr-toy.csv": "use tiekit.readers.read_darr"}


@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.iterdir()))
def test_a_file_of_every_format_is_dropped(open_page, name):
    page = open_page("/Leaderboard?source=my+files")
    page.locator("input[type=file]").first.set_input_files(SAMPLES / name)
    if name in REFUSED:
        expect(page.get_by_role("alert").filter(has_text=REFUSED[name])).to_be_visible(timeout=30_000)
    else:
        label = recognize({name: (SAMPLES / name).read_bytes()}).label
        expect(page.get_by_text(f"Recognized: {label}.")).to_be_visible(timeout=30_000)
    kit.settled(page)
    kit.no_exception_box(page)
    assert page.locator("input[type=file]").count() >= 2  # nothing took the place of the form
