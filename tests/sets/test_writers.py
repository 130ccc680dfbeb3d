"""What is written in mt-metrics-eval's layout is read back as it was, and what the layout cannot hold is said."""

import os
import subprocess
import sys
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import FAMILIES, examples
from tiekit.readers import recognize

SAMPLES = Path(__file__).parents[1] / "readers" / "samples"
NOT_A_SET = {"DArr-toy.csv", "sacrebleu.json"}
"""Votes, and a file that is refused."""


def equal(one, other):
    """Whether two mappings hold the same scores, bit by bit."""
    return list(one) == list(other) and all(
        np.array_equal(one[name], other[name], equal_nan=True) and one[name].tobytes() == other[name].tobytes()
        for name in one
    )


def complete(data):
    """The set with human scores and a metric, as `read_mtme` wants them; those that it lacks are 0 everywhere."""
    zeros = {"zero": np.zeros((len(data.systems), len(data.segments)))}
    return replace(data, human=dict(data.human) or zeros, metrics=dict(data.metrics) or zeros)


def without_slashes(data):
    """The set with names of systems that can be those of files."""
    names = {system: system.replace("/", "_") for system in data.systems}
    outputs = {names[system]: texts for system, texts in data.outputs.items()}
    return replace(data, systems=tuple(names.values()), outputs=outputs, lengths={})


def again(data, root, **names):
    """What is read of what was written."""
    folder = tk.write_mtme(data, root, **names)
    level = "system" if list(folder.rglob("*.sys.score")) else "segment"
    [(testset, [pair])] = (
        (name, {path.name.split(".")[0] for path in folder.glob("human-scores/*")}) for name in [folder.name]
    )
    return tk.read_mtme(root, testset, pair, references="all", level=level)


def by_name(data):
    """The set with its systems and scores in the order of their names."""
    order = sorted(range(len(data.systems)), key=lambda row: data.systems[row])
    return replace(
        data,
        systems=tuple(data.systems[row] for row in order),
        human={name: data.human[name][order] for name in sorted(data.human)},
        metrics={name: data.metrics[name][order] for name in sorted(data.metrics)},
    )


def sample(name):
    """A sample as it is read with the first answer to every question."""
    files, chosen = {name: (SAMPLES / name).read_bytes()}, {}
    entry = recognize(files)
    for one in entry.questions(files, chosen):
        chosen[one.argument] = one.usual if one.several else one.options[0]
    return entry.read(files, **chosen)


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
@pytest.mark.parametrize("name", sorted(path.name for path in SAMPLES.iterdir() if path.name not in NOT_A_SET))
def test_every_sample_comes_back(name, tmp_path):
    data = complete(sample(name))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.TiekitWarning)
        found = again(data, tmp_path, testset="mine", language_pair="xx-yy")
    data = without_slashes(data) if data.outputs else data
    expected = by_name(data) if data.outputs or data.lengths.outputs else data
    assert found.systems == expected.systems
    assert len(found.segments) == len(expected.segments)
    assert equal(dict(sorted(found.human.items())), dict(sorted(expected.human.items())))
    assert equal(dict(sorted(found.metrics.items())), dict(sorted(expected.metrics.items())))
    assert found.sources == expected.sources
    assert dict(found.references) == dict(expected.references)
    assert {name: found.outputs[name] for name in expected.outputs} == dict(expected.outputs)
    unknown = ("-",) * len(data.segments)
    for name, other in (("documents", "domains"), ("domains", "documents")):
        whole = getattr(data, name) or (unknown if getattr(data, other) else ())
        assert getattr(found, name) == tuple(label.replace(" ", "_") for label in whole)


WORDS = st.sampled_from(["A", "b-1", "Online.W", "é", "refA", "x_y", "GPT-4"])
TEXTS = st.sampled_from(["", "one", " two ", "a\nb", "c\r", "\ufeffd", "e\u2028f", "\ud800", "\x85", '"'])


