"""What commands print is what the library says; notes and errors are lines on stderr, and exit codes differ."""

import csv
import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

import tiekit as tk
from tests.drawn import make_mine
from tiekit.cli.main import tiekit

ROOT = Path(__file__).parents[2]
SYNTHETIC = str(ROOT / "data" / "synthetic")
ROWS = [("A", 1, -1, 30, 20), ("A", 2, -2, 25, 30), ("B", 1, 0, 35, 10), ("B", 2, -5, 10, 70), ("C", 1, -3, 20, 40)]
TABLE = "system,segment,mqm,BLEU,TER\n" + "".join(f"{','.join(map(str, row))}\n" for row in ROWS)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(TABLE)
    return str(path)


def run(*arguments, **options):
    """What a command answers; an exception that is none of tiekit's errors is raised."""
    found = CliRunner().invoke(tiekit, [str(one) for one in arguments], **options)
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found


def said(result):
    """The lines on stderr; each begins with the program's name."""
    lines = result.stderr.splitlines()
    assert all(line.startswith("tiekit: ") for line in lines), lines
    return [line.removeprefix("tiekit: ") for line in lines]


LEADERBOARD = ("leaderboard", SYNTHETIC, "--language-pair", "qaa-qab", "--coefficients", "tau_b,acc_eq*")


@pytest.fixture(scope="module")
def data():
    return tk.read(SYNTHETIC, language_pair="qaa-qab")


@pytest.fixture(scope="module")
def board(data):
    return tk.leaderboard(data, coefficients=["tau_b", "acc_eq*"], calibrated=())


def test_json_holds_every_digit_and_signature(board):
    found = run(*LEADERBOARD, "--json")
    answer = json.loads(found.stdout, parse_constant=pytest.fail)
    assert [row["metric"] for row in answer["metrics"]] == list(board.index)
    for row in answer["metrics"]:
        for column in board.columns:
            expected = board.loc[row["metric"], column]
            assert row[column] == (None if pd.isna(expected) else expected)
        assert row["signatures"]["acc_eq*"] == board.attrs["signatures"]["acc_eq*"][row["metric"]]
    assert said(found)[0].startswith("note: ")


def exact(cell):
    """A number as Python reads it: old versions of pandas lose the last digit."""
    return float(cell or "nan")


def test_text_and_markdown_are_tables_of_rounded_values(board):
    text = run(*LEADERBOARD).stdout.split("\n\n")[0].splitlines()
    assert len({len(line) for line in text if not line.endswith(" -")}) <= 2
    markdown = run(*LEADERBOARD, "--format", "markdown").stdout.split("\n\n")[0].splitlines()
    assert markdown[1].startswith("| --- | ---: |")
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in markdown]
    assert cells[0] == ["metric", "rank(acc_eq\\*)", "tau_b", "acc_eq\\*", "epsilon(acc_eq)"]
    for row, name in zip(cells[2:], board.index, strict=True):
        value = board.loc[name, "tau_b"]
        assert row[:3] == [name, str(board.loc[name, "rank(acc_eq*)"]), "-" if pd.isna(value) else f"{value:.3f}"]
        assert text[cells.index(row) - 1].split()[:3] == row[:3]


def test_latex_is_that_of_the_library(board):
    from tiekit.ranking.leaderboard import latex_table

    assert run(*LEADERBOARD, "--format", "latex").stdout == latex_table(board, ["tau_b", "acc_eq*"])


