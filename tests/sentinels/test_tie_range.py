"""The range and mean over all ways to break a metric's ties are those of trying all of them."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

import tiekit as tk
from tiekit.core.coefficients import OfCounts
from tiekit.ranking.diagnostics import say_grid
from tiekit.sentinels import grid_of, tie_range

COUNTED = [name for name, entry in tk.COEFFICIENTS.items() if isinstance(entry, OfCounts)]
PAGE = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")
NAN = float("nan")


def every_way(metric):
    """Every strict order that keeps the metric's own: each block of equal scores in each of its orders."""
    blocks = [np.flatnonzero(metric == level) for level in np.unique(metric[~np.isnan(metric)])]
    for orders in itertools.product(*(itertools.permutations(block) for block in blocks)):
        places = np.full(metric.size, NAN)
        for place, item in enumerate(itertools.chain(*orders)):
            places[item] = place
        yield places


@pytest.mark.sampled(7)
@pytest.mark.parametrize("name", [*COUNTED, "spearman"])
@pytest.mark.parametrize("seed", range(6))
def test_low_high_and_mean_are_those_of_all_orders(name, seed):
    rng = np.random.default_rng(seed)
    human = rng.integers(0, 4, 7).astype(float) if seed else np.arange(7.0)
    metric = rng.integers(0, 3, 7) / 2
    human[0], metric[1] = (NAN, NAN) if seed == 3 else (0.0, 1.0)
    found = tie_range(human, metric, name)
    values = [tk.correlate(human, way, name).value for way in every_way(metric)]
    assert found.low == pytest.approx(min(values), abs=1e-12)
    assert found.high == pytest.approx(max(values), abs=1e-12)
    assert found.mean == pytest.approx(np.mean(values), abs=1e-12)
    assert found.value == tk.correlate(human, metric, name).value


def test_groups_are_broken_one_by_one():
    human = np.array([[1, 2, 2], [2, 1, 2], [3, 3, 2.0]])
    metric = np.array([[1, 1, 1], [1, 2, 1], [1, 2, 1.0]])
    found = tie_range(human, metric, "tau_a", grouping="item")
    ways = [
        [tk.correlate(h, way, "tau_a").value for way in every_way(m)] for h, m in zip(human.T, metric.T, strict=True)
    ]
    means = [np.mean(values) for values in itertools.product(*ways)]
    assert (found.low, found.high) == pytest.approx((min(means), max(means)))
    assert found.mean == pytest.approx(np.mean(means))
    assert found.n_groups == 3
    pooled = tie_range(human, metric, "tau_a", grouping="global")
    assert pooled.grouping == "global"
    assert pooled.low < pooled.value < pooled.high


@pytest.mark.parametrize("name", ["tau_a", "tau_b", "tau_10", "tau_13", "tau_14"])
def test_the_mean_of_tau_over_random_orders_is_tau_a(name):
    rng = np.random.default_rng(8)
    human = rng.permutation(30) if name != "tau_a" else rng.integers(0, 9, 30)
    metric = rng.integers(0, 4, 30)
    assert tie_range(human, metric, name).mean == pytest.approx(tk.correlate(human, metric, "tau_a").value)


def test_a_constant_metric_can_be_anything():
    found = tie_range([1, 2, 3, 4], [7, 7, 7, 7], "tau_b")
    assert (found.low, found.mean, found.high) == (-1, 0, 1)
    assert found.sentence.startswith(
        "tau_b is undefined; broken at random, the metric's ties give 0.000 on average, and"
    )
    assert found.sentence.endswith("anything from -1.000 to 1.000 is possible.")
    strict = tie_range([1, 2, 3], [1, 3, 2], "tau_b")
    assert strict.sentence == "tau_b is 0.333, and no tie of the metric can change it."
    assert strict.signature.startswith("coefficient:tau_b|grouping:vector|groups:1|")
    assert float(strict) == strict.value


@pytest.mark.parametrize(
    ("coefficient", "grouping", "message"),
    [
        ("acc_eq*", None, "coefficient: must be one of counts without a star, or spearman, found 'acc_eq.'"),
        ("pearson", None, "coefficient: must be one of counts without a star, or spearman"),
        ("tau_b", "system_means", "grouping: ties of single scores cannot be broken by system_means"),
        ("spa", None, "coefficient: must be one of counts"),
    ],
)
def test_what_has_no_ways_is_refused(coefficient, grouping, message):
    with pytest.raises(tk.InputError, match=f"^{message}"):
        tie_range([[1, 2], [2, 1], [3, 3]], [[1, 1], [1, 2], [3, 1]], coefficient, grouping=grouping)


