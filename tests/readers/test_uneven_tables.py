"""A table whose rows have different numbers of cells is refused at its first such row, in little memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.case import Case, problem_of
from tiekit.errors import ReadError
from tiekit.readers import _table as _tabular
from tiekit.readers import preview_table, read_table


def said(text, delimiter):
    """What is read, or why nothing is."""
    try:
        lines, cells = _tabular._columns("t", text, delimiter)
    except ReadError as error:
        return str(error)
    return list(lines), cells


@pytest.mark.parametrize("delimiter", ["\t", ";", ","])
@given(st.data())
def test_the_first_uneven_row_is_the_same_without_a_list_of_rows(delimiter, data):
    cell = st.sampled_from(["", " ", "a", "1", "\u00a0", "\x1c"])
    row = st.lists(cell, min_size=1, max_size=4).map(delimiter.join)
    text = "a" + delimiter + "b\n" + "\n".join(data.draw(st.lists(row, max_size=6)))
    quick = said(text, delimiter)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_tabular, "_refuse_uneven", lambda *_: None)
        assert quick == said(text, delimiter)


@pytest.mark.parametrize("last", [b"", b"A,1,1,2,3\n"])
def test_an_uneven_table_takes_little_memory(last):
    middle = b"A,7,1\n" if last else b"A,7\n"
    text = b"system,segment,mqm\n" + 1_000_000 * middle + last

    def refused():
        with pytest.raises(ReadError, match=rf"line {1_000_002 if last else 2}: found {5 if last else 2} cells"):
            read_table({"t.csv": text})

    assert problem_of(Case("uneven", len(text), refused)) is None


def test_a_table_of_one_column_takes_little_memory():
    text = b"0.25\n" + 600_000 * b"nan\n"

    def refused():
        with pytest.raises(ReadError, match=r"line 1: found one column, '0.25'"):
            preview_table({"con": text})

    assert problem_of(Case("one column", len(text), refused)) is None
