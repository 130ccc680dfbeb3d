"""A title above a table is left out, and a table with two cells above its names is refused with a step."""

from __future__ import annotations

import csv
import io
import re
from itertools import product

import numpy as np
import openpyxl
import pandas as pd
import pytest

import tiekit as tk
from tests.readers.test_rows_of_objects import DATA, SCORES, SHUFFLED, SIZE, SYSTEMS

LONG = [["system", "segment", "score"], *([SYSTEMS[row], at + 1, SCORES[row, at]] for row, at in SHUFFLED)]
WIDE = [["Segment", *SYSTEMS], *([at + 1, *SCORES[:, at]] for at in range(SIZE))]
CORNER = [["", *SYSTEMS], *WIDE[1:]]
TITLES = {
    "title": [["COMET-22 scores"]],
    "title and blank row": [["COMET-22 scores"], []],
    "two lines": [["COMET-22 of wmt22"], [], ["run of 3 May"], []],
    "below blank rows": [[], [], ["COMET-22 scores"], []],
}


def sheet(rows) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append([cell.item() if isinstance(cell, np.generic) else cell for cell in row])
    book.save(kept := io.BytesIO())
    return kept.getvalue()


def lines(rows, mark, *, is_even) -> bytes:
    """A table as text, with rows as wide as the widest where they are even."""
    width = max(map(len, rows)) * is_even
    kept = io.StringIO()
    csv.writer(kept, delimiter=mark).writerows([[*row, *[""] * (width - len(row))] for row in rows])
    return kept.getvalue().encode()


FILES = {
    "xlsx": sheet,
    "csv": lambda rows: lines(rows, ",", is_even=True),
    "short.csv": lambda rows: lines(rows, ",", is_even=False),
    "tsv": lambda rows: lines(rows, "\t", is_even=True),
    "semicolon.csv": lambda rows: lines(rows, ";", is_even=False),
}


@pytest.mark.sampled(7)
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("title", "ending"), [*product(TITLES, FILES)])
@pytest.mark.parametrize("table", [LONG, WIDE, CORNER], ids=["long", "wide", "corner"])
def test_a_title_above_a_table_is_left_out(title, ending, table):
    content = FILES[ending]([*TITLES[title], *table])
    more = DATA.with_scores({f"x.{ending}": content}, name="x")
    np.testing.assert_array_equal(more.metrics["x"], SCORES)
    assert any("Left out what stands above the table: 'COMET-22" in note for note in more.notes)


ABOVE = {
    "nothing": [],
    "blank rows": [[], [], []],
    "a title in A1": [["COMET-22 scores"], []],
    "a title above it": [[], ["", "", "COMET-22 scores"], []],
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("above", "ending"), [*product(ABOVE, ["xlsx", "csv"])])
@pytest.mark.parametrize("table", [LONG, WIDE], ids=["long", "wide"])
def test_a_table_that_begins_further_right_and_below(above, ending, table, tmp_path):
    (path := tmp_path / f"x.{ending}").write_bytes(FILES[ending]([*ABOVE[above], *(["", "", *row] for row in table)]))
    np.testing.assert_array_equal(DATA.with_scores(path, name="x").metrics["x"], SCORES)
    if ending == "xlsx" and above != "nothing":
        with pytest.raises(tk.InputError, match="its columns have no names, but row ") as refused:
            DATA.with_scores(pd.read_excel(path), name="x")
        step = re.search(r"pandas.read_excel\(.*?\)", str(refused.value))[0]
        frame = eval(step, {"pandas": pd, "PATH": path})
        np.testing.assert_array_equal(DATA.with_scores(frame, name="x").metrics["x"], SCORES)


