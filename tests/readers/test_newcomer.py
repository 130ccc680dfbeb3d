"""A metric is added to a set: which cells match, what is said, and whether its order is asked about."""

import hashlib
import io
import json
import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.readers.test_read import ENTRY
from tiekit.errors import collect_warnings
from tiekit.readers import FORMATS

ROOT = Path(__file__).parents[2]
CONTOUR = ROOT / "data/synthetic/metric-scores/qaa-qab/Contour-refA.seg.score"
RISING = b"A 6\nA 5\nA 4\nB 3\nB 2\nB 1\n"
RISING_SERIES = pd.Series([1, 2, 3], index=[1, 2, 3])
WIDE = pd.DataFrame({"A": [6.0, 5, 4, 3], "B": [3.0, 2, 1, 0]})
GOLD = np.array([[-1.0, -2.0, -3.0], [0.0, -1.5, -4.0]])


@pytest.fixture
def data():
    return tk.EvalSet("toy", "en-de", ("A", "B"), ("1", "2", "3"), {"mqm": GOLD}, {"BLEU": GOLD}, gold="mqm")


def test_a_metric_of_the_set_under_another_name():
    data = tk.read_mtme(ROOT / "data", "synthetic", "qaa-qab")
    more = data.with_scores(CONTOUR, name="mine")
    np.testing.assert_array_equal(more.metrics["mine"], data.metrics["Contour-refA"])
    assert list(more.metrics) == [*data.metrics, "mine"]
    assert more.notes == (
        f"{CONTOUR.name}: read as .seg.score files",
        "mine: equals Contour-refA in all cells",
        "mine: 15 of 16 systems and 300 of 300 segments matched (4,500 of 4,800 cells), segments in their order",
    )
    assert (more.gold, more.standard_reference, more.human.keys()) == (data.gold, "refA", data.human.keys())
    assert tk.correlate(more, "mine", "tau_b").value == tk.correlate(more, "Contour-refA", "tau_b").value


def test_the_notes_of_the_set_come_first(data):
    once = data.with_scores({"one.seg.score": RISING})
    assert once.with_scores({"two.seg.score": RISING}).notes[:2] == once.notes


def test_a_set_that_was_read_before(data):
    scores = tk.read({"mine.seg.score": RISING})
    assert data.with_scores(scores).metrics["mine"].tolist() == [[6, 5, 4], [3, 2, 1]]
    for choices in ({"format": "scores"}, {"human": ()}):
        with pytest.raises(tk.InputError, match=r"(format|human): is for files, but the source is an EvalSet"):
            data.with_scores(scores, **choices)


def test_the_digest_depends_on_the_scores(data):
    others = [RISING.replace(b"6", b"7"), RISING.replace(b"A ", b"x/A.txt "), RISING]
    digests = [data.with_scores({"mine.seg.score": content}).digest for content in others]
    named = data.with_scores({"mine.seg.score": RISING}, name="other").digest
    assert digests[1] == digests[2]
    assert len({data.digest, *digests, named}) == 4
    matrix = np.arange(6.0, 0, -1).reshape(2, 3)
    assert digests[2] == hashlib.sha256(f"{data.digest}\0mine\0".encode() + matrix.tobytes()).hexdigest()


def test_only_metrics_are_added(data):
    table = (
        b"system,segment,human,mqm,X,Y\nA,1,9,9,4,1\nA,2,9,9,3,2\nA,3,9,9,2,1\nB,1,9,9,5,4\nB,2,9,9,4,4\nB,3,9,9,1,1\n"
    )
    more = data.with_scores({"t.csv": table})
    assert (list(more.metrics), list(more.human)) == (["BLEU", "X", "Y"], ["mqm"])
    assert list(data.with_scores({"t.csv": table}, names={"X": "mine"}).metrics) == ["BLEU", "mine", "Y"]
    assert list(data.with_scores({"t.csv": table}, names=["a", "b"]).metrics) == ["BLEU", "a", "b"]
    for labels in (range(3), [2.0, 1.0, 3.0], ["2.wav", "1.wav", "3.wav"]):
        scores = {"B": [3, 2, 1], "A": [6, 5, 4]} if labels == range(3) else {"B": [2, 3, 1], "A": [5, 6, 4]}
        each = {f"{name}.csv": pd.Series(row, labels).to_csv().encode() for name, row in scores.items()}
        assert data.with_scores(each, name="mine").metrics["mine"].tolist() == [[6, 5, 4], [3, 2, 1]]
    long = pd.DataFrame({"system": list("AAABBB"), "clip": list("132321"), "m": [6, 4, 5, 1, 2, 3]}, [0, 2, 1, 2, 1, 0])
    with pytest.warns(tk.RoleWarning, match="took 'clip' for segment="):
        more = data.with_scores({"t.csv": long.to_csv().encode()})
    assert more.metrics["m"].tolist() == [[6, 5, 4], [3, 2, 1]]
    assert any("first column, which counts the rows, was left out" in note for note in more.notes)
    more = data.with_scores({"t.csv": long.to_csv(index_label="index").encode()}, metrics="m")  # index and clip agree
    assert more.metrics["m"].tolist() == [[6, 5, 4], [3, 2, 1]]
    rows = tk.EvalSet("toy", "", ("A", "B"), tuple(map(str, range(1, 13))), {}, {})
    orders = {"A": np.roll(np.arange(1.0, 13), 5), "B": np.arange(12.0, 0, -1)}
    for add, metric in ((rows.with_scores, "score"), (rows.with_human, "mos"), (rows.with_scores, "x")):
        options = {"score_column": 2} if metric == "x" else {"metrics": metric} if metric == "score" else {}
        for start in (0, 1000):
            frames = {name: pd.DataFrame({"clip": order + start, metric: order / 10}) for name, order in orders.items()}
            each = {f"{k}.csv": one.to_csv(index=False, header=metric != "x").encode() for k, one in frames.items()}
            if start:
                with pytest.raises(tk.InputError, match=r"rows .* in different orders, and none is a segment of the s"):
                    add(each, name="m", **options)
            else:
                found = add(each, name="m", **options)
                np.testing.assert_array_equal({**found.human, **found.metrics}["m"], [np.arange(1, 13) / 10] * 2)
    wide = pd.DataFrame({"clip": orders["A"], "A": orders["A"] / 10, "B": orders["A"]}).to_csv(index=False).encode()
    assert rows.with_scores({"w.csv": wide}, name="m").metrics["m"][0].tolist() == (np.arange(1, 13) / 10).tolist()
    frames = {
        f"{name}.csv": pd.DataFrame({"clip": order + 500, "human": order / 3, "m": order / 7})
        for name, order in orders.items()
    }
    with pytest.warns(tk.RoleWarning, match="took 'clip' for segment=, as all files hold the same whole numbers in it"):
        read = tk.read({name: one.to_csv(index=False).encode() for name, one in frames.items()})
    assert (read.segments[0], read.human["human"][0, 0]) == ("508.0", 8 / 3)


