"""Errors with a row each are added up: from files and from memory, by the step that the refusal prints."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pandas as pd
import pytest

import tiekit as tk

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.RoleWarning")

NAMES, SIZE = ("Kite", "Moth", "Gnu"), 12
DATA = tk.EvalSet("toy", "", NAMES, tuple(map(str, range(1, SIZE + 1))), {}, {"m": np.arange(36.0).reshape(3, SIZE)})
ERRORS = pd.DataFrame(
    [
        {
            "system": name,
            "segment": at + 1,
            "severity": "major" if n else "minor",
            "span": f"w{n}",
            "penalty": -1 - 4 * n,
        }
        for row, name in enumerate(NAMES)
        for at in range(SIZE)
        for n in range(1 + (row + at) % 3)
    ]
)
SUMS = (
    ERRORS.pivot_table(index="system", columns="segment", values="penalty", aggfunc="sum").loc[list(NAMES)].to_numpy()
)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("columns", [["system", "segment", "severity", "penalty"], [*ERRORS]], ids=["", "spans"])
@pytest.mark.parametrize("kind", ["frame", "csv", "parquet", "xlsx", "jsonl", "list"])
def test_errors_with_a_row_each_are_added_up_as_advised(kind, columns, tmp_path):
    frame, path = ERRORS[columns], tmp_path / f"errors.{kind}"
    if kind == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif kind not in ("frame", "list"):
        getattr(frame, {"csv": "to_csv", "parquet": "to_parquet", "xlsx": "to_excel"}[kind])(path, index=False)
    source = {"frame": frame, "list": frame.to_dict("records")}.get(kind, path)
    for add, where in (("with_human", "human"), ("with_scores", "metrics")):
        with pytest.raises(tk.ReadError, match='aggregate="mean"') as refused:
            getattr(DATA, add)(source, name="mqm")
        found = re.search(r'(\w+)="(\w+)" if each row is an error', str(refused.value))
        assert found, refused.value
        more = getattr(DATA, add)(source, name="mqm", **{found[1]: found[2]})
        np.testing.assert_array_equal(getattr(more, where)["mqm"], SUMS)
        assert more.raters == {}


def test_a_sum_of_nothing_is_missing():
    table = b"system,segment,penalty\nKite,1,-1\nKite,1,\nKite,2,NA\nKite,2,\nMoth,1,-5\nMoth,1,-1\n"
    found = tk.read_table({"t.csv": table}, human="penalty", aggregate="sum")
    np.testing.assert_array_equal(found.human["penalty"], [[-1, np.nan], [-6, np.nan]])
    assert found.notes[-1] == "Joined 6 rows to 3 cells by their sum, 2 to 2 in each."
    halves = tk.read_table({"t.csv": b"system,segment,x\nA,1,.1\nA,1,.1\nB,1,-0\n"}, metrics="x", aggregate="sum")
    assert halves.metrics["x"].tolist() == [[0.2], [0]]


def test_translations_without_a_row_of_errors_are_told():
    table = b"system,segment,penalty\nKite,1,-1\nKite,1,-5\nKite,2,-1\nMoth,1,-5\nMoth,3,-1\n"
    words = r"2 of 6 cells have no row, so their scores are missing; if these have no errors, write a row of 0"
    with pytest.warns(tk.RoleWarning, match=words):
        found = tk.read_table({"t.csv": table}, human="penalty", aggregate="sum")
    assert np.isnan(found.human["penalty"]).sum() == 2


def test_what_is_the_same_for_all_judges_is_not_added_up():
    table = b"model,id,human,judge,score\nA,1,3,X,4\nA,1,3,X,1\nA,1,3,Y,2\n"
    found = tk.read_table({"t.csv": table}, scorer="judge", score="score", aggregate="sum")
    assert {name: scores.tolist() for name, scores in ({**found.human, **found.metrics}).items()} == {
        "human": [[3]],
        "X": [[5]],
        "Y": [[2]],
    }


def test_sums_over_different_numbers_of_raters_are_asked_about_with_the_mean_of_their_sums():
    rng = np.random.default_rng(1)
    people = {"A": ["r1", "r2"], "B": ["r1"], "C": ["r1", "r2"]}
    errors = {(s, n, r): [0.0, *-rng.integers(1, 6, 2)] for s in "ABC" for n in range(1, 21) for r in people[s]}
    rows = [(*key, float(one)) for key, found in errors.items() for one in found]
    frame = pd.DataFrame(rows, columns=["system", "segment", "rater", "penalty"])
    with pytest.warns(
        tk.errors.RoleWarning, match="40 of 60 scores are sums over several of 'rater'; if fewer"
    ) as caught:
        tk.read(frame, human="penalty", aggregate="sum")
    step = str(caught[0].message).partition(" pass ")[2].partition(" with aggregate='mean'")[0]
    data = tk.read(eval(step, {"frame": frame}), human="penalty", aggregate="mean")
    for place, system in enumerate(data.systems):
        sums = [[sum(errors[system, n, r]) for r in people[system]] for n in range(1, 21)]
        assert data.human["penalty"][place] == pytest.approx([np.mean(one) for one in sums])
    alike = frame[frame["rater"] == "r1"]
    for same in (alike, pd.concat([alike, alike.assign(rater="r2")], ignore_index=True)):
        with warnings.catch_warnings():
            warnings.simplefilter("error", tk.errors.RoleWarning)
            tk.read(same, human="penalty", aggregate="sum")
