"""Is the order of scores asked about where it is wrong, and only there? On real metrics, and against NumPy."""

from dataclasses import replace

import numpy as np
import pytest

import tiekit as tk
from tiekit.errors import collect_warnings
from tiekit.readers.add_metric import _correlate_rows, _from_mean


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
@pytest.mark.real
@pytest.mark.parametrize("pair", ["zh-en", "he-en", "en-de"])
def test_no_metric_of_wmt23_is_asked_about(real_data, pair):
    data = tk.read_mtme(real_data / "mt-metrics-eval-v2", "wmt23", pair)
    assert not [text for name, found in data.metrics.items() for text in asked(data, name, found)]


@pytest.mark.parametrize("name", ["COMET-22-refA", "BLEU-refA", "MATESE-QE-src", "REUSE-src"])
def test_metrics_of_wmt22_in_another_order_are_asked_about(wmt22_zh_en, name):
    scores = wmt22_zh_en.metrics[name]
    shuffled = scores[:, np.random.default_rng(2).permutation(scores.shape[1])]
    [text] = asked(wmt22_zh_en, name, shuffled)
    assert "tau_b by system at most 0.0" in text
    [text] = asked(wmt22_zh_en, name, np.random.default_rng(2).normal(size=scores.shape))
    assert "is unrelated to the human score and to every metric of the set" in text


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


def test_correlations_of_rows_are_numpys():
    rng = np.random.default_rng(4)
    first, second = rng.normal(size=(5, 40)), rng.normal(size=(5, 40))
    np.testing.assert_allclose(
        _correlate_rows(first, second), np.corrcoef(first, second)[:5, 5:], rtol=1e-12, atol=1e-14
    )
    first[2] = 3
    assert (_correlate_rows(first, second)[2] == -1).all()
    np.testing.assert_allclose(_from_mean(second).mean(axis=0), 0, atol=1e-14)


@pytest.mark.parametrize(("value", "is_asked"), [(-999, True), (9999, True), (-99, False), (1000, False)])
def test_scores_of_nines_are_asked_about(wmt22_zh_en, value, is_asked):
    scores = wmt22_zh_en.metrics["COMET-22-refA"].copy()
    scores[3, 5:9] = value
    found = [text for text in asked(wmt22_zh_en, "COMET-22-refA", scores) if "write nan if it means missing" in text]
    assert len(found) == is_asked
    assert not is_asked or f"4 of {np.isfinite(scores).sum():,} scores are {value}" in found[0]