@pytest.mark.parametrize(
    ("header", "found"),
    [
        (
            "system,segment,score,BLEU",
            "metrics: columns 'score', 'BLEU' may each be the metric, or 'score' human",
        ),
        (
            "system,segment,rating,p",
            "metrics: columns 'rating', 'p' may each be the metric, or 'rating' human",
        ),
        ("engine,segment,x,y", ["x", "y"]),
        ("system,segment,x,lp", "has scores of zh-en, but the set is en-de"),
        ("system,segment,x,whatever", "has scores of zh-en, but the set is en-de"),
        ("system,segment,x,src_lang,tgt_lang", "has scores of zh-en, but the set is en-de"),
        ("system,segment,x,source_lang,target_lang", "has scores of en-fr, but the set is en-de"),
        ("system,segment,x,language_pair", "has scores of English-French, but the set is en-de"),
        ("system,segment,x,lang_pair", "has scores of en-arz_EG, but the set is en-de"),
        ("system,segment,x,langs", "has scores of eng_Latn-fra_Latn, but the set is en-de"),
        ("system,segment,x,LP", ["x"]),
        ("system,segment,score,year", ["t"]),
        ("system,segment,gt,score", ["t"]),
    ],
)
@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_columns_of_a_table_that_is_added(data, header, found):
    last = {"lp": "zh-en", "whatever": "zh-en", "tgt_lang": "zh,en", "target_lang": "eng_Latn,fra_Latn"}
    last |= {"language_pair": "English-French", "lang_pair": "en-arz_EG", "langs": "eng_Latn-fra_Latn", "LP": "eng_deu"}
    last = last.get(header.rpartition(",")[2], "2")
    table = {"t.csv": "\n".join([header, *(f"{s},{i},{i * i},{last}" for s in "AB" for i in (3, 2, 1))]).encode()}
    if isinstance(found, list):
        assert list(data.with_scores(table).metrics) == ["BLEU", *found]
        return
    with pytest.raises((tk.InputError, tk.ReadError), match=re.escape(found)):
        data.with_scores(table)
    if "," in found and last == "2":
        assert data.with_scores(table, name="a", metrics=header.split(",")[2]).metrics["a"].tolist() == [
            [1, 4, 9],
            [1, 4, 9],
        ]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (
            {"name": "a"},
            "name: names one metric, but there are 2 (X, Y); choose it, such as metrics='X'",
        ),
        ({"names": {"Z": "a"}}, "names: there is no metric 'Z' in the source; there are X, Y"),
        ({"names": {3: "a"}}, "names: there is no metric 3 in the source"),
        ({"names": ["a"]}, "names: expected one name for each of 2 metrics: X, Y"),
        ({"names": "ab"}, "names: expected one name for each of 2 metrics: X, Y"),
        ({"names": ["a", "a"]}, "names: each must be there once, found a, a"),
        ({"names": ["a", "BLEU"]}, "name: the set has a metric 'BLEU' already; pass another one, name='BLEU-2'"),
        ({"name": "a", "names": ["a", "b"]}, "names: pass either name= or names="),
        ({"name": 3}, "name: must be a name, found 3"),
        ({"names": [1, 2]}, "names: must be names, found 1"),
        ({"lower_is_better": "X"}, "lower_is_better: must be True or False, found 'X'"),
        ({"system": "C"}, "system: there is no 'C'; known: A, B; nor does the source have a column of that name"),
    ],
)
def test_names_that_do_not_fit(data, asked, message):
    table = b"system,segment,human,X,Y\nA,1,9,4,1\nA,2,9,3,2\n"
    with pytest.raises(tk.InputError) as caught:
        data.with_scores({"t.csv": table}, **asked)
    assert str(caught.value).startswith(message)


