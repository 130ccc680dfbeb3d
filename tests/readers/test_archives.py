"""What is packed, and arrays: files that are damaged, hide something or claim to be larger than they are."""

from __future__ import annotations

import gzip
import io
import zipfile

import numpy as np
import pandas as pd
import pytest
from pyarrow import parquet

import tiekit as tk
from tests.readers import shapes
from tiekit.readers import FORMATS, _archives, read_score_lists
from tiekit.readers.formats import arrays
from tiekit.sets.scores import Lengths

TABLE = b"system,segment,mqm,BLEU\nA,1,-1,30\nA,2,0,25\nB,1,-2,20\nB,2,-3,10\n"


def npy(values, **options):
    stream = io.BytesIO()
    np.save(stream, values, **options)
    return stream.getvalue()


def test_an_error_names_the_line_of_the_sheet():
    rows = [["system", "segment", "mqm", "BLEU"], ["A", 1, 0, 1], [None, None, None, None], ["A", 2, 0, "oops"]]
    with pytest.raises(tk.ReadError, match=r"mine.xlsx, line 4: 'oops' in column 'BLEU' is not a score"):
        tk.read({"mine.xlsx": shapes.workbook(rows)}, human="mqm", metrics="BLEU")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.zip", shapes.archive(a_csv=TABLE, b_csv=TABLE), r"holds 2 files \(a.csv, b.csv\); unpack it, and give"),
        ("a.zip", shapes.archive(a_csv=TABLE)[:-30], "cannot be unpacked"),
        ("a.csv.gz", gzip.compress(shapes.archive(a_csv=TABLE)), "is an archive that is compressed again"),
        ("a.zip", shapes.archive(b_zip=shapes.archive(a_csv=TABLE)), "holds another archive, 'b.zip'"),
        ("a.ods", shapes.archive(mimetype_=b"", content_xml=b""), "is an OpenDocument file|holds 2 files"),
        ("a.xlsx", shapes.workbook([["system", "x"]], [["system", "x"]]), r"has cells in 2 sheets \(Sheet, Sheet1\)"),
        (
            "a.xlsx",
            shapes.workbook([["system", "segment", "mqm"], ["A", 1, 1], [None, 2, 1]]),
            r"line 3: found an empty cell in column 'system'; .* frame\[COLUMN\] = frame\[COLUMN\]\.ffill\(\)",
        ),
        ("a.xlsx", b"PK\x03\x04", "is not a workbook that can be opened"),
        ("a.xlsx", shapes.workbook([["system", "x"]])[:-30], "is not a workbook that can be opened"),
        ("a.parquet", b"PAR1" + b"x" * 100 + b"PAR1", "is not a Parquet file that can be opened"),
        ("a.npy", b"\x93NUMPY\x01\x00", "is no array that can be read"),
        (
            "a.npy",
            npy(np.zeros((2, 2)))[:-8],
            r"says that it has the shape \(2, 2\), which are 32 bytes, but 24 follow",
        ),
        ("a.npy", npy(np.array([{}, []], dtype=object), allow_pickle=True), "holds objects, which can run programs"),
        ("a.npy", npy(np.array(["a"])), r"holds <U1 of the shape \(1,\); expected numbers"),
        ("a.npy", npy(np.zeros((2, 2, 2, 2))), r"expected systems × segments, .*; give one matrix of it, such as"),
        (
            "a.npy",
            npy(np.zeros((1, 8))).replace(b"(1, 8), ", b"(-1, -8),"),
            r"of the shape \(-1, -8\); expected numbers, systems × segments",
        ),
        ("a.npy", npy(np.array([[1, np.inf]])), r"holds inf at \(0, 1\); expected finite numbers"),
        ("a.npy", npy(np.zeros(3)).replace(b"(3,)", b"(3, "), "is no array that can be read"),
        ("a.npz", shapes.archive(a_txt=b"x"), "is in no known format"),
        ("a.npz", shapes.archive(a_npy=npy(np.zeros(3)))[:-30], "cannot be unpacked"),
        ("a.npz", shapes.archive(a_npy=npy(np.zeros(3)), b_npy=npy(np.zeros(4))), "'b' has 4 segments, but 'a' has 3"),
    ],
)
def test_what_is_refused(name, content, words):
    with pytest.raises(tk.ReadError, match=words) as caught:
        tk.read({name: content})
    assert caught.value.path == name


