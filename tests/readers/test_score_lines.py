"""One score per line: one file per system or per metric, sacreBLEU's lines, and what is no such file."""

from pathlib import Path

import numpy as np
import pytest

from tests.readers.refusals import refusals
from tiekit.errors import InputError, ReadError
from tiekit.readers import read_score_lines, recognize
from tiekit.readers.formats.score_lines import FORMAT

SAMPLES = Path(__file__).parent / "samples"
TER = "TER|nrefs:1|case:lc|tok:tercom = {}\n"


def files(**texts):
    return {f"up/{name}.txt": text.encode() for name, text in texts.items()}


def test_samples():
    data = read_score_lines(SAMPLES / "bleurt.txt", metric="BLEURT")
    assert (data.name, data.systems, data.segments) == ("bleurt", ("bleurt",), ("1", "2", "3"))
    np.testing.assert_array_equal(data.metrics["BLEURT"], [[0.25, -0.15, np.nan]])
    assert dict(data.human) == {}
    data = read_score_lines(SAMPLES / "sacrebleu_sl.txt")
    assert {name: scores.tolist() for name, scores in data.metrics.items()} == {"chrF2": [[43.1, 100.0]]}
    assert list(read_score_lines(SAMPLES / "bleurt.txt").metrics) == ["score"]


def test_each_file_may_be_a_metric():
    data = read_score_lines(files(f0="1\n2\n", f1="3\nnan\n"), files_are="metrics", system="mine", name="set")
    assert (data.systems, data.name, tuple(data.metrics)) == (("mine",), "set", ("f0", "f1"))
    np.testing.assert_array_equal(np.vstack(list(data.metrics.values())), [[1, 2], [3, np.nan]])


def test_several_paths(tmp_path):
    for name in ("a.txt", "b.scores"):
        (tmp_path / name).write_text("1\n2\n")
    assert read_score_lines([tmp_path / "b.scores", str(tmp_path / "a.txt")]).systems == ("b", "a")


def test_sacrebleu_names_its_metric():
    bleu = "BLEU|nrefs:1|version:2.6.0 = 35.4 66.7/50.0/33.3/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 3 ref_len = 3)\n"
    old = "chrF2+numchars.6+space.false+version.1.5.1 = 43.1\n"
    assert read_score_lines(files(a=bleu * 2)).metrics["BLEU"].tolist() == [[35.4, 35.4]]
    assert read_score_lines(files(a=old)).metrics["chrF2"].tolist() == [[43.1]]
    assert list(read_score_lines(files(a="chrF2++|nrefs:1 = 1\n")).metrics) == ["chrF2++"]
    assert read_score_lines(files(a="chrF2++ = 43.1\nchrF2++ = 9\n")).metrics["chrF2++"].tolist() == [[43.1, 9]]
    assert list(read_score_lines(files(a=old), metric="chrF").metrics) == ["chrF"]
    both = files(a=bleu, b=old)
    with pytest.raises(ReadError, match="holds chrF2, but 'a' holds BLEU; pass files_are='metrics'"):
        read_score_lines(both)
    assert list(read_score_lines(both, files_are="metrics").metrics) == ["a", "b"]


def test_ter_is_negated():
    data = read_score_lines(files(a=TER.format(25), b=TER.format(75)))
    assert data.metrics["TER"].tolist() == [[-25], [-75]]
    assert data.notes[1] == "TER is negated, as lower is better on it"
    data = read_score_lines(files(a=TER.format(25), b="7\n"), files_are="metrics")
    assert {name: scores.tolist() for name, scores in data.metrics.items()} == {"a": [[-25]], "b": [[7]]}


