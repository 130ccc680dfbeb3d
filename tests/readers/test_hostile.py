"""What an adversary writes: it is refused at once, with its argument or line; nothing waits, nothing swallows rows."""

import gzip
import os
import pickle
import time
import tracemalloc
from contextlib import contextmanager
from dataclasses import replace

import joblib
import pytest

import tiekit as tk
from tests.readers.refusals import refusals
from tiekit.base import errors
from tiekit.base.names import find_name, known_names, normal_form
from tiekit.errors import InputError, ReadError
from tiekit.readers import (
    data_file,
    list_mtme,
    preview_table,
    read_mtme,
    read_rankings,
    read_score_files,
    read_table,
    recognize,
)
from tiekit.readers._cells import check_size

HUMAN = "toy/human-scores/en-de.mqm.seg.score"
METRIC = "toy/metric-scores/en-de/BLEU-refA.seg.score"
GOOD = b"A 1\nA 2\nB 3\nB 4\n"
FILES = {HUMAN: GOOD, METRIC: GOOD}
HEADER = "system,segment,mqm,BLEU\n"


@contextmanager
def at_once(seconds=3):
    """What took from ten seconds to minutes takes some tenths of one."""
    start = time.perf_counter()
    yield
    assert time.perf_counter() - start < seconds


LONG = "1" * 40_000 + "x"


@pytest.mark.parametrize(
    "call",
    [
        lambda: read_mtme(FILES | {HUMAN: f"A {LONG}\n".encode()}, "toy", "en-de"),
        lambda: read_table({"t.csv": f"{HEADER}A,1,{LONG},2\n".encode()}),
        lambda: tk.parse_vector(LONG),
    ],
    ids=["scores", "table", "typed"],
)
def test_long_numbers_do_not_backtrack(call):
    with at_once(), pytest.raises((ReadError, InputError), match=r"'1{78}….* is not a"):
        call()


def test_accents_without_end_are_not_put_in_order():
    accents = "\u0315\u0300"  # Unicode's forms have these in the other order
    assert normal_form("NFC", "x" + 15 * accents) == "x" + 15 * "\u0300" + 15 * "\u0315"
    text = "x" + 160_000 * accents
    data = replace(
        tk.EvalSet.from_arrays([[1.0], [2.0]], {"m": [[1.0], [2.0]]}), outputs={"1": (text,), "2": (f"{text} ",)}
    )
    with at_once():
        found = tk.identical.audit(data, n_resamples=0)
        assert (found.n_identical, found.n_normalized) == (0, 1)


def test_values_before_a_brace_are_divided_once():
    with at_once():
        assert recognize({"a.json": b"[" + 450_000 * b"1 " + "\U0001f600}\n".encode()}) is None


def test_many_files_are_recognized_one_at_a_time():
    packed = gzip.compress(b'[{"a":"' + 1_000_000 * b" " + b'"}]')
    tracemalloc.start()
    try:
        assert recognize({f"{place}.bin.gz": packed for place in range(20)}) is None
        assert tracemalloc.get_traced_memory()[1] < 12_000_000
    finally:
        tracemalloc.stop()


def test_a_message_ends():
    assert len(str(tk.InputError("x" * 10_000))) == len(str(ReadError("a", "x" * 10_000))) == 4000


def test_many_systems_are_looked_up_at_once():
    many = b"".join(b"w%d 1\nw%d 2\n" % (place, place) for place in range(20_000))
    with at_once():
        data = read_mtme({HUMAN: many, METRIC: many}, "toy", "en-de")
    assert data.human["mqm"].shape == (20_000, 2)
    with at_once(), pytest.raises(InputError, match="every name must occur once, 'w19999' occurs twice"):
        tk.EvalSet("toy", "", (*data.systems, "w19999"), ("1",), {}, {})
    unknown = tuple(f"v{place}" for place in range(20_000))
    with at_once(), pytest.raises(InputError, match=r"there is no system 'v0'; known: w0, .* and 19,970 more"):
        data.select(exclude=unknown)