def values(result):
    """The last column of a CSV by its first."""
    return {row["metric"]: float(row["tau_b"]) for row in csv.DictReader(io.StringIO(result.stdout))}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), {"BLEU": 1.0, "TER": -1.0}),
        (("--lower-is-better", "TER"), {"BLEU": 1.0, "TER": 1.0}),
        (("--metrics", "TER"), {"TER": -1.0}),
        (("--human", "BLEU", "--choose", "metrics=TER"), {"TER": -1.0}),
        (("--exclude", "A"), {"BLEU": 1.0, "TER": -1.0}),
    ],
)
def test_options_reach_the_library(table, options, expected):
    command = ("leaderboard", table, "--coefficients", "tau_b", "--format", "csv", *options)
    assert values(run(*command)) == expected


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_systems_are_left_out_as_by_the_library(data):
    command = (*LEADERBOARD, "--json", "-q")
    for options, exclude in (((), None), (("--all-systems",), ()), (("--exclude", "Oak,Yew"), ["Oak", "Yew"])):
        expected = tk.leaderboard(data, coefficients="tau_b", calibrated=(), exclude=exclude)
        rows = json.loads(run(*command, *options).stdout)["metrics"]
        assert {row["metric"]: row["tau_b"] for row in rows if row["tau_b"] is not None} == expected[
            "tau_b"
        ].dropna().to_dict()


