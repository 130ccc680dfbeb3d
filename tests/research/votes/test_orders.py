"""Both orders of two answers: position bias by hand, and what becomes of a disagreement."""

import math

import pytest
from hypothesis import given

import tiekit as tk
from tests.research.votes.test_agreement import cast
from tests.strategies import examples
from tiekit.votes import Votes, agreement, resolve_orders, swap_consistency

NAN = math.nan


def in_both_orders(*outcomes, judge="bot"):
    """Votes on A and B in both orders, for A each time."""
    rows = []
    for item, (one, other) in enumerate(outcomes):
        rows += [(str(item), "A", "B", one, judge), (str(item), "B", "A", -other, judge)]
    return Votes.from_rows(rows)


def test_position_bias_by_hand():
    votes = in_both_orders((1, 1), (0, 0), (1, -1), (1, -1), (-1, 1), (0, 1), (NAN, 1))
    found = swap_consistency(votes)
    assert (found.n, found.same, found.same_ties, found.first, found.second, found.half) == (6, 2, 1, 2, 1, 1)
    assert float(found) == 2 / 6
    # Shown first, A wins 3 and B wins 2 of 10 votes with a winner; a vote whose other order is missing counts, too.
    assert found.first_wins == (1 + 2 + 2) / 10
    one_order = swap_consistency(votes.where(votes.shown == 1))
    assert one_order.n == 0
    assert math.isnan(one_order.value)


def test_a_disagreement_is_not_a_tie():
    votes = in_both_orders((1, 1), (0, 0), (1, -1), (0, 1), (NAN, 1))
    kept = {how: resolve_orders(votes, how) for how in ("omit", "tie", "mean")}
    found = {how: [None if math.isnan(one) else one for one in votes.preference] for how, votes in kept.items()}
    assert found == {"omit": [1, 0, None, None, None], "tie": [1, 0, 0, 0, None], "mean": [1, 0, 0, 0.5, None]}
    assert kept["tie"].frame()["tie"].tolist() == ["", "", "inconsistent", "inconsistent", ""]
    assert not kept["tie"].shown.any()
    human = Votes.from_rows([(str(item), "A", "B", 0) for item in range(5)])
    shares = {how: agreement(votes, human).with_ties for how, votes in kept.items()}
    assert shares == {"omit": 1 / 2, "tie": 3 / 4, "mean": 1 / 2}


def test_a_threshold_makes_small_differences_consistent():
    votes = in_both_orders((0.3, -0.2), (2, 0.2))
    assert swap_consistency(votes).first == 1
    found = swap_consistency(votes, threshold=0.5)
    assert (found.same_ties, found.half) == (1, 1)
    assert resolve_orders(votes, threshold=0.5).preference[0] == pytest.approx(0.05)


def test_several_votes_in_one_order_are_refused():
    votes = Votes.from_rows([("1", "A", "B", 1), ("1", "A", "B", 1), ("1", "B", "A", 1)])
    with pytest.raises(tk.InputError, match="votes: a judge voted several times on two answers in one order"):
        resolve_orders(votes)
    with pytest.raises(tk.InputError, match="disagreement: must be one of omit, tie, mean, found 'drop'"):
        resolve_orders(votes, "drop")


@examples(100)
@given(cast())
def test_parts_sum_to_the_whole(rows):
    found = swap_consistency(Votes.from_rows(rows))
    assert found.same + found.first + found.second + found.half == found.n
    pairs = [
        (p, -q)
        for i, a, b, p, judge, turn in rows
        for i2, a2, b2, q, judge2, turn2 in rows
        if (i, judge, turn) == (i2, judge2, turn2) and (a, b) == (b2, a2) and a < b and p == p and q == q
    ]
    signs = [((p > 0) - (p < 0), (q > 0) - (q < 0)) for p, q in pairs]
    assert (found.n, found.same) == (len(signs), sum(one == other for one, other in signs))
    assert (found.first, found.second) == (signs.count((1, -1)), signs.count((-1, 1)))
