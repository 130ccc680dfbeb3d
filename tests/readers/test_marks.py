"""A number that stands apart from all scores and repeats is told, with a step that leaves it out, and nothing else."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.readers._odd_scores import ask_scale


def told(call: Any) -> tuple[Any, list[str]]:
    """What a call returns, and the questions about marks that it asks."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = call()
    return found, [str(one.message) for one in caught if "write nan if it means missing" in str(one.message)]


@pytest.fixture(scope="module")
def comet() -> tuple[tk.EvalSet, np.ndarray]:
    """A set without metrics, and scores of one for all its systems."""
    whole = tk.load("wmt22", "zh-en")
    scores = whole.metrics["COMET-22-refA"]
    rows = ~np.isnan(scores).any(axis=1)
    systems = tuple(name for name, row in zip(whole.systems, rows, strict=True) if row)[:6]
    human = {"mqm": whole.human["mqm"][rows][:6, :400]}
    return tk.EvalSet("toy", "", systems, whole.segments[:400], human, {}), scores[rows][:6, :400]


def marked(scores: np.ndarray, mark: float, size: int = 30) -> np.ndarray:
    """The scores with a mark in some cells."""
    found = scores.copy()
    found.flat[np.random.default_rng(3).choice(scores.size, size, replace=False)] = mark
    return found


def long(data: tk.EvalSet, scores: np.ndarray, name: str = "mine") -> pd.DataFrame:
    """A row for each cell."""
    index = pd.MultiIndex.from_product([data.systems, data.segments], names=["system", "segment"])
    return pd.DataFrame({name: scores.ravel()}, index=index).reset_index()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("mark", [-100, -1000, 1000, -20, 99, -999, -1, -9, 1e6])
@pytest.mark.parametrize("falls", [False, True])
def test_a_mark_among_scores_is_left_out_as_the_step_says(comet: Any, mark: float, falls: bool) -> None:
    data, scores = comet
    scores = 2 * scores - 1.5  # to both sides of 0, as those of COMET-20
    found = marked(-scores if falls else scores, mark)
    joined, said = told(lambda: data.with_scores(long(data, found), name="mine", lower_is_better=falls))
    [text] = said
    assert f"mine: 30 of {scores.size:,} scores are {mark:.15g}, the others" in text
    step = re.search(r"or go on with (data\..*)$", text)
    assert step
    more, said = told(lambda: eval(step[1], {"data": joined, "numpy": np}))
    assert not said
    np.testing.assert_array_equal(more.metrics["mine-2"], np.where(found == mark, np.nan, scores))


def test_a_mark_among_human_scores_is_left_out_as_the_step_says(comet: Any) -> None:
    data, scores = comet
    found = marked(100 * scores, -100)
    joined, [text] = told(lambda: data.with_human(long(data, found, "esa")))
    step = text.partition("or go on with ")[2]
    more, said = told(lambda: eval(step, {"data": joined, "numpy": np}))
    assert not said
    np.testing.assert_array_equal(more.human["esa-2"], np.where(found == -100, np.nan, 100 * scores))


@pytest.mark.parametrize("mark", [-100, 1000, -99])
def test_a_mark_among_ratings_is_told(comet: Any, mark: float) -> None:
    data, scores = comet
    ratings = np.clip(np.round(5 * scores), 1, 5)
    _, said = told(lambda: data.with_scores(long(data, marked(ratings, mark)), name="mine"))
    assert [f"scores are {mark}, the others 1 to 5" in text for text in said] == [True]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("pair", ["zh-en", "he-en", "en-de"])
def test_no_score_of_a_published_metric_is_taken_for_a_mark(pair: str) -> None:
    data = tk.load("wmt23", pair)
    _, said = told(lambda: ask_scale(data, {"human": data.human, "metrics": data.metrics}))
    assert not said


@pytest.mark.parametrize(("value", "number"), [(100, 20), (0, 20), (-1, 3), (1.5, 20), (-25, 1)])
def test_ends_of_scales_and_single_scores_are_no_marks(comet: Any, value: float, number: int) -> None:
    data, scores = comet
    found = marked(scores / 3 if value != 100 else 30 * scores, value, number)
    _, said = told(lambda: data.with_scores(long(data, found), name="mine"))
    assert not said


