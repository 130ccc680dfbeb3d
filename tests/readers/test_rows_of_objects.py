"""Rows as tools log them, with their scores below several names or in lists: none is left out in silence."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.base.errors import collect_warnings

SYSTEMS, SIZE = ("gpt-4o", "ours", "base"), 20
RANDOM = np.random.default_rng(0)
SCORES = RANDOM.normal(size=(len(SYSTEMS), SIZE)).round(3)
HUMAN = np.clip(np.round(3 + SCORES), 1, 5)
SHUFFLED = [(row, int(at)) for at in RANDOM.permutation(SIZE) for row in range(len(SYSTEMS))]
DATA = tk.EvalSet("toy", "", SYSTEMS, tuple(map(str, range(1, SIZE + 1))), {"human": HUMAN}, {})


def rows_of(fields: Any) -> list[dict[str, Any]]:
    """A row for each system and segment, in an order of its own."""
    return [{"id": at + 1, "model": SYSTEMS[row], **fields(at, SCORES[row, at])} for row, at in SHUFFLED]


def value(score):
    return {"value": score, "answer": "a"}


OBJECTS = {
    "epoch": lambda _, score: {"epoch": 1, "scores": {"judge": value(score)}},
    "order": lambda at, score: {"order": at, "input": "q", "scores": {"judge": value(score)}},
    "difficulty": lambda at, score: {"difficulty": at % 5, "scores": {"judge": value(score)}},
    "level": lambda at, score: {"scores": {"judge": {"run": {"value": score}}}, "level": at % 5},
    "label": lambda at, score: {"label": at % 5, "scores": {"judge": value(score)}},
    "meta.attempt": lambda _, score: {"meta": {"attempt": 1}, "scores": {"judge": value(score)}},
    "pass": lambda _, score: {"pass": 1, "evaluations": {"bleu": {"score": score, "bp": 1.0}}},
    "confidence": lambda at, score: {"confidence": at / 20, "evaluations": {"x": {"y": {"z": {"score": score}}}}},
}
LISTS = {
    "feedback": lambda at, score: {"grade_level": at % 5, "feedback": [{"key": "x", "score": score}]},
    "scores": lambda _, score: {"epoch": 1, "scores": [{"name": "judge", "value": score}]},
    "meta.all": lambda _, score: {"epoch": 1, "meta": {"all": [{"name": "judge", "value": str(score)}]}},
    "tags": lambda _, score: {"epoch": 1, "tags": [["judge", score]]},
}


def forms(rows: list[dict[str, Any]]) -> dict[str, tuple[Any, dict[str, str]]]:
    """The same rows as a list, by system, and as files, with what else is passed."""
    lines = {"x.jsonl": "".join(json.dumps(row) + "\n" for row in rows).encode()}
    by_system: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_system.setdefault(row["model"], []).append({name: one for name, one in row.items() if name != "model"})
    return {
        "list": (rows, {}),
        "by system": (by_system, {}),
        "frame": (pd.json_normalize(rows), {}),
        "lines": (lines, {}),
        "lines as a table": (lines, {"format": "table"}),
        "array": ({"x.json": json.dumps(rows, indent=1).encode()}, {"format": "table"}),
    }


FORMS = list(forms(rows_of(OBJECTS["epoch"])))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", OBJECTS)
def test_scores_below_several_names_are_asked_about(kind, form):
    source, more = forms(rows_of(OBJECTS[kind]))[form]
    with pytest.raises(tk.InputError) as error:
        DATA.with_scores(source, name="x", **more)
    column = re.findall(r"metrics='([\w.]+)'", str(error.value))[-1]
    assert column.startswith(("scores.", "evaluations."))
    np.testing.assert_array_equal(DATA.with_scores(source, name="x", metrics=column, **more).metrics["x"], SCORES)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", [kind for kind in OBJECTS if kind != "label"])
def test_human_scores_below_several_names_are_asked_about_or_named(kind, form):
    source, more = forms(rows_of(OBJECTS[kind]))[form]
    with collect_warnings() as said:
        try:
            DATA.with_human(source, name="x", **more)
        except tk.InputError as error:
            said.append((tk.RoleWarning, str(error)))
    told = " ".join(message for category, message in said if category is tk.RoleWarning)
    column = re.findall(r"(?:scores|evaluations)\.[\w.]+\w", told)[0]
    with collect_warnings():
        np.testing.assert_array_equal(DATA.with_human(source, name="x", human=column, **more).human["x"], SCORES)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", OBJECTS)
def test_scores_below_several_names_are_metrics_beside_human_scores(kind, form):
    rows = rows_of(OBJECTS[kind])
    people = {(row, at): HUMAN[row, at] for row, at in SHUFFLED}
    rows = [one | {"human": people[place]} for one, place in zip(rows, SHUFFLED, strict=True)]
    source, more = forms(rows)[form]
    with collect_warnings():
        data = tk.read(source, human="human", **more)
    [name] = [name for name in data.metrics if name.startswith(("scores.", "evaluations.")) and not name.endswith("bp")]
    order = [int(segment) - 1 for segment in data.segments], [SYSTEMS.index(one) for one in data.systems]
    np.testing.assert_array_equal(data.metrics[name], SCORES[order[1]][:, order[0]])


@pytest.mark.sampled(7)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", LISTS)
@pytest.mark.parametrize("add", ["with_scores", "with_human", "read"])
def test_numbers_in_lists_are_named_where_they_are_left_out(kind, form, add):
    rows = rows_of(LISTS[kind])
    rows = [row | {"human": int(row["id"])} for row in rows] if add == "read" else rows
    source, more = forms(rows)[form]
    with collect_warnings() as said:
        try:
            if add == "read":
                tk.read(source, human="human", **more)
            else:
                getattr(DATA, add)(source, name="x", **more)
        except (tk.ReadError, tk.InputError) as error:
            said.append((tk.RoleWarning, f"left out {error}" if form == "lines" else ""))
    assert any(
        "left out" in told
        and kind in told.replace("no known format", kind).replace("row['meta'].get('all')", "row.meta.all")
        for category, told in said
        if category is tk.RoleWarning
    ), said


def test_lists_beside_clear_scores_are_no_question():
    rows = rows_of(lambda at, score: {"score": score, "tokens": [at, 2], "spans": [{"start": at, "end": 99}]})
    with collect_warnings() as said:
        found = DATA.with_scores(rows, name="x")
    np.testing.assert_array_equal(found.metrics["x"], SCORES)
    assert not said
    same = rows_of(lambda at, score: {"value": score, "config": [1, 2], "spans": [{"start": at, "end": 99}]})
    with collect_warnings() as said:
        DATA.with_scores(same, name="x")
    assert not said


def test_two_fields_of_one_name_are_refused():
    rows = [{"system": "A", "segment": 1, "a.b": 1, "a": {"b": 2}}]
    with pytest.raises(tk.ReadError, match=r"list, line 1: two fields of one object are named 'a\.b'.*rename one"):
        tk.read(rows)


def test_very_deep_and_very_wide_objects_stay_as_they_are():
    deep: dict[str, Any] = {"value": 1}
    for _ in range(50):
        deep = {"below": deep}
    rows = rows_of(lambda at, score: {"other": score, "deep": {"number": at, "one": deep}})
    with collect_warnings() as said:
        DATA.with_scores(rows, name="x", metrics="other")
        tk.read([row | {"human": 1.5} for row in rows], human="human")
    assert not [told for _, told in said if "line" in told]
    wide = [{"system": "A", "segment": 1, **{f"m{n}": n for n in range(10_001)}}]
    with pytest.raises(tk.ReadError, match="list, line 1: has 10,003 columns; the limit is 10,000"):
        tk.read(wide)
