"""A step that the terminal advises is a command that works: each is run as it is written."""

import shlex

import pytest

import tiekit as tk
from tests.cli.test_commands import run


def test_near_ties_of_human_scores_that_are_called_human_are_rounded_as_advised(tmp_path):
    rows = [(0.1 + 0.2, 30), (0.3, 25), (0.5, 35), (0.7, 10), (0.9, 20), (0.3, 40)]
    path = tmp_path / "own.csv"
    lines = (f"{'ABC'[row % 3]},{row // 3 + 1},{human!r},{score}" for row, (human, score) in enumerate(rows))
    path.write_text("\n".join(["system,segment,human,BLEU", *lines]))
    found = run("leaderboard", path)
    _, advised, step = found.stderr.partition("round them if they should be ties: ")
    assert advised, found.stderr
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
