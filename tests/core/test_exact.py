import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests import reference
from tests.strategies import FAMILIES, examples, matrices, vectors
from tiekit.core import _threshold_search
from tiekit.core._compile import is_interpreted

NAN = float("nan")
COUNTED = [name for name, entry in tk.COEFFICIENTS.items() if entry.takes_epsilon]


@examples(120)
@given(vectors(families=("few", "tenths", "integers", "huge", "tiny")))
@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_vectors_equal_trying_every_candidate(pair):
    found = tk.calibrate(*pair)
    epsilon, value = reference.calibrate([pair])
    assert found.epsilon == epsilon
    assert found.value == pytest.approx(value, abs=1e-12, nan_ok=True)


def both_ways(*scores, **options):
    """What is found, to the last bit, and what by the search that puts all scores in order."""
    found = [tk.calibrate(*scores, **options)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_threshold_search, "MOST_ROWS", 0)
        found.append(tk.calibrate(*scores, **options))
    return [[repr(getattr(one, name)) for name in (*one.to_dict(), "near_ties")] for one in found]


@examples(200)
@given(matrices(tuple(FAMILIES)), st.sampled_from(["global", "item", "item", "system"]), st.booleans())
@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_groups_equal_trying_every_candidate(pair, grouping, of_one_size):
    for scores in pair if of_one_size else ():
        scores[1:, np.isnan(scores).any(axis=0)] = NAN  # segments have all scores, or one at most
    found = tk.calibrate(*pair, grouping=grouping)
    epsilon, value = reference.calibrate(reference.groups(*[x.tolist() for x in pair], grouping))
    assert found.epsilon == epsilon
    assert found.value == pytest.approx(value, abs=1e-12, nan_ok=True)
    for average in ("groups", "pairs"):
        one, other = both_ways(*pair, grouping=grouping, average=average)
        assert one == other


@pytest.mark.parametrize("name", ["acc_eq", "tau_eq", "tau_a"])
@pytest.mark.parametrize("rows", [2, 24, 64, 65])
@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_columns_of_any_length_equal_the_search_in_order(rows, name):
    """All pairs of up to 64 scores are compared as they stand; more scores are put in order."""
    rng = np.random.default_rng(rows)
    human, noise = rng.integers(0, 4, (rows, 50)).astype(float), rng.normal(size=(rows, 50))
    outlier = np.where(human + noise > 4, 1e300, noise)
    for metric in (human + noise, np.round(human + noise, 1), outlier, -human, np.zeros_like(human)):
        one, other = both_ways(human, metric, name)
        assert one == other
    assert (tk.calibrate(human, noise, name)._grouped is None) == (rows < 65 and not is_interpreted())


@pytest.mark.parametrize("name", [name for name in COUNTED if name != "acc_eq"])
@pytest.mark.filterwarnings("ignore::tiekit.CalibrationWarning")
@examples(16)
@given(pair=matrices(("few", "tenths")), grouping=st.sampled_from(["global", "item", "system"]))
def test_every_coefficient_equals_trying_every_candidate(name, pair, grouping):
    found = tk.calibrate(*pair, name, grouping=grouping)
    epsilon, value = reference.calibrate(reference.groups(*[x.tolist() for x in pair], grouping), name)
    assert found.value == pytest.approx(value, abs=1e-9, nan_ok=True)
    assert found.epsilon == epsilon


@given(matrices())
@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_the_value_is_the_correlation_at_epsilon(pair):
    found = tk.calibrate(*pair)
    at = tk.correlate(*pair, epsilon=found.epsilon)
    assert found.value == pytest.approx(at.value, rel=0, abs=0, nan_ok=True)
    assert (found.n_groups, found.n_undefined) == (at.n_groups, at.n_undefined)
    assert found.value_at_zero == pytest.approx(tk.correlate(*pair, "acc_eq").value, rel=0, abs=0, nan_ok=True)
    assert math.isnan(found.value) or found.value >= found.value_at_zero


def test_groups_of_unequal_size_weigh_alike():
    """One right pair of 3 makes up for three right pairs of 9 to the last digit: 1/3 = 3/9 is a tie of candidates."""
    human = [[0, 0, 0, 0], [0, 1, 2, 3], [0, 1, 2, 3]]
    metric = [[0, 1, NAN, NAN], [0.0, 2.0, 5.0, NAN], [0, 4, 8, 12]]
    for grouping in ("item", "system"):
        epsilon, value = reference.calibrate(reference.groups(human, metric, grouping))
        found = tk.calibrate(human, metric, grouping=grouping)
        assert (found.epsilon, found.value) == (epsilon, pytest.approx(value))


