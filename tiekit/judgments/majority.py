"""Which single judgment of two translations does the majority leave?"""

from __future__ import annotations

import numpy as np

from tiekit.judgments.preferences import Preferences
from tiekit.judgments.rankings import Rankings, as_preferences


def resolve(preferences: Rankings | Preferences) -> Preferences:
    """Keep one judgment for each judged pair of translations: the outcome of the majority.

    Parameters
    ----------
    preferences : Preferences or Rankings
        Rankings count with their ties.

    Returns
    -------
    Preferences
        One judgment per pair with its most frequent outcome, whose ``judge`` and ``set`` are -1. Pairs whose most
        frequent outcome is not unique are left out and counted in ``n_omitted``. Every pair has the same weight,
        however often it was judged.

    Raises
    ------
    InputError
        For other objects.

    Examples
    --------
    >>> rows = [("ann", "1", {"A": 1, "B": 2}), ("bob", "1", {"A": 2, "B": 1}), ("eve", "1", {"A": 1, "B": 2})]
    >>> resolve(Rankings.from_rows(rows)).outcome
    array([1])
    """
    given = as_preferences(preferences)
    pairs = given.pairs
    best = pairs.counts == pairs.counts.max(axis=1, keepdims=True)
    clear = best.sum(axis=1) == 1
    none = np.full(int(clear.sum()), -1, np.int64)
    outcome = best.argmax(axis=1)[clear] - 1
    arrays = (pairs.segment[clear], none, none, pairs.first[clear], pairs.second[clear], outcome)
    return Preferences(given.rankings, given.ties, *arrays, n_omitted=int((~clear).sum()))
