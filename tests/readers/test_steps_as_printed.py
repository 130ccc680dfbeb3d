"""Scores in shapes that tools write: what is read has every value, and what is refused prints a step that has."""

from __future__ import annotations

import ast
import json
import pathlib
import re
import warnings

import numpy as np
import pandas as pd
import pytest

import tiekit as tk

pytestmark = pytest.mark.filterwarnings(
    "ignore::tiekit.RoleWarning",
    "ignore::tiekit.LeftOutWarning",
    "ignore::pytest.PytestUnraisableExceptionWarning",
    "ignore::ResourceWarning",
)

WHOLE = tk.load("wmt22", "zh-en")
ROWS = [place for place, row in enumerate(WHOLE.metrics["BLEU-refA"]) if not np.isnan(row).any()][:5]
SYSTEMS, SEGMENTS = tuple(WHOLE.systems[row] for row in ROWS), WHOLE.segments[:40]
COMET, BLEU = (WHOLE.metrics[name][ROWS, :40] for name in ("COMET-20-refA", "BLEU-refA"))
DATA = tk.EvalSet("toy", "", SYSTEMS, SEGMENTS, {"mqm": WHOLE.human["mqm"][ROWS, :40]}, {})
LONG = pd.DataFrame(
    [(s, g, x) for s, row in zip(SYSTEMS, COMET, strict=True) for g, x in zip(SEGMENTS, row.tolist(), strict=True)],
    columns=["system", "segment", "mine"],
)
BY_SYSTEM = dict(zip(SYSTEMS, COMET.tolist(), strict=True))


def refused(source, **options):
    with pytest.raises((tk.InputError, tk.ReadError)) as found:
        DATA.with_scores(source, **options)
    return str(found.value)


def follow(told, pattern, **known):
    """What the step in a message gives for these names."""
    step = re.search(pattern, told)
    assert step, told
    return eval(step[1], {"pandas": pd, "json": json, "ast": ast, "pathlib": pathlib, **known})


def check(more, expected=COMET, name="x", rtol=0.0):
    np.testing.assert_allclose(more.metrics[name], expected, rtol=rtol, atol=0)


def workbook(path, index=False, **sheets):
    with pd.ExcelWriter(path) as book:
        for name, frame in sheets.items():
            frame.to_excel(book, sheet_name=name, index=index)
    return path


# Workbooks: a spreadsheet keeps fifteen digits or sixteen

NOTES = pd.DataFrame({"Notes": ["scores of COMET", "by ours"]})
KEYS = pd.DataFrame({"key": ["model", "year"], "value": ["COMET", "2024"]})


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("kind", ["notes", "keys", "means"])
def test_a_workbook_with_a_sheet_of_notes(tmp_path, kind, order) -> None:
    means = LONG.groupby("system", as_index=False)["mine"].mean()
    sheets = {"scores": LONG, "more": {"notes": NOTES, "keys": KEYS, "means": means}[kind]}
    path = workbook(tmp_path / "a.xlsx", **dict([*sheets.items()][::order]))
    if kind == "notes":
        with pytest.warns(tk.LeftOutWarning, match="left out the sheets more, which hold no numbers"):
            check(DATA.with_scores(path, name="x"), rtol=1e-14)
        return
    source = follow(refused(path, name="x"), r"in Python pass (.*) for one alone", PATH=path)
    check(DATA.with_scores(source, name="x"), rtol=1e-14)


@pytest.mark.parametrize("kind", ["labels", "index", "turned", "texts"])
def test_a_workbook_with_a_sheet_a_system(tmp_path, kind) -> None:
    frames = {name: one.drop(columns="system") for name, one in LONG.groupby("system", sort=False)}
    if kind == "turned":
        frames = {name: one[:: (-1) ** place] for place, (name, one) in enumerate(frames.items())}
    if kind == "texts":
        frames = {name: one.assign(mt=[f"{name} says {g}" for g in SEGMENTS]) for name, one in frames.items()}
    path = workbook(tmp_path / "a.xlsx", index=kind == "index", **frames)
    source = follow(refused(path), r"in Python pass (.*?) where each is", PATH=path)
    check(DATA.with_scores(source, metrics="mine", name="x"), rtol=1e-14)