def test_cases_a_n_o_p_of_mt_metrics_eval():
    """peers.md 18.1 and 18.2; its grouping none is global."""
    a = [1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]
    assert (tk.calibrate(*a).epsilon, tk.calibrate(*a).value) == (0.5, pytest.approx(0.7))
    assert (tk.calibrate(*a, "tau_23").epsilon, tk.calibrate(*a, "tau_23").value) == (0.5, pytest.approx(0.4))
    n = np.reshape([1, 2, 2, 3, 3, 4], (2, 3)), np.reshape([2, 1, 1.5, 5, 3, 2], (2, 3))
    expected = {"none": (0.5333333, 0), "system": (0.3333333, 2.0), "item": (1.0, 0)}
    for grouping, (value, epsilon) in expected.items():
        found = tk.calibrate(*n, grouping=grouping)
        assert (found.value, found.epsilon) == (pytest.approx(value), epsilon)
    assert tk.calibrate([1, 2, 3, 4], [0, 2, 6, 8]).epsilon == 0
    o = tk.calibrate([1, 1, 1, 4], [0, 2, 6, 8])
    assert (o.epsilon, o.value) == (4, pytest.approx(4 / 6))
    human = [[1, 5, 2, 1, 1], [4, 2, 2, 1, 4], [5, 9, 2, 8, 7], [7, 6, None, 3, 2], [None] * 5]
    metric = [[0, 5, 2, 3, 2], [None, 2, 1, 5, 3], [9, 1, 5, 3, 8], [9, 3, 4, 4, 1], [None] * 5]
    curve = [tk.correlate(human, metric, grouping="system", epsilon=e).value for e in range(9)]
    published = [0.4666667, 0.4916667, 0.3833333, 0.2916667, 0.2666667, 0.2, 0.1583333, 0.1583333, 0.1166667]
    assert curve == pytest.approx(published, abs=5e-8)
    assert tk.calibrate(human, metric, grouping="system").epsilon == 1


@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.filterwarnings("ignore::tiekit.CalibrationWarning")
def test_without_a_pair_epsilon_is_zero_and_the_value_undefined(n):
    for name in COUNTED:
        found = tk.calibrate([1.0] * n, [2.0] * n, name)
        assert (found.epsilon, found.n_pairs, math.isnan(found.value)) == (0.0, 0, True)


def test_two_items():
    assert tk.calibrate([1, 1], [1, 3]).epsilon == 2
    assert tk.calibrate([1, 2], [1, 3]).epsilon == 0


@given(st.integers(0, 2**32 - 1))
@examples(10)
def test_an_order_of_rows_or_columns_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    human, metric = rng.integers(0, 3, (5, 12)), rng.integers(0, 50, (5, 12)) / 10
    rows, columns = rng.permutation(5), rng.permutation(12)
    one, other = tk.calibrate(human, metric), tk.calibrate(human[rows][:, columns], metric[rows][:, columns])
    assert (one.epsilon, one.value) == (other.epsilon, pytest.approx(other.value, abs=1e-12))


@pytest.mark.parametrize("name", ["pearson", "spearman"])
def test_coefficients_of_scores_cannot_be_calibrated(name):
    with pytest.raises(tk.InputError, match=f"coefficient: {name} knows no ties"):
        tk.calibrate([1, 2], [1, 2], name)


def test_signature_says_calibrated():
    found = tk.calibrate([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3])
    assert found.signature.startswith(
        "coefficient:acc_eq*|grouping:vector|difference:absolute|epsilon:0.5|undefined:drop|groups:1|undefined_groups:0|scores:"
    )


@pytest.mark.filterwarnings("ignore::tiekit.CalibrationWarning")
def test_means_that_differ_by_rounding_alone_do_not_move_epsilon():
    """Among these sets are some whose best candidates tie, but differ in the last digit of a float64 mean."""
    counts = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        human, metric = rng.integers(0, 3, (4, 6)), rng.integers(0, 5, (4, 6)).astype(float)
        for name in ("tau_10", "tau_14"):
            epsilon, _ = reference.calibrate(reference.groups(human.tolist(), metric.tolist(), "item"), name)
            counts += tk.calibrate(human, metric, name).epsilon == epsilon
    assert counts == 600


@pytest.mark.parametrize("name", COUNTED)
def test_a_coefficient_that_does_not_handle_ties_is_warned_about(name):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        tk.calibrate([1, 2, 2], [1, 3, 2], name)
    expected = [] if name in ("acc_eq", "tau_eq") else [tk.CalibrationWarning]
    assert [warning.category for warning in found] == expected
    assert all(warning.filename == __file__ and name in str(warning.message) for warning in found)


