"""Precision, recall, F1 and re-ranking precision: by hand, by brute force, and on held-out documents."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import examples, matrices
from tiekit.classification import GOOD, PERFECT, best_threshold, classify, rerank
from tiekit.readers import read_appraise, read_humeval

NAN = np.nan

SAMPLES = Path(__file__).parent / "readers" / "samples"


def test_by_hand():
    human = [0, -1, -4, -5, -25, 0, NAN]
    metric = [0.9, 0.2, 0.8, 0.7, 0.1, NAN, 0.9]
    found = classify(human, metric, GOOD, threshold=0.5)
    # Good: 0, -1, -4. Predicted: 0.9, 0.8, 0.7. Two of them are good, and one good one is missed.
    assert found.counts == (2, 1, 1, 1)
    assert (found.precision, found.recall, found.f1) == (2 / 3, 2 / 3, 2 / 3)
    assert found.base_rate == 3 / 5
    assert found.f1_of_all == pytest.approx(2 * 3 / (2 * 3 + 2))
    assert float(found) == found.f1
    perfect = classify(human, metric, PERFECT, threshold=0.85)
    assert perfect.counts == (1, 0, 1, 3)
    assert (perfect.precision, perfect.recall, perfect.f1) == (1, 0.5, 2 / 3)


def test_what_is_undefined_is_nan():
    found = classify([-9, -9], [1, 2], threshold=5)
    assert math.isnan(found.precision)
    assert math.isnan(found.recall)
    assert math.isnan(found.f1)
    assert math.isnan(found.f1_interval[0])
    assert classify([-9, 0], [1, 2], threshold=5).recall == 0
    nothing = classify(np.empty((3, 0)), np.empty((3, 0)), threshold=5)
    assert nothing.counts == (0, 0, 0, 0)
    assert all(math.isnan(number) for number in (nothing.precision, nothing.base_rate, *nothing.f1_interval))


def f1_at(good, metric, threshold):
    taken = metric >= threshold
    return 2 * (good & taken).sum() / (good.sum() + taken.sum())


@given(matrices(("few", "tenths")))
def test_the_threshold_is_the_best_of_all(pair):
    human, metric = (side.ravel() for side in pair)
    used = ~(np.isnan(human) | np.isnan(metric))
    good = human >= 0.4
    found = best_threshold(good, metric, used)
    if not good[used].any():
        assert found == math.inf
        return
    values = {one: f1_at(good[used], metric[used], one) for one in np.unique(metric[used])}
    assert found == max(one for one, value in values.items() if value == max(values.values()))


def test_thresholds_come_from_other_documents():
    rng = np.random.default_rng(0)
    human = rng.integers(-8, 1, (4, 30)).astype(float)
    metric = np.round(human + rng.normal(size=human.shape), 1)
    documents = [f"d{column // 3}" for column in range(30)]
    found = classify(human, metric, documents=documents, folds=3, n_resamples=200)
    from tiekit.core.cross_validation import assign_folds

    fold_of, _ = assign_folds(30, 3, documents)
    counts = np.zeros(4, int)
    for fold in range(3):
        at = best_threshold(human >= GOOD, metric, np.broadcast_to(fold_of != fold, human.shape))
        assert found.thresholds[fold] == at
        inside, taken, good = fold_of == fold, metric >= at, human >= GOOD
        for place, kind in enumerate((good & taken, ~good & taken, good & ~taken, ~good & ~taken)):
            counts[place] += kind[:, inside].sum()
    assert found.counts == tuple(counts)
    assert found.f1_interval[0] < found.f1 < found.f1_interval[1]
    assert found == found
    again = classify(human, metric, documents=documents, folds=3, n_resamples=200)
    assert again.f1_interval == found.f1_interval


def test_a_condition_makes_fewer_good():
    esa, no_span = [90, 86, 95, 10], np.array([True, False, True, True])
    found = classify(esa, [3, 2, 1, 0], tk.classification.ERROR_FREE, condition=no_span, threshold=2)
    assert found.counts == (1, 1, 1, 1)
    with pytest.raises(tk.InputError, match="condition: must be true or false in the shape"):
        classify(esa, [3, 2, 1, 0], 85, condition=[1, 0, 1, 1], threshold=2)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"threshold": "x"}, "threshold"), ({"folds": 1}, "folds"), ({"threshold": 1, "confidence": 2}, "confidence")],
)
def test_what_is_refused(options, message):
    with pytest.raises(tk.InputError, match=message):
        classify([0, -1, -9], [1, 2, 3], **options)


@examples(100)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=20))
def test_on_binary_data_four_coefficients_are_one(cells):
    """Pearson = Spearman = tau_b = phi, which is Matthews's correlation."""
    human, metric = np.array(cells, float).T
    found = [tk.correlate(human, metric, name).value for name in ("pearson", "spearman", "tau_b")]
    tp, fp, fn, tn = classify(human, metric, 1, threshold=1, n_resamples=1).counts
    bottom = math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    np.testing.assert_allclose(found, (tp * tn - fp * fn) / bottom if bottom else NAN, atol=1e-12)