@pytest.mark.campaign
def test_many_test_sets_and_names_are_listed_at_once():
    many = {f"t{place}/human-scores/en-de.mqm.seg.score": b"" for place in range(5_000)}
    many |= {path.replace("human-scores/en-de.mqm", "metric-scores/en-de/X-src"): b"" for path in many}
    with at_once(), pytest.raises(ReadError, match="there is no test set 'wmt'") as caught:
        read_mtme(many, "wmt", "en-de")
    assert len(str(caught.value)) < 2_000
    names = [f"metric_number_{place}" for place in range(100_000)]
    with at_once(), pytest.raises(InputError, match=r"known: metric_number_0, .* and 99,970 more") as refused:
        find_name("metric", "a metric_numbe", names)
    assert len(str(refused.value)) < 1_000
    assert known_names([]) == "none at all"


def test_a_system_that_is_not_there_is_answered_with_some_names():
    many = {f"toy/system-outputs/en-de/s{place}.txt": b"x\ny\n" for place in range(500)}
    with pytest.raises(ReadError, match=r"unknown system 'A'; .* and 470 more") as caught:
        read_mtme(FILES | many, "toy", "en-de")
    assert len(str(caught.value)) < 1_000


def test_few_scores_do_not_fill_the_memory():
    for shape, rows, matrices, limit in (
        ((4_990, 4_990), 4_990, 1, "sparse to lay out; the limit is 1,000,000 cells"),
        ((1_000, 1_001), 1_000, 1, "sparse to lay out; the limit is 1,000,000 cells"),
        ((3_100, 3_125), 100_000, 2, "sparse to lay out; the limit is 2,600,000 cells"),
        ((5_000, 4_001), 16 * 10**6, 1, "many to lay out; the limit is 20,000,000 cells"),
    ):
        with pytest.raises(ReadError, match=rf"rows, too {limit}"):
            check_size("f", shape, rows, matrices)
    check_size("f", (1_000, 1_000), 1, 1)
    check_size("f", (40, 2_000), 80_000, 100)
    files = {
        f"m{file}.seg.score": b"".join(b"s%d-%d 1\n" % (file, row // 50) for row in range(100)) for file in range(700)
    }
    with at_once(), pytest.raises(ReadError, match="1,400 systems × 50 segments in 70,000 rows, too many"):
        read_score_files(files, human="m0.seg.score")


QUOTED = HEADER + 'A,1,-1,3\nA,2,"-2,4\nA,3,-3,5\nA,4,-4,6\nB,1,-5",7\nB,2,-6,8\n'


def test_a_quotation_that_swallows_rows_is_refused():
    with pytest.raises(ReadError, match="quotation mark that ends only in line 6") as caught:
        read_table({"t.csv": QUOTED.encode()})
    assert caught.value.line == 3
    rows = "".join(f"A,{row},1,2\n" for row in range(500))
    with pytest.raises(ReadError, match="ends only in line 502") as caught:
        read_table({"t.csv": f'{HEADER}B,1,"1,2\n{rows}'.replace("A,499,1,2", 'A,499,1",2').encode()})
    assert caught.value.line == 2
    with pytest.raises(ReadError, match="check the quotation marks from here on: close each, or double it"):
        read_table({"t.csv": f'{HEADER}A,1,1,"2\n'.encode()})


def test_a_quotation_may_hold_lines():
    text = HEADER.replace("\n", ",note\n") + 'A,1,-1,3,"one, two\nthree"\nB,1,-2,4,"say ""x"""\n'
    assert read_table({"t.csv": text.encode()}).metrics["BLEU"].tolist() == [[3], [4]]


@pytest.mark.parametrize("note", ['"open', '"open" and more', 'a "b', '"'])
def test_quotation_marks_are_text_between_tabs(note):
    rows = ["system\tsegment\tnote\tmqm\tBLEU", f"A\t1\t{note}\t-1\t3", "A\t2\tplain\t-2\t4", f"B\t1\t{note}\t-3\t5"]
    data = read_table({"t.tsv": "\n".join(rows).encode()})
    assert data.systems == ("A", "B")
    assert data.human["mqm"][:, 0].tolist() == [-1, -3]
    with pytest.raises(ReadError, match="quotation mark"):
        read_table({"t.tsv": "\n".join([*rows, 'B\t2\t"open']).encode()})


def test_typed_numbers_that_mean_something_else():
    with pytest.raises(InputError, match="too small to be told from 0"):
        tk.parse_vector("1 1e-400")
    with pytest.raises(InputError, match=r"write 1\.000 for a decimal, 1000 for thousands, or '1, 000' for two scores"):
        tk.parse_vector("1,000")
    assert tk.parse_vector("0e5 -0.0 1e-300") == [0, 0, 1e-300]


def test_pipes_devices_and_folders_do_not_block(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    for path, problem in (
        (tmp_path / "pipe.csv", "pipe or a device"),
        ("/dev/zero", "pipe or a device"),
        (tmp_path, "folder"),
    ):
        for reader in (read_table, preview_table, read_rankings):
            with at_once(), pytest.raises(ReadError, match=f"is a {problem}, not a file; name the file"):
                reader(path)


def _bad_file(path):
    return read_table({path: b"system,segment,mqm,BLEU\nA,1,x,2\n"})


def test_every_error_and_warning_can_be_pickled():
    kinds = [
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, (Exception, Warning))
    ]
    assert len(kinds) > 10
    for kind in kinds:
        error = kind("a.csv", "found x", line=3) if issubclass(kind, ReadError) else kind("found x")
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), vars(again)) == (kind, str(error), vars(error))
    assert pickle.loads(pickle.dumps(ReadError("a", "b"))).line is None


