"""The sets that come along: as the texts say to the last bit, fast, with the values that were published."""

import gzip
import html
import io
import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.readers.data_sets import SETS, pack, unpack

DATA = Path(__file__).parents[2] / "data"
PUBLISHED = [(testset, pair) for testset in ("wmt22", "wmt23") for pair in SETS[testset]]
OF_A_YEAR = [  # one of each year in every run: files change only where they are packed anew
    pytest.param(*one, marks=[pytest.mark.campaign] * (one[1] in ("zh-en", "he-en") and one[0] == "wmt23"))
    for one in PUBLISHED
]
PAIRS = list(SETS["wmt23"])
PACKED = [path for testset in ("wmt22", "wmt23") for path in sorted((DATA / testset).rglob("*.gz"))]


def check_equal(one, other):
    """Compare all that two sets hold, scores bit by bit."""
    for field in fields(one):
        ours, theirs = getattr(one, field.name), getattr(other, field.name)
        assert type(ours) is type(theirs), field.name
        if field.name in ("human", "metrics", "raters"):
            assert list(ours) == list(theirs)
            for name in ours:
                assert ours[name].dtype == theirs[name].dtype
                assert ours[name].tobytes() == theirs[name].tobytes(), name
        elif field.name == "identical":
            assert np.array_equal(ours, theirs)
        else:
            assert ours == theirs, field.name


@pytest.mark.parametrize(("testset", "pair"), OF_A_YEAR)
def test_what_is_loaded_is_what_the_texts_say(testset, pair):
    check_equal(tk.load(testset, pair), tk.read_mtme(DATA, testset, pair))


def test_texts_integers_and_every_float_are_kept():
    scores = [[-0.1, float("nan")], [5e-324, 1e300]]
    data = tk.EvalSet(
        "toy", "en-de", ("A", "B"), ("1", "2"), {"mqm": scores, "half": [[0.5, 1], [2, 3]]}, {"é": scores},
        sources=("a", "ü"), outputs={"A": ("x", "y")}, gold="mqm", raters={"mqm": np.array([[1, 2], [0, 3]])},
    )  # fmt: skip
    with np.load(io.BytesIO(pack(data)), allow_pickle=False) as arrays:
        check_equal(unpack(dict(arrays)), data)


def test_names_of_sets():
    assert tk.load("wmt22") is tk.load("wmt22", "zh-en") is tk.load("WMT22/zh-en") is tk.load_wmt22()
    assert tk.load("synthetic") is tk.load("synthetic", "qaa-qab")
    for given, said in {
        ("wmt32",): "there is no 'wmt32'; did you mean wmt",
        ("wmt23",): "name one of zh-en, he-en, en-de",
        ("wmt23", "en-dd"): "did you mean en-de",
        ("wmt23/zhen",): "did you mean zh-en",
        (3,): "must be the name of a set",
    }.items():
        with pytest.raises(tk.InputError, match=re.escape(said)):
            tk.load(*given)


def test_examples_can_be_opened_as_they_say():
    table = tk.examples()
    for _, row in table.iterrows():
        for cell in (row["what"], row["python"]):
            assert cell in repr(table)
            assert html.escape(cell, quote=False) in table._repr_html_()
    assert max(map(len, repr(table).splitlines())) <= 120
    assert set(table.index) >= {f"{testset}/{pair}" for testset in SETS for pair in SETS[testset]} | {"votes"}
    for name, row in table.iterrows():
        assert Path(row["path"]).exists(), name
        if name != "metric":  # half a second
            assert eval(row["python"], {"tk": tk}) is not None


LINES = {"lengths": r"\d+(\t\d+)*", "identical": r"(-1|\d+)(\t(-1|\d+))*", "documents": r"[\w.-]+[\t ][\w.-]+"}
"""What the lines of files in a folder are; those of all others are a name and a score."""


def test_files_hold_names_and_numbers_but_no_text_and_tell_no_time():
    assert len(PACKED) > 32
    for path in PACKED:
        packed = path.read_bytes()
        assert packed[:8] == b"\x1f\x8b\x08\x00" + bytes(4), f"{path}: a name, a time or another field"
        header, _, lines = gzip.decompress(packed).decode("ascii").rstrip("\n").partition("\n")
        assert not re.search(r"[^\w\t ./-]", header)
        line = LINES.get(path.parts[-2], r"[\w.-]+\t(None|[\d.e-]+)")
        assert not re.search(rf"(?m)^(?!({line})$)", lines), path
    for testset, pair in PUBLISHED:
        data = tk.load(testset, pair)
        assert (data.sources, data.references, data.outputs) == ((), {}, {})
        assert len(data.metrics) == {"wmt22": 24, "wmt23": 43}[testset]


@pytest.mark.real
@pytest.mark.parametrize(("testset", "pair"), OF_A_YEAR)
def test_scores_and_lengths_are_those_of_the_original_files(real_data, testset, pair):
    ours = tk.load(testset, pair)
    theirs = tk.read_mtme(
        real_data / "mt-metrics-eval-v2", testset, pair, human=list(ours.human), metrics=list(ours.metrics)
    )
    for kind in ("human", "metrics"):
        for name, scores in getattr(ours, kind).items():
            assert scores.tobytes() == getattr(theirs, kind)[name].tobytes()
    for given in ("systems", "segments", "documents", "domains", "standard_reference", "outliers", "gold", "lengths"):
        assert getattr(ours, given) == getattr(theirs, given), given
    assert np.array_equal(ours.identical, theirs.identical)


@pytest.fixture(scope="module")
def segment_tasks():
    return tk.official.printed_values("wmt23_segments")


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
@pytest.mark.parametrize("pair", PAIRS)
def test_the_published_segment_tasks(segment_tasks, pair):
    data, reference = tk.load("wmt23", pair), "refB" if pair == "he-en" else "refA"
    printed = {}
    for name in segment_tasks.index:
        stored = [f"{name}-{source}" for source in (reference, "src") if f"{name}-{source}" in data.metrics]
        if stored:
            printed[stored[0]] = segment_tasks.loc[name]
    board = tk.leaderboard(
        data, metrics=list(printed), coefficients=["global/pearson", "item/acc_eq*"], cells="own", progress=False
    )
    for task in ("global/pearson", "item/acc_eq*"):
        found = {name: round(board.loc[name, task], 3) for name in printed}
        assert found == pytest.approx({name: row[f"{pair} {task}"] for name, row in printed.items()}, abs=1e-9)
    assert len(printed) >= 30


@pytest.mark.parametrize("pair", PAIRS)
def test_shares_of_human_ties(pair):
    told = pd.read_csv(DATA / "papers" / "human_tie_shares.csv").set_index(["testset", "language_pair", "protocol"])
    data = tk.load("wmt23", pair)
    rows = [name not in (data.standard_reference, "synthetic_ref") for name in data.systems]
    found = tk.count_ties(data.human["mqm"][rows], grouping="item").share
    assert round(found, 3) == told.loc[("wmt23", pair, "MQM"), "share"]
