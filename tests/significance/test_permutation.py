"""Tests of two metrics: beside nlpstats, mt-metrics-eval's cases, brute force over all swaps, and under the null."""

import itertools
from contextlib import contextmanager

import joblib
import numpy as np
import pytest

import tiekit as tk
from tests.core.test_identical import counts_of, groups_of, value_of
from tests.drawn import by_itself, z_scores
from tiekit.core.measure import get_measure
from tiekit.errors import InputError
from tiekit.significance._resampled_measures import prepare_measures
from tiekit.significance.permutation import compare_pairs, differing
from tiekit.significance.schemes import Plan, plan_swaps

GOLD, FIRST, SECOND = [1, 2, 3, 4, 5, 5, 7, 8], [1, 2, 3, 3, 7, 3, 5, 5], [2, 1, 2, 6, 8, 8, 7, 6]
LEVELS = {"system_means": "system", "item": "input", "global": "global"}
NAMES = {"pearson": "pearson", "spearman": "spearman", "tau_b": "kendall"}


def matrix(vector, rows=4):
    return np.reshape(np.asarray(vector, float), (rows, -1))


def null_set(seed, shape=(5, 12)):
    """Two metrics that see the same and differ by chance alone: their scores may be swapped in any cell."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=shape)
    human = np.clip(np.round(truth + 0.5 * rng.normal(size=shape)), -2, 1)
    return human, *(np.round(truth + rng.normal(size=shape), 1) for _ in range(2))


def test_all_swaps_of_cells_as_mt_metrics_eval_draws_them():
    found = tk.significance.permutation_test(GOLD, SECOND, FIRST, "pearson", alternative="greater")
    assert found.exact
    assert found.difference == pytest.approx(-0.00248384866, abs=1e-11)
    assert found.pvalue == 0.51171875
    for grouping, difference, pvalue in (("system", -1.33333, 0.933), ("item", -0.14853, 0.864)):
        asked = {"grouping": grouping, "swap": "cells", "alternative": "greater"}
        found = tk.significance.permutation_test(matrix(GOLD), matrix(SECOND), matrix(FIRST), "pearson", **asked)
        assert found.difference == pytest.approx(difference, abs=1e-5)
        assert found.pvalue == pytest.approx(pvalue, abs=0.02)  # theirs is drawn


@pytest.mark.sampled(3)
@pytest.mark.parametrize("coefficient", ["acc_eq", "tau_c", "spearman", "pearson"])
@pytest.mark.parametrize("swap", ["cells", "segments", "systems", "both"])
def test_exact_pvalues_are_those_of_a_plain_loop_over_all_swaps(coefficient, swap):
    human, a, b = null_set(7, (3, 2))
    za, zb = z_scores(human, a), z_scores(human, b)
    bits = [np.array(list(itertools.product((0, 1), repeat=n))) for n in (3, 2, 6)]
    rows, columns, cells = (
        drawn.reshape(-1, *shape) for drawn, shape in zip(bits, [(3, 1), (1, 2), (3, 2)], strict=True)
    )
    both = (rows[:, None] ^ columns[None]).reshape(-1, 3, 2)
    masks = {"systems": rows, "segments": columns, "cells": cells, "both": both}[swap]
    for grouping in tk.GROUPINGS:
        sides = [[np.where(mask == s, za, zb) for s in (0, 1)] for mask in masks]
        values = [[by_itself(human, m, coefficient, grouping) for m in pair] for pair in sides]
        observed = by_itself(human, za, coefficient, grouping) - by_itself(human, zb, coefficient, grouping)
        drawn = np.subtract(*np.array(values).T)
        found = tk.significance.permutation_test(human, a, b, coefficient, grouping=grouping, swap=swap)
        expected = np.mean(np.isnan(drawn) | (np.abs(drawn) >= abs(observed) - 1e-9))
        assert found.exact
        assert found.pvalue == pytest.approx(expected if observed == observed else np.nan, nan_ok=True)


def test_random_swaps_come_close_to_all_of_them():
    human, a, b = null_set(2, (4, 12))
    for asked in ({}, {"swap": "both", "grouping": "global", "coefficient": "tau_b"}):
        exact = tk.significance.permutation_test(human, a, b, n_resamples=2**15, **asked)
        drawn = tk.significance.permutation_test(human, a, b, n_resamples=1999, **asked)
        assert (exact.exact, drawn.exact) == (True, False)
        assert drawn.pvalue == pytest.approx(exact.pvalue, abs=4 * np.sqrt(0.25 / 2000))
        count = np.sum(np.abs(drawn.samples) >= abs(drawn.difference) - 1e-12)
        assert drawn.pvalue == (count + 1) / 2000


def test_pvalues_that_nlpstats_prints():
    x, y, z = np.random.RandomState(1234).random_sample((3, 9, 5))
    for grouping, name, swap, alternative, expected in (
        ("global", "pearson", "both", "two-sided", 0.5361536),
        ("global", "pearson", "both", "greater", 0.741),
        ("global", "pearson", "both", "less", 0.299),
        ("system_means", "spearman", "segments", "two-sided", 0.698),
        ("item", "tau_b", "systems", "two-sided", 0.519),
    ):
        asked = {"grouping": grouping, "swap": swap, "alternative": alternative, "n_resamples": 4999}
        found = tk.significance.permutation_test(z, x, y, name, **asked)
        assert found.pvalue == pytest.approx(expected, abs=4 * np.sqrt(0.25 / 1000 + 0.25 / 5000))


@pytest.mark.parametrize("swap", ["systems", "segments", "both"])
def test_resampled_differences_are_distributed_as_those_of_nlpstats(swap):
    from nlpstats.correlations import permutation_test
    from scipy.stats import ks_2samp

    human, a, b = null_set(5, (5, 6))
    np.random.seed(3)  # noqa: NPY002 - the generator that it draws from
    inputs = {"segments": "inputs"}.get(swap, swap)
    measures = {"systems": ("item", "tau_b"), "segments": ("global", "spearman"), "both": ("system_means", "pearson")}
    grouping, name = measures[swap]
    theirs = permutation_test(a, b, human, LEVELS[grouping], NAMES[name], inputs, n_resamples=100)
    found = tk.significance.permutation_test(human, a, b, name, grouping=grouping, swap=swap, n_resamples=1999)
    assert found.pvalue == pytest.approx(theirs.pvalue, abs=4 * np.sqrt(0.25 / 100))
    assert ks_2samp(theirs.samples, found.samples, method="asymp").pvalue > 1e-3


def test_pair_outcomes_follow_the_law_of_all_their_swaps():
    gold, first, second = [1, 3, 3, 3, 1, 2, 1, 2], [2, 4, 6, 6, 2, 6, 3, 7], [1, 5, 4, 4, 4, 3, 2, 1]
    asked = {"grouping": "item", "swap": "pairs", "alternative": "greater", "n_resamples": 4999}
    found = tk.significance.permutation_test(matrix(gold), matrix(second), matrix(first), "acc_eq*", **asked)
    assert found.epsilons == (1.0, 2.0)
    assert found.values == (pytest.approx(7 / 12), pytest.approx(8 / 12))
    # The metrics differ in 7 of 12 pairs, 4 to 3: a lead of -1 or more out of 7 coins has probability 99/128.
    # mt-metrics-eval prints .635, between that and 1/2: rounding makes it lose part of the equal differences.
    assert found.pvalue == pytest.approx(99 / 128, abs=4 * np.sqrt(0.25 / 5000))
    assert "far too small" in found.note
    for name in ("tau_c", "pearson"):
        with pytest.raises(tk.InputError, match=f"swap: {name} is not computed from outcomes of pairs alone"):
            tk.significance.permutation_test(gold, first, second, name, swap="pairs")


def test_outcomes_of_pairs_of_means_need_no_documents():
    human, a, b = [[1], [2], [3]], [[1], [2], [3]], [[3], [2], [1]]
    asked = {"coefficient": "acc_eq", "grouping": "system_means", "swap": "pairs"}
    plain = tk.significance.permutation_test(human, a, b, **asked)
    named = tk.significance.permutation_test(human, a, b, **asked, documents=["b"])
    assert (named.values, named.pvalue) == ((1.0, 0.0), plain.pvalue)


def test_no_difference_is_never_significant():
    human, a, _ = null_set(1)
    for swap, scheme in tk.significance.SWAPS.items():
        by = "system_means" if scheme.of_means else None
        asked = {"swap": swap, "grouping": by, "n_resamples": 99, "documents": list("aaabbbcccddd")}
        assert tk.significance.permutation_test(human, a, a, **asked).pvalue == 1
        assert tk.significance.permutation_test(human, a, a, alternative="greater", **asked).pvalue >= 0.5
    assert tk.significance.williams_test(human, a, a).pvalue == 1


def test_a_constant_metric_is_never_significant():
    human, a, _ = null_set(1)
    for name in ("acc_eq", "tau_a", "tau_b", "pearson", "acc_eq*", "pdp"):
        for swap in ("segments", "cells", "both"):
            found = tk.significance.permutation_test(
                human, human, np.full_like(a, 7.1), name, swap=swap, n_resamples=99
            )
            assert found.pvalue == 1
            assert found.note == "metric_b: constant, so never significant"
    assert tk.significance.williams_test(human, human, np.full_like(a, 7.1), alternative="greater").pvalue == 1


def test_an_undefined_difference_has_no_pvalue_and_undefined_resamples_count_as_large():
    human, flat = [[1, 2], [2, 3]], [[1, 2], [1, 2]]
    found = tk.significance.permutation_test(human, human, flat, "tau_b")
    assert np.isnan([found.difference, found.pvalue]).all()
    first, second = [1, 1, 2, 1], [0, 1, 0, 0]  # swapping the second and third items leaves two constants
    found = tk.significance.permutation_test([1, 2, 2, 3], first, second, "tau_b", alternative="greater")
    large = np.isnan(found.samples) | (found.samples >= found.difference - 1e-12)
    assert 0 < found.n_undefined < 16
    assert found.pvalue == large.mean()


def test_metrics_change_places_with_the_arguments_and_missing_scores_travel_with_theirs():
    human, a, b = null_set(4)
    a[0, :3], b[2, 5:], human[1, 1] = np.nan, np.nan, np.nan
    for swap in ("segments", "systems", "cells", "both"):
        for name in ("acc_eq*", "tau_b"):
            asked = {"swap": swap, "n_resamples": 199, "cells": "own"}
            forth = tk.significance.permutation_test(human, a, b, name, alternative="greater", **asked)
            back = tk.significance.permutation_test(human, b, a, name, alternative="less", **asked)
            assert (forth.pvalue, forth.difference) == (back.pvalue, -back.difference)
            np.testing.assert_allclose(forth.samples, -back.samples, atol=1e-9)


def test_thresholds_found_again_are_the_best_of_every_resample():
    human, a, b = null_set(3, (4, 3))
    found = tk.significance.permutation_test(human, a, b, epsilon="recalibrated")
    za, zb = ((m - m.mean()) / m.std() for m in (a, b))
    expected = []
    for number in range(8):
        mask = np.array([number >> j & 1 for j in range(3)]) == 1
        sides = np.where(mask, zb, za), np.where(mask, za, zb)
        expected.append(np.subtract(*(tk.calibrate(human, side).value for side in sides)))
    np.testing.assert_allclose(found.samples, expected, atol=1e-9)
    assert found.exact
    assert np.isnan(found.epsilons).all()
    fixed = tk.significance.permutation_test(human, a, b, "acc_eq*")
    assert fixed.epsilons == tuple(tk.calibrate(human, m).epsilon for m in (a, b))
    assert fixed.signature == tk.significance.permutation_test(human, a, b, epsilon="calibrated").signature


def test_stopping_early_happens_only_where_it_is_asked_for():
    human, a, b = null_set(6, (5, 40))
    full = tk.significance.permutation_test(human, a, b, n_resamples=500)
    assert (full.n_resamples, full.stopped) == (500, False)
    surely = tk.significance.permutation_test(human, human, a, n_resamples=500, stop_early=(0.02, 0.5))
    assert surely.n_resamples == 100
    assert surely.pvalue == 1 / 101
    assert surely.stopped
    assert "resamples:100 (stopped early)" in surely.signature
    for wrong in (0.02, (0.5, 0.02), (0.02,), ("a", "b"), (0.02, 1.5)):
        with pytest.raises(tk.InputError, match="stop_early: must be two p-values"):
            tk.significance.permutation_test(human, a, b, stop_early=wrong)


def test_the_same_seed_gives_the_same_bytes_whoever_works():
    human, a, b = null_set(8, (5, 30))
    asked = {"swap": "cells", "grouping": "global", "n_resamples": 300, "rng": 4}
    alone = tk.significance.permutation_test(human, a, b, "tau_b", n_jobs=1, **asked)
    assert (
        tk.significance.permutation_test(human, a, b, "tau_b", n_jobs=3, **asked).samples.tobytes()
        == alone.samples.tobytes()
    )
    assert not np.array_equal(
        tk.significance.permutation_test(human, a, b, "tau_b", **asked | {"rng": 5}).samples, alone.samples
    )
    drawn = [
        tk.significance.permutation_test(human, a, b, n_resamples=99, rng=np.random.default_rng(1)) for _ in range(2)
    ]
    assert drawn[0].samples.tobytes() == drawn[1].samples.tobytes()
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert (
            tk.significance.permutation_test(human, a, b, "tau_b", **asked).samples.tobytes() == alone.samples.tobytes()
        )


def test_work_is_cut_into_few_bundles_for_processes(monkeypatch):
    from tiekit.base import parallel

    bundles = []
    monkeypatch.setattr(parallel, "_bundle", lambda work, _, parts: bundles.append(parts) or [work(p) for p in parts])
    monkeypatch.setattr("joblib._parallel_backends.SequentialBackend.supports_sharedmem", False)
    monkeypatch.setattr("joblib.effective_n_jobs", lambda _: 2)
    with joblib.parallel_config(backend="sequential"):
        assert list(parallel.run_parts(str, (), list(range(100)), n_jobs=2)) == [str(i) for i in range(100)]
    assert [len(parts) for parts in bundles] == [25] * parallel.BUNDLES * 2


def test_progress_is_heard_and_stops_the_work():
    human, a, b = null_set(1, (5, 20))
    heard = []
    tk.significance.permutation_test(human, a, b, n_resamples=200, progress=heard.append)
    assert heard == sorted(heard)  # beats at 0 while scores are laid out
    assert sorted(set(heard)) == [0.0, 0.25, 0.5, 0.75, 1.0]

    def stop(_share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tk.significance.permutation_test(human, a, b, n_resamples=200, progress=stop)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"swap": "words"}, "swap: must be one of segments, cells"),
        ({"alternative": "better"}, "alternative: must be one of"),
        ({"epsilon": "best"}, "epsilon: must be a number, calibrated or recalibrated"),
        ({"epsilon": (1.0, 2.0, 3.0)}, "epsilon: must be one number, or one for each of 2"),
        ({"epsilon": 0.1, "coefficient": "pearson"}, "epsilon: pearson knows no ties"),
        ({"coefficient": "spearman*"}, "coefficient: spearman knows no ties"),
        ({"n_resamples": 0}, "n_resamples: must be a whole number"),
        ({"rng": -1}, "rng: must be"),
        ({"metric_b": [[1, 2]]}, "metric_b: must have the shape of human"),
        ({"epsilon": "recalibrated", "swap": "pairs"}, "epsilon: swapped outcomes of pairs leave no scores"),
    ],
)
def test_what_cannot_be_asked_for_is_named(change, message):
    human, a, b = null_set(0, (3, 2))
    with pytest.raises(tk.InputError, match=message):
        tk.significance.permutation_test(**{"human": human, "metric_a": a, "metric_b": b} | change)
    with pytest.raises(tk.InputError, match="swap: items of vectors have no systems"):
        tk.significance.permutation_test(GOLD, FIRST, SECOND, swap="both")


@pytest.mark.parametrize(
    "human", [np.empty((0, 3)), np.empty((2, 0)), np.full((2, 2), np.nan), np.ones((1, 2)), np.empty(0)]
)
def test_too_little_to_compare_is_never_significant(human):
    for name in ("acc_eq*", "pearson", "spearman", "tau_c", "pdp", "spa", "pairwise_accuracy"):
        for swap in ("segments", "cells") if human.ndim == 1 else ("segments", "cells", "systems", "both"):
            if human.ndim == 2 or name not in ("spa", "pairwise_accuracy"):
                assert (
                    tk.significance.permutation_test(human, human, -human, name, swap=swap, n_resamples=5).pvalue == 1
                )
                assert np.isnan(tk.significance.bootstrap_interval(human, human, name, n_resamples=5).value)
    assert tk.significance.williams_test(human, human, -human).pvalue == 1


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e300])
def test_the_size_of_scores_does_not_matter(size):
    human, a, b = (np.round(part) for part in null_set(3, (3, 4)))
    for grouping, name in (("global", "pearson"), ("global", "acc_eq*"), ("system_means", "tau_b")):
        asked = {"grouping": grouping, "swap": "cells", "n_resamples": 99}
        found, plain = (tk.significance.permutation_test(human, a * f, b * f, name, **asked) for f in (size, 1.0))
        np.testing.assert_allclose(found.samples, plain.samples, atol=1e-9)


@pytest.mark.campaign
@pytest.mark.parametrize("swap", ["segments", "cells", "systems", "both", "documents"])
@pytest.mark.parametrize("name", ["acc_eq", "tau_b", "pearson", "spa", "pdp", "pairwise_accuracy"])
def test_pvalues_are_uniform_where_metrics_do_not_differ(swap, name):
    from scipy.stats import kstest

    def uniform(test, share):  # a p-value whose equal differences are split at random
        size, sizes = abs(test.difference), np.abs(test.samples)
        equal = np.sum(np.abs(sizes - size) <= 1e-12)
        return (np.sum(sizes > size + 1e-12) + share * (equal + 1)) / (test.n_resamples + 1)

    shares = np.random.default_rng(0).random(600)
    of_systems = tk.measures.SYSTEM_LEVEL.get(name)
    documents = np.repeat(np.arange(10), 2)  # of two segments each
    for grouping in tk.GROUPINGS if of_systems is None else of_systems.groupings:
        asked = {"grouping": grouping, "swap": swap, "n_resamples": 299, "n_jobs": 1, "documents": documents}
        tests = [tk.significance.permutation_test(*null_set(seed, (8, 20)), name, **asked) for seed in range(600)]
        found = np.array([test.pvalue for test in tests])
        for size in (0.01, 0.05, 0.1, 0.5):
            assert np.mean(found <= size) <= size + 4 * np.sqrt(size * (1 - size) / 600)
        split = [uniform(test, share) for test, share in zip(tests, shares, strict=True) if not test.exact]
        assert not split or kstest(split, "uniform").pvalue > 1e-4


@pytest.mark.campaign
def test_pair_outcomes_reject_metrics_that_do_not_differ():
    found = [
        tk.significance.permutation_test(*null_set(seed, (15, 40)), swap="pairs", n_resamples=199).pvalue
        for seed in range(500)
    ]
    assert 0.15 < np.mean(np.array(found) <= 0.05) < 0.5


@pytest.mark.campaign
@contextmanager
def dask_cluster():
    from distributed import Client, LocalCluster

    processes = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with processes as cluster, Client(cluster), joblib.parallel_config(backend="dask"):
        yield


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "processes",
    [
        pytest.param(lambda: joblib.parallel_config(backend="loky", n_jobs=2), id="loky"),
        pytest.param(dask_cluster, id="dask", marks=pytest.mark.campaign),
    ],
)
def test_two_processes_give_the_same_bytes(processes):
    human, a, b = null_set(8, (5, 30))
    asked = {"swap": "cells", "grouping": "global", "n_resamples": 500, "rng": 4}
    alone = tk.significance.permutation_test(human, a, b, "tau_b", n_jobs=1, **asked)
    with processes():
        shared = tk.significance.permutation_test(human, a, b, "tau_b", **asked)
    assert shared.samples.tobytes() == alone.samples.tobytes()


def labeled_set(seed, shape=(3, 3)):
    """Two metrics, and labels of few texts; some are unknown, one cell has no human score."""
    human, a, b = null_set(seed, shape)
    human[seed % shape[0], seed // 2 % shape[1]] = np.nan
    return human, a, b, np.random.default_rng(seed).integers(-1, 2, shape)


@pytest.mark.parametrize("grouping", ["item", "global", "system"])
class TestIdenticalTexts:
    """Pairs of identical texts are ties, whichever metric's scores stand there: counted pair by pair."""

    @pytest.mark.sampled(5)
    @pytest.mark.parametrize("coefficient", ["acc_eq", "tau_b", "tau_c"])
    @pytest.mark.parametrize("swap", ["cells", "segments", "systems", "both"])
    def test_every_swap(self, coefficient, grouping, swap):
        for seed in range(4):
            human, a, b, labels = labeled_set(seed)
            how = {"swap": swap, "n_resamples": 20, "tie_identical": labels}
            found = tk.significance.permutation_test(human, a, b, coefficient, grouping=grouping, **how)
            z, rated = [z_scores(human, one) for one in (a, b)], np.where(np.isnan(human), np.nan, 0)
            draws = plan_swaps(swap, differing(human, a, b), 20, 0).draws(0).cells.reshape(-1, *human.shape) == 1
            assert len(draws) == found.samples.size
            many = tk.significance.swap_test(human, {"a": a, "b": b}, f"{grouping}/{coefficient}", **how)
            assert many.iloc[0, 0] == pytest.approx(found.pvalue, abs=0, nan_ok=True)
            for swapped, sample in zip(draws, found.samples, strict=True):
                sides = [np.where(which, z[1], z[0]) + rated for which in (swapped, ~swapped)]
                values = [float(value_of(coefficient, groups_of(human, m, labels, grouping))) for m in sides]
                assert sample == pytest.approx(values[0] - values[1], abs=1e-9, nan_ok=True)

    @pytest.mark.parametrize("resample", ["segments", "systems", "both"])
    def test_every_resample(self, grouping, resample):
        """A score and its copy are no pair; by item or system, a line that is drawn twice makes two groups."""
        for seed in range(6):
            human, a, _, labels = labeled_set(seed)
            how = {"grouping": grouping, "resample": resample, "n_resamples": 20, "tie_identical": labels}
            found = tk.significance.bootstrap_interval(human, a, "acc_eq", **how)
            draws = Plan(False, resample, human.shape, 20, 0).draws(0)
            for rows, columns, sample in zip(draws.rows, draws.columns, found.samples, strict=True):
                lines = itertools.product(*(enumerate(np.repeat(range(3), drawn)) for drawn in (rows, columns)))
                groups = {}
                for (i, r), (j, c) in lines:
                    text = labels[r, c] if labels[r, c] >= 0 else f"unknown {r}"
                    if not np.isnan(human[r, c]):
                        place = {"item": j, "system": i, "global": 0}[grouping]
                        groups.setdefault(place, []).append(((r, c), (human[r, c], a[r, c], (c, text))))
                counted = [
                    [counts_of((x, y)) for (p, x), (q, y) in itertools.combinations(group, 2) if p != q]
                    for group in groups.values()
                ]
                values = [np.mean([one["C"] + one["T_hm"] for one in pairs]) for pairs in counted if pairs]
                assert sample == pytest.approx(np.mean(values) if values else np.nan, abs=1e-9, nan_ok=True)

    def test_outcomes_of_pairs(self, grouping):
        kinds = ("C", "D", "T_h", "T_m", "T_hm")
        for seed in range(10):
            human, a, b, labels = labeled_set(seed)
            measure = get_measure("acc_eq", grouping)
            table = compare_pairs(prepare_measures(human, (a, b), (measure,), identical=labels)).table.sum(axis=0)
            rated, expected = np.where(np.isnan(human), np.nan, 0), np.zeros((5, 5))
            both = [groups_of(human, m + rated, labels, grouping) for m in (a, b)]
            for one, other in zip(*both, strict=True):
                for p, q in itertools.combinations(range(len(one)), 2):
                    found = [counts_of((group[p], group[q])) for group in (one, other)]
                    expected[tuple(next(i for i, kind in enumerate(kinds) if c[kind]) for c in found)] += 1
            assert table.tolist() == expected.tolist()


