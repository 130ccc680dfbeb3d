"""Tables of other fields than translation, with labels of any name, beside a set: every score is compared."""

from __future__ import annotations

import csv
import json
import re
import warnings

import numpy as np
import pandas as pd
import pytest

import tiekit as tk

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")

NAMES = ("BART-large", "gpt-3.5", "lead-3", "reference")
RANDOM = np.random.default_rng(11)
LABELS = tuple(map(str, RANDOM.choice(np.arange(10**6, 10**7), 30, replace=False)))
SCORES, OTHER = RANDOM.normal(size=(2, len(NAMES), len(LABELS))).round(4)
PEOPLE = RANDOM.integers(1, 5, SCORES.shape) * 1.0
DATA = tk.EvalSet("toy", "", NAMES, LABELS, {"da": SCORES + RANDOM.normal(size=SCORES.shape)}, {"m": OTHER + SCORES})
COUNTED = tk.EvalSet("toy", "", NAMES, tuple(map(str, range(1, 31))), dict(DATA.human), dict(DATA.metrics))


def long(segment="doc_id", **scores):
    rows = [
        {"model": name, segment: int(label), **{key: each[row, at] for key, each in scores.items()}}
        for row, name in enumerate(NAMES)
        for at, label in enumerate(LABELS)
    ]
    return pd.DataFrame(rows).sample(frac=1, random_state=2)


def wide(scores):
    return pd.DataFrame({"ID": LABELS, **dict(zip(NAMES, scores, strict=True))}).sample(frac=1, random_state=3)


def refused(source, add="with_scores", data=DATA, **options):
    with pytest.raises((tk.InputError, tk.ReadError)) as found:
        getattr(data, add)(source, **options)
    return str(found.value)


def check(source, expected, add="with_scores", data=DATA, **options):
    more = getattr(data, add)(source, **options)
    found = {**more.human, **more.metrics}
    assert len(found) == len(data.human) + len(data.metrics) + len(expected)
    for name, scores in expected.items():
        np.testing.assert_array_equal(found[name], scores)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
@pytest.mark.parametrize("add", ["with_human", "with_scores"])
@pytest.mark.parametrize("make", [wide, lambda scores: long(rating=scores)], ids=["wide", "long"])
def test_a_table_of_each_annotator(kind, add, make, tmp_path):
    each = {"anna": PEOPLE, "bert": PEOPLE + 1}
    for name, scores in each.items():
        path = tmp_path / f"{name}.{kind}"
        (make(scores).to_excel if kind == "xlsx" else make(scores).to_csv)(path, index=False)
    check(tmp_path, each, add)
    told = refused(tmp_path, add, name="q")
    argument, name = re.search(r"choose it, such as (\w+)='(\w+)'", told).groups()
    check(tmp_path, {"q": each[name]}, add, name="q", **{argument: name})
    assert "there is no column 'carl'" in refused(tmp_path, add, name="q", **{argument: "carl"})
    if make is not wide:
        check({name: make(scores) for name, scores in each.items()}, each, add)


def test_tables_of_other_columns_than_systems_are_no_annotators(tmp_path):
    for name in ("anna", "bert"):
        wide(SCORES).rename(columns=dict(zip(NAMES, "PQRS", strict=True))).to_csv(tmp_path / f"{name}.csv", index=False)
    assert "no system of it is one of the set" in refused(tmp_path)


def test_tables_of_parts_are_joined():
    whole = long(score=SCORES).assign(part=lambda frame: frame["doc_id"] % 2)
    check(dict(iter(whole.groupby("part"))), {"x": SCORES}, name="x", metrics="score")
    check(dict(iter(whole.drop(columns="part").groupby(whole["part"]))), {"x": SCORES}, name="x")


@pytest.mark.parametrize("judge", ["model", "system"])
@pytest.mark.parametrize("label", ["{}|{}", "{1}-{0}"])
def test_the_judge_beside_labels_of_system_and_segment(judge, label, tmp_path):
    frame = long(score=SCORES)
    frame["custom_id"] = [label.format(*pair) for pair in zip(frame.pop("model"), frame.pop("doc_id"), strict=True)]
    frame = frame.assign(**{judge: "gpt-4o-2024", "raw": "I give it a score"})
    frame.to_json(path := tmp_path / "judge.jsonl", orient="records", lines=True)
    for source in (path, frame, frame.assign(**{judge: NAMES[1]})):
        check(source, {"x": SCORES}, name="x")
    frame.iloc[4, frame.columns.get_loc("custom_id")] = "nobody|1"
    assert "expected the columns system and segment" in refused(frame, name="x")


