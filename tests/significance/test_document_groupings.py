"""Tests and intervals of values by document: against a slow recount of every resample, and against other groupings."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import tiekit as tk
from tests import reference
from tests.core.test_a_new_coefficient import CLOSENESS
from tests.drawn import z_scores
from tiekit.significance.schemes import RESAMPLES, SWAPS, Plan, number_documents

NAMES = ("x", "x", "y", "x", "z", "y", "w")
SCHEMES = [name for name, scheme in SWAPS.items() if scheme.of_scores and not scheme.of_means]
SIZE = 70


def three(seed, n_segments=7):
    """Human scores and those of two metrics, with ties and missing scores."""
    rng = np.random.default_rng(seed)
    human, a, b = (np.round(rng.normal(size=(3, n_segments)) * 2) / 2 for _ in range(3))
    for scores, share in ((human, 0.05), (a, 0.1), (b, 0.1)):
        scores[rng.random(scores.shape) < share] = np.nan
    return human, a, b


def slow(human, metric, name, weight=None):
    """The mean over documents of a coefficient, from all pairs of a document's cells."""
    found = []
    for document in dict.fromkeys(NAMES):
        inside = np.flatnonzero(np.array(NAMES) == document)
        h, m = human[:, inside].ravel().tolist(), metric[:, inside].ravel().tolist()
        if weight is None:
            counts = reference.counts(h, m)
            value = reference.coefficient(name, counts) if counts["n"] > 1 else np.nan
        else:
            value = weighted_tau_a(h, m, weight[:, inside].ravel().tolist())
        found.append(value)
    return np.nanmean(found) if np.isfinite(found).any() else np.nan


def weighted_tau_a(h, m, weight):
    """tau_a where a cell that is drawn twice counts twice, and is not compared with itself."""
    total = agreed = 0
    scored = [cell for cell in zip(h, m, weight, strict=True) if not np.isnan(cell[:2]).any()]
    for (h1, m1, w1), (h2, m2, w2) in combinations(scored, 2):
        total += w1 * w2
        agreed += w1 * w2 * np.sign(h1 - h2) * np.sign(m1 - m2)
    return agreed / total if total else np.nan


@pytest.mark.sampled(3)
@pytest.mark.parametrize("swap", SCHEMES)
@pytest.mark.parametrize("name", ["acc_eq", "tau_b"])
@pytest.mark.filterwarnings("ignore::tiekit.CoverageWarning")
@pytest.mark.filterwarnings("ignore:Mean of empty slice")
def test_swapped_scores_are_compared_within_documents(swap, name):
    for seed in range(4):
        human, a, b = three(seed)
        asked = {"swap": swap, "n_resamples": SIZE, "rng": seed, "documents": NAMES, "cells": "own"}
        found = tk.significance.permutation_test(human, a, b, name, grouping="document", **asked)
        za, zb = z_scores(human, a), z_scores(human, b)
        expected = []
        plan = Plan(True, swap, human.shape, SIZE, seed, documents=number_documents(SWAPS[swap], NAMES))
        for part in plan.parts:
            for cells in plan.draws(part).cells.reshape(-1, *human.shape) == 1:
                sides = np.where(cells, zb, za), np.where(cells, za, zb)
                expected.append(np.subtract(*(slow(human, side, name) for side in sides)))
        if not found.exact:
            np.testing.assert_allclose(found.samples, expected, atol=1e-9)
        observed = slow(human, a, name) - slow(human, b, name)
        assert found.difference == pytest.approx(observed, abs=1e-12)
        assert set(found.samples.round(9)) <= set(np.round(expected, 9)) or not found.exact
        both = tk.significance.compare_metrics(human, {"a": a, "b": b}, name, grouping="document", **asked)
        assert both.pvalues.loc["a", "b"] == found.pvalue
        every = tk.significance.swap_test(human, {"a": a, "b": b}, f"document/{name}", **asked)
        assert every.iloc[0, 0] == found.pvalue


