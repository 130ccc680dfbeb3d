"""Which rank has a human score among metrics? The page's first picture, of values that come with the app."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from io import StringIO
from typing import Any

import pandas as pd

from tiekit.figures.human_rows import data as rows_data
from tiekit.figures.human_rows import page as figure
from ui.page import stage
from ui.work import downloads
from ui.work.presets import DATA

USUAL: dict[str, Any] = {"hum_judge": "mqm", "hum_measure": "item/acc_eq*", "hum_row": ""}
"""The human score that judges, the measure, and the row that stands out; without a name, the best human score."""

NAMES = {"judge": "hum_judge", "measure": "hum_measure", "row": "hum_row"}
"""What moves in the figure, and its keys in the link."""


def show() -> Callable[[], str]:
    """Show the rows by the human score that judges; return what writes them as a page."""
    moved = stage.moving("human scores as metrics", USUAL, _is_sound)
    given = rows_data.given(bundled(), {name: moved[key] for name, key in NAMES.items()})
    stage.show(figure.FIGURE, given, "human_rows", _hear)
    return figure.as_page(given, "WMT22 Chinese–English, translations that all three human scores have.")


def offer_embed(write: Callable[[], str]) -> None:
    """Offer the picture as a page of its own."""
    downloads.embed(write, "humans.html")


@cache
def bundled() -> pd.DataFrame:
    """What three human scores of WMT22 say of each other and of metrics, see data/make_humans.py."""
    _, _, text = (DATA / "wmt22" / "humans.csv").read_text(encoding="utf-8").partition("\n")
    return pd.read_csv(StringIO(text))


def _is_sound(key: str, value: Any) -> bool:
    columns = {"hum_judge": "judge", "hum_measure": "measure", "hum_row": "name"}
    return isinstance(value, str) and (value in set(bundled()[columns[key]]) or (key == "hum_row" and not value))


def _hear(said: dict[str, Any]) -> None:
    """Keep what the user moved."""
    stage.keep({NAMES[key]: value for key, value in said.items() if key in NAMES})
