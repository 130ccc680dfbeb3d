"""A metric against judgments, counted one by one."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

import tiekit as tk
from tests.judgments.by_hand import CAPPED, plain, plain_value, row_lists
from tests.strategies import examples


@examples(25)
@given(row_lists(systems="ABCD"), st.sampled_from(CAPPED), st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_a_judged_metric_is_counted_judgment_by_judgment(rows, name, numbers):
    cells = [(system, segment) for system in "ABCD" for segment in "12"]
    scores = dict(zip(cells, numbers, strict=True))
    rankings = tk.judgments.Rankings.from_rows(rows)
    found = tk.judgments.judge_metric(rankings, scores, name)
    expected = plain_value(plain(rows), scores, name)
    assert found.value == pytest.approx(float("nan") if expected is None else float(expected), nan_ok=True, abs=1e-15)
    assert found.counts.total == len(plain(rows))
    assert found.weighted_mean == pytest.approx(found.value, nan_ok=True, abs=1e-12)
    for number, row in found.sets.iterrows():
        of_set = plain_value([one for one in plain(rows) if one[1] == number], scores, name)
        assert row["value"] == pytest.approx(float("nan") if of_set is None else float(of_set), nan_ok=True)
    frame = pd.Series(scores).unstack()  # noqa: PD010
    for same in (frame, frame.reindex(index=rankings.systems, columns=rankings.segments).to_numpy()):
        assert tk.judgments.judge_metric(rankings, same, name).signature == found.signature


def test_the_tau_of_a_set_is_kendalls_and_the_whole_is_no_tau():
    """Untied sets: SciPy's τ of each; the mean of five-item τ; and one τ of all translations is another number."""
    rng = np.random.default_rng(7)
    ranks, scores = [rng.permuted(np.arange(1, 6)) for _ in range(6)], rng.normal(size=(5, 6))
    names = list("ABCDE")
    rows = [("x", str(i), dict(zip(names, rank.tolist(), strict=True))) for i, rank in enumerate(ranks)]
    found = tk.judgments.judge_metric(tk.judgments.Rankings.from_rows(rows), scores, "tau_14")
    taus = [kendalltau(-rank, scores[:, i]).statistic for i, rank in enumerate(ranks)]
    np.testing.assert_allclose(found.sets["value"], taus)
    assert found.value == pytest.approx(np.mean(taus)) == pytest.approx(found.mean)
    flat_ranks, flat_scores = -np.array(ranks), scores.T
    pairs = [np.sign(x[:, None] - x[None, :]) for x in (flat_ranks.ravel(), flat_scores.ravel())]
    ordered = pairs[0] != 0
    assert found.pooled == pytest.approx((pairs[0] * pairs[1])[ordered].mean())
    assert abs(found.pooled - found.value) > 0.01


def test_sets_weigh_by_the_pairs_that_count():
    """The set of three pairs is right, that of one wrong: (3 − 1) / 4, while the sets' mean is 0."""
    rows = [("x", "1", {"A": 1, "B": 2, "C": 3}), ("x", "2", {"A": 1, "B": 2, "C": 2}), ("x", "2", {"B": 1, "C": 1})]
    scores = {("A", "1"): 3, ("B", "1"): 2, ("C", "1"): 1, ("A", "2"): 1, ("B", "2"): 2, ("C", "2"): None}
    found = tk.judgments.judge_metric(tk.judgments.Rankings.from_rows(rows), scores)
    assert (found.value, found.mean, found.sets["weight"].tolist()) == (0.5, 0, [3, 1])
    assert (found.n_missing, found.counts.n_missing, found.counts.n_scores) == (3, 1, 5)


def test_close_scores_tie():
    rankings = tk.judgments.Rankings.from_rows([("x", "1", {"A": 1, "B": 2, "C": 3})])
    scores = {("A", "1"): 0.75, ("B", "1"): 0.25, ("C", "1"): -1.0}
    assert tk.judgments.judge_metric(rankings, scores, "tau_10", epsilon=0.5).value == 1 / 3  # inclusive
    assert tk.judgments.judge_metric(rankings, scores, "tau_10", epsilon=0.4999).value == 1
