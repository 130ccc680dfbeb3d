"""Identical texts tied by the metric: equal to counting every pair."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests import reference
from tests.strategies import examples, matrices, vectors
from tiekit.core import _threshold_search, calibrate, correlate

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
COUNTED = [name for name, entry in tk.COEFFICIENTS.items() if entry.takes_epsilon]
GROUPINGS = st.sampled_from(["global", "item", "system", "document"])
PLAIN = vectors(families=("few", "tenths", "integers"))
DOCUMENTS = ["a", "b", "a", "a", "b", "c"]


@st.composite
def labeled(draw, pairs):
    """Human and metric scores with labels of few texts, some of them unknown."""
    human, metric = draw(pairs)
    shape = np.shape(human)
    labels = draw(st.lists(st.integers(-1, 2), min_size=math.prod(shape), max_size=math.prod(shape)))
    return human, metric, np.array(labels, np.int64).reshape(shape)


def groups_of(human, metric, labels, grouping):
    """Each group's cells: human, metric, and a text, which is the same only within a segment."""
    cells = [
        (r, c, human[r, c], metric[r, c], (c, labels[r, c]) if labels[r, c] >= 0 else (c, "unknown", r))
        for r, c in np.ndindex(human.shape)
        if not math.isnan(human[r, c] + metric[r, c])
    ]
    place = {
        "global": lambda *_: 0,
        "item": lambda _, c: c,
        "system": lambda r, _: r,
        "document": lambda _, c: DOCUMENTS[c],
    }[grouping]
    found = {}
    for r, c, *cell in cells:
        found.setdefault(place(r, c), []).append(cell)
    return [group for group in found.values() if len(group) > 1]


KINDS = ("C", "D", "T_h", "T_m", "T_hm")


def counts_of(group, epsilon=0.0, relative=False, margin=0.0, tie_human=False):
    """The counts of one group, pair by pair."""
    c = dict.fromkeys(KINDS, 0)
    for (h1, m1, t1), (h2, m2, t2) in combinations(group, 2):
        h2 = h1 if t1 == t2 and tie_human else h2
        if abs(h1 - h2) < margin:
            continue
        tied = t1 == t2 or reference.gap(m1, m2, relative) <= epsilon
        if h1 == h2:
            c["T_hm" if tied else "T_h"] += 1
        else:
            c["T_m" if tied else "C" if (h1 < h2) == (m1 < m2) else "D"] += 1
    return {**c, "n": len(group), "k": min(len({cell[side] for cell in group}) for side in (0, 1))}


def value_of(name, groups, *how):
    """The mean over groups, exact for acc_eq; NaN where none is defined."""
    values = []
    for c in (counts_of(group, *how) for group in groups):
        total = sum(c[s] for s in KINDS)
        exact = name == "acc_eq" and total
        value = Fraction(c["C"] + c["T_hm"], total) if exact else reference.coefficient(name, c)
        values += [] if value != value else [value]
    return sum(values) / len(values) if values else math.nan


def best_of(name, groups, relative=False, tie_human=False):
    """The smallest threshold with the highest value, by trying every one."""
    best = 0.0, Fraction(-2)
    gaps = {reference.gap(a[1], b[1], relative) for group in groups for a, b in combinations(group, 2)}
    for epsilon in sorted({0.0} | gaps):
        value = value_of(name, groups, epsilon, relative, 0.0, tie_human)
        if value > best[1] + (0 if name == "acc_eq" else 1e-12):
            best = epsilon, value
    return best[0], math.nan if best[1] == -2 else float(best[1])