def test_documents_below_systems_and_levels_without_a_name_are_refused(data):
    with pytest.raises(tk.InputError, match=r"its first names are systems of the set \(A, B\), below which scores are"):
        data.with_scores({system: {"d": [1], "e": [2]} for system in "AB"}, name="mine")
    series = pd.Series(range(6, 0, -1), pd.MultiIndex.from_product([list("AB"), list("123")]), name="mine")
    with pytest.raises(
        tk.InputError, match=r"levels of its index have no name; name them all, such as by source\.rena"
    ):
        data.with_scores(series)
    named = data.with_scores(series.rename_axis(index=["system", "segment"]))
    assert named.metrics["mine"].tolist() == [[6, 5, 4], [3, 2, 1]]


def test_what_is_left_out_is_said(data):
    scores = {"mine.csv": b"system,segment,mine\nA,1,3\nA,2,2\nC,1,5\nC,2,6\n"}
    with pytest.warns(tk.LeftOutWarning) as caught:
        more = data.with_scores(scores)
    text = "the set does not have the systems C; there are no scores of the systems B; there are no scores of the "
    text += (
        "segments 3; if its numbers 1 to 2 are those of lines, not of segments, and these are not the first ones, label"
    )
    text += " them; if they count from 0 and 0 has no score, add 1 to each"
    assert [str(one.message) for one in caught] == [f"mine: {text}"]
    np.testing.assert_array_equal(more.metrics["mine"], [[3, 2, np.nan], [np.nan] * 3])
    assert [note.removeprefix("mine: ") for note in more.notes[1:-1]] == text.split("; ", 3)
    assert more.notes[-1].startswith("mine: 1 of 2 systems and 2 of 3 segments matched (2 of 6 cells)")


def test_scores_without_labels_of_some_segments_are_refused(data):
    few = [[6, 5], [3, 2]]  # of the segments 1 and 3: nothing says so
    sources = (
        {"A": few[0], "B": few[1]},
        {"A.txt": b"6\n5\n", "B.txt": b"3\n2\n"},
        {"mine.seg.score": b"A 6\nA 5\nB 3\nB 2\n"},
        {"A.jsonl": b'{"prediction": 6, "hypothesis": "a", "source": ""}\n' * 2},
        pd.DataFrame({"A": few[0], "B": few[1]}),
        tk.EvalSet.from_arrays(few, {"mine": few}, systems=("A", "B")),
    )
    for source in sources:
        with pytest.raises(tk.InputError, match="has 2 scores of a system and no labels, but the set has 3 segments"):
            data.with_scores(source, name="mine")
    told = r"DataFrame\(SCORES, index=SYSTEMS, columns=SEGMENTS"
    with pytest.raises(tk.InputError, match=told):
        data.with_scores(np.array(few), name="mine")
    expected = [[6, np.nan, 5], [3, np.nan, 2]]
    with pytest.warns(tk.LeftOutWarning, match="no scores of the segments 2"):
        more = data.with_scores(pd.DataFrame(few, index=["A", "B"], columns=["1", "3"]), name="mine")
    np.testing.assert_array_equal(more.metrics["mine"], expected)
    for source in ({"A": [6, None, 5], "B": [3, None, 2]}, {"mine.seg.score": b"A 6\nA None\nA 5\nB 3\nB None\nB 2\n"}):
        np.testing.assert_array_equal(data.with_scores(source, name="mine").metrics["mine"], expected)


ROWS = [(system, segment, 6.5 - 3 * (system == "B") - segment) for system in "AB" for segment in (1, 2, 3)]
LONG = pd.DataFrame(ROWS, columns=["system", "segment", "score"])


@pytest.mark.parametrize("name", ["mine.psv", "mine.csv", "mine.md"])
def test_cells_may_be_divided_by_bars(data, name):
    rows = [" | ".join(map(str, row)) for row in (LONG.columns, *ROWS)]
    if name == "mine.md":
        text = "\n".join(f"| {row} |" for row in (rows[0], "--- | :-: | ---", *rows[1:]))
    else:
        text = "\n".join(rows).replace(" | ", "|")
    found = data.with_scores({name: text.encode()})
    assert found.metrics["mine"].tolist() == [[5.5, 4.5, 3.5], [2.5, 1.5, 0.5]]