def test_a_workbook_with_a_pair_of_columns_in_a_sheet_a_system_is_none_of_mateo(tmp_path) -> None:
    frames = {
        name: pd.DataFrame(
            {"src": [f"s{g}" for g in SEGMENTS], "mt": [f"{name} {g}" for g in SEGMENTS], "mt_score": row}
        )
        for name, row in BY_SYSTEM.items()
    }
    path = workbook(tmp_path / "a.xlsx", **frames)
    with pytest.raises(tk.ReadError, match="has other texts of mt") as found:
        tk.read(path)
    source = follow(str(found.value), r"is a system, pass (.*) in Python", PATH=path)
    check(DATA.with_scores(source, name="x"), rtol=1e-14)


# JSON


@pytest.mark.parametrize("name", ["{0}|{1}", "{0}_{1}", "{0}#{1}", "{1}/{0}", "{0}::{1}"])
@pytest.mark.parametrize("indent", [None, 1])
def test_json_of_scores_by_joined_names(tmp_path, name, indent) -> None:
    found = {name.format(s, g): x for s, g, x in LONG.sample(frac=1, random_state=3).itertuples(index=False)}
    (path := tmp_path / "a.json").write_text(json.dumps(found, indent=indent))
    check(DATA.with_scores(path, name="x"))


def test_json_of_a_list_of_scores_and_its_mean_by_system(tmp_path) -> None:
    found = [{"system": name, "mean": float(np.mean(row)), "scores": row} for name, row in BY_SYSTEM.items()]
    (path := tmp_path / "a.json").write_text(json.dumps(found))
    check(DATA.with_scores(follow(refused(path), r"pass (\[.*\])$", PATH=path), name="x"))


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("kind", ["folder", "list", "names"])
def test_files_of_a_summary_and_results(tmp_path, kind, indent) -> None:
    whole = {
        name: {
            "summary": {"mean": float(np.mean(row))},
            "results": [{"id": g, "score": x} for g, x in zip(SEGMENTS, row, strict=True)],
        }
        for name, row in BY_SYSTEM.items()
    }
    for name, one in whole.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(one, indent=indent))
    paths = sorted(tmp_path.glob("*.json"))
    if kind == "names":
        (path := tmp_path / "all.json").write_text(json.dumps(whole, indent=indent))
        check(DATA.with_scores(follow(refused(path), r"pass those, (.*), in Python", PATH=path), name="x"))
        return
    told = refused(tmp_path if kind == "folder" else paths)
    check(DATA.with_scores(follow(told, r"in Python, pass (.*)$", FOLDER=tmp_path, sorted=sorted), name="x"))


def test_a_name_twice_in_an_object_is_read_by_the_step(tmp_path) -> None:
    text = json.dumps(BY_SYSTEM)
    (path := tmp_path / "a.json").write_text(text[:-1] + f', "{SYSTEMS[0]}": {COMET[0].tolist()}}}')
    told = refused(path)
    check(DATA.with_scores(follow(told, r"keep one of the two; (.*) keeps the last", PATH=path), name="x"))


# Lists in cells


@pytest.mark.parametrize("kind", ["csv", "tsv", "semicolons", "wide", "texts", "lists", "gaps"])
def test_lists_of_one_number_are_the_numbers(tmp_path, kind) -> None:
    frame = LONG.assign(mine=[f"[{x}]" for x in LONG["mine"]])
    expected = COMET.copy()
    if kind == "gaps":
        frame.loc[3, "mine"], expected[0, 3] = "[]", np.nan
    path = tmp_path / ("a.tsv" if kind == "tsv" else "a.csv")
    if kind == "wide":
        frame.pivot_table("mine", "segment", "system", aggfunc="first").to_csv(path)
    else:
        frame.to_csv(path, index=False, sep={"tsv": "\t", "semicolons": ";"}.get(kind, ","))
    lists = LONG.assign(mine=[[x] for x in LONG["mine"]])
    source = {"texts": frame, "lists": lists}.get(kind, path)
    check(DATA.with_scores(source, name="x"), expected)