@pytest.mark.parametrize("levels", [["model", "doc_id"], ["doc_id", "model"]])
@pytest.mark.parametrize("names", [["model", "doc_id"], ["Modell", "Text"]])
def test_merged_cells_of_a_workbook(levels, names, tmp_path):
    frame = long(score=SCORES).set_index(levels).sort_index()
    renamed = dict(zip(["model", "doc_id"], names, strict=True))
    frame = frame.rename_axis([renamed[level] for level in levels])
    frame.to_excel(path := tmp_path / "mine.xlsx")
    check(path, {"x": SCORES}, name="x")
    blank = pd.read_excel(path)
    blank.to_csv(path := tmp_path / "mine.csv", index=False)
    if names[0] == "model" == levels[0]:
        told = refused(path, name="x")
        assert "frame[COLUMN] = frame[COLUMN].ffill()" in told
        blank["model"] = blank["model"].ffill()
        check(blank, {"x": SCORES}, name="x")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("segment", ["doc_id", "document", "article_id", "image", "id"])
@pytest.mark.parametrize("add", ["with_human", "with_scores"])
def test_a_row_of_each_metric_or_person(segment, add, tmp_path):
    each = {"anna": SCORES, "bert": OTHER}
    frame = pd.concat([long(segment, score=one).assign(who=name) for name, one in each.items()])
    frame.sample(frac=1, random_state=1).to_csv(path := tmp_path / "tidy.csv", index=False)
    told = refused(path, add)
    assert "segment=" not in told
    scorer = re.search(r"scorer='(\w+)' and score='score'", told)[1]
    check(path, each, add, scorer=scorer, score="score")
    if add == "with_human":
        with pytest.warns(tk.RoleWarning, match=r"each score is the mean over 'who' \((anna, bert|bert, anna)\)"):
            check(path, {"x": (SCORES + OTHER) / 2}, add, name="x", aggregate="mean")
    told = refused(frame.rename(columns={"who": "metric"}), add)
    assert "scorer='metric' and score='score'" in told
    assert "aggregate" not in told


