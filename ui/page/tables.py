"""How is a table shown? With a description in words, and its values as CSV beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import mod
from typing import Any, TypeAlias

import pandas as pd
import pyarrow as pa
import streamlit as st
from pandas.io.formats.style import Styler

from ui.page import lecture
from ui.work import downloads
from ui.work.downloads import file_name
from ui.work.text import bare, format_number, plain

ROWS, COLUMNS, WIDTH = 16, 12, 880
"""The largest table that is shown in the larger type of lecture mode; the width is in pixels of a small projector."""

Values: TypeAlias = pd.DataFrame | Callable[[], pd.DataFrame]
"""What a table's file holds, or what makes it when the file is asked for."""

LETTER, AROUND = 11, 24
"""The width in pixels of a letter in this type, and of the space around a cell."""


def show(frame: pd.DataFrame | pa.Table, name: str, alt: str, *, values: Values | None = None) -> None:
    """Show a small table without its index, and offer its CSV: what is shown, or unrounded ``values`` instead.

    The file is named after ``name``, and ``alt`` says in words what the table shows. Texts are Markdown. For a frame
    that is kept between runs, an Arrow table saves the conversion.
    """
    with st.container(gap=None):
        st.table(frame, hide_index=True, alt=alt)
        _offer(frame if values is None else values, name, index=False)


def show_numbers(values: pd.DataFrame, name: str, alt: str) -> None:
    """Show a small table as pages write names and numbers, and offer its CSV with the numbers in full."""

    def words(cell: Any) -> str:
        return plain(cell) if isinstance(cell, str) else f"{cell:,}" if isinstance(cell, int) else format_number(cell)

    show(values.astype(object).map(words).rename(columns=plain), name, alt, values=values)


def grid(
    shown: pd.DataFrame | pa.Table | Styler,
    name: str,
    alt: str,
    *,
    values: Values | None = None,
    **options: Any,
) -> None:
    """Show a wide table that scrolls and sorts, and offer its CSV; ``options`` are those of `st.dataframe`.

    For a frame that is kept between runs, an Arrow table with its index saves the conversion.
    """
    with st.container(gap=None):
        spread(shown, alt, **options)
        _offer(_frame_of(shown) if values is None else values, name, index=not options.get("hide_index", False))


def grid_numbers(values: pd.DataFrame, name: str, alt: str) -> None:
    """Show a wide table of numbers as pages write them, and offer its CSV with the numbers in full."""

    def words(cell: Any) -> str:
        return format_number(cell)

    grid(values.style.format(words), name, alt, values=values)


def _frame_of(shown: Values | pa.Table | Styler) -> pd.DataFrame:
    if callable(shown):
        return shown()
    if isinstance(shown, pa.Table):
        return shown.to_pandas()
    frame: pd.DataFrame = shown.data if isinstance(shown, Styler) else shown  # type: ignore[attr-defined]  # stubs lack it
    return frame


def spread(
    shown: pd.DataFrame | pa.Table | Styler,
    alt: str,
    *,
    headings: Mapping[str, str] | None = None,
    formats: str | Mapping[str, str] | None = None,
    **options: Any,
) -> None:
    """Show a wide table without CSV; in lecture mode, if it is small enough, with the larger type.

    ``formats`` are printf formats ("%.3f") for the numbers of all columns or of the named ones, ``placeholder`` is for
    missing ones. This takes a tenth of the time of a styled table, and the columns sort as numbers.

    Streamlit paints the cells of `st.dataframe` in the type size that the page had before lecture mode.
    """
    names = dict(headings or {})
    forms = dict.fromkeys(_frame_of(shown).columns, formats) if isinstance(formats, str) else dict(formats or {})
    frame = _frame_of(shown) if lecture.is_on() else None
    words = None
    if frame is not None and len(frame) <= ROWS and len(frame.columns) <= COLUMNS:
        styler = shown if isinstance(shown, Styler) else frame.style
        if forms:
            writers: dict[Any, Any] = {name: partial(mod, form) for name, form in forms.items()}
            styler = styler.format(writers, na_rep=options.get("placeholder", ""))
        words = _words(styler, names, index=not options.get("hide_index", False))
    if words is not None and _narrowest(words) <= WIDTH:
        st.table(words, hide_index=True, alt=alt)
    else:
        config: dict[Any, Any] = {name: st.column_config.Column(heading) for name, heading in names.items()}
        for name, form in forms.items():
            config[name] = st.column_config.NumberColumn(names.get(name), format=form)
        st.dataframe(shown, alt=alt, column_config=config or None, **options)


def _words(styler: Styler, headings: Mapping[str, str], *, index: bool) -> pd.DataFrame:
    """The texts of a styled table as `st.table` shows them, its index as its first column."""
    lines = styler.to_string(delimiter="\x1f").splitlines()[-len(styler.index) :] if len(styler.index) else []
    columns = [plain(headings.get(name, name)) for name in map(str, styler.columns)]
    rows = [[plain(cell) for cell in line.split("\x1f")[1:]] for line in lines]
    words = pd.DataFrame(rows, columns=columns)
    if index:
        words.insert(0, plain(str(styler.index.name or "")), [plain(str(name)) for name in styler.index])
    return words


def _narrowest(words: pd.DataFrame) -> int:
    """The least width in pixels of a table whose lines may break between words."""
    texts = [[str(name), *words[name].map(str)] for name in words.columns]
    longest = [max((len(bare(word)) for text in column for word in text.split()), default=0) for column in texts]
    return sum(AROUND + LETTER * letters for letters in longest)


def _offer(values: Values | pa.Table, name: str, *, index: bool) -> None:
    """Offer the CSV with a small button, except in lecture mode."""
    if lecture.is_on():
        return
    file = f"{file_name(name)}.csv"
    downloads.offer(
        "CSV",
        lambda: to_csv(_frame_of(values), index=index),
        file,
        "text/csv",
        key=f"csv {name}",
        help=f"Download this table: {file}",
        type="tertiary",
        icon=":material/download:",
    )


def to_csv(frame: pd.DataFrame, *, index: bool = False) -> str:
    """Return a table as CSV: floats in full precision, texts without Markdown, missing values empty."""
    words = frame.apply(lambda column: column.map(lambda cell: bare(cell) if isinstance(cell, str) else cell))
    return str(words.rename(columns=lambda name: bare(str(name))).to_csv(index=index))
