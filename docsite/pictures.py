"""Which pictures stand on the pages? Charts of tiekit on the bundled set, as SVG for light and dark pages."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import tiekit as tk
from docsite.data import wmt22

THEMES = ("light", "dark")
SHOWN = ["COMET-22", "MATESE", "GEMBA-Dav3-DA", "chrF", "BLEU"]
METRIC = "COMET-22"


class Plotted(Protocol):
    """A result that has a picture."""

    def plot(self, *, theme: str = "light") -> Any:
        """Return an Altair chart."""


def coefficient(name: str) -> Plotted:
    """Return what shows a coefficient on real scores: its curve over ε, or its values by item where it has no curve."""
    if not tk.COEFFICIENTS[name].takes_epsilon:
        return tk.correlate(wmt22(), METRIC, f"item/{name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.CalibrationWarning)
        return tk.calibrate(wmt22(), METRIC, name)


def _caption(name: str) -> str:
    label = tk.COEFFICIENTS[name].label
    if tk.COEFFICIENTS[name].takes_epsilon:
        return f"{label} of {METRIC} over the threshold ε, by item, on WMT22 zh-en"
    return f"{label} of {METRIC} for each item, on WMT22 zh-en"


PICTURES: dict[str, tuple[str, Callable[[], Plotted]]] = {
    "ranks": (
        "Ranks of five metrics of WMT22 zh-en by each coefficient",
        lambda: tk.leaderboard(wmt22(), metrics=SHOWN),
    ),
    "differences": (
        "The difference between COMET-22 and BLEU under swaps of whole segments",
        lambda: tk.significance.permutation_test(wmt22(), "COMET-22", "BLEU", "acc_eq*"),
    ),
    **{f"coefficient_{name}": (_caption(name), partial(coefficient, name)) for name in tk.COEFFICIENTS},
}
"""By name: what the picture shows, and the result whose picture it is."""


def svg(name: str) -> dict[str, str]:
    """Return a picture by theme."""
    result = PICTURES[name][1]()
    return {theme: _svg(result, theme) for theme in THEMES}


def _svg(result: Plotted, theme: str) -> str:
    written = io.StringIO()
    result.plot(theme=theme).save(written, format="svg")
    return written.getvalue()


def figure(name: str, up: str) -> str:
    """Write the two images of a picture, of which the page shows the one for its theme, and what they show."""
    told = PICTURES[name][0]
    images = "\n".join(
        f'<img class="{theme}" src="{up}pictures/{name}-{theme}.svg" alt="{told}" loading="lazy">' for theme in THEMES
    )
    return f'{images}\n<p class="live">{told}</p>'