def test_no_array_is_made_before_its_size_is_known(monkeypatch):
    huge = npy(np.zeros(1)).replace(b"(1,)", b"(9" + b"9" * 12 + b",)")
    huge = huge[:8] + (len(huge) - 18).to_bytes(2, "little") + huge[10:]
    monkeypatch.setattr(np, "frombuffer", lambda *_, **__: pytest.fail("read"))
    for name, content in {"a.npy": huge, "a.npz": shapes.archive(a_npy=huge)}.items():
        with pytest.raises(tk.ReadError, match=r"says that it has the shape \(9999999999999,\)"):
            tk.read({name: content})


def test_archives_that_grow_are_refused_before_they_are_unpacked(monkeypatch):
    monkeypatch.setattr(arrays, "MAX_BYTES", 2**20)
    bomb = shapes.archive(a_npy=b"\0" * 2**21)
    with monkeypatch.context() as one:
        one.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("unpacked"))
        with pytest.raises(tk.ReadError, match="unpacks to 2,097,152 bytes; the limit is 1 MB"):
            tk.read({"a.npz": bomb})
    monkeypatch.setattr(_archives, "ALWAYS_UNPACKED", 2**20)
    with pytest.raises(tk.ReadError, match=r"unpacks to more than 1,048,576 bytes \(1 MB\), the limit"):
        tk.read({"a.zip": shapes.archive(a_csv=b"\0" * 2**21)})


def test_a_parquet_file_is_counted_before_it_is_read(monkeypatch):
    stream = io.BytesIO()
    pd.DataFrame({f"c{at}": np.zeros(10) for at in range(10)}).to_parquet(stream)
    monkeypatch.setattr("tiekit.readers._amounts.MAX_CELLS", 99)
    monkeypatch.setattr(parquet, "read_table", lambda *_, **__: pytest.fail("read"))
    with pytest.raises(tk.ReadError, match=r"has 100 cells; the limit is 99; .*: tk\.read\(pandas\.read_parquet"):
        tk.read({"a.parquet": stream.getvalue()})
    monkeypatch.setattr(_archives, "MAX_COLUMNS", 9)
    monkeypatch.setattr("tiekit.readers._amounts.MAX_CELLS", 100)
    with pytest.raises(tk.ReadError, match="has 10 columns; the limit is 9"):
        tk.read({"a.parquet": stream.getvalue()})


def test_texts_that_stand_in_many_cells_are_counted_in_each_of_them(monkeypatch):
    monkeypatch.setattr(_archives, "MAX_SHEETS", 2_000)
    monkeypatch.setattr(_archives, "MAX_BYTES", 2_000)
    rows = [["system", "mqm"], *(["x" * 100, place] for place in range(30))]
    stream = io.BytesIO()
    pd.DataFrame(rows[1:], columns=rows[0]).to_parquet(stream)
    for name, content in {"t.parquet": stream.getvalue(), "t.xlsx": shapes.workbook(rows, rows)}.items():
        monkeypatch.setattr(_archives, "_without_styles", lambda _, data: data)
        with pytest.raises(tk.ReadError, match=rf"{name}: has cells of more than 2,000 letters"):
            tk.read({name: content})