@given(matrices(("few", "tenths", "integers", "continuous")), st.sampled_from(["global", "item", "system"]))
@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_relative_differences_equal_trying_every_candidate(pair, grouping):
    found = tk.calibrate(*pair, grouping=grouping, difference="relative")
    parts = reference.groups(*[x.tolist() for x in pair], grouping)
    epsilon, value = reference.calibrate(parts, relative=True)
    assert (found.epsilon, found.value) == (epsilon, pytest.approx(value, abs=1e-12, nan_ok=True))
    assert "|difference:relative|" in found.signature


@given(vectors(families=("tenths", "continuous", "huge", "tiny")))
@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_relative_differences_of_vectors_of_any_size(pair):
    found = tk.calibrate(*pair, difference="relative")
    epsilon, value = reference.calibrate([pair], relative=True)
    assert (found.epsilon, found.value) == (epsilon, pytest.approx(value, abs=1e-12, nan_ok=True))


@given(matrices(("tenths", "continuous")), st.integers(-60, 60))
@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_a_scale_leaves_relative_differences_alone_and_stretches_absolute_ones(pair, power):
    human, metric = pair
    stretched = metric * 2.0**power
    for difference, factor in (("relative", 1.0), ("absolute", 2.0**power)):
        one, other = (tk.calibrate(human, scores, difference=difference) for scores in (metric, stretched))
        assert other.epsilon == one.epsilon * factor
        assert other.value == pytest.approx(one.value, abs=0, nan_ok=True)


def test_the_papers_example_of_a_relative_difference():
    """Limitations: 0.2 and 0.1 are as far apart as 100.2 and 100.1, absolutely."""
    human, metric = [1, 2, 3, 3], [0.1, 0.2, 100.1, 100.2]
    found = tk.calibrate(human, metric, difference="relative")
    assert (found.epsilon, found.value) == (1 - 100.1 / 100.2, 1.0)
    assert tk.calibrate(human, metric).value < 1
    with pytest.raises(tk.InputError, match=r"difference: must be one of absolute, relative, found 'ratio'"):
        tk.calibrate(human, metric, difference="ratio")


@given(matrices(("few", "tenths", "continuous")), st.sampled_from(["acc_eq", "tau_b", "tau_10"]))
@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_the_curve_of_few_candidates_has_them_all(pair, name):
    found = tk.calibrate(*pair, name)
    parts = reference.groups(*[x.tolist() for x in pair], "item")
    curve = found.curve(1000)
    assert curve["epsilon"].tolist() == reference.candidates(parts)
    for row in curve.itertuples():
        assert row.value == pytest.approx(tk.correlate(*pair, name, epsilon=row.epsilon).value, abs=0, nan_ok=True)
        assert row.value == pytest.approx(found.value_at(row.epsilon), abs=0, nan_ok=True)
    if parts and curve["value"].notna().any():
        assert curve["value"].max() == pytest.approx(found.value, abs=1e-12)
    acc = found.curve(1000, "acc_eq")["value"]
    assert acc.equals(tk.calibrate(*pair).curve(1000)["value"])


@given(vectors(max_size=8, families=("few", "tenths")), st.sampled_from([0.0, 0.1, 0.5, 2.0]))
def test_f1_of_ties_and_ranks_equal_counting_predictions(pair, epsilon):
    """Each pair is a prediction: <, = or >; F1 = 2 right / (claimed + wanted), and peers.md's 1 for nothing."""
    row = tk.calibrate(*pair).curve([epsilon]).iloc[0]
    c = reference.counts(*pair, epsilon)
    total = sum(c[s] for s in ("C", "D", "T_h", "T_m", "T_hm"))
    assert row["tied"] == pytest.approx((c["T_m"] + c["T_hm"]) / total if total else math.nan, nan_ok=True)
    ties = (c["T_hm"], c["T_hm"] + c["T_m"], c["T_hm"] + c["T_h"])
    ranks = (c["C"], c["C"] + c["D"] + c["T_h"], c["C"] + c["D"] + c["T_m"])
    for name, (right, claimed, wanted) in (("tie_f1", ties), ("rank_f1", ranks)):
        both = {(False, False): 1.0, (True, True): 2 * right / (claimed + wanted or 1)}
        assert row[name] == pytest.approx(both.get((claimed > 0, wanted > 0), 0.0))


def test_f1_by_hand():
    """peers.md section 8, for C 3, D 1, T_h 2, T_m 1, T_hm 3."""
    human, metric = [1, 1, 1, 2, 3], [0, 0, 1, 5, 5]
    c = tk.count_pairs(human, metric)
    assert (c.concordant, c.discordant, c.ties_human, c.ties_metric, c.ties_both) == (6, 0, 2, 1, 1)
    row = tk.calibrate(human, metric).curve([0]).iloc[0]
    assert row["tie_f1"] == pytest.approx(2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3))
    assert row["rank_f1"] == pytest.approx(2 * (6 / 8) * (6 / 7) / (6 / 8 + 6 / 7))