class TestBruteForce:
    @examples(400)  # 10,000 in a campaign
    @given(
        labeled(matrices()), GROUPINGS, st.sampled_from(COUNTED), st.sampled_from([0.0, 0.1, 0.3, 1.5]), st.booleans()
    )
    def test_every_coefficient_and_grouping(self, drawn, grouping, name, epsilon, tie_human):
        human, metric, labels = drawn
        how = {"documents": DOCUMENTS[: human.shape[1]], "identical": labels, "tie_human": tie_human}
        found = correlate(human, metric, name, grouping=grouping, epsilon=epsilon, **how)
        expected = float(value_of(name, groups_of(*drawn, grouping), epsilon, False, 0.0, tie_human))
        assert found.value == pytest.approx(expected, abs=1e-12, nan_ok=True)

    @examples(150)
    @given(labeled(PLAIN), st.sampled_from(COUNTED))
    def test_vectors_are_one_group_in_which_labels_may_be_anywhere(self, drawn, name):
        human, metric, labels = (np.reshape(side, (-1, 1)) for side in drawn)
        found = correlate(*drawn[:2], name, identical=drawn[2], epsilon=0)
        groups = groups_of(human, metric, labels, "item")
        assert found.value == pytest.approx(float(value_of(name, groups)), abs=1e-12, nan_ok=True)

    @examples(400)
    @given(labeled(PLAIN), st.sampled_from([0.0, 0.1, 1.5]), st.sampled_from([0.0, 0.5, 3.0]), st.booleans())
    def test_pairs_and_ties_are_counted(self, drawn, epsilon, margin, tie_human):
        human, metric, labels = drawn
        how = {"epsilon": epsilon, "human_margin": margin, "identical": labels, "tie_human": tie_human}
        found = tk.count_pairs(human, metric, **how)
        group = next(iter(groups_of(*(np.reshape(side, (-1, 1)) for side in drawn), "item")), [])
        counts = counts_of(group, epsilon, False, margin, tie_human) if group else dict.fromkeys(KINDS, 0)
        assert found.row[:5].tolist() == [counts[kind] for kind in KINDS]
        ties = tk.count_ties(metric, where=human, tie_identical=labels)
        tied = tk.count_pairs(human, metric, identical=labels)
        assert (ties.n_tied, ties.n_pairs) == (tied.ties_metric + tied.ties_both, tied.total)

    @examples(100)
    @given(labeled(matrices()), st.sampled_from(["global", "item"]), st.sampled_from([0.5, 1.0, 3.0]), st.booleans())
    def test_a_human_margin_leaves_pairs_out(self, drawn, grouping, margin, tie_human):
        human, metric, labels = drawn
        how = {"human_margin": margin, "identical": labels, "tie_human": tie_human}
        found = correlate(human, metric, "tau_10", grouping=grouping, **how)
        expected = float(value_of("tau_10", groups_of(*drawn, grouping), 0.0, False, margin, tie_human))
        assert found.value == pytest.approx(expected, abs=1e-12, nan_ok=True)

    @examples(80)
    @given(labeled(matrices()), GROUPINGS, st.sampled_from(COUNTED))
    def test_pairs_of_all_groups_together(self, drawn, grouping, name):
        if not tk.COEFFICIENTS[name].poolable:
            return
        human, metric, labels = drawn
        how = {"grouping": grouping, "documents": DOCUMENTS[: human.shape[1]], "average": "pairs"}
        found = correlate(human, metric, name, epsilon=0.1, identical=labels, **how)
        each = [counts_of(group, 0.1) for group in groups_of(*drawn, grouping)]
        total = {symbol: sum(c[symbol] for c in each) for symbol in each[0]} if each else None
        expected = reference.coefficient(name, total) if total else math.nan
        assert found.value == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.fixture(params=[0, 1, 4, None], ids="lists of {} pairs".format)
def short_lists(request, monkeypatch):
    for what in ("LISTED", "REPLAYED") if request.param is not None else ():
        monkeypatch.setattr(_threshold_search, f"{what}_PER_SCORE", 0)
        monkeypatch.setattr(_threshold_search, f"{what}_AT_LEAST", request.param)


@pytest.mark.usefixtures("short_lists")
class TestCalibration:
    @examples(150)
    @given(labeled(matrices()), GROUPINGS, st.sampled_from(["absolute", "relative"]), st.booleans())
    def test_acc_eq_equals_trying_every_threshold(self, drawn, grouping, difference, tie_human):
        human, metric, labels = drawn
        how = {"grouping": grouping, "documents": DOCUMENTS[: human.shape[1]], "difference": difference}
        found = calibrate(human, metric, identical=labels, tie_human=tie_human, **how)
        epsilon, value = best_of("acc_eq", groups_of(*drawn, grouping), difference == "relative", tie_human)
        assert (found.epsilon, found.value) == (epsilon, pytest.approx(value, abs=1e-12, nan_ok=True))

    @examples(100)
    @given(labeled(matrices(("few", "tenths"))), GROUPINGS, st.sampled_from(COUNTED), st.booleans())
    def test_every_coefficient_equals_trying_every_threshold(self, drawn, grouping, name, tie_human):
        human, metric, labels = drawn
        how = {"documents": DOCUMENTS[: human.shape[1]], "identical": labels, "tie_human": tie_human}
        found = calibrate(human, metric, name, grouping=grouping, **how)
        epsilon, value = best_of(name, groups_of(*drawn, grouping), False, tie_human)
        assert (found.epsilon, found.value) == (epsilon, pytest.approx(value, abs=1e-9, nan_ok=True))

    @examples(60)
    @given(labeled(matrices()), GROUPINGS, st.sampled_from(["absolute", "relative"]), st.sampled_from([20, 200]))
    def test_the_curve_is_counted_at_every_point(self, drawn, grouping, difference, points):
        human, metric, labels = drawn
        how = {"grouping": grouping, "documents": DOCUMENTS[: human.shape[1]], "difference": difference}
        curve = calibrate(human, metric, identical=labels, **how).curve(points)
        groups = groups_of(*drawn, grouping)
        for epsilon, value in zip(curve["epsilon"], curve["value"], strict=True):
            expected = float(value_of("acc_eq", groups, epsilon, difference == "relative"))
            assert value == pytest.approx(expected, abs=1e-12, nan_ok=True)


