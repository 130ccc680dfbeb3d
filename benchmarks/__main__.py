"""One command, a table a question: ``python -m benchmarks [--markdown] [--only calls|significance|scaling|…]``.

TIEKIT_REAL_DATA may name the folder of real files.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from benchmarks import app, cases, every_pair, load, measures, scaling, scores, significance
from benchmarks.cases import Sizes
from benchmarks.measure import setting
from benchmarks.table import Row, table, verdict

NOTES = """Medians of repeats after a warm-up, tools in turn, garbage collector off; first calls are rows of their own.
Where a peer is timed, both gave the same number, or the benchmark would have stopped. Sorts beside it are a limit.
Peak memory: growth of the resident set at its highest over what it was before the call, in a fresh interpreter.
Growing n: each tool alone in a fresh interpreter, after a small call; calls that take seconds are repeated less."""


def calls(sizes: Sizes, real: Path | None) -> Iterator[Row]:
    """Every line of the first table, measured one after another; real is the folder mt-metrics-eval-v2 or None."""
    for n in sizes.vectors:
        yield from cases.count("synthetic", *scores.draw_vectors(n), sizes)
    matrices = scores.draw_matrix(sizes.segments)
    yield from cases.calibrate("synthetic", *matrices, sizes)
    yield from cases.memory(sizes)
    yield from cases.correlate("synthetic", *matrices, sizes)
    if real is None:
        yield Row("real WMT22 zh-en", "left out: TIEKIT_REAL_DATA does not name the folder of the real files")
    else:
        yield from cases.metric_x(real, sizes)
        yield from cases.leaderboard(real)
    yield from cases.start(sizes)


def real_folder() -> Path | None:
    """The folder that TIEKIT_REAL_DATA promises; None where it is not set."""
    named = os.environ.get("TIEKIT_REAL_DATA")
    folder = Path(named or "") / "mt-metrics-eval-v2"
    if named and not folder.is_dir():
        sys.exit(f"TIEKIT_REAL_DATA={named!r}: expected a folder that holds mt-metrics-eval-v2/")
    return folder if named else None


TABLES = {
    "calls": ("Calls beside other tools", calls),
    "significance": ("Tests of metrics", significance.rows),
    "pairs": ("Every two metrics of WMT22 zh-en", every_pair.rows),
    "scaling": ("Ungrouped calibration, growing n", scaling.rows),
    "measures": ("Measures of measures", measures.rows),
    "app": ("Waiting for the app", app.rows),
    "load": ("A lesson with many sessions", load.rows),
}
ONLY_ASKED = {"load"}
"""Tables that take half an hour; they are measured where they are named."""


def report(sizes: Sizes, real: Path | None, markdown: bool = False, only: str | None = None) -> str:
    """Measure, and write down with what."""
    found = {
        title: list(rows(sizes, real))
        for name, (title, rows) in TABLES.items()
        if name == only or (only is None and name not in ONLY_ASKED)
    }
    top, bottom = (text.replace("\n", "  \n" if markdown else "\n") for text in (setting(), NOTES))
    tables = [f"{title}\n\n{table(lines, markdown)}" for title, lines in found.items()]
    return "\n\n".join([top, *tables, verdict([*chain(*found.values())]), bottom])


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Speed and memory against other tools.")
    parser.add_argument("--markdown", action="store_true", help="print the tables as Markdown")
    parser.add_argument("--only", choices=TABLES, help="print one table; growing n takes about two minutes")
    chosen = parser.parse_args()
    print(report(Sizes(), real_folder(), chosen.markdown, chosen.only))


if __name__ == "__main__":
    main()