test_what_is_refused = refusals(
    lambda texts: read_score_lines(files(**texts)),
    [
        ({"a": "1\n2\n", "b": "1\n"}, "'b' has 1 segments, but 'a' has 2; score"),
        ({"a": "1\n\n2\n"}, 2, "expected one score per line, found ''"),
        ({"a": "1\n2 3\n"}, 2, "expected one score per line, found '2 3'"),
        ({"a": "1\t2\n"}, 1, "expected one score per line"),
        ({"a": "1\ngood\n"}, 2, "'good' is not a score"),
        ({"a": "1\n1,5\n"}, 2, "'1,5' has a decimal comma"),
        ({"a": "1\n1e999\n"}, 2, "'1e999' is too large"),
        ({"a": TER.format(1) + "7\n"}, 2, "expected a score of TER as in line 1, found"),
        ({"a": "7\n" + TER.format(1)}, 2, "expected a number alone as in line 1"),
        ({"a": '{"name": "chrF2", "score": 1}'}, "is JSON with the score of a whole system"),
        ({"a": '[{"system": "a", "BLEU": "1"}]'}, "is JSON with the score of a whole system"),
    ],
)


def test_arguments():
    good = files(a="1\n")
    with pytest.raises(InputError, match="files_are: must be one of systems, metrics, found 'rows'"):
        read_score_lines(good, files_are="rows")
    with pytest.raises(InputError, match="metric: must be a name, found 3"):
        read_score_lines(good, metric=3)
    with pytest.raises(InputError, match="system: must be a name, found ''"):
        read_score_lines(good, system="")
    with pytest.raises(InputError, match="source: expected at least one file, found none"):
        read_score_lines({})
    with pytest.raises(InputError, match="source: must be a path, several paths, or bytes by name, found NoneType"):
        read_score_lines(None)
    with pytest.raises(InputError, match=r"source: x/a\.txt and up/a\.txt are both named 'a'; rename one"):
        read_score_lines(good | {"x/a.txt": b"1\n"})


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("a.txt", b"1"),
        ("a", b"-1.5e-3\nnan\n"),
        ("a.txt", TER.format(1).encode()),
        ("a.txt", b"BLEU = 35.40 66.7/50.0/33.3/25.0 (BP = 1.000 ratio = 1.000 hyp_len = 3 ref_len = 3)\n" * 2),
        ("a.txt", b"chrF2++ = 52.1\nchrF2++ = 9.0\n"),
        ("x.json", b'{\n "name": "chrF2", "score": 1'),
    ],
)
def test_what_is_recognized(name, head):
    assert recognize({name: head}) is FORMAT


def test_a_line_that_is_cut_is_not_looked_at():
    assert recognize({"a.txt": b"12345\n" * 5000}) is FORMAT
    assert recognize({"a.txt": b"12345\n" * 682 + b"1 2\n" * 9}) is FORMAT
    assert recognize({"a.txt": b"12345\n" * 600 + b"1 2\n" * 99}) is not FORMAT


@pytest.mark.parametrize(
    "head",
    [
        b"1 2\n",
        b"1\t2\n",
        b"1,5\n",
        b"1;2\n",
        b"A 1\n",
        b"",
        b"\n",
        b"-\n",
        b"1\n\n2\n",
        b"x = 1\n",
        b"1\n2,3\n",
    ],
)
@pytest.mark.parametrize("name", ["a.txt", "a.csv", "a.tsv"])
def test_what_is_not(name, head):
    assert recognize({name: head}) is not FORMAT


def test_the_app_asks_what_several_files_hold():
    assert list(FORMAT.questions(files(a="1\n"), {})) == []
    [question] = FORMAT.questions(files(a="1\n", b="1\n"), {})
    assert (question.argument, question.options) == ("files_are", ("systems", "metrics"))
    assert FORMAT.call({"a.txt": b""}, {}) == "tk.read('a.txt', format='score_lines')"
    several = FORMAT.call({"a.txt": b"", "b.txt": b""}, {"files_are": "metrics"})
    opened = "{name: open(name, 'rb').read() for name in ['a.txt', 'b.txt']}"
    assert several == f"tk.read({opened}, format='score_lines', files_are='metrics')"


def test_a_long_name_of_a_metric_is_cut_in_messages():
    name = b"B" + 5000 * b"1"
    with pytest.raises(ReadError, match=r"line 2: expected a score of B1+… as in line 1") as refused:
        read_score_lines({"a.txt": name + b" = 1\n2\n"})
    assert len(str(refused.value)) < 300
