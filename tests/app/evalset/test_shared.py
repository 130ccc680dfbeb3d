"""What is made of a set is made once, is dropped with the set, and cannot be changed."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest

import tiekit as tk
from ui.evalset import selection
from ui.evalset.selection import Adjustment, Selection
from ui.evalset.sources import OpenSet, title

HUMAN, METRIC = [[1, 2, 4], [3, 2, 1], [2, 2, 2]], [[1.25, 5, 3], [2, 4, 6], [0, 1, np.nan]]


def a_set(metric=METRIC):
    return tk.EvalSet("toy", "", ("A", "B", "C"), ("1", "2", "3"), {"h": HUMAN}, {"m": metric, "n": HUMAN})


def selected(data, **choices):
    return replace(Selection(OpenSet(data, ""), "h", ("m", "n"), (), None), **choices)


def test_a_thing_is_made_once_for_each_set_and_each_key_and_so_many_are_kept(monkeypatch):
    monkeypatch.setattr(selection, "KEPT", 2)
    one, other, calls = a_set(), a_set(), []
    for data, key in ((one, "a"), (one, "a"), (one, "b"), (other, "a"), (one, "c"), (one, "a")):
        selection.once_per_set(data, key, lambda key=key: calls.append(key))
    assert calls == ["a", "b", "a", "c", "a"]


def test_two_visitors_share_what_is_compared():
    data = a_set()
    one, other = selected(data), selected(data)
    assert one.contest is other.contest
    assert one.chosen is other.chosen
    assert selected(a_set()).contest is not one.contest, "another set, though its scores are the same"


@pytest.mark.parametrize(
    "choices",
    [
        *({"human": "other"}, {"metrics": ("m",)}, {"metrics": ("n", "m")}, {"exclude": ("A",)}, {"domain": "news"}),
        *({"adjustment": Adjustment(("m",))}, {"adjustment": Adjustment(decimals=0)}),
        *({"grouping": "global"}, {"own_cells": True}, {"has_probes": True}),
    ],
)
def test_each_choice_counts(choices):
    data = replace(
        a_set(), human={"h": HUMAN, "other": METRIC}, domains=("news", "news", "web"), sources=("x", "y y", "z")
    )
    usual = selected(data)
    before = usual.contest
    found = selected(data, **choices)
    assert found.contest is not before
    alone = selected(replace(data), **choices)
    for name in ("grouping", "digest", "selection"):
        assert getattr(found.contest, name) == getattr(alone.contest, name)
    assert list(found.contest.metrics) == list(alone.contest.metrics)
    assert found.chosen.systems == alone.chosen.systems
    assert usual.contest is before


@pytest.mark.parametrize("choices", [{}, {"own_cells": True}, {"has_probes": True}, {"adjustment": Adjustment(("m",))}])
def test_what_is_shared_cannot_be_changed(choices):
    contest = selected(a_set(), **choices).contest
    for scores in (contest.human, *contest.metrics.values()):
        with pytest.raises(ValueError, match="read-only"):
            scores[0, 0] = 7
    for names in (contest.metrics, contest.selection, contest.digests):
        with pytest.raises(TypeError):
            names["m"] = "x"


@pytest.mark.parametrize(
    "choices", [{}, {"has_probes": True}, {"adjustment": Adjustment(("m",), 1)}, {"exclude": ("A",)}]
)
def test_a_visitors_scores_go_with_his_set(choices):
    data = a_set()
    selection = selected(data, **choices)
    gone = [weakref.ref(one) for one in (data, selection.contest, selection.data_of(["m"]))]
    del data, selection
    gc.collect()
    assert [one() for one in gone] == [None, None, None]


def test_a_long_name_is_cut_in_a_title():
    assert title(replace(a_set(), language_pair="x-y")) == r"toy x\-y"
    assert len(title(replace(a_set(), name=5000 * "a"))) < 100
