"""Tests within a task and of the average: resamples by hand, values under swaps, and how often they are wrong."""

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.official import official_ranking
from tiekit.official.preset import Task
from tiekit.official.task_tests import (
    AverageTest,
    Block,
    SoftDraws,
    TaskScores,
    TaskTest,
    cluster,
    compare_in_task,
    sharing,
    task_seeds,
)
from tiekit.significance.schemes import Draws

PAIR = [("a", "b")]


def drawn(difference, *samples):
    return TaskTest(np.array([1.0]), np.array([difference]), [np.array(samples)])


def test_the_average_sums_weighted_resamples_and_repeats_short_lists():
    test = AverageTest(1, 8)
    test.add(drawn(0.4, 0.8, -0.4, 0.0, 0.4), 0.5)
    test.add(drawn(0.2, 0.4, -0.4), 0.25)
    # observed .2 + .05; resamples .4 + .1, -.2 - .1, 0 + .1, .2 - .1: one of four is at least .25
    assert test.differences.tolist() == pytest.approx([0.25])
    assert test.samples[0, :4].tolist() == pytest.approx([0.5, -0.3, 0.1, 0.1])
    assert test.pvalues().tolist() == [2 / 5]


def test_the_average_asks_whether_the_better_metric_is_better():
    test = AverageTest(1, 4)
    test.add(drawn(-0.4, -0.5, 0.5, 0.1, 0.1), 1.0)  # the second is better; one of four favors it as much
    assert test.pvalues().tolist() == [2 / 5]


def test_a_task_without_a_value_leaves_the_average_untested():
    test = AverageTest(1, 4)
    test.add(drawn(0.4, 0.0, 0.0, 0.0, 0.0), 0.5)
    test.add(drawn(np.nan, np.nan), 0.5)
    assert np.isnan(test.pvalues()).all()


def test_clusters_follow_values_then_names():
    values = pd.Series({"a": 0.1, "b": 0.9, "c": 0.9, "d": np.nan})
    pvalues = np.array([0.01, 0.01, np.nan, 0.9, np.nan, np.nan])  # ab ac ad bc bd cd
    found = cluster(values, pvalues, 0.05)
    assert found[["a", "b", "c"]].tolist() == [2, 1, 1]
    assert found.isna()["d"]
    assert cluster(values, pvalues, 0.001)["a"] == 1
    assert cluster(values, None, 0.05)[["a", "b", "c"]].tolist() == [3, 1, 1]
    assert cluster(values, None, 0.05, lower_is_better=True)[["a", "b", "c"]].tolist() == [1, 2, 2]


def scores_of(measure, human, metrics, swap="cells", pairs=("x",)):
    blocks = [Block(np.array(human, float), {name: np.array(m, float) for name, m in metrics.items()}) for _ in pairs]
    return TaskScores(Task("t", pairs, measure, swap=swap), tuple(blocks))


@pytest.mark.parametrize(
    ("measure", "swap"),
    [
        ("system_means/pearson", "cells"),
        ("system_means/pairwise_accuracy", "cells"),
        ("system_means/spa", "cells"),
        ("global/pearson", "cells"),
        ("item/acc_eq*", "pairs"),
        ("item/acc_eq*", "segments"),
    ],
)
def test_a_clear_difference_is_found_and_chance_is_not(measure, swap):
    rng = np.random.default_rng(1)
    shape = (1, 14) if measure.startswith("system_means/p") else (8, 60)
    human = rng.normal(size=shape) + 2 * np.arange(np.prod(shape)).reshape(shape[::-1]).T / np.prod(shape)
    metrics = {
        "good": human + rng.normal(size=shape) / 9,
        "also good": human + rng.normal(size=shape) / 9,
        "noise": rng.normal(size=shape),
        "constant": np.ones(shape),
    }
    scores = scores_of(measure, human, metrics, swap)
    every_two = [("good", "noise"), ("noise", "good"), ("good", "constant"), ("good", "gone")]
    found = compare_in_task(scores, every_two, 299, (5,), None, 1, None)
    assert found.pvalues[0] == found.pvalues[1] < 0.05
    assert found.differences[0] == pytest.approx(-found.differences[1])
    assert found.differences[0] > 0
    if swap != "pairs":
        np.testing.assert_allclose(found.samples[0], -found.samples[1], atol=1e-9)
    assert found.pvalues[2] == 1 or np.isnan(found.pvalues[2])
    assert np.isnan(found.pvalues[3])
    assert found.samples[0].size == 299
    value = scores.value("good") - scores.value("noise")
    assert found.differences[0] == pytest.approx(value, abs=0.03 if "spa" in measure else 1e-9)
    alike = compare_in_task(scores, [("good", "also good")], 299, (5,), None, 1, None)
    assert alike.pvalues[0] > 0.02
    early = compare_in_task(scores, [("good", "noise")], 299, (5,), (0.02, 0.5), 1, None)
    assert early.samples[0].size in (64, 128, 192, 256, 299)
    np.testing.assert_array_equal(early.samples[0], found.samples[0][: early.samples[0].size])