def workbook(cells):
    """A workbook with these cells, as openpyxl writes them: formulas without their values."""
    book, stream = pytest.importorskip("openpyxl").Workbook(), io.BytesIO()
    for row in cells:
        book.active.append(row)
    book.save(stream)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (
            lambda: {"mine.csv": b"".join(part.to_csv(index=False).encode() for _, part in LONG.groupby("system"))},
            "mine.csv, line 5: is the header of line 1 again, .*take such lines out",
        ),
        (lambda: LONG.assign(score=[f"${score}$" for score in LONG["score"]]), r"such as '\$5\.5\$', write 5\.5\)"),
        (lambda: LONG.assign(score=[f"'{score}" for score in LONG["score"]]), r"such as \"'5\.5\", write 5\.5\)"),
        (lambda: LONG.assign(score=[f"{score}/7" for score in LONG["score"]]), r"'5\.5/7' is not a number, write 5\.5"),
        (
            lambda: {"mine.xlsx": workbook([list(LONG), *((a, b, f"={c}*1") for a, b, c in ROWS)])},
            "if its cells are formulas, open the workbook in Excel or LibreOffice",
        ),
        (
            lambda: pd.DataFrame(
                {f"{a}_{m}": [3.0, 1, 2] for a in "AB" for m in ("COMET", "TER")}, pd.Index([1, 2, 3], name="segment")
            ),
            r"names one metric, but there are 2 \(COMET, TER\); choose it, such as metrics='COMET'",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")
def test_a_refusal_names_a_step_that_works(data, make, told):
    with pytest.raises((tk.InputError, tk.ReadError), match=told):
        data.with_scores(make(), name="mine")


@pytest.mark.parametrize("size", [1_500, pytest.param(9_999, marks=pytest.mark.campaign)])
def test_a_wide_table_as_pandas_writes_it_may_have_many_segments(tmp_path, size):
    scores = np.arange(2.0 * size).reshape(2, size) + 0.5
    names = [str(number) for number in range(1, size + 1)]
    wide = tk.EvalSet("wide", "", ("A", "B"), names, {"mqm": scores + 0.5}, {}, gold="mqm")
    pd.DataFrame(scores, ["A", "B"], names).to_csv(tmp_path / "mine.csv")
    np.testing.assert_array_equal(wide.with_scores(tmp_path / "mine.csv").metrics["mine"], scores)


def test_a_file_of_many_columns_without_a_header_is_refused_in_few_words(data):
    line = b",".join(b"%d.5" % number for number in range(1_500)) + b"\n"
    with pytest.raises(
        tk.InputError, match=r"1500 columns of numbers .* pass score_column=one of 1 to 1500\."
    ) as caught:
        data.with_scores({"mine.csv": line * 3})
    assert len(str(caught.value)) < 400


def test_scores_without_labels_beside_a_part_of_their_set(data):
    lines = {"mine.seg.score": RISING}
    for part in (("2",), ("2", "3")):
        with pytest.warns(tk.LeftOutWarning, match="the set does not have the segments 1"):
            more = data.select(segments=part).with_scores(lines)
        assert more.metrics["mine"].tolist() == [[5, 4][: len(part)], [2, 1][: len(part)]]
    with pytest.raises(tk.InputError, match="add them to the whole set and select from it after that"):
        data.select(segments=("1",)).with_scores(lines)


def test_nothing_that_matches_is_refused_with_both_sides(data):
    for files in (
        {"m.seg.score": RISING.replace(b" ", b".en-fr ")},
        {"en-de.A.txt": b"1\n2\n3", "en-fr.B.txt": b"1\n2\n3"},
    ):
        with pytest.raises(tk.InputError, match="has scores of en-fr, but the set is en-de"):
            data.with_scores(files, name="x")
    with pytest.raises(tk.InputError, match=r"its systems: X, Y; the set's: A, B; rename them"):
        data.with_scores({"mine.seg.score": b"X 1\nX 2\nX 3\nY 1\nY 2\nY 3\n"})
    with pytest.raises(tk.ReadError, match=r"mine.seg.score: has no score that is not missing"):
        data.with_scores({"mine.seg.score": b"A None\n" * 3 + b"B None\n" * 3})


def test_one_system_by_itself(data):
    with pytest.warns(tk.LeftOutWarning, match="there are no scores of the systems A"):
        more = data.with_scores({"mine.seg.score": b"hyp 3\nhyp 2\nhyp 1\n"}, system="B")
    np.testing.assert_array_equal(more.metrics["mine"], [[np.nan] * 3, [3, 2, 1]])
    with pytest.raises(tk.InputError, match="say whose scores these are: pass system="):
        data.with_scores({"mine.seg.score": b"hyp 3\nhyp 2\nhyp 1\n"})


def test_lower_is_better(data):
    errors = {"TER.seg.score": b"A 1\nA 2\nA 3\nB 0\nB 1.5\nB 4\n"}
    with pytest.warns(tk.DirectionWarning, match=r"TER: falls where mqm rises .*lower_is_better=True"):
        rising = data.with_scores(errors)
    falling = data.with_scores(errors, lower_is_better=True)
    np.testing.assert_array_equal(falling.metrics["TER"], -rising.metrics["TER"])
    assert "TER: negated, so that higher is better" in falling.notes
    with pytest.warns(tk.DirectionWarning, match="lower_is_better=False"):
        data.with_scores({"good.seg.score": errors["TER.seg.score"].replace(b" ", b" -")}, lower_is_better=True)


@pytest.mark.parametrize("gold", [None, "h"])
def test_a_set_without_gold_and_a_constant_metric_are_not_asked_about(gold):
    data = tk.EvalSet("s", "", tuple("ABCD"), ("1", "2"), {"h": [[1, 2]] * 4}, {}, gold=gold)
    scores = tk.EvalSet("m", "", tuple("ABCD"), ("1", "2"), {}, {"m": [[0, 0]] * 4 if gold else [[2, 1]] * 4})
    assert data.with_scores(scores).metrics.keys() == {"m"}


def test_the_standard_reference_decides_no_direction():
    systems = ("A", "refA")
    data = tk.EvalSet(
        "s", "", systems, ("1", "2"), {"h": [[1, 2], [9, 9]]}, {}, standard_reference="refA", gold="h"
    )  # fmt: skip
    scores = tk.EvalSet("m", "", systems, ("1", "2"), {}, {"m": [[1, 2], [0, 0]]})
    assert data.with_scores(scores).metrics["m"][1].tolist() == [0, 0]


def test_language_pair_and_reference_are_those_of_the_set(data, monkeypatch):
    monkeypatch.setitem(FORMATS, "talk", ENTRY)
    data = tk.EvalSet("toy", "zh-en", ("A",), ("1", "2"), {}, {})
    both = json.dumps({"of": "x", "talk": {"en-de": [1, 2], "zh-en": [3, 4]}}).encode()
    assert data.with_scores({"t.json": both}, scale=2).metrics["talk"].tolist() == [[6, 8]]
    with pytest.raises(tk.InputError, match="has scores of en-de, but the set is zh-en"):
        data.with_scores({"t.json": b'{"of": "x", "talk": {"en-de": [1, 2]}}'})
    with pytest.raises(tk.InputError, match="language_pair: choose one"):
        tk.EvalSet("toy", "he-en", ("A",), ("1", "2"), {}, {}).with_scores({"t.json": both})


@pytest.mark.parametrize(("testset", "asked"), [("newstest2021", True), ("generaltest2022", False), ("mine", False)])
def test_another_years_test_set_is_asked_about(data, testset, asked):
    rows = "".join(f"X\ten-de\t{testset}\tnews\td\tsrc\t{s}\t{i}\t{i}\n" for s in "AB" for i in (1, 2, 3))
    wmt22 = replace(data, name="wmt22", gold=None)
    if asked:
        with pytest.warns(tk.RoleWarning, match="has scores of newstest2021, but the set is wmt22; check that"):
            wmt22.with_scores({"x.seg.score": rows.encode()})
    else:
        assert "X-src" in wmt22.with_scores({"x.seg.score": rows.encode()}).metrics


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("wmt22/metric-scores/zh-en/X.seg.score", "has scores of zh-en, but the set is en-de"),
        ("wmt22.zh-en.X.seg.score", "has scores of zh-en, but the set is en-de"),
        ("mine_zh-en.seg.score", "has scores of zh-en, but the set is en-de"),
        ("de-en", "has scores of de-en, but the set is en-de"),
        *(
            (f"{name}.seg.score", "has scores of en-fr, but")
            for name in ("x_en_fr", "eng-fra", "en2fr", "English-French")
        ),
        *((f"{name}.seg.score", "") for name in ("my-mt", "a-b", "bert-base", "enfr", "it-is", "eng-deu", "en_de_fr")),
        ("wmt23/metric-scores/en-de/X.seg.score", "has scores of wmt23, but the set is wmt22"),
        ("wmt23.en-de.X.seg.score", "has scores of wmt23, but the set is wmt22"),
        ("my-own/en-de_X.seg.score", ""),
    ],
)
def test_what_names_say_against_the_set_is_heard(data, tmp_path, path, words):
    source = tmp_path / path
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_bytes(RISING)
    source = source if path.endswith(".score") else {path: {"A": [1, 2, 3], "B": [0, 1, 4]}}
    wmt22 = replace(data, name="wmt22")
    if "wmt2" in words:
        with pytest.warns(tk.RoleWarning, match=words):
            wmt22.with_scores(source, name="x")
    elif words:
        with pytest.raises(tk.InputError, match=words):
            wmt22.with_scores(source, name="x")
    else:
        assert "x" in wmt22.with_scores(source, name="x").metrics
        named = {"de_en-DOC:1": {"A": 6, "B": 3}, "de_en-DOC:2": {"A": 5, "B": 2}}  # as in WMT22
        documents = replace(data, segments=(*named, "3"), gold=None)
        with pytest.warns(tk.LeftOutWarning):
            assert "x" in documents.with_scores(named, name="x").metrics
        of_systems = replace(data, systems=("en-fr", "B"))
        assert "x" in of_systems.with_scores({"en-fr": [6, 5, 4], "B": [3, 2, 1]}, name="x").metrics


