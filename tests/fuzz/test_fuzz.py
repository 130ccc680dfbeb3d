"""The smallest part of the fuzz campaign, and the campaign itself: it finds what it looks for."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import tiekit as tk
from tests.fuzz import bombs
from tests.fuzz.__main__ import KINDS, search
from tests.fuzz.case import MB, TRIES, Case, Said, problem_of

FEW = {"readers": 15, "typed": 15, "uploads": 8, "notebooks": 8, "command_line": 5}
"""So many cases of each kind are tried in every run; for links see tests/app/contracts/test_links.py."""

MINUTES = float(os.environ.get("FUZZ_MINUTES", "10"))


@pytest.mark.parametrize("kind", FEW)
def test_hostile_input_is_used_or_refused(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert not search([kind], 0, 60, FEW[kind]), capsys.readouterr().out


SLOW = (
    *("columns.csv", "other fields.jsonl", "empty cells.csv", "appraise.csv", "quotation.tsv", "texts.jsonl"),
    *("one object.json", "segments.csv", "short.csv", "texts.csv", "pairs.csv", "constants.tsv", "objects.jsonl"),
    *("numbers first.json", "scored votes.csv", "three votes.csv", "sparse.csv", "decimals.tsv", "numbers.json"),
    *("scores by name.json", "fixed prefixes.parquet", "between rows.xlsx", "blocks.seg.score"),
    *("comet.json", "lines.txt"),  # larger ones of these are read below in every run
)
"""Contents that take longest: campaigns read them, and every run others that are like them."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.campaign] * (name in SLOW)) for name in [*bombs.BOMBS, *bombs.PACKED]],
)
def test_no_content_takes_many_times_its_bytes(name: str) -> None:
    case = bombs.bomb(name, MB // 2 if name in bombs.PACKED else MB)
    assert not all(problem_of(case) for _ in range(TRIES))


@pytest.mark.parametrize(
    "name",
    [
        *("commas.csv", "empty objects.jsonl", "comet.json"),
        *(
            pytest.param(name, marks=pytest.mark.campaign)
            for name in ("empty objects.json", "blocks.seg.score", "uneven.csv", *bombs.PACKED)
        ),
    ],
)
def test_nothing_is_unpacked_into_many_times_its_bytes(name: str) -> None:
    case = bombs.bomb(name, (20 if name in bombs.PACKED else 7) * MB, is_packed=True)
    assert not all(problem_of(case) for _ in range(TRIES))


@pytest.mark.parametrize(
    ("name", "length"),
    [
        *(
            pytest.param(name, length, marks=pytest.mark.campaign)
            for name, length in (
                *(("objects.jsonl", 8), ("texts.jsonl", 22), ("ratings.tsv", 13), ("decimals.tsv", 12)),
                *(("blocks.seg.score", 4), ("pairs.csv", 4), ("constants.tsv", 10), ("names.csv", 13)),
                *(("votes.csv", 25), ("three votes.csv", 24), ("scored votes.csv", 30)),
            )
        ),
        ("lines.txt", 2),
    ],
)
def test_a_million_short_lines_take_little_memory(name: str, length: int) -> None:
    case = bombs.bomb(name, 999_990 * length)
    assert not all(problem_of(case) for _ in range(TRIES))


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("kind", "columns", "rows"),
    [(bombs.workbook, 1, 660_000), (bombs.workbook, 2, 530_000), (bombs.constants, 5, 1_000_000)],
)
def test_a_sheet_of_many_rows_takes_little_memory(kind: Callable[[int, int], Case], columns: int, rows: int) -> None:
    case = kind(columns, rows)
    assert not all(problem_of(case) for _ in range(TRIES))


@pytest.mark.campaign
def test_hostile_input_of_every_kind_is_used_or_refused(capsys: pytest.CaptureFixture[str]) -> None:
    first = int(time.time())
    assert not search(list(KINDS), first, MINUTES), capsys.readouterr().out


def fails() -> Said:
    raise KeyError("x")


def refuses_without_words() -> Said:
    raise tk.InputError(" ")


def fills_memory() -> Said:
    return [str(len(b"x" * (200 * MB)))]


@pytest.mark.parametrize(
    ("run", "problem"),
    [
        (fails, "KeyError: 'x'"),
        (lambda: ["a", "b", "a"], "said twice: a"),
        (lambda: ["x" * 10_000], "a message of 10,000 characters: xxx"),
        (refuses_without_words, "a message without words"),
        pytest.param(
            *(fills_memory, "took 2"),
            marks=pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="measured on Linux alone"),
        ),
    ],
)
def test_what_no_input_may_do_is_found(run: Callable[[], Said], problem: str) -> None:
    assert str(problem_of(Case("", 0, run))).startswith(problem)
