"""How does a result show itself in a notebook? As a plain HTML table, and as a picture where Altair is installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING

import pandas as pd

from tiekit.errors import NotInstalledError

if TYPE_CHECKING:
    from tiekit.charts.plots import Chart as Chart

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


class Plotted:
    """Base of what can draw itself."""

    def plot(self, *, theme: str = "light") -> Chart:
        """Draw the result.

        Parameters
        ----------
        theme : {"light", "dark"}
            The background that the picture is made for.

        Returns
        -------
        altair.LayerChart
            A notebook shows it. ``.properties(width=…)`` and Altair's other methods change it;
            ``.save("picture.svg")`` writes SVG, PDF, PNG or HTML by the ending of the name.

        Raises
        ------
        NotInstalledError
            Without Altair: ``pip install 'tiekit[plot]'``.
        InputError
            For another theme.
        """
        return draw(self, theme)


def draw(shown: object, theme: str, what: str | None = None) -> Chart:
    """Draw a result with `tiekit.charts`, which is imported only here and only now."""
    try:
        from tiekit.charts.plots import chart_of
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "altair":
            raise
        raise NotInstalledError("a picture needs altair: pip install 'tiekit[plot]'") from error
    return chart_of(shown, theme, what)