def test_scores_that_look_human_are_taken_only_where_there_are_no_others(data):
    human = tk.EvalSet("x", "", ("A", "B"), ("1", "2", "3"), {"judge": GOLD}, {})
    with pytest.warns(tk.RoleWarning, match="source: holds no metric, so judge was taken for one"):
        assert data.with_scores(human).metrics["judge"].tolist() == GOLD.tolist()
    with pytest.raises(tk.InputError, match=r"source: holds no metric, but human scores \(mqm\); pass metrics=.mqm."):
        data.with_scores(tk.EvalSet("x", "", ("A", "B"), ("1", "2", "3"), {"mqm": GOLD}, {}))


def test_a_source_that_cannot_be_read(data, tmp_path):
    with pytest.raises(tk.ReadError, match="there is no such file"):
        data.with_scores(tmp_path / "mine.seg.score")
    with pytest.raises(tk.InputError, match="source: expected the path of a file"):
        data.with_scores(None)
    with pytest.raises(tk.InputError, match="name: the set has a metric 'BLEU' already"):
        data.with_scores(tmp_path / "mine.seg.score", name="BLEU")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ({"A": RISING_SERIES, "B": [1, 2, 3]}, "only one of 'A' and 'B' labels its segments; label them all, or none"),
        (
            {"A": RISING_SERIES, "B": pd.Series([1, 2, 3], index=[1, 2, 2])},
            "'B' has two scores of segment '2'; give each label once",
        ),
        (
            WIDE.loc[[1, 2]],
            r"its index 1, 2, … 2 may count the set's 3 segments from 0 or from 1; pass frame\.set_axis\(",
        ),
        (WIDE.loc[[1, 2]].T, "may count the set's 3 segments from 0 or from 1"),
        ({name: WIDE[name].loc[[1, 2]] for name in WIDE}, "may count the set's 3 segments from 0 or from 1"),
        ({"A.txt": b"0\n.1\n.2\n.3\n", "B.txt": b"0\n.1\n.2\n.3\n"}, "has 4 scores of a system, one more than the set"),
        (
            {"A.csv": b"asked,score\nWho?,1\nHow?,2\nWhy?,3", "B.csv": b"asked,score\nHow?,1\nWhy?,2\nWho?,3"},
            r"its files have their rows \(Who\?, How\?, Why\?\) in different orders, and none is a segment of the set",
        ),
        (
            [{"system": name[0], "id": name[1:], "score": 1} for name in ("Ax", "Ay", "Az", "By", "Bx", "Bz")],
            "other labels, x, y, … where the set has 1, 2, …, and these are not in order, so its rows need not be",
        ),
        (
            {"A": {"x": 1, "y": 2, "z": 3}, "B": {"y": 1, "x": 2, "z": 3}},
            "and these are not in order, so its rows need",
        ),
        ({"m.csv": b"key,m\nA-x,1\nA-y,2\nA-z,3\nB-y,4\nB-x,5\nB-z,6"}, "and these are not in order, so its rows need"),
        ({"A": {"1": {"score": 1, "why": "good"}}}, r"'good' is not a score; .*; give one object for each score"),
        (
            {"m": pd.DataFrame({"item": ["x"], "m": [1]})},
            r"'m' is a table with columns item, m; join them.*, name='m'",
        ),
        (pd.Series([[1, 2], [3, 4]], ["A", "B"]), r"with the index A, B, …; pass one .* or SERIES\.to_dict\(\) where"),
        (pd.DataFrame({"m": [np.zeros(60)] * 2}), r"holds a list in each row; .*, dict\(zip\(SYSTEMS, LISTS"),
        ([{"idx": row, "score": row} for row in range(6)], r"its 6 labels .* the scores without labels \(\.to_numpy"),
        ({"m.csv": b"key,m\nA-1,1\nA-2,2\nA-3,3\nB-1,4\nB-2,5\nC-3,6"}, r"\(A-1, A-2\), but C-3 does not"),
        (
            {"m.csv": b"key,m\na1,1\na3,2\na2,3\na4,4\na6,5\na5,6"},
            "6 labels .* name no systems of the set and are not in",
        ),
    ],
)
def test_labels_of_series_and_frames_that_do_not_fit(data, source, words):
    with pytest.raises(tk.TiekitError, match=words):
        data.with_scores(source)


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ("mt,score\n{0}x,1\n{0}y,2\n{0}z,3\n", "no column holds the same names of rows in all files"),
        ("mt,score\nx,1\n{0}y,2\nz,3\n", "no column holds the same names of rows in all files"),
        ("in,out,score\nx,{0}k,1\ny,{0}l,2\nz,{0}m,3\n", "order, as no column surely names them: 'in', 'out'; if that"),
        ("src,out,score\nx,{0}k,1\nx,{0}l,2\nz,{0}m,3\n", "as no column surely names them: 'src', 'out'; if"),
    ],
)
def test_rows_in_their_order_are_said(data, columns, words):
    files = {f"{name}.csv": columns.format(name).encode() for name in "AB"}
    with pytest.warns(tk.RoleWarning, match=words):
        np.testing.assert_array_equal(data.with_scores(files, name="m").metrics["m"], [[1, 2, 3]] * 2)


