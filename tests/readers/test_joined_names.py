"""A table read as a set whose only names are joined ones, such as A/utt01.wav: the printed step takes them apart."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tiekit as tk

SYSTEMS, SIZE, LISTENERS = ("fastpitch", "vits", "natural"), 30, 6


def listened(form: str) -> tuple[pd.DataFrame, np.ndarray]:
    """One row of each listener and file, and the means of the listeners."""
    scores = np.random.default_rng(2).integers(1, 6, (len(SYSTEMS), SIZE, LISTENERS))
    rows = [
        {"listener": f"L{k}", "wav": form.format(system=name, utt=f"utt{j:02d}.wav"), "MOS": scores[i, j, k]}
        for i, name in enumerate(SYSTEMS)
        for j in range(SIZE)
        for k in range(LISTENERS)
    ]
    return pd.DataFrame(rows).sample(frac=1, random_state=1), scores.mean(axis=2)


def read(source: Any, **choices: Any) -> tuple[tk.EvalSet, list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = tk.read(source, **choices)
    return data, [str(one.message) for one in caught if one.category is tk.RoleWarning]


FORMS = ("{system}/{utt}", "{system}_{utt}", "wavs/{system}/{utt}", "{utt}|{system}", "{system}-{utt}")


@pytest.mark.parametrize("aggregate", ["error", "mean"])
@pytest.mark.parametrize("form", FORMS)
def test_the_printed_step_takes_names_apart(tmp_path: Path, form: str, aggregate: Any) -> None:
    frame, means = listened(form)
    frame.to_csv(tmp_path / "mos.csv", index=False)
    _, said = read(tmp_path / "mos.csv", aggregate=aggregate)
    [told] = [text for text in said if "all rows are of one system" in text]
    assert "'listener'" not in told
    step = told.rpartition("DataFrame of the table: ")[2].partition(";")[0]
    frame = pd.read_csv(tmp_path / "mos.csv")
    exec(step, {"frame": frame})
    with pytest.raises(tk.ReadError, match='pass aggregate="mean"'):
        tk.read(frame)
    data, said = read(frame, aggregate="mean")
    assert {name.rpartition("/")[2] for name in data.systems} == {*SYSTEMS}
    rows = [[name.rpartition("/")[2] for name in data.systems].index(name) for name in SYSTEMS]
    columns = np.argsort(data.segments)
    assert np.abs(np.asarray(data.human["MOS"])[np.ix_(rows, columns)] - means).max() < 1e-12
    assert not [text for text in said if "all rows are of one system" in text]


def test_listeners_are_no_systems() -> None:
    frame, _ = listened("{utt}")
    frame = frame.drop_duplicates(["listener", "wav"])
    _, said = read(frame)
    assert not any("system='listener'" in text for text in said), said


def test_segments_of_one_system_are_not_taken_apart_by_signs_within_names() -> None:
    rows = [{"id": f"doc{d}_{s}", "human": d + s, "metric": d * s / 7} for d in range(1, 4) for s in range(1, 9)]
    _, said = read(pd.DataFrame(rows))
    assert not any("take them apart" in text for text in said), said


@pytest.mark.parametrize("form", ["frame", "csv", "jsonl", "dict"])
def test_names_below_folders_are_those_of_a_set(tmp_path: Path, form: str) -> None:
    data = tk.load("wmt23", "en-de")
    scores = data.metrics["COMET-refA"]
    cells = [(f"wmt23/en-de/{data.systems[i]}/{j + 1}", scores[i, j]) for i, j in np.argwhere(~np.isnan(scores))]
    frame = pd.DataFrame(cells, columns=["id", "score"]).sample(frac=1, random_state=3)
    frame.to_csv(tmp_path / "s.csv", index=False)
    frame.to_json(tmp_path / "s.jsonl", orient="records", lines=True, double_precision=15)
    source = {"frame": frame, "dict": dict(cells)}.get(form, tmp_path / f"s.{form}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.RoleWarning)
        found = data.with_scores(source, name="m").metrics["m"]
    np.testing.assert_allclose(found, scores, rtol=1e-12)


def test_names_that_all_begin_alike_may_differ_in_case_as_well() -> None:
    data = tk.load("wmt23", "en-de")
    scores = {f"en-de.{name.lower()}": row for name, row in zip(data.systems, data.metrics["COMET-refA"], strict=True)}
    found = data.with_scores(scores, name="m")
    np.testing.assert_array_equal(found.metrics["m"], data.metrics["COMET-refA"])
    assert any("en-de.airc is AIRC" in note for note in found.notes)