def test_error_free_is_a_high_esa_without_a_span():
    rows = [("A", 0, 90, "[]"), ("A", 1, 95, '[{"severity": "minor"}]'), ("B", 0, 60, "[]"), ("B", 1, 85, "[]")]
    lines = []
    for system, line, score, spans in rows:
        quoted = spans.replace('"', '""')
        lines.append(f'a1,{system},{line},TGT,eng,jpn,{score},d,False,"{quoted}",1,2\n')
    data = read_appraise({"esa.csv": "".join(lines).encode()}, spans=True)
    assert data.human["spans"].tolist() == [[0, -1], [0, 0]]
    data = data.with_metric("m", [[4, 3], [2, 1]])
    found = classify(data, "m", tk.classification.ERROR_FREE, condition=data.human["spans"] == 0, threshold=3)
    # Free of errors: A1 and B2. Predicted: A1 and A2.
    assert found.counts == (1, 1, 1, 1)
    with pytest.raises(tk.ReadError, match="expected a list in JSON"):
        read_appraise({"esa.csv": b"a1,A,0,TGT,eng,jpn,80,d,False,x,1,2\n"}, spans=True)


def test_spans_of_wmt25_are_counted():
    data = read_humeval(SAMPLES / "humeval_2025.jsonl", language_pair="cs-de_DE", spans=True)
    assert data.gold == "esa-human1"
    at = {name: place for place, name in enumerate(data.systems)}
    assert [data.human["spans"][at[name], 0] for name in ("Kite", "Moth", "refA")] == [0, -1, 0]
    assert "spans" not in read_humeval(SAMPLES / "humeval_2025.jsonl", language_pair="cs-de_DE").human


def by_sets(human, metric, epsilon):
    found = []
    for h, m in zip(human.T, metric.T, strict=True):
        cells = [i for i in range(h.size) if not (np.isnan(h[i]) or np.isnan(m[i]))]
        if len(cells) < 2:
            found.append(NAN)
            continue
        best_human = {i for i in cells if h[i] == max(h[j] for j in cells)}
        best_metric = {i for i in cells if max(m[j] for j in cells) - m[i] <= epsilon}
        found.append(len(best_human & best_metric) / len(best_metric))
    return found


@given(matrices(("few", "tenths")), st.sampled_from([0, 0.1, 2]))
def test_best_translations_are_sets(pair, epsilon):
    found = rerank(*pair, epsilon=epsilon, n_resamples=5)
    expected = by_sets(*pair, epsilon)
    np.testing.assert_allclose(found.per_item, expected)
    assert found.value == pytest.approx(np.nanmean(expected) if not np.isnan(expected).all() else NAN, nan_ok=True)


def test_reranking_by_hand():
    found = rerank([[0, -1], [-5, -1], [0, NAN]], [[3, 5], [3, 4], [1, 9]], n_resamples=99)
    assert found.per_item.tolist() == [0.5, 1]
    assert (found.value, found.chance, found.n_items) == (0.75, (2 / 3 + 1) / 2, 2)
    assert (found.best_of_metric, found.best_of_human) == (1.5, 2)
    assert found.low <= found.value <= found.high
    assert float(found) == 0.75


def test_a_constant_metric_is_as_good_as_chance():
    human = np.random.default_rng(0).integers(-3, 1, (5, 40)).astype(float)
    found = rerank(human, np.zeros_like(human))
    assert found.value == pytest.approx(found.chance)


def test_what_is_refused_and_empty():
    with pytest.raises(tk.InputError, match="shape"):
        rerank([1, 2], [1, 2])
    assert math.isnan(rerank([[1, 2]], [[1, 2]]).value)
    nothing = rerank(np.empty((3, 0)), np.empty((3, 0)))
    assert nothing.n_items == 0
    assert all(math.isnan(number) for number in (nothing.value, nothing.low, nothing.high, nothing.chance))
