"""Which rank has a human score among metrics? The page's first picture, of values that come with the app."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from io import StringIO

import pandas as pd

from tiekit.figures import FIGURES
from ui.page import stage
from ui.work import downloads
from ui.work.presets import DATA

MOVING = stage.Moving(
    "human scores as metrics",
    "human_rows",
    {"judge": "hum_judge", "measure": "hum_measure", "row": "hum_row"},
    {"judge": "mqm", "measure": "item/acc_eq*", "row": ""},
)
"""The human score that judges, the measure, and the row that stands out; without a name, the best human score."""


def show() -> Callable[[], str]:
    """Show the rows by the human score that judges; return what writes them as a page."""
    figure = FIGURES["human_rows"]
    data = figure.data(read_bundled_values())
    data = figure.data(read_bundled_values(), MOVING.read(data))
    stage.show(figure, data, "human_rows", MOVING.keep)
    return partial(figure.page, data, "WMT22 Chinese–English, translations that all three human scores have.")


def offer_embed(write: Callable[[], str]) -> None:
    """Offer the picture as a page of its own."""
    downloads.embed(write, "humans.html")


@cache
def read_bundled_values() -> pd.DataFrame:
    """What three human scores of WMT22 say of each other and of metrics, see data/make_humans.py."""
    _, _, text = (DATA / "wmt22" / "humans.csv").read_text(encoding="utf-8").partition("\n")
    return pd.read_csv(StringIO(text))
