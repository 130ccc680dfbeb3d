"""Bad files are refused with name, line and what was found, or harmless; one bad metric does not close a set."""

import contextlib
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tiekit.errors import LeftOutWarning, ReadError, RoleWarning
from tiekit.readers import read_mtme, read_score_files, read_table
from tiekit.readers._numbers import parse_scores
from tiekit.readers._source import MAX_BYTES
from tiekit.sets.evalset import EvalSet

HUMAN = "toy/human-scores/en-de.mqm.seg.score"
METRIC = "toy/metric-scores/en-de/BLEU-refA.seg.score"
OTHER = "toy/metric-scores/en-de/chrF-refA.seg.score"
OUTPUT = "toy/system-outputs/en-de/"
GOOD = b"A 1\nA 2\nB 3\nB 4\nrefA 5\nrefA 6\n"
FILES = {HUMAN: GOOD, METRIC: GOOD, OTHER: GOOD}
OUTPUTS = {f"{OUTPUT}{name}.txt": b"x\ny\n" for name in ("A", "B", "refA")}
WITH_TEXTS = FILES | OUTPUTS


def refused(files):
    with pytest.raises(ReadError) as caught:
        read_mtme(files, "toy", "en-de", strict=True)
    assert str(caught.value).startswith(caught.value.path)
    return caught.value


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"A 1\nA 2\nrefA 5\nrefA 6\n", 4, "has no scores of 'B'; expected all 3 systems"),
        (b"A 1\nA 2\nB 3\nrefA 5\nrefA 6\n", 3, "found 1 scores of 'B', expected 2"),
        (b"A 1\nA 2\nB 3\nB 4\nB 4\nrefA 5\nrefA 6\n", 5, "found 3 scores of 'B', expected 2"),
        (b"A 1\nA 2\nA 1\nA 2\nB 3\nB 4\n", 4, "found 4 scores of 'A', expected 2 (does the block occur twice?)"),
        (b"A 1\nA 2\nB 3\nB 4\nA 1\nA 2\n", 6, "found 4 scores of 'A', expected 2 (does the block occur twice?)"),
        (b"A 1\nB 3\nA 2\nB 4\nB 5\n", 5, "found 3 scores of 'B', expected 2"),
        (b"A 1\nB 2\nrefA 3\n", 2, "every line begins with another word ('A', 'B', …); expected SYSTEM SCORE"),
        (b"A 1\nA\nB 3\nB 4\n", 2, "expected two fields, SYSTEM SCORE (system names cannot hold spaces); found 1: 'A'"),
        (b"A\n1 A 2\nB 3\nB 4\n", 1, "found 1: 'A'"),
        (b"A 1\nA 2 7\nB 3\nB 4\n", 2, "found 3: 'A 2 7'"),
        (b"A 1\nA 2\nMy System 3\nB 4\n", 3, "system names cannot hold spaces); found 3: 'My System 3'"),
        (b"A 1\n\nA 2\nB 3\nB 4\n", 2, "found 0: ''"),
        (b"A 1\nA -nan\nB 3\nB 4\n", 2, "'-nan' is not a score; expected a finite number, or None"),
        (b"A 1\nA 1e-400\nB 3\nB 4\n", 2, "'1e-400' is too small to be told from 0; write 0, or multiply all scores"),
        (b"A 1\nA 2\nB -inf\nB 4\n", 3, "'-inf' is not a score"),
        (b"A Infinity\nA 2\nB 3\nB 4\n", 1, "'Infinity' is not a score"),
        (b"A 1e999\nA 2\nB 3\nB 4\n", 1, "'1e999' is too large; expected a finite number"),
        (b"A 1_000\nA 2\nB 3\nB 4\n", 1, "'1_000' is not a score"),
        ("A 1\nA ٣\nB 3\nB 4\n".encode(), 2, "'٣' is not a score"),
        (b"A 1\nA good\nB 3\nB 4\n", 2, "'good' is not a score"),
        (b"A nothing\nA 2\nB 3\nB 4\n", 1, "'nothing' is not a score"),
        (b"A 1,000\nA 2\n", 1, "'1,000' has a comma; write 1.000 if it is decimal, 1000 if it divides thousands"),
        (b"A 1,000.5\nA 2\n", 1, "'1,000.5' has a comma; write 1000.5 if it divides thousands"),
        (b"A 1,5\nA 2\nB 3\nB 4\n", 1, "'1,5' has a decimal comma; expected a decimal point, 1.5"),
        (b"A 1\n" + b"x" * 100, 2, "'" + "x" * 78 + "…"),
        (b"", None, "is empty"),
        (b" \n\n", None, "is empty"),
        (b"\xef\xbb\xbf", None, "is empty"),
        (b"A 1\nA 2\n\x00\x01", 3, "is not a text file in UTF-8"),
        (b"A 1\nA \xff\xfe", 2, "is not a text file in UTF-8"),
        ("A 1\n".encode("utf-16-le"), 1, "is not a text file in UTF-8"),
        ("A 1\n".encode("utf-16"), 1, "found 1 scores of 'A', expected 2"),
    ],
)
@pytest.mark.parametrize("files", [FILES, WITH_TEXTS], ids=["scores", "texts"])
def test_bad_score_files(files, data, line, message):
    error = refused(files | {METRIC: data})
    assert (error.path, error.line) == (METRIC, line)
    assert message in str(error)
    if line:
        assert f"line {line}:" in str(error)
    if "has no scores of" not in message:
        left_out(files, data, message)


