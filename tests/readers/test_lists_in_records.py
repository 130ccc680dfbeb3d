"""Records whose scores are in lists, as tools write them: the steps that are printed are followed word for word."""

from __future__ import annotations

import json
import pathlib
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.readers.test_logged_json import write
from tests.readers.test_rows_of_objects import DATA, HUMAN, SCORES, SHUFFLED, SIZE, SYSTEMS

pytestmark = [
    pytest.mark.filterwarnings("ignore::tiekit.RoleWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
OTHERS = np.random.default_rng(1).random(SCORES.shape).round(3)
BOTH = {"fluency": SCORES, "adequacy": OTHERS}


def follow(refused: BaseException, **known: Any) -> Any:
    """What the step of a message returns, evaluated as it is written."""
    step = re.search(r"(?:such as |pass those, |pass )([\[{].*?)(?:, in Python)?$", str(refused))
    assert step, str(refused)
    return eval(step[1], {"json": json, "pathlib": pathlib, **known})


def read(data: tk.EvalSet, source: Any, known: dict[str, Any], **options: Any) -> tk.EvalSet:
    """The set with the scores of a source that is refused, by what the message says."""
    with pytest.raises((tk.InputError, tk.ReadError), match=r"list|rows below") as refused:
        data.with_scores(source, **options)
    return data.with_scores(follow(refused.value, **known), **options)


def rate(score: float, question: str = "quality") -> dict[str, Any]:
    return {"id": f"a{score}", "value": {"rating": score}, "from_name": question, "to_name": "t", "type": "rating"}


COMMENT = {"id": "c", "value": {"text": ["good"]}, "from_name": "comment", "to_name": "t", "type": "textarea"}
RELATION = {"from_id": "a", "to_id": "b", "type": "relation"}
LABEL_STUDIO: dict[str, Callable[[int, float], list[Any]]] = {
    "a comment behind": lambda _, score: [rate(score), COMMENT],
    "a comment before": lambda _, score: [COMMENT, rate(score)],
    "comments later": lambda number, score: [rate(score), *[COMMENT] * (number > 3)],
    "no value": lambda number, score: [*[RELATION] * (number % 2), rate(score)],
}


def tasks(results: Callable[[int, int, int], list[Any]], who: int = 2) -> list[Any]:
    return [
        {
            "id": number,
            "data": {"system": SYSTEMS[row], "segment": at + 1, "text": "one two"},
            "annotations": [{"id": number, "completed_by": who, "lead_time": 3.5, "result": results(number, row, at)}],
            "created_at": "2024-01-01T00:00:00Z",
        }
        for number, (row, at) in enumerate(SHUFFLED)
    ]


@pytest.mark.parametrize("ending", ["json", "jsonl"])
@pytest.mark.parametrize("kind", LABEL_STUDIO)
def test_a_rating_beside_a_comment(kind, ending, tmp_path):
    path = write(tmp_path / f"x.{ending}", tasks(lambda number, row, at: LABEL_STUDIO[kind](number, SCORES[row, at])))
    np.testing.assert_array_equal(read(DATA, path, {"PATH": path}, name="x").metrics["x"], SCORES)


@pytest.mark.parametrize("raters", [1, 2])
def test_two_ratings_of_one_task_stay_apart(raters, tmp_path):
    def results(_: int, row: int, at: int) -> list[Any]:
        return [rate(scores[row, at], name) for name, scores in BOTH.items()] + [COMMENT]

    path = write(tmp_path / "x.json", [task for who in range(raters) for task in tasks(results, who)])
    with pytest.raises(tk.ReadError, match="its scores are in lists") as refused:
        DATA.with_scores(path, name="x")
    rows = follow(refused.value, PATH=path)
    with pytest.raises(tk.ReadError, match="'from_name'") as refused:
        DATA.with_scores(rows, name="x")
    if raters > 1:
        step = re.search(r"keep the rows of one each, (frame\[.*?\]), where frame", str(refused.value))[1]
        more = DATA.with_scores(eval(step, {"frame": pd.DataFrame(rows)}), name="x")
        np.testing.assert_array_equal(more.metrics["x"], BOTH["fluency"])
        return
    scorer, score = re.search(r"scorer='(\w+)' and score='(\w+)'", str(refused.value)).groups()
    more = DATA.with_scores(rows, scorer=scorer, score=score)
    for name, scores in BOTH.items():
        np.testing.assert_array_equal(more.metrics[name], scores)


@pytest.mark.parametrize("questions", [1, 2])
def test_responses_below_names_of_questions(questions, tmp_path):
    rows = [
        {
            "id": f"r{number}",
            "fields": {"text": "a"},
            "metadata": {"system": SYSTEMS[row], "segment": at + 1},
            "responses": {
                name: [{"user_id": "u1", "value": scores[row, at], "status": "submitted"}]
                for name, scores in [*BOTH.items()][:questions]
            },
        }
        for number, (row, at) in enumerate(SHUFFLED)
    ]
    path = write(tmp_path / "x.json", rows)
    np.testing.assert_array_equal(read(DATA, path, {"PATH": path}, name="x").metrics["x"], SCORES)
    with pytest.raises(tk.ReadError) as refused:
        DATA.with_scores(path, name="x")
    told = "those of one of responses.fluency, responses.adequacy, such as "
    assert (told in str(refused.value)) == (questions > 1)


@pytest.mark.parametrize("indent", [None, 2])
def test_a_folder_with_an_object_of_each_system(indent, tmp_path):
    for name, scores in zip(SYSTEMS, SCORES.tolist(), strict=True):
        found = {"model": name, "overall": 0.5, "per_segment": scores}
        (tmp_path / f"run of {name}.json").write_text(json.dumps(found, indent=indent))
    more = read(DATA, tmp_path, {"FOLDER": tmp_path}, name="x")
    np.testing.assert_array_equal(more.metrics["x"], SCORES)
    with pytest.warns(tk.LeftOutWarning, match="no scores of the systems"):
        more = read(DATA, path := tmp_path / "run of ours.json", {"PATH": path}, name="x")
    np.testing.assert_array_equal(more.metrics["x"][1], SCORES[1])


@pytest.mark.parametrize("mean", [{}, {"overall": 0.5}, {"mean": 57}])
@pytest.mark.parametrize("ending", ["json", "jsonl", "list"])
def test_a_list_of_each_document(ending, mean, tmp_path):
    documents = [f"d{at // 5}" for at in range(SIZE)]
    numbers = [str(at % 5 + 1) for at in range(SIZE)]
    rows = [
        {"system": name, "doc": f"d{number}", **mean, "scores": SCORES[row, 5 * number : 5 * number + 5].tolist()}
        for number in (2, 0, 3, 1)
        for row, name in enumerate(SYSTEMS)
    ]
    frame = pd.DataFrame(
        [
            {"system": name, "doc": documents[at], "segment": numbers[at], "human": HUMAN[row, at]}
            for row, name in enumerate(SYSTEMS)
            for at in range(SIZE)
        ]
    )
    data = tk.read(frame, human="human")
    source = rows if ending == "list" else write(tmp_path / f"x.{ending}", rows)
    if ending == "list" and mean:
        return  # its column of numbers is named by the refusal
    more = read(data, source, {"PATH": source, "source": source}, name="x")
    np.testing.assert_array_equal(more.metrics["x"], SCORES)


SCORED = [("metric", "score"), ("name", "value"), ("criterion", "rating")]


@pytest.mark.parametrize("ending", ["json", "jsonl", "list"])
@pytest.mark.parametrize(("metric", "score"), SCORED)
def test_names_of_metrics_in_lists_are_kept(metric, score, ending, tmp_path):
    rows = [
        {
            "system": SYSTEMS[row],
            "segment": at + 1,
            "scores": [{metric: name, score: scores[row, at], "reason": "so"} for name, scores in BOTH.items()],
        }
        for row, at in SHUFFLED
    ]
    source = rows if ending == "list" else write(tmp_path / f"x.{ending}", rows)
    more = read(DATA, source, {"PATH": source, "source": source})
    assert [*more.metrics] == [*BOTH]
    for name, scores in BOTH.items():
        np.testing.assert_array_equal(more.metrics[name], scores)


def test_names_of_metrics_that_come_again_are_no_fields(tmp_path):
    rows = [
        {
            "system": SYSTEMS[row],
            "segment": at + 1,
            "scores": [{"metric": "fluency", "score": SCORES[row, at] + more, "n": "ab"[more]} for more in (0, 1)],
        }
        for row, at in SHUFFLED
    ]
    with pytest.raises(tk.ReadError, match="column 'n' tells such rows apart"):
        read(DATA, path := write(tmp_path / "x.json", rows), {"PATH": path}, name="x")


def deepeval(row: int, metrics: int) -> dict[str, Any]:
    """What DeepEval saves of a test run."""
    named = [*{"Answer Relevancy": SCORES, "Faithfulness": OTHERS}.items()][:metrics]
    cases = [
        {
            "name": f"test_case_{at}",
            "input": f"question {at}",
            "actualOutput": f"answer {at} of {row}",
            "success": True,
            "metricsData": [
                {
                    "name": name,
                    "threshold": 0.5,
                    "success": True,
                    "score": scores[row, at],
                    "reason": "so",
                    "strictMode": False,
                    "evaluationCost": 0.002,
                }
                for name, scores in named
            ],
            "runDuration": 5.5,
            "evaluationCost": 0.03,
            "order": at,
        }
        for at in range(SIZE)
    ]
    totals = [{"metric": name, "scores": scores[row].tolist(), "passes": 3} for name, scores in named]
    return {"testCases": cases, "conversationalTestCases": [], "metricsScores": totals, "runDuration": 9.5}


@pytest.mark.parametrize("metrics", [1, 2])
@pytest.mark.filterwarnings("ignore::tiekit.LeftOutWarning")
def test_a_test_run_of_deepeval(metrics, tmp_path):
    for row, name in enumerate(SYSTEMS):
        write(tmp_path / f"{name}.json", deepeval(row, metrics))
    path = tmp_path / "ours.json"
    whole = deepeval(1, metrics)
    for source, known in ((path, {"PATH": path}), (whole, {"source": whole}), (tmp_path, {"FOLDER": tmp_path})):
        more = read(DATA, source, known, **({} if source == tmp_path else {"system": "ours"}))
        rows = slice(None) if source == tmp_path else slice(1, 2)
        for name, scores in [("Answer Relevancy", SCORES), ("Faithfulness", OTHERS)][:metrics]:
            np.testing.assert_array_equal(more.metrics[name][rows], scores[rows])


@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize("name", ["xcomet", "judge_score", "faithfulness"])
def test_a_score_of_the_row_beside_lists_is_read_whatever_the_first_line_is(name, first, tmp_path):
    rows = [
        {
            "system": SYSTEMS[row],
            "segment": at + 1,
            name: SCORES[row, at],
            "contexts": [{"text": "a", "score": number % 11}] * (at % 3),
        }
        for number, (row, at) in enumerate(SHUFFLED)
    ]
    rows.sort(key=lambda row: len(row["contexts"]) != first)
    path: pathlib.Path = write(tmp_path / "x.jsonl", rows)
    with pytest.warns(tk.RoleWarning, match=f"took {name} for metrics; left out contexts"):
        more = DATA.with_scores(path, name="x")
    np.testing.assert_array_equal(more.metrics["x"], SCORES)


def test_another_number_of_the_row_is_not_read_instead_of_scores_in_lists(tmp_path):
    rows = [
        {
            "system": SYSTEMS[row],
            "segment": at + 1,
            "speed": number / 7,
            "grades": [{"q": "a", "score": SCORES[row, at]}],
        }
        for number, (row, at) in enumerate(SHUFFLED)
    ]
    path = write(tmp_path / "x.jsonl", rows)
    with pytest.raises(tk.ReadError, match="format='table' reads these in any case"):
        DATA.with_scores(path, name="x")
    with pytest.warns(tk.RoleWarning, match="took speed for metrics; left out grades"):
        DATA.with_scores(path, name="x", format="table")


def test_a_metric_that_comes_again_in_a_later_row_is_not_lost(tmp_path):
    rows = [
        {
            "system": SYSTEMS[row],
            "segment": at + 1,
            "scores": [{"name": "x", "score": SCORES[row, at]}] * (1 + number % 2),
        }
        for number, (row, at) in enumerate(SHUFFLED)
    ]
    with pytest.raises(tk.ReadError, match="found system 'ours' and segment"):
        read(DATA, path := write(tmp_path / "x.jsonl", rows), {"PATH": path}, name="x")


@pytest.mark.parametrize("place", ["label", "list", "score"])
def test_no_step_is_longer_than_people_read(place, tmp_path):
    names = {"label": "system", "list": "scores", "score": "score"} | {place: "a_score" * 999}
    rows = [
        {names["label"]: "a", "segment": at, names["list"]: [{"q": "a", names["score"]: at / 7}]} for at in range(9)
    ]
    with pytest.raises((tk.ReadError, tk.InputError)) as refused:
        DATA.with_scores(write(tmp_path / "x.jsonl", rows), name="x")
    assert len(str(refused.value)) < 2_500