@pytest.mark.parametrize(
    ("sheet", "words"),
    [
        (b"<row>" + b"<c/>" * 10_001, "has a row of more than 10,000 cells"),
        (b"<x:row r='1'>" + b"<x:c r='A1'>" * 10_001, "has a row of more than 10,000 cells"),
        ((b"<row>" + b"<c>" * 10_000) * 201, "has 2,010,000 cells; the limit is 2,000,000"),
        ("<row/>".encode("utf-16"), "is not written in UTF-8"),
    ],
)
def test_cells_of_a_sheet_are_counted_before_it_is_read(sheet, words):
    with pytest.raises(tk.ReadError, match=words):
        _archives._check_sheet("t.xlsx", sheet)


def test_rows_of_a_parquet_file_are_the_same_however_many_are_read_at_once(monkeypatch):
    frame = pd.DataFrame({"mqm": [1, None, 3, 4], "on": [True, False] * 2, "m": np.float32([0.1, 2, 3, 4])})
    for index in (None, pd.RangeIndex(4, name="segment"), pd.Index(list("abcd"), name="segment")):
        stream = io.BytesIO()
        (frame if index is None else frame.set_index(index)).to_parquet(stream)
        whole = _archives._parquet("t.parquet", stream.getvalue())
        with monkeypatch.context() as patch:
            patch.setattr(_archives, "ROWS_AT_ONCE", 2)
            assert _archives._parquet("t.parquet", stream.getvalue()) == whole


@pytest.mark.parametrize("form", ["parquet", "xlsx"])
def test_texts_keep_their_spaces(form):
    texts = ("Two  spaces in a row, and more.", "A line\nof two", "a tab\tin it")
    counts = tuple(map(len, texts))
    data = tk.EvalSet(
        name="small",
        language_pair="en-de",
        systems=("A", "B"),
        segments=("1", "2", "3"),
        human={"mqm": [[1, 2, 3], [3, 2, 1]]},
        metrics={},
        lengths=Lengths(counts, {}, {"A": counts, "B": counts}),
    )
    rows = [(system, place + 1, text, text, 0.5 + place) for system in "AB" for place, text in enumerate(texts)]
    frame = pd.DataFrame(rows, columns=["system", "segment", "src", "mt", "score"])
    stream = io.BytesIO()
    frame.to_parquet(stream) if form == "parquet" else frame.to_excel(stream, index=False)
    added = data.with_scores({f"mine.{form}": stream.getvalue()})
    assert any("verified by lengths of sources and outputs (3 of 3)" in note for note in added.notes)


def test_an_index_without_a_name_is_read_from_parquet_as_from_the_table_itself():
    rng = np.random.default_rng(5)
    human = rng.integers(0, 5, (6, 40))
    data = tk.EvalSet.from_arrays(human, {"other": human + 1}, systems=list("ABCDEF"))
    scores = pd.DataFrame(human.T + rng.normal(size=(40, 6)), columns=list("ABCDEF"))
    named = scores.set_axis(list(data.segments), axis=0)
    for table in (scores, named, named.T):
        shuffled, stream = table.sample(frac=1, random_state=2), io.BytesIO()
        shuffled.to_parquet(stream)
        for source in (shuffled, {"mine.parquet": stream.getvalue()}):
            found = data.with_scores(source, name="mine").metrics["mine"]
            np.testing.assert_array_equal(found, scores.T)
    stream = io.BytesIO()
    scores.melt().set_index(["variable", scores.melt().index]).rename_axis([None, None]).to_parquet(stream)
    with pytest.raises(tk.ReadError, match=r"levels of its index have no name; .*rename_axis"):
        data.with_scores({"mine.parquet": stream.getvalue()})


def test_lists_in_the_cells_of_a_parquet_file_are_refused():
    stream = io.BytesIO()
    pd.DataFrame({"a": [[1, 2]], "b": [1.0]}).to_parquet(stream)
    with pytest.raises(tk.ReadError, match="holds lists or records in its cells"):
        tk.read({"t.parquet": stream.getvalue()})


COLUMNS = {"system": np.array(["A", "B"]), "segment": np.array([1, 1]), "score": np.array([0.5, 0.25])}
RECORDS = pd.DataFrame(COLUMNS).to_records(index=False, column_dtypes={"system": "U1"})