def test_pooled_accuracy_is_drawn_by_language_pair_with_its_share_of_the_pairs():
    small, large = np.arange(3.0)[None], np.arange(7.0)[None]
    blocks = (Block(small, {"a": small, "b": -small}), Block(large, {"a": large, "b": -large}))
    scores = TaskScores(Task("t", ("x", "y"), "system_means/pairwise_accuracy"), blocks)
    assert scores.shares.tolist() == [3 / 24, 21 / 24]
    assert (scores.value("a"), scores.value("b")) == (1, 0)
    found = compare_in_task(scores, PAIR, 199, (0, 1), None, 1, None)
    assert found.differences.tolist() == [1]
    assert found.pvalues[0] < 0.05
    possible = (found.samples[0] * 24).round(9)
    assert (possible == possible.round()).all()  # whole numbers of pairs


TASKS = [
    Task("pool", ("x", "y"), "system_means/pairwise_accuracy"),
    Task("means", ("x",), "system_means/pearson"),
    Task("r", ("x",), "global/pearson"),
    Task("tau", ("x",), "item/tau_b"),
    Task("outcomes", ("x",), "item/acc_eq*", swap="pairs"),
    Task("other pair", ("y",), "global/pearson"),
    Task("news", ("x",), "global/pearson", domain="news"),
    Task("soft", ("x",), "system_means/spa"),
]


def test_tasks_that_swap_the_same_cells_share_a_seed_where_draws_are_shared():
    apart = task_seeds(TASKS, 0, "independent")
    assert len({one for task in apart for one in task}) == 9
    assert not any(sharing(apart))
    pool, means, r, tau, outcomes, other, news, soft = shared = task_seeds(TASKS, 0, "shared")
    assert pool == apart[0]
    assert means == pool[:1]
    assert r == tau == soft == apart[2]
    assert (outcomes, other, news) == (apart[4], apart[5], apart[6])
    assert sharing(shared) == [True, True, True, True, False, False, False, True]


def test_tasks_have_seeds_of_their_own():
    seeds = task_seeds(TASKS[2:3] * 300, 0, "independent")
    assert len({*seeds, *task_seeds(TASKS[2:3], 1, "independent")}) == 301


def test_tasks_alike_that_share_draws_are_worth_one_task():
    """The average of a task and its copy is the task, and so are its swaps: the same p-value, not a smaller one."""
    rng = np.random.default_rng(8)
    human = rng.normal(size=(5, 24))
    metrics = {"a": human + rng.normal(size=human.shape), "b": human + 1.2 * rng.normal(size=human.shape)}
    found = {}
    for draws in ("shared", "independent"):
        seeds = task_seeds(TASKS[2:4], 3, draws)
        test = AverageTest(1, 999)
        for seed in seeds:
            test.add(compare_in_task(scores_of("global/pearson", human, metrics), PAIR, 999, seed, None, 1, None), 0.5)
        found[draws] = test.pvalues()[0]
    one = compare_in_task(scores_of("global/pearson", human, metrics), PAIR, 999, seeds[0], None, 1, None)
    assert found["shared"] == one.pvalues[0]
    assert 0.01 < found["independent"] < found["shared"] - 0.02


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_soft_accuracy_by_the_normal_distribution_is_close_to_that_of_swaps(share):
    rng = np.random.default_rng(4)
    human = rng.normal(size=(7, 200)) + np.arange(7)[:, None] / 30
    a, b = human + rng.normal(size=human.shape), rng.normal(size=human.shape).round()
    human[rng.random(human.shape) < share] = np.nan
    values = SoftDraws.of(human, a, b).original_values()[0, :, 0]
    for value, metric in zip(values, (a, b), strict=True):
        assert value == pytest.approx(tk.measures.soft_pairwise_accuracy(human, metric, n_resamples=4000), abs=0.01)


