"""The value of all groups' pairs together, ``average="pairs"``, against sums of counts that are written out here."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests import reference
from tests.strategies import examples, matrices
from tiekit.core.measure import get_measure
from tiekit.significance._resampled_measures import prepare_measures
from tiekit.significance.schemes import Draws

NAN = math.nan
KINDS = ("C", "D", "T_h", "T_m", "T_hm")
POOLED = [name for name, entry in tk.COEFFICIENTS.items() if entry.poolable]
GROUPINGS = st.sampled_from(["item", "system", "global"])
NAMES = st.sampled_from(POOLED)


def of_counts(name, parts, epsilon=0.0):
    """The plain formula of the summed counts; NaN where it divides by zero."""
    found = [reference.counts(*part, epsilon) for part in parts]
    total = {kind: sum(one[kind] for one in found) for kind in KINDS}
    return reference.coefficient(name, {**total, "n": 0, "k": 0})


def parts_of(human, metric, grouping):
    return reference.groups(np.asarray(human).tolist(), np.asarray(metric).tolist(), grouping)


def pooled(name, human, metric, grouping="item", epsilon=0.0):
    return of_counts(name, parts_of(human, metric, grouping), epsilon)


def test_tau_of_wmt_2017_to_2020_as_mt_metrics_eval_has_it():
    """KendallLike without averaging: C, D = 3, 3 and 4, 1, so 3/11 = .273; the mean over items is .300."""
    human, metric = [[0, 0], [30, 30], [60, 90], [90, 31]], [[1, 1], [2, 2], [3, 3], [0, 4]]
    asked = {"grouping": "item", "human_margin": 25}
    found = tk.correlate(human, metric, "tau_10", average="pairs", **asked)
    assert (found.value, found.per_group.tolist(), found.n_groups) == (pytest.approx(3 / 11), [0.0, 0.6], 2)
    assert "average:pairs" in found.signature.split("|")
    by_groups = tk.correlate(human, metric, "tau_10", **asked)
    assert by_groups.value == pytest.approx(0.3)
    assert "average" not in by_groups.signature
    data = tk.EvalSet("toy", "", tuple("ABCD"), ("1", "2"), {"da": human}, {"m": metric})
    board = tk.leaderboard(data, coefficients="tau_10", calibrated=(), human_margin=25, average="pairs")
    assert board.loc["m", ["tau_10", "groups(tau_10)"]].tolist() == [found.value, 2]
    assert "average:pairs" in board.attrs["signatures"]["tau_10"]["m"]


@examples(80)
@given(matrices(("few", "tenths", "integers")), GROUPINGS, NAMES, st.sampled_from([0.0, 0.1, 0.5]))
def test_values_are_the_formula_of_summed_counts(pair, grouping, name, epsilon):
    expected = pooled(name, *pair, grouping, epsilon)
    found = tk.correlate(*pair, name, grouping=grouping, epsilon=epsilon, average="pairs")
    assert found.value == pytest.approx(expected, abs=1e-14, nan_ok=True)
    each = tk.correlate(*pair, name, grouping=grouping, epsilon=epsilon)
    np.testing.assert_array_equal(found.per_group, each.per_group)
    if grouping == "global":
        assert found.value == pytest.approx(each.value, abs=0, nan_ok=True)
    zero = tk.correlate(*pair, name, grouping=grouping, epsilon=epsilon, average="pairs", undefined="zero")
    nothing = not parts_of(*pair, grouping)
    assert zero.value == pytest.approx(NAN if nothing else np.nan_to_num(expected), abs=1e-14, nan_ok=True)


@examples(80)
@given(matrices(("few", "tenths", "integers")), GROUPINGS, NAMES)
@pytest.mark.filterwarnings("ignore::tiekit.CalibrationWarning")
def test_calibration_finds_the_smallest_maximizer_of_all_candidates(pair, grouping, name):
    parts = parts_of(*pair, grouping)
    found = tk.calibrate(*pair, name, grouping=grouping, average="pairs")
    best, value = 0.0, -2.0
    for epsilon in reference.candidates(parts):
        here = of_counts(name, parts, epsilon)
        if here > value + 1e-12:
            best, value = epsilon, here
    assert found.epsilon == best
    assert found.value == pytest.approx(NAN if value == -2 else value, abs=1e-14, nan_ok=True)
    assert found.value_at(best) == pytest.approx(found.value, abs=0, nan_ok=True)
    assert tk.correlate(*pair, f"{name}*", grouping=grouping, average="pairs").value == pytest.approx(
        found.value, abs=0, nan_ok=True
    )


@pytest.mark.parametrize("name", ["acc_eq", "tau_b"])
def test_calibration_of_groups_of_many_sizes_is_exact(name):
    """Groups of 2 to 40 scores, so the mean over groups and the pooled value have different optima."""
    rng = np.random.default_rng(3)
    human = rng.integers(0, 3, (40, 30)).astype(float)
    human[np.arange(40)[:, None] >= rng.integers(2, 41, 30)] = NAN
    metric = np.round(human + rng.normal(size=human.shape), 2)
    small = (~np.isnan(human)).sum(axis=0) < 8
    metric[:, small] = np.round(rng.normal(size=metric.shape), 2)[:, small]  # so that ties are best there
    human[:, small] = np.where(np.isnan(human), NAN, 0.0)[:, small]
    entry = tk.COEFFICIENTS[name]
    found = tk.calibrate(human, metric, name, average="pairs") if name == "acc_eq" else None
    if found is None:
        with pytest.warns(tk.CalibrationWarning):
            found = tk.calibrate(human, metric, name, average="pairs")
    by_human, by_metric = [], []
    for h, m in zip(human.T, metric.T, strict=True):
        i, j = np.triu_indices(int((~np.isnan(h)).sum()), 1)
        h, m = h[~np.isnan(h)], m[~np.isnan(h)]
        by_human.append(h[i] - h[j])
        by_metric.append(m[i] - m[j])
    x, y = np.concatenate(by_human), np.concatenate(by_metric)

    def value(epsilon):
        tied = np.abs(y) <= epsilon
        kinds = [(x * y > 0) & ~tied, (x * y < 0) & ~tied, (x == 0) & ~tied, (x != 0) & tied, (x == 0) & tied]
        counts = np.array([[int(kind.sum()) for kind in kinds] + [0, 0]])
        return Fraction(int(counts[0, 0] + counts[0, 4]), x.size) if name == "acc_eq" else entry.from_counts(counts)[0]

    values = {epsilon: value(epsilon) for epsilon in np.unique(np.append(np.abs(y), 0.0)).tolist()}
    best = max(values.values())
    assert found.epsilon == next(e for e, v in values.items() if (v == best if name == "acc_eq" else v > best - 1e-12))
    assert found.value == pytest.approx(float(best), abs=1e-15)
    assert found.n_pairs == x.size
    if name == "acc_eq":
        assert tk.calibrate(human, metric, name).epsilon > found.epsilon


@examples(16)
@given(st.integers(0, 10**6), NAMES, st.sampled_from(["item", "system"]), st.sampled_from(["segments", "systems"]))
def test_a_test_tries_all_swaps_of_the_pooled_values(seed, name, grouping, swap):
    """Whole groups and mixed ones. Both metrics have the same scores in another order, so that none is rescaled."""
    rng = np.random.default_rng(seed)
    human, a = rng.integers(0, 3, (2, 3, 4)).astype(float)
    b = rng.permutation(a.ravel()).reshape(a.shape)
    found = tk.significance.permutation_test(human, a, b, name, grouping=grouping, swap=swap, average="pairs")
    axis, size = (1, 4) if swap == "segments" else (0, 3)
    differences = []
    for moved in itertools.product([False, True], repeat=size):
        mask = np.reshape(moved, (1, -1) if axis else (-1, 1))
        sides = np.where(mask, b, a), np.where(mask, a, b)
        one, other = (pooled(name, human, side, grouping) for side in sides)
        differences.append(one - other)
    assert found.exact
    assert sorted(np.nan_to_num(found.samples, nan=9)) == pytest.approx(sorted(np.nan_to_num(differences, nan=9)))
    assert found.difference == pytest.approx(differences[0], nan_ok=True)
    assert "average:pairs" in found.signature
    together = tk.significance.compare_metrics(
        human, {"a": a, "b": b}, name, grouping=grouping, swap=swap, average="pairs"
    )
    if not (a == a[0, 0]).all():
        assert together.pvalues.loc["a", "b"] == pytest.approx(found.pvalue, abs=0, nan_ok=True)
    assert "average:pairs" in together.signature


@pytest.mark.parametrize("name", ["acc_eq", "tau_eq", "tau_b"])
@pytest.mark.filterwarnings("ignore::tiekit.CalibrationWarning")
def test_thresholds_are_found_again_on_the_pooled_value(name):
    rng = np.random.default_rng(7)
    human, a = rng.integers(0, 3, (2, 4, 3)).astype(float)
    human[0, 0] = NAN
    b = rng.permutation(a.ravel()).reshape(a.shape)
    b[0, 0] = a[0, 0]
    asked = {"swap": "segments", "epsilon": "recalibrated", "average": "pairs"}
    found = tk.significance.permutation_test(human, a, b, name, **asked)
    # scaled alike, as all cells with a human score count: the same factor for both changes no value
    scaled = [
        (m - np.nanmean(np.where(np.isnan(human), NAN, m))) / np.nanstd(np.where(np.isnan(human), NAN, m))
        for m in (a, b)
    ]
    differences = []
    for moved in itertools.product([False, True], repeat=3):
        sides = np.where(moved, scaled[1], scaled[0]), np.where(moved, scaled[0], scaled[1])
        one, other = (
            max(
                (v for e in reference.candidates(parts) if (v := of_counts(name, parts, e + 1e-9)) == v),
                default=NAN,
            )
            for parts in (parts_of(human, side, "item") for side in sides)
        )
        differences.append(one - other)
    assert sorted(found.samples) == pytest.approx(sorted(differences), abs=1e-12)


@examples(24)
@given(st.integers(0, 10**6), NAMES, st.sampled_from(["item", "document"]))
def test_groups_that_are_drawn_twice_are_summed_twice(seed, name, grouping):
    rng = np.random.default_rng(seed)
    human, metric = rng.integers(0, 3, (2, 3, 4)).astype(float)
    documents = ("x", "x", "y", "z")
    measure = get_measure(name, grouping, documents=True, average="pairs")
    panel = prepare_measures(human, (metric,), (measure,), documents=documents)
    by = rng.integers(0, 3, (6, 3))
    columns = by[:, [0, 0, 1, 2]] if grouping == "document" else rng.integers(0, 3, (6, 4))
    rows = np.ones((6, 3), np.int64)
    found = panel.values(Draws(False, rows, columns, whole_documents=grouping == "document"))[:, 0, 0]
    for drawn, value in zip(columns, found, strict=True):
        if grouping == "item":
            parts = [(human[:, s], metric[:, s]) for s in range(4) for _ in range(drawn[s])]
        else:
            inside = [[0, 1], [2], [3]]
            parts = [
                (human[:, some].ravel(), metric[:, some].ravel()) for some in inside for _ in range(drawn[some[0]])
            ]
        assert value == pytest.approx(of_counts(name, parts), abs=1e-14, nan_ok=True)
    if grouping == "item":  # some systems are left out, so groups are counted again
        some = rng.integers(0, 2, (6, 3))
        found = panel.values(Draws(False, some, columns))[:, 0, 0]
        for kept, drawn, value in zip(some, columns, found, strict=True):
            h, m = human[kept == 1], metric[kept == 1]
            parts = [(h[:, s], m[:, s]) for s in range(4) for _ in range(drawn[s])]
            assert value == pytest.approx(of_counts(name, parts), abs=1e-14, nan_ok=True)


def test_an_interval_is_of_the_pooled_value():
    rng = np.random.default_rng(0)
    human = rng.integers(0, 3, (6, 40)).astype(float)
    metric = human + rng.normal(size=human.shape)
    found = tk.significance.bootstrap_interval(human, metric, "tau_13", average="pairs", n_resamples=400)
    assert found.value == pytest.approx(pooled("tau_13", human, metric))
    assert found.low < found.value < found.high
    assert "average:pairs" in found.signature
    both = tk.significance.bootstrap_interval(human, metric, "tau_13", average="pairs", resample="both", n_resamples=50)
    assert both.value == found.value


def test_held_out_values_are_pooled():
    rng = np.random.default_rng(1)
    human, metric = rng.integers(0, 3, (2, 4, 9)).astype(float)
    human[2:, :3] = NAN
    found = tk.cross_validate(human, metric, folds=3, average="pairs")
    fold = found.folds.iloc[0]
    inside = np.isin(np.arange(9), [0, 3, 6])
    best = tk.calibrate(human[:, ~inside], metric[:, ~inside], average="pairs")
    assert (fold["epsilon"], fold["value"]) == (
        best.epsilon,
        pytest.approx(pooled("acc_eq", human[:, inside], metric[:, inside], epsilon=best.epsilon)),
    )
    assert "average:pairs" in found.signature
    judged = tk.transfer(best, human[:, inside], metric[:, inside])
    assert judged.value == pytest.approx(fold["value"])


def test_a_leaderboard_of_pooled_values_is_that_of_correlate():
    rng = np.random.default_rng(5)
    human = rng.integers(0, 3, (5, 12)).astype(float)
    metrics = {name: np.round(human + rng.normal(size=human.shape), 1) for name in "ab"}
    metrics["a"][3:, :4] = NAN
    data = tk.EvalSet("toy", "", tuple("VWXYZ"), tuple(map(str, range(12))), {"h": human}, metrics)
    with pytest.warns(tk.CoverageWarning):
        board = tk.leaderboard(data, average="pairs", cells="own")
    assert "pearson" not in board
    assert set(POOLED) <= set(board.columns)
    for name, metric in metrics.items():
        for coefficient in (*POOLED, "acc_eq*"):
            alone = tk.correlate(human, metric, coefficient, average="pairs")
            assert board.loc[name, coefficient] == alone.value
        assert board.loc[name, "epsilon(acc_eq)"] == tk.calibrate(human, metric, average="pairs").epsilon


@pytest.mark.parametrize("name", ["pearson", "spearman", "tau_c", "spa", "pdp", "pairwise_accuracy"])
def test_coefficients_without_pairs_to_pool_are_refused(name):
    scores = [[1, 2], [2, 3], [3, 1]]
    data = tk.EvalSet("toy", "", tuple("ABC"), ("1", "2"), {"h": scores}, {"m": scores, "n": scores[::-1]})
    for call in (
        lambda: tk.correlate(scores, scores, name, average="pairs"),
        lambda: tk.leaderboard(data, coefficients=[name, "acc_eq"], average="pairs"),
        lambda: tk.significance.permutation_test(data, "m", "n", name, average="pairs"),
        lambda: tk.significance.compare_metrics(data, None, name, average="pairs"),
        lambda: tk.significance.bootstrap_interval(data, "m", name, average="pairs"),
    ):
        with pytest.raises(tk.InputError, match=f"^average: {name} is no ratio of counts of pairs"):
            call()


def test_what_else_is_refused():
    scores = [[1, 2], [2, 3], [3, 1]]
    data = tk.EvalSet("toy", "", tuple("ABC"), ("1", "2"), {"h": scores}, {"m": scores})
    with pytest.raises(tk.InputError, match="average: must be one of groups, pairs, found 'items'"):
        tk.calibrate(scores, scores, average="items")
    with pytest.raises(tk.InputError, match="undefined: pairs of all groups are pooled"):
        tk.leaderboard(data, average="pairs", undefined="common")
