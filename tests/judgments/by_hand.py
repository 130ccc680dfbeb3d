"""Judgments counted one by one in plain loops, and the best that any metric can reach, all metrics tried."""

import functools
import itertools
from fractions import Fraction

from hypothesis import strategies as st

CAPPED = ("tau_10", "tau_13", "tau_14", "acc_eq")
NUMBERS = ("cap", "floor", "reachable", "reachable_floor")
CIRCLE = [
    ("ann", "1", {"A": 1, "B": 2, "C": 3}),
    ("bob", "1", {"B": 1, "C": 2, "A": 3}),
    ("eve", "1", {"C": 1, "A": 2, "B": 3}),
]


@st.composite
def row_lists(draw, systems="ABC", segments="12", most=6):
    """Sets of two systems or more with ranks from 1 to 3, some left blank."""
    ranks = st.sampled_from([1, 2, 3, 1, 2, 3, None])
    one = st.tuples(
        st.sampled_from("xyz"),
        st.sampled_from(segments),
        st.dictionaries(st.sampled_from(systems), ranks, min_size=2, max_size=len(systems)),
    )
    return draw(st.lists(one, min_size=1, max_size=most))


def plain(rows, ties=True):
    """Judgments (judge, set, segment, first, second, outcome) by the definition; first < second."""
    found = []
    for number, (judge, segment, ranks) in enumerate(rows):
        for a, b in itertools.combinations(sorted(ranks), 2):
            if ranks[a] is not None and ranks[b] is not None:
                outcome = (ranks[b] > ranks[a]) - (ranks[b] < ranks[a])
                if ties or outcome:
                    found.append((judge, number, segment, a, b, outcome))
    return found


def formula(name, c, d, t_h, t_m, t_hm):
    """The definitions of Deutsch et al. (2023), Table 1, as fractions; None where undefined."""
    up, down = {
        "tau_10": (c - d - t_m, c + d + t_m),
        "tau_13": (c - d, c + d),
        "tau_14": (c - d, c + d + t_m),
        "acc_eq": (c + t_hm, c + d + t_h + t_m + t_hm),
    }[name]
    return Fraction(up, down) if down else None


def plain_value(judgments, score, name):
    """A coefficient of a metric, ``score[system, segment]``, counted one judgment after another."""
    counts = [0] * 5
    for _, _, segment, a, b, outcome in judgments:
        gap = score[a, segment] - score[b, segment]
        kind = (0 if outcome * gap > 0 else 1) if outcome and gap else 2 if gap else 3 if outcome else 4
        counts[kind] += 1
    return formula(name, *counts)


@functools.cache
def levels(n):
    """Every way to give n items levels, ties included."""
    return [combo for combo in itertools.product(range(n), repeat=n) if set(combo) == set(range(max(combo) + 1))]


def every_metric(judgments, systems):
    """Scores of every order of the judged segments' translations, and whether none tie."""
    segments = sorted({judgment[2] for judgment in judgments})
    for combo in itertools.product(levels(len(systems)), repeat=len(segments)):
        scores = {(s, g): level[i] for g, level in zip(segments, combo, strict=True) for i, s in enumerate(systems)}
        yield scores, all(len(set(level)) == len(systems) for level in combo)


def extremes(judgments, systems, name):
    """Largest and smallest value of metrics that tie nothing, and of all."""
    untied, every = [], []
    for scores, strict in every_metric(judgments, systems):
        value = plain_value(judgments, scores, name)
        if value is not None:
            every.append(value)
            if strict:
                untied.append(value)
    return max(untied), min(untied), max(every), min(every)
