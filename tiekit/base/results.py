"""Results: frozen, with a signature, a short text, a table in a notebook, a LaTeX table and a picture."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, fields
from hashlib import sha256
from html import escape
from textwrap import wrap
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import collect_warnings
from tiekit.base.validation import SHOWN, digest_of, is_frame, is_missing, is_series

if TYPE_CHECKING:
    import pandas as pd
    from altair import LayerChart

    from tiekit.figures.notebook import Widget

__version__ = "0.1.0"
"""Of tiekit; each signature ends with it."""


DIGESTS = {"data", "scores", "identical", "epsilon_of"}
"""Facts of a signature that are digests."""


LONGEST_FACT = 400
"""So many characters has what a signature says of one thing: a board has one for each of its thousands of values."""


def signature(**facts: object) -> str:
    """Join facts into one line, the version last; an ``average`` over groups, as usual, is not said.

    ``set``, ``human`` and ``metric`` are names; ``data`` is the digest of all that the set was read from, ``scores``
    that of the scores that were compared, ``identical`` that of which translations are the same, ``epsilon_of`` that of
    the scores that brought an epsilon; of each the first twelve digits are said. Of what is longer than `LONGEST_FACT`,
    such as hundreds of names, the beginning and a digest are said.
    """
    if facts.get("average") == "groups":
        del facts["average"]
    facts |= {name: str(facts[name])[:SHOWN] for name in DIGESTS & facts.keys()}
    facts = {**facts, "seed": facts.get("seed", "none"), "version": __version__}
    return "|".join(f"{name}:{_write_fact(value)}" for name, value in facts.items())


def _write_fact(value: object) -> str:
    text = str(value).replace("|", " ")
    if len(text) <= LONGEST_FACT:
        return text
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:SHOWN]
    return f"{text[: LONGEST_FACT - SHOWN - 2]}… {digest}"


KIND_STYLE = {
    "concordant": ("#0072B2", "C", "concordant"),
    "discordant": ("#D55E00", "D", "discordant"),
    "ties_human": ("#CC79A7", "h", "tied by the human only"),
    "ties_metric": ("#767676", "m", "tied by the metric only"),
    "ties_both": ("#009E73", "=", "tied by both"),
}
"""Color (at least 3:1 on both backgrounds, distinct for color-blind eyes), glyph and name of each kind of pair."""

REASON_STYLE = {
    "all human scores tie": ("#CC79A7", "h", "human ties"),
    "all metric scores tie": ("#767676", "m", "metric ties"),
    "all human scores tie and all metric scores tie": ("#009E73", "=", "both tie"),
    "fewer than two items have both scores": ("#E69F00", "–", "too few scores"),
}
"""Color, glyph and name of each reason why a group has no value, see `why_undefined`."""


_ESCAPES = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "|": r"\textbar{}"}
_ESCAPES |= {"<": r"\textless{}", ">": r"\textgreater{}", "−": "$-$", "…": r"\dots{}"}
_ESCAPES |= {"ε": r"$\epsilon$", "τ": r"$\tau$", "ρ": r"$\rho$", "κ": r"$\kappa$"}
_SPECIAL = re.compile(rf"[{re.escape(''.join(_ESCAPES))}&%$#_{{}}]")


RANK_DIGITS = 12
"""Values that agree to this many decimals share a rank: what lies beyond is rounding."""


def best_first(values: pd.Series, *, lower_is_better: bool = False, below: Iterable[str] = ()) -> NDArray[np.intp]:
    """Return the places of a table's rows in the one order of all results.

    The best value comes first; equal ones are ordered by name; then what has no value, and what stands ``below`` the
    others whatever its value.
    """
    rounded = values.to_numpy(np.float64, na_value=np.nan).round(RANK_DIGITS)
    names = values.index.to_numpy(str)
    return np.lexsort((names, rounded if lower_is_better else -rounded, np.isnan(rounded), values.index.isin([*below])))


def latex_escape(text: object) -> str:
    """Write a name so that LaTeX prints it as it is, on one line, and also at the beginning of a row."""
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in str(text)).split())
    safe = _SPECIAL.sub(lambda found: _ESCAPES.get(found[0], "\\" + found[0]), words)
    return "{}" + safe if safe.startswith(("*", "[")) else safe  # after \\ they would be its arguments


def number(value: object, form: str = ".3f") -> str:
    """Write a number with a minus sign of LaTeX's own; missing ones are dashes."""
    if is_missing(value):
        return "--"
    if isinstance(value, int | np.integer):
        return str(value).replace("-", "$-$")
    assert isinstance(value, float | np.floating)
    return f"{value:{form}}".replace("-", "$-$").replace("inf", r"$\infty$")


