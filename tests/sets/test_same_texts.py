"""The texts of a file are compared with those of the set: which segments are the same, and where they belong."""

import json
import unicodedata
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tiekit.errors import collect_warnings
from tiekit.sets.alignment import align
from tiekit.sets.same_texts import text_key

SYSTEMS = ("A", "B", "C")


def texts(sources, outputs, scores=None):
    """A set with these texts, whose metric m tells the cell unless scores are given."""
    size = len(sources)
    cells = np.arange(len(outputs) * size).reshape(len(outputs), size) if scores is None else scores
    segments = tuple(map(str, range(1, size + 1)))
    names = tuple(outputs)
    return tk.EvalSet("s", "", names, segments, {}, {"m": cells}, sources=tuple(sources), outputs=outputs)


def plain(size):
    """A set of segments with other words each."""
    words = [f"source {'x' * place} {place}" for place in range(size)]
    return texts(words, {name: tuple(f"{name} says {word}" for word in words) for name in SYSTEMS})


def in_order(data, places):
    """The same set with its segments in another order, numbered anew."""

    def moved(entries):
        return tuple(entries[place] for place in places)

    outputs = {name: moved(found) for name, found in data.outputs.items()}
    return texts(moved(data.sources), outputs, data.metrics["m"][:, places])


@given(st.permutations(range(12)))
def test_any_order_is_put_right_by_texts(places):
    data = plain(12)
    with collect_warnings() as said:
        found = align(data, in_order(data, places))
    np.testing.assert_array_equal(found.matrix(found.scores.metrics["m"]), data.metrics["m"])
    assert found.sentences()[0].endswith("verified by sources and outputs (12 of 12)")
    assert [kind for kind, _ in said] == [tk.OrderWarning] * (list(places) != list(range(12)))


@given(st.integers(0, 2**32), st.booleans())
def test_segments_with_equal_texts_are_placed_only_where_nothing_depends_on_it(seed, same_scores):
    rng = np.random.default_rng(seed)
    data = plain(40)
    source, outputs = list(data.sources), {name: list(found) for name, found in data.outputs.items()}
    source[7] = source[30]  # the same source, but other outputs: still told apart
    source[9] = source[20]
    for found in outputs.values():
        found[9] = found[20]
    scores = data.metrics["m"].copy()
    if same_scores:
        scores[:, 9] = scores[:, 20]
    data = texts(source, {name: tuple(found) for name, found in outputs.items()}, scores)
    with collect_warnings():
        found = align(data, in_order(data, rng.permutation(40)))
    matrix = found.matrix(found.scores.metrics["m"])
    lacking = np.flatnonzero(np.isnan(matrix).all(axis=0)).tolist()
    assert lacking == ([] if same_scores else [9, 20])
    np.testing.assert_array_equal(matrix[~np.isnan(matrix)], scores[~np.isnan(matrix)])
    assert any("2 segments have the same texts as others" in text for text in found.sentences()) != same_scores


def test_equal_sources_alone_do_not_decide():
    data = plain(30)
    source = (*data.sources[:28], "twice", "twice")
    data = replace(data, sources=source)
    scores = replace(in_order(data, np.arange(30)[::-1]), outputs={}, lengths={})
    with collect_warnings():
        found = align(data, scores)
    assert np.flatnonzero(found.columns < 0).tolist() == [28, 29]


def test_a_segment_without_a_text_is_not_compared():
    data = plain(20)
    sources = tuple("" if place == 3 else text for place, text in enumerate(data.sources))
    outputs = {name: ("", *found[1:]) for name, found in data.outputs.items()}
    scores = texts(sources, outputs)
    assert align(data, scores).sentences()[0].endswith("verified by sources and outputs (20 of 20)")
    nothing = texts([""] * 20, dict.fromkeys(SYSTEMS, ("",) * 20))
    assert align(data, nothing).verified is None


@given(st.text(max_size=30))
def test_a_text_is_the_same_however_it_was_saved(text):
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert text_key(f" {unicodedata.normalize(form, text)}\t") == text_key(text)


