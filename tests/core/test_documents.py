"""Documents as units: which pairs a grouping by document compares, means of documents, and who is refused."""

from __future__ import annotations

import math
import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests import reference
from tests.strategies import examples, matrices
from tiekit.core.cross_validation import assign_folds
from tiekit.core.grouping import document_means, document_places, group

DATA = tk.EvalSet(
    "toy",
    "",
    ("A", "B", "C"),
    tuple("12345"),
    {"h": [[0, 1, 2, 5, 1], [1, 1, 2, 1, 2], [2, 0, 2, 3, 3]]},
    {"m": [[3, 1, 2, 4, 4], [1, float("nan"), 2, 1, 2], [2, 0, 2, 9, 3]]},
    documents=("d1", "d2", "d1", "d2", "d2"),
)
NAMES = st.lists(st.sampled_from("xyz"), min_size=6, max_size=6)


def values(human, metric, documents, name):
    """One value per document, from all pairs of its translations by the definition."""
    found = []
    for document in dict.fromkeys(documents):
        inside = [place for place, one in enumerate(documents) if one == document]
        cells = reference.counts(human[:, inside].ravel().tolist(), metric[:, inside].ravel().tolist())
        found.append(reference.coefficient(name, cells) if cells["n"] > 1 else math.nan)
    return found


@given(matrices(("few", "tenths")), NAMES, st.sampled_from(["acc_eq", "tau_b", "tau_10"]))
def test_all_pairs_within_a_document_are_compared(pair, names, coefficient):
    human, metric = pair
    documents = names[: human.shape[1]]
    found = tk.correlate(human, metric, coefficient, grouping="document", documents=documents)
    np.testing.assert_allclose(found.per_group, values(human, metric, documents, coefficient), rtol=1e-12)


@given(matrices(("few", "integers")), NAMES)
def test_means_of_documents_are_items(pair, names):
    human, metric = pair
    documents = names[: human.shape[1]]
    scored = ~(np.isnan(human) | np.isnan(metric))
    means = np.full((2, human.shape[0], len(set(documents))), np.nan)
    for place, document in enumerate(dict.fromkeys(documents)):
        for system in range(human.shape[0]):
            cells = [j for j, name in enumerate(documents) if name == document and scored[system, j]]
            if cells:
                means[:, system, place] = human[system, cells].mean(), metric[system, cells].mean()
    # Quarter, third and half steps of small numbers: means that are equal differ by rounding alone.
    means = np.round(means, 9)
    found = tk.correlate(human, metric, "acc_eq", grouping="document_means", documents=documents)
    np.testing.assert_allclose(found.per_group, tk.correlate(*means, "acc_eq", grouping="item").per_group)


def test_near_equal_means_of_a_document_tie():
    scores = np.array([[0.3, 0.1, 0.2], [0.4, 0.2, 0.0]])
    assert math.fsum(scores[0]) != math.fsum(scores[1])
    counts = tk.correlate(scores, scores, "acc_eq", grouping="document_means", documents=["d"] * 3)
    assert group(scores, scores, "document_means", ["d"] * 3).scores.n_ranks == 1
    assert counts.value == 1


def test_every_function_that_knows_documents_says_the_same():
    for by in ("document", "document_means"):
        one = tk.correlate(DATA, "m", grouping=by)
        given_by_hand = tk.correlate(DATA.human["h"], DATA.metrics["m"], grouping=by, documents=DATA.documents)
        board = tk.leaderboard(DATA, grouping=by, coefficients="acc_eq", calibrated="acc_eq")
        by_measure = tk.measures.evaluate_measures(DATA, measures=[f"{by}/acc_eq", f"{by}/acc_eq*", f"{by}/pearson"])
        best = tk.calibrate(DATA, "m", grouping=by)
        assert one.value == given_by_hand.value == board.loc["m", "acc_eq"] == by_measure.loc["m", f"{by}/acc_eq"]
        assert best.value == board.loc["m", "acc_eq*"] == by_measure.loc["m", f"{by}/acc_eq*"]
        assert best.value == tk.correlate(DATA, "m", "acc_eq*", grouping=by).value
        assert one.n_groups == 2
        assert tk.transfer(best, DATA, "m").value == best.value
        assert tk.cross_validate(DATA, "m", grouping=by, folds=2).in_sample.value == best.value