def left_out(files, data, message):
    """A metric that breaks a rule does not close the set."""
    with pytest.warns(LeftOutWarning) as caught:
        read = read_mtme(files | {METRIC: data}, "toy", "en-de")
    assert (list(read.metrics), read.systems, len(read.segments)) == (["chrF-refA"], ("A", "B", "refA"), 2)
    [said] = [str(warning.message) for warning in caught]
    assert said.startswith(f"the metric BLEU-refA is left out: {METRIC}")
    assert message in said
    assert said.endswith("(strict=True refuses the set)")
    assert message in " ".join(read.notes)


def test_a_metric_without_a_score_is_left_out():
    left_out(FILES, b"A None\nA nan\nB null\nB NA\n", "has no score that is not missing")


def test_a_human_file_may_cover_fewer_systems_but_not_fewer_segments():
    data = read_mtme(WITH_TEXTS | {HUMAN: b"B 3\nB 4\n"}, "toy", "en-de")
    assert np.isnan(data.human["mqm"]).sum(axis=1).tolist() == [2, 0, 2]
    error = refused(FILES | {HUMAN: b"B 3\n"})
    assert (error.path, error.line) == (HUMAN, 1)


def test_only_its_own_reference_may_be_missing():
    part = b"A 1\nA 2\nB 3\nB 4\n"
    assert np.isnan(read_mtme(WITH_TEXTS | {METRIC: part}, "toy", "en-de").metrics["BLEU-refA"][2]).all()
    error = refused(WITH_TEXTS | {METRIC.replace("refA", "src"): part})
    assert (error.path, error.line) == (METRIC.replace("refA", "src"), 4)
    assert "has no scores of 'refA'" in str(error)


@pytest.mark.parametrize("path", [HUMAN, METRIC])
def test_a_system_without_outputs(path):
    error = refused(WITH_TEXTS | {path: GOOD + b"C 1\nC 2\n"})
    assert (error.path, error.line) == (path, 7)
    assert "unknown system 'C'; expected one that has outputs: A, B, refA" in str(error)


@pytest.mark.parametrize(
    ("path", "data", "line", "message"),
    [
        (f"{OUTPUT}B.txt", b"x\n", 1, "found 1 segments, expected 2"),
        ("toy/references/en-de.refA.txt", b"x\ny\nz\n", 3, "found 3 segments, expected 2"),
        ("toy/documents/en-de.docs", b"news d1\nnews\n", 2, "expected two fields, DOMAIN DOCUMENT; found 1: 'news'"),
        ("toy/documents/en-de.docs", b"news d1\na\n", 2, "found 1: 'a'"),
        ("toy/sources/en-de.txt", b"\xff", 1, "is not a text file"),
    ],
)
def test_bad_texts(path, data, line, message):
    error = refused(WITH_TEXTS | {path: data})
    assert (error.path, error.line) == (path, line)
    assert message in str(error)


def test_the_documents_say_how_many_segments_there_are():
    documents = {"toy/documents/en-de.docs": b"news d\n" * 3}
    error = refused(FILES | documents)
    assert (error.path, error.line) == (HUMAN, 2)
    error = refused(FILES | {"toy/documents/en-de.docs": b"n d\nn d\n", "toy/sources/en-de.txt": b"x\n"})
    assert (error.path, error.line) == ("toy/sources/en-de.txt", 1)


