"""Rows of means in a table that is read as a set are no segments and no systems of it."""

from __future__ import annotations

import warnings
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tiekit as tk

SYSTEMS = ("gpt-4o", "ours", "base", "large")
WORDS = ("AVG", "avg", "Average", "Mean", "MEAN", "All", "Total", "overall", "Sum", "std", "corpus", "system", "SYSTEM")
WORDS += ("summary", "document", "-1", "Ø", "macro_avg", "Mittelwert", "average score")


def table(form: str) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    quality = rng.normal(size=(len(SYSTEMS), 25))
    return pd.DataFrame(
        [
            {
                "system": name,
                "segment": form.format(j + 1),
                "human": int(np.clip(round(3 + quality[i, j]), 1, 5)),
                "BLEU": round(quality[i, j] + rng.normal(0, 0.5), 3),
            }
            for i, name in enumerate(SYSTEMS)
            for j in range(25)
        ]
    )


def tau_b_by_item(frame: pd.DataFrame) -> float:
    """Kendall's tau_b, pair by pair, averaged over the segments where it is defined."""
    values = []
    for _, rows in frame.groupby("segment"):
        pairs = list(combinations(rows[["human", "BLEU"]].to_numpy().tolist(), 2))
        signs = [(np.sign(a[0] - b[0]), np.sign(a[1] - b[1])) for a, b in pairs]
        both = sum(h != 0 for h, _ in signs) * sum(m != 0 for _, m in signs)
        if both:
            values.append(sum(h * m for h, m in signs) / both**0.5)
    return float(np.mean(values))


def read(source: Any) -> tuple[tk.EvalSet, list[str], list[str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = tk.read(source)
    said = [
        [str(one.message) for one in caught if one.category is kind] for kind in (tk.LeftOutWarning, tk.RoleWarning)
    ]
    return data, said[0], said[1]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("form", ["{}", "q{:03d}"])
@pytest.mark.parametrize("what", ["segment", "system"])
@pytest.mark.parametrize("word", WORDS)
def test_rows_of_means_are_left_out_and_told(tmp_path: Path, word: str, what: str, form: str) -> None:
    frame = table(form)
    by = "system" if what == "segment" else "segment"
    means = frame.groupby(by, as_index=False, sort=False)[["human", "BLEU"]].mean().assign(**{what: word})
    for decimals in (None, 3):
        rows = pd.concat([frame, means if decimals is None else means.round(decimals)])
        rows.to_csv(tmp_path / "scores.csv", index=False)
        data, left, _ = read(tmp_path / "scores.csv")
        assert (data.systems, len(data.segments)) == (SYSTEMS, 25)
        assert len(left) == 1
        assert f"left out the {what} '{word}'" in left[0], left
        value = tk.leaderboard(data, coefficients=["tau_b"]).loc["BLEU", "tau_b"]
        assert abs(value - tau_b_by_item(frame)) < 1e-12


def test_margins_of_pandas_are_left_out_on_both_sides() -> None:
    frame = table("{}")
    wide = frame.pivot_table(index="segment", columns="system", values="BLEU", margins=True)
    rows = wide.reset_index().melt("segment", value_name="BLEU")
    data, left, _ = read(rows)
    assert (sorted(data.systems), len(data.segments)) == (sorted(SYSTEMS), 25)
    assert "the segment 'All'" in left[0]
    assert "the system 'All'" in left[0]


def test_the_statistics_of_describe_are_left_out() -> None:
    frame = table("q{}")
    more = [
        frame.groupby("system", as_index=False)[["human", "BLEU"]].agg(how).assign(segment=how)
        for how in ("mean", "std", "min", "max", "median", "sum")
    ]
    data, left, _ = read(pd.concat([frame, *more]))
    assert len(data.segments) == 25
    assert "'max'" in left[0]


def test_a_row_named_like_a_mean_that_is_none_stays_and_is_asked_about() -> None:
    frame = table("q{}")
    more = pd.DataFrame([{"system": name, "segment": "Overall", "human": 1, "BLEU": 9.5} for name in SYSTEMS])
    rows = pd.concat([frame, more])
    data, left, asked = read(rows)
    assert (len(data.segments), left) == (26, [])
    [said] = [text for text in asked if "named like a mean" in text]
    mended = eval(said.rpartition("pass ")[2], {"frame": rows})
    assert len(read(mended)[0].segments) == 25


@pytest.mark.parametrize("labels", [["doc_1", "doc_2", "doc_3"], ["1", "2", "3"], ["min_1", "all_2", "n"]])
def test_honest_segments_are_no_means(labels: list[str]) -> None:
    scores = {"A": (1, 2, 3), "B": (3, 1, 1), "C": (2, 2, 2)}
    rows = [
        {"system": name, "segment": label, "human": score, "m": score * 1.5}
        for name, some in scores.items()
        for label, score in zip(labels, some, strict=True)
    ]
    data, left, asked = read(pd.DataFrame(rows))
    assert (len(data.segments), len(data.systems), left) == (3, 3, [])
    assert not [text for text in asked if "mean of" in text]


def test_a_table_of_whole_systems_keeps_its_only_segment() -> None:
    rows = [{"system": name, "segment": "all", "human": i, "m": i * 1.0} for i, name in enumerate(SYSTEMS)]
    data, left, _ = read(pd.DataFrame(rows))
    assert (data.segments, left) == (("all",), [])


def test_scores_beyond_any_square_are_no_error() -> None:
    rows = [
        {"system": "A", "segment": label, "human": 0, "m": m} for label, m in (("1", 2e154), ("2", 1e300), ("ALL", 5))
    ]
    assert len(read(pd.DataFrame(rows))[0].segments) == 2
