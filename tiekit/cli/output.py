"""How is a result printed? Tables as text, Markdown, CSV, LaTeX or JSON on stdout; notes and progress on stderr."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import click
import pandas as pd

from tiekit.base.results import latex_escape, plain, tabular
from tiekit.ranking.diagnostics import SIGN

Command = TypeVar("Command", bound=Callable[..., Any])

LATEX = "latex"
FORMATS = ("text", "markdown", "csv", "json", LATEX)
MISSING = "-"

SAID = "tiekit said"
"""Under this name the context of a command holds what it has said."""

COUNTED = ("n_systems", "n_segments", "n_cells", "cells")
"""What a result says of the cells that it stands on."""


def say(line: str) -> None:
    """Write one line to stderr; not a note of what a warning has said."""
    text, context = printable(" ".join(line.split())), click.get_current_context(silent=True)
    said = [] if context is None else context.meta.setdefault(SAID, [])
    said.append(text)
    kind, _, rest = text.partition(": ")
    new = (rest.partition(": ")[2] or rest).partition("; say otherwise")[0].casefold()
    if kind != "note" or not any(new in one.casefold() for one in said[:-1]):
        click.echo(f"tiekit: {text}", err=True)


_CONTROLS = re.compile("[\\0-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]")
"""Characters that move the cursor, change colors or turn the direction of writing."""

_MARKS = re.compile(r"[\\|*`\[]|<(?=[A-Za-z/!?])")
"""What in a name would be Markdown or HTML."""


def printable(text: str) -> str:
    """Return text without the characters that would control the terminal; names in files may hold some."""
    return _CONTROLS.sub(lambda found: repr(found[0])[1:-1], text)


def escape(text: str, form: str) -> str:
    """Return text that is neither Markdown nor HTML where it is printed as Markdown, else as it is."""
    return _MARKS.sub(r"\\\g<0>", text) if form == "markdown" else text


def choose_format(command: Command) -> Command:
    """The options ``--format``, and those that are short for one."""
    for name in ("json", "latex", "markdown"):
        command = click.option(f"--{name}", "form", flag_value=name, help=f"The same as --format {name}.")(command)
    help = "How the result is printed; csv and json hold every digit and column."
    return click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help=help)(
        command
    )


def print_json(result: Any) -> None:
    """Print a result as strict JSON: a value that is not defined is null."""
    text = json.dumps(_strict(plain(result)), ensure_ascii=False, indent=2)
    click.echo(_CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text))


def rows_of(frame: pd.DataFrame, index: str = "metric") -> list[dict[str, Any]]:
    """The rows of a frame for JSON, with the name of each; what is missing is None."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("index")
    return [{index: name} | {str(column): value for column, value in row.items()} for name, row in rows.items()]


def print_csv(frame: pd.DataFrame) -> None:
    """Print a frame with its index as CSV, with every digit."""
    click.echo(printable(frame.to_csv(lineterminator="\n")), nl=False)


def print_table(form: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows of text, the numbers on the right, as text, Markdown or LaTeX."""
    if form == LATEX:
        escaped = [
            [latex_escape(cell) for cell in row]
            for row in ([one.removeprefix("n_").replace("_", " ") for one in heads], *rows)
        ]
        click.echo(printable(tabular(escaped[:1], escaped[1:], ["Needs the package booktabs."])), nl=False)
        return
    cells = [list(heads), *map(list, rows)]
    right = [column > 0 and all(_is_number(row[column]) for row in cells[1:]) for column in range(len(heads))]
    if form == "markdown":
        cells = [[escape(cell, form) for cell in row] for row in cells]
        cells.insert(1, ["---:" if is_number else "---" for is_number in right])
        click.echo(printable("\n".join(f"| {' | '.join(row)} |" for row in cells)))
        return
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]
    lines = [
        "  ".join(cell.rjust(width) if is_number else cell.ljust(width) for cell, width, is_number in padded)
        for padded in (zip(row, widths, right, strict=True) for row in cells)
    ]
    click.echo(printable("\n".join(line.rstrip() for line in lines)))


def print_counts(counts: Mapping[str, Any]) -> None:
    """Say below a table on how many systems, segments and cells it stands; ``counts`` holds `COUNTED` of a result."""
    systems, segments, cells = (counts[name] for name in COUNTED[:3])
    which = (
        "that every metric has scored"
        if counts["cells"] == "common"
        else "in all; each metric is judged on its own cells, so a difference may come from these"
    )
    click.echo(f"\n{systems:,} systems, {segments:,} segments, {cells:,} cells {which}")


def number(value: Any, form: str = ".3f") -> str:
    """A number for a table; a dash where there is none."""
    return MISSING if pd.isna(value) else f"{value:{form}}"


def _is_number(cell: str) -> bool:
    try:
        float(cell.removesuffix(SIGN).split(" ")[0])
    except ValueError:
        return cell == MISSING
    return True


def _strict(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _strict(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_strict(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