HUMAN, METRIC = [[1, 2, 3], [1, 4, 2], [5, 2, 2]], [[0.1, 0.2, 0.3], [0.2, 0.4, 0.1], [0.3, 0.3, 0.2]]
SAME = [[0, 0, 1], [0, 1, 0], [1, 0, -1]]


class TestArguments:
    def test_unknown_texts_and_different_ones_change_nothing(self):
        for labels in (np.full((3, 3), -1), np.arange(9).reshape(3, 3)):
            one, other = (correlate(HUMAN, METRIC, "acc_eq", identical=what) for what in (labels, None))
            assert one.value == other.value
            assert f"|identical:{one.identical[:12]}|" in one.signature
            assert "identical" not in other.signature

    def test_the_signature_of_a_calibration_says_it(self):
        found = calibrate(HUMAN, METRIC, identical=SAME)
        assert f"|identical:{found.identical[:12]}|" in found.signature
        assert "identical" not in calibrate(HUMAN, METRIC).signature
        for function in (correlate, calibrate):
            both = function(HUMAN, METRIC, "acc_eq", identical=SAME, tie_human=True)
            assert f"|identical:{found.identical[:12]}|tie_human:True|" in both.signature
            assert "tie_human" not in function(HUMAN, METRIC, "acc_eq", identical=SAME).signature

    @pytest.mark.parametrize(
        ("labels", "message"), [([[0.5] * 3] * 3, "whole numbers"), ([[0, 1]], "shape"), ([["a"] * 3] * 3, "whole")]
    )
    def test_labels_are_whole_numbers_of_the_shape(self, labels, message):
        for function in (correlate, calibrate):
            with pytest.raises(tk.errors.InputError, match=f"identical: .*{message}"):
                function(HUMAN, METRIC, "acc_eq", identical=labels)

    @pytest.mark.parametrize(
        ("asked", "message"),
        [
            ({"coefficient": "pearson"}, "pearson knows no ties"),
            ({"coefficient": "spa"}, "spa knows no ties"),
            ({"grouping": "system_means"}, "system_means compares means"),
            ({"grouping": "document_means", "documents": ["a", "a", "b"]}, "document_means compares means"),
        ],
    )
    def test_what_has_no_texts_or_no_ties_is_refused(self, asked, message):
        with pytest.raises(tk.errors.InputError, match=f"identical: {message}"):
            correlate(HUMAN, METRIC, **asked, identical=SAME)

    def test_the_human_score_ties_known_texts_alone(self):
        for function in (correlate, calibrate, tk.correlate, tk.calibrate):
            with pytest.raises(tk.errors.InputError, match=r"tie_human: .*say first which are identical"):
                function(HUMAN, METRIC, "acc_eq", tie_human=True)
        with pytest.raises(tk.errors.InputError, match="tie_human: "):
            tk.count_pairs(HUMAN[0], METRIC[0], tie_human=True)

    def test_labels_are_matched_as_scores_are(self):
        human, metric, labels = (pd.DataFrame(one, list("ABC"), list("xyz")) for one in (HUMAN, METRIC, SAME))
        moved = labels.loc[["B", "C", "A"], ["z", "x", "y"]]
        for function in (correlate, calibrate):
            ours, plain = (function(human, metric, "acc_eq", identical=one) for one in (moved, labels.to_numpy()))
            assert ours.value == plain.value
            assert ours.identical == plain.identical
        rows = human.loc["A"], metric.loc["A"]
        assert tk.count_pairs(*rows, identical=moved.loc["A"]) == tk.count_pairs(*rows, identical=SAME[0])
        ties = tk.core.count_ties(metric, identical=moved)
        assert ties == tk.core.count_ties(METRIC, identical=SAME) == tk.count_ties(metric, tie_identical=moved)
        assert ties.n_tied > tk.count_ties(METRIC).n_tied

    def test_a_threshold_is_not_transferred_to_scores_without_labels(self):
        with pytest.raises(tk.errors.InputError, match="calibration: identical texts are tied"):
            tk.transfer(calibrate(HUMAN, METRIC, identical=SAME), HUMAN, METRIC)