@pytest.mark.parametrize("kind", ["json", "jsonl", "csv", "tsv", "semicolons", "frame", "rows", "read", "dumps"])
@pytest.mark.parametrize("name", ["errors", "error_spans"])
def test_rows_of_errors_without_a_score_are_counted_by_the_step(tmp_path, kind, name) -> None:
    counts = np.random.default_rng(3).integers(0, 4, COMET.shape)
    counts[0, 0] = 0
    rows = [
        {"system": s, "segment": g, name: [{"span": "so", "severity": "minor"}] * int(counts[i, j])}
        for i, s in enumerate(SYSTEMS)
        for j, g in enumerate(SEGMENTS)
    ]
    frame, path = pd.DataFrame(rows), tmp_path / f"a.{'csv' if kind == 'semicolons' else kind}"
    if kind == "json":
        path.write_text(json.dumps(rows))
    elif kind == "jsonl":
        path.write_text("\n".join(map(json.dumps, rows)))
    elif kind in ("csv", "tsv", "semicolons"):
        frame.to_csv(path, index=False, sep={"csv": ",", "tsv": "\t"}.get(kind, ";"))
    texts = [{**row, name: json.dumps(row[name])} for row in rows]
    given = {"frame": frame, "rows": rows, "read": frame.assign(**{name: frame[name].astype(str)}), "dumps": texts}
    source = given.get(kind, path)
    told = refused(source)
    assert f"column '{name}' holds a list in each row, and none a score" in told
    check(DATA.with_scores(follow(told, r"pass (.*)$", PATH=path, source=source), name="x"), -counts)


# Steps for files whose cells are not divided by commas


@pytest.mark.sampled(5)
@pytest.mark.parametrize("sep", ["\t", ";", ",", ";,"])
@pytest.mark.parametrize("ending", ["csv", "tsv"])
@pytest.mark.parametrize("kind", ["word", "levels", "files"])
def test_steps_read_files_as_their_cells_are_divided(tmp_path, kind, ending, sep) -> None:
    written = {"sep": sep[0], "decimal": sep[1:] or "."}
    expected = COMET.round(3)
    frame = LONG.assign(mine=LONG["mine"].round(3))
    path = tmp_path / f"a.{ending}"
    if kind == "word":
        column = frame["mine"].map(lambda x: str(x).replace(".", written["decimal"]))
        column[3], expected[0, 3] = "missing", np.nan
        frame.assign(mine=column).to_csv(path, index=False, sep=sep[0])
        source = follow(refused(path, metrics="mine"), r"in its place, or pass (.*) in Python", PATH=path)
    elif kind == "levels":
        both = pd.concat([frame, frame]).groupby(["system", "segment"], sort=False).agg({"mine": ["mean", "std"]})
        both.to_csv(path, **written)
        source = follow(refused(path), r"two levels of columns, pass (.*) in Python", PATH=path)
        check(DATA.with_scores(source, metrics="mine mean", name="x"), expected, rtol=1e-12)
        return
    else:
        for place, (name, one) in enumerate(frame.groupby("system", sort=False)):
            kept = one.drop(columns="system")[: len(one) - (place == 2)]
            kept.to_csv(tmp_path / f"{name}.{ending}", index=False, **written)
        expected[2, -1] = np.nan
        source = follow(refused(tmp_path), r"in Python, pass (.*)$", FOLDER=tmp_path, sorted=sorted)
    check(DATA.with_scores(source, name="x"), expected, rtol=1e-12)


# What is said, and what is not


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
@pytest.mark.filterwarnings("default::tiekit.RoleWarning")
def test_columns_of_spans_are_not_taken_for_systems(tmp_path, ending) -> None:
    for name, row in BY_SYSTEM.items():
        rows = [{"id": g, "score": x, "spans": "ab"[int(g) % 2]} for g, x in zip(SEGMENTS, row, strict=True)]
        frame = pd.DataFrame(rows)
        text = frame.to_csv(index=False) if ending == "csv" else "\n".join(map(json.dumps, rows))
        (tmp_path / f"{name}.{ending}").write_text(text)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        check(DATA.with_scores(tmp_path, name="x"))
    assert not [str(one.message) for one in said if "named like systems" in str(one.message)]