def test_documents_that_are_no_segments():
    turns = pd.DataFrame(
        [
            {"model": name, "doc_id": 1 + at // 6, "who": "abcdef"[at % 6], "score": SCORES[row, at]}
            for row, name in enumerate(NAMES)
            for at in range(30)
        ]
    )
    assert "its segments are counted in documents (1:a, 1:b)" in refused(turns, data=COUNTED, name="x")


@pytest.mark.parametrize("count", ["id", "segment_id", "sample_id"])
def test_a_count_of_all_rows_beside_the_segments(count):
    frame = long(score=SCORES)
    frame.insert(0, count, range(1, len(frame) + 1))
    for name in ("doc_id", "article_id"):
        check(frame.rename(columns={"doc_id": name}), {"x": SCORES}, name="x")
    own = tk.read(frame.rename(columns={"doc_id": "article_id"}), human=(), metrics="score")
    assert (own.systems, len(own.segments)) == (tuple(dict.fromkeys(frame["model"])), len(LABELS))


def test_segments_that_no_systems_share_stay():
    frame = long(score=SCORES).assign(seg=lambda frame: [f"s{n}" for n in range(len(frame))], topic="a")
    frame = frame.drop(columns="doc_id").assign(topic=[f"t{n % 7}" for n in range(len(frame))])
    assert len(tk.read(frame, human=(), metrics="score").segments) == len(frame)


@pytest.mark.parametrize("kind", ["dict", "file", "files"])
def test_metrics_below_systems(kind, tmp_path):
    each = {"precision": OTHER, "f1": SCORES}
    found = {
        name: {**{key: one[row].tolist() for key, one in each.items()}, "hashcode": "roberta-large"}
        for row, name in enumerate(NAMES)
    }
    source = found
    if kind == "file":
        (source := tmp_path / "bertscore.json").write_text(json.dumps(found))
    elif kind == "files":
        source = tmp_path
        for name, one in found.items():
            (tmp_path / f"{name}.json").write_text(json.dumps(one))
    check(source, each)
    argument, name = re.search(r"choose it, such as (\w+)='(\w+)'", refused(source, name="q")).groups()
    check(source, {"q": each[name]}, name="q", **{argument: name})
    assert "there are precision, f1" in refused(source, name="q", metrics="f2")


def test_documents_below_systems_are_refused():
    found = {name: {doc: SCORES[row, :15].tolist() for doc in ("d1", "d2")} for row, name in enumerate(NAMES)}
    assert "its first names are systems of the set" in refused(found)
    pairs = {name: {pair: SCORES[row].tolist() for pair in ("en-de", "en-fr")} for row, name in enumerate(NAMES)}
    assert "its first names are systems of the set" in refused(pairs)


@pytest.mark.parametrize("kind", ["dict", "json"])
def test_rows_below_systems(kind, tmp_path):
    def source(size=30, **more):
        rows = {
            name: [{"u": SCORES[row, at], "v": {"w": int(PEOPLE[row, at])}, **more} for at in range(size)]
            for row, name in enumerate(NAMES)
        }
        (path := tmp_path / "rows.json").write_text(json.dumps(rows))
        return path if kind == "json" else rows

    check(source(), {"u": SCORES, "v.w": PEOPLE})
    assert "has 28 scores of a system and no labels" in refused(source(28))
    assert "has 28 scores of a system and no labels" in refused(source(28), data=COUNTED)
    if kind == "dict":
        step = re.search(r"such as (pandas\.concat.*)$", refused(source(why="ok"), name="x"))[1]
        frame = eval(step, {"pandas": pd, "SOURCE": source(why="ok")})
        frame["segment"] = frame.groupby("system").cumcount() + 1
        check(frame[["system", "segment", "u"]], {"x": SCORES}, name="x")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("column", ["document", "dialog", "conversation_id", "thread", "story", "passage", "topic"])
def test_rows_of_documents_without_numbers(column, tmp_path):
    documents = tuple(np.repeat(list("cab"), 10))
    data = tk.EvalSet("toy", "", NAMES, COUNTED.segments, dict(DATA.human), dict(DATA.metrics), documents=documents)
    frame = pd.DataFrame({column: documents, **dict(zip(NAMES, SCORES, strict=True))})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(frame, {"x": SCORES}, data=data, name="x")
    for other in (frame.sort_values(NAMES[0]), frame.sample(frac=1, random_state=5)):
        assert "as where rows were sorted or shuffled" in refused(other.reset_index(drop=True), data=data, name="x")
        other.to_csv(path := tmp_path / "sorted.csv", index=False)
        assert "as where rows were sorted or shuffled" in refused(path, data=data, name="x")
        check(other.assign(segment=other.index + 1), {"x": SCORES}, data=data, name="x")
    with pytest.warns(tk.RoleWarning, match="its documents are in another order than the set's"):
        check(frame.sort_values(column, kind="stable", ignore_index=True), {"x": SCORES}, data=data, name="x")


@pytest.mark.parametrize("column", ["document", "dialogue_id"])
def test_documents_that_the_set_does_not_have(column):
    frame = pd.DataFrame({column: np.repeat(list("cab"), 10), **dict(zip(NAMES, SCORES, strict=True))})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(frame, {"x": SCORES}, data=COUNTED, name="x")
    with pytest.warns(tk.RoleWarning, match="lie in .* places.*the set has no such document.*segment="):
        COUNTED.with_scores(frame.sample(frac=1, random_state=5, ignore_index=True), name="x")
    turns = frame.assign(turn=[*range(1, 11)] * 3).sample(frac=1, random_state=5, ignore_index=True)
    data = tk.EvalSet(
        "t", "", NAMES, COUNTED.segments, dict(DATA.human), dict(DATA.metrics), documents=tuple(frame[column])
    )
    check(turns, {"x": SCORES}, data=data, name="x")
    check(turns.melt([column, "turn"], var_name="system"), {"x": SCORES}, data=data, name="x")


@pytest.mark.parametrize("column", ["id", "idx", "segment_id"])
@pytest.mark.parametrize("text", ["article", "passage_text", ""])
def test_a_counter_beside_ids_and_their_texts_names_no_segments(column, text):
    frame = long("article_id", human=PEOPLE, bleurt=SCORES).assign(**{column: lambda frame: range(1, len(frame) + 1)})
    if text:
        frame.insert(0, text, [f"text of {label}" for label in frame["article_id"]])
    for table in (frame, frame.sample(frac=1, random_state=3, ignore_index=True)):
        found = tk.read(table)
        assert {*found.segments} == {*LABELS}
        places = [found.segments.index(label) for label in LABELS]
        rows = [found.systems.index(name) for name in NAMES]
        np.testing.assert_array_equal(found.metrics["bleurt"][np.ix_(rows, places)], SCORES)
    other = frame.assign(other=[f"o{place % 7}_{place // 20}" for place in range(len(frame))])
    assert len(tk.read(other.drop(columns="article_id"), segment=column).segments) == len(frame)


def survey(path):
    """A survey of three persons as Qualtrics saves it: a column of each system and segment, three lines of names."""
    labels = [f"{name}_{segment}" for name in NAMES for segment in range(1, SCORES.shape[1] + 1)]
    order = np.random.default_rng(0).permutation(len(labels))
    rows = [["Progress", "ResponseId"], ["Progress", "Response ID"], ['{"ImportId":"progress"}', '{"ImportId":"id"}']]
    rows += [[100, f"R_{person}"] for person in range(3)]
    for row, cells in enumerate(rows):
        values = (SCORES + row - 4).ravel() if row > 2 else []
        texts = [labels, ["How good?"] * len(labels), ['{"ImportId":"QID1"}'] * len(labels)]
        cells += [values[at] if row > 2 else texts[row][at] for at in order]
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)


