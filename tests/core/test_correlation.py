import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nlpstats.correlations import correlate as nlpstats_correlate
from scipy import stats

import tiekit as tk
from tests import reference
from tests.strategies import matrices, vectors

NAN = float("nan")
GROUPINGS = st.sampled_from(["global", "item", "system"])
COUNTED = [name for name, entry in tk.COEFFICIENTS.items() if entry.takes_epsilon]


@given(matrices(("few", "tenths", "integers")), GROUPINGS, st.sampled_from(COUNTED), st.sampled_from([0.0, 0.1, 1.0]))
def test_values_equal_the_definition(pair, grouping, name, epsilon):
    parts = reference.groups(*[x.tolist() for x in pair], grouping)
    expected = [reference.coefficient(name, reference.counts(h, m, epsilon)) for h, m in parts]
    defined = [value for value in expected if not math.isnan(value)]
    found = tk.correlate(*pair, name, grouping=grouping, epsilon=epsilon)
    assert found.value == pytest.approx(np.mean(defined) if defined else NAN, abs=1e-12, nan_ok=True)
    assert (found.n_groups, found.n_undefined) == (len(defined), len(expected) - len(defined))
    assert np.count_nonzero(~np.isnan(found.per_group)) == len(defined)
    zeroed = tk.correlate(*pair, name, grouping=grouping, epsilon=epsilon, undefined="zero")
    assert zeroed.value == pytest.approx(sum(defined) / len(expected) if expected else NAN, abs=1e-12, nan_ok=True)


@given(matrices(("few", "tenths", "integers")), GROUPINGS, st.sampled_from(["pearson", "spearman"]))
def test_pearson_and_spearman_equal_scipy(pair, grouping, name):
    function = {"pearson": stats.pearsonr, "spearman": stats.spearmanr}[name]
    expected = []
    for human, metric in reference.groups(*[x.tolist() for x in pair], grouping):
        h, m = zip(*reference.scored(human, metric), strict=True)
        if len(set(h)) > 1 and len(set(m)) > 1:
            expected.append(function(h, m).statistic)
    found = tk.correlate(*pair, name, grouping=grouping)
    assert found.value == pytest.approx(np.mean(expected) if expected else NAN, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("scale", [1e-300, 1e-3, 1e300])
def test_pearson_knows_no_scale(scale):
    rng = np.random.default_rng(2)
    human, metric = rng.random(50), rng.random(50)
    expected = stats.pearsonr(human, metric).statistic
    assert tk.correlate(human, metric * scale, "pearson").value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("level", "grouping"), [("system", "system_means"), ("input", "item"), ("global", "global")])
@pytest.mark.parametrize(("kind", "name"), [("pearson", "pearson"), ("spearman", "spearman"), ("kendall", "tau_b")])
def test_values_equal_nlpstats(level, grouping, kind, name):
    rng = np.random.default_rng(3)
    human, metric = rng.integers(0, 4, (6, 40)).astype(float), rng.integers(0, 9, (6, 40)).astype(float)
    gaps = rng.random((6, 40)) < 0.1
    human[gaps] = metric[gaps] = NAN
    expected = nlpstats_correlate(metric, human, level, kind)
    assert tk.correlate(human, metric, name, grouping=grouping).value == pytest.approx(expected, abs=1e-12)


@given(vectors(families=("few", "tenths", "integers")))
def test_a_vector_is_one_group(pair):
    one = tk.correlate(*pair, "tau_a")
    matrix = tk.correlate([pair[0]], [pair[1]], "tau_a", grouping="global")
    assert one.value == pytest.approx(matrix.value, nan_ok=True)
    assert one.value == pytest.approx(tk.COEFFICIENTS["tau_a"].value(tk.count_pairs(*pair)), nan_ok=True)


def test_cases_i_to_k_of_mt_metrics_eval():
    """peers.md 18.2: two systems, flat by system."""
    human, metric = np.reshape([1, 2, 3, 4, 5, 6], (2, 3)), np.reshape([2, 1, 4, 3, 3, 7], (2, 3))
    for name, expected in {
        "pearson": (0.776, 0.760, 1),
        "tau_b": (0.552, 0.575, 1),
        "tau_c": (0.556, 0.611, 1),
    }.items():
        values = [tk.correlate(human, metric, name, grouping=g).value for g in ("none", "system", "item")]
        assert values == pytest.approx(expected, abs=5e-4)
    constant = np.reshape([2, 2, 2, 4, 5, 6], (2, 3))
    dropped = tk.correlate(human, constant, "pearson", grouping="system")
    assert (dropped.value, dropped.n_groups, dropped.n_undefined) == (pytest.approx(1.0), 1, 1)
    zeroed = tk.correlate(human, constant, "pearson", grouping="system", undefined="zero")
    assert (zeroed.value, zeroed.n_groups, zeroed.n_undefined) == (pytest.approx(0.5), 2, 1)
    gap = tk.correlate([[1, None, 3], [4, 5, 6]], [[2, 1, 8], [3, 5, 6]], "pearson", grouping="item")
    assert (gap.n_groups, gap.n_too_small, gap.n_missing) == (2, 1, 1)
    assert math.isnan(gap.per_group[1])


