"""`tiekit download`, `tiekit official` and `tiekit app` pass on what is asked for, and print what comes back."""

import io
import json
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

import tiekit as tk
from tests.cli.test_commands import run, said
from tiekit.cli import app


@dataclass
class Step:
    """As `tiekit.readers.Step`."""

    stage: str
    fraction: float | None = None

    def __str__(self):
        return f"{self.stage}ing"


@pytest.fixture
def asked(monkeypatch):
    """What `tk.download` was asked for."""
    calls = []

    def download(testset, folder=None, *, progress=None, **options):
        calls.append((testset, folder, options))
        for step in (Step("download", 0.1), Step("download", 1.0), Step("unpack", 0.5)) if progress else ():
            progress(step)
        if "broken" in testset:
            raise tk.ReadError("archive", "is damaged; download it again")
        return Path("/somewhere/v2")

    monkeypatch.setattr(tk, "download", download, raising=False)
    return calls


def test_download_prints_the_folder(asked):
    found = run("download", "wmt23", "wmt24", "--language-pair", "en-de,zh-en", "--folder", "v2", "--keep")
    assert (found.exit_code, found.stdout) == (0, "/somewhere/v2\n")
    assert said(found) == ["downloading", "unpacking"]
    options = {"language_pair": ("en-de", "zh-en"), "url": None, "sha256": None, "keep": True, "force": False}
    assert asked == [(("wmt23", "wmt24"), Path("v2"), options)]


def test_download_may_be_quiet_or_fail(asked):
    assert run("download", "wmt23", "-q").stderr == ""
    assert asked[0][2]["language_pair"] is None
    found = run("download", "broken", "-q")
    assert (found.exit_code, said(found)) == (1, ["archive: is damaged; download it again"])


def write(folder, **scores):
    """A test set of three systems and two segments; `__` in a name is a folder."""
    for name, rows in scores.items():
        path = folder / "toy" / f"{name.replace('__', '/').replace('_', '-')}.seg.score"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"{system} {score}\n" for system, row in zip("ABC", rows, strict=True) for score in row]
        path.write_text("".join(lines))


@pytest.fixture
def toy(tmp_path):
    write(
        tmp_path,
        metric_scores__en_de__X_refA=[[1, 2], [3, 4], [5, 7]],
        metric_scores__en_de__Q_src=[[3, 2], [2, 1], [1, 0]],
    )
    people = tmp_path / "toy" / "human-scores" / "en-de.mqm.seg.score"
    people.parent.mkdir()
    people.write_text("A 1\nA 1\nB 2\nB 2\nC 3\nC 4\n")
    rules = tmp_path / "rules.toml"
    rules.write_text(
        'testset = "toy"\n[[tasks]]\nlanguage_pair = "en-de"\n'
        'measure = ["item/acc_eq", "system_means/pairwise_accuracy"]'
    )
    return tmp_path, rules


def test_official(toy):
    (root, rules) = toy
    expected = tk.official_ranking(root, rules, n_resamples=99, rng=1).to_frame()
    command = ("official", root, rules, "--resamples", 99, "--seed", 1)
    rows = json.loads(run(*command, "--json").stdout)["metrics"]
    assert {row["metric"]: row["average"] for row in rows} == expected["average"].to_dict()
    frame = pd.read_csv(io.StringIO(run(*command, "--format", "csv").stdout), index_col="metric")
    assert list(frame.columns) == list(expected.columns)
    text = run(*command).stdout.splitlines()
    assert text[0].split() == ["metric", "average", "rank", "cluster"]
    assert text[1].split()[:3] == ["X", "1.000", "1"]
    assert len(run(*command, "--all-tasks").stdout.splitlines()[0]) > len(text[0])
    latex = run(*command, "--no-test", "--format", "latex").stdout
    assert latex == tk.official_ranking(root, rules, compare=False).to_latex()


def test_official_with_a_file_of_ones_own(toy):
    (root, rules) = toy
    (root / "mine.en-de.seg.score").write_text("A 3\nA 2\nB 2\nB 1\nC 1\nC 0\n")
    command = ("official", root, rules, "--no-test", "--json")
    found = run(*command, "--add", f"mine={root / 'mine.en-de.seg.score'}")
    rows = {row["metric"]: row["average"] for row in json.loads(found.stdout)["metrics"]}
    assert (rows["mine"], rows["Q[noref]"]) == (0, 0)
    assert "note: en-de: mine: 3 of 3 systems and 2 of 2 segments matched" in found.stderr
    negated = run(*command, "--add", f"mine={root / 'mine.en-de.seg.score'}", "--lower-is-better", "mine", "-q")
    assert {row["metric"]: row["average"] for row in json.loads(negated.stdout)["metrics"]}["mine"] == 1
    assert negated.stderr == ""
    wrong = run(*command, "--add", "mine=nowhere")
    assert (wrong.exit_code, said(wrong)) == (1, ["--add: expected NAME or NAME=FILE, and there is no file 'nowhere'"])
    bare = run(*command, "--add", root / "mine.en-de.seg.score")
    assert bare.exit_code == 1
    assert "expected NAME=FILE, found the file" in bare.stderr


def test_official_says_which_soft_accuracy(toy):
    (root, rules) = toy
    rules.write_text('testset = "toy"\n[[tasks]]\nlanguage_pair = "en-de"\nmeasure = "system_means/spa"')
    usual, wmts = (run("official", root, rules, "--no-test", *more) for more in ((), ("--spa", "mtme")))
    assert "note: soft pairwise accuracy counts an equal lead of two systems half (mid-p)" in usual.stderr
    assert "note: soft pairwise accuracy is that of mt-metrics-eval" in wmts.stderr


@pytest.fixture
def started(monkeypatch):
    """The programs that were started."""
    commands = []
    monkeypatch.setattr(app, "_run", lambda command: commands.append(command) or 0)
    return commands


def test_app_starts_the_program_beside_the_library(started):
    assert run("app", "--port", 8600, "--no-browser", "--", "--server.maxUploadSize", 200).exit_code == 0
    [[_, program, *options]] = started
    assert (Path(program) / "__main__.py").is_file()
    expected = "--server.address localhost --server.port 8600 --server.headless true --server.maxUploadSize 200"
    assert " ".join(options) == expected
    run("app", "--host", "0.0.0.0")
    assert started[1][2:] == ["--server.address", "0.0.0.0"]


def test_app_says_what_to_install(started, monkeypatch):
    monkeypatch.setattr(app, "find_spec", lambda name: None if name == "streamlit" else name)
    found = run("app")
    assert (found.exit_code, said(found)) == (1, ["the app needs streamlit: pip install 'tiekit[app]'"])
    assert not started


@pytest.mark.parametrize(("code", "expected"), [("0", 0), ("3", 3)])
def test_app_ends_as_the_program_does(code, expected):
    before = signal.getsignal(signal.SIGTERM)
    assert app._run([sys.executable, "-c", f"raise SystemExit({code})"]) == expected
    assert signal.getsignal(signal.SIGTERM) is before  # a process that is forked later can be ended
