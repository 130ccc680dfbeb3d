"""Small steps that refusals print: words for numbers, per cent, lines without a header, missing scores."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.readers.test_rows_of_objects import DATA, SCORES, SHUFFLED, SIZE, SYSTEMS
from tiekit.sets.labels import LABEL_THEM

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")


def table(cell, mark=",") -> str:
    rows = [mark.join((SYSTEMS[row], str(at + 1), cell(SCORES[row, at]))) for row, at in SHUFFLED]
    return "\n".join([mark.join(("system", "segment", "score")), *rows])


def refuse(path) -> str:
    with pytest.raises((tk.InputError, tk.ReadError)) as refused:
        DATA.with_scores(path, name="x")
    return str(refused.value)


@pytest.mark.parametrize(("no", "yes"), [("False", "True"), ("no", "yes"), ("FAIL", "PASS"), ("incorrect", "correct")])
def test_words_for_yes_and_no(no, yes, tmp_path):
    (path := tmp_path / "x.csv").write_text(table(lambda score: yes if score > 0 else no))
    step = re.search(r"if score holds the scores, pass labels=(\{.*?\})", refuse(path))
    more = DATA.with_scores(path, name="x", labels=eval(step[1]))
    np.testing.assert_array_equal(more.metrics["x"], SCORES > 0)


def test_per_cent_with_decimal_commas(tmp_path):
    (path := tmp_path / "x.csv").write_text(table(lambda score: f"{score * 10:.2f}%".replace(".", ","), ";"))
    found, mended = re.search(r"'(.*)' is not a number, write (\S+)\)", refuse(path)).groups()
    assert found == f"{mended}%"
    path.write_text(path.read_text().replace("%", ""))
    np.testing.assert_allclose(DATA.with_scores(path, name="x").metrics["x"], SCORES * 10)


@pytest.mark.parametrize("ending", ["txt", "csv"])
def test_lines_of_files_and_scores_without_a_header(ending, tmp_path):
    lines = "".join(f"{SYSTEMS[row]}-{at + 1}.wav,{SCORES[row, at]}\n" for row, at in SHUFFLED)
    (path := tmp_path / f"x.{ending}").write_text(lines)
    names = re.search(r"put a line such as (\w+, \w+) above it", refuse(path))[1]
    path.write_text(f"{names}\n{lines}")
    np.testing.assert_array_equal(DATA.with_scores(path, name="x").metrics["x"], SCORES)


@pytest.mark.parametrize("mark", [",", ";"])
def test_a_sign_for_missing_scores(mark, tmp_path):
    first = SCORES[SHUFFLED[0]]
    content = table(lambda score: "#NULL!" if score == first else str(score), mark)
    (path := tmp_path / "x.csv").write_text(content)
    assert "if it stands for a missing score, write nan in its place" in refuse(path)
    path.write_text(content.replace("#NULL!", "nan"))
    np.testing.assert_array_equal(
        DATA.with_scores(path, name="x").metrics["x"], np.where(first == SCORES, np.nan, SCORES)
    )


def test_prompts_instead_of_labels_in_another_order(tmp_path):
    frame = pd.DataFrame(
        [{"model": SYSTEMS[row], "user_input": f"What is {at}?", "score": SCORES[row, at]} for row, at in SHUFFLED]
    )
    frame.to_csv(path := tmp_path / "x.csv", index=False)
    step = LABEL_THEM.partition(" = ")[2].partition(", where")[0]
    assert step in refuse(path)
    known = {"frame": frame, "data": DATA, "COLUMN": "user_input", "TEXTS": [f"What is {at}?" for at in range(SIZE)]}
    frame["segment"] = eval(step, known)
    np.testing.assert_array_equal(DATA.with_scores(frame, name="x").metrics["x"], SCORES)


def test_a_z_score_is_no_example_beside_a_metric(tmp_path):
    rows = [f"{SYSTEMS[row]},{at + 1},{SCORES[row, at]},{SCORES[row, at] / 2}" for row, at in SHUFFLED]
    (path := tmp_path / "x.csv").write_text("\n".join(["system,segment,comet,z_score", *rows]))
    assert "such as metrics='comet'" in refuse(path)
