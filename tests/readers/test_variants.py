"""A file as programs save it, and a frame with its columns, give the same scores; several files stand side by side."""

import csv
import gzip
import io
import json
import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.readers.refusals import refusals

MQM = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
WMT25 = "doc_id\tsegment_id\tsource_lang\ttarget_lang\tsystem_id\toverall\n"
FILES = {
    "table.csv": "system,segment,human,BLEU\nA,1,-1.5,30.25\nB,1,0,25\n",
    "eval.csv": "system_id,segment_id,label,prediction\nA,0,-1,1.25\nA,1,0,0.5\n",
    "comet.csv": "ref,h1,h1_score,h2,h2_score\nHi,Hi,0.95,Ho,0.35\nYes,Yes,0.5,No,0.25\n",
    "hf.csv": "lp,src,mt,ref,score,system,year\nde-en,ja,yes,yes,-1.5,A,2022\nde-en,ja,no,yes,-5,B,2022\n",
    "esa.csv": "r1,A,0,TGT,deu,eng,90,d,False,[],1,2\nr1,B,0,TGT,deu,eng,70,d,False,[],3,4\n",
    "mqm.tsv": f"{MQM}A\td\t1\t1\tr1\ts\tt\tStyle\tMajor\nB\td\t1\t1\tr1\ts\tt\tStyle\tMinor\n",
    "wmt25.tsv": f"{WMT25}d\t1\ten\tcs_CZ\tA\t88.5\nd\t1\ten\tcs_CZ\tB\t60\n",
    "lines.txt": "0.5\n0.75\n",
    "printed.txt": "h1\tSegment 0\tscore: 0.9100\nh2\tSegment 0\tscore: 0.3100\n",
    "mine.seg.score": "A 0.5\nA 0.25\nB 0.75\nB 1\n",
}
VARIANTS = {
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "a byte order mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16": lambda text: text.encode("utf-16"),
    "gzip": lambda text: gzip.compress(text.encode()),
    "a blank line at the end": lambda text: f"{text}\n".encode(),
    "no line end": lambda text: text.removesuffix("\n").encode(),
}


def scores(name, content, **choices):
    """The systems, segments and scores of a file."""
    data = tk.read({name: content}, **choices)
    matrices = {kind: {key: m.tolist() for key, m in getattr(data, kind).items()} for kind in ("human", "metrics")}
    return data.systems, data.segments, str(matrices)


@pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", FILES)
def test_line_ends_and_encodings(name, variant):
    assert scores(name, VARIANTS[variant](FILES[name])) == scores(name, FILES[name].encode())


@pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")
@pytest.mark.parametrize("name", [name for name in FILES if name.endswith((".csv", ".tsv")) and name != "esa.csv"])
def test_blank_lines_and_a_header_in_capitals(name):
    header, body = FILES[name].split("\n", 1)
    right = scores(name, FILES[name].encode())
    assert scores(name, f"\n{header}\n{body}  \n".encode()) == right
    capitals = scores(name, f"{header.upper()}\n{body}".encode())
    assert repr(capitals).casefold() == repr(right).casefold()


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".csv")])
def test_semicolons_and_decimal_commas(name):
    """What a spreadsheet saves in German."""
    rows = list(csv.reader(io.StringIO(FILES[name])))
    text = "\r\n".join(";".join(cell.replace(".", ",") for cell in row) for row in rows)
    assert scores(name, f"\ufeff{text}\r\n;;;\r\n".encode() if name == "table.csv" else text.encode()) == scores(
        name, FILES[name].encode()
    )


@pytest.mark.parametrize(
    ("cell", "found"),
    [("0,123", 0.123), ("12,5", 12.5), (",5", 0.5), ("-1,25e-05", -1.25e-05), ("1,234", None), ("-12,345", None)],
)
def test_tabs_and_decimal_commas(cell, found):
    """A spreadsheet's "Unicode text": a comma is decimal where it cannot divide thousands."""
    content = f"system\tsegment\thuman\tBLEU\nA\t1\t3\t{cell}\nB\t1\t4\t1\n".encode("utf-16")
    if found is None:
        with pytest.raises(tk.ReadError, match=r"if it is decimal, -?\d+ if it divides thousands"):
            tk.read({"x.txt": content})
    else:
        data = tk.read({"x.txt": content})
        assert data.metrics["BLEU"].tolist() == [[found], [1]]
        assert "Decimal commas were read as decimal points." in data.notes


THOUSANDS = {
    "a table": "system;segment;human;words\nA;1;3;1,159\nA;2;4;945\nB;1;4;2,041\nB;2;3;311\n",
    "tabs": "system\tsegment\thuman\twords\nA\t1\t3,5\t1,159\nA\t2\t4\t945\nB\t1\t4\t2,041\nB\t2\t3\t311\n",
    "a column for each system": "segment;A;B\n1;1,159;945\n2;2,041;311\n",
}