def test_no_defined_group_is_nan_unless_they_count_as_0():
    """peers.md 18.2, case Q: mt-metrics-eval, which counts them as 0 on request, gives 0 here."""
    flat = [[1, 1, 1], [1, 1, 1]], [[3, 3, 3], [3, 3, 3]]
    assert math.isnan(tk.correlate(*flat, "pearson").value)
    assert tk.correlate(*flat, "pearson", undefined="zero").value == 0
    for undefined in ("drop", "zero"):
        assert math.isnan(tk.correlate([], [], "tau_a", undefined=undefined).value)
        assert math.isnan(tk.correlate(*flat, "pdp", undefined=undefined).value)


def test_a_skipped_cell_moves_no_other_group():
    rng = np.random.default_rng(0)
    human, metric = rng.integers(0, 3, (5, 20)), rng.random((5, 20))
    before = tk.correlate(human, metric, "tau_a").per_group
    metric[2, 7] = NAN
    after = tk.correlate(human, metric, "tau_a").per_group
    assert np.flatnonzero(before != after).tolist() in ([7], [])
    assert np.delete(after, 7) == pytest.approx(np.delete(before, 7))


def test_order_of_systems_and_segments_does_not_matter():
    rng = np.random.default_rng(0)
    human, metric = rng.integers(0, 3, (6, 30)), rng.integers(0, 9, (6, 30))
    rows, columns = rng.permutation(6), rng.permutation(30)
    for grouping in ("global", "item", "system", "system_means"):
        for name in tk.COEFFICIENTS:
            one = tk.correlate(human, metric, name, grouping=grouping).value
            other = tk.correlate(human[rows][:, columns], metric[rows][:, columns], name, grouping=grouping).value
            assert one == pytest.approx(other, abs=1e-12)


def test_means_are_over_cells_with_both_scores():
    human, metric = [[1, 2, NAN], [3, 4, 5], [0, 0, 0]], [[1, 3, 100], [4, NAN, 6], [0, 0, 3]]
    found = tk.correlate(human, metric, "pearson", grouping="system_means")
    assert found.value == pytest.approx(stats.pearsonr([1.5, 4, 0], [2, 5, 1]).statistic)


def test_signature_names_everything():
    found = tk.correlate([[1, 2], [2, 2]], [[1, 2], [3, 4]], "tau_b", epsilon=0.5)
    assert found.signature.startswith("coefficient:tau_b|grouping:item|epsilon:0.5|undefined:drop|groups:1|")
    assert found.signature.endswith(f"|seed:none|version:{tk.__version__}")
    assert tk.correlate([[1, 2], [2, 3]], [[1, 2], [3, 4]], "tau_b", epsilon=0.5).digest != found.digest


def test_vectors_take_no_grouping():
    with pytest.raises(
        tk.InputError, match="grouping: vectors are one group, so it must be None or 'global', found 'item'"
    ):
        tk.correlate([1, 2], [1, 2], grouping="item")
    with pytest.raises(tk.InputError, match="human: must be a vector, or a matrix"):
        tk.correlate([[[1]]], [[[1]]])


def test_order_of_segments_breaks_no_tie_of_means():
    found = tk.correlate([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]], [[1, 1, 1], [1, 1, 1]], grouping="system_means")
    assert found.value == 1


def test_means_of_scores_whose_sum_overflows_are_exact():
    found = tk.correlate([[1, 2], [3, 4]], [[1.7e308, 1.7e308], [0, 1]], grouping="system_means")
    assert found.value == 0


def test_groups_leave_no_trace_in_the_next():
    """The counting tables are shared: each group must find them empty."""
    rng = np.random.default_rng(9)
    human, metric = rng.integers(0, 4, (8, 50)), rng.integers(0, 6, (8, 50))
    for epsilon in (0.0, 1.0):
        together = tk.correlate(human, metric, "tau_c", epsilon=epsilon).per_group
        alone = [tk.correlate(human[:, j], metric[:, j], "tau_c", epsilon=epsilon).value for j in range(50)]
        assert together.tolist() == pytest.approx(alone, abs=0, rel=0, nan_ok=True)
