"""A table in which each answer has an id of its own is told, with the step that names what the systems share."""

import re
import uuid

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.base.errors import collect_warnings

SYSTEMS, SIZE = ("gpt-4", "gpt-4o", "llama"), 30


def table():
    """Scores of systems by people and by a metric, system by system."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"system": np.repeat(SYSTEMS, SIZE), "item": np.tile(np.arange(SIZE) + 1, len(SYSTEMS))})
    return frame.assign(human=rng.normal(size=len(frame)).round(3), mine=rng.normal(size=len(frame)).round(3))


def listen(source, **choices):
    """A table's set, and what is said of segments that systems do not share."""
    with collect_warnings() as said:
        data = tk.read(source, **choices)
    return data, [text for _, text in said if "segments have scores of two systems" in text]


def is_right(data):
    """Whether systems have their scores side by side."""
    frame = table()
    expected = {(row.system, row.human, row.mine) for row in frame.itertuples()}
    found = {
        (data.systems[row], data.human["human"][row, column], data.metrics["mine"][row, column])
        for row in range(len(SYSTEMS))
        for column in range(len(data.segments))
    }
    return len(data.segments) == SIZE and found == expected and not listen(table())[1]


LABELS = {
    "before": lambda row: f"{row.system}_{row.item}",
    "after": lambda row: f"item {row.item}: {row.system}",
    "within": lambda row: f"run/{row.system}/{row.item:03d}",
}


@pytest.mark.parametrize("label", LABELS.values(), ids=LABELS)
@pytest.mark.parametrize("is_file", [True, False])
def test_names_of_systems_in_ids_are_taken_off_by_the_step(label, is_file, tmp_path):
    frame = table().assign(item=[label(row) for row in table().itertuples()])
    path = tmp_path / "scores.csv"
    frame.to_csv(path, index=False)
    _, [told] = listen(path if is_file else frame)
    assert "0 of 90 segments have scores of two systems" in told
    found = {"frame": frame, "pandas": pd}
    step, _, where = told.partition("take them off: ")[2].partition(", where frame is ")
    assert bool(where) == is_file
    if where:
        found["frame"] = eval(where, {"pandas": pd, "PATH": path})
    exec(step, found)
    assert is_right(listen(found["frame"])[0])


@pytest.mark.parametrize("ids", [lambda size: [str(uuid.UUID(int=n * 7919**8)) for n in range(1, size + 1)], range])
def test_ids_that_say_nothing_are_told_with_a_column_or_a_count(ids):
    frame = table().assign(item=[*ids(len(SYSTEMS) * SIZE)])
    _, [told] = listen(frame)
    assert "give a column that names what was translated or answered, segment=COLUMN; or, if the rows" in told
    found = {"frame": frame.copy()}
    exec(told.partition("in one order, ")[2], found)
    assert is_right(listen(found["frame"])[0])
    asked = frame.assign(task=[f"task {place}" for place in table()["item"]])
    _, [told] = listen(asked, segment="item")
    assert "if column 'task' names what was translated or answered, pass segment='task'" in told
    assert is_right(listen(asked, segment=re.search("segment='(.*)'", told)[1])[0])


def test_segments_that_some_systems_share_are_not_told():
    frame = table()
    assert not listen(frame)[1]
    assert not listen(frame[frame["system"] == "llama"])[1]
    assert not listen(frame[(frame["system"] == "llama") | (frame["item"] < 3)])[1]
    few = frame[frame["item"] < 6]
    assert not listen(few.assign(item=few["system"] + "_" + few["item"].astype(str)))[1]
