"""Sentinels by document: shares of ties, held-out documents and correlations equal groups that are built by hand."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.sentinels import (
    calibrate_reweighted,
    held_out_shares,
    keep_for_share,
    metric_correlations,
    rank_intervals,
    tie_shares,
)

DOCUMENTS = ["a", "b", "a", "c", "b", "b", "d", "b", "d"]  # of 1, 2 and 4 segments, so that means of halves are exact
BOTH = pytest.mark.parametrize("by", ["document", "document_means"])


def made(seed, levels):
    """Whole scores of five systems in few levels, some missing."""
    rng = np.random.default_rng(seed)
    return rng.integers(0, levels, (5, len(DOCUMENTS))).astype(float) * 4


HUMAN, METRIC = made(1, 3), made(2, 6)
METRIC[2, 3] = np.nan  # the only segment of its document, so no mean changes its divisor


def pairs(human, metric, documents, by):
    """Every pair that is compared, one row each: its document and both differences."""
    cells = pd.DataFrame(
        [
            (system, document, human[system, place], metric[system, place])
            for place, document in enumerate(documents)
            for system in range(len(human))
        ],
        columns=["system", "document", "human", "metric"],
    ).dropna()
    if by == "document_means":
        cells = cells.groupby(["document", "system"], as_index=False)[["human", "metric"]].mean()
    rows = [
        (document, one.human - other.human, one.metric - other.metric)
        for document, rows in cells.groupby("document")
        for one, other in combinations(rows.itertuples(), 2)
    ]
    return pd.DataFrame(rows, columns=["document", "human", "metric"])


def acc_eq(found, epsilon=0.0, tied=1.0, untied=1.0):
    """The mean over documents of the weight of right pairs."""
    ties = found["metric"].abs() <= epsilon
    right = np.where(found["human"] == 0, ties, ~ties & (np.sign(found["human"]) == np.sign(found["metric"])))
    weight = np.where(found["human"] == 0, tied, untied)
    sums = pd.DataFrame({"right": right * weight, "all": weight}).groupby(found["document"].to_numpy()).sum()
    return (sums["right"] / sums["all"])[sums["all"] > 0].mean()


def best(found, **weights):
    """The smallest threshold with the largest mean, and that mean."""
    values = {e: acc_eq(found, e, **weights) for e in sorted({0.0, *found["metric"].abs()})}
    top = max(values.values())
    return next((e, top) for e, value in values.items() if value > top - 1e-12)


@BOTH
def test_shares_of_ties_are_of_the_pairs_of_documents(by):
    found, by_hand = {}, pairs(HUMAN, METRIC, DOCUMENTS, by)
    own = (pairs(HUMAN, HUMAN, DOCUMENTS, by)["human"] == 0).mean()
    found = tie_shares(HUMAN, {"m": METRIC}, grouping=by, documents=DOCUMENTS, shares=[0.0, own, 0.8])
    assert 0 < own < 0.8
    for row in found.itertuples():
        epsilon, value = best(by_hand, tied=row.keep_tied, untied=row.keep_untied)
        assert (row.epsilon, row.value) == (epsilon, pytest.approx(value, abs=1e-12))
        zero = acc_eq(by_hand, tied=row.keep_tied, untied=row.keep_untied)
        assert row.value_at_zero == pytest.approx(zero, abs=1e-12)
    assert found["own"].tolist() == [False, True, False]
    keep = keep_for_share(HUMAN, 0.8, grouping=by, documents=DOCUMENTS)
    assert tuple(keep) == tuple(found[["keep_tied", "keep_untied"]].iloc[2])
    one = calibrate_reweighted(
        HUMAN, METRIC, grouping=by, documents=DOCUMENTS, keep_tied=keep.tied, keep_untied=keep.untied
    )
    assert (one.epsilon, one.value) == (found["epsilon"][2], found["value"][2])


@BOTH
def test_whole_documents_are_held_out(by):
    found = held_out_shares(HUMAN, {"m": METRIC}, grouping=by, documents=DOCUMENTS, shares=[0.3], held_out=0.5, rng=3)
    places = list(dict.fromkeys(DOCUMENTS))
    held = {places[place] for place in np.random.default_rng(3).permutation(4)[:2]}
    inside = np.array([document in held for document in DOCUMENTS])
    parts = []
    for part in (inside, ~inside):
        names = [name for name, kept in zip(DOCUMENTS, part, strict=True) if kept]
        parts.append(pairs(HUMAN[:, part], METRIC[:, part], names, by))
    row = found.iloc[0]
    epsilon, _ = best(parts[0], tied=row["keep_tied"], untied=row["keep_untied"])
    assert row["epsilon"] == epsilon
    assert row["value"] == pytest.approx(acc_eq(parts[1], epsilon), abs=1e-12)
    assert (row["in_sample_epsilon"], row["in_sample"]) == (best(parts[1])[0], pytest.approx(best(parts[1])[1]))
    assert (found.attrs["n_held_out"], found.attrs["n_judged"]) == (inside.sum(), (~inside).sum())
    assert found.attrs["share_of_ties"] == (parts[1]["human"] == 0).mean()


@BOTH
def test_correlations_and_rank_intervals_are_by_document(by):
    other = made(5, 4)
    scores = {"m": METRIC, "other": other}
    found = metric_correlations(scores, coefficient="acc_eq", grouping=by, documents=DOCUMENTS)
    assert found.loc["m", "other"] == pytest.approx(acc_eq(pairs(METRIC, other, DOCUMENTS, by)), abs=1e-12)
    ranks = rank_intervals(HUMAN, scores, grouping=by, documents=DOCUMENTS, shares=[0.2], cells="own")
    values = {name: best(pairs(HUMAN, m, DOCUMENTS, by))[1] for name, m in scores.items()}
    assert ranks["rank"].to_dict() == {
        name: 1 + sum(o > value for o in values.values()) for name, value in values.items()
    }


@pytest.mark.filterwarnings("ignore::tiekit.CoverageWarning")
@BOTH
def test_a_set_brings_its_documents(by):
    metrics = {"m": METRIC, "o": made(5, 4)}
    data = tk.EvalSet(
        "s", "xx-yy", tuple("ABCDE"), tuple("123456789"), {"h": HUMAN}, metrics, documents=tuple(DOCUMENTS)
    )
    arrays = {"grouping": by, "documents": DOCUMENTS}
    for function in (tie_shares, held_out_shares, rank_intervals):
        pd.testing.assert_frame_equal(function(data, grouping=by), function(HUMAN, dict(data.metrics), **arrays))
    pd.testing.assert_frame_equal(
        metric_correlations(data, grouping=by), metric_correlations(dict(data.metrics), **arrays)
    )
    kept = calibrate_reweighted(data, "m", grouping=by, keep_tied=0.5)
    assert kept.value == calibrate_reweighted(HUMAN, METRIC, keep_tied=0.5, **arrays).value
    assert keep_for_share(data, 0.5, grouping=by) == keep_for_share(HUMAN, 0.5, **arrays)


@BOTH
def test_what_is_refused(by):
    with pytest.raises(tk.InputError, match=f"grouping: '{by}' needs the documents of the segments"):
        tie_shares(HUMAN, {"m": METRIC}, grouping=by)
    with pytest.raises(tk.InputError, match="documents: must have one name for each of the 9 segments, found 2"):
        held_out_shares(HUMAN, {"m": METRIC}, grouping=by, documents=["a", "b"])
    with pytest.raises(tk.InputError, match="must have at least two documents, found 1"):
        held_out_shares(HUMAN, {"m": METRIC}, grouping=by, documents=["a"] * 9)
    with pytest.raises(tk.InputError, match=f"sample: none is drawn by {by}"):
        tie_shares(HUMAN, {"m": METRIC}, grouping=by, documents=DOCUMENTS, sample=True)
