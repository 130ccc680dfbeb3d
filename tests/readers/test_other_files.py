"""Files that other programs read: the step that a refusal prints is followed as it is written."""

from __future__ import annotations

import ast
import importlib.util
import io
import re
import sqlite3
import tarfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.readers.test_rows_of_objects import DATA, SCORES, SHUFFLED, SYSTEMS
from tests.readers.test_small_steps import refuse

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")

NAMES = [name.replace(" ", "_") for name in SYSTEMS]
TABLE = pd.DataFrame(
    [(NAMES[row], at + 1, SCORES[row, at]) for row, at in SHUFFLED], columns=["system", "segment", "score"]
)


def write_database(path):
    connection = sqlite3.connect(path)
    TABLE.to_sql("TABLE_", connection, index=False)
    connection.close()


def write_printed(path):
    Path(path).write_text(repr(TABLE.to_dict("records")))


def write_yaml(path):
    rows = "".join(f"- {{system: {name!r}, segment: {at}, score: {score}}}\n" for name, at, score in TABLE.to_numpy())
    Path(path).write_text(rows)


WRITE = {
    "x.dta": lambda path: TABLE.to_stata(path, write_index=False),
    "x.feather": TABLE.to_feather,
    "x.orc": lambda path: TABLE.to_orc(path, index=False),
    "x.html": lambda path: TABLE.to_html(path, index=False),
    "x.xml": lambda path: TABLE.to_xml(path, index=False, parser="etree"),
    "x.tex": lambda path: Path(path).write_text(_latex()),
    "bold.tex": lambda path: Path(path).write_text(re.sub(r"& (0\.\d*[1-5]) ", r"& \\textbf{\1} ", _latex())),
    "x.db": write_database,
    "x.pkl": TABLE.to_pickle,
    "x.json": write_printed,
    "x.yaml": write_yaml,
    "x.txt": lambda path: Path(path).write_text(TABLE.to_string(index=False) + "\n"),
    "x.csv": lambda path: Path(path).write_text(TABLE.to_string(index=False) + "\n"),
    "single.csv": lambda path: TABLE.to_csv(path, index=False, sep=" "),
    "index.txt": lambda path: Path(path).write_text(TABLE.to_string() + "\n"),
    "wide.txt": lambda path: Path(path).write_text(_wide().to_string() + "\n"),
    "wide.csv": lambda path: Path(path).write_text(_wide().rename_axis(columns=None).to_string() + "\n"),
}


def _wide():
    return TABLE.pivot_table("score", "segment", "system")


def _latex():
    rows = [" & ".join(map(str, row)).replace("_", r"\_") + r" \\" for row in TABLE.to_numpy()]
    head = [r"\begin{tabular}{lrr}", r"\toprule", r"system & segment & score \\", r"\midrule"]
    return "\n".join([*head, *rows, r"\bottomrule", r"\end{tabular}", ""])


NEEDS = {"lxml": "pandas.read_html(PATH)[0]"}
"""The steps that need a package which the tests do not."""


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.parametrize("name", WRITE)
def test_a_file_that_another_program_reads(name, tmp_path):
    WRITE[name](path := tmp_path / name)
    told = refuse(path)
    step = re.search(r"in Python,? pass (.*?)(?:;|, and save| \(which needs (\w+)\)|$)", told)
    package = {"PyYAML": "yaml"}.get(step[2], step[2])
    if package and importlib.util.find_spec(package) is None:
        assert step[1] == NEEDS[package], "where nobody could run it"
        return
    known = {"pandas": pd, "ast": ast, "io": io, "sqlite3": sqlite3, "PATH": path, "open": open, "re": re}
    if package == "yaml":
        known["yaml"] = importlib.import_module("yaml")
    read = eval(step[1].replace("TABLE", "TABLE_"), known)
    data = tk.EvalSet("toy", "", tuple(NAMES), DATA.segments, DATA.human, {})
    np.testing.assert_allclose(data.with_scores(read, name="x").metrics["x"], SCORES, rtol=1e-12)


def test_an_archive_of_tar_is_unpacked_as_advised(tmp_path):
    (folder := tmp_path / "scores").mkdir()
    for row, name in enumerate(SYSTEMS):
        (folder / f"{name}.txt").write_text("".join(f"{score}\n" for score in SCORES[row]))
    with tarfile.open(path := tmp_path / "x.tar.gz", "w:gz") as archive:
        archive.add(folder, "scores")
    assert "unpack it by tar -xf PATH, and give the folder" in refuse(path)
    np.testing.assert_array_equal(DATA.with_scores(folder, name="x").metrics["x"], SCORES)


def test_a_last_line_that_is_a_mean_is_named(tmp_path):
    (path := tmp_path / "x.score").write_text("".join(f"{score}\n" for score in SCORES[0]) + "Average: 0.5\n")
    assert f"line {len(SCORES[0]) + 1}: expected one score per line, found 'Average: 0.5'; leave this line out" in (
        refuse(path)
    )
    path.write_text(path.read_text().rpartition("Average")[0])
    with pytest.warns(tk.LeftOutWarning):
        found = DATA.with_scores(path, name="x", system=SYSTEMS[0])
    np.testing.assert_array_equal(found.metrics["x"][0], SCORES[0])


def test_what_is_read_is_told_of_a_file_that_nobody_knows(tmp_path):
    (path := tmp_path / "x.log").write_text("epoch 3 loss .4\nepoch 4 loss .3\n")
    step = re.search(r"such as by (.*), index=False\)", refuse(path))[1] + ", index=False)"
    columns = {"SYSTEMS": TABLE["system"], "SEGMENTS": TABLE["segment"], "SCORES": TABLE["score"]}
    eval(step.replace("'scores.csv'", repr(str(tmp_path / "s.csv"))), {"pandas": pd, **columns})
    pd.testing.assert_frame_equal(pd.read_csv(tmp_path / "s.csv"), TABLE)


PRINTED = {
    "rows": [{**row, "score": np.float64(row["score"])} for row in TABLE.to_dict("records")],
    "lists": {name: [*map(np.float64, row)] for name, row in zip(NAMES, SCORES, strict=True)},
    "arrays": dict(zip(NAMES, SCORES, strict=True)),
}


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("ending", ["txt", "json", "log"])
@pytest.mark.parametrize("kind", PRINTED)
def test_what_numpy_prints(tmp_path, kind, ending):
    with np.printoptions(precision=17, threshold=10_000):
        (path := tmp_path / f"m.{ending}").write_text(repr(PRINTED[kind]).replace("]), ", "], dtype=float64), "))
    told = refuse(path)
    source = eval(told.partition("in Python, pass ")[2], {"ast": ast, "re": re, "PATH": path})
    np.testing.assert_array_equal(DATA.with_scores(source, name="x").metrics["x"], SCORES)


def test_lines_before_the_scores_of_a_log_are_left_out_as_advised(tmp_path):
    lines = [f"x.txt\tSegment {at}\tscore: {score}" for at, score in enumerate(SCORES[0])]
    (path := tmp_path / "x.log").write_text("\n".join(["Seed set to 1", "a warning: no GPU", *lines, ""]))
    told = refuse(path)
    assert "has 2 lines before its first score; leave them out, such as by grep -a 'Segment.*score:' PATH" in told
    (tmp_path / "scores.txt").write_text("".join(line + "\n" for line in lines))
    with pytest.warns(tk.LeftOutWarning):
        found = DATA.with_scores(tmp_path / "scores.txt", name="x", system=SYSTEMS[0])
    np.testing.assert_array_equal(found.metrics["x"][0], SCORES[0])
