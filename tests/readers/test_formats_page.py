"""The page of formats has one line for each format."""

import re
from pathlib import Path

import pytest

from tiekit.readers import FORMATS

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"
ROWS = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_line_that_says_what_writes_it_and_what_it_gives(name):
    [(_, written_by, gives)] = [row for row in ROWS if row[0] == name]
    assert written_by.strip()
    assert gives.strip()


def test_the_page_promises_no_other_format():
    assert [name for name, _, _ in ROWS if name not in FORMATS] == []