@pytest.mark.parametrize(
    "data",
    [
        GOOD.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + GOOD,
        GOOD.replace(b" ", b"\t"),
        GOOD.replace(b" ", b" \t "),
        GOOD.rstrip(b"\n"),
        GOOD + b"\n\n",
        GOOD.replace(b"\n", b" \n"),
    ],
    ids=["CRLF", "BOM", "tabs", "spaces", "no last end", "blank end", "trailing space"],
)
def test_what_is_harmless(data):
    read = read_mtme(FILES | {METRIC: data}, "toy", "en-de")
    np.testing.assert_array_equal(read.metrics["BLEU-refA"], [[1, 2], [3, 4], [5, 6]])


def test_100_megabytes_are_refused_at_once(tmp_path):
    big = tmp_path / "toy" / "human-scores" / "en-de.mqm.seg.score"
    big.parent.mkdir(parents=True)
    with big.open("wb") as file:
        file.truncate(100 * 2**20)  # sparse
    (tmp_path / METRIC).parent.mkdir(parents=True)
    (tmp_path / METRIC).write_bytes(GOOD)
    data = bytes(100 * 2**20)
    calls = [
        (lambda: read_mtme(tmp_path, "toy", "en-de"), str(big)),
        (lambda: read_table(big), str(big)),
        (lambda: read_mtme(FILES | {HUMAN: data}, "toy", "en-de"), HUMAN),
        (lambda: read_table({"t.csv": data}), "t.csv"),
    ]
    for call, path in calls:
        start = time.perf_counter()
        with pytest.raises(ReadError, match=r"has 104,857,600 bytes; the limit is 67,108,864 \(64 MB\)") as caught:
            call()
        assert caught.value.path == path
        assert time.perf_counter() - start < 0.5
    assert MAX_BYTES == 64 * 2**20


def test_a_table_that_is_not_there(tmp_path):
    with pytest.raises(ReadError, match="cannot be read"):
        read_table(tmp_path / "none.csv")


@given(
    st.lists(
        st.one_of(
            st.floats().map(repr), st.integers().map(str), st.text("0123456789.eE+-_naif ,٣", max_size=6).map(str.strip)
        ),
        max_size=5,
    )
)
def test_quick_and_thorough_parsing_agree(tokens):
    """What is accepted is exactly what the grammar of one score accepts."""

    def refused_line(some):
        try:
            assert np.isfinite(parse_scores(some, range(1, len(some) + 1), "f", missing={"None"})).all()
        except ReadError as error:
            return error.line
        return 0

    alone = [refused_line([token]) for token in tokens]
    assert refused_line(tokens) == (alone.index(1) + 1 if 1 in alone else 0)


@given(st.binary(max_size=200))
def test_no_bytes_break_the_readers(data):
    for call in (
        lambda: read_table({"t.csv": data}),
        lambda: read_mtme(FILES | {METRIC: data}, "toy", "en-de", strict=True),
    ):
        with contextlib.suppress(ReadError, RoleWarning):
            assert isinstance(call(), EvalSet)  # read, perhaps with a warning, or refused: nothing between


NO_NUMBER, TOO_FEW = b"A 1\nA 2\nB x\nB 4\n", b"A 1\nA 2\nB 3\n"


def test_a_file_without_any_score_is_an_error_where_no_other_metric_is_left():
    files = {HUMAN: GOOD, METRIC: NO_NUMBER, OTHER: TOO_FEW}
    with pytest.raises(ReadError, match=r"BLEU-refA\.seg\.score, line 3: 'x' is not a score"):
        read_mtme(files, "toy", "en-de")
    with pytest.raises(ReadError, match=r"BLEU\.seg\.score, line 3: 'x' is not a score"):
        read_score_files({"mqm.seg.score": GOOD, "BLEU.seg.score": NO_NUMBER}, human="mqm.seg.score")


def test_bad_human_scores_close_the_set():
    with pytest.raises(ReadError, match=r"mqm\.seg\.score, line 3"):
        read_mtme(FILES | {HUMAN: NO_NUMBER}, "toy", "en-de")


def test_many_bad_metrics_do_not_outvote_the_number_of_segments():
    ids = {f"toy/metric-scores/en-de/X{i}-src.seg.score": b"1 .5\n2 .6\n3 .7\n" for i in range(5)}
    with pytest.warns(LeftOutWarning):
        data = read_mtme(FILES | ids, "toy", "en-de")
    assert (list(data.metrics), data.segments, data.systems) == (
        ["BLEU-refA", "chrF-refA"],
        ("1", "2"),
        ("A", "B", "refA"),
    )