HASHES = [f"{number:04x}" for number in range(0x4000, 0x4300, 0x41)]


@pytest.mark.parametrize("column", ["uid", "doc_id"])
def test_rows_are_never_taken_in_their_order_past_a_column_that_names_them(column):
    names = [*HASHES[1:], HASHES[0]] if column == "uid" else [str(number) for number in range(12, 0, -1)]
    assert any(map(str.isdigit, names))
    data = tk.EvalSet.from_arrays(np.arange(24.0).reshape(2, 12), {}, systems=["A", "B"])
    rows = [f"{name},{-place}" for place, name in enumerate(names)]
    files = {
        f"{name}.csv": "\n".join([f"{column},score", *rows[:: 1 - 2 * at]]).encode() for at, name in enumerate("AB")
    }
    if column == "uid":
        with pytest.raises(tk.InputError, match="in different orders, and none is a segment of the set"):
            data.with_scores(files, name="m")
    else:
        assert data.with_scores(files, name="m").metrics["m"].tolist() == [list(range(-11, 1))] * 2


@pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")
@pytest.mark.parametrize("head", ["MT", ""])
def test_a_wide_table_of_named_segments_needs_no_name_of_its_first_column(head):
    scores = pd.DataFrame([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], ["A", "B"], ["q1", "q2", "q3"])
    data = tk.EvalSet.from_arrays(scores, {})
    for frame in (scores, scores.T):
        file = {"m.csv": frame.rename_axis(head or None).to_csv().encode()}
        np.testing.assert_array_equal(data.with_scores(file, name="m").metrics["m"], scores)
    with pytest.warns(tk.RoleWarning, match=r"columns join names \(A, B with human, x\): if some are systems, give"):
        tk.read({"t.csv": b"segment,A_human,A_x,B_human,B_x\n1,1,2,3,4\n2,3,4,5,6\n"})