def test_the_steps_for_a_survey_lead_to_its_scores(tmp_path):
    survey(path := tmp_path / "survey.csv")
    told = refused(path, "with_human", COUNTED)
    step = re.search(r"pass pandas\.(read_csv\(PATH, skiprows=\[1, 2\]\))", told).group(1)
    known = {"pd": pd, "PATH": path, "data": COUNTED}
    frame = known["FRAME"] = eval(f"pd.{step}", known)
    told = refused(frame, "with_human", COUNTED)
    exec(re.search(r"frame = FRAME.*(?=, and aggregate='mean' where)", told).group(), known)
    melted = frame.melt(id_vars="ResponseId", value_vars=[one for one in frame if one.startswith(NAMES)])
    for source in (known["frame"], melted):
        more = COUNTED.with_human(source, name="q", aggregate="mean")
        np.testing.assert_allclose(more.human["q"], SCORES, atol=1e-9)
    assert 'pass aggregate="mean"' in refused(melted, "with_human", COUNTED)


def test_the_step_for_folders_of_systems_with_a_file_of_each_metric(tmp_path):
    for name in NAMES:
        (tmp_path / name).mkdir()
        for metric, scores in (("bleu", SCORES), ("comet", OTHER)):
            rows = long(score=scores).query("model == @name").drop(columns="model")
            rows.to_csv(tmp_path / name / f"{metric}.csv", index=False)
    told = refused(sorted(tmp_path.glob("*/*.csv")))
    step = re.search(r"sorted\(pathlib\.Path\(FOLDER\)\.glob\('(.*?)'\)\)", told).group(1)
    assert step == "*/bleu.csv"
    check(sorted(tmp_path.glob(step)), {"q": SCORES}, name="q")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("corner", ["item", "ID", "segment", "doc_id", "question"])
@pytest.mark.parametrize("kind", ["file", "frame", "index"])
def test_a_turned_table_whose_corner_still_names_the_segments(corner, kind, tmp_path):
    """A spreadsheet that was transposed has its systems below the name of the segments."""
    labels = [f"q{label}" for label in LABELS]
    data = tk.EvalSet("toy", "", NAMES, tuple(labels), dict(DATA.human), dict(DATA.metrics))
    order = np.random.default_rng(0).permutation(len(labels))
    frame = pd.DataFrame(SCORES, pd.Index(NAMES, name=corner), labels).iloc[:, order]
    frame.to_csv(path := tmp_path / "x.csv")
    source = {"file": path, "frame": frame.reset_index(), "index": frame}[kind]
    check(source, {"x": SCORES}, data=data, name="x")
    assert len(data.with_scores(source).metrics) == len(data.metrics) + 1