def test_a_file_on_stdin(table):
    command = ("leaderboard", "-", "--coefficients", "tau_b", "--format", "csv")
    assert values(run(*command, input=Path(table).read_bytes())) == {"BLEU": 1.0, "TER": -1.0}


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_the_bundled_set_unless_there_is_a_folder_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = run("calibrate", "wmt22", "BLEU", "--json", "-q")
    assert json.loads(found.stdout)[0]["epsilon"] == tk.calibrate(tk.load_wmt22(), "BLEU").epsilon
    (tmp_path / "wmt22").write_text("x")
    assert run("calibrate", "wmt22", "BLEU").exit_code == 1


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_a_metric_is_added(table, tmp_path):
    mine = tmp_path / "mine.seg.score"
    mine.write_text("A 1\nA 2\nB 3\nB 1\nC 2\nC 2\n")
    command = ("leaderboard", table, "--coefficients", "tau_b", "--format", "csv")
    for option, name in ((str(mine), "mine"), (f"other={mine}", "other")):
        expected = tk.leaderboard(tk.read(table).with_scores(mine, name=name), coefficients="tau_b", calibrated=())
        assert values(run(*command, "--add", option)) == expected["tau_b"].to_dict()
    down = values(run(*command, "--add", f"other={mine}", "--lower-is-better", "other"))
    assert down["other"] == -values(run(*command, "--add", f"other={mine}"))["other"]
    errors = tmp_path / "x.jsonl"  # MetricX's reader negates them itself
    rows = [{"system": "ABC"[n // 2], "segment": n % 2 + 1, "hypothesis": "s", "prediction": n * n} for n in range(6)]
    errors.write_text("\n".join(map(json.dumps, rows)))
    once, again = (values(run(*command, "--add", f"x={errors}", *more)) for more in ((), ("--lower-is-better", "x")))
    assert once["x"] == again["x"] != 0
    assert run(*command, "--add", f"={mine}").exit_code == 1


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
def test_a_human_score_is_added(table, tmp_path):
    esa = tmp_path / "esa.seg.score"
    esa.write_text("A 1\nA 2\nB 3\nB 1\nC 2\nC 2\n")
    for option, name in ((str(esa), "esa"), (f"other={esa}", "other")):
        data = tk.read(table).with_human(esa, name=name)
        expected = tk.leaderboard(data, name, coefficients="tau_b", calibrated=())
        command = ("leaderboard", table, "--add-human", option, "--coefficients", "tau_b", "--format", "csv")
        assert values(run(*command, "--human", name)) == expected["tau_b"].to_dict()
        assert values(run(*command)) == values(run("leaderboard", table, *command[4:]))  # the gold score stays
    refused = run("leaderboard", table, "--add-human", f"{tk.read(table).gold}={esa}")
    assert refused.exit_code == 1
    assert "--add-human" in said(refused)[-1]
    assert run("leaderboard", table, "--add-human", f"x={esa}", "--human", "nobody").exit_code == 1


def test_a_column_without_a_name_is_chosen(tmp_path, data):
    command = ("leaderboard", SYNTHETIC, "--language-pair", "qaa-qab", "--coefficients", "tau_b", "--json")
    systems = [name for name in data.systems if name != "refA"]
    scores = np.concatenate([data.metrics["Contour-refA"][data.systems.index(name)] for name in systems])
    path = tmp_path / "mine.csv"
    path.write_text("".join(f"{score!r},{place}\n" for place, score in enumerate(scores.tolist())))
    refused = run(*command, "--add", f"mine={path}")
    [line] = [line for line in said(refused) if "score_column" in line]
    assert refused.exit_code == 1
    assert "pass --choose-added score_column=1 or 2" in line
    found = run(*command, "--add", f"mine={path}", "--choose-added", "score_column=1")
    assert "note: There is no header: column 1 of 2 holds the scores of a metric, the others hold none." in said(found)
    values = {row["metric"]: row["tau_b"] for row in json.loads(found.stdout)["metrics"]}
    assert values["mine"] == values["Contour-refA"]


def test_an_unclear_column_is_named_by_the_option_that_chooses_it(table, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("engine,segment,score,p\n" + "".join(f"{s},{i},{i},.{i}\n" for s in "xyz" for i in (1, 2)))
    command = ["standing", table, path]
    for option in ("metrics=score", "system=engine"):
        refused = run(*command)
        assert refused.exit_code == 1
        assert f"--choose-added {option}" in said(refused)[-1]
        command += ["--choose-added", option]
    path.write_text(path.read_text().replace("x,", "A,").replace("y,", "B,").replace("z,", "C,"))
    assert run(*command, "--resamples", "9").exit_code == 0


def test_what_a_warning_says_is_no_note(tmp_path):
    path = tmp_path / "mine.tsv"
    data = tk.load("synthetic", "qaa-qab")
    rows = [(name, n, -data.metrics["Haze"][at, n]) for at, name in enumerate(data.systems[1:], 1) for n in range(200)]
    path.write_text("system\tsegment\tmine\n" + "".join(f"{name}\t{n + 1}\t{value}\n" for name, n, value in rows))
    lines = said(run("leaderboard", "synthetic", "--add", path))
    assert sum("mine: falls where" in line for line in lines) == 1
    gaps = [line for line in lines if "there are no scores of the s" in line]
    assert len(gaps) == 1
    assert gaps[0].startswith("warning: mine: ")
    assert any(line.startswith("note: mine: ") for line in lines)


@pytest.mark.filterwarnings("ignore::tiekit.DirectionWarning")
def test_several_human_scores_make_one_table(tmp_path):
    (tmp_path / "aspects.csv").write_text(TABLE.replace("mqm,BLEU", "coherence,relevance"))
    command = ("leaderboard", tmp_path / "aspects.csv", "--human", "coherence,relevance", "--coefficients", "tau_b")
    done = run(*command, "-q")
    data = tk.read(tmp_path / "aspects.csv", human=["coherence", "relevance"])
    board = tk.leaderboard(data, ["coherence", "relevance"], coefficients="tau_b")
    assert done.stdout.split()[:4] == ["metric", "rank(relevance/tau_b)", "coherence/tau_b", "relevance/tau_b"]
    assert done.stdout.split()[4:8] == ["TER", "1", *(f"{value:.3f}" for value in board.iloc[0, :2])]


def test_two_metrics_have_a_p_value(data):
    command = ("compare", SYNTHETIC, "ladder", "Haze", "--language-pair", "qaa-qab", "--resamples", 99, "--seed", 3)
    test = tk.significance.permutation_test(data, "Ladder", "Haze", n_resamples=99, rng=3)
    answer = json.loads(run(*command, "--json").stdout)
    assert answer["pvalue"] == test.pvalue
    assert answer["signature"] == test.signature
    assert (answer["metric_a"], answer["metric_b"]) == ("Ladder-refA", "Haze-refA")
    assert f"{test.pvalue:.4f}" in run(*command).stdout.splitlines()[1].split()
    assert float(pd.read_csv(io.StringIO(run(*command, "--format", "csv").stdout))["pvalue"].iloc[0]) == test.pvalue


def test_many_metrics_have_clusters(data):
    metrics = ("Ladder", "Haze", "Contour-QE")
    command = ("compare", SYNTHETIC, *metrics, "--language-pair", "qaa-qab", "--resamples", 99, "--correction", "holm")
    test = tk.significance.compare_metrics(data, metrics, n_resamples=99)
    answer = json.loads(run(*command, "--json").stdout)
    assert answer["clusters"] == test.clusters(correction="holm").to_dict()
    assert [row["corrected"] for row in answer["pairs"]] == list(test.pairs("holm")["corrected"])
    table, below = run(*command).stdout.split("\n\n")
    assert below.splitlines() == [
        "15 systems, 300 segments, 4,500 cells that every metric has scored",
        "synthetic qaa-qab mqm: acc_eq* by item (each ε* fitted once, on these scores); p is two-sided, of 99 swaps of "
        "whole segments, seed 0",
    ]
    rows = [line.split() for line in table.splitlines()[1:]]
    assert {row[0]: int(row[1]) for row in rows} == answer["clusters"]
    assert [float(row[2]) for row in rows] == [round(value, 3) for value in test.to_dict()["values"].values()]
    pairs = pd.read_csv(io.StringIO(run(*command, "--format", "csv").stdout))
    assert list(pairs["pvalue"]) == list(test.pairs()["pvalue"])


@pytest.fixture
def mine(tmp_path):
    """A metric that is COMET-22 with noise, without scores of refB."""
    return "wmt22", "--add", f"mine={make_mine(tmp_path)}"


def test_a_metric_without_scores_of_a_system_is_compared_on_the_others(mine):
    """What is worse by construction is worse: -.0025, p = .001; on different cells +.0027, p = .017."""
    command = ("compare", *mine, "mine", "COMET-22", "--coefficient", "acc_eq*")
    found = run(*command)
    text = "warning: compared on 14 of 15 systems: mine has no scores of refB; --own-cells takes each metric on its own"
    assert f"{text} cells" in said(found)
    row, below = found.stdout.splitlines()[1].split(), found.stdout.splitlines()[-3]
    assert row[:2] + row[4:6] == ["mine", "COMET-22-refA", "-0.0025", "0.0010"]
    assert below == "14 systems, 1,875 segments, 26,250 cells that every metric has scored"
    own = json.loads(run(*command, "--own-cells", "--json").stdout)
    assert (round(own["difference"], 4), own["pvalue"]) == (0.0027, 0.017)
    assert [own[name] for name in ("n_systems", "n_cells", "cells")] == [15, 28125, "own"]


def test_a_metric_with_few_scores_stands_below_the_table(tmp_path):
    mine = "wmt22", "--add", f"mine={make_mine(tmp_path, n_segments=40)}"
    metrics, text = (
        ("mine", "COMET-22", "BLEU"),
        "mine has scores of 560 of 28,125 cells, so it stands below the others",
    )
    found = run("leaderboard", *mine, "--metrics", ",".join(metrics), "--coefficients", "tau_b")
    table, below = found.stdout.split("\n\n")
    assert [line.split()[:2] for line in table.splitlines()[1:]] == [
        ["COMET-22-refA", "1"],
        ["BLEU-refA", "2"],
        ["mine", "-"],
    ]
    counted, assumed = below.splitlines()
    assert counted == "15 systems, 1,875 segments, 28,125 cells that every metric has scored"
    assert assumed.startswith("mine is matched by the order of segments alone: ")
    assert any(text in line and "--cells common" in line for line in said(found))
    compared = run("compare", *mine, *metrics, "--resamples", 99).stdout.split("\n\n")
    assert "mine" not in compared[0]
    assert [line.split()[:2] for line in compared[2].splitlines()[1:]] == [
        ["mine", "COMET-22-refA"],
        ["mine", "BLEU-refA"],
    ]
    every = run("compare", *mine, *metrics, "--resamples", 99, "--format", "csv").stdout
    assert list(pd.read_csv(io.StringIO(every))["n_cells"]) == [28125, 560, 560]
    strict = run("compare", *mine, *metrics, "--resamples", 99, "--cells", "common", "--json").stdout
    assert json.loads(strict)["n_cells"] == 560


def test_the_old_option_still_works_and_says_so(mine):
    command = ("leaderboard", *mine, "--metrics", "mine,BLEU", "--coefficients", "tau_b", "--json")
    found = run(*command, "--common-cells")
    assert "warning: --common-cells is now --cells common" in said(found)
    assert found.stdout == run(*command, "--cells", "common").stdout
    assert run(*command, "--common-cells", "--own-cells").exit_code == 2


def test_calibrate(data):
    command = ("calibrate", SYNTHETIC, "Ladder", "Haze", "--language-pair", "qaa-qab", "--coefficient", "tau_eq")
    text = io.StringIO(run(*command, "--format", "csv").stdout)
    rows = pd.read_csv(text, index_col="metric", converters={"epsilon": exact, "value": exact})
    for name in ("Ladder-refA", "Haze-refA"):
        expected = tk.calibrate(data, name, "tau_eq", grouping="item")
        assert (rows.loc[name, "epsilon"], rows.loc[name, "value"]) == (expected.epsilon, expected.value)
    assert json.loads(run(*command, "--json").stdout)[1]["signature"] == expected.signature
    assert len(run(*command[:2], *command[4:]).stdout.splitlines()) == 1 + len(data.metrics)


def test_pairs_are_pooled_on_request(data):
    of_set = (SYNTHETIC, "--language-pair", "qaa-qab", "--average", "pairs", "--json")
    pooled = tk.correlate(data, "Haze", "tau_10", average="pairs").value
    assert pooled != tk.correlate(data, "Haze", "tau_10").value
    [row] = json.loads(run("leaderboard", *of_set, "--coefficients", "tau_10", "--metrics", "Haze").stdout)["metrics"]
    assert row["tau_10"] == pooled
    compared = json.loads(run("compare", *of_set, "Haze", "Ladder", "--coefficient", "tau_10").stdout)
    assert compared["value_a"] == pooled
    [found] = json.loads(run("calibrate", *of_set[:3], "Haze", *of_set[3:]).stdout)
    assert found["epsilon"] == tk.calibrate(data, "Haze", average="pairs").epsilon
    assert found["value"] != tk.calibrate(data, "Haze").value


def test_convert_says_how_to_make_a_column_a_metric(tmp_path):
    (tmp_path / "mine.csv").write_text("system,segment,rating,x\nA,1,2,3\nB,1,4,5\n")
    command = ("convert", tmp_path / "mine.csv", "--to-testset", "a", "--to-language-pair", "en-de")
    first = run(*command, tmp_path / "v1")
    assert len([line for line in said(first) if "--choose human= and --choose metrics=" in line]) == 1
    done = run(*command, tmp_path / "v2", "--choose", "human=", "--choose", "metrics=rating")
    assert done.exit_code == 0
    assert [path.name.split(".")[0] for path in (tmp_path / "v2/a/metric-scores/en-de").iterdir()] == ["rating"]


def test_convert(table, tmp_path):
    command = ("convert", table, tmp_path / "v2", "--to-testset", "mine", "--to-language-pair", "en-de")
    assert run(*command).stdout == f"{tmp_path / 'v2' / 'mine'}\n"
    again = tk.read_mtme(tmp_path / "v2", "mine", "en-de")
    assert again.metrics["BLEU"].tobytes() == tk.read(table).metrics["BLEU"].tobytes()
    refused = run(*command)
    assert refused.exit_code == 1
    assert said(refused)[-1].startswith("TARGET_FOLDER: ")
    assert said(refused)[-1].endswith(
        "is there already, and 2 more; choose another folder, or pass --overwrite to replace it"
    )
    assert run(*command, "--overwrite").exit_code == 0


def test_what_tk_read_asks_about_a_table_the_terminal_asks_too(data, tmp_path):
    human, metric = data.human["mqm"], next(iter(data.metrics.values()))
    coded = np.where(np.arange(metric.size).reshape(metric.shape) % 40, metric, -999.0)
    rows = [
        (system, segment, *(scores[i, j] for scores in (human, coded, human)))
        for i, system in enumerate(data.systems)
        for j, segment in enumerate(data.segments)
    ]
    path = tmp_path / "own.csv"
    pd.DataFrame(rows, columns=["system", "segment", "mqm", "mine", "same"]).to_csv(path, index=False)
    lines = "\n".join(said(run("leaderboard", path, "--coefficients", "tau_b")))
    for words in ("-999", "equals the human score", "refA"):
        assert words in lines


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("leaderboard", "no-such-file"), "no such file"),
        (("leaderboard", SYNTHETIC), "--language-pair: choose one"),
        (("leaderboard", SYNTHETIC, "--language-pair", "qaa-qab", "--human", "mqn"), "did you mean mqm"),
        (("leaderboard", SYNTHETIC, "--language-pair", "qaa-qab", "--grouping", "x"), "grouping"),
        (("leaderboard", SYNTHETIC, "--read-as", "tabel"), "did you mean table"),
        (("official", SYNTHETIC, "wmt99"), "wmt99"),
    ],
)
def test_an_error_is_one_line(arguments, words):
    found = run(*arguments)
    warned = "qaa-qab" in arguments  # of what is left out of a set that opens
    assert (found.exit_code, found.stdout, found.stderr.count("\n")) == (1, "", 1 + warned)
    assert words in said(found)[-1]


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("no-such-command",),
        ("leaderboard",),
        ("leaderboard", "x", "--format", "pdf"),
        ("leaderboard", "x", "--choose", "weights"),
        ("leaderboard", "x", "--decimals", "301"),
        ("leaderboard", "x", "--decimals", "mqm=two"),
        ("leaderboard", "x", "--decimals", "=2"),
        ("leaderboard", "x", "--decimals", "2", "--decimals", "3"),
        ("leaderboard", "x", "--decimals", "2", "--decimals", "mqm=3"),
        ("leaderboard", "x", "--exclude", "A", "--all-systems"),
        ("compare", "wmt22", "BLEU"),
        ("compare", "wmt22", "--resamples", "0"),
        ("app", "--port", "0"),
        ("download",),
    ],
)
def test_a_wrong_use_is_told_apart(arguments):
    found = run(*arguments)
    assert found.exit_code == 2
    assert "Traceback" not in found.stderr


