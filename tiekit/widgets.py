"""Figures that one drags, in notebooks and pages. Small examples are computed in the browser, by tiekit's formulas.

Each figure takes ``(evalset, names, segment=…)``, or human scores and those of metrics: arrays, Series, DataFrames, a
mapping by name, one metric or several; of a large set it shows what fits, and says so. Results that have a figure open
it by ``.explore()``. A figure is an anywidget: it stands as the last line of a cell in JupyterLab, Notebook 7, VS Code,
Colab or marimo, its state is its traits, which Python reads and sets, and ``to_html`` writes it as a page of its own.
They need ``pip install 'tiekit[notebook]'``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tiekit.base.errors import NotInstalledError

if TYPE_CHECKING:
    from tiekit.figures import (
        CalibrationExplorer,
        GroupingExplorer,
        HumanRows,
        JudgeVotes,
        MeasureAgreement,
        NaNExplorer,
        Podium,
        RankExplorer,
        RankingGame,
        SwapExplorer,
        TieLab,
        TieShareExplorer,
        Widget,
    )

__all__ = [
    "CalibrationExplorer",
    "GroupingExplorer",
    "HumanRows",
    "JudgeVotes",
    "MeasureAgreement",
    "NaNExplorer",
    "Podium",
    "RankExplorer",
    "RankingGame",
    "SwapExplorer",
    "TieLab",
    "TieShareExplorer",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'tiekit.widgets' has no attribute {name!r}")
    return _find("tiekit.figures", name)


def explore(result: object, **options: Any) -> Widget:
    """Open a result as a figure that moves: what ``.explore()`` of results calls."""
    figure: Widget = _find("tiekit.figures.explorers", "explore")(result, **options)
    return figure


def _find(module: str, name: str) -> Any:
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("anywidget", "traitlets"):
            raise
        raise NotInstalledError("a figure in a notebook needs anywidget: pip install 'tiekit[notebook]'") from error


def __dir__() -> list[str]:
    return __all__
