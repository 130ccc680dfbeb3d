"""Scores of a metric that are not as those of the set, in order, direction or scale, are asked about."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.errors import collect_warnings
from tiekit.readers._odd_scores import _from_another_scale, _on_another_scale
from tiekit.readers._order import _correlate_rows, _from_mean


def asked(data, name, scores, called=None):
    """The questions about the order where one metric of a set is added to all others as a table without texts."""
    others = replace(data, metrics={one: found for one, found in data.metrics.items() if one != name})
    alone = tk.EvalSet("x", "", data.systems, data.segments, {}, {called or name: scores})
    with collect_warnings() as said:
        others.with_scores(alone)
    return [text for kind, text in said if kind in (tk.OrderWarning, tk.RoleWarning)]


def test_no_metric_of_wmt22_is_asked_about(wmt22_zh_en):
    assert not [text for name, found in wmt22_zh_en.metrics.items() for text in asked(wmt22_zh_en, name, found)]


@pytest.mark.campaign
@pytest.mark.parametrize("pair", ["zh-en", "he-en", "en-de"])
def test_no_metric_of_wmt23_is_asked_about(pair):
    data = tk.load("wmt23", pair)
    assert not [text for name, found in data.metrics.items() for text in asked(data, name, found)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["COMET-22-refA", "BLEU-refA", "MATESE-QE-src", "REUSE-src"])
def test_metrics_of_wmt22_in_another_order_are_asked_about(wmt22_zh_en, name):
    scores = wmt22_zh_en.metrics[name]
    shuffled = scores[:, np.random.default_rng(2).permutation(scores.shape[1])]
    [text] = asked(wmt22_zh_en, name, shuffled)
    assert "hardly anything to do with the set's scores" in text
    [text] = asked(wmt22_zh_en, name, np.random.default_rng(2).normal(size=scores.shape))
    assert "hardly anything to do with the set's scores" in text
    with pytest.warns(tk.OrderWarning, match="mine: has hardly anything to do with the set's scores"):
        wmt22_zh_en.with_metric("mine", shuffled)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["COMET-refA", "BLEU-refA", "eBLEU-refA"])
def test_ranks_within_a_segment_are_asked_about_once_they_are_in_another_order(name):
    data = tk.load("wmt23", "zh-en")
    ranks = pd.DataFrame(data.metrics[name]).rank().to_numpy()
    assert not asked(data, name, ranks, "judge")
    assert not asked(data, name, np.ones_like(ranks), "judge"), "a constant is no rank"
    moved = ranks[:, np.random.default_rng(1).permutation(ranks.shape[1])]
    [text] = asked(data, name, moved, "judge")
    assert "hardly anything to do with the set's scores" in text


def test_a_weak_metric_that_falls_where_the_others_rise_is_asked_about():
    data = tk.load("wmt23", "zh-en")
    others = replace(data, metrics={name: found for name, found in data.metrics.items() if name != "chrF-refA"})
    with pytest.warns(tk.DirectionWarning, match="mine: falls where the mean of the set's metrics rises"):
        others.with_metric("mine", -data.metrics["chrF-refA"])


@pytest.mark.parametrize(("testset", "pair"), [("wmt22", "zh-en"), ("wmt23", "en-de")])
def test_direction_is_asked_about_before_order(testset, pair):
    data = tk.load(testset, pair)
    for name in ("BLEU-refA", "COMET-22-refA" if testset == "wmt22" else "COMET-refA"):
        with collect_warnings() as said:
            data.with_metric("mine", -data.metrics[name])
        assert [kind for kind, _ in said] == [tk.DirectionWarning]


def test_a_matrix_without_names_is_said_to_be_of_all_its_systems(wmt22_zh_en):
    with collect_warnings() as said:
        wmt22_zh_en.with_scores(wmt22_zh_en.metrics["BLEU-refA"][:18], name="mine")
    taken = [name for name in wmt22_zh_en.systems if name not in ("refA", "refB")]
    assert f"systems without refA, refB in their order, 1,875 segments each: {', '.join(taken)}" in said[0][1]


def test_probes_constants_and_small_sets_are_not_asked_about(wmt22_zh_en):
    noise = np.random.default_rng(2).normal(size=(20, 1875))
    for called in ("Random-src", "SENTINEL-SRC", "my-baseline"):
        assert not asked(wmt22_zh_en, "BLEU-refA", noise, called)
    assert not asked(wmt22_zh_en, "BLEU-refA", np.ones((20, 1875)))
    few = wmt22_zh_en.select(exclude=(), segments=wmt22_zh_en.segments[:99])
    assert not asked(few, "BLEU-refA", noise[:, :99])


def test_two_systems_that_are_exchanged_are_named(wmt22_zh_en):
    scores, order = wmt22_zh_en.metrics["COMET-22-refA"], np.arange(20)
    order[[2, 11]] = 11, 2
    [text] = asked(wmt22_zh_en, "COMET-22-refA", scores[order])
    names = wmt22_zh_en.systems[2], wmt22_zh_en.systems[11]
    assert f"2 of 19 systems have scores like those of another system by the other metrics: {names[0]} like" in text
    assert f"{names[1]} like {names[0]}" in text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda row: np.roll(row, 1), "moved by one segment 0.8"),
        (lambda row: row[::-1], "last segment first 0.8"),
        (lambda row: np.r_[row[:600], row[601:], np.nan], "moved by one segment 0.8"),
        (
            lambda row: np.random.default_rng(2).permutation(row),
            "correlate less with the mean of the set's metrics",
        ),
    ],
    ids=["each is the next one's", "reversed", "a lost line", "shuffled"],
)
def test_one_system_in_another_order_is_named(wmt22_zh_en, change, words):
    scores = wmt22_zh_en.metrics["COMET-22-refA"].copy()
    scores[5] = change(scores[5])
    [text] = asked(wmt22_zh_en, "COMET-22-refA", scores)
    assert f"the scores of {wmt22_zh_en.systems[5]} (" in text
    assert words in text


def test_correlations_of_rows_are_numpys():
    rng = np.random.default_rng(4)
    first, second = rng.normal(size=(5, 40)), rng.normal(size=(5, 40))
    np.testing.assert_allclose(
        _correlate_rows(first, second), np.corrcoef(first, second)[:5, 5:], rtol=1e-12, atol=1e-14
    )
    first[2] = 3
    assert (_correlate_rows(first, second)[2] == -1).all()
    np.testing.assert_allclose(_from_mean(second).mean(axis=0), 0, atol=1e-14)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        *((-999, "4 of {:,} scores are -999, of {}, the others {:g} to {:g}; write nan"), (9999, "write nan if it")),
        *((100, "{:,} scores are 100, of {}, the others {:g} to {:g}; divide them by 100"), (None, "; divide them by")),
        *((-99, "write nan if it"), (-25, "write nan if it"), (1.5, "")),
    ],
)
def test_scores_far_from_all_others_are_asked_about(wmt22_zh_en, value, words):
    scores = wmt22_zh_en.metrics["BLEURT-20-refA"].copy()
    others = np.isfinite(scores).sum(), wmt22_zh_en.systems[3], np.nanmin(scores), np.nanmax(scores)
    scores[3, 5:9] = value
    scores[3] = 100 * wmt22_zh_en.metrics["BLEURT-20-refA"][3] if value is None else scores[3]
    with collect_warnings() as said:
        tk.read(dict(zip(wmt22_zh_en.systems, scores.tolist(), strict=True)))
    for texts in (asked(wmt22_zh_en, "BLEURT-20-refA", scores), [text for _, text in said]):
        found = [text for text in texts if "the others" in text]
        assert len(found) == bool(words)
        assert words.format(*others) in " ".join(found)


@pytest.mark.parametrize("times", [0.01, 100])
@pytest.mark.parametrize("which", [[3], [0, 2, 4]])
@pytest.mark.parametrize("scale", [1, 100, -100])
def test_systems_on_another_scale_are_asked_about(times, which, scale):
    scores = np.random.default_rng(3).beta(5, 2, size=(8, 60)) * scale
    systems, segments = tuple("ABCDEFGH"), tuple(map(str, range(1, 61)))
    data = tk.EvalSet("toy", "", systems, segments, {}, {"m": scores**2})
    with collect_warnings() as said:
        data.with_scores(dict(zip(systems, scores.tolist(), strict=True)), name="mine")
        data.with_human(dict(zip(systems, scores.tolist(), strict=True)), name="people")
    assert said == []
    scores[which] *= times
    for add in (data.with_scores, data.with_human):
        with pytest.warns(tk.RoleWarning, match=rf"the others .*; ({len(which)} of 8 systems seem|divide them by 100)"):
            add(dict(zip(systems, scores.tolist(), strict=True)), name="mine")


@pytest.mark.parametrize("times", [0.01, 100])
@pytest.mark.parametrize("part", [slice(30), slice(40, 60), slice(12)])
@pytest.mark.parametrize("scale", [1, 100, -100])
def test_segments_on_another_scale_are_asked_about(times, part, scale):
    scores = np.random.default_rng(3).beta(5, 2, size=(8, 60)) * scale
    scores[np.abs(scores) < abs(scale) / 2] = 0
    systems, segments = tuple("ABCDEFGH"), tuple(map(str, range(1, 61)))
    data = tk.EvalSet("toy", "", systems, segments, {}, {"m": scores})
    scores = scores.copy()
    scores[:, part] *= times
    which = f"the {'last' if part.start else 'first'} {len(range(60)[part])} segments seem to be on a scale of 100"
    for add in (data.with_scores, data.with_human):
        with pytest.warns(tk.RoleWarning, match=rf"the others .*; {which} where the others are on one of 1"):
            add(dict(zip(systems, scores.tolist(), strict=True)), name="mine")


def test_scores_that_are_those_of_the_set_are_noted():
    scores = np.random.default_rng(3).normal(size=(2, 9))
    data = tk.EvalSet("toy", "", ("A", "B"), tuple(map(str, range(1, 10))), {"h": scores}, {"m": scores**2})
    assert data.with_metric("mine", scores).notes[-2] == "mine: equals h in all cells"
    assert not any("equals" in note for note in data.with_metric("mine", scores + 1).notes)


@pytest.mark.campaign
def test_no_scores_that_come_along_are_on_two_scales():
    sets = [tk.load("wmt22", "zh-en"), *(tk.load("wmt23", pair) for pair in ("zh-en", "he-en", "en-de"))]
    assert not any(
        _on_another_scale(matrix).size or _from_another_scale(matrix).size
        for data in sets
        for matrix in (*data.metrics.values(), *data.human.values())
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda scores: scores[:, ::-1], "if the first is that of the last segment, and so on"),
        (lambda scores: scores[:, sorted(range(160), key=str)], "if they are sorted as texts are, 1, 10, 100"),
        (lambda scores: scores[:, sorted(range(160), key=lambda at: str(at + 1))], "if they are sorted as texts are"),
        (lambda scores: scores[[0, 1, 2, 3, 4, 2]], "C and F have the same score in each of 160 segments, which no"),
        (lambda scores: np.sort(scores, axis=1), "the scores of A rise from the first segment to the last; were they"),
        (
            lambda scores: -np.sort(-scores, axis=1),
            "the scores of A fall from the first segment to the last; were they",
        ),
    ],
    ids=["reversed", "as texts from 0", "as texts from 1", "copied", "sorted", "sorted from the highest"],
)
@pytest.mark.parametrize("label", ["{}", "item_{:04d}"])
def test_orders_that_happen_are_asked_about_in_a_small_set(change, words, label):
    rng = np.random.default_rng(7)
    human, noise = rng.normal(size=(6, 160)), rng.normal(size=(3, 6, 160))
    metrics = {"m": human + noise[0], "n": human + noise[1]}
    data = tk.EvalSet(
        "toy", "", tuple("ABCDEF"), tuple(map(label.format, range(1, 161))), {"h": human}, metrics, gold="h"
    )
    scores = human + noise[2]
    assert asked(data, "mine", scores) == []
    [text] = asked(data, "mine", change(scores))
    assert words in text


def test_systems_whose_scores_are_the_same_everywhere_are_no_copies():
    same = np.random.default_rng(7).normal(size=(4, 160))[[0, 1, 2, 1]]
    data = tk.EvalSet("toy", "", tuple("ABCD"), tuple(map(str, range(1, 161))), {}, {"m": same})
    assert asked(data, "mine", np.exp(same)) == []
