"""What a mean hides is looked for before it is taken: marks of failed answers, turns and metrics in other rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tiekit as tk

SYSTEMS = ("gpt-4o", "ours", "base")
SIZE = 60


def told(call: Callable[[], Any]) -> tuple[Any, list[str]]:
    """What a call returns, and the RoleWarnings that it gives."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = call()
    return found, [str(one.message) for one in caught if issubclass(one.category, tk.RoleWarning)]


def judged(mark: float | None) -> tuple[tk.EvalSet, pd.DataFrame, np.ndarray]:
    """A set, the rows of a judge of which some have a failed answer before them, and the judge's scores."""
    rng = np.random.default_rng(17)
    scores = np.round(rng.uniform(0.05, 0.95, (len(SYSTEMS), SIZE)), 3)
    human = pd.DataFrame(
        [
            {"system": name, "segment": j + 1, "human": float(rng.integers(1, 6))}
            for name in SYSTEMS
            for j in range(SIZE)
        ]
    )
    rows = []
    for i, name in enumerate(SYSTEMS):
        for j in range(SIZE):
            rows += [{"system": name, "segment": j + 1, "score": mark}] * (rng.random() < 0.15)
            rows.append({"system": name, "segment": j + 1, "score": scores[i, j]})
    return told(lambda: tk.read(human))[0], pd.DataFrame(rows), scores


@pytest.mark.parametrize("aggregate", ["mean", "median"])
@pytest.mark.parametrize("mark", [-1, -999, -9])
def test_a_mark_of_failed_answers_is_told_before_it_is_part_of_means(mark: float, aggregate: Any) -> None:
    data, frame, scores = judged(mark)
    number = int((frame["score"] == mark).sum())
    _, said = told(lambda: data.with_scores(frame, name="judge", aggregate=aggregate))
    [found] = [text for text in said if "write nan" in text]
    assert f"{number} of {len(frame)} scores are {mark}," in found, found
    step = found.rpartition("pass ")[2]
    mended = eval(step, {"frame": frame})
    joined, said = told(lambda: data.with_scores(mended, name="judge", aggregate=aggregate))
    assert not [text for text in said if "write nan" in text]
    assert np.array_equal(joined.metrics["judge"], scores)


def test_a_missing_score_beside_its_second_try_is_not_asked_about() -> None:
    data, frame, scores = judged(None)
    joined, said = told(lambda: data.with_scores(frame, name="judge", aggregate="mean"))
    assert not [text for text in said if "write nan" in text]
    assert np.array_equal(joined.metrics["judge"], scores)


def test_negative_ratings_are_averaged_without_a_word() -> None:
    data, frame, _ = judged(-1)
    frame["score"] = -frame["score"].abs()
    _, said = told(lambda: data.with_scores(frame, name="judge", aggregate="mean"))
    assert not [text for text in said if "write nan" in text]


def rows_of(kind: str) -> tuple[tk.EvalSet, pd.DataFrame, dict[str, np.ndarray]]:
    """A set, rows of two turns or of two metrics, and the scores of each."""
    rng = np.random.default_rng(3)
    data, _, _ = judged(None)
    names = ("1", "2") if kind == "turn" else ("COMET", "BLEU")
    scores = {name: rng.integers(1, 11, (len(SYSTEMS), SIZE)) / 2 for name in names}
    rows = [
        {
            "model": system,
            "question_id": j + 1,
            kind: int(name) if name.isdigit() else name,
            "score": scores[name][i, j],
            **({"tstamp": 1e9 + rng.random()} if kind == "turn" else {"version": 2.3 if name == "BLEU" else 22}),
        }
        for i, system in enumerate(SYSTEMS)
        for j in range(SIZE)
        for name in names
    ]
    return data, pd.DataFrame(rows), scores


@pytest.mark.parametrize("kind", ["turn", "metric"])
def test_the_printed_step_for_turns_or_metrics_leads_to_each_by_itself(kind: str) -> None:
    data, frame, scores = rows_of(kind)
    with pytest.raises(tk.TiekitError, match=f"pass scorer='{kind}' and score='score'"):
        data.with_scores(frame, name="x", metrics="score")
    with pytest.raises(tk.InputError, match="names one metric, but there are 2"):
        data.with_scores(frame, name="x", metrics="score", scorer=kind, score="score")
    joined, _ = told(lambda: data.with_scores(frame, metrics="score", scorer=kind, score="score"))
    assert {name: joined.metrics[name].tolist() for name in scores} == {n: one.tolist() for n, one in scores.items()}


