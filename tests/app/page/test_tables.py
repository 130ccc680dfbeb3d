"""The file beside a table holds its values in full."""

from __future__ import annotations

import csv
import io
import math

import pandas as pd
import pytest
import streamlit
from hypothesis import given
from hypothesis import strategies as st

from ui.page import lecture, tables
from ui.page.tables import to_csv
from ui.work.text import bare, plain


def cells(text):
    return list(csv.reader(io.StringIO(text)))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_come_back_exactly(value):
    [_, [cell]] = cells(to_csv(pd.DataFrame({"a": [value]})))
    assert float(cell).hex() == value.hex()


def test_a_missing_value_is_an_empty_cell():
    assert cells(to_csv(pd.DataFrame({"a": [math.nan], "b": [1]}))) == [["a", "b"], ["", "1"]]


def test_markdown_is_left_out_of_cells_and_headings():
    frame = pd.DataFrame({"ε\\* in full": ["**7**", "**C** concordant", plain("a_b*c [x](y)")]})
    assert cells(to_csv(frame)) == [["ε* in full"], ["7"], ["C concordant"], ["a_b*c [x](y)"]]


@given(st.text(alphabet=st.characters(exclude_characters="\u200b\u200c")))
def test_bare_undoes_plain(text):
    assert bare(plain(text)) == text


@pytest.mark.parametrize("index", [False, True])
def test_the_index_is_kept_where_it_is_shown(index):
    frame = pd.DataFrame({"a": [1]}, index=pd.Index(["BLEU"], name="metric"))
    assert cells(to_csv(frame, index=index)) == ([["metric", "a"], ["BLEU", "1"]] if index else [["a"], ["1"]])


@pytest.fixture
def projected(monkeypatch):
    """What `tables.spread` hands to Streamlit in lecture mode, as a table or as a grid."""
    calls = {}
    monkeypatch.setattr(lecture, "is_on", lambda: True)
    monkeypatch.setattr(streamlit, "table", lambda frame, **_: calls.update(table=frame))
    monkeypatch.setattr(streamlit, "dataframe", lambda frame, **_: calls.update(grid=frame))

    def show(frame, **options):
        tables.spread(frame, "words", **options)
        [(kind, shown)] = calls.items()
        return kind, shown

    return show


def test_an_audience_reads_a_table_as_it_is_styled(projected):
    frame = pd.DataFrame({"a_b": [0.25, math.nan], "c": ["*x*", "y"]}, index=pd.Index(["m_1", "m2"], name="metric"))
    kind, shown = projected(frame.style.format({"a_b": "{:.1%}"}, na_rep="–"), headings={"c": "C*"})
    assert kind == "table"
    assert [bare(name) for name in shown.columns] == ["metric", "a_b", "C*"]
    assert [[bare(cell) for cell in row] for row in shown.to_numpy()] == [["m_1", "25.0%", "*x*"], ["m2", "–", "y"]]
    assert "\\*x" in shown.iloc[0, 2]  # no Markdown of a file's


@pytest.mark.parametrize("shape", [(tables.ROWS + 1, 1), (1, tables.COLUMNS + 1)])
def test_what_is_too_long_or_too_wide_stays_a_grid(projected, shape):
    kind, shown = projected(pd.DataFrame(0, range(shape[0]), map(str, range(shape[1]))))
    assert (kind, shown.shape) == ("grid", shape)


def test_a_table_without_rows_or_its_index_is_shown_too(projected):
    _, shown = projected(pd.DataFrame({"a": []}), hide_index=True)
    assert (list(shown.columns), len(shown)) == (["a"], 0)


def test_formats_write_numbers_for_an_audience_too(projected):
    _, shown = projected(pd.DataFrame({"a": [0.25, math.nan]}), formats="%.3f", placeholder="undefined")
    assert [bare(cell) for cell in shown["a"]] == ["0.250", "undefined"]
    _, shown = projected(pd.DataFrame({"a": [0.25], "b": [7]}), formats={"a": "%.1f%%"})
    assert [bare(cell) for cell in shown.iloc[0, 1:]] == ["0.2%", "7"]
