"""Measures on draws: what the compiled loops count must be what `correlate` says of the drawn matrices themselves."""

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import tiekit as tk
from tests.drawn import by_itself, z_scores
from tests.strategies import examples, matrices
from tiekit.core.measure import get_measure
from tiekit.significance._resampled_measures import ResampledMeasures, prepare_measures
from tiekit.significance.schemes import Draws, Plan, plan_swaps

FAMILIES = ("few", "tenths", "integers")
MEASURES = [(grouping, name) for grouping in tk.GROUPINGS for name in tk.COEFFICIENTS]


def measured(human, metrics, epsilons=None):
    measures = tuple(get_measure(name, grouping) for grouping, name in MEASURES)
    return ResampledMeasures(human, metrics, measures, epsilons or ((0.0,) * len(metrics),) * len(measures))


@st.composite
def three(draw):
    """Human and two metrics of one shape, neither constant."""
    human, a = draw(matrices(FAMILIES))
    b = np.reshape(draw(st.lists(st.integers(0, 4), min_size=human.size, max_size=human.size)), human.shape) * 3.0
    for metric in (a, b):
        used = metric[~np.isnan(human) & ~np.isnan(metric)]
        assume(used.size and used.max() > used.min())
    return human, a, b


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
@examples(3)
@given(three(), st.randoms(use_true_random=False))
def test_a_swap_of_cells_gives_what_the_swapped_matrices_give(scores, random):
    human, a, b = scores
    cells = np.array([[random.randint(0, 1) for _ in range(human.size)] for _ in range(2)])
    rows, columns = (np.zeros((2, n), int) for n in human.shape)
    found = measured(human, (a, b)).values(Draws(True, rows, columns, cells))
    za, zb = z_scores(human, a), z_scores(human, b)
    for r in range(2):
        mask = cells[r].reshape(human.shape) == 1
        for slot, metric in enumerate((np.where(mask, zb, za), np.where(mask, za, zb))):
            expected = [by_itself(human, metric, name, grouping) for grouping, name in MEASURES]
            np.testing.assert_allclose(found[r, slot], expected, atol=1e-6)


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
@examples(3)
@given(matrices(FAMILIES), st.data())
def test_a_drawn_matrix_gives_what_it_gives_by_itself_but_for_pairs_with_its_own_copy(scores, data):
    human, metric = scores
    multiplicity = [data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)) for n in human.shape]
    which = np.ix_(*(np.repeat(np.arange(len(n)), n) for n in multiplicity))
    found = measured(human, (metric,)).values(Draws(False, *(np.array([n]) for n in multiplicity)))[0, 0]
    for value, (grouping, name) in zip(found, MEASURES, strict=True):
        if name in ("pearson", "spearman", "tau_b", "tau_10", "tau_13", "tau_14"):  # such pairs are tied by both
            expected = by_itself(human[which], metric[which], name, grouping) if human[which].size else np.nan
            assert value == pytest.approx(expected, abs=1e-9, nan_ok=True), (grouping, name)


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
@examples(3)
@given(three(), st.sampled_from([0.0, 0.1, 0.3, 1.0]), st.sampled_from([0.0, 3.0, 4.0]))
@example((np.zeros((1, 5)), np.array([[0.1, 0.2, 0.3, 0.4, 0.5]]), np.arange(5.0)[None]), 0.1, 0.0)
def test_thresholds_within_one_metric_are_exact_and_swapping_everything_swaps_the_values(scores, e, f):
    human, a, b = scores
    measures = [(g, c) for g, c in MEASURES if g != "system_means" and tk.COEFFICIENTS[c].takes_epsilon]
    rows, columns = (np.zeros((2, n), int) for n in human.shape)
    cells = np.stack([np.zeros(human.size, int), np.ones(human.size, int)])
    both = prepare_measures(human, (a, b), [get_measure(c, g) for g, c in measures], (e, f))
    found = both.values(Draws(True, rows, columns, cells))
    for i, (grouping, name) in enumerate(measures):
        of_a, of_b = (
            tk.correlate(human, m, name, grouping=grouping, epsilon=epsilon).value for m, epsilon in ((a, e), (b, f))
        )
        np.testing.assert_allclose(found[..., i], [[of_a, of_b], [of_b, of_a]], atol=1e-12)


def test_between_metrics_a_threshold_is_the_mean_of_both_in_standard_deviations():
    human, a, b = np.array([[0.0, 1, 2, 3]]), np.array([[0.0, 0, 2, 2]]), np.array([[10.0, 10, 30, 30]])
    cells = np.array([[0, 0, 0, 1]])  # slot one: 0 0 2 from a, 30 from b; both have deviation 1 once standardized
    for e, f, ties in ((0, 0, 2), (1.9, 10, 2), (2, 20, 6), (1, 29, 2), (1, 31, 4)):
        counted = prepare_measures(human, (a, b), [get_measure("acc_eq", "global")], (e, f))
        value = counted.values(Draws(True, np.zeros((1, 1), int), np.zeros((1, 4), int), cells))[0, 0, 0]
        assert value == pytest.approx((6 - ties) / 6), (e, f)


def test_a_copy_is_no_pair_with_its_original():
    human, metric = np.array([[1.0, 2.0]]), np.array([[1.0, 2.0]])
    draws = Draws(False, np.ones((1, 1), int), np.array([[2, 1]]))
    for name, expected in (("tau_a", 1.0), ("acc_eq", 1.0), ("tau_eq", 1.0)):
        assert prepare_measures(human, (metric,), [get_measure(name, "global")]).values(draws)[0, 0, 0] == expected


def test_parts_are_drawn_alike_whoever_draws_them():
    for kind, swap in (("cells", True), ("both", True), ("both", False)):
        plan = Plan(swap, kind, (3, 40), 130, 5)
        whole = [plan.draws(part).cells for part in plan.parts]
        assert [len(part) for part in whole] == [64, 64, 2]
        again = Plan(swap, kind, (3, 40), 130, 5).draws(1).cells
        assert (again == whole[1]).all()
        assert not (whole[0] == whole[1]).all()
    assert (Plan(False, "both", (3, 40), 9, 5).draws(0).rows.sum(axis=1) == 3).all()


@pytest.mark.parametrize(("kind", "ways"), [("cells", 2**4), ("segments", 2**2), ("systems", 2**3), ("both", 2**4)])
def test_all_ways_to_swap_are_tried_once_where_they_are_few(kind, ways):
    differs = np.array([[True, False], [True, True], [False, True]])
    plan = plan_swaps(kind, differs, 15, 0)
    swapped = {tuple(row) for row in plan.draws(0).cells[:, differs.ravel()].tolist()}
    assert (plan.exact, plan.size, len(plan.draws(0))) == (True, ways, ways)
    assert len(swapped) == ways
    assert not plan_swaps(kind, differs, ways - 2, 0).exact