@pytest.mark.parametrize("kind", ["turn", "metric"])
def test_no_mean_over_turns_or_metrics_is_silent(kind: str) -> None:
    data, frame, scores = rows_of(kind)
    choice: dict[str, Any] = {"scorer": kind, "score": "score", "aggregate": "mean"}
    joined, _ = told(lambda: data.with_scores(frame, metrics="score", **choice))
    assert all(np.array_equal(joined.metrics[name], one) for name, one in scores.items())
    _, said = told(lambda: data.with_scores(frame, metrics="score", name="x", aggregate="mean"))
    assert any(f"is the mean over '{kind}'" in text for text in said), said
    number = frame.columns[-1]
    _, said = told(lambda: data.with_scores(frame, metrics=number, **choice))
    assert any(f"each score of '{number}' is the mean over rows of several '{kind}'" in text for text in said), said


def test_no_mean_is_advised_for_another_number_beside_metrics() -> None:
    data, frame, scores = rows_of("metric")
    with pytest.raises(tk.TiekitError, match="column 'version' has several scores") as caught:
        data.with_scores(frame, scorer="metric", score="score")
    assert "aggregate" not in str(caught.value)
    step = str(caught.value).rpartition("leave it out, metrics=")[2]
    joined, _ = told(lambda: data.with_scores(frame, scorer="metric", score="score", metrics=eval(step)))
    assert all(np.array_equal(joined.metrics[name], one) for name, one in scores.items())


@pytest.mark.parametrize("form", ["Rating: [[{}]]", "{}", "score {} of 10"])
def test_the_answer_that_holds_the_score_is_no_column_that_tells_rows_apart(form: str) -> None:
    data, _, _ = judged(None)
    scores = np.random.default_rng(4).integers(1, 6, (len(SYSTEMS), SIZE))
    rows = [
        {"system": name, "segment": j + 1, "raw_output": form.format(score), "score": score}
        for i, name in enumerate(SYSTEMS)
        for j in range(SIZE)
        for score in (scores[i, j] + 1, scores[i, j], scores[i, j] + 2)
    ]
    with pytest.raises(tk.ReadError, match='pass aggregate="mean"') as caught:
        data.with_scores(rows, name="judge", metrics="score")
    assert "raw_output" not in str(caught.value)
    joined, said = told(lambda: data.with_scores(rows, name="judge", metrics="score", aggregate="mean"))
    assert np.array_equal(joined.metrics["judge"], scores + 1)
    assert not [text for text in said if "raw_output" in text]


@pytest.mark.parametrize("aggregate", ["mean", "median"])
@pytest.mark.parametrize("first", ["zero", "other", "same"])
def test_few_cells_with_a_second_try_are_told_with_the_step_that_keeps_it(first: str, aggregate: Any) -> None:
    data, frame, scores = judged(0)
    is_first = frame.duplicated(["system", "segment"], keep="last")
    if first != "zero":
        frame.loc[is_first, "score"] = frame["score"].shift(-1)[is_first] + (0.031 if first == "other" else 0)
    _, said = told(lambda: data.with_scores(frame, name="judge", aggregate=aggregate))
    asked = [text for text in said if "second tries" in text]
    assert len(asked) == (first != "same"), said
    for text in asked:
        assert f"{is_first.sum()} of {scores.size} scores are the {aggregate} of several" in text
        mended = eval(text.rpartition("the last of each: ")[2], {"frame": frame})
        joined, said = told(lambda mended=mended: data.with_scores(mended, name="judge"))
        assert np.array_equal(joined.metrics["judge"], scores)


def test_two_ratings_of_each_cell_are_averaged_without_a_question() -> None:
    data, frame, _ = judged(None)
    frame = pd.concat([frame, frame.assign(score=frame["score"] + 0.02)]).dropna()
    _, said = told(lambda: data.with_scores(frame, name="judge", aggregate="mean"))
    assert not [text for text in said if "second tries" in text]
