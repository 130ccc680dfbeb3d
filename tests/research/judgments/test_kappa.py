"""Agreement of judges: that of all pairs of judgments, and by hand."""

import itertools
import math

import pytest
from hypothesis import given

from tests.research.judgments.by_hand import plain, row_lists
from tests.strategies import examples
from tiekit.judgments import Rankings, agreement


@examples(16)
@given(row_lists(systems="ABCD"))
def test_agreement_is_that_of_all_pairs_of_judgments(rows):
    judgments = plain(rows)
    tally = {True: [0, 0], False: [0, 0]}
    for one, other in itertools.combinations(judgments, 2):
        if one[2:5] == other[2:5]:
            tally[one[0] == other[0]][0] += 1
            tally[one[0] == other[0]][1] += one[-1] == other[-1]
    found = agreement(Rankings.from_rows(rows))
    for kappa, (n, agreed) in ((found.within, tally[True]), (found.between, tally[False])):
        assert (kappa.n, kappa.n_agreed) == (n, agreed)
        if n:
            both_ways = [one[-1] for one in judgments] + [-one[-1] for one in judgments]
            chance = sum((both_ways.count(outcome) / len(both_ways)) ** 2 for outcome in (-1, 0, 1))
            assert kappa.expected == pytest.approx(chance)
            expected = (agreed / n - chance) / (1 - chance) if chance < 1 else float("nan")
            assert kappa.value == pytest.approx(expected, nan_ok=True)
        else:
            assert math.isnan(kappa.value)


def test_kappa_by_hand():
    """Ten judgments, two of them ties: P(E) = .2² + .4² + .4² = .36; of five pairs four agree."""
    rows = [("ann", str(i), {"A": 1, "B": 2}) for i in range(4)] + [("bob", str(i), {"A": 1, "B": 2}) for i in range(3)]
    rows += [("bob", "3", {"A": 2, "B": 1}), ("ann", "4", {"A": 1, "B": 1}), ("bob", "4", {"A": 2, "B": 2})]
    found = agreement(Rankings.from_rows(rows))
    assert (found.share_tied, found.between.observed, found.within.n) == (0.2, 0.8, 0)
    assert found.between.value == pytest.approx((0.8 - 0.36) / (1 - 0.36))
    values = found.between.to_dict()
    assert {name: values[name] for name in ("value", "observed", "n", "n_agreed")} == {
        "value": found.between.value,
        "observed": 0.8,
        "n": 5,
        "n_agreed": 4,
    }
    assert found.to_dict()["between"] == values
