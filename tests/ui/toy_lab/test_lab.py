"""What each coefficient does with a pair, what a link holds, what a drag writes."""

import pytest

import tiekit as tk
from tiekit.counting.pairs import KINDS
from ui.toy_lab import lab


def test_effects_are_the_weights_of_the_wmt_tables():
    cells = {
        "concordant": (0, 0),
        "discordant": (0, 2),
        "ties_human": (1, 0),
        "ties_metric": (0, 1),
        "ties_both": (1, 1),
    }
    words = {1: "rewards", -1: "punishes", 0: "no credit", None: "ignores"}
    tables = {name: entry.table for name, entry in tk.COEFFICIENTS.items() if entry.table is not None}
    assert len(tables) == 6
    for name, table in tables.items():
        for kind, (row, column) in cells.items():
            assert tk.COEFFICIENTS[name].effect(kind) == words[table[row][column]], (name, kind)


@pytest.mark.parametrize(
    ("kind", "more"),
    [("concordant", 1), ("discordant", -1), ("ties_human", 0), ("ties_metric", 0), ("ties_both", 0)],
)
def test_effects_are_what_one_more_pair_does(kind, more):
    """For the coefficients without a table: add a pair of the kind where C = D = 50 and see."""
    fields = dict.fromkeys(KINDS, 0) | {"concordant": 50, "discordant": 10, "ties_human": 5, "ties_metric": 5}
    here, there = (
        tk.PairCounts(**(fields | {kind: fields[kind] + plus}), n_scores=20, n_distinct=4) for plus in (0, 1)
    )
    for name in ("tau_b", "tau_c"):
        entry = tk.COEFFICIENTS[name]
        effect, moved = entry.effect(kind), entry.value(there) - entry.value(here)
        assert (effect == "rewards") == (more > 0 and moved > 0)
        assert (effect == "punishes") == (more < 0 and moved < 0)
    moved = tk.COEFFICIENTS["tau_b"].value(there) - tk.COEFFICIENTS["tau_b"].value(here)
    assert (tk.COEFFICIENTS["tau_b"].effect(kind) == "ignores") == (moved == 0)


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("2-4", [1, 3]),
        ("1-2", [0, 1]),
        ("4-2", None),
        ("2-2", None),
        ("0-1", None),
        ("2", None),
        ("a-b", None),
        ("²-4", None),
        ("", None),
        ("1-99999999", None),
        ("-1-2", None),
    ],
)
def test_a_pair_of_a_link_is_two_items_in_order(text, pair):
    assert lab._pair(text) == pair


@pytest.mark.parametrize(
    ("line", "items", "written"),
    [
        ("1e-3 .50 nan", {0: 0.001, 1: 0.5}, "1e-3 .50 nan"),
        ("1e-3 .50 nan", {1: 0.25}, "0.001 0.25 nan"),
        ("1 2", {2: 7.0}, "1 2"),
        ("1 x 3", {0: 7.0}, "1 x 3"),
    ],
)
def test_a_drag_writes_its_items_into_the_line_as_it_is_now(line, items, written):
    assert lab._moved(line, items) == written