@pytest.mark.parametrize("shape", THOUSANDS)
def test_commas_that_may_divide_thousands(shape):
    """1,159 beside 945 is refused; beside 94 or 100, or where another one has not three digits, it is decimal."""
    text, data = THOUSANDS[shape], tk.EvalSet("x", "", ("A", "B"), ("1", "2"), {}, {"m": np.zeros((2, 2))})
    chosen = {"metrics": "words", "name": "x"} if "words" in text else {"name": "x"}

    def largest(*others):
        cells = dict(zip(("945", "311", "1,159", "2,041"), others, strict=False))
        changed = re.sub("|".join(cells), lambda found: cells[found[0]], text)
        return float(data.with_scores({"x.csv": changed.encode()}, **chosen).metrics["x"].max())

    words = "line 2: '1,159' in column '.*' has a comma beside 945; write 1.159 if it is decimal, 1159 if it divides"
    with pytest.raises(tk.ReadError, match=words):
        largest("945", "311")
    assert largest("945", "311", "1159", "2041") == 2041
    assert largest("94", "31") == 94
    assert largest("100", "93") == 100
    assert largest("945", "3,5") == 945


def test_decimal_commas_in_a_column_of_many_judges():
    rows = "id;model;human;judge;score\n1;A;3;X;4,5\n1;B;4;X;4\n1;A;3;Y;1,5\n1;B;4;Y;2\n"
    data = tk.read({"judges.csv": rows.encode()}, scorer="judge", score="score")
    assert data.metrics["X"].tolist() == [[4.5], [4]]
    mixed = rows.replace("1;A;3;", "1;A;3.5;")
    with pytest.raises(tk.ReadError, match="decimal commas in column 'score' and decimal points in column 'human'"):
        tk.read({"judges.csv": mixed.encode()}, scorer="judge", score="score")


def test_a_blank_first_line_is_no_score():
    with pytest.raises(tk.ReadError, match="line 1: expected one score per line, found ''; write nan where"):
        tk.read({"lines.txt": b"\n0.5\n0.7\n"})


def test_a_blank_line_is_no_system_and_no_sentence():
    data = tk.read({"mateo-evaluation.tsv": b"system\tcomet\nh1\t0.5\n   \n"})
    assert data.systems == ("h1",)
    data = tk.read({"comet.csv": b"ref,h1,h1_score\nHi,Hi,0.5\n   \n"})
    np.testing.assert_array_equal(data.metrics["comet"], [[0.5]])


METRICX = [
    {"system_id": "A", "segment_id": 0, "label": -1.0, "prediction": 1.25},
    {"system_id": "A", "segment_id": 1, "label": 0.0, "prediction": 0.1 + 0.2},
]


def comet(**scores):
    """A file of comet-score."""
    return json.dumps({name: [{"mt": "x", "COMET": score} for score in row] for name, row in scores.items()}).encode()


@pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")
@pytest.mark.parametrize("name", ["eval.csv", "comet.csv", "hf.csv", "esa.csv", "mqm.tsv", "wmt25.tsv", "table.csv"])
def test_a_frame_of_a_file_is_read_like_the_file(tmp_path, name):
    path = tmp_path / name
    path.write_text(FILES[name])
    header = None if name == "esa.csv" else "infer"
    frame = pd.read_csv(path, sep="\t" if name.endswith(".tsv") else ",", header=header)
    right, found = tk.read(path), tk.read(frame)
    assert found.notes[0] == right.notes[0].replace(name, "DataFrame")
    assert (found.systems, found.segments, found.language_pair) == (right.systems, right.segments, right.language_pair)
    for kind in ("human", "metrics"):
        ours, theirs = getattr(found, kind), getattr(right, kind)
        assert [matrix.tolist() for matrix in ours.values()] == [matrix.tolist() for matrix in theirs.values()]


@pytest.mark.parametrize("make", [list, pd.DataFrame])
@pytest.mark.parametrize("format", [None, "metricx"])
def test_predictions_of_metricx_are_negated_wherever_they_are(make, format):
    data = tk.read(make(METRICX), format=format)
    assert data.metrics["MetricX"].tolist() == [[-1.25, -(0.1 + 0.2)]]
    plain = tk.read(make(METRICX), format="table", human="label", metrics="prediction")
    assert plain.metrics["prediction"][0, 0] == 1.25


def test_a_frame_of_a_set_stays_what_it_was():
    data = tk.EvalSet("s", "", ("A",), ("1", "2"), {"label": [[1, 2]]}, {"prediction": [[3, 4]]})
    frame = data.to_frame().rename(columns={"system": "system_id", "segment": "segment_id"})
    assert tk.read(frame, human="label", metrics="prediction").metrics["prediction"].tolist() == [[3, 4]]