def test_columns_of_a_table_are_taken_by_name_or_asked_about(data):
    named = replace(data, systems=("NLLB 600M", "Online-A"))
    with pytest.warns(tk.LeftOutWarning, match="does not have the systems x"):
        found = named.with_scores({"r.csv": b"segment,NLLB.600M,Online.A,x\n1,1,2,3\n2,3,4,5\n3,5,6,7"}, name="mine")
    assert {(1, 3, 5), (2, 4, 6)} <= {*map(tuple, found.metrics["mine"].tolist())}
    rows = b"".join(b"%c,%d,%d,%d\n" % (system, at, at, -at) for system in b"AB" for at in (3, 2, 1))
    with pytest.warns(tk.RoleWarning, match="took 'mine' by its name; left out extra"):
        joined = data.with_scores({"m.csv": b"system,segment,extra,mine\n" + rows}, name="mine")
    assert joined.metrics["mine"].tolist() == [[-1, -2, -3]] * 2


def test_a_frame_whose_rows_and_columns_may_be_systems_is_asked_about():
    data, frame = tk.read([[1, 3], [2, 4]]), pd.DataFrame([[1, 2], [3, 4]], [1, 2], [1, 2])
    with pytest.warns(tk.RoleWarning, match=r"its rows and its columns have names of systems, .*rename_axis"):
        assert data.with_scores(frame, name="x").metrics["x"].tolist() == [[1, 2], [3, 4]]
    assert data.with_scores(frame.rename_axis("segment"), name="x").metrics["x"].tolist() == [[1, 3], [2, 4]]


SQUARE = np.arange(16.0).reshape(4, 4)


@pytest.mark.parametrize(
    "make",
    [
        lambda frame: frame.to_numpy(),
        lambda frame: frame.to_numpy().tolist(),
        lambda frame: frame.T.to_dict(),
        lambda frame: {(row, name): cell for row, cells in frame.iterrows() for name, cell in cells.items()},
        lambda frame: {"m.json": json.dumps(frame.T.to_dict()).encode()},
    ],
)
def test_a_square_whose_systems_and_segments_have_the_same_names_is_asked_about(make):
    data, frame = tk.read(SQUARE), pd.DataFrame(SQUARE, [*"1234"], [*"1234"])
    for one, found in ((frame, SQUARE), (frame.T, SQUARE.T)):
        with pytest.warns(tk.RoleWarning, match=r"its rows were taken for these; name them: .*rename_axis\('system'\)"):
            np.testing.assert_array_equal(data.with_scores(make(one), name="x").metrics["x"], found)
    with collect_warnings() as said:
        for named in (frame.rename_axis("system"), frame.T.rename_axis("segment")):
            np.testing.assert_array_equal(data.with_scores(named, name="x").metrics["x"], SQUARE)
        data.with_scores({name: [*row] for name, row in frame.iterrows()}, name="x")
        part = tk.EvalSet("x", "", [*"1234"], [*"12345"], {"h": np.zeros((4, 5))}, {})
        part.with_scores(make(pd.DataFrame(np.ones((4, 5)), [*"1234"], [*"12345"])), name="x")
    assert [text for kind, text in said if "rename_axis" in text] == []


@pytest.mark.filterwarnings("ignore::tiekit.LeftOutWarning")
@pytest.mark.parametrize("path", ["A.csv", "out/mine.A.en.csv"])
def test_a_table_of_one_system_is_that_of_its_files_name(data, tmp_path, path):
    source = tmp_path / path
    source.parent.mkdir(exist_ok=True)
    source.write_text("segment,score\n3,1\n1,5\n2,.5\n")
    for one in (source, [source], {path: source.read_bytes()}):
        for options in ({"name": "m"}, {}):
            more = data.with_scores(one, **options)
            np.testing.assert_array_equal(more.metrics[options.get("name", "score")], [[5, 0.5, 1], [np.nan] * 3])
    np.testing.assert_array_equal(
        data.with_scores(source, system="B").metrics["mine.A.en" if "/" in path else "A"][1], [5, 0.5, 1]
    )
    with pytest.raises(tk.InputError, match="say whose scores these are"):
        data.with_scores({"other.csv": source.read_bytes()})


