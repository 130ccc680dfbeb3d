"""What does a leaderboard look like in a paper? A table of booktabs like Tables 11–19 of Deutsch et al. (2023)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from tiekit.base.errors import InputError
from tiekit.base.names import did_you_mean
from tiekit.base.results import DIGITS, PRINTED_ROWS, Explored, draw, html_table, latex_escape, number, tabular
from tiekit.core.coefficients import Coefficient
from tiekit.core.registry import COEFFICIENTS
from tiekit.core.system_level import SYSTEM_LEVEL
from tiekit.ranking.diagnostics import (
    CHECKS,
    COLUMNS,
    SIGN,
    SIGN_MEANS,
    Check,
    format_check,
    has_fairness,
    notes_of,
    signs_of,
)

if TYPE_CHECKING:
    from altair import LayerChart

    from tiekit.significance.intervals import Interval


def latex_table(
    board: pd.DataFrame,
    columns: Sequence[str],
    intervals: Mapping[str, Interval] | None = None,
    signed: str | None = None,
) -> str:
    """Return a booktabs table like Tables 11–19 of the paper: values with ranks, the best in bold, ε* last.

    A column ``cluster`` and intervals by metric, where there are any, follow the values; columns on fairness come last.
    The signatures are those of the metric ``signed``, or of the first row. A row that was renamed has no signature.
    """
    heads = [latex_head(column) for column in columns]
    heads += ["interval"] if intervals else []
    heads += ["cluster"] if "cluster" in board else []
    starred = [column[:-1] for column in columns if column.endswith("*")]
    heads += [rf"{_level(name)}$\epsilon^*({_entry(name).latex})$" for name in starred]
    checks = CHECKS if has_fairness(board) else ()
    heads += [latex_escape(check.label) for check in checks]
    rows = []
    for name in board.index:
        cells = [_cell(board, name, column) for column in columns]
        ends = intervals.get(name) if intervals else None
        cells += [latex_ends(ends.low, ends.high) if ends else "--"] if intervals else []
        cells += [number(board.loc[name, "cluster"], ".0f")] if "cluster" in board else []
        cells += [number(board.loc[name, f"epsilon({coefficient})"], ".4g") for coefficient in starred]
        cells += [_fair(check, board.loc[name, check.column]) for check in checks]
        rows.append([latex_escape(name), *cells])
    usage = "Needs \\usepackage{booktabs}. Values and ranks; a dagger: a mean over fewer groups than others have."
    usage += f" A double dagger: {SIGN_MEANS}." if any(signs_of(board, column).any() for column in columns) else ""
    usage += f" Bad: {'; '.join(f'{c.label}, {c.rule}' for c in checks)}." if checks else ""
    known = [board.attrs["signatures"][column] for column in columns]
    wanted = list(board.index[:1]) if signed is None else [signed]
    signatures = [of_metric[name] for of_metric in known for name in wanted if name in of_metric]
    of = "the first row" if signed is None else latex_escape(signed)
    comments = [usage, *([f"Signatures of {of}:", *signatures] if signatures else []), board.attrs.get("assumed", "")]
    return tabular([["Metric", *heads]], rows, comments)


def latex_head(column: str) -> str:
    """The symbol of a measure, after the grouping that it was asked by."""
    return f"{_level(column)}${_entry(column).latex}{'^*' if column.endswith('*') else ''}$"


def _entry(column: str) -> Coefficient:
    name = column.rpartition("/")[2].removesuffix("*")
    return SYSTEM_LEVEL.get(name) or COEFFICIENTS[name]


def _level(column: str) -> str:
    """The grouping that a column was asked by, before its symbol."""
    grouping, slash, _ = column.rpartition("/")
    return f"{latex_escape(grouping.replace('_', ' '))} " if slash else ""


def _cell(board: pd.DataFrame, name: str, column: str) -> str:
    """A value with its rank; a dagger where the mean is over fewer groups than others have."""
    value, rank = (board[one][name] for one in (column, f"rank({column})"))
    groups = board.get(f"groups({column})")
    if pd.isna(rank):
        return "--"
    text = f"{number(value)} ({rank})"
    text = rf"\textbf{{{text}}}" if rank == 1 else text
    is_fewer = groups is not None and groups[name] < groups.max()
    text += r"$^\ddagger$" if signs_of(board, column)[name] else ""
    return text + (r"$^\dagger$" if is_fewer else "")


def _fair(check: Check, value: float) -> str:
    """A number on fairness."""
    return "--" if value != value else latex_escape(format_check(check, value)).replace("−", "$-$")


def latex_ends(low: float, high: float) -> str:
    """An interval in a table."""
    return f"[{number(low)}, {number(high)}]"


AT_BEST = ("tied", "gain")
"""What is said of a metric at its best epsilon: the share of pairs that it ties, its gain over a constant metric."""

DETAILS = ("rank(", "groups(", "undefined(", "tied(", "gain(")
"""Beginnings of the columns that are displayed on request only."""

WIDTH = 120
"""Maximum number of characters in a line of a repr; columns beyond it follow below."""


class Leaderboard(Explored, pd.DataFrame):
    """One row per metric, and all columns that `tiekit.leaderboard` describes; a pandas DataFrame.

    A notebook and `repr` show the values, epsilon*, the rank by the column that the rows are sorted by, columns on
    fairness if they were asked for, and columns that were added, such as ``cluster``; with
    ``leaderboard(..., details=True)`` all columns. What drops columns, such as ``board[["acc_eq*"]]``, returns a plain
    DataFrame. ``plot`` and ``to_latex`` replace pandas' own, which ``pd.DataFrame(board)`` still has.
    """

    @property
    def _constructor(self) -> Callable[..., pd.DataFrame]:
        return _leaderboard_or_frame

    def plot(self, column: str | None = None, *, theme: str = "light") -> LayerChart:  # type: ignore[override]
        """Draw the ranks by every coefficient, or the values of one.

        Parameters
        ----------
        column : str or None
            A column of values, such as ``"acc_eq*"``: one dot per metric, with the color of its cluster where there is
            a column ``cluster``. None: ranks over coefficients; where there is one coefficient, its values.
        theme : {"light", "dark"}
            The background that the picture is made for.

        Returns
        -------
        altair.LayerChart

        Raises
        ------
        NotInstalledError
            Without Altair: ``pip install 'tiekit[plot]'``.
        InputError
            For another column or theme.
        """
        return draw(self, theme, None if column is None else self._values_of(column))

    def to_latex(  # type: ignore[override]
        self, columns: str | Sequence[str] | None = None, *, intervals: Mapping[str, Interval] | None = None
    ) -> str:
        """Return a table for a paper, which needs the package booktabs.

        Parameters
        ----------
        columns : str or sequence of str or None
            Columns of values, such as ``"acc_eq*"``; None is all. Each value has its rank, the best is bold, and a
            dagger marks a mean over fewer groups than others have. epsilon* comes last, then the columns on fairness
            if there are any.
        intervals : mapping of str to `tiekit.significance.Interval`, optional
            Intervals by metric, in a column of their own: around the values of one column, so of the same coefficient
            and the same cells, as ``tk.standing(data, "mine", "acc_eq*", confidence=0.95).intervals`` are.

        Returns
        -------
        str
            With a column ``cluster`` where the leaderboard has one:
            ``board.assign(cluster=test.clusters()).to_latex()``.

        Raises
        ------
        InputError
            For a column that holds no values, or an interval of an unknown metric, another coefficient or other cells.
        """
        names = [columns] if isinstance(columns, str) else self.value_columns if columns is None else columns
        unknown = [name for name in intervals or () if name not in self.index]
        if unknown:
            raise InputError(f"intervals: there is no metric {unknown[0]!r} in the leaderboard")
        columns = [self._values_of(name) for name in names]
        for name, interval in (intervals or {}).items():
            self._check_interval(name, interval, columns)
        return latex_table(self, columns, intervals)

    def _check_interval(self, name: str, interval: Interval, columns: Sequence[str]) -> None:
        """Refuse an interval around another number than one beside which it would stand."""
        same = [column for column in columns if column.rpartition("/")[2] == interval.coefficient]
        if not same:
            raise InputError(
                f"intervals: must be of {' or '.join(columns)}, found one of {interval.coefficient} for {name}; "
                f"make them of that, or pass columns={interval.coefficient!r}"
            )
        is_common = self.attrs.get("cells") == "common" and name not in self.attrs["apart"]
        n_cells, value = self.attrs["n_cells"] if is_common else interval.n_cells, self.loc[name, same]
        if n_cells != interval.n_cells or not np.isclose(value, interval.value, 0, 1e-9, equal_nan=True).any():
            raise InputError(
                f"intervals: that of {name} is around {interval.value:.4f} ({interval.n_cells:,} cells), found "
                f"{value.iloc[0]:.4f} ({n_cells:,} cells) in the leaderboard; take those of the cells that all metrics "
                f"have scored, tk.standing(data, {name!r}, {same[0]!r}, confidence=0.95).intervals, or a leaderboard "
                'with cells="own"'
            )

    def fairness_notes(self) -> dict[str, list[str]]:
        """Say what may make a metric's place unfair; needs ``leaderboard(..., fairness=True)``.

        Returns
        -------
        dict of str to list of str
            By metric, one sentence for each number beyond its limit: more than 10 % of the pairs tied; 90 % of them
            tied at the best epsilon; a gain of less than 0.01 over a constant metric; a gain of noise
            of more than 0.005; a correlation with length that is farther from 0 than the human score's by more than
            0.1; a loss on held-out documents of more than 0.01; coverage below 99 %. The last one names the grid (see
            `tiekit.sentinels.grid_of`) of a metric that ties more than 0.5 % of the pairs, of different texts.

        Raises
        ------
        InputError
            For a leaderboard without these columns.
        """
        if not has_fairness(self):
            raise InputError("leaderboard: has no columns on fairness; make it with fairness=True")
        return notes_of(self)

    @property
    def value_columns(self) -> list[str]:
        """Names of the columns that hold values of a coefficient, each of which has a rank."""
        return [name for name in self.columns if f"rank({name})" in self.columns]

    def _values_of(self, column: str) -> str:
        return find_column(column, self.value_columns)

    def _frame_to_display(self) -> pd.DataFrame:
        """The columns that are read first, or all of them."""
        frame = pd.DataFrame(self)
        if self.attrs.get("details") or not _is_complete(self.columns):
            return frame
        complete = [name for name in self.value_columns if f"groups({name})" in self.columns]
        sorted_by = self.attrs.get("rank_by") if self.attrs.get("rank_by") in complete else complete[-1]
        hidden = () if has_fairness(self) else ("coverage",)
        looked_at = COLUMNS if has_fairness(self) else ()
        kept = [
            name
            for name in self.columns
            if (name in looked_at or not str(name).startswith(DETAILS)) and name not in hidden
        ]
        return frame[[*kept, f"rank({sorted_by})"]]

    def __repr__(self) -> str:
        shown, formatters = self._with_formatters()
        forms: Any = {"formatters": formatters, "float_format": f"{{:.{DIGITS}g}}".format}
        lines = shown.head(PRINTED_ROWS).to_string(index_names=False, line_width=WIDTH, **forms).splitlines()
        notes = self._footnotes(min(PRINTED_ROWS, len(shown)), shown.shape[1])
        return "\n".join([*lines, *notes, *wrap(self.attrs.get("assumed", ""), WIDTH)])

    def _repr_html_(self) -> str:
        shown, formatters = self._with_formatters()
        notes = [*self._footnotes(len(shown), shown.shape[1]), *filter(None, [self.attrs.get("assumed")])]
        title = f"Leaderboard of {len(self)} metrics"
        return html_table(title, shown, notes, formatters=formatters)

    def _with_formatters(self) -> tuple[pd.DataFrame, dict[str, Callable[[object], str]]]:
        """What is displayed: values with three decimals, as in papers, and a sign where nearly every pair is tied."""
        shown = self._frame_to_display()
        names = [name for name in self.value_columns if name in shown]
        marked = {name: signs for name in names if (signs := signs_of(self, name)).any()}
        texts = {
            name: [f"{value:.3f}{SIGN if sign else ' '}" for value, sign in zip(shown[name], signs, strict=True)]
            for name, signs in marked.items()
        }
        return shown.assign(**texts), {name: "{:.3f}".format for name in names if name not in marked}

    def _footnotes(self, rows: int, columns: int) -> list[str]:
        """How many rows and columns are not displayed, on how many cells the values stand, and what a mark means."""
        said = [self._counts()]
        if (rows, columns) != self.shape:
            hints = ["details=True displays all columns"] if columns < self.shape[1] else []
            hints += ["print(board.to_string()) all rows"] if rows < self.shape[0] else []
            hint = "".join(f"; {hint}" for hint in hints)
            said.append(f"{rows} of {self.shape[0]} rows, {columns} of {self.shape[1]} columns{hint}")
        if any(signs_of(self, name).head(rows).any() for name in self.value_columns):
            said.append(f"{SIGN} {SIGN_MEANS}")
        return [f"[{'; '.join(filter(None, said))}]"] if any(said) else []

    def _counts(self) -> str:
        """What is compared, where `leaderboard` made the rows."""
        if "n_cells" not in self.attrs:
            return ""
        systems, segments, cells = (self.attrs[f"n_{what}"] for what in ("systems", "segments", "cells"))
        return f"{systems:,} systems × {segments:,} segments, {cells:,} {self.attrs['cells']} cells"


def find_column(column: str, columns: Sequence[str], grouping: str | None = None, argument: str = "column") -> str:
    """The column of values that is meant; the grouping of a leaderboard may stand before it."""
    for name in (column, str(column).removeprefix(f"{grouping}/"), f"{grouping}/{column}"):
        if name in columns:
            return name
    hint = did_you_mean(str(column), columns)
    raise InputError(f"{argument}: must be one of {', '.join(columns)}, found {column!r}{hint and f'; {hint}'}")


def _leaderboard_or_frame(*arguments: Any, **options: Any) -> pd.DataFrame:
    """What pandas makes of a leaderboard: a frame if a column of it is missing or a metric is there twice."""
    frame = pd.DataFrame(*arguments, **options)
    return Leaderboard(frame) if _is_complete(frame.columns) and frame.index.is_unique else frame


def _is_complete(columns: pd.Index) -> bool:
    """Whether there is a value with all that belongs to it, and nothing twice or alone."""
    if columns.nlevels > 1 or not columns.is_unique or "coverage" not in columns:
        return False
    ranked = [name for name in columns if f"rank({name})" in columns]
    counted = [name for name in ranked if {f"groups({name})", f"undefined({name})"} <= set(columns)]
    return bool(counted)


def ordinal(number: int) -> str:
    """Return a number as 1st, 2nd, 3rd, 4th."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