def test_a_missing_system_is_a_row_of_missing_scores():
    files = FILES | {METRIC: b"A 1\nA 2\nrefA 5\nrefA 6\n"}
    data = read_mtme(files, "toy", "en-de")
    np.testing.assert_array_equal(data.metrics["BLEU-refA"], [[1, 2], [np.nan] * 2, [5, 6]])
    assert data.notes == ("BLEU-refA has no scores of B",)
    with pytest.warns(tk.CoverageWarning):
        tk.leaderboard(data, coefficients=["acc_eq"])
    with pytest.raises(ReadError, match="has no scores of 'B'; expected all 3 systems"):
        read_mtme(files, "toy", "en-de", strict=True)


@given(st.permutations(GOOD.decode().splitlines()), st.sampled_from([HUMAN, METRIC]))
def test_lines_of_other_systems_may_stand_between(lines, path):
    ordered = {name: [line.split()[1] for line in lines if line.split()[0] == name] for name in ("A", "B", "refA")}
    data = read_mtme(WITH_TEXTS | {path: "\n".join(lines).encode()}, "toy", "en-de", strict=True)
    found = data.human["mqm"] if path == HUMAN else data.metrics["BLEU-refA"]
    np.testing.assert_array_equal(found, [[float(score) for score in ordered[name]] for name in data.systems])


@pytest.mark.parametrize("word", ["None", "null", "nan", "NaN", "NA", "N/A"])
@pytest.mark.parametrize("path", [HUMAN, METRIC])
def test_words_for_a_missing_score(path, word):
    data = read_mtme(FILES | {path: GOOD.replace(b"B 3", f"B {word}".encode())}, "toy", "en-de", strict=True)
    scores = data.human["mqm"] if path == HUMAN else data.metrics["BLEU-refA"]
    np.testing.assert_array_equal(scores, [[1, 2], [np.nan, 4], [5, 6]])


def test_texts_that_are_not_there_are_empty():
    files = dict(WITH_TEXTS)
    files["toy/system-outputs/en-de/A.txt"] = b"[No translation supplied]\nx\n"
    del files["toy/system-outputs/en-de/B.txt"]
    files["toy/system-outputs/en-de/B.jsonl"] = (
        b'{"hypothesis": null}\n{"hypothesis": "[No translation supplied]", "more": 1}\n'
    )
    data = read_mtme(files, "toy", "en-de")
    assert data.outputs == {"A": ("", "x"), "B": ("", ""), "refA": ("x", "y")}


def test_documents_with_more_fields():
    data = read_mtme(FILES | {"toy/documents/en-de.docs": b"news d1 1 x\nsocial\td2\tmore\n"}, "toy", "en-de")
    assert (data.domains, data.documents) == (("news", "social"), ("d1", "d2"))


def wmt(testset, sources=b"CANARY string xyz\nzwei\n"):
    texts = {f"{testset}/sources/en-de.txt": sources, f"{testset}/documents/en-de.docs": b"canary c\nnews d\n"}
    outputs = {path.replace("toy", testset): data for path, data in OUTPUTS.items()}
    scores = {path.replace("toy", testset): data for path, data in FILES.items()}
    return read_mtme(texts | outputs | scores, testset, "en-de", references="all")


def test_the_canary_of_wmt24_is_left_out():
    data = wmt("wmt24")
    assert (data.segments, data.documents, data.domains, data.sources) == (("2",), ("d",), ("news",), ("zwei",))
    np.testing.assert_array_equal(data.human["mqm"], [[2], [4], [6]])
    np.testing.assert_array_equal(data.metrics["chrF-refA"], [[2], [4], [6]])
    assert data.outputs["A"] == ("y",)
    assert data.notes == ("segment 1 is left out: it is the canary of WMT24",)
    assert wmt("wmt24", b"eins\nzwei\n").segments == wmt("wmt24pp").segments == wmt("wmt23").segments == ("1", "2")
    without = {path.replace("toy", "wmt24"): content for path, content in FILES.items()}
    assert "a canary in segment 1 cannot be known" in read_mtme(without, "wmt24", "en-de", references="all").notes[0]


SYSTEMS = {
    "toy/human-scores/en-de.mqm.sys.score": b"A\t-1\nB\t-3\nC\t-2\nrefA\tNone\n",
    "toy/metric-scores/en-de/BLEU-refA.sys.score": b"C 20\nB 10\nA 30\n",
    "toy/metric-scores/en-de/X-src.sys.score": b"A 1\nB 2\nC 3\nrefA 4\n",
}


