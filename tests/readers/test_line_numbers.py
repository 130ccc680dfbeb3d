"""Numbers of lines beside a set whose labels are numbers in another order: both readings are named."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tiekit as tk

SYSTEMS = ("gpt-4o", "ours", "base")
SIZE = 40
FORMS = ("q{:03d}", "utt{}", "{:05d}", "cnn-{}")


def example(form: str) -> tuple[tk.EvalSet, np.ndarray, list[int]]:
    """A set with labels in a random order, a metric's scores in the order of the set, and the numbers in its labels."""
    rng = np.random.default_rng(8)
    numbers = (rng.permutation(SIZE) + 1).tolist()
    rows = [
        {"system": name, "segment": form.format(number), "human": int(rng.integers(1, 6))}
        for number in numbers
        for name in SYSTEMS
    ]
    scores = np.round(rng.normal(size=(len(SYSTEMS), SIZE)), 4)
    return tk.read(pd.DataFrame(rows), segment="segment"), scores, numbers


def add(data: tk.EvalSet, source: Any) -> tuple[np.ndarray, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = data.with_scores(source, name="x")
    return np.asarray(found.metrics["x"]), [str(one.message) for one in caught if one.category is tk.RoleWarning]


@pytest.mark.parametrize("form", [*FORMS, "{}"])
def test_what_comet_prints_is_read_as_its_json(tmp_path: Path, form: str) -> None:
    data, scores, _ = example(form)
    lines = [
        f"out/{name}.txt\tSegment {j}\tscore: {scores[i, j]:.4f}\n"
        for i, name in enumerate(SYSTEMS)
        for j in range(SIZE)
    ]
    (tmp_path / "printed.txt").write_text("".join(lines))
    (tmp_path / "mixed.txt").write_text("".join([*lines[::2], *lines[1::2]]))
    (tmp_path / "scores.json").write_text(
        json.dumps({f"out/{name}.txt": [{"COMET": one} for one in scores[i]] for i, name in enumerate(SYSTEMS)})
    )
    for name in ("printed.txt", "mixed.txt", "scores.json"):
        found, said = add(data, tmp_path / name)
        assert np.array_equal(found, scores), name
        assert any("its rows were taken in their order" in text for text in said), name


@pytest.mark.sampled(3)
@pytest.mark.parametrize("column", ["idx", "line", "segment", "id", "n"])
@pytest.mark.parametrize("form", FORMS)
def test_numbers_of_lines_or_of_labels_are_told(form: str, column: str) -> None:
    data, scores, numbers = example(form)
    frame = pd.DataFrame(
        [{"system": name, column: j + 1, "score": scores[i, j]} for i, name in enumerate(SYSTEMS) for j in range(SIZE)]
    )
    found, said = add(data, frame)
    assert np.array_equal(found, scores[:, np.array(numbers) - 1])
    [told] = [text for text in said if "matched by number" in text]
    name, _, step = told.rpartition("pass ")[2].partition(" = ")
    assert name == "frame[COLUMN]"
    frame[column] = eval(step, {"frame": frame, "COLUMN": column, "data": data})
    found, said = add(data, frame)
    assert np.array_equal(found, scores)
    assert not [text for text in said if "matched by number" in text]


@pytest.mark.parametrize("form", FORMS)
def test_labels_in_the_order_of_the_set_are_not_asked_about(form: str) -> None:
    data, scores, numbers = example(form)
    frame = pd.DataFrame(
        [
            {"system": name, "segment": number, "score": scores[i, j]}
            for i, name in enumerate(SYSTEMS)
            for j, number in enumerate(numbers)
        ]
    )
    found, said = add(data, frame)
    assert np.array_equal(found, scores)
    assert not [text for text in said if "matched by number" in text]