def test_other_systems_in_each_file():
    data = tk.read({"one.json": comet(A=[1, 2], B=[3, 4]), "two.json": comet(C=[5, 6])})
    assert (data.systems, data.metrics["COMET"].tolist()) == (("A", "B", "C"), [[1, 2], [3, 4], [5, 6]])
    assert data.notes[0].startswith("2 files (one.json, two.json): each read as COMET")
    assert any(note.startswith("two.json: ") for note in data.notes)
    swapped = tk.read({"two.json": comet(C=[5, 6]), "one.json": comet(A=[1, 2], B=[3, 4])})
    assert (swapped.systems, swapped.digest) == (("C", "A", "B"), data.digest)
    tables = {
        "A.csv": b"system,segment,domain,BLEU\nA,x,u,1\nA,y,v,2\n",
        "B.csv": b"system,segment,domain,BLEU\nB,y,v,4\nB,x,u,3\n",
    }
    whole = tk.read(tables)
    assert (whole.segments, whole.domains, whole.metrics["BLEU"].tolist()) == (("x", "y"), ("u", "v"), [[1, 2], [3, 4]])
    parts = {"A.csv": b"segment,human,m\nx,1,5\ny,2,6\n", "B.csv": b"segment,human,m\ny,4,8\nx,3,7\n"}
    with pytest.warns(tk.RoleWarning, match="the files have other human scores, so each was taken for a system"):
        whole = tk.read(parts)
    assert (whole.systems, whole.human["human"].tolist()) == (("A", "B"), [[1, 2], [3, 4]])
    assert whole.metrics["m"].tolist() == [[5, 6], [7, 8]]


def test_the_same_systems_in_each_file():
    files = {"kiwi.json": comet(A=[1, 2], B=[3, 4]), "da.json": comet(B=[7, 8], A=[5, 6])}
    data = tk.read(files)
    assert {name: matrix.tolist() for name, matrix in data.metrics.items()} == {
        "kiwi": [[1, 2], [3, 4]],
        "da": [[5, 6], [7, 8]],
    }
    tables = {
        name: f"system,segment,human,{name}\nA,1,3,{x}\nB,1,4,1\n".encode() for name, x in (("u.csv", 5), ("v.csv", 6))
    }
    both = tk.read(tables)
    assert both.human["human"].tolist() == [[3], [4]]
    assert {name: matrix.tolist() for name, matrix in both.metrics.items()} == {
        "u.csv": [[5], [1]],
        "v.csv": [[6], [1]],
    }
    tables["v.csv"] = tables["v.csv"].replace(b"A,1,3", b"A,1,2")
    with pytest.raises(tk.InputError, match=r"v\.csv has other human scores 'human' than the files before"):
        tk.read(tables)


test_files_that_do_not_stand_side_by_side = refusals(
    lambda second: tk.read({"one.json": comet(A=[1, 2], B=[3, 4]), "two.json": second}),
    [
        (comet(B=[1, 2, 3]), "one.json has no segment 3, which two.json has; files that are"),
        (comet(A=[1, 2], C=[1, 2]), "A is in several files, but not all systems are"),
    ],
    tk.InputError,
)


@pytest.fixture
def data():
    gold = np.array([[-1.0, -2.0, -3.0], [0.0, -1.5, -4.0]])
    return tk.EvalSet("toy", "en-de", ("Sys-A", "B"), ("1", "2", "3"), {"mqm": gold}, {"BLEU": gold}, gold="mqm")


RIGHT = [[6, 5, 4], [3, 2, 1]]


@pytest.mark.parametrize(
    "source",
    [
        {"mine.csv": b"segment,B,Sys-A\n3,1,4\n1,3,6\n2,2,5\n"},
        {"mine.csv": b"Sys-A;B\n6,0;3,0\n5,0;2,0\n4,0;1,0\n"},
        pd.DataFrame({"B": [1, 3, 2], "out/Sys-A.txt": [4, 6, 5]}, index=[3, 1, 2]),
        pd.DataFrame([[1, 3, 2], [4, 6, 5]], index=["B", "Sys-A"], columns=["3", "1", "2"]),
    ],
)
def test_a_column_or_a_row_for_each_system(data, source):
    more = data.with_scores(source, name="mine")
    assert more.metrics["mine"].tolist() == RIGHT
    assert any("Its columns are systems of toy" in note for note in more.notes)


def test_no_metric_is_taken_for_human_scores(data):
    """Of two unknown columns, the first one would be, in a table by itself."""
    table = (
        b"system,segment,x1,x2,human\nSys-A,1,6,1,9\nB,1,3,2,9\nSys-A,2,5,1,9\nB,2,2,2,9\nSys-A,3,4,1,9\nB,3,1,2,9\n"
    )
    more = data.with_scores({"t.csv": table})
    assert list(more.metrics) == ["BLEU", "x1", "x2"]
    assert more.metrics["x1"].tolist() == RIGHT
    rows = "id,system,judge,score\n" + "".join(
        f"{i + 1},{s},{j},{RIGHT[k][i]}\n" for j in "XY" for k, s in enumerate(("Sys-A", "B")) for i in range(3)
    )
    judged = data.with_scores({"t.csv": rows.encode()}, scorer="judge", score="score")
    assert judged.metrics["X"].tolist() == judged.metrics["Y"].tolist() == RIGHT