def test_a_curve_of_many_candidates_is_thinned_and_keeps_the_best():
    rng = np.random.default_rng(1)
    human, metric = rng.integers(0, 3, 300), rng.normal(size=300)
    found, heard = tk.calibrate(human, metric), []
    curve = found.curve(60, progress=heard.append)
    assert 60 <= len(curve) <= 65
    assert curve["epsilon"].is_monotonic_increasing
    assert curve["epsilon"].iloc[0] == 0
    assert curve["epsilon"].iloc[-1] == np.ptp(metric)
    assert curve.loc[curve["value"].idxmax(), "epsilon"] == found.epsilon
    assert curve["tied"].diff().max() < 0.06  # no gap along the pairs either
    assert heard[-1] == 1
    assert len(heard) == len(curve)


@pytest.mark.parametrize("points", [1, 0, -3, 2.5, "many", [-1.0], [float("nan")], ["a"], [1j]])
def test_a_curve_refuses(points):
    with pytest.raises(tk.InputError, match=r"(points|epsilon): (scores )?must be"):
        tk.calibrate([1, 2], [1, 2]).curve(points)


def test_a_curve_takes_numpys_whole_numbers_and_refuses_an_empty_coefficient():
    found = tk.calibrate([1, 2, 2, 3], [1, 2, 3, 5])
    assert found.curve(np.int64(60)).equals(found.curve(60))
    with pytest.raises(tk.InputError, match="coefficient: must be one of"):
        found.curve(coefficient="")


def test_a_curve_goes_on_to_a_difference_that_overflows():
    found = tk.calibrate([1, 1], [-1.7e308, 1.7e308])
    assert found.epsilon == math.inf
    assert found.curve()[["epsilon", "value"]].to_numpy().tolist() == [[0.0, 0.0], [math.inf, 1.0]]


@pytest.mark.filterwarnings("ignore::tiekit.CalibrationWarning")
def test_groups_are_those_in_the_mean():
    """τ_b by item of four segments; three are undefined at the epsilon that is best for the fourth."""
    human, metric = [[1, 1, 1, 1], [2, 2, 1, 1], [3, 3, 1, 2]], [[1, 1, 1, 1], [2, 1, 2, 2], [3, 1, 3, 1]]
    found = tk.calibrate(human, metric, "tau_b")
    at = tk.correlate(human, metric, "tau_b", epsilon=found.epsilon)
    assert (found.n_groups, found.n_undefined) == (at.n_groups, at.n_undefined) == (1, 3)
    assert "|groups:1|undefined_groups:3|" in found.signature


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_deviations_do_not_depend_on_the_scale(scale):
    found = tk.calibrate([1, 1, 1, 2], np.array([-1.0, 0.0, 1.0, 9.0]) * scale)
    assert found.epsilon == 2 * scale
    assert found.meaning.deviations == pytest.approx(2 / np.std([-1, 0, 1, 9]))


def test_a_curve_without_a_pair():
    curve = tk.calibrate([1.0], [1.0]).curve()
    assert curve["epsilon"].tolist() == [0.0]
    assert math.isnan(curve["value"][0])


def test_what_epsilon_means_by_hand():
    """Differences of m: 1, 2, 3, 1, 2, 1 and a tie; h ties three of ten pairs' kind of way."""
    found = tk.calibrate([1, 1, 1, 1, 9], [0.0, 0.0, 1.0, 2.0, 9.0])
    assert found.epsilon == 2
    meaning = found.meaning
    assert meaning.tied == 6 / 10
    assert meaning.tied_by_human == 6 / 10
    assert meaning.percentile == pytest.approx(100 * 5 / 9)  # nine pairs are told apart, five of them by 2 or less
    assert meaning.deviations == pytest.approx(2 / np.std([0, 0, 1, 2, 9]))
    relative = tk.calibrate([1, 1, 2], [1.0, 2.0, 50.0], difference="relative").meaning
    assert (relative.epsilon, math.isnan(relative.deviations)) == (0.5, True)


def test_what_epsilon_means_without_scores():
    meaning = tk.calibrate([], []).meaning
    assert math.isnan(meaning.tied)
    assert math.isnan(meaning.percentile)


def test_progress_is_heard_and_stops():
    rng = np.random.default_rng(3)
    human, metric = rng.integers(0, 3, 3000), rng.normal(size=3000)
    heard: list[float] = []
    tk.calibrate(human, metric, progress=heard.append)
    assert heard == sorted(heard)
    assert len(heard) > 3
    assert (heard[0] >= 0, heard[-1]) == (True, 1.0)

    class StopError(Exception):
        pass

    def stop(_share):
        raise StopError

    with pytest.raises(StopError):
        tk.calibrate(human, metric, progress=stop)