@pytest.mark.parametrize(
    ("low", "high", "mark"),
    [*((0, 100, mark) for mark in (-999, 999, -99)), *((-138, 0, mark) for mark in (-999, 999, 99)), (0, 100, -9999)],
)
@pytest.mark.parametrize("size", [20, 400])
@pytest.mark.sampled(3)
def test_a_usual_code_beside_whole_numbers_is_told(comet: Any, low: int, high: int, mark: int, size: int) -> None:
    data, _ = comet
    scores = np.random.default_rng(5).integers(low, high, (6, 400), endpoint=True).astype(float)
    found = marked(scores, mark, size)
    joined, said = told(lambda: data.with_human(long(data, found), name="da"))
    [text] = said
    step = re.search(r"or go on with (data\..*)$", text)
    assert step
    more, _ = told(lambda: eval(step[1], {"data": joined, "numpy": np}))
    assert np.array_equal(more.human["da-2"], np.where(found == mark, np.nan, found), equal_nan=True)
    assert not told(lambda: data.with_human(long(data, scores), name="da"))[1]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("scale", "marks", "part"),
    [
        ("0 to 1", [-999], 0.6),
        ("0 to 1", [1e6], 0.6),
        ("0 to 1", [100], 0.1),
        ("0 to 100", [-100], 0.02),
        ("0 to 100", [-999, -998], 0.04),
        ("1 to 5", [100], 0.02),
        ("1 to 5", [-99], 0.6),
        ("mqm", [-99], 0.1),
        ("mqm", [100], 0.02),
        ("mqm", [1000], 0.3),
    ],
)
def test_usual_codes_are_told_however_many_they_are(comet: Any, scale: str, marks: list[float], part: float) -> None:
    data, scores = comet
    drawn = np.random.default_rng(1)
    shown = {
        "0 to 1": scores,
        "0 to 100": np.clip(np.round(100 * scores), 0, 99),
        "1 to 5": np.clip(np.round(5 * scores), 1, 5),
        "mqm": np.clip(np.round(25 * (scores - 1)), -25, 0),
    }[scale]
    marked = np.where(drawn.random(scores.shape) < part, drawn.choice(marks, scores.shape), shown)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data.with_scores(marked, name="x")
    said = [str(one.message) for one in caught if issubclass(one.category, tk.RoleWarning)]
    assert re.search(rf"scores are {marks[0]:.15g}.*(write nan|mean missing)", " ".join(said))


@pytest.mark.parametrize(
    ("scale", "marks", "part"),
    [
        ((0, 100), [-888, -999], 0.02),
        ((0, 100), [-1, -2], 0.02),
        ((1, 5), [-8, -9], 0.1),
        ((0, 100), [-1], 0.6),
        ((0, 100), [-9], 0.8),
        ((1, 5), [-1], 0.6),
        ((-25, 0), [-100], 0.02),
    ],
)
def test_codes_are_left_out_at_once_as_the_step_says(comet: Any, scale: Any, marks: list[int], part: float) -> None:
    data, _ = comet
    drawn = np.random.default_rng(1)
    scores = drawn.integers(*scale, (6, 400), endpoint=True).astype(float)
    found = np.where(drawn.random(scores.shape) < part, drawn.choice(marks, scores.shape), scores)
    joined, [text] = told(lambda: data.with_human(long(data, found), name="da"))
    assert f"scores are {' and '.join(map(str, sorted(marks)))}, " in text
    more, said = told(lambda: eval(text.partition("or go on with ")[2], {"data": joined, "numpy": np}))
    assert not said
    np.testing.assert_array_equal(more.human["da-2"], np.where(np.isin(found, marks), np.nan, found))


@pytest.mark.parametrize(("scale", "code"), [((-100, 0), -100), ((-5, 5), -1), ((-3, 15), -3), ((-2, 12), -2)])
def test_numbers_of_a_scale_are_no_codes(comet: Any, scale: Any, code: int) -> None:
    data, _ = comet
    scores = np.random.default_rng(1).integers(*scale, (6, 400), endpoint=True).astype(float)
    assert not told(lambda: data.with_human(long(data, marked(scores, code)), name="da"))[1]