@st.composite
def sets(draw):
    """Sets with all that the layout can hold, and names that it keeps."""
    systems = tuple(sorted(draw(st.sets(WORDS, min_size=1, max_size=4))))
    size = draw(st.integers(2, 5))
    score = FAMILIES[draw(st.sampled_from(list(FAMILIES)))]
    cells = st.lists(st.one_of(score, st.just(float("nan"))), min_size=size, max_size=size)

    def matrix():
        first, *others = [[*draw(cells)] for _ in systems]
        return [[draw(score), *first[1:]], *others]  # not all missing

    def texts():
        return tuple(draw(st.lists(TEXTS, min_size=size, max_size=size)))

    human = {name: matrix() for name in draw(st.sets(st.sampled_from(["mqm", "esa.x", "da z"]), min_size=1))}
    metrics = {name: matrix() for name in draw(st.sets(st.sampled_from(["m-refA", "n-src", "o o"]), min_size=1))}
    labels = draw(st.booleans())
    return tk.EvalSet(
        "toy",
        "xx-yy",
        systems,
        tuple(str(line) for line in range(1, size + 1)),
        dict(sorted(human.items())),
        dict(sorted(metrics.items())),
        documents=tuple(f"d{line // 2}" for line in range(size)) if labels else (),
        domains=tuple(f"n{line // 3}" for line in range(size)) if labels else (),
        sources=texts() if draw(st.booleans()) else (),
        references={"refA": texts()} if draw(st.booleans()) else {},
        outputs={name: texts() for name in systems} if draw(st.booleans()) else {},
    )


@examples(24)
@given(sets())
def test_a_set_comes_back(tmp_path_factory, data):
    found = again(data, tmp_path_factory.mktemp("v2"))
    assert (found.name, found.language_pair) == (data.name, data.language_pair)
    assert found.systems == data.systems
    assert found.segments == data.segments
    assert equal(found.human, data.human)
    assert equal(found.metrics, data.metrics)
    for name in ("documents", "domains", "sources", "references", "outputs", "lengths"):
        assert getattr(found, name) == getattr(data, name), name


def test_the_bundled_set_comes_back(wmt22_zh_en, tmp_path):
    found = again(wmt22_zh_en, tmp_path)
    assert found.systems == wmt22_zh_en.systems
    assert equal(found.human, wmt22_zh_en.human)
    assert equal(found.metrics, wmt22_zh_en.metrics)
    assert found.lengths == wmt22_zh_en.lengths
    assert found.gold == wmt22_zh_en.gold
    assert found.documents == wmt22_zh_en.documents


def toy(**changes):
    given = {
        "name": "toy",
        "language_pair": "en-de",
        "systems": ("A", "B"),
        "segments": ("1", "2"),
        "human": {"mqm": [[1, 2], [3, 4]]},
        "metrics": {"m": [[1, 2], [3, 5]]},
    }
    return tk.EvalSet(**given | changes)


def test_files_hold_the_shortest_digits(tmp_path):
    folder = tk.write_mtme(toy(metrics={"m": [[0.1, 1 / 3], [1e-300, float("nan")]]}), tmp_path)
    written = (folder / "metric-scores" / "en-de" / "m.seg.score").read_bytes()
    assert written == b"A\t0.1\nA\t0.3333333333333333\nB\t1e-300\nB\tNone\n"