@pytest.mark.filterwarnings("ignore:Mean of empty slice")
def test_what_is_no_count_of_pairs_is_drawn_within_documents(monkeypatch):
    monkeypatch.setitem(tk.COEFFICIENTS, "closeness", CLOSENESS)
    inside = np.array(NAMES)[:, None] == list(dict.fromkeys(NAMES))
    for seed in range(4):
        human, metric, _ = three(seed)
        asked = {"resample": "segments", "n_resamples": SIZE, "rng": seed, "documents": NAMES}
        found = tk.significance.bootstrap_interval(human, metric, "closeness", grouping="document", **asked)
        plan, expected = Plan(False, "segments", human.shape, SIZE, seed), []
        for draws in map(plan.draws, plan.parts):
            often = draws.rows[:, :, None] * draws.columns[:, None, :] * np.isfinite(human + metric)
            apart = (often * np.nan_to_num(np.abs(human - metric))) @ inside
            number = (often @ inside).sum(axis=1)
            of_documents = 1 - apart.sum(axis=1) / np.where(number > 1, number, np.nan)
            expected += np.nanmean(of_documents, axis=1).tolist()
        np.testing.assert_allclose(found.samples, expected, atol=1e-9)


@pytest.mark.parametrize("resample", RESAMPLES)
def test_drawn_scores_are_compared_within_documents(resample):
    for seed in range(4):
        human, metric, _ = three(seed)
        asked = {"resample": resample, "n_resamples": SIZE, "rng": seed, "documents": NAMES}
        found = tk.significance.bootstrap_interval(human, metric, "tau_a", grouping="document", **asked)
        number = number_documents(RESAMPLES[resample], NAMES)
        plan, expected = Plan(False, resample, human.shape, SIZE, seed, documents=number), []
        of_documents = tk.correlate(human, metric, "tau_a", grouping="document", documents=NAMES).per_group
        for part in plan.parts:
            draws = plan.draws(part)
            for rows, columns in zip(draws.rows, draws.columns, strict=True):
                if resample == "documents":
                    often = columns[[NAMES.index(document) for document in dict.fromkeys(NAMES)]]
                    drawn = np.repeat(of_documents, often)
                    expected.append(np.nanmean(drawn) if np.isfinite(drawn).any() else np.nan)
                else:
                    expected.append(slow(human, metric, "tau_a", rows[:, None] * columns))
        np.testing.assert_allclose(found.samples, expected, atol=1e-9)


@pytest.mark.parametrize("name", ["acc_eq", "acc_eq*", "tau_b", "pearson", "spearman"])
@pytest.mark.parametrize("swap", SCHEMES)
def test_documents_of_one_segment_are_items_and_one_document_is_global(name, swap):
    human, a, b = three(11)
    for by, documents in (("item", [*"abcdefg"]), ("global", ["d"] * 7)):
        asked = {"swap": swap, "documents": documents, "n_resamples": SIZE, "rng": 3, "cells": "own"}
        usual = tk.significance.permutation_test(human, a, b, name, grouping=by, **asked)
        found = tk.significance.permutation_test(human, a, b, name, grouping="document", **asked)
        np.testing.assert_allclose(found.samples, usual.samples, atol=1e-9)
        assert (found.pvalue, found.epsilons) == (usual.pvalue, usual.epsilons)


def test_outcomes_of_pairs_are_those_of_documents():
    human, a, b = three(2)
    asked = {"swap": "pairs", "n_resamples": SIZE, "documents": [*"abcdefg"]}
    with pytest.warns(tk.CoverageWarning):
        by_item = tk.significance.permutation_test(human, a, b, "tau_b", grouping="item", **asked)
    with pytest.warns(tk.CoverageWarning):
        found = tk.significance.permutation_test(human, a, b, "tau_b", grouping="document", **asked)
    np.testing.assert_allclose(found.samples, by_item.samples, atol=1e-12)


