"""MATEO: workbooks, single sheets as text, corpus scores; and workbooks that are damaged or grow too large."""

import io
import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pytest

import tiekit as tk
from tests.readers.refusals import refusals
from tiekit.readers import _archives as _workbook
from tiekit.readers import read_mateo, recognize
from tiekit.readers.formats.mateo import FORMAT

SAMPLES = Path(__file__).parent / "samples"
ROWS = [
    ["src", "ref", "owl.txt", "owl.txt_score", "elk.txt", "elk.txt_score"],
    ["Aha", "Oho", "Oho", 0.75, "Ehe", 1 / 3],
    ["Ja", "Si", "Si", -1, "Sie", None],
]
NAN = np.nan


def workbook(**sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def with_part(data, name, content):
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as changed:
        for part in archive.namelist():
            changed.writestr(part, content if part == name else archive.read(part))
        if name not in archive.namelist():
            changed.writestr(name, content)
    return file.getvalue()


def test_every_sheet_is_a_metric():
    content = workbook(comet=ROWS, TER=ROWS, empty=[])
    data = read_mateo({"sentences.xlsx": content})
    assert recognize({"sentences.xlsx": content}).name == "archive"
    assert tk.read({"sentences.xlsx": content}).notes[0] == f"sentences.xlsx: read as {FORMAT.label}"
    assert (data.name, data.systems, data.segments) == ("sentences", ("owl.txt", "elk.txt"), ("1", "2"))
    np.testing.assert_array_equal(data.metrics["comet"], [[0.75, -1], [1 / 3, NAN]])
    np.testing.assert_array_equal(data.metrics["TER"], [[-0.75, 1], [-1 / 3, NAN]])
    assert (data.sources, data.references["ref"]) == (("Aha", "Ja"), ("Oho", "Si"))
    assert data.outputs["elk.txt"] == ("Ehe", "Sie")
    assert data.notes == ("Sentences of MATEO.", "TER is negated: lower is better.")
    assert len(data.digest) == 64


def test_a_sheet_saved_as_text():
    data = read_mateo(SAMPLES / "comet.csv")
    np.testing.assert_array_equal(data.metrics["comet"], [[0.75, -1], [0.5, NAN]])
    assert (data.sources[1], data.outputs["owl.txt"]) == ("Ja, ja", ("Oho", "Si"))
    assert list(read_mateo(SAMPLES / "comet.csv", metric="mine").metrics) == ["mine"]
    tabs = "\n".join("\t".join("" if cell is None else str(cell) for cell in row) for row in ROWS)
    np.testing.assert_allclose(read_mateo({"ter.tsv": tabs.encode()}).metrics["ter"], [[-0.75, 1], [-1 / 3, NAN]])


def test_scores_of_whole_systems():
    data = read_mateo(SAMPLES / "mateo-evaluation.tsv")
    assert (data.systems, data.segments) == (("owl.txt", "elk.txt"), ("all",))
    assert {name: scores.tolist() for name, scores in data.metrics.items()} == {
        "bleu": [[71], [38]],
        "TER": [[-20.5], [-80]],
    }
    assert data.notes[1] == "TER is negated: lower is better."
    book = workbook(Sheet1=[["system", "comet"], ["owl.txt", 0.5]])
    assert read_mateo({"mateo-evaluation.xlsx": book}).metrics["comet"].tolist() == [[0.5]]


test_texts_that_are_refused = refusals(
    lambda text: read_mateo({"m.csv": text.encode()}),
    [
        ("a,b\n1,2\n", 1, "found the columns 'a, b'; expected pairs of"),
        ("ref,a,a_score\n", 1, "has a header and no rows"),
        ("ref,a,a_score\nx,y,good\n", 2, "'good' in column 'a_score' is not a score"),
        ("ref,a,a_score\nx,y,1,2\n", 2, "found 4 cells, expected 3 as in the header"),
        ("ref,a,,a_score\nx,y,1,2\n", 1, "column 3 is named ''; expected a name that"),
        ("ref,a,a,a_score\nx,y,1,2\n", 1, "column 3 is named 'a'"),
        ("system\nx\n", 1, "has no metric"),
        ("system,bleu\nx,1\nx,2\n", 3, "found the system 'x'; expected a name that"),
    ],
)


def test_sheets_must_have_the_same_sentences():
    with pytest.raises(tk.ReadError, match=r"m.xlsx: the sheet 'bleu' has other systems or sentences than 'comet'"):
        read_mateo({"m.xlsx": workbook(comet=ROWS, bleu=ROWS[:2])})
    with pytest.raises(tk.ReadError, match=r"m.xlsx, sheet comet, line 3: 'x' in column 'owl.txt_score'"):
        read_mateo({"m.xlsx": workbook(comet=[*ROWS[:2], ["a", "b", "c", "x", "d", 1]])})
    with pytest.raises(tk.ReadError, match=r"m.xlsx: has no cells in its sheets 'comet'"):
        read_mateo({"m.xlsx": workbook(comet=[])})


def test_a_workbook_that_grows_is_refused_before_it_is_unpacked(monkeypatch):
    good = workbook(comet=ROWS)
    bomb = with_part(good, "xl/worksheets/sheet1.xml", b" " * (_workbook.MAX_SHEETS + 1))
    assert len(bomb) < 100_000
    long_list = with_part(good, "xl/workbook.xml", b" " * (_workbook.MAX_REST + 1))
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("unpacked"))
    for content in (bomb, long_list):
        with pytest.raises(tk.ReadError, match=r"m.xlsx: unpacks to .* bytes; the limit is 24 MB of cells; save each"):
            read_mateo({"m.xlsx": content})


def test_styles_are_not_unpacked():
    bomb = with_part(workbook(comet=ROWS), "xl/styles.xml", b"<" * 30_000_000)
    assert read_mateo({"m.xlsx": bomb}).metrics["comet"][0, 0] == 0.75


def test_empty_rows_cannot_be_declared_without_end():
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    rows = '<row r="1000000"><c r="A1000000"><v>1</v></c></row>'
    sheet = f"<worksheet {space}><sheetData>{rows}</sheetData></worksheet>".encode()
    with pytest.raises(tk.ReadError, match=r"m.xlsx: has more than 2,000,000 cells"):
        read_mateo({"m.xlsx": with_part(workbook(comet=ROWS), "xl/worksheets/sheet1.xml", sheet)})
