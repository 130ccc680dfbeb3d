"""What docs/tie-bugs.md says that a constant metric scores is what the code of these threads computes."""

import numpy as np
import pytest
from scipy.stats import rankdata

import tiekit as tk


def by_distances(first, other):
    """Spearman's formula for scores without ties, of ranks."""
    n = len(first)
    return 1 - 6 * ((np.asarray(first) - np.asarray(other)) ** 2).sum() / (n * (n**2 - 1))


def test_a_judges_spearman():
    assert by_distances(rankdata([1, 1, 1]), rankdata([5, 5, 5])) == 1
    rho = by_distances(rankdata([5] * 5), rankdata([1, 2, 3, 4, 5]))
    assert (rho, (rho + 1) / 2) == (pytest.approx(0.5), pytest.approx(0.75))


@pytest.mark.parametrize(("scores", "value"), [([1, 2, 3, 4], 1), ([4, 3, 2, 1], -1)])
def test_a_textbooks_spearman(scores, value):
    in_order = np.argsort(np.argsort([1, 1, 1, 1], kind="stable")) + 1
    assert by_distances(in_order, rankdata(scores)) == pytest.approx(value)


def test_accuracy_and_multiple_choice():
    constant = np.zeros((7, 2))
    assert np.mean(np.argmax(constant, axis=1) == 0) == 1


def test_ranks_of_tied_entities():
    scores, right = np.zeros(50), 17
    assert 1 / (1 + (scores > scores[right]).sum()) == 1


def test_ndcg_in_the_best_order_and_on_average():
    truth = np.array([10, 0, 0, 1, 5])
    discounts = 1 / np.log2(np.arange(2, 7))
    best = np.sort(truth)[::-1] @ discounts
    assert truth.mean() * discounts.sum() / best == pytest.approx(0.690979, abs=1e-6)


def test_names_of_documents():
    assert 1 / np.log2(3) == pytest.approx(0.63, abs=0.005)  # the relevant one of two tied documents stands second


def test_one_vote_agrees_with_itself():
    assert tk.check_evaluator(lambda human, metric: by_distances(rankdata(human), rankdata(metric))).problems