def test_scores_of_a_whole_set_beside_its_first_part_name_the_step(data):
    for source in (np.ones((2, 9)), [1.0] * 18, np.ones((9, 2))):
        with pytest.raises(tk.InputError, match="add them to the whole set and select from it after that"):
            data.with_scores(source, name="m")


@pytest.mark.parametrize(("systems", "segments"), [(5, 40), (12, 10), (12, 12)])
@pytest.mark.parametrize("are_rows", [True, False])
def test_a_file_whose_systems_are_numbers_is_read_as_it_fits_or_asked_about(systems, segments, are_rows):
    scores = np.random.default_rng(1).random((systems, segments)).round(4)
    rows, columns = (tuple(map(str, range(1, size + 1))) for size in (systems, segments))
    data = tk.EvalSet("x", "", rows, columns, {"human": np.zeros((systems, segments))}, {})
    frame = pd.DataFrame(scores, range(1, systems + 1), range(1, segments + 1))
    shown = frame if are_rows else frame.T
    file = {"mine.csv": shown.to_csv().encode()}
    if systems != segments:
        np.testing.assert_array_equal(data.with_scores(shown, name="mine").metrics["mine"], scores)
    else:
        with pytest.warns(tk.RoleWarning, match="write system above its first column"):
            data.with_scores(file, name="mine")
        named = frame.rename_axis("system") if are_rows else frame.T.rename_axis("segment")
        file = {"mine.csv": named.to_csv().encode()}
    np.testing.assert_array_equal(data.with_scores(file, name="mine").metrics["mine"], scores)


@pytest.mark.filterwarnings("ignore::tiekit.LeftOutWarning")
def test_an_index_says_whether_it_counts_from_0(data):
    for part, first in ((WIDE.loc[[0, 2]], 0), (WIDE.loc[[1, 3]], 1), (WIDE.loc[[1, 2]].rename_axis("segment"), 1)):
        places = [label - first for label in part.index]
        np.testing.assert_array_equal(data.with_scores(part, name="x").metrics["x"][:, places], part.T)


JUDGED = tk.EvalSet("toy", "", ("gpt-4o", "nllb", "base"), tuple(map(str, range(1, 31))), {}, {"m": np.eye(3, 30)})


@pytest.mark.sampled(5)
@pytest.mark.filterwarnings("ignore::tiekit.LeftOutWarning")
@pytest.mark.parametrize("judge", ["gpt-4o", "llama", "prometheus"])
@pytest.mark.parametrize("column", ["model", "result.model", "generator"])
@pytest.mark.parametrize("of_systems", ["translator", "mt_model", "who", "candidate_id"])
def test_a_judge_beside_the_systems_of_the_set_is_no_system(judge, column, of_systems):
    scores = np.random.default_rng(2).normal(size=(3, 30))
    cells = list(product(range(3), range(30)))
    rows = [{of_systems: JUDGED.systems[i], "item": j + 1, column: judge, "score": scores[i, j]} for i, j in cells]
    for more in ({}, {"aggregate": "mean"}):
        with collect_warnings() as said:
            found = JUDGED.with_scores(rows, name="mine", **more)
        np.testing.assert_array_equal(found.metrics["mine"], scores)
        assert said == []
    with collect_warnings() as said:
        one = JUDGED.with_scores(rows[60:], name="mine")
    np.testing.assert_array_equal(one.metrics["mine"][2], scores[2])
    asked = [text for _, text in said if f"took '{of_systems}' for system=, as it names such, not '{column}'" in text]
    assert bool(asked) == (judge == "gpt-4o")


def test_texts_of_candidates_are_no_systems_beside_those_of_the_set():
    cells = product(JUDGED.systems, range(30))
    rows = [{"who": name, "item": n + 1, "candidate": f"{name} says {n % 20}", "score": n / 9} for name, n in cells]
    np.testing.assert_array_equal(JUDGED.with_scores(rows, name="x").metrics["x"], [np.arange(30) / 9] * 3)


def test_rows_of_systems_without_names_of_segments_are_numbered_by_the_step():
    frame = pd.DataFrame({"system": np.repeat(JUDGED.systems, 30), "score": np.arange(90.0)})
    with pytest.raises(
        tk.ReadError, match=r"in the set's order, frame\['segment'\] = frame\.groupby\('system'\)\.cumcount"
    ):
        JUDGED.with_scores(frame)
    frame["segment"] = frame.groupby("system").cumcount() + 1
    assert JUDGED.with_scores(frame, name="x").metrics["x"][2, 29] == 89
    source = {name: pd.DataFrame({"score": np.arange(30.0) + 30 * n}) for n, name in enumerate(JUDGED.systems)}
    with pytest.raises(tk.ReadError, match=r"of all, such as pandas\.concat\(\{.*SOURCE.*\)\.reset_index\(level=0\)$"):
        JUDGED.with_scores(source)
    frame = pd.concat(source, names=["system"]).reset_index(level=0)
    frame["segment"] = frame.groupby("system").cumcount() + 1
    assert JUDGED.with_scores(frame, name="x").metrics["x"][2, 29] == 89