def test_swapping_every_score_exchanges_the_metrics():
    rng = np.random.default_rng(4)
    human, a, b = rng.normal(size=(3, 4, 30))
    b[0, 0] = np.nan
    soft = SoftDraws.of(human, a, b)
    rows, columns = np.zeros((2, 4), np.int64), np.array([[0] * 30, [1] * 30])
    stay, swapped = soft.values(Draws(True, rows, columns))[..., 0]
    assert stay.tolist() == soft.original_values()[0, :, 0].tolist() == swapped[::-1].tolist()


def test_a_metric_that_gives_all_systems_one_score_is_half_sure_of_every_pair():
    human, flat = np.arange(12.0).reshape(3, 4), np.tile(np.arange(4.0), (3, 1))
    values = SoftDraws.of(human, flat, human).original_values()[0, :, 0]
    # a system leads the next by 4 on four segments: 16 is 2 standard deviations of 4 · 2; so it is with 8
    assert values.tolist() == pytest.approx([1 - (0.97725 - 0.5), 1], abs=1e-5)
    assert np.isnan(SoftDraws.of(human[:1], flat[:1], flat[:1]).original_values()).all()


PAIRS = ["a-b", "c-d", "e-f"]

TWICE = """
testset = "toy"
[[tasks]]
language_pair = "a-b"
measure = "global/pearson"
name = "r"
[[tasks]]
language_pair = "a-b"
measure = "global/pearson"
name = "r again"
"""


def test_a_task_that_stands_twice_is_tested_as_it_is_once_where_draws_are_shared(tmp_path):
    file, found = tmp_path / "own.toml", {}
    for key, text, tasks in (
        ("once", TWICE, "r"),
        ("shared", TWICE, None),
        ("independent", 'draws = "independent"\n' + TWICE, None),
    ):
        file.write_text(text)
        found[key] = official_ranking(files(1), file, tasks=tasks, n_resamples=999, stop_early=None)
        assert f"|draws:{'independent' if key == 'independent' else 'shared'}|" in found[key].signature
    pd.testing.assert_frame_equal(found["shared"].pvalues, found["once"].pvalues)
    p, smaller = (found[key].pvalues.iloc[0, 1] for key in ("once", "independent"))
    assert 0.04 < smaller < p - 0.02
    # tasks that share draws are not stopped early: one with fewer resamples would swap other cells than its twin
    file.write_text(TWICE)
    early = official_ranking(files(1), file, n_resamples=999)
    pd.testing.assert_frame_equal(early.pvalues, found["shared"].pvalues)
    assert [said.split(",")[0] for said in early.methods] == ["in the test of the average"]
    assert "independently, as at WMT" in found["independent"].methods[-1]


def files(seed):
    """Three language pairs, 8 systems and 30 segments each: two metrics that are the human scores with equal noise."""
    rng, found = np.random.default_rng(seed), {}
    for pair in PAIRS:
        human = rng.normal(size=(8, 30)) + rng.normal(size=(8, 1)) / 2 + rng.normal(size=(1, 30))
        scores = {"human-scores/%s.mqm": human}
        scores |= {f"metric-scores/%s/{name}-src": human + 1.5 * rng.normal(size=human.shape) for name in "XY"}
        for place, matrix in scores.items():
            lines = [f"S{i} {score!r}\n" for i, row in enumerate(matrix.tolist()) for score in row]
            found[f"toy/{place % pair}.seg.score"] = "".join(lines).encode()
    return found


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("measures", "draws", "least", "most"),
    [
        (["global/pearson"], "independent", 0.07, 0.14),
        (["global/pearson", "item/tau_b"], "independent", 0.15, 0.26),
        (["global/pearson", "item/tau_b"], "shared", 0.07, 0.14),
    ],
)
def test_differences_of_the_average_between_metrics_without_a_difference(tmp_path, measures, draws, least, most):
    """One is found better in 10 % of sets, as either may be; with two independent tasks per language pair in 20 %."""
    file = tmp_path / "own.toml"
    file.write_text(f'testset = "toy"\ndraws = "{draws}"\n[[tasks]]\nlanguage_pair = {PAIRS}\nmeasure = {measures}\n')
    found = [
        official_ranking(files(seed), file, n_resamples=199, rng=seed, n_jobs=1, progress=False).pvalues.iloc[0, 1]
        for seed in range(300)
    ]
    assert least < np.mean(np.array(found) <= 0.05) < most
