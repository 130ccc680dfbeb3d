"""A table that is divided many lines at once is the one that is read line by line, and none that needs a look."""

import random

import pytest

from tiekit import ReadError
from tiekit.readers import _amounts, _table
from tiekit.readers._columns import Texts, even_columns
from tiekit.readers._table import open_table

CELLS = ["1", ".5", "-0.0", "nan", "", " ", "a", " b c", "\u00a0", "\x0b", "2\u2028", "é", "NA", "-"]


def _read(text):
    try:
        table = open_table({"t.tsv": text.encode()})
    except ReadError as error:
        return str(error)
    return list(table.lines), table.headed, table.notes, {name: [*table.cells(name)] for name in table.columns}


@pytest.mark.parametrize("mark", [",", "\t", ";"])
def test_many_lines_at_once_are_what_each_line_is(monkeypatch, mark):
    monkeypatch.setattr(_amounts, "PIECE", 40)  # many pieces
    draw, taken = random.Random(7), 0
    for _ in range(600):
        cells, names = draw.sample(CELLS, 5) + ["1", "a"] * draw.choice([0, 9]), ["system", "segment", "x"]
        rows = [names, *([draw.choice(cells) for _ in names] for _ in range(draw.randrange(1, 30)))]
        lines = [mark.join(row) for row in rows]
        lines += draw.choice([[], [], [""], [lines[0]], [lines[1] + mark], [" "], [mark * 2]])
        text = "\n".join(lines) + "\n" * draw.randrange(2)
        taken += even_columns(text, mark) is not None
        found = _read(text)
        with monkeypatch.context() as slow:
            slow.setattr(_table, "even_columns", lambda *_: None)
            assert found == _read(text), repr(text)
    assert 60 < taken < 540


@pytest.mark.parametrize(
    "text", ['a,b\n"1,2",3', "a,b\n\n1,2", "a,b\n1,2\n,", "a,b\n1,2\na,b", "a,b\n1,2,3", "\na,b\n1,2", ""]
)
def test_what_needs_a_look_is_read_line_by_line(text):
    assert even_columns(text, ",") is None
    assert even_columns("a,b\n1,2\n", ",")[0] == ["a", "b"]


def test_numbers_are_kept_until_they_are_taken():
    cells = Texts(["1", "NA", "-.5"])
    assert cells.numbers() is cells.numbers(is_last=True)
    assert cells.numbers().tolist()[::2] == [1, -0.5]
    with pytest.raises(ValueError, match="float"):
        Texts(["1", "x"]).numbers()
