"""A column of a table that was moved or sorted by itself is told; no column of the sets that come along is."""

import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.base.errors import collect_warnings
from tiekit.readers._own_order import ask_own_order

SYSTEMS, SIZE = [f"system {place}" for place in range(4)], 150


def table(several=True):
    """Scores of one quality by people and by two metrics, or one."""
    rng = np.random.default_rng(1)
    quality = rng.normal(size=(len(SYSTEMS), SIZE)) + rng.normal(size=SIZE)
    frame = pd.DataFrame({"system": np.repeat(SYSTEMS, SIZE), "segment": np.tile(np.arange(SIZE) + 1, len(SYSTEMS))})
    for name, noise in (("mqm", 1.5), ("mine", 0.7), ("bert", 1.0))[: 2 + several]:
        frame[name] = (quality + noise * rng.normal(size=quality.shape)).round(3).ravel()
    return frame


def listen(frame):
    """What is said of the order of a table's columns."""
    with collect_warnings() as said:
        tk.read(frame)
    return [text for kind, text in said if kind is tk.OrderWarning]


@pytest.mark.parametrize("several", [True, False])
@pytest.mark.parametrize("name", ["mine", "bert", "mqm"])
@pytest.mark.parametrize("move", [1, -1, 4])
def test_a_moved_column_is_told_with_the_step_that_moves_it_back(move, name, several):
    frame = table(several)
    if name not in frame or (name == "mqm" and not several):
        return
    assert listen(frame) == []
    moved = frame.assign(**{name: frame.groupby("system")[name].shift(move)})
    [told] = listen(moved)
    assert f"column '{name}' agrees better with the other scores if it is moved {abs(move)} row" in told
    exec(re.search(r"if it was moved, (.*)", told)[1], {"frame": moved})
    assert listen(moved) == []
    assert (moved[name].isna() | (moved[name] == frame[name])).all()


def test_a_column_that_was_sorted_by_itself_is_told():
    frame = table()
    for sign in (1, -1):
        found = frame.assign(mine=frame.sort_values("mine")["mine"].to_numpy()[::sign])
        assert ["in column 'mine' are in the order of their size" in one for one in listen(found)] == [True]
    assert listen(frame.sort_values(["system", "mine"])) == []  # whole rows
    assert listen(frame[frame["system"] == SYSTEMS[0]].sort_values("mine")) == []


@pytest.mark.parametrize("name", [("wmt22", "zh-en"), ("wmt23", "zh-en"), ("wmt23", "he-en"), ("wmt23", "en-de")])
def test_no_column_of_the_sets_is_told(name):
    data = tk.load(*name)
    ask_own_order("set", data, "system")
    frame = pd.DataFrame(
        {"system": np.repeat(data.systems, len(data.segments)), "segment": np.tile(data.segments, len(data.systems))}
        | {column: scores.ravel() for column, scores in [*data.human.items(), *list(data.metrics.items())[:3]]}
    )
    assert listen(frame) == []


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("times", [1, 4])
def test_rows_that_were_numbered_after_some_were_left_out_are_asked_about(start, times):
    parts = [table().assign(system=lambda part, at=at: part["system"] + f" {at}") for at in range(times)]
    frame = pd.concat(parts, ignore_index=True)
    left = frame[np.random.default_rng(2).random(len(frame)) > 0.05]
    numbered = left.assign(segment=left.groupby("system").cumcount() + start)
    [text] = [text for text in listen(numbered) if "without a gap" in text]
    step = re.search(r"number the rows first, (.*), before frame.dropna", text)[1]
    right = frame.drop(columns="segment")
    exec(step, {"frame": right})
    assert right["segment"].equals(frame["segment"])
    assert not listen(left)
    stopped = frame[(frame["system"] != f"{SYSTEMS[1]} 0") | (frame["segment"] <= SIZE - 20)]
    assert not listen(stopped.assign(segment=stopped["segment"] - 1 + start))