def test_order_of_segments_does_not_matter():
    order = [4, 0, 2, 1, 3]
    names = [DATA.documents[place] for place in order]
    human, metric = DATA.human["h"][:, order], DATA.metrics["m"][:, order]
    for by in ("document", "document_means"):
        moved = tk.correlate(human, metric, grouping=by, documents=names)
        assert moved.value == tk.correlate(DATA, "m", grouping=by).value


@pytest.mark.parametrize("by", ["document", "document_means"])
def test_scores_without_documents_are_refused(by):
    human, metric = np.array(DATA.human["h"]), np.array(DATA.metrics["m"])
    asks = [
        lambda: tk.correlate(human, metric, grouping=by),
        lambda: tk.calibrate(human, metric, grouping=by),
        lambda: tk.cross_validate(human, metric, grouping=by, folds=2),
        lambda: tk.measures.evaluate_measures(human, {"m": metric}, f"{by}/acc_eq"),
        lambda: tk.reasons_per_group(human, metric, grouping=by),
        lambda: tk.count_ties(human, grouping=by),
        lambda: tk.significance.bootstrap_interval(human, metric, grouping=by),
        lambda: tk.significance.permutation_test(human, metric, metric, grouping=by),
        lambda: tk.correlate(DATA, "m", "pairwise_accuracy", grouping=by),
    ]
    for ask in asks:
        with pytest.raises(tk.InputError, match="document"):
            ask()


@given(matrices(("few", "tenths")), NAMES)
def test_ties_and_reasons_are_those_of_each_document(pair, names):
    human, metric = pair
    documents, tied, total = names[: human.shape[1]], 0, 0
    both = ~(np.isnan(human) | np.isnan(metric))
    reasons = tk.reasons_per_group(human, metric, grouping="document", documents=documents)
    for document, reason in zip(dict.fromkeys(documents), reasons, strict=True):
        inside = both & (np.array(documents) == document)
        pairs = list(combinations(zip(human[inside], metric[inside], strict=True), 2))
        tied += sum(one[1] == other[1] for one, other in pairs)
        total += len(pairs)
        no_order = bool(pairs) and all(one[1] == other[1] for one, other in pairs)
        assert ("all metric scores tie" in reason) == no_order
    ties = tk.count_ties(metric, grouping="document", where=human, documents=documents)
    assert (ties.n_tied, ties.n_pairs) == (tied, total)


def test_documents_must_fit():
    with pytest.raises(tk.InputError, match="one name for each of the 5 segments, found 2"):
        tk.correlate(DATA.human["h"], DATA.metrics["m"], grouping="document", documents=["a", "b"])
    with pytest.raises(tk.InputError, match="documents: must be a sequence of names"):
        tk.correlate(DATA.human["h"], DATA.metrics["m"], grouping="document", documents="a")


def test_measures_by_document_are_listed_on_request():
    extra = set(tk.measures.all_measures(documents=True)) - set(tk.measures.all_measures())
    assert {"document/acc_eq*", "document_means/tau_b"} < extra
    assert len(extra) == 36


def apart(human, metric, margin, epsilon):
    """Counts of the pairs that differ by the margin, by the definition."""
    kept = dict.fromkeys(("C", "D", "T_m"), 0)
    cells = [(h, m) for h, m in zip(human, metric, strict=True) if not (math.isnan(h) or math.isnan(m))]
    for (h1, m1), (h2, m2) in combinations(cells, 2):
        if abs(h1 - h2) >= margin:
            kept["T_m" if abs(m1 - m2) <= epsilon else "C" if (h1 < h2) == (m1 < m2) else "D"] += 1
    return kept


