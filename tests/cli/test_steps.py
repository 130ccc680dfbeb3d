"""A step that the terminal advises is a command that works: each is run as it is written."""

import json
import re
import shlex
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.cli.test_commands import run


def test_near_ties_of_human_scores_that_are_called_human_are_rounded_as_advised(tmp_path):
    rows = [(0.1 + 0.2, 30), (0.3, 25), (0.5, 30 * (1 + 2**-52)), (0.7, 10), (0.9, 20), (0.3, 40)]
    path = tmp_path / "own.csv"
    lines = (f"{'ABC'[row % 3]},{row // 3 + 1},{human!r},{score!r}" for row, (human, score) in enumerate(rows))
    path.write_text("\n".join(["system,segment,human,BLEU", *lines]))
    found = run("leaderboard", path)
    _, advised, step = found.stderr.partition("to make them ties: ")
    assert advised, found.stderr
    assert found.stderr.count("distinct scores differ") == 1
    assert "human, BLEU: 2 distinct scores" in found.stderr
    again = run("leaderboard", path, *shlex.split(step.splitlines()[0]))
    assert again.exit_code == 0, again.stderr
    assert "distinct scores differ" not in again.stderr


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("command", "others"),
    [(("compare",), ("BLEU", "--resamples", "9")), (("calibrate",), ()), (("leaderboard", "--metrics"), ())],
    ids=["compare", "calibrate", "leaderboard"],
)
@pytest.mark.parametrize("called", ["mine.csv", "mine=mine.csv", "my judge.csv"])
def test_a_file_among_the_metrics_of_a_set_is_added_as_advised(command, others, called, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = tk.load("wmt23", "en-de")
    scores = data.metrics["COMET-refA"].round(2)
    alone = tk.EvalSet("x", "", data.systems, data.segments, {}, {"score": scores})
    alone.to_frame().to_csv(called.rpartition("=")[2])
    asked = [command[0], "wmt23/en-de", *command[1:]]
    found = run(*asked, called, *others)
    assert found.exit_code == 1
    said, _, step = found.stderr.strip().partition(" is a file, no metric of the set; add it by ")
    assert said.endswith(called)
    flag, path, _, _, name, _ = shlex.split(step)
    again = run(*asked, name, *others, flag, path, "--quiet")
    assert again.exit_code == 0, again.stderr
    assert name in again.stdout


def test_an_argument_of_several_names_is_blamed_by_its_name():
    assert run("calibrate", "synthetic", "none", "--quiet").stderr.startswith("tiekit: METRIC: there is no")


def test_errors_with_a_row_each_are_added_up_as_advised(tmp_path):
    data = tk.load("synthetic", "qaa-qab")
    path = tmp_path / "errors.csv"
    rows = [(name, n + 1, -1 - 4 * k) for name in data.systems for n in range(200) for k in range(1 + n % 3)]
    path.write_text("system,segment,penalty\n" + "".join(f"{name},{n},{value}\n" for name, n, value in rows))
    command = ("leaderboard", "synthetic/qaa-qab", "--add-human", f"mqm2={path}", "--human", "mqm2", "--json")
    refused = run(*command)
    step, told, _ = refused.stderr.partition(" if each row is an error")
    assert told, refused.stderr
    found = run(*command, *shlex.split(step.rpartition(", or ")[2]))
    assert found.exit_code == 0, found.stderr
    assert "by their sum" in found.stderr


TOY = tk.load("synthetic", "qaa-qab")
ALL = [(name, n) for name in TOY.systems for n in range(1, len(TOY.segments) + 1)]


def steps_of(line, *, flag="--choose-added"):
    """The options of the first step in a line."""
    return shlex.split(f"{flag}{line.partition(flag)[2]}".partition(" if ")[0].partition(", or ")[0])


def row_of(*arguments):
    """What standing prints of the metric mine: its value and what it stands on."""
    found = run("standing", "synthetic/qaa-qab", *arguments, "--resamples", "9", "--json", "--quiet")
    assert found.exit_code == 0, found.stderr
    printed = json.loads(found.stdout)
    return next(row for row in printed["metrics"] if row["metric"] == "mine")


def one(name, n):
    return (n + len(name)) % 3


def write_scores(path, column="score", cell=str):
    path.write_text("\n".join([f"system,segment,{column}", *(f"{name},{n},{cell(one(name, n))}" for name, n in ALL)]))
    return f"mine={path}"


@pytest.mark.parametrize(("column", "cell"), [("correct", lambda n: n == 0), ("mqm", lambda n: n == 0)])
def test_a_column_is_taken_for_the_metric_as_advised(column, cell, tmp_path):
    expected = row_of(write_scores(tmp_path / "plain.csv", cell=lambda n: int(n == 0)))
    mine = write_scores(tmp_path / "f.csv", column, cell if column == "correct" else lambda n: int(cell(n)))
    refused = run("standing", "synthetic/qaa-qab", mine)
    assert refused.exit_code == 1, refused.stderr
    assert row_of(mine, *steps_of(refused.stderr.strip())) == expected


def test_human_scores_are_added_as_advised(tmp_path):
    mine = write_scores(tmp_path / "f.csv", "mqm")
    flag = run("standing", "synthetic/qaa-qab", mine).stderr.strip().rpartition("add them with ")[2]
    found = run("leaderboard", "synthetic/qaa-qab", flag, mine, "--human", "mine", "--json", "--quiet")
    assert found.exit_code == 0, found.stderr


def test_a_folder_is_a_metric_as_a_file_is(tmp_path):
    expected = row_of(write_scores(tmp_path / "plain.csv"))
    (folder := tmp_path / "scores").mkdir()
    for system in TOY.systems:
        (folder / f"{system}.txt").write_text("".join(f"{one(name, n)}\n" for name, n in ALL if name == system))
    assert row_of(f"mine={folder}") == expected
    refused = run("compare", "synthetic/qaa-qab", f"mine={folder}", "Contour-refA")
    assert f"is a folder, no metric of the set; add it by --add mine={folder}" in refused.stderr


def test_references_among_the_systems_are_left_out_as_advised(tmp_path):
    rows = [
        (name, segment, human, human + segment % 3)
        for name in ("A", "B", "refA", "refB")
        for segment in range(30)
        for human in [(segment * 7 + len(name) + ord(name[-1])) % 5]
    ]
    pd.DataFrame(rows, columns=["system", "segment", "human", "mine"]).to_csv(tmp_path / "own.csv", index=False)
    command = ("leaderboard", str(tmp_path / "own.csv"), "--coefficients", "tau_b")
    step = re.search(r"if people made them, (--exclude .*) leaves them out", run(*command).stderr)[1]
    found = run(*command, *shlex.split(step))
    assert found.exit_code == 0, found.stderr
    assert "2 systems, 30 segments" in found.stdout


def test_predictions_are_negated_as_advised(tmp_path):
    expected = row_of(write_scores(tmp_path / "plain.csv"))
    mine = write_scores(tmp_path / "f.csv", "prediction", cell=lambda n: -n)
    told = run("standing", "synthetic/qaa-qab", mine, "--resamples", "9").stderr
    step = told.partition("lower is better on it: pass ")[2].splitlines()[0]
    assert row_of(mine, *shlex.split(step)) == expected
    assert "MetricX" not in run("standing", "synthetic/qaa-qab", mine, *shlex.split(step), "--resamples", "9").stderr


@pytest.mark.parametrize(("marks", "column"), [((-999,), ""), ((999,), "score"), ((-999, -888), "")])
def test_marks_for_missing_scores_are_taken_out_of_the_file_as_advised(marks, column, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame(ALL, columns=["system", "segment"]).assign(score=[row * 7 % 101 for row in range(len(ALL))])
    for place, mark in enumerate(marks):
        frame["score"] = frame["score"].where(frame.index % 9 != 5 + place, mark)
    told = f"scores are {' and '.join(map(str, marks))},"
    frame.to_csv("own.csv", index=False)
    command = ("leaderboard", "synthetic/qaa-qab", "--json", "--add")
    found = run(*command, "own=own.csv")
    step = re.search(rf"{told} .*, such as by (pandas.*) in Python", found.stderr)[1]
    eval(step, {"pandas": pd, "FILE": "own.csv", "COLUMN": column})
    again = run(*command, "own=mine.csv")
    assert again.exit_code == 0
    assert "scores are" not in again.stderr
    pd.testing.assert_frame_equal(pd.read_csv("mine.csv"), frame.replace([*marks], float("nan")))


def test_what_python_does_to_a_table_is_said_of_steps_that_make_one_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [(pair, *label, n % 5, n % 7) for pair in ("en-de", "en-fr") for n, label in enumerate(ALL)]
    frame = pd.DataFrame(rows, columns=["lp", "system", "segment", "mqm", "mine"])
    frame.to_csv("pairs.csv", index=False)
    kept = frame[frame["lp"] == "en-de"]
    kept.to_csv("one.csv", index=False)
    assert "Python" not in run("standing", "one.csv", "mine").stderr
    for options in ((), ("--language-pair", "en-de")):
        told = run("leaderboard", "pairs.csv", *options).stderr
        assert "begins with frame or pandas is Python" in told
        step = re.search(r"such as by (frame.*), where frame is (pandas\.read_csv\(PATH\))", told)
        read = eval(step[2], {"pandas": pd, "PATH": "pairs.csv"})
        pd.testing.assert_frame_equal(eval(step[1], {"frame": read}), kept)
    assert "no such argument" in run("leaderboard", "one.csv", "--testset", "x").stderr


def run_step(told, **names):
    """What the code makes that a message says to pass, with the set that the message names."""
    read = re.search(r" data is (tk\..*\)), and give that file", told)[1]
    step = re.search(r"pass (pandas.*?\)), where [A-Z]+ is", told)[1]
    return eval(step, {"pandas": pd, "data": eval(read, {"tk": tk}), **names})


@pytest.mark.parametrize("is_own", [False, True])
def test_scores_of_documents_are_repeated_as_advised_of_the_set_that_is_named(is_own, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source, data = "own.csv" if is_own else "wmt23/en-de", tk.load("wmt23", "en-de").select()
    replace(data, metrics={}).to_frame().to_csv("own.csv")
    rows = [(name, document, len(name + document)) for name in data.systems for document in {*data.documents}]
    frame = pd.DataFrame(rows, columns=["system", "talk", "score"])
    frame.to_csv("documents.csv", index=False)
    told = run("leaderboard", source, "--add", "mine=documents.csv").stderr
    run_step(told, FRAME=frame, COLUMN="talk").to_csv("mine.csv", index=False)
    found = run("leaderboard", source, "--add", "mine=mine.csv", "--coefficients", "tau_b", "--quiet")
    assert found.exit_code == 0, found.stderr
    assert "mine" in found.stdout


def test_scores_of_systems_alone_are_repeated_as_advised(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    scores = {name: place for place, name in enumerate(TOY.systems)}
    pd.Series(scores, name="score").rename_axis("system").to_csv("systems.csv")
    told = run("leaderboard", "synthetic/qaa-qab", "--add", "mine=systems.csv").stderr
    assert "--grouping system_means" in told
    run_step(told, SCORES=scores).to_csv("mine.csv", index=False)
    command = ("leaderboard", "synthetic/qaa-qab", "--add", "mine=mine.csv", "--coefficients", "tau_b", "--quiet")
    found = run(*command, "--grouping", "system_means")
    assert found.exit_code == 0, found.stderr
    assert "mine" in found.stdout


def test_scores_are_made_whole_numbers_as_advised(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        [(f"s{n % 6}", n // 6, rng.integers(0, 3)) for n in range(360)], columns=["system", "n", "human"]
    )
    frame["judge"] = np.round(10 * (frame["human"] + rng.normal(size=360))) / 10
    frame.to_csv("own.csv", index=False)
    told = run("leaderboard", "own.csv").stderr
    assert "pairs differ from epsilon by rounding alone" in told
    step = re.search(r"whole numbers are exact: (pandas.*), in Python, makes such of COLUMN\n", told)[1]
    eval(step, {"pandas": pd, "FILE": "own.csv", "COLUMN": "judge"})
    assert "rounding alone" not in run("leaderboard", "mine.csv").stderr
    np.testing.assert_allclose(pd.read_csv("mine.csv")["judge"], 10 * frame["judge"])


@pytest.mark.parametrize("is_first", [True, False])
def test_columns_that_join_systems_and_scores_are_taken_apart_as_advised(is_first, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = [(system, score) for score in ("human", "bleu", "comet") for system in "ABCD"]
    wide = {"_".join(one[:: 1 if is_first else -1]): np.arange(30) * (7 + n) % 11 for n, one in enumerate(names)}
    pd.DataFrame({"segment": range(30), **wide}).to_csv("own.csv", index=False)
    told = run("leaderboard", "own.csv").stderr
    step = re.search(r"in Python, pass (frame.*), where frame is (pandas.read_csv\(PATH\));", told)
    save = re.search(r"the table that it makes, (TABLE.*), and give that file", told)[1]
    table = eval(step[1], {"frame": eval(step[2], {"pandas": pd, "PATH": "own.csv"})})
    eval(save, {"TABLE": table})
    found = run("leaderboard", "mine.csv", "--coefficients", "tau_b", "--json")
    assert found.exit_code == 0, found.stderr
    assert {row["metric"] for row in json.loads(found.stdout)["metrics"]} == {"bleu", "comet"}
    assert "4 systems" in run("leaderboard", "mine.csv", "--coefficients", "tau_b").stdout


def test_rows_of_a_file_are_numbered_as_advised(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    expected = row_of(write_scores(tmp_path / "plain.csv"))
    pd.read_csv("plain.csv").drop(columns="segment").to_csv("own.csv", index=False)
    told = run("leaderboard", "synthetic/qaa-qab", "--add", "mine=own.csv").stderr
    step, frame = re.search(r"(frame\['segment'\] = .*) numbers them .*, where frame is (pandas.*?\));", told).groups()
    assert "SOURCE" not in told
    names = {"frame": eval(frame, {"pandas": pd, "PATH": "own.csv"})}
    exec(step, names)
    names["frame"].to_csv("mine.csv", index=False)
    assert row_of("mine=mine.csv") == expected


def test_the_column_of_systems_is_named_as_advised(tmp_path):
    rows = [(f"q{n // 4}", f"d{n % 4}", n * 7 % 3, n % 13) for n in range(80)]
    pd.DataFrame(rows, columns=["qid", "docid", "relevance", "bm25"]).to_csv(tmp_path / "own.csv", index=False)
    command = ("leaderboard", tmp_path / "own.csv", "--coefficients", "tau_b", "--human", "relevance")
    step = re.search(r"if a column names the systems, read the file with (--choose .*)\n", run(*command).stderr)[1]
    found = run(*command, *shlex.split(step.replace("COLUMN", "docid")))
    assert found.exit_code == 0, found.stderr
    assert "4 systems, 20 segments" in found.stdout


def test_a_table_with_too_many_cells_is_not_sent_through_a_table_again(tmp_path, monkeypatch):
    monkeypatch.setattr("tiekit.readers._amounts.MAX_CELLS", 5)
    (tmp_path / "own.csv").write_text("system,segment,mqm,BLEU\nA,1,2,3\nB,1,3,4\n")
    told = run("leaderboard", tmp_path / "own.csv").stderr
    assert "split it, by language pair or metric; in Python, a DataFrame may have more" in told
    assert "TABLE" not in told
