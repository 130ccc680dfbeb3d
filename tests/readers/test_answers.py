"""A judge's answers that nobody turned into numbers: no other column of numbers becomes the metric without a word."""

import itertools
import json
import warnings

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.readers._answers import find_answers
from tiekit.readers._table import open_table

SYSTEMS = ("A", "B", "C", "D")
SEGMENTS = range(1, 21)
ANSWERS = (
    "Score: {}/100",
    "Rating: [[{}]]",
    "The translation is good. Score: {}",
    "**{}**",
    "I'd give this translation an {}.",
    "Overall, it is quite good.\n\n**Score:** {}\n\nExplanation: it says all" + " that the source says" * 30,
    '{{"score": {}, "explanation": "One clause is missing."}}',
    "{} out of 100, as a clause is missing",
    "{}, because it is fluent",
)
NAMES = ("answer", "response", "output", "judgment", "verdict", "completion", "judge", "gpt4", "mine", "x")
NO_SCORES = {
    "status_code": 200,
    "response.status_code": 200,
    "valid": True,
    "temperature": 0.0,
    "created": 1_700_000_000,
    "latency": 0.5,
    "completion_tokens": 12,
    "code": 200,
}


@pytest.fixture(scope="module")
def data():
    """A set of four systems, whose segments have names of numbers."""
    scores = np.random.default_rng(0).normal(size=(2, len(SYSTEMS), len(SEGMENTS)))
    segments = [*map(str, SEGMENTS)]
    return tk.EvalSet.from_arrays({"mqm": scores[0]}, {"COMET": scores[1]}, systems=SYSTEMS, segments=segments)


@pytest.fixture
def rows():
    """A row for each system and segment, with grades of a judge and how sure it is."""
    pairs = [*itertools.product(SYSTEMS, SEGMENTS)]
    frame = pd.DataFrame(pairs, columns=["system", "segment"])
    rng = np.random.default_rng(1)
    return frame.assign(grade_of=rng.integers(1, 100, len(pairs)), confidence=rng.random(len(pairs)).round(2))


def write(rows, pattern):
    return [pattern.format(grade) for grade in rows["grade_of"]]


