"""Sets from arrays and frames, and back: names, labels, what is refused, and how a set looks in a notebook."""

import string

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from IPython.lib.pretty import pretty

import tiekit as tk

HUMAN = [[0, -5, None], [-1, 0, 3]]
BLEU = [[30, 10, 5], [20, 40, 7]]


def test_names_are_numbers_unless_given():
    data = tk.EvalSet.from_arrays(HUMAN, {"BLEU": BLEU})
    assert (data.systems, data.segments, data.gold, data.name) == (("1", "2"), ("1", "2", "3"), "human", "arrays")
    np.testing.assert_array_equal(data.human["human"], [[0, -5, np.nan], [-1, 0, 3]])
    named = tk.EvalSet.from_arrays(
        {"da": HUMAN, "mqm": HUMAN}, {}, systems=["A", "B"], segments=[7, 8.0, "x"], name="n"
    )
    assert (named.systems, named.segments, named.gold, named.name) == (("A", "B"), ("7", "8", "x"), "mqm", "n")
    assert tk.EvalSet.from_arrays({}, {"BLEU": BLEU}).human == {}
    assert tk.EvalSet.from_arrays({"a": HUMAN, "b": HUMAN}, {}).gold is None


def test_a_vector_is_one_system():
    data = tk.EvalSet.from_arrays([1, 2, 3], {"m": [3, 2, 1]})
    assert (data.systems, data.segments) == (("all",), ("1", "2", "3"))
    human = pd.Series([1, 2, 3], index=["x", "y", "z"])
    frame = pd.DataFrame({"m": [3, 1, 2], "k": [1, 3, 2]}, index=["z", "x", "y"])
    data = tk.EvalSet.from_arrays(human, frame)
    assert (data.systems, data.segments, list(data.metrics)) == (("all",), ("x", "y", "z"), ["m", "k"])
    np.testing.assert_array_equal(data.metrics["m"], [[1, 2, 3]])
    default = tk.EvalSet.from_arrays(pd.Series([1, 2, 3]), {"m": pd.Series([3, 1, 2], index=[2, 0, 1])})
    np.testing.assert_array_equal(default.metrics["m"], [[1, 2, 3]])
    assert tk.EvalSet.from_arrays([True, None, False], {}).human["human"][0, ::2].tolist() == [1, 0]


def test_frames_are_matched_by_label():
    human = pd.DataFrame(HUMAN, index=["A", "B"], columns=[1, 2, 3])
    metric = pd.DataFrame(BLEU, index=["A", "B"], columns=[1, 2, 3])
    expected = tk.EvalSet.from_arrays(human, {"BLEU": metric})
    assert (expected.systems, expected.segments) == (("A", "B"), ("1", "2", "3"))
    mixed = tk.EvalSet.from_arrays(human, {"BLEU": metric.loc[["B", "A"], [3, 1, 2]]})
    np.testing.assert_array_equal(mixed.metrics["BLEU"], BLEU)
    assert mixed.digest == expected.digest
    assert mixed.digest != tk.EvalSet.from_arrays(human, {"chrF": metric}).digest
    added = expected.with_metric("chrF", metric.loc[["B", "A"]].rename(columns=str))
    np.testing.assert_array_equal(added.metrics["chrF"], BLEU)
    turned = human.rename_axis(index="sys", columns="segment").T, metric.T.rename_axis(index="Seg ID")
    assert tk.EvalSet.from_arrays(turned[0], {"BLEU": turned[1]}).digest == expected.digest
    np.testing.assert_array_equal(expected.with_metric("x", turned[1]).metrics["x"], BLEU)
    assert tk.correlate(*turned).value == tk.correlate(human, metric).value
    many = np.arange(120).reshape(40, 3)
    with pytest.warns(tk.OrientationWarning, match="has 40 rows and 3 columns.*if rows are segments") as caught:
        tk.EvalSet.from_arrays(many, {"m": many, "k": many})
    assert [warning.filename for warning in caught] == [__file__]
    tk.EvalSet.from_arrays(many, {"m": many}, systems=range(40))
    with pytest.raises(
        tk.InputError, match="scores: must have the systems of the set, but only the set has 'A' and only"
    ):
        expected.with_metric("x", metric.rename({"A": "C"}))


