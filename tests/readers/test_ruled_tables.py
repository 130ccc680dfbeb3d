"""Tables that databases print are read; a matrix without names is passed as the step says."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.readers.test_rows_of_objects import DATA, SCORES, SHUFFLED, SYSTEMS
from tests.readers.test_small_steps import refuse


def drawn(rows, *, edges):
    """A table as MySQL prints it, with edges, or as PostgreSQL does."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = "+".join("-" * (width + 2) for width in widths)
    lines = [" " + " | ".join(map(str.ljust, row, widths)) + " " for row in rows]
    if not edges:
        return "\n".join([lines[0].rstrip(), rule, *map(str.rstrip, lines[1:]), f"({len(rows) - 1} rows)", "", ""])
    first, *below = [f"|{line}|" for line in lines]
    rule = f"+{rule}+"
    return "\n".join([rule, first, rule, *below, rule, f"{len(rows) - 1} rows in set (0.01 sec)", ""])


@pytest.mark.parametrize("ending", ["txt", "csv", "tsv", "log"])
@pytest.mark.parametrize("edges", [True, False])
def test_tables_that_databases_print(tmp_path, edges, ending):
    scores = SCORES - 2 * np.median(SCORES)
    scores[1, 2] = np.nan
    empty = "NULL" if edges else ""
    rows = [[SYSTEMS[row], str(at + 1), str(scores[row, at]).replace("nan", empty)] for row, at in SHUFFLED]
    path = tmp_path / f"x.{ending}"
    path.write_text(drawn([["system", "segment", "score"], *rows], edges=edges))
    np.testing.assert_array_equal(DATA.with_scores(path, name="x").metrics["x"], scores)
    path.write_text(path.read_text().replace(rows[8][2], "bad"))
    with pytest.raises(tk.ReadError, match=rf"line {11 + edges}: 'bad' in column 'score'"):
        DATA.with_scores(path, name="x")


@pytest.mark.parametrize("mark", [",", ";"])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")
def test_a_matrix_without_names_is_passed_as_the_step_says(tmp_path, turned, mark):
    matrix = pd.DataFrame(SCORES.T if turned else SCORES)
    matrix.to_csv(path := tmp_path / "x.csv", index=False, header=False, sep=mark)
    step = re.search(r"pass (pandas\..*)$", refuse(path))[1]
    found = DATA.with_scores(eval(step, {"pandas": pd, "PATH": path}), name="x")
    np.testing.assert_array_equal(found.metrics["x"], SCORES)


def test_a_metric_that_is_called_human_is_taken_and_not_left_out(tmp_path):
    rows = [f"{SYSTEMS[row]},{at + 1},{SCORES[row, at]}" for row, at in SHUFFLED]
    (path := tmp_path / "x.csv").write_text("\n".join(["system,segment,human_score", *rows]))
    with pytest.warns(tk.RoleWarning) as said:
        more = DATA.with_scores(path, name="x")
    assert [str(one.message) for one in said] == ["source: holds no metric, so human_score was taken for one"]
    np.testing.assert_array_equal(more.metrics["x"], SCORES)


@pytest.mark.parametrize("ending", ["txt", "csv", "psv"])
def test_cells_between_bars_are_a_table_by_any_of_its_endings(tmp_path, ending):
    rows = [f"{SYSTEMS[row]}|{at + 1}|{SCORES[row, at]}" for row, at in SHUFFLED]
    (path := tmp_path / f"x.{ending}").write_text("\n".join(["system|segment|mqm", *rows, ""]))
    found = tk.read(path, human="mqm")
    assert {*found.systems} == {*SYSTEMS}
    np.testing.assert_array_equal(np.sort(found.human["mqm"], axis=None), np.sort(SCORES, axis=None))


@pytest.mark.parametrize("text", ["|", "|\n", "||\n"])
def test_bars_alone_are_no_table(text):
    with pytest.raises(tk.ReadError, match="found one column"):
        tk.readers.read_table({"x.csv": text.encode()})
