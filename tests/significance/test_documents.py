"""Whole documents, swapped and drawn: by brute force over all swaps, and with the documents of a set."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

import tiekit as tk
from tests.drawn import by_itself, z_scores
from tiekit.significance.schemes import Plan, number_documents, plan_swaps

NAMES = ["x", "x", "y", "x", "z", "y"]


def three(shape=(3, 6)):
    rng = np.random.default_rng(5)
    return tuple(np.round(rng.normal(size=shape), 1) for _ in range(3))


@pytest.mark.parametrize("grouping", tk.GROUPINGS)
@pytest.mark.parametrize("name", ["tau_b", "pearson"])
def test_exact_pvalues_are_those_of_a_plain_loop_over_all_swaps_of_documents(grouping, name):
    human, a, b = three()
    za, zb, differences = z_scores(human, a), z_scores(human, b), []
    for chosen in itertools.product((0, 1), repeat=3):
        swapped = np.array([chosen["xyz".index(document)] for document in NAMES]) == 1
        sides = np.where(swapped, zb, za), np.where(swapped, za, zb)
        differences.append(np.subtract(*(by_itself(human, side, name, grouping) for side in sides)))
    found = tk.significance.permutation_test(
        human, a, b, name, grouping=grouping, swap="documents", documents=NAMES, n_resamples=99
    )
    assert (found.exact, found.n_resamples) == (True, 8)
    assert sorted(found.samples) == pytest.approx(sorted(differences), abs=1e-9)
    assert found.pvalue == np.mean(np.abs(differences) >= abs(differences[0]) - 1e-9)
    with_names = {"swap": "documents", "documents": NAMES, "n_resamples": 99}
    pairs = tk.significance.compare_metrics(human, {"a": a, "b": b}, name, grouping=grouping, **with_names)
    assert pairs.pvalues.loc["a", "b"] == found.pvalue
    every = tk.significance.swap_test(human, {"a": a, "b": b}, [f"{grouping}/{name}"], **with_names)
    assert every.iloc[0, 0] == found.pvalue


def test_the_segments_of_a_document_are_swapped_and_drawn_together():
    number = number_documents(tk.significance.SWAPS["documents"], tuple(NAMES))
    assert number.tolist() == [0, 0, 1, 0, 2, 1]
    for swap in (True, False):
        columns = Plan(swap, "documents", (2, 6), 50, 1, documents=number).draws(0).columns
        assert (columns[:, [0, 2]] == columns[:, [1, 5]]).all()
        assert (columns[:, 0] == columns[:, 3]).all()
        assert len(np.unique(columns, axis=0)) > 3
    assert (columns[:, [0, 2, 4]].sum(axis=1) == 3).all()  # as many documents as there are
    differs = np.array([[True, False, False, True, True, False]])
    assert plan_swaps("documents", differs, 99, 0, number).size == 4  # nothing differs in y


def test_documents_of_one_segment_each_are_segments():
    human, a, b = three((3, 20))
    alone = [str(i) for i in range(20)]
    swapped = tk.significance.permutation_test(human, a, b, n_resamples=99, documents=alone, swap="documents")
    by_segment = tk.significance.permutation_test(human, a, b, n_resamples=99)
    np.testing.assert_allclose(swapped.samples, by_segment.samples, rtol=0, atol=1e-12)
    drawn = tk.significance.bootstrap_interval(human, a, n_resamples=99, documents=alone, resample="documents")
    assert drawn.low == tk.significance.bootstrap_interval(human, a, n_resamples=99).low
    assert "resample:documents" in drawn.signature


def test_a_set_brings_its_documents():
    data = tk.load_wmt22()
    few = data.select(documents=list(dict.fromkeys(data.documents))[:12], exclude=None)
    names = list(data.metrics)[:2]
    asked = {"swap": "documents", "n_resamples": 50}
    found = tk.significance.permutation_test(few, *names, **asked)
    human, metrics = few.human[few.gold], [few.metrics[name] for name in names]
    again = tk.significance.permutation_test(human, *metrics, documents=few.documents, **asked)
    np.testing.assert_array_equal(found.samples, again.samples)
    interval = tk.significance.bootstrap_interval(few, names[0], resample="documents", n_resamples=50)
    assert interval.low < interval.value < interval.high
    with pytest.raises(tk.InputError, match="documents: 'documents' needs the document of each segment"):
        tk.significance.permutation_test(replace(few, documents=()), *names, **asked)
    with pytest.raises(tk.InputError, match="documents: must have one name for each of the 6 segments, found 2"):
        tk.significance.permutation_test(*three(), swap="documents", documents=["a", "b"])
    with pytest.raises(tk.InputError, match="documents: must be a sequence of names"):
        tk.significance.bootstrap_interval(*three()[:2], resample="documents", documents="abcdef")