def test_warnings_are_said_once_unless_asked_not_to(table):
    Path(table).write_text(TABLE + "C,2,-4,15,50\n")
    command = ("leaderboard", table, "--coefficients", "tau_b")
    lines = said(run(*command))
    assert [line for line in lines if line.startswith("warning: TER: falls")]
    assert len(lines) == len(set(lines))
    assert said(run(*command, "--quiet")) == []


def test_a_warning_of_many_metrics_is_said_once(tmp_path):
    path = tmp_path / "nearly.csv"
    rows = [f"A,{n},{n % 3},{n},{-n}\nB,{n},{n % 3 + 1e-15},{n + 1},{n}" for n in range(6)]
    path.write_text("system,segment,human,m1,m2\n" + "\n".join(rows) + "\n")
    lines = said(run("calibrate", path, "m1", "m2"))
    assert len([line for line in lines if line.startswith("warning: human: 3 distinct")]) == 1


def test_what_the_readme_of_a_set_says_is_not_said_again(tmp_path):
    assert said(run("calibrate", "wmt22", "BLEU")) == []
    packed = ROOT / "data" / "wmt22" / "metric-scores" / "zh-en" / "chrF-refA.seg.score.gz"
    rows = [line.split("\t") for line in gzip.decompress(packed.read_bytes()).decode().splitlines()]
    mine = tmp_path / "mine.seg.score"
    mine.write_text("".join(f"{system}\t{float(score) / 2!r}\n" for system, score in rows), encoding="utf-8")
    lines = said(run("leaderboard", "wmt22", "--add", str(mine), "--coefficients", "tau_b"))
    assert [line for line in lines if line.startswith("warning: mine: 4 distinct")]
    assert not [line for line in lines if line.startswith("warning: mqm")]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("leaderboard", "wmt23/"), {"wmt23/zh-en", "wmt23/he-en", "wmt23/en-de"}),
        (("calibrate", "wmt22", "comet-2"), {"COMET-22-refA", "COMET-20-refA"}),
        (("standing", "wmt22", "mine."), {"mine."}),
    ],
)
def test_names_are_completed_in_a_shell(words, expected):
    asked = ShellComplete(tiekit, {}, "tiekit", "_TIEKIT_COMPLETE")
    assert {one.value for one in asked.get_completions(list(words[:-1]), words[-1])} == expected