@pytest.mark.parametrize(
    ("scores", "words"),
    [
        ({"A": [1, 2], "B": [1]}, "'B' has 1 segments, but 'A' has 2"),
        ({"A": [1, "x"]}, "'x' is not a score"),
        ({"m": {"A": [1, 2]}, "n": {"A": [1]}}, "'n' has 1 segments, 'm' 2"),
        ({"m": {"A": [1, 2]}, "n": [[1, 2]]}, "'n' has another shape than 'm'"),
        ({"A": {"B": {"C": {"D": {"E": 1}}}}}, "is nested otherwise than the rest"),
        ({"A": [[[1]]], "B": [1]}, "'A' is nested otherwise"),
        (
            np.zeros((2, 2, 2)),
            r"expected systems × segments, segments × systems, or one list; found the shape \(2, 2, 2\)",
        ),
        ([("A", 1, 0.5), ("B", 1, 0.5)], r"'A' is not a score; .*; make a table of columns: pandas\.DataFrame\(source"),
        (shapes.npy(RECORDS), r"make a table of columns: pandas\.DataFrame\(numpy\.load\(PATH\)\), with the columns"),
        (shapes.npz(**COLUMNS), r"make a table of columns: pandas\.DataFrame\(dict\(numpy\.load\(PATH\)\)\), with"),
        (np.array([1, np.inf]), "scores must be finite"),
        ([[1, 2], [3]], "row 2 has 1 segments, but row 1 has 2"),
        ({"A": []}, "expected a list of scores"),
        ({}, "the mapping is empty"),
    ],
)
def test_arrays_and_scores_in_memory_that_are_refused(scores, words):
    with pytest.raises((tk.InputError, tk.ReadError), match=words):
        tk.read(scores)


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_values_beside_lists_are_left_out():
    data = read_score_lists({"x.json": b'{"precision": [1, 2], "recall": [3, 4], "hashcode": "roberta"}'})
    assert data.notes[1] == "hashcode left out: each is no list of one value for each segment"
    two = shapes.data().with_scores({"precision": shapes.SCORES.ravel(), "f1": -shapes.SCORES.ravel(), "mean": 1.0})
    assert list(two.metrics) == ["precision", "f1"]
    np.testing.assert_array_equal(two.metrics["f1"][:4], -shapes.SCORES)


@pytest.mark.filterwarnings("ignore::tiekit.LeftOutWarning")
def test_a_matrix_that_may_be_several_systems_is_refused():
    human = np.full((4, 3), np.nan)
    human[[0, 2]] = 1
    data = tk.EvalSet(
        "toy", "", ("A", "B", "refA", "refB"), tuple("123"), {"h": human}, {}, gold="h", standard_reference="refA"
    )  # fmt: skip
    with pytest.raises(
        tk.InputError, match=r"its 6 lines may be of|its 6 scores may be of those without refA, refB or"
    ):
        data.with_scores(np.ones((2, 3)))
    with pytest.raises(tk.InputError, match=r"a matrix of 5 × 3 is not 4 systems × 3 segments \(or 3 × 3 without refA"):
        data.with_scores(np.ones((5, 3)))
    named = data.with_scores(dict(zip("AB", np.ones((2, 3)), strict=True)), name="m")
    assert named.metrics["m"][:2].tolist() == [[1] * 3] * 2


def test_the_code_that_reads_archives_names_all_files():
    entry, one = FORMATS["archive"], shapes.archive(t_csv=TABLE)
    assert entry.call({"t.zip": one}, {"human": ("mqm",)}) == "tk.read('t.zip', human=('mqm',))"
    assert entry.call({"t.zip": one, "u.zip": one}, {}) == "tk.read(['t.zip', 'u.zip'])"
    assert [choice.argument for choice in entry.questions({"t.zip": one}, {"human": ("mqm",)})] == ["human", "metrics"]
