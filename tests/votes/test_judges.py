"""Position bias by hand, one vote of both orders, and RewardBench 2's Ties score: a worked case, and the formula."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import examples
from tests.votes.test_agreement import cast
from tiekit.votes import Votes, agreement, resolve_orders, swap_consistency, ties_score

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


def prompt(name, scores, correct):
    return {"id": name, "scores": scores, "num_correct": correct}


def test_a_worked_case():
    found = ties_score(
        [
            prompt("tied:1", [5.0, 4.0, 3.5, 1.0], 3),  # spread 1.5, gap 2.5
            prompt("ref:1", [4.0, 3.0], 1),  # gap 1
            prompt("tied:2", [5.0, 5.0, 6.0], 2),  # spread 0, gap -1
            prompt("ref:2", [2.0, 1.0], 1),  # gap 1
            prompt("tied:3", [2.0, 2.0, 2.0], 2),  # spread 0, gap 0
            prompt("ref:3", [7.0, 7.0], 1),  # gap 0
            prompt("ref:4", [7.0, 8.0], 1),  # without a partner: it counts for the accuracy alone
        ]
    )
    assert (found.tied_accuracy, found.ref_accuracy) == (1 / 3, 2 / 4)
    assert (found.gap_exceeds_spread, found.hard_gap_exceeds_spread) == (1 / 3, 0)
    margin = (math.tanh(1 / 1.5 - 1) + -1 + 0) / 3  # -1/0 is minus infinity, and 0/0 counts as 0
    assert found.margin == pytest.approx(margin)
    assert found.value == pytest.approx(0.3 / 3 + 0.3 / 2 + 0.2 / 3 + 0.01 * margin)
    assert (found.n_tied, found.n_ref, found.n_both) == (3, 4, 3)


SCORES = st.lists(st.integers(0, 6).map(float), min_size=4, max_size=6)


@examples(100)
@given(st.lists(st.tuples(SCORES, st.integers(2, 3), SCORES), min_size=1, max_size=6))
def test_the_formula_written_out(drawn):
    records, gaps, spreads, refs = [], [], [], []
    for number, (tied, correct, ref) in enumerate(drawn):
        records += [prompt(f"tied:{number}", tied, correct), prompt(f"ref:{number}", ref, 1)]
        gaps.append(min(tied[:correct]) - max(tied[correct:]))
        spreads.append(max(tied[:correct]) - min(tied[:correct]))
        refs.append(ref[0] - max(ref[1:]))
    hard = [min(pair) for pair in zip(gaps, refs, strict=True)]
    with np.errstate(all="ignore"):
        margin = np.nan_to_num(np.tanh(np.array(hard) / np.array(spreads) - 1), nan=0.0).mean()
    expected = (
        0.3 * np.mean([gap > 0 for gap in gaps])
        + 0.3 * np.mean([gap > 0 for gap in refs])
        + 0.2 * np.mean([gap > spread for gap, spread in zip(gaps, spreads, strict=True)])
        + 0.2 * np.mean([gap > spread for gap, spread in zip(hard, spreads, strict=True)])
        + 0.01 * margin
    )
    assert float(ties_score(records)) == pytest.approx(expected, abs=1e-12)
    file = "\n".join(map(json.dumps, reversed(records))).encode()
    assert float(ties_score({"ties.jsonl": file})) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"id": "tied:1", "scores": [1, 2]}, "expected the fields id, scores and num_correct"),
        (prompt("12", [1, 2, 3], 2), "id must be like 'tied:12' or 'ref:12', found '12'"),
        (prompt("tied:x", [1, 2, 3], 2), "id must be like"),
        (prompt("tied:1", [1, 2], 2), "num_correct must be at least 1 and below the number of scores, 2, found 2"),
        (prompt("tied:1", [1, 2], 1), "a tied prompt needs at least two correct answers"),
        (prompt("ref:1", "12", 1), "scores must be a list"),
        (prompt("ref:1", [1, None], 1), "scores must all be numbers"),
        (prompt("ref:9", [2, 1], 1), "prompt ref:9 is there twice"),
    ],
)
def test_errors_name_the_line(record, message):
    records = [prompt("ref:9", [1, 0], 1), record]
    with pytest.raises(tk.InputError, match=f"source: object 2: {message}"):
        ties_score(records)
    file = "\n".join(map(json.dumps, records)).encode()
    with pytest.raises(tk.ReadError, match=rf"^t\.jsonl, line 2: {message}"):
        ties_score({"t.jsonl": file})


def test_without_partners_there_is_no_score():
    with pytest.raises(tk.InputError, match="source: no prompt has both a tied and a ref version"):
        ties_score([prompt("ref:9", [1, 0], 1)])
    with pytest.raises(tk.InputError, match="source: must be a path"):
        ties_score(3)
    scores = [[5.0], [4.0], [1.0]]  # as RewardBench writes the scores of some models
    assert ties_score([prompt("tied:1", scores, 2), prompt("ref:1", [[2.0], [1.0]], 1)]).tied_accuracy == 1