def test_lengths_that_differ_in_spaces_at_the_ends_are_the_same():
    data = plain(20)
    data = replace(data, sources=tuple(f"{text} " for text in data.sources))
    known = replace(data, sources=(), outputs={})
    stripped = replace(data, sources=tuple(map(str.strip, data.sources)))
    assert known.lengths.sources[0] == len(stripped.sources[0]) + 1
    with collect_warnings(), pytest.raises(tk.InputError, match="source 1 has 9 characters where the set's has 10"):
        align(known, stripped)
    padded = replace(data, sources=tuple(f"{text}  " for text in data.sources))
    unpadded = replace(known, lengths=replace(known.lengths, sources=tuple(len(text.strip()) for text in data.sources)))
    assert align(unpadded, padded).sentences()[0].endswith("verified by lengths of sources and outputs (20 of 20)")


def test_lengths_never_reorder():
    data = plain(20)
    known = replace(data, sources=(), outputs={})
    with collect_warnings(), pytest.raises(tk.InputError, match="source 1 has 29 characters where the set's has 9 "):
        align(known, in_order(data, np.arange(20)[::-1]))


# Real texts


def comet_like(data, change=lambda rows: rows, names=lambda systems: systems):
    """What COMET writes for the texts of a set; the score of a segment tells the cell."""
    systems = [name for name in data.systems if name in data.outputs]
    found = {}
    for written, name in zip(names(systems), systems, strict=True):
        row = 1e-6 * (np.arange(len(data.segments)) + 10_000 * data.systems.index(name))
        whole = zip(data.sources, data.outputs[name], row.tolist(), strict=True)
        found[written] = change([{"src": src, "mt": mt, "COMET": score} for src, mt, score in whole])
    cells = np.arange(len(data.segments)) + 10_000 * np.arange(len(data.systems))[:, None]
    truth = np.where(np.isin(data.systems, systems)[:, None], 1e-6 * cells, np.nan)
    return {"mine.json": json.dumps(found, ensure_ascii=False).encode()}, truth


def swapped(systems):
    first, second, *others = systems
    return [second, first, *others]


@pytest.mark.real
@pytest.mark.parametrize(
    "pair", ["en-de", *(pytest.param(one, marks=pytest.mark.campaign) for one in ("zh-en", "he-en"))]
)
def test_files_with_the_texts_of_wmt23(real_data, pair):
    data = tk.read_mtme(real_data / "mt-metrics-eval-v2", "wmt23", pair)
    size = len(data.segments)
    file, truth = comet_like(data)
    with collect_warnings() as said:
        more = data.with_scores(file, name="mine")
        bare = replace(data, sources=(), outputs={}, references={}).with_scores(file, name="mine")
    np.testing.assert_array_equal(more.metrics["mine"], truth)
    np.testing.assert_array_equal(bare.metrics["mine"], truth)
    assert f"verified by sources and outputs ({size:,} of {size:,})" in more.notes[-1]
    assert f"verified by lengths of sources and outputs ({size:,} of {size:,})" in bare.notes[-1]
    assert not [text for kind, text in said if kind is tk.OrderWarning and " rise from the first" not in text]
    order = np.random.default_rng(3).permutation(size)
    for change in (lambda rows: [rows[place] for place in order], lambda rows: rows[1:] + rows[:1]):
        damaged, _ = comet_like(data, change)
        with collect_warnings() as said:
            found = data.with_scores(damaged, name="mine").metrics["mine"]
        assert any(kind is tk.OrderWarning and "texts gave their places" in text for kind, text in said)
        known = ~np.isnan(found)
        np.testing.assert_array_equal(found[known], truth[known])
        assert known.sum() > 0.98 * (~np.isnan(truth)).sum()
        with collect_warnings(), pytest.raises(tk.InputError, match=r"source \S+ has \d+ characters where"):
            replace(data, sources=(), outputs={}, references={}).with_scores(damaged, name="mine")
    damaged, _ = comet_like(data, names=swapped)
    for one in (data, replace(data, sources=(), outputs={}, references={})):
        with collect_warnings(), pytest.raises(tk.InputError, match=r"the outputs of .*, so names are exchanged"):
            one.with_scores(damaged, name="mine")
