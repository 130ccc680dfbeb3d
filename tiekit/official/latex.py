"""What does an official ranking look like in a paper?"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from tiekit.latex import escape, number, tabular
from tiekit.official.task import Task


def to_latex(frame: pd.DataFrame, tasks: Sequence[Task], decimals: int) -> str:
    """Write the averages of a ranking and the given tasks as a table of booktabs."""
    summary = [name for name in ("average", "rank", "cluster") if frame[name].notna().any()]
    before = [""] * (1 + len(summary))
    heads = [[*before, *(escape("+".join(task.language_pairs)) for task in tasks)]] if tasks else []
    heads += [[*before, *(escape(_where(task)) for task in tasks)]] if tasks else []
    heads.append(["metric", *summary, *map(_symbol, tasks)])
    rows = [
        [escape(row[0]), *(number(value, f".{decimals}f") for value in row[1:])]
        for row in frame[[*summary, *(task.name for task in tasks)]].itertuples()
    ]
    return tabular(heads, rows, [f"Needs the package booktabs. {frame.attrs['signature']}"])


def _where(task: Task) -> str:
    """The grouping and what else restricts a task."""
    return " ".join([*filter(None, [task.domain]), task.parsed.grouping, *(["humans"] if task.humans else [])])


def _symbol(task: Task) -> str:
    return f"${task.parsed.coefficient.latex}{'^*' if task.parsed.calibrated else ''}$"
