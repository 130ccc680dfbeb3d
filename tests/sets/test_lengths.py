"""Lengths in characters: counted from texts, or given without them; both do the same."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import examples
from tiekit.base.errors import collect_warnings
from tiekit.sets.scores import Lengths

SYSTEMS = ("A", "B", "refA")
TEXT = st.text("añ字 .\u2028", max_size=5)


@st.composite
def with_texts(draw):
    """A set of three systems; one of them may lack texts."""
    size = draw(st.integers(1, 4))
    texts = st.lists(TEXT, min_size=size, max_size=size).map(tuple)
    rated = [[float(3 * row + column) for column in range(size)] for row in range(3)]
    outputs = {name: draw(texts) for name in SYSTEMS if name == "A" or draw(st.booleans())}
    return tk.EvalSet(
        "toy",
        "xx-yy",
        SYSTEMS,
        tuple(map(str, range(size))),
        {"h": rated},
        {"m": rated},
        sources=draw(texts),
        references={"refA": draw(texts)},
        outputs=outputs,
        standard_reference="refA",
        gold="h",
    )


def without_texts(data):
    return replace(data, sources=(), references={}, outputs={})


@examples(15)
@given(with_texts(), st.data())
def test_lengths_do_what_texts_do(data, more):
    bare = without_texts(data)
    assert (bare.sources, bare.references, bare.outputs) == ((), {}, {})
    assert bare.lengths == data.lengths
    assert data.lengths.sources == tuple(map(len, data.sources))
    kept = more.draw(st.lists(st.sampled_from(data.segments), min_size=1, unique=True))
    for one, other in ((data, bare), (data.select(segments=kept), bare.select(segments=kept))):
        assert one.lengths == other.lengths
        assert set(one.lengths.outputs) == set(one.outputs)
        first, second = tk.sentinels.probes(one), tk.sentinels.probes(other)
        assert list(first) == list(second) == list(tk.sentinels.PROBES)
        assert all(np.array_equal(first[name], second[name], equal_nan=True) for name in first)
        first, second = (tk.sentinels.length_bias(some, "m") for some in (one, other))
        assert first.points.equals(second.points)
        assert first.points["length"].tolist() == [
            len(one.outputs[row.system][one.segments.index(row.segment)]) for row in first.points.itertuples()
        ]


def test_texts_come_before_lengths_that_are_given():
    rated = {"h": [[1.0, 2.0]] * 2}
    given = {"sources": [7, 8], "outputs": {"A": [9, 9], "B": [3, np.int64(4)]}}
    data = tk.EvalSet("", "", ("A", "B"), ("1", "2"), rated, {}, outputs={"A": ("x", "yy")}, lengths=given)
    assert data.lengths == Lengths((7, 8), {}, {"A": (1, 2), "B": (3, 4)})
    assert pickle.loads(pickle.dumps(data)).lengths == data.lengths
    assert data.with_metric("m", [[1, 2], [3, 4]]).adjusted(decimals=1).lengths == data.lengths


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lengths": Lengths((1,))}, r"lengths.sources: expected one entry for each of 2 segments, found 1"),
        ({"lengths": Lengths(outputs={"A": (1, 2, 3)})}, r"lengths.outputs\['A'\]: expected one entry"),
        ({"lengths": {"references": {"refA": [1]}}}, r"lengths.references\['refA'\]: expected one entry"),
        ({"lengths": {"outputs": {"C": [1, 2]}}}, "outputs: there is no system 'C'; known: A"),
        ({"lengths": {"source": [1, 2]}}, "lengths: must be Lengths, or a mapping of sources, references and outputs"),
        ({"lengths": {"sources": [1, 2.5]}}, "lengths: must be"),
        ({"lengths": {"outputs": [1, 2]}}, "lengths: must be"),
        ({"lengths": None}, "lengths: must be"),
        ({"sources": (None, None)}, "sources: must be texts, one for each segment"),
        ({"outputs": {"A": (1, 2)}}, r"outputs\['A'\]: must be texts"),
    ],
)
def test_what_is_refused(change, message):
    with pytest.raises(tk.InputError, match=message):
        tk.EvalSet("", "", ("A",), ("1", "2"), {"h": [[1, 2]]}, {}, **change)


def words(length):
    """A text of a length, without spaces at its end."""
    return ("so it is " * length)[: length - 1] + "x"


def with_long_texts(data, order, changed=()):
    """A metric's scores of three systems with texts that are as long as the set's, in an order of segments.

    Those of the changed segments are a few letters longer.
    """
    metric = next(scores for name, scores in data.metrics.items() if name.startswith("BLEU-ref"))
    rows = [row for row, scores in enumerate(metric) if not np.isnan(scores).any()][:3]
    more = {place: number % 3 + 1 for number, place in enumerate(changed)}
    cells = [
        (
            data.systems[row],
            label,
            words(data.lengths.sources[place] + more.get(place, 0)),
            words(data.lengths.outputs[data.systems[row]][place] + more.get(place, 0)),
            metric[row, place],
        )
        for row in rows
        for label, place in zip(data.segments, order, strict=True)
    ]
    return pd.DataFrame(cells, columns=["system", "segment", "src", "mt", "score"])


@pytest.mark.filterwarnings("ignore::tiekit.LeftOutWarning")
@pytest.mark.parametrize("places", [[9, 10], [9, 11, 10], [*range(556, 536, -1)]])
def test_few_segments_with_the_lengths_of_others_are_refused(places):
    data = tk.load("wmt23", "en-de")
    order = np.arange(557)
    order[sorted(places)] = places[::-1] if len(places) == 2 else places
    with pytest.raises(tk.InputError, match=r"lengths of texts that the set has as segment .* in a circle, .* differ"):
        data.with_scores(with_long_texts(data, order), name="mine")


@pytest.mark.filterwarnings("ignore::tiekit.LeftOutWarning")
def test_segments_with_the_lengths_of_others_are_asked_about():
    data = tk.load("wmt23", "en-de")
    order = np.arange(557)
    order[[540, 541]] = 9, 20
    with pytest.warns(tk.errors.OrderWarning, match="have the same lengths of sources and outputs: "):
        data.with_scores(with_long_texts(data, order), name="mine")


@pytest.mark.parametrize("name", [("wmt22", "zh-en"), ("wmt23", "zh-en"), ("wmt23", "he-en"), ("wmt23", "en-de")])
def test_texts_that_were_changed_a_little_are_not_taken_for_others(name):
    data = tk.load(*name)
    order, random = np.arange(len(data.segments)), np.random.default_rng(4)
    for share in (0.01, 0.04):
        changed = random.choice(order, int(share * len(order)), replace=False).tolist()
        with collect_warnings() as said:
            data.with_scores(with_long_texts(data, order, changed), name="mine")
        assert not [text for kind, text in said if kind is tk.errors.OrderWarning]