def test_identical_texts_are_tied_by_every_test_alike():
    human, a, b, labels = labeled_set(3, (4, 6))
    data = tk.EvalSet("toy", "", (*"ABCD",), (*"123456",), {"h": human}, {"a": a, "b": b}, gold="h", identical=labels)
    for name in ("acc_eq", "acc_eq*"):
        values = [tk.correlate(data, m, name, tie_identical=True).value for m in ("a", "b")]
        tested = tk.significance.permutation_test(data, "a", "b", name, tie_identical=True, n_resamples=9)
        many = tk.significance.compare_metrics(data, name, tie_identical=True, n_resamples=9)
        interval = tk.significance.bootstrap_interval(data, "a", name, tie_identical=True, n_resamples=9)
        assert tested.values == pytest.approx(values)
        assert many.values[["a", "b"]].tolist() == pytest.approx(values)
        assert many.pvalues.loc["a", "b"] == tested.pvalue
        swapped = tk.significance.swap_test(data, measures=[name, "global/tau_b"], tie_identical=True, n_resamples=9)
        assert swapped.loc[("a", "b"), f"item/{name}"] == tested.pvalue
        assert interval.value == pytest.approx(values[0])
        assert all(f"|identical:{tested.identical[:12]}|" in one.signature for one in (tested, many, interval))
        assert len(tested.identical) == 64
        assert many.clusters(alpha=0.2).notna().all()
    vectors = human[0], a[0], b[0]
    found = tk.significance.permutation_test(*vectors, "acc_eq", tie_identical=labels[0])
    assert found.values[0] == tk.correlate(*vectors[:2], "acc_eq", tie_identical=labels[0]).value
    swapped = tk.significance.swap_test(human[0], {"a": a[0], "b": b[0]}, "acc_eq", tie_identical=labels[0])
    assert swapped.to_numpy().tolist() == [[found.pvalue]]
    assert "identical" not in tk.significance.permutation_test(*vectors, "acc_eq").signature


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"coefficient": "pearson"}, "pearson knows no ties"),
        ({"coefficient": "spa"}, "spa knows no ties"),
        ({"coefficient": "acc_eq", "grouping": "system_means"}, "compares means of scores"),
        ({"coefficient": "acc_eq", "epsilon": "recalibrated"}, "must not be 'recalibrated'"),
        ({"coefficient": "acc_eq", "tie_identical": True}, "must be labels"),
    ],
)
def test_where_identical_texts_cannot_be_tied(asked, said):
    human, a, b, labels = labeled_set(1)
    how = {"tie_identical": labels, "n_resamples": 9} | asked
    with pytest.raises(InputError, match=said):
        tk.significance.permutation_test(human, a, b, **how)
    with pytest.raises(InputError, match=said):
        tk.significance.compare_metrics(human, {"a": a, "b": b}, **how)
    with pytest.raises(InputError, match=said):
        tk.significance.bootstrap_interval(human, a, **how)