def to_bfloat16(scores):
    """The nearest numbers of bfloat16: the upper half of float32, rounded."""
    parts = np.asarray(scores, np.float32).view(np.uint32)
    return ((parts + 0x8000) & np.uint32(0xFFFF0000)).view(np.float32)


DRAWN = np.random.default_rng(1).normal(0.7, 0.2, 400)


@pytest.mark.parametrize(
    ("scores", "name"),
    [
        (to_bfloat16(DRAWN), "bfloat16"),
        (to_bfloat16(DRAWN).astype(float).round(4), "bfloat16"),
        (to_bfloat16(DRAWN).round(5), "bfloat16"),
        (to_bfloat16(100 * DRAWN), "bfloat16"),
        (DRAWN.astype(np.float16), "float16"),
        (DRAWN.astype(np.float16).astype(float).round(6), "float16"),
        (DRAWN, ""),
        (DRAWN.astype(np.float32), ""),
        (DRAWN.round(7), "7 decimals"),
        (DRAWN.round(4), "4 decimals"),
        (DRAWN.round(3).astype(np.float32), "3 decimals"),
        (DRAWN.round(1), "1 decimal"),
        (np.round(DRAWN * 40) / 40, "multiples of 0.025"),
        (np.arange(-25, 1), "whole numbers"),
        (np.arange(0, 101, 5), "multiples of 5"),
        ([0, 0.5, 1], "multiples of 0.5"),
        ([1 / 3, 2 / 3, 0], ""),
        ([2, NAN, 2], "one score"),
        ([0, 0], "one score"),
        ([NAN], ""),
        ([], ""),
        ([1e300, 1.0], "whole numbers"),
        ([1e-300, 1e-5], ""),
        ([-1e15, 1e15 + 7, 3.0], "whole numbers"),
    ],
)
def test_a_grid_is_found(scores, name):
    found = grid_of(scores)
    assert found.name == name
    scored = np.asarray(scores, float)
    assert found.n_scores == (~np.isnan(scored)).sum()
    assert found.n_distinct == np.unique(scored[~np.isnan(scored)]).size


@pytest.mark.parametrize("seed", range(20))
def test_decimals_are_not_taken_for_a_narrow_type(seed):
    rng = np.random.default_rng(seed)
    decimals = int(rng.integers(0, 7))
    scores = rng.normal(0, 10.0 ** rng.integers(-1, 3), int(rng.integers(3, 60))).round(decimals)
    assert grid_of(scores).name not in ("bfloat16", "float16")


def test_fairness_notes_name_a_coarse_grid_and_whose_ties_it_makes():
    rng = np.random.default_rng(4)
    labels = np.array([[0, 0], [0, 1], [1, 2], [2, 3]])
    scores = np.array([[0.5, 0.5], [0.5, 0.75], [0.5, 0.75], [0.25, 0.25]])
    said = "All scores of m lie on one grid: multiples of 0.25 (3 different ones of 8)"
    assert say_grid("m", scores, None) == f"{said}."
    assert say_grid("m", scores, labels) == f"{said}; 75.0% of its ties are of different texts."
    assert say_grid("m", np.array([[1.0, 2], [1, 3], [2, 4], [3, 5]]), labels) == ""  # all ties are of the same text
    assert say_grid("m", rng.random((4, 2)), None) == ""
    assert say_grid("m", np.ones((4, 2)), None) == ""


@pytest.mark.parametrize("pair", ["zh-en", "en-de", "he-en"])
def test_the_numbers_of_the_page_are_those_of_the_data(pair):
    data = tk.load("wmt23", pair)
    narrow = {name.rpartition("-")[0] for name, scores in data.metrics.items() if grid_of(scores).name == "bfloat16"}
    assert narrow == {"MetricX-23-c", "MetricX-23-QE-c"}
    rows = re.findall(
        rf"^\| {pair} \| (.*?) \| (.*?) \| (.*?) % \| (.*?) \| (.*?) \| (.*?) to (.*?) \|$", PAGE, re.MULTILINE
    )
    assert len(rows) >= 2
    selected = data.select()
    for name, grid, share, value, mean, low, high in rows:
        full = next(one for one in data.metrics if one.rpartition("-")[0] == name)
        found = tie_range(data, full, "tau_b")
        assert [f"{x:.3f}" for x in (found.value, found.mean, found.low, found.high)] == [value, mean, low, high]
        said = say_grid(full, selected.metrics[full], selected.identical)
        assert f"one grid: {grid} (" in said
        assert f"; {share}% of its ties are of different texts." in said