def tabular(
    heads: Sequence[Sequence[str]], rows: Iterable[Sequence[str]], comments: Iterable[str] = (), columns: str = ""
) -> str:
    """Put cells, which are LaTeX already, into a table of booktabs.

    ``columns`` are the letters of the columns, needed where there are no ``heads``; by default the first column is
    aligned to the left and the others to the right.
    """
    return "\n".join(
        [
            *(f"% {' '.join(comment.split())}" for comment in comments if comment),
            rf"\begin{{tabular}}{{{columns or 'l' + 'r' * (len(heads[-1]) - 1)}}}",
            r"\toprule",
            *(" & ".join(row) + r" \\" for row in heads),
            *([r"\midrule"] if heads else []),
            *(" & ".join(row) + r" \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


DIGITS = 4
"""Significant digits of numbers in a table; attributes hold them all."""


def html_table(
    title: str,
    frame: pd.DataFrame,
    notes: Iterable[str] = (),
    *,
    head: bool = True,
    formatters: Mapping[str, Callable[[object], str]] | None = None,
) -> str:
    """Write a frame as an HTML table without colors, which fits a light and a dark notebook; all text is escaped."""
    import pandas as pd

    with pd.option_context("display.max_colwidth", None):
        table = frame.to_html(
            border=0,
            header=head,
            index_names=False,
            na_rep="–",
            float_format=f"{{:.{DIGITS}g}}".format,
            formatters=formatters,
            max_rows=pd.get_option("display.max_rows"),
        )
    return "\n".join([f"<p><strong>{escape(title)}</strong></p>", table, *(f"<p>{escape(note)}</p>" for note in notes)])


class Slots:
    """What lower rooms call in higher ones; `tiekit/__init__`, which alone knows all rooms, fills it."""

    plot: Callable[..., Any]
    """Draw a result: ``plot(result, theme, what)``."""

    explore: Callable[..., Any]
    """Open a result as a figure that moves: ``explore(result, **options)``."""

    table_to_set: Callable[..., Any]
    """Read a frame as a table: what `EvalSet.from_frame` calls, with its arguments."""

    add_scores: Callable[..., Any]
    """Add a metric's scores from a file: what `EvalSet.with_scores` calls, the set first."""

    find_fall: Callable[..., float | None]
    """Whether a metric falls where human scores rise: what is asked of every result of a set, with both as arrays."""

    read: Callable[..., Any]
    """Read files by names: what the reader of archives calls with what they hold, as `tiekit.read`."""

    open_archives: Callable[..., Any]
    """The format of what packed files hold, and that."""


slots = Slots()


class Plotted:
    """Base of what can draw itself."""

    def plot(self, *, theme: str = "light") -> LayerChart:
        """Draw the result.

        Parameters
        ----------
        theme : {"light", "dark"}
            The background that the picture is made for.

        Returns
        -------
        altair.LayerChart
            A notebook shows it, without a network after ``altair.renderers.enable("svg")``. ``.properties(width=…)``
            and Altair's other methods change it; ``.save("picture.svg")`` writes SVG, PDF, PNG or HTML by the ending.

        Raises
        ------
        NotInstalledError
            Without Altair: ``pip install 'tiekit[plot]'``.
        InputError
            For another theme.
        """
        return draw(self, theme)


class Explored:
    """Base of what has a figure that moves."""

    def explore(self, **options: Any) -> Widget:
        """Open the figure of `tiekit.widgets` that shows this result, to drag and to click.

        Parameters
        ----------
        **options
            What the figure takes beside the result.

        Returns
        -------
        Widget
            The last line of a cell shows it; ``.to_html("page.html")`` writes it as a page.

        Raises
        ------
        NotInstalledError
            Without anywidget: ``pip install 'tiekit[notebook]'``.
        InputError
            Where the result cannot be shown.
        """
        figure: Widget = slots.explore(self, **options)
        return figure


def draw(result: object, theme: str, what: str | None = None) -> LayerChart:
    """Draw a result with `tiekit.charts`, which is imported only now."""
    chart: LayerChart = slots.plot(result, theme, what)
    return chart


LINES = 10
"""The longest repr."""

PRINTED_ROWS = 50
"""So many rows of a table `print` shows."""

WIDTH = 120

FEWEST_ROWS = 3
"""In fewer lines no table is shown."""

FIELDS = "field"
"""The column of a table that has one row per field of a result."""


class Result:
    """Base of a frozen dataclass that holds a result.

    A subclass names its headline number in ``_number``; without one, `float` raises a TypeError. Fields with
    ``repr=False``, such as the scores, are left out of `to_dict` and of the repr.
    """

    _number: ClassVar[str | None] = "value"

    _names: Mapping[str, object] = MappingProxyType({})
    """Of the set, the human score and the metrics that it was made of, for the signature; see `sets.arguments.name`."""

    _assumed: str = ""

    @property
    def assumed(self) -> str:
        """What is assumed of the order of scores that were added to the set; empty where nothing is."""
        return self._assumed

    def _facts(self) -> dict[str, object]:
        """What the signature says beside the names."""
        return {}

    @property
    def signature(self) -> str:
        """One line that makes the result reproducible; empty where it is only counts of what a caller gave."""
        facts = {**self._names, **self._facts()}
        return signature(**facts) if facts else ""

    def __float__(self) -> float:
        if self._number is None:
            raise TypeError(f"{type(self).__name__} is not a single number; see to_dict()")
        return float(getattr(self, self._number))

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values (numbers, text, lists, dicts), its signature included."""
        found = {field.name: plain(getattr(self, field.name)) for field in _visible_fields(self)}
        return found | ({"signature": self.signature} if self.signature else {})

    def to_latex(self) -> str:
        """Return what a notebook shows as a LaTeX table, which needs the package booktabs."""
        grid = self._grid()
        heads = [] if _is_of_fields(grid) else [["", *map(latex_escape, grid.columns)]]
        rows = [[latex_escape(row[0]), *map(_latex_cell, row[1:])] for row in grid.itertuples()]
        comments = [f"{type(self).__name__}; needs the package booktabs.", self.signature, self.assumed]
        return tabular(heads, rows, comments, "ll" if _is_of_fields(grid) else "")

    def _repr_html_(self) -> str:
        grid = self._grid()
        notes = filter(None, [self.assumed, self.signature])
        return html_table(type(self).__name__, grid, notes, head=not _is_of_fields(grid))

    def _grid(self) -> pd.DataFrame:
        """What is displayed as a table: one row per field, unless a subclass has a table of its own."""
        import pandas as pd

        values = {field.name: _cell(getattr(self, field.name)) for field in _visible_fields(self)}
        return pd.DataFrame({FIELDS: pd.Series(values, dtype=object)})

    def __repr__(self) -> str:
        return self._text()

    def __str__(self) -> str:
        return "\n".join([self._text(PRINTED_ROWS), *wrap(self.assumed, WIDTH)])

    def _text(self, rows: int | None = None) -> str:
        """The fields, in fewer than ten lines, and the first rows of a table; None: as many as ten lines hold."""
        parts = [f"{field.name}={_short(getattr(self, field.name))}" for field in _visible_fields(self)]
        name = type(self).__name__
        line = f"{name}({', '.join(parts)})"
        if len(line) <= WIDTH:
            return "\n".join([line, *self._first_rows(LINES - 1, rows)])
        lines, left = [""], list(parts)
        while left:
            part = left.pop(0) + (", " if left else ")")
            if lines[-1] and len(lines[-1]) + len(part) > WIDTH - 8:
                lines.append("")
            lines[-1] += part
        kept = lines if len(lines) < LINES else [*lines[: LINES - 2], "…)"]
        shown = "\n    ".join([f"{name}(", *(line.rstrip() for line in kept)])
        return "\n".join([shown, *self._first_rows(LINES - 1 - len(kept), rows)])

    def _first_rows(self, most: int, rows: int | None = None) -> list[str]:
        """The first rows of what is displayed as a table, where a field of the result is one.

        As many as fit into so many lines, cut where they are too long; or so many rows, whole: columns for which there
        is no room follow below.
        """
        if most < FEWEST_ROWS or not any(is_frame(getattr(self, field.name)) for field in _visible_fields(self)):
            return []
        with collect_warnings():  # what is displayed warns of nothing
            grid = self._grid()
        if _is_of_fields(grid):
            return []
        forms: Any = {"na_rep": "–", "float_format": "{:.4g}".format, "index_names": False, "max_colwidth": 40}
        if rows is None:
            rows = most - 1 if len(grid) < most else most - 2
            lines = grid.head(rows).to_string(max_cols=12, **forms).splitlines()[:most]
            lines = [line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…" for line in lines]
        else:
            lines = grid.head(rows).to_string(line_width=WIDTH, **forms).splitlines()
        return lines if rows >= len(grid) else [*lines, f"… {len(grid) - rows} more rows"]


class ResultOfScores(Result):
    """A result that keeps the scores that it was computed from."""

    scores: tuple[NDArray[np.float64], ...]
    labels: NDArray[np.int64] | None

    @property
    def digest(self) -> str:
        """Of the scores; made only when it is asked for, as it takes longer than counting."""
        return digest_of(*self.scores)

    @property
    def identical(self) -> str:
        """What identifies the labels of identical texts that were tied; empty where none were."""
        labels = getattr(self, "labels", None)
        return "" if labels is None else digest_of(labels)

    def _facts_of_texts(self) -> dict[str, object]:
        tie_human = {"tie_human": True} if getattr(self, "tie_human", False) else {}
        return {"identical": self.identical, **tie_human} if self.identical else {}


def plain(value: Any) -> Any:
    """A value as plain Python: arrays and frames as lists and dicts, other results as dicts."""
    if isinstance(value, Result):
        return value.to_dict()
    if is_frame(value):
        return {"index": plain(value.index), "columns": {str(name): plain(value[name]) for name in value.columns}}
    if is_series(value):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, np.ndarray) or type(value).__name__.endswith("Index"):
        return [plain(one) for one in value.tolist()]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    return None if type(value).__name__ == "NAType" else value


def _visible_fields(result: Result) -> list[Field[Any]]:
    return [field for field in fields(result) if field.repr]  # type: ignore[arg-type]  # every Result is a dataclass


def _is_of_fields(grid: pd.DataFrame) -> bool:
    return list(grid.columns) == [FIELDS]


def _cell(value: Any) -> object:
    """A number as it is, anything else as text."""
    if isinstance(value, bool | np.bool_) or value is None:
        return "–" if value is None else "yes" if value else "no"
    if isinstance(value, int | float | np.number | str):
        return value
    if isinstance(value, tuple) and len(value) <= 3 and all(isinstance(one, float | int) for one in value):
        return ", ".join(f"{one:.4g}" for one in value)
    return _short(value)


def _latex_cell(value: Any) -> str:
    return (
        number(value, ".4g") if isinstance(value, int | float | np.number) or is_missing(value) else latex_escape(value)
    )


def _short(value: Any) -> str:
    if isinstance(value, Result):
        return f"<{type(value).__name__}>"
    if isinstance(value, np.ndarray) or is_frame(value) or is_series(value):
        return f"<{' × '.join(map(str, value.shape))} {'values' if value.ndim == 1 else 'table'}>"
    if isinstance(value, Mapping) and len(value) > 3:
        return f"<{len(value)} entries>"
    text = repr(value.item() if isinstance(value, np.generic) else value)
    cut = text[: WIDTH - 42]
    return text if len(text) <= WIDTH - 40 else f"{cut.rpartition(' ')[0] or cut}…{text[-1]}"