def test_what_is_not_defined_is_null():
    command = ("compare", SYNTHETIC, "Ladder", "Haze", "Constant", "--language-pair", "qaa-qab", "--resamples", 9)
    answer = json.loads(run(*command, "--coefficient", "tau_b", "--json").stdout, parse_constant=pytest.fail)
    assert answer["values"]["Constant-src"] is None
    assert answer["clusters"]["Constant-src"] is None
    assert run(*command, "--coefficient", "tau_b").stdout.splitlines()[-4].split() == ["Constant-src", "-", "-"]


def test_version_and_help():
    assert run("--version").stdout == f"tiekit {tk.__version__}\n"
    for name in tiekit.commands:
        answer = run(name, "--help")
        assert answer.exit_code == 0
        assert f"tiekit {name}" in answer.stdout.split("Examples:")[1]


def shell(command, **options):
    """What a shell says; ``tiekit`` is the program of this Python, with interpreted loops, which suits few scores."""
    program = f'tiekit() {{ {sys.executable} -m tiekit "$@"; }}\n'
    return subprocess.run(
        ["bash", "-c", program + command],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def test_a_reader_that_goes_away_is_no_error(table):
    found = shell(f"tiekit leaderboard {table} -q --format csv --coefficients tau_b | true")
    assert found.stderr == ""


@pytest.mark.parametrize("where", ["/dev/full", "&-"])
def test_a_result_that_cannot_be_written_is_one_line(table, where):
    found = shell(f"tiekit leaderboard {table} -q --format csv --coefficients tau_b >{where}")
    assert found.returncode == 1
    assert found.stderr.count("\n") == 1
    assert "cannot be written" in found.stderr


def test_a_command_in_a_shell(table):
    found = shell(f"cat {table} | tiekit leaderboard - --human mqm --coefficients tau_b --format csv 2>/dev/null")
    assert (found.returncode, found.stdout.splitlines()[1].split(",")[:2]) == (0, ["BLEU", "1.0"])


def test_importing_tiekit_loads_no_command():
    code = "import sys, tiekit; print([name for name in sys.modules if name.startswith(('tiekit.cli', 'click'))])"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


def test_scores_are_rounded_all_or_by_name(table):
    command = ("leaderboard", table, "--coefficients", "tau_b", "--json")
    plain, coarse, one = (run(*command, *more) for more in ((), ("--decimals", "-9"), ("--decimals", "BLEU=-9")))
    assert coarse.exit_code == one.exit_code == 0
    values = [[row["tau_b"] for row in json.loads(found.stdout)["metrics"]] for found in (plain, coarse, one)]
    assert values[0] != values[1]
    assert all(value is None for value in values[1])
    assert (values[2].count(None), len(values[2])) == (1, 2)


def test_names_do_not_control_the_terminal(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(TABLE.replace("BLEU", "BL\x1b[31mEU\x07"), encoding="utf-8")
    for form in ("text", "markdown", "csv", "latex"):
        result = run("leaderboard", path, "--human", "mqm", "--coefficients", "tau_b", "--format", form)
        assert "EU" in result.stdout
        assert form == "latex" or r"BL\x1b[31mEU\x07" in result.stdout.replace(r"\[", "[")
        assert not {"\x1b", "\x07"} & {*result.stdout, *result.stderr}
    path.write_text(TABLE.replace("BLEU", "BL\x9b31m\u202eEU"), encoding="utf-8")
    for form in ("text", "markdown", "csv", "latex", "json"):
        found = run("leaderboard", path, "--human", "mqm", "--coefficients", "tau_b", "--format", form)
        assert not {"\x9b", "\u202e"} & {*found.stdout, *found.stderr}
    assert json.loads(found.stdout)["metrics"][0]["metric"] == "BL\x9b31m\u202eEU"
    path.write_text(TABLE.replace("BLEU", "![i](u)<script>"), encoding="utf-8")
    found = run("leaderboard", path, "--human", "mqm", "--coefficients", "tau_b", "--markdown")
    assert r"!\[i](u)\<script>" in found.stdout
    rows = [
        f"{system},{segment},{system * segment % 3},{system + segment}\n" for system in range(4) for segment in range(4)
    ]
    path.write_text("system,segment,human,<script>\n" + "".join(rows), encoding="utf-8")
    found = run("leaderboard", path, "--markdown").stdout
    assert "‡ ε* ties" in found
    assert found.count("<script>") == found.count(r"\<script>") == 2
    refused = run("leaderboard", path, "--human", "mq\x1bm")
    assert r"\x1b" in refused.stderr
    assert "\x1b" not in refused.stderr


def test_ranks_are_those_of_the_rows():
    levels = "system_means/pearson,spa,item/acc_eq*"
    for rank_by in (None, "spa", "system_means/pearson"):
        options = ["--coefficients", levels, *(["--rank-by", rank_by] if rank_by else [])]
        found = run("leaderboard", "wmt22", "--metrics", "BLEU,chrF,COMET-22,MATESE", *options, "--quiet")
        head, *rows = [line.split() for line in found.stdout.partition("\n\n")[0].splitlines()]
        assert head == ["metric", f"rank({rank_by or 'item/acc_eq*'})", *levels.split(","), "epsilon(item/acc_eq)"]
        column = head.index(rank_by or "item/acc_eq*")
        assert [int(row[1]) for row in rows] == [1, 2, 3, 4]
        assert [row[column] for row in rows] == sorted((row[column] for row in rows), reverse=True)
    alone = run("leaderboard", "wmt22", "--metrics", "BLEU,chrF", "--coefficients", "spa", "--quiet").stdout
    rows = [line.split()[:2] for line in alone.splitlines()[:3]]
    assert rows == [["metric", "rank"], ["chrF-refA", "1"], ["BLEU-refA", "2"]]


def test_a_value_of_a_metric_that_is_nearly_constant_is_marked():
    asked = ("leaderboard", "wmt22", "--metrics", "BLEU,COMET-22", "--coefficients", "acc_eq*", "--quiet")
    lines = run(*asked).stdout.splitlines()
    assert lines[1].split()[2] == "0.536"
    assert lines[2].split()[2] == "0.416‡"
    assert lines[1].index("0.536") == lines[2].index("0.416")
    assert lines[4].endswith("nearly a constant metric: BLEU-refA 99.8%, gain 0.0003")
    row = next(csv.DictReader(io.StringIO(run(*asked, "--format", "csv").stdout)))
    assert 0.5 < float(row["tied(acc_eq)"]) < 0.6
    assert "‡" not in run(*asked[:3], "COMET-22", *asked[4:]).stdout