def test_labels_of_another_type_match_no_other():
    human = pd.DataFrame(HUMAN, index=["A", "B"], columns=[1, 2, 3])
    with pytest.raises(
        tk.InputError,
        match=r"metrics\['m'\]: must have the column labels of .* has 1, 2, 3 .* by \.rename\(columns=str\)",
    ):
        tk.EvalSet.from_arrays(human, {"m": pd.DataFrame(BLEU, index=["A", "B"], columns=["1", "2", "3"])})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((HUMAN, BLEU), "metrics: must be a mapping of names to scores, found list"),
        (({}, {}), "human: there are no scores"),
        (
            (HUMAN, {"m": [[1, 2]]}),
            r"metrics\['m'\]: expected the shape \(2, 3\) \(systems, segments\), found \(1, 2\)",
        ),
        (([["a"]], {}), r"human\['human'\]: scores must be numbers"),
        (([[1, float("inf")]], {}), "must be finite"),
        (([[1, 2], [2.5, True]], {}), r"found True \(row 2, place 2\) beside numbers such as 1; write nan where a"),
        ((np.array([0.5, None, np.False_], object), {}), r"found False \(place 3\) beside numbers such as 0\.5"),
        (([[1]], {"human": [[2]]}, "to_frame"), "to_frame: every name must occur once, 'human' occurs twice"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(tk.InputError, match=message):
        tk.EvalSet.from_arrays(*arguments[:2]).to_frame()
    with pytest.raises(tk.InputError, match="systems: must be several names, found 'AB'"):
        tk.EvalSet.from_arrays(HUMAN, {"m": BLEU}, systems="AB")
    with pytest.raises(tk.InputError, match=r"human\['human'\]: expected the shape \(1, 3\)"):
        tk.EvalSet.from_arrays(HUMAN, {"m": BLEU}, systems=["A"])


NAMES = st.text(string.ascii_letters + " -é%", min_size=1, max_size=4).map(str.strip).filter(bool)
SCORES = st.one_of(st.just(float("nan")), st.floats(allow_nan=False, allow_infinity=False))


@st.composite
def sets(draw):
    """Sets of any size whose metrics have scores beside human ones."""
    systems, segments = (tuple(draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))) for _ in range(2))
    scores = draw(st.lists(NAMES.map(lambda name: f"s {name}"), min_size=2, max_size=4, unique_by=str.casefold))
    shape = len(systems), len(segments)
    matrices = {}
    for name in scores:
        cells = draw(st.lists(SCORES, min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))
        matrices[name] = np.array(cells).reshape(shape)
        matrices[name][0, 0] = 1.0
    number = draw(st.integers(1, len(scores) - 1))
    human = dict(list(matrices.items())[:number])
    return tk.EvalSet(
        draw(NAMES),
        draw(st.sampled_from(["", "en-de"])),
        systems,
        segments,
        human,
        dict(list(matrices.items())[number:]),
        documents=draw(st.sampled_from([(), segments])),
        domains=draw(st.sampled_from([(), ("news",) * shape[1]])),
        standard_reference=draw(st.sampled_from([None, systems[0]])),
        outliers=draw(st.sampled_from([(), systems[1:2]])),
        gold=draw(st.sampled_from([None, *human])) if number > 1 else next(iter(human)),
    )


@given(sets())
def test_a_set_survives_its_frame(data):
    frame = data.to_frame()
    assert len(frame) == len(data.systems) * len(data.segments)
    back = tk.EvalSet.from_frame(frame)
    for field in (
        "name",
        "language_pair",
        "systems",
        "segments",
        "documents",
        "domains",
        "standard_reference",
        "outliers",
    ):
        assert getattr(back, field) == getattr(data, field)
    assert back.gold == data.gold or data.gold is None
    for kind in ("human", "metrics"):
        assert list(getattr(back, kind)) == list(getattr(data, kind))
        for name, matrix in getattr(data, kind).items():
            np.testing.assert_array_equal(getattr(back, kind)[name], matrix)


def test_the_roles_are_those_that_the_caller_names():
    frame = tk.EvalSet.from_arrays(HUMAN, {"own": BLEU}).to_frame()
    assert list(tk.EvalSet.from_frame(frame, human="own", metrics="human").human) == ["own"]
    more = frame.assign(new=1.0, year=2024)
    with pytest.warns(tk.RoleWarning, match="left out year"):
        data = tk.EvalSet.from_frame(more)
    assert (list(data.human), list(data.metrics)) == (["human"], ["own", "new"])
    with pytest.warns(tk.RoleWarning, match=r"took human, esa, my_human for human scores \(esa, my_human by name, the"):
        data = tk.EvalSet.from_frame(frame.assign(esa=50.0, my_human=1.0, new=1.0, lp="en-de", testset="n"))
    assert (list(data.human), list(data.metrics)) == (["human", "esa", "my_human"], ["own", "new"])
    assert (data.language_pair, data.name) == ("en-de", "n")
    with pytest.raises(tk.InputError, match="frame: must be a pandas DataFrame, found list"):
        tk.EvalSet.from_frame([{}])


def test_long_names_and_notes_fill_no_page():
    names = [f"metric {number} " + "x" * 300 for number in range(2_000)]
    data = tk.EvalSet.from_arrays(np.zeros((2, 40)), dict.fromkeys(names, np.zeros((2, 40))))
    for shown in (repr(data), pretty(data)):
        assert len(shown.splitlines()) <= 10
        assert len(shown) < 2_000
    for shown in (repr(data.metrics), pretty(data.metrics)):
        assert len(shown.splitlines()) == 1
        assert len(shown) < 2_000
        assert "1994 more" in shown