@pytest.mark.parametrize("mark", [",", ";"])
def test_a_title_with_a_comma_is_refused_with_a_step(mark, tmp_path):
    table = lines(WIDE, mark, is_even=False)
    (path := tmp_path / "x.csv").write_bytes(b"COMET-22, on wmt22\n\n" + table)
    with pytest.raises(tk.ReadError, match="has 'COMET-22' and 'on wmt22' above") as refused:
        DATA.with_scores(path, name="x")
    step = re.search(r"in Python pass (.*)", str(refused.value))[1]
    more = DATA.with_scores(eval(step, {"pandas": pd, "PATH": path}), name="x")
    np.testing.assert_array_equal(more.metrics["x"], SCORES)


@pytest.mark.parametrize("title", ["COMET-22\r", "COMET-22,\r,", '"COMET-22"\r,,'])
def test_ends_of_lines_within_a_title_are_no_obstacle(title):
    content = title.encode() + b"\n" + lines(LONG, ",", is_even=False)
    assert DATA.with_scores({"x.csv": content}, name="x").metrics["x"].tolist() == SCORES.tolist()


def test_a_name_of_a_column_is_no_title():
    rows = [["system", "", ""], ["gpt-4o", "first", "good"], ["ours", "first", "bad"]]
    with pytest.raises(tk.ReadError, match="line 1: column 2 has no name"):
        DATA.with_scores({"x.csv": lines(rows, ",", is_even=True)}, name="x")


def test_lines_of_messages_count_the_title():
    content = FILES["csv"]([["COMET-22 scores"], [], *LONG[:3], ["a", 3, "bad"], *LONG[4:]])
    with pytest.raises(tk.ReadError, match="line 6: 'bad'"):
        DATA.with_scores({"x.csv": content}, name="x")


PIVOT = [
    ["Row Labels", *SYSTEMS, "Grand Total"],
    *([at + 1, *SCORES[:, at], SCORES[:, at].mean()] for at in range(SIZE)),
]


@pytest.mark.parametrize("blank", [0, 2])
@pytest.mark.parametrize("ending", FILES)
@pytest.mark.filterwarnings("ignore::tiekit.LeftOutWarning")
def test_a_pivot_table_of_excel_is_refused_with_a_step(ending, blank, tmp_path):
    rows = [*[[]] * blank, ["Average of score", "Column Labels"], *PIVOT]
    (path := tmp_path / f"x.{ending}").write_bytes(FILES[ending](rows))
    with pytest.raises(tk.ReadError, match="has 'Average of score' and 'Column Labels' above") as refused:
        DATA.with_scores(path, name="x")
    step = re.search(r"in Python pass (.*)", str(refused.value))[1]
    more = DATA.with_scores(eval(step, {"pandas": pd, "PATH": path}), name="x")
    np.testing.assert_array_equal(more.metrics["x"], SCORES)
    number = int(re.search(r"in line (\d+); delete what stands above", str(refused.value))[1])
    (path := tmp_path / f"y.{ending}").write_bytes(FILES[ending](rows[number - 1 :]))
    np.testing.assert_array_equal(DATA.with_scores(path, name="x").metrics["x"], SCORES)


@pytest.mark.parametrize("ends", [",", ",,", ",,,"])
def test_commas_at_the_ends_of_all_lines_are_no_columns(ends: str) -> None:
    lines = [
        "system,segment,human,BLEU",
        *[f"{s},{i},{i % 4},{i / 8 + len(s)}" for s in ("ours", "b") for i in range(1, 9)],
    ]
    data = tk.read({"t.csv": "".join(f"{line}{ends}\n" for line in lines).encode()}, human="human")
    plain = tk.read({"t.csv": "\n".join(lines).encode()}, human="human")
    assert (
        data.metrics["BLEU"].tolist()
        == plain.metrics["BLEU"].tolist()
        == [[i / 8 + len(s) for i in range(1, 9)] for s in ("ours", "b")]
    )
    assert any(f"Left out {len(ends)} columns without a name and without cells" in note for note in data.notes)
    filled = "".join(f"{line}{ends}{'3' * (place == 4)}\n" for place, line in enumerate(lines)).encode()
    with pytest.raises(tk.ReadError, match="has no name"):
        tk.read({"t.csv": filled}, human="human")
