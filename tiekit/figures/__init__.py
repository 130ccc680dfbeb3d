"""What moves under one's hand? Figures for notebooks and pages that compute small examples in the browser.

`TieLab` shows what every coefficient makes of a few scores while one drags them, `CalibrationExplorer` what a threshold
makes of the pairs, `NaNExplorer` where a coefficient is undefined and which metric wins by what is done with it,
`SwapExplorer` how far two metrics differ when their scores are swapped, by hand or at random, and `Stage` any of the
pictures that open the app's pages, with scores and results of one's own. Each figure is an anywidget: it stands as the
last line of a cell in JupyterLab, Notebook 7, VS Code, Colab or marimo, its state is its traits, which Python reads and
sets, and it goes on moving in a saved notebook or an exported page without the kernel that made it. ``to_html`` writes
it as a page of its own. They need ``pip install 'tiekit[notebook]'``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tiekit.figures.calibration_explorer.widget import CalibrationExplorer
    from tiekit.figures.lab.widget import TieLab
    from tiekit.figures.nan_explorer.widget import NaNExplorer
    from tiekit.figures.stage import Stage
    from tiekit.figures.swap_explorer.widget import SwapExplorer

_WHERE = {
    "CalibrationExplorer": "tiekit.figures.calibration_explorer.widget",
    "NaNExplorer": "tiekit.figures.nan_explorer.widget",
    "Stage": "tiekit.figures.stage",
    "SwapExplorer": "tiekit.figures.swap_explorer.widget",
    "TieLab": "tiekit.figures.lab.widget",
}

__all__ = ["CalibrationExplorer", "NaNExplorer", "Stage", "SwapExplorer", "TieLab"]


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'tiekit.widgets' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