def test_scores_of_whole_systems():
    data = read_mtme(FILES | SYSTEMS, "toy", "en-de", level="system")
    assert (data.systems, data.segments) == (("A", "B", "C", "refA"), ("all",))
    np.testing.assert_array_equal(data.human["mqm"], [[-1], [-3], [-2], [np.nan]])
    np.testing.assert_array_equal(data.metrics["BLEU-refA"], [[30], [10], [20], [np.nan]])
    assert tk.correlate(data, "BLEU", coefficient="tau_b", grouping="system_means").value == 1
    assert tk.correlate(data, "X", coefficient="tau_b", grouping="system_means").value == pytest.approx(-1 / 3)
    assert tk.measures.pairwise_accuracy(data, "X") == pytest.approx(1 / 3)
    alone = read_score_files(
        {path.split("/")[-1]: content for path, content in SYSTEMS.items()}, human="en-de.mqm.sys.score"
    )
    assert dict(zip(alone.systems, alone.metrics["X-src"][:, 0], strict=True)) == {"A": 1, "B": 2, "C": 3, "refA": 4}
    assert (list(alone.human), alone.language_pair) == (["mqm"], "en-de")


def test_scores_of_whole_systems_come_once():
    path = "toy/metric-scores/en-de/BLEU-refA.sys.score"
    with pytest.raises(ReadError, match=r"BLEU-refA\.sys\.score, line 4: found 2 scores of 'A', expected 1"):
        read_mtme(SYSTEMS | {path: b"C 20\nB 10\nA 30\nA 30\n"}, "toy", "en-de", level="system", strict=True)
    with pytest.raises(tk.InputError, match="level: must be one of segment, system, found 'seg'"):
        read_mtme(SYSTEMS, "toy", "en-de", level="seg")
    with pytest.raises(ReadError, match=r"a\.sys\.score: its scores of whole systems stand beside those of segments"):
        read_score_files({"a.sys.score": b"A 1\n", "X.seg.score": b"A 1\n"}, human="a.sys.score")
    with pytest.raises(ReadError, match=r"X\.score: has an unknown ending; expected NAME\.sys\.score"):
        read_score_files({"a.sys.score": b"A 1\n", "X.score": b"A 1\n"}, human="a.sys.score")


def test_scores_of_whole_systems_are_left_out_beside_those_of_segments(tmp_path):
    data = tk.load("synthetic", "qaa-qab")
    scores = data.metrics["Contour-refA"] + 1
    for kind, each in (("seg", scores), ("sys", scores.mean(axis=1, keepdims=True))):
        rows = zip(data.systems, each.tolist(), strict=True)
        path = tmp_path / f"mine-refA.{kind}.score"
        path.write_text("".join(f"{name}\t{'None' if v != v else repr(v)}\n" for name, row in rows for v in row))
    paths = sorted(tmp_path.iterdir())
    contents = {path.name: path.read_bytes() for path in paths}
    for source in (tmp_path, paths, paths[::-1], contents):
        for add, where in ((data.with_scores, "metrics"), (data.with_human, "human")):
            with pytest.warns(tk.LeftOutWarning, match=r"left out mine-refA\.sys\.score, as they hold scores of whole"):
                more = add(source, name="x")
            np.testing.assert_array_equal(getattr(more, where)["x"], scores)
    with pytest.warns(tk.LeftOutWarning, match="left out mine-refA.sys.score"):
        assert list(read_score_files(contents, human="mine-refA.seg.score").human) == ["mine-refA"]


def test_first_words_that_are_all_different_are_asked_about():
    words = b"".join(b"w%d 1\n" % place for place in range(20_000))
    message = r"line 2: every line begins with another word \('w0', 'w1', …\); .*write the system's name before each"
    with pytest.raises(ReadError, match=message):
        read_score_files({"mqm.seg.score": words, "BLEU.seg.score": words}, human="mqm.seg.score")
    with pytest.raises(ReadError, match=message):
        read_mtme({HUMAN: words, METRIC: words}, "toy", "en-de")
    one = {HUMAN: b"A 1\nB 2\n", METRIC: b"A 1\nB 2\n", "toy/documents/en-de.docs": b"news d\n"}
    assert read_mtme(one, "toy", "en-de").segments == ("1",)
