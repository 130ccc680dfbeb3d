"""Have scores to do with those of the set, once the means of systems, documents and segments are taken away?

What is left says whether each score is on its segment: a wrong order keeps the means of systems, and often what domains
and lengths bring about, but nothing of this.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tiekit.base.names import are_nameless
from tiekit.base.validation import IntArray
from tiekit.readers._moves import MOST_MOVED, mean_of
from tiekit.sets.alignment import Alignment
from tiekit.sets.scores import FloatMatrix

FEWEST_TOLD = 500
"""Minimum number of differences between systems, such as of two in 500 segments; of fewer, and of one system, chance
and weak metrics decide."""

HARDLY, MOSTLY, AGAIN = 0.1, 0.3, 0.2
"""Scores with a correlation below the first have hardly anything to do with the set's where half of these have at least
the second with each other; in an order in which it is at least the third they have. Of the metrics and human scores of
the sets that come along, whole and in parts of as many differences (two to twelve systems, segments in a row and drawn,
domains), none is below .16, but for random ones and the human scores of WMT22 that it calls wmt; whole ones with their
documents in another order are below .06."""

ALL_ALIKE = 1e-9
"""Where the lengths of what is left have a product of at most this, scores are all alike but for rounding."""

MOST_COMPARED = 8
"""About so many of the set's scores say how much these have to do with each other."""

PLACES = "sorted(data.segments, key=dict(zip(data.segments, data.documents)).get)"
"""The segments where documents stand in the order of their names, as sorting a table by them gives."""


def describe_relation(alignment: Alignment, scores: FloatMatrix, others: Sequence[FloatMatrix], question: str) -> str:
    """What to say of scores that have hardly anything to do with those of the set; empty of any other ones.

    If they have where documents stand in the order of their names, this is proposed, else a ``question`` asked.
    """
    is_scored = ~np.isnan(scores).all(axis=0)
    part = slice(start := int(np.argmax(is_scored)), start + MOST_MOVED)
    others, groups = [other[:, part] for other in others], _groups(alignment)[part]
    mean = mean_of(others, scores[:, part].shape)
    now = _relate(scores[:, part], mean, groups)
    if not abs(now) < HARDLY:
        return ""
    numbers = np.sum([~np.isnan(one) for one in others], axis=0)
    usual = []
    for one in others[:: 1 + len(others) // MOST_COMPARED]:
        own = mean_of([one], one.shape)
        rest = np.where(np.isnan(own), mean, (mean * numbers - own) / np.where(numbers > 1, numbers - 1, np.nan))
        usual.append(_relate(one, rest, groups))
    if np.isnan(usual).all() or not (middle := np.nanmedian(usual)) >= MOSTLY:
        return ""
    documents = alignment.data.documents
    if documents and is_scored.all():
        placed = np.empty_like(scores)
        placed[:, sorted(range(len(documents)), key=documents.__getitem__)] = scores
        if (then := _relate(placed[:, part], mean, groups)) >= AGAIN:
            return (
                f"agrees with the set's scores if its documents are in the order of their names (correlation "
                f"{then:.2f}, now {now:.2f}); if so, {_advise_places(alignment)}, where PLACES = {PLACES}"
            )
    return (
        "has hardly anything to do with the set's scores once the means of systems, documents and segments are taken "
        f"away (correlation {now:.2f}, of the set's own mostly {middle:.2f}); {question}"
    )


def _advise_places(alignment: Alignment) -> str:
    """How scores are given with the segments of `PLACES`."""
    if are_nameless(alignment.scores.segments):
        return "pass pandas.DataFrame(SCORES).set_axis(PLACES).rename_axis('segment')"
    start = 0 if alignment.by.endswith("from 0") else 1
    numbers = f"frame['segment'].astype(int).map(dict(enumerate(PLACES, {start})))"
    return f"{alignment.without_texts()}give the right numbers, such as by frame['segment'] = {numbers}"


def _groups(alignment: Alignment) -> IntArray:
    """The number of each segment's document; of its domain where most documents have one segment, or none is known."""
    data = alignment.data
    for names in (data.documents, data.domains):
        if names and 2 * len({*names}) <= len(names):
            return np.unique(names, return_inverse=True)[1]
    return np.zeros(len(data.segments), dtype=np.int64)


def _relate(scores: FloatMatrix, mean: FloatMatrix, groups: IntArray) -> float:
    """The higher of two correlations with the mean of others; NaN of too few cells, and where none is defined.

    One is among segments, by the mean of the systems less that of the document, the other among the systems of a
    segment, whose own means are taken away. The lower one is returned where scores fall as the others rise.
    """
    both = ~np.isnan(scores + mean)
    known = both.sum(axis=0) > 1
    if both[:, known].sum() - known.sum() < FEWEST_TOLD:
        return np.nan
    places, sides = groups[known], []
    for side in (scores, mean):
        cells = np.where(both, side, np.nan)[both.any(axis=1)][:, known]
        cells = cells - np.nanmean(cells, axis=1, keepdims=True)
        by_segment = np.nanmean(cells, axis=0)
        of_document = np.bincount(places, by_segment) / np.maximum(np.bincount(places), 1)
        sides.append((by_segment - of_document[places], np.nan_to_num(cells - by_segment).ravel()))
    found = []
    for first, second in zip(*sides, strict=True):
        if (length := float(np.sqrt((first @ first) * (second @ second)))) > ALL_ALIKE:
            found.append(float(first @ second) / length)
    worst = min(found, default=np.nan)
    return worst if worst < -AGAIN else max(found, default=np.nan)
