"""How measures are written."""

import pytest

import tiekit as tk
from tiekit.research.measures.evaluate import as_measures


def test_names_of_measures():
    assert [m.name for m in as_measures(["none/acc_23*", "item/tau-b"])] == ["global/acc_eq*", "item/tau_b"]
    assert [m.name for m in as_measures("item/tau_b")] == ["item/tau_b"]  # a name, not letters


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([], "measures: there must be at least one"),
        (["item"], "measures: must be written grouping/coefficient, as 'item/acc_eq.', found 'item'"),
        ([("item", "tau_b")], r"measures: must be written grouping/coefficient, .*, found \('item', 'tau_b'\)"),
        (["item/pearson*"], "measures: 'item/pearson.': coefficient: pearson knows no ties"),
        (["item/tau_b", "segment/tau_b"], "measures: each may be given only once, found item/tau_b again"),
        ("item/nope", "measures: 'item/nope': coefficient: must be one of"),
        (["items/tau_b"], "measures: 'items/tau_b': grouping: must be one of"),
        (["item/spa"], "measures: 'item/spa': grouping: spa compares systems"),
    ],
)
def test_what_is_no_measure_is_named(wrong, message):
    with pytest.raises(tk.InputError, match=f"^{message}"):
        as_measures(wrong)
