"""What docs/constants.md says of libraries is what those that are installed return."""

import re
from pathlib import Path

import pytest

from benchmarks.constants import FUNCTIONS, answer, rows

PAGE = (Path(__file__).parents[2] / "docs" / "constants.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (\S+) (\S+) \| `(.*?)` \| (.*) \|$", re.MULTILINE)
SAID = {(library, call): (number, cells.split(" | ")) for library, number, call, cells in ROW.findall(PAGE)}


def test_the_page_has_every_function_of_the_program():
    assert list(SAID) == list(FUNCTIONS)


@pytest.mark.campaign  # it imports nine libraries, which change by a release alone
def test_a_library_of_this_version_returns_what_the_page_says():
    compared = 0
    for library, number, call, cells in rows():
        said, expected = SAID[library, call]
        if said == number:  # else the page is about another version
            compared += 1
            assert cells == expected, (library, call)
    assert compared > 10


def test_what_is_no_number_is_told_as_it_is():
    assert answer(lambda *_: None, [], []) == "None"
    assert answer(lambda *_: 1 / 0, [], []) == "ZeroDivisionError"
    assert answer(lambda *_: (-0.0, 1), [], []) == "0"