@pytest.mark.campaign  # that errors are pickled, the test before this one tries in every run
def test_a_bad_file_does_not_break_the_pool():
    with pytest.raises(ReadError, match=r"t\.csv, line 2") as caught:
        joblib.Parallel(2)(joblib.delayed(_bad_file)(path) for path in ("t.csv", "t.csv"))
    assert (caught.value.path, caught.value.line) == ("t.csv", 2)


SCORES = {"a.seg.score": GOOD, "b.seg.score": GOOD}


test_arguments_of_a_wrong_type_are_named = refusals(
    lambda call: call(),
    [
        (lambda: read_mtme(None, "toy", "en-de"), "root: expected a path"),
        (lambda: read_mtme(5, "toy", "en-de"), "root: expected a path"),
        (lambda: read_mtme(FILES, 5, None), "testset: expected a plain name"),
        (lambda: read_mtme(FILES, "toy", None), "language_pair: expected a plain name"),
        (lambda: read_mtme(FILES, "toy", "en-de", metrics=5), "metrics: must be a name or several names, found 5"),
        (lambda: read_mtme(FILES, "toy", "en-de", metrics=[None]), "metrics: must be a name, found None"),
        (lambda: read_mtme(FILES, "toy", "en-de", metrics=[[1]]), "metrics: must be a name, found [1]"),
        (lambda: read_mtme(FILES, "toy", "en-de", human=5), "human: must be a name or several names, found 5"),
        (lambda: read_mtme(FILES, "toy", "en-de", level=[]), "level: must be one of"),
        (lambda: read_mtme(FILES, "toy", "en-de", lower_is_better=[[1]]), "lower_is_better: there is no score [1]"),
        (lambda: read_mtme({HUMAN: "text", METRIC: GOOD}, "toy", "en-de"), "root: expected bytes"),
        (lambda: read_score_files("x", human="y"), "files: expected bytes by the name of their file, found str"),
        (lambda: read_score_files(None, human="y"), "files: expected bytes"),
        (lambda: read_score_files({5: GOOD}, human="y"), "files: expected bytes"),
        (lambda: read_score_files(SCORES, human=5), "human: must be a name or several names, found 5"),
        (lambda: list_mtme(None), "root: expected a path"),
        (lambda: read_table(None), "source: must be a path"),
        (lambda: read_table({"t.csv": None}), "source: expected bytes"),
        (lambda: preview_table(5), "source: must be a path"),
        (lambda: read_rankings(None), "path: expected a path"),
        (lambda: tk.parse_vector(None), "scores: must be a line of text, found 'None'"),
        (lambda: data_file(None), "name: must be the name of a file, found None"),
    ],
    InputError,
)