@pytest.mark.parametrize("kind", ["submission", "metricx"])
@pytest.mark.parametrize("mark", [-999, -1])
def test_marks_are_told_before_they_are_part_of_means(tmp_path, kind, mark) -> None:
    scores = np.abs(COMET) + 0.01
    found = np.where(np.arange(COMET.size).reshape(COMET.shape) % 20 == 3, mark, scores)
    each = [
        (s, g, x)
        for i, s in enumerate(SYSTEMS)
        for j, g in enumerate(SEGMENTS)
        for x in (float(found[i, j]), float(scores[i, j]))
    ]
    if kind == "submission":
        path = tmp_path / "mine.seg.score"
        path.write_text("".join(f"mine\tzh-en\ttoy\tall\td\tA\t{s}\t{g}\t{x}\n" for s, g, x in each))
    else:
        path = tmp_path / "mine.jsonl"
        rows = [
            {"system": s, "segment_id": int(g), "prediction": x, "source": "", "hypothesis": ""} for s, g, x in each
        ]
        path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.warns(
        tk.RoleWarning, match=f"10 of 400 scores are {mark if kind == 'submission' else -mark}, .*the mean"
    ):
        DATA.with_scores(path, aggregate="mean")
    path.write_text(
        re.sub(rf"(?<=[\t ]){mark}\.0(?=[\n,])", "nan" if kind == "submission" else "null", path.read_text())
    )
    more = DATA.with_scores(path, aggregate="mean", name="x")
    check(more, scores if kind == "submission" else -scores)


@pytest.mark.parametrize("kept", [40, 25])
def test_a_printed_log_of_the_first_segments_alone_is_refused(tmp_path, kept) -> None:
    path = tmp_path / "printed.txt"
    lines = [
        f"out/{name}.txt\tSegment {at}\tscore: {x:.4f}\n" for name, row in BY_SYSTEM.items() for at, x in enumerate(row)
    ]
    path.write_text("".join(lines))
    check(DATA.with_scores(path, name="x"), COMET.round(4))
    path.write_text("".join(lines[:kept] if kept == 40 else [line for line in lines if int(line.split()[2]) < kept]))
    if kept == 40:  # all segments of the first system alone
        with pytest.warns(tk.LeftOutWarning):
            more = DATA.with_scores(path, name="x")
        np.testing.assert_array_equal(more.metrics["x"][0], COMET[0].round(4))
        assert np.isnan(more.metrics["x"][1:]).all()
    else:
        told = refused(path)
        assert "has 25 scores of a system and no labels, but the set has 40 segments" in told
        assert "nan in the place of each score that is missing" in told


def test_rows_in_memory_of_a_list_of_scores_and_its_mean_by_system() -> None:
    source = [{"system": name, "mean": float(np.mean(row)), "scores": row} for name, row in BY_SYSTEM.items()]
    check(DATA.with_scores(follow(refused(source), r"pass (\[.*\])$", source=source), name="x"))


@pytest.mark.parametrize("header", [True, False])
def test_a_workbook_of_nothing_but_scores_in_a_sheet_a_system(tmp_path, header) -> None:
    with pd.ExcelWriter(path := tmp_path / "a.xlsx") as book:
        for name, row in BY_SYSTEM.items():
            pd.DataFrame({"mine": row}).to_excel(book, sheet_name=name, index=False, header=header)
    sheets = follow(refused(path), r"in Python pass (.*?) where each is", PATH=path)
    told = refused(sheets)
    known = {"frame": follow(told, r"such as (pandas.*)", SOURCE=sheets)}
    exec(re.search(r"frame\['segment'\] = .* \+ 1", told)[0], known)
    check(DATA.with_scores(known["frame"], name="x"), rtol=1e-14)
