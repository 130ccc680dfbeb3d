"""Weights of one's own make the coefficients that have a table, and what is no weight is refused."""

import pytest

from tiekit import COEFFICIENTS, InputError, count_pairs
from tiekit.core.registry import coefficient_of_weights, parse_weight

COUNTS = count_pairs([1, 2, 2, 3, 4, 4], [2, 1, 1.5, 5, 3, 3])


@pytest.mark.parametrize("name", [name for name, entry in COEFFICIENTS.items() if entry.table is not None])
def test_the_weights_of_a_table_make_its_coefficient(name):
    table = COEFFICIENTS[name].table
    own = coefficient_of_weights([table[0][0], table[0][2], table[1][0], table[0][1], table[1][1]])
    assert own.value(COUNTS) == COEFFICIENTS[name].value(COUNTS)


def test_zero_weights_are_counted_and_x_is_not():
    assert coefficient_of_weights([1, 0, 0, 0, 0]).value(COUNTS) == COUNTS.concordant / COUNTS.total
    assert coefficient_of_weights([1, 0, None, None, None]).value(COUNTS) == pytest.approx(
        COUNTS.concordant / (COUNTS.concordant + COUNTS.discordant)
    )
    assert coefficient_of_weights([0, 0, 0, 0, 0]).value(COUNTS) == 0


def test_what_is_no_weight_is_refused():
    with pytest.raises(InputError, match="D: must be a finite number or X, found 'inf'"):
        parse_weight("inf", "D")
    with pytest.raises(InputError, match="weights: must be 5"):
        coefficient_of_weights([1, 0])
    with pytest.raises(InputError, match="weights: at least one must be a number"):
        coefficient_of_weights([None] * 5)