def means(scores, human, metric):
    """The mean of the cells with both scores, of each system in each document."""
    scored, found = ~(np.isnan(human) | np.isnan(metric)), []
    for document in dict.fromkeys(NAMES):
        inside = np.array(NAMES) == document
        rows = [
            [score for score, use in zip(row[inside], some[inside], strict=True) if use]
            for row, some in zip(scores, scored, strict=True)
        ]
        found.append([np.mean(row) if row else np.nan for row in rows])
    return np.transpose(found)


@pytest.mark.parametrize("name", ["acc_eq", "tau_b"])
def test_means_of_documents_are_swapped_and_drawn_whole(name):
    for seed in range(4):
        human, a, b = three(seed)
        values = []
        for metric in (a, b):
            both = means(human, human, metric), means(metric, human, metric)
            values.append(tk.correlate(*both, name, grouping="item").per_group)
        asked = {"grouping": "document_means", "documents": NAMES, "rng": seed, "n_resamples": SIZE, "cells": "own"}
        found = tk.significance.permutation_test(human, a, b, name, swap="documents", **asked)
        expected = []
        for chosen in range(2**4):
            swapped = np.array([chosen >> place & 1 for place in range(4)]) == 1
            sides = np.where(swapped, *values[::-1]), np.where(swapped, *values)
            expected.append(np.subtract(*(np.nanmean(side) for side in sides)))
        assert set(found.samples.round(9)) <= set(np.round(expected, 9))
        drawn = tk.significance.bootstrap_interval(human, a, name, resample="documents", **asked)
        plan = Plan(False, "documents", human.shape, SIZE, seed, documents=number_documents(SWAPS["documents"], NAMES))
        firsts = [NAMES.index(document) for document in dict.fromkeys(NAMES)]
        columns = np.concatenate([plan.draws(part).columns[:, firsts] for part in plan.parts])
        again = [np.repeat(values[0], often) for often in columns]
        expected = [np.nanmean(one) if np.isfinite(one).any() else np.nan for one in again]
        np.testing.assert_allclose(drawn.samples, expected, atol=1e-9)


def test_what_cannot_be_resampled_is_refused():
    human, a, b = three(1)
    asked = {"grouping": "document_means", "documents": NAMES}
    for call in (
        lambda: tk.significance.permutation_test(human, a, b, swap="segments", **asked),
        lambda: tk.significance.compare_metrics(human, {"a": a, "b": b}, swap="pairs", **asked),
        lambda: tk.significance.bootstrap_interval(human, a, **asked),
    ):
        with pytest.raises(tk.InputError, match=r"by document_means .* must be 'documents', found '(segments|pairs)'"):
            call()
    with pytest.raises(tk.InputError, match="must not be 'recalibrated'"):
        tk.significance.permutation_test(
            human, a, b, grouping="document", documents=NAMES, epsilon="recalibrated", cells="own"
        )
    with pytest.raises(tk.InputError, match="needs the documents of the segments"):
        tk.significance.permutation_test(human, a, b, grouping="document")


@pytest.mark.parametrize("by", ["document", "document_means"])
def test_human_scores_have_intervals_by_document(by):
    data = tk.load_wmt22()
    few = data.select(documents=list(dict.fromkeys(data.documents))[:9])
    judged = {"humans": "wmt", "metrics": (), "grouping": by, "n_resamples": 20}
    found = tk.humans.rank_humans(few, "mqm", "tau_b", **judged).table.loc["wmt"]
    both = ~np.isnan(few.human["mqm"]) & ~np.isnan(few.human["wmt"])
    shared = replace(
        few, human={name: np.where(both, few.human[name], np.nan) for name in ("mqm", "wmt")}, metrics={}, raters={}
    )
    interval = tk.significance.bootstrap_interval(
        shared.human["mqm"],
        shared.human["wmt"],
        "tau_b",
        grouping=by,
        documents=few.documents,
        resample="documents" if by == "document_means" else "segments",
        n_resamples=20,
        rng=0,
    )
    assert (found["value"], found["low"], found["high"]) == pytest.approx((interval.value, interval.low, interval.high))
