"""Which figures of a page move? Pages that tiekit.figures writes; each needs no server, and stands in an iframe."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from docsite.coefficients import HUMAN, METRICS
from docsite.data import wmt22
from tiekit.figures import Widget, podium_page
from tiekit.widgets import CalibrationExplorer, NaNExplorer, SwapExplorer, TieLab

FIGURES: dict[str, tuple[str, int, Callable[[], str]]] = {
    "podium": ("How one threshold decides which metric wins", 560, podium_page),
    "tie_lab": ("Pairs, counts and coefficients of two metrics", 1150, lambda: _page(TieLab(HUMAN, METRICS))),
    "calibration": (
        "A coefficient over the threshold ε, for a few scores",
        900,
        lambda: _page(CalibrationExplorer([0, 0, 1, 1, 2, 3], [0.1, 0.3, 0.2, 0.6, 0.7, 1.4])),
    ),
    "calibration_wmt22": (
        "acc_eq of COMET-22 over the threshold ε, on WMT22 zh-en",
        900,
        lambda: _page(CalibrationExplorer(wmt22(), "COMET-22")),
    ),
    "undefined": (
        "Segments on which a coefficient is undefined, on WMT22 zh-en",
        900,
        lambda: _page(NaNExplorer(wmt22(), ["MATESE", "COMET-22", "BLEU", "GEMBA-Dav3-DA"])),
    ),
    "swaps": (
        "A permutation test by hand",
        900,
        lambda: _page(SwapExplorer([0, 1, 1, 2, 3, 4], [0, 1, 2, 2, 3, 3], [2, 0, 1, 1, 4, 3], names=("m1", "m2"))),
    ),
}
"""By name: the title, the height in pixels until the page knows its own, and what writes the page."""


def frame(name: str, up: str) -> str:
    """Write the iframe of a figure; ``up`` leads from the page to the site's root.

    Raises
    ------
    KeyError
        If there is no such figure.
    """
    title, height, _ = FIGURES[name]
    address = f"{up}live/{name}.html"
    return (
        f'<iframe class="live" src="{address}" title="{title}" height="{height}" loading="lazy"></iframe>\n'
        f'<p class="live"><a href="{address}">Open this figure on a page of its own</a></p>'
    )


def _page(widget: Widget) -> str:
    """Return the text of a widget's page."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "figure.html"
        widget.to_html(path)
        return path.read_text(encoding="utf-8")
