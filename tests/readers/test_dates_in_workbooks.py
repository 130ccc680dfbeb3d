"""Scores that Excel turned into dates or times are refused, as in a CSV; columns of dates beside them are read."""

import datetime
import io
import re
from itertools import product

import numpy as np
import openpyxl
import pytest

import tiekit as tk

SYSTEMS = ("GPT-4o", "DeepL", "NLLB-3.3B")
SIZE = 30
SCORES = np.random.default_rng(3).integers(1, 5, (3, SIZE)) + 0.5
SCORES[:, ::3] += 0.5


@pytest.fixture
def data():
    return tk.EvalSet(
        "toy", "", SYSTEMS, tuple(map(str, range(1, SIZE + 1))), {"mqm": SCORES + 1}, {"m": SCORES - 1}, gold="mqm"
    )


def workbook(rows, formats=()):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for column, code in formats:
        for cell in book.active[column][1:]:
            cell.number_format = code
    kept = io.BytesIO()
    book.save(kept)
    return {"x.xlsx": kept.getvalue()}


def as_date(score):
    """What a German Excel makes of 3.5."""
    return datetime.datetime(2026, round(score % 1 * 10), int(score)) if score % 1 else score


def as_day_and_time(score):
    return datetime.datetime(2026, 5, int(score), 10, 30) if score % 1 else score


def as_time(score):
    return datetime.time(int(score), 30) if score % 1 else score


def long(turn, more=(), **cells):
    yield ["system", "segment", *cells, "score", *more]
    for (row, system), place in product(enumerate(SYSTEMS), range(SIZE)):
        yield [system, place + 1, *(one[place] for one in cells.values()), turn(SCORES[row, place])]


def wide(turn):
    yield ["segment", *SYSTEMS]
    yield from ([place + 1, *map(turn, SCORES[:, place])] for place in range(SIZE))


@pytest.mark.parametrize(("form", "turn"), [*product((long, wide), (as_date, as_time, as_day_and_time))])
def test_scores_that_became_dates_are_refused(data, form, turn):
    source = workbook(form(turn))
    line, column = (3, "score") if form is long else (3, SYSTEMS[0])
    for add, name in ((data.with_scores, "x"), (data.with_scores, None), (data.with_human, "h")):
        with pytest.raises(
            (tk.ReadError, tk.InputError), match=rf"line {line}.*column '{re.escape(column)}'"
        ) as caught:
            add(source, name=name)
        assert re.search(r"\d{4}-\d\d-\d\d|\d\d:30", str(caught.value))
    added = data.with_scores(workbook(form(float)), name="x")
    np.testing.assert_array_equal(added.metrics["x"], SCORES)


def test_columns_of_dates_and_numbers_in_a_date_format_are_read(data):
    days = [datetime.datetime(2026, 5, 1 + place % 20) for place in range(SIZE)]
    hours = [datetime.time(place % 20, 15) for place in range(SIZE)]
    for cells in ({"date": days}, {"time": hours}, {"date": days, "when": hours}):
        added = data.with_scores(workbook(long(float, **cells)), name="x")
        np.testing.assert_array_equal(added.metrics["x"], SCORES)
    for code in ("dd.mm.yyyy", "m/d/yy", "d. mmm", "[$-407]d/ mmm/;@", "h:mm", "[h]:mm:ss"):
        added = data.with_scores(workbook(long(float), [("B", code)]), name="x")
        np.testing.assert_array_equal(added.metrics["x"], SCORES)
    for code in ("0.0%", "#,##0.00 [$€-407]", '0.0 "days"', "[Red]0.0", "General", "0.00E+00", "0.0\\d"):
        added = data.with_scores(workbook(long(float), [("C", code)]), name="x")
        np.testing.assert_array_equal(added.metrics["x"], SCORES)