def add(data, rows, name="judge", **options):
    """What is warned of the roles of columns when a table becomes a metric, and the last note."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = data.with_scores(rows, name=name, **options)
    return [str(one.message) for one in caught if one.category is tk.RoleWarning], found.notes[-1]


OTHERS = "confidence", "logprob", "judge_confidence", "COMET"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("pattern", ANSWERS)
def test_answers_of_a_judge_are_named_beside_what_was_taken(data, rows, pattern):
    """Every two of a pattern, a name and what stands beside it meet."""
    texts, first = write(rows, pattern), ANSWERS.index(pattern)
    for place, column in enumerate(NAMES):
        other = OTHERS[(first + place) % len(OTHERS)]
        table = rows[["system", "segment"]].assign(**{column: texts, other: rows["confidence"]})
        [message], note = add(data, table)
        assert f"took {other} for metrics; left out {column} (holds texts such as {texts[0][:10]!r}"[:-1] in message
        assert message.endswith("; say otherwise with metrics=")
        assert note.endswith(f"; judge is {other!r} in the source")


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "records", "xlsx", "parquet"])
def test_every_form_of_a_table_says_it(data, rows, form, tmp_path):
    table = rows.drop(columns="grade_of").assign(answer=write(rows, ANSWERS[0]))
    source = tmp_path / f"t.{form}"
    if form in ("csv", "tsv"):
        table.to_csv(source, index=False, sep="," if form == "csv" else "\t")
    elif form == "jsonl":
        source.write_text("".join(json.dumps(row) + "\n" for row in table.to_dict("records")))
    elif form == "xlsx":
        table.to_excel(source, index=False)
    elif form == "parquet":
        table.to_parquet(source)
    else:
        source = table.to_dict("records")
    [message], _ = add(data, source)
    assert "took confidence for metrics; left out answer (holds texts such as 'Score: " in message


@pytest.mark.parametrize(("other", "value"), NO_SCORES.items())
def test_what_is_no_score_never_becomes_the_metric(data, rows, other, value):
    table = rows[["system", "segment"]].assign(answer=write(rows, ANSWERS[0]), **{other: value})
    words = r"answer was left out \(holds texts such as 'Score.*if the numbers in answer are the scores"
    with pytest.raises(tk.ReadError, match=words):
        data.with_scores(table, name="judge")
    assert add(data, table, metrics=other)[0] == []


def test_grades_and_texts_under_the_metrics_own_name_are_said(data, rows):
    table = rows[["system", "segment", "confidence"]]
    grades = np.where(rows["grade_of"] > 50, "Yes", "No")
    for column, texts in [("answer", grades), ("correct", grades), ("judge", grades), ("verdict", write(rows, "b{}b"))]:
        assert f"left out {column} (holds texts such as " in add(data, table.assign(**{column: texts}))[0][0]
    assert "left out mine (holds texts" in add(data, table.assign(mine=write(rows, "a{}b")), name="mine")[0][0]
    assert add(data, table.assign(mine=write(rows, "a{}b")))[0] == []


def test_scores_that_are_named_are_taken_without_a_word(data, rows):
    table = rows[["system", "segment"]].assign(answer=write(rows, ANSWERS[0]))
    for column, name in [("score", "judge"), ("judge", "judge"), ("GEMBA", "gemba-2"), ("x", "x"), ("my score", "x")]:
        assert add(data, table.assign(**{column: rows["confidence"]}), name=name)[0] == []
    assert add(data, table.assign(confidence=rows["confidence"]), metrics="confidence")[0] == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("column", ["explanation", "comment", "critique", "rationale", "notes"])
def test_a_score_in_an_explanation_is_said_whatever_its_column_is_called(data, rows, column):
    for pattern, other in itertools.product(
        ("Score: {}", '{{"score": {}}}', "{} (very good)"), ("confidence", "value")
    ):
        texts = write(rows, pattern)
        table = rows[["system", "segment"]].assign(**{column: texts, other: rows["confidence"]})
        for name in ("judge", "mine"):
            [message], _ = add(data, table, name=name)
            assert f"took {other} for metrics; left out {column} (holds texts such as " in message
        table[column] = np.where(rows["segment"] % 2, texts, "")
        assert len(add(data, table)[0]) == 1
        assert add(data, table.drop(columns=other).assign(score=rows["grade_of"]))[0] == []


EXPLANATIONS = (
    'accuracy/mistranslation - "{0} cars"',
    "1. Accuracy: {0} is wrong.\n2. Style: it reads well.",
    "Of {0} words, one is missing.",
    "[{{'start': {0}, 'end': 99, 'severity': 'minor', 'confidence': 0.{0}}}]",
    '{{"error": "accuracy", "position": {0}}}',
)


WORDS = "explanation", "comment", "critique", "reasoning", "notes", "analysis"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("column", WORDS)
def test_explanations_without_a_score_are_no_answers(data, rows, column):
    for place, pattern in enumerate(EXPLANATIONS, WORDS.index(column)):
        other = ("value", "confidence", "MetricX", "x")[place % 4]
        table = rows[["system", "segment"]].assign(**{column: write(rows, pattern), other: rows["confidence"]})
        assert add(data, table, name="mine")[0] == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "other", ["confidence", "confidence_score", "avg_logprob", "probability", "COMET", "sacreBLEU"]
)
def test_another_number_than_a_judges_is_said_beside_its_words(data, rows, other):
    words = np.array(["poor", "fair", "good", "very good", "excellent", "perfect"])[rows["grade_of"] % 6]
    for column in ("answer", "explanation", "score_text", "gpt4"):
        table = rows[["system", "segment"]].assign(**{column: words, other: rows["confidence"]})
        for name in ("judge", "GEMBA-MQM"):
            assert f"took {other} for metrics; left out {column} (holds texts such as" in add(data, table, name)[0][0]
        assert add(data, table.rename(columns={column: "src"}))[0] == []
        assert add(data, table, name=f"{other}-2")[0] == []


BESIDE = {
    "date": "2024-05-01",
    "time": "12:01:33",
    "version": "1.0.2",
    "duration": [f"{n % 9}.2s" for n in range(80)],
    "answer": [f"{n}/100" for n in range(80)],
    "pred": [f"It is a sentence {'a' * n}." for n in range(80)],
    "year": 2024,
    "seed": [*range(80)],
    "line": [*range(80)],
    "tokens": [*range(5, 85)],
    "latency": 0.5,
    "cost": 0.01,
    "batch": [n // 9 for n in range(80)],
    "gpu": 0,
    "driver": 1.0,
    "seg_in_doc": [n % 7 for n in range(80)],
    "note": np.nan,
    "mqm_errors": "major:1;minor:2",
    "mqm_spans": [f"{n % 3} to {n % 5}" for n in range(80)],
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", BESIDE)
@pytest.mark.parametrize("score", ["score", "Scores", "judge"])
@pytest.mark.parametrize("form", ["frame", "csv"])
def test_beside_a_clear_score_nothing_else_is_asked_about(data, rows, name, score, form):
    table = rows[["system", "segment"]].assign(**{score: rows["grade_of"], name: BESIDE[name]})
    source = table if form == "frame" else {"t.csv": table.to_csv(index=False).encode()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = data.with_scores(source, name="judge").metrics["judge"]
    np.testing.assert_array_equal(found.ravel(), rows["grade_of"])


def test_numbers_that_are_the_score_again_are_no_other_one(data, rows):
    table = rows[["system", "segment"]].assign(score=rows["grade_of"])
    assert add(data, table.assign(answer=rows["grade_of"].map("{}.".format)))[0] == []
    for name in ("answer", "llm_output", "gpt4_response"):
        assert add(data, table.assign(**{name: rows["grade_of"]}))[0] == []
        assert add(data, table.assign(score=rows["grade_of"] / 100 + 0.001, **{name: rows["grade_of"]}))[0] == []
        assert add(data, table.assign(**{name: rows["grade_of"].map("{}%".format)}))[0] == []
    with pytest.raises(tk.InputError, match="columns 'score', 'answer' may each be the metric"):
        data.with_scores(table.assign(answer=rows["grade_of"] % 7), name="mine")
    for other in ("rating", "COMET"):
        with pytest.raises(tk.InputError, match=f"{other}'?.* may each be the metric|{other}.*; choose it"):
            data.with_scores(table.assign(**{other: rows["grade_of"]}), name="mine")


def test_what_is_named_like_a_score_is_said_beside_a_clear_one(data, rows):
    table = rows[["system", "segment"]].assign(score=rows["confidence"])
    for column, texts in (("rating", "good"), ("my_score", write(rows, "{}!")), ("BLEU", write(rows, "{}%"))):
        assert f"; left out {column} (" in add(data, table.assign(**{column: texts}), name="mine")[0][0]


def test_names_beside_a_segment_of_its_name_are_no_better_ones(data, rows):
    wide = rows.pivot_table(index="segment", columns="system", values="grade_of").reset_index()
    asked = [f"p{n}" for n in range(len(wide))]
    assert add(data, wide.assign(prompt=asked, src_len=3, note=None))[0] == []
    counted = wide.rename(columns={"segment": "index"}).assign(prompt=asked)
    assert "took 'index' for segment=, which counts the rows, not 'prompt'" in add(data, counted)[0][0]


@pytest.mark.parametrize("write", [str, lambda score: json.dumps({"why": "fluent", "score": score})])
def test_what_a_model_wrote_in_a_batch_is_taken_out_of_its_list(data, rows, write):
    batch = [
        {
            "id": f"req_{at}",
            "custom_id": f"{row.system}::{row.segment}",
            "response": {"status_code": 200, "body": {"choices": [{"message": {"content": write(row.grade_of)}}]}},
        }
        for at, row in enumerate(rows.itertuples())
    ]
    frame = pd.json_normalize(batch)
    with pytest.raises(tk.ReadError, match="take out what the model wrote, if it is the score: ") as refused:
        data.with_scores(frame, name="judge")
    advice = str(refused.value).partition("is the score: ")[2].partition(", and pass it with")[0]
    exec(advice, {"frame": frame, "json": json})
    found = data.with_scores(frame[["custom_id", "score"]], name="judge").metrics["judge"]
    np.testing.assert_array_equal(found.ravel(), rows["grade_of"])


def test_the_frame_of_a_batch_that_is_a_file_is_made_by_the_printed_step(data, rows, tmp_path):
    body = [
        {"choices": [{"message": {"content": f'{{"score": {one}}}'}}], "usage": {"total_tokens": 7}}
        for one in rows["grade_of"]
    ]
    names = [f"{row.system}::{row.segment}" for row in rows.itertuples()]
    each = ({"custom_id": name, "response": {"body": one}} for name, one in zip(names, body, strict=True))
    (path := tmp_path / "batch.jsonl").write_text("".join(json.dumps(row) + "\n" for row in each))
    with pytest.raises(tk.ReadError, match="take out what the model wrote, if it is the score: ") as refused:
        data.with_scores(path, name="judge")
    advice, _, where = str(refused.value).partition("is the score: ")[2].partition(", and pass it with")
    with open(path) as lines:
        known = {"pandas": pd, "json": json, "PATH": path, "open": lambda _: lines}
        known["frame"] = eval(where.partition(", where frame is ")[2], known)
    exec(advice, known)
    found = data.with_scores(known["frame"][["custom_id", "score"]], name="judge").metrics["judge"]
    np.testing.assert_array_equal(found.ravel(), rows["grade_of"])


def test_labels_of_systems_and_segments_are_no_answers(data, rows):
    table = rows[["system", "segment", "confidence"]]
    each = {
        "version": [f"GPT {ord(name)}" for name in table["system"]],
        "part": [f"Part {n}" for n in table["segment"]],
    }
    for name, texts in [*each.items(), ("judge", "gpt-4"), ("note", "scored 5 times")]:
        assert add(data, table.assign(**{name: texts}))[0] == []


TEXTS = (
    "src",
    "mt",
    "ref",
    "source",
    "hypothesis",
    "translation",
    "output",
    "response",
    "text",
    "explanation",
    "prompt",
)


@pytest.mark.parametrize("column", TEXTS)
def test_sentences_are_no_answers(data, rows, column):
    numbered = [
        "In 2019 it sold 3,000 cars, 12% more than in 2018, said the firm.",
        "The train at 12:30 from platform 4 was 25 minutes late again.",
        "He scored twice, and they won 3:1 before 40,000 people in Rome.",
        "Version 2.0 came on 27/11/2026 and costs $5 a month for 3 users.",
        "From 1939 to 1945, about 60 million people lost their lives.",
    ]
    texts = [f"{numbered[place % 5]} {letter}" for place, letter in enumerate(rows["grade_of"].map(lambda n: "a" * n))]
    table = rows[["system", "segment", "confidence"]].assign(**{column: texts})
    assert add(data, table, name="mine")[0] == []


@pytest.mark.real
def test_no_texts_of_real_data_are_answers(real_data):
    """Not even the segments with numbers alone, below any name."""
    for path in sorted(real_data.glob("mt-metrics-eval-v2/*/references/*.txt")):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if any(map(str.isdigit, line))]
        lines = [*dict.fromkeys(lines)][:1000]
        table = open_table(pd.DataFrame({"text": lines, "output": lines, "mine": lines, "note": lines}))
        assert find_answers(table, (), table.columns, ()) == {}, path.name


@pytest.mark.parametrize("label", ["doc_id", "segment"])
def test_aspects_that_a_judge_scored_in_one_object_are_columns(label):
    data = tk.EvalSet("toy", "", ("A", "B"), ("dm-1", "dm-2"), {"h": [[1, 2], [3, 4]]}, {})
    rows = [
        {label: segment, "system": name, "scores": {"coherence": float(data.human["h"][row, column])}}
        for row, name in enumerate(data.systems)
        for column, segment in enumerate(data.segments)
    ]
    added = data.with_scores({"judge.jsonl": "\n".join(map(json.dumps, rows)).encode()}, name="judge")
    np.testing.assert_array_equal(added.metrics["judge"], data.human["h"])
    explained = [
        row | {"scores": {"coherence": {"score": row["scores"]["coherence"], "reason": "Fluent."}}} for row in rows
    ]
    for source in (explained, {"judge.jsonl": "\n".join(map(json.dumps, explained)).encode()}):
        added = data.with_scores(source, name="judge")
        np.testing.assert_array_equal(added.metrics["judge"], data.human["h"])
    with pytest.raises(tk.ReadError, match="write the number of each into a column called"):
        data.with_scores(pd.DataFrame(rows), name="judge")