@pytest.mark.parametrize(
    ("changes", "warning"),
    [
        ({"systems": ("A B", "A_B")}, r"systems: the layout cannot hold some names, so 'A B' is 'A_B_'"),
        ({"metrics": {"a/b": [[1, 2], [3, 5]]}}, r"metrics: .* 'a/b' is 'a_b'"),
        ({"human": {".x": [[1, 2], [3, 5]]}}, r"human: .* '\.x' is '_x'"),
        ({"segments": ("s1", "s2")}, r"segments: .*labels \(s1, s2, …\) are not kept"),
        ({"documents": ("a b", "")}, r"documents: .* 'a b' is 'a_b', '' is '_'"),
        (
            {"human": {one: [[1, 2], [3, 5]] for one in ("mqm", "sqm")}, "gold": "sqm"},
            "gold: .* reading takes mqm; pass",
        ),
    ],
)
def test_what_the_layout_cannot_hold_is_said(changes, warning, tmp_path):
    data = toy(**changes)
    with pytest.warns(tk.LeftOutWarning, match=warning):
        found = again(data, tmp_path)
    for kind in ("human", "metrics"):
        for one, other in zip(getattr(found, kind).values(), getattr(data, kind).values(), strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_metric_without_scores_is_left_out(tmp_path):
    data = toy(metrics={"m": [[1, 2], [3, 5]], "none": np.full((2, 2), np.nan)})
    with pytest.warns(tk.LeftOutWarning, match="none has no scores"):
        assert list(again(data, tmp_path).metrics) == ["m"]


def test_scores_of_whole_systems(tmp_path):
    data = toy(segments=("all",), human={"mqm": [[1], [2]]}, metrics={"m": [[3], [4]]})
    found = again(data, tmp_path)
    assert found.segments == ("all",)
    np.testing.assert_array_equal(found.metrics["m"], [[3], [4]])


def test_one_segment_of_a_document(tmp_path):
    data = toy(
        segments=("1",), human={"mqm": [[1], [2]]}, metrics={"m": [[3], [4]]}, documents=("d",), domains=("news",)
    )
    assert again(data, tmp_path).documents == ("d",)


def test_outputs_of_some_systems(tmp_path):
    found = again(toy(outputs={"A": ("x", "y")}), tmp_path)
    assert found.outputs == {"A": ("x", "y"), "B": ("", "")}
    with pytest.warns(tk.LeftOutWarning, match="lengths"):
        found = again(toy(lengths={"outputs": {"A": (1, 2)}, "sources": (3, 4)}), tmp_path / "2")
    assert (found.lengths.sources, dict(found.lengths.outputs)) == ((3, 4), {})


def test_names_of_the_folder(tmp_path):
    assert tk.write_mtme(toy(name="my scores.csv", language_pair=""), tmp_path).name == "my_scores.csv"
    assert tk.list_mtme(tmp_path) == {"my_scores.csv": ("und-und",)}
    for wrong in ({"testset": "../x"}, {"testset": ""}, {"language_pair": "a.b"}, {"language_pair": 3}):
        with pytest.raises(tk.InputError, match=f"{next(iter(wrong))}: expected a plain name"):
            tk.write_mtme(toy(), tmp_path, **wrong)


def test_nothing_is_replaced_unless_asked(tmp_path):
    tk.write_mtme(toy(), tmp_path)
    with pytest.raises(tk.InputError, match=r"mqm\.seg\.score is there already, and 1 more"):
        tk.write_mtme(toy(metrics={"m": [[9, 9], [9, 9]]}), tmp_path)
    assert tk.read_mtme(tmp_path, "toy", "en-de").metrics["m"][0, 0] == 1
    tk.write_mtme(toy(metrics={"m": [[9, 9], [9, 9]]}), tmp_path, overwrite=True)
    assert tk.read_mtme(tmp_path, "toy", "en-de").metrics["m"][0, 0] == 9


def test_what_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(tk.InputError, match=r"root: .* cannot be written"):
        tk.write_mtme(toy(), tmp_path / "file")
    with pytest.raises(tk.InputError, match=r"root: .* cannot be written"):
        tk.write_mtme(toy(metrics={"m" * 300: [[1, 2], [3, 4]]}), tmp_path)
    with pytest.raises(tk.InputError, match="root: must be the path"):
        tk.write_mtme(toy(), None)
    with pytest.raises(tk.InputError, match="data: must be an EvalSet"):
        tk.write_mtme({}, tmp_path)
    with pytest.raises(tk.InputError, match="no scores"):
        tk.write_mtme(toy(human={}, metrics={}), tmp_path)
    with pytest.warns(tk.LeftOutWarning, match="metrics: there are none, and a folder is read only with some"):
        tk.write_mtme(toy(metrics={}), tmp_path / "human")


@pytest.mark.campaign
def test_where_the_locale_has_no_such_letters_the_advice_helps_and_nothing_is_written(tmp_path):
    code = """
import sys, tiekit as tk
rows = "system,segment,mqm,BLE\\u00dc\\nA,1,1,2\\nB,1,2,3\\n"
tk.write_mtme(tk.read({"t.csv": rows.encode()}), sys.argv[1], testset="mine", language_pair="en-de")
"""
    run = [sys.executable, "-c", code, str(tmp_path / "v2")]
    plain = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    refused = subprocess.run(run, env=plain, capture_output=True, text=True, check=False)
    assert refused.stderr.splitlines()[-1].endswith("; set PYTHONUTF8=1")
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]
    assert subprocess.run(run, env={**plain, "PYTHONUTF8": "1"}, capture_output=True, check=False).returncode == 0
    assert (tmp_path / "v2/mine/metric-scores/en-de").is_dir()
