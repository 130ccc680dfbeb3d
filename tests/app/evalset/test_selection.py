"""What is made of a set is kept for all visitors, within bounds."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import tiekit as tk
from ui.evalset import selection
from ui.evalset.selection import once_per_set


@pytest.fixture(autouse=True)
def _nothing_is_kept(monkeypatch):
    monkeypatch.setattr(selection, "_made", selection.WeakKeyDictionary())


def make_set():
    scores = np.ones((1, 1))
    return tk.EvalSet("t", "a-b", systems=("A",), segments=("1",), human={"h": scores}, metrics={"m": scores})


def ask(data, key):
    """Have a thing of about 100,000 bytes made, and return whether it was."""
    made = []
    once_per_set(data, key, lambda: made.append(key) or np.zeros(12_500))
    return bool(made)


def test_of_each_set_so_many_bytes_are_kept(monkeypatch):
    monkeypatch.setattr(selection, "KEPT_BYTES", 400_000)
    data, other = make_set(), make_set()
    assert [ask(data, key) for key in (*"abc", *"abc")] == [True] * 3 + [False] * 3
    assert ask(data, "d")
    assert ask(data, "a"), "the oldest went"
    assert ask(other, "a"), "another set has its own"
    assert not ask(data, "d")


def test_of_all_sets_so_many_bytes_are_kept_and_the_one_goes_that_nobody_used_for_longest(monkeypatch):
    monkeypatch.setattr(selection, "KEPT_OF_ALL", 350_000)
    one, two, three = make_set(), make_set(), make_set()
    assert [ask(of, "a") for of in (one, two, three, one)] == [True] * 3 + [False]
    assert ask(three, "b")
    assert 250_000 < selection.held_bytes() <= 350_000
    assert [ask(of, "a") for of in (one, three)] == [False] * 2
    assert ask(two, "a")


def test_what_is_made_of_a_set_goes_with_it():
    data = make_set()
    assert ask(data, "a")
    del data
    gc.collect()
    assert not selection._made