@examples(200)
@given(matrices(("few", "tenths", "integers")), st.sampled_from([0.5, 1.0, 3, 25]), st.sampled_from([0, 0.1, 2]))
def test_pairs_within_the_margin_are_left_out(pair, margin, epsilon):
    human, metric = pair
    found = tk.count_pairs(human.ravel(), metric.ravel(), epsilon=epsilon, human_margin=margin)
    kept = apart(human.ravel(), metric.ravel(), margin, epsilon)
    assert (found.concordant, found.discordant, found.ties_metric) == (kept["C"], kept["D"], kept["T_m"])
    assert (found.ties_human, found.ties_both) == (0, 0)
    by_item = tk.correlate(human, metric, "tau_10", grouping="item", epsilon=epsilon, human_margin=margin)
    expected = []
    for column in range(human.shape[1]):
        one = apart(human[:, column], metric[:, column], margin, epsilon)
        total = sum(one.values())
        expected.append((one["C"] - one["D"] - one["T_m"]) / total if total else math.nan)
    np.testing.assert_allclose(by_item.per_group, expected)


def test_a_leaderboard_leaves_out_the_same_pairs():
    board = tk.leaderboard(DATA, coefficients=["tau_10", "acc_eq"], calibrated=(), human_margin=2)
    for name in ("tau_10", "acc_eq"):
        assert board.loc["m", name] == tk.correlate(DATA, "m", name, human_margin=2).value
        assert "human_margin:2" in board.attrs["signatures"][name]["m"]
    assert board.loc["m", "tau_10"] != tk.correlate(DATA, "m", "tau_10").value


def test_a_margin_is_for_pairs_and_without_calibration():
    for coefficient, text in (
        ("pearson", "not made of pairs"),
        ("tau_c", "not made of pairs"),
        ("acc_eq*", "calibrated"),
    ):
        with pytest.raises(tk.InputError, match=f"human_margin: .*{text}"):
            tk.correlate([1, 2, 3], [1, 2, 3], coefficient, human_margin=1)
    with pytest.raises(tk.InputError, match="human_margin: must be 0 where epsilon is calibrated"):
        tk.leaderboard(DATA, coefficients="tau_10", calibrated="acc_eq", human_margin=1)
    with pytest.raises(tk.InputError, match="human_margin: must be a number of at least 0"):
        tk.count_pairs([1, 2], [1, 2], human_margin=-1)


def test_a_margin_is_in_the_signature():
    assert "human_margin" in tk.correlate([1, 2, 9], [1, 2, 3], "tau_10", human_margin=5).signature
    assert "human_margin" not in tk.correlate([1, 2, 9], [1, 2, 3], "tau_10").signature


def test_many_documents_take_no_array_of_segments_for_each():
    scores = np.random.default_rng(1).random((2, 5_000))
    tracemalloc.start()
    means = document_means(scores, scores > 0.1, np.arange(5_000), 5_000)
    assert tracemalloc.get_traced_memory()[1] < 4_000_000, "of 25 million pairs of a document and a segment"
    tracemalloc.stop()
    assert np.array_equal(means, np.where(scores > 0.1, scores, np.nan), equal_nan=True)


def test_a_long_name_does_not_count_for_every_segment():
    names = ["x" * 1_000, *map(str, range(20_000))]
    tracemalloc.start()
    places, number = document_places(names, len(names))
    fold, _ = assign_folds(len(names), 2, names)
    assert tracemalloc.get_traced_memory()[1] < 8_000_000, "of 80 MB in an array of texts"
    tracemalloc.stop()
    assert places.tolist() == [*range(number)]
    assert abs(int((fold == 0).sum() - (fold == 1).sum())) <= 1


@pytest.mark.parametrize("documents", [[["a"], ["b"]], np.array([["a"], ["b"]]), "ab", 5, {"a": 1, "b": 2}])
def test_names_that_are_no_row_are_refused(documents):
    with pytest.raises(tk.InputError, match="documents: must be a sequence of names, one per segment"):
        document_places(documents, 2)
