"""What moves under one's hand? Figures for notebooks and pages that compute small examples in the browser.

`TieLab` shows what every coefficient makes of a few scores while one drags them, `CalibrationExplorer` what a threshold
makes of the pairs, `NaNExplorer` where a coefficient is undefined and which metric wins by what is done with it,
`SwapExplorer` how far two metrics differ when their scores are swapped, by hand or at random, and `Stage` any of the
pictures that open the app's pages, with scores and results of one's own. Each figure is an anywidget: it stands as the
last line of a cell in JupyterLab, Notebook 7, VS Code, Colab or marimo, its state is its traits, which Python reads and
sets, and it goes on moving in a saved notebook or an exported page without the kernel that made it. ``to_html`` writes
it as a page of its own. They need ``pip install 'tiekit[notebook]'``.

The five widgets are public, as `tiekit.widgets`. The other names here are inner and serve the app: the table of figures
(`FIGURES`), and what pages take from a figure's data. To add a figure, add a folder, and its row in ``figures.py``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tiekit.figures.agreement import least_alike
    from tiekit.figures.bundler import bundle
    from tiekit.figures.calibration_explorer import data as threshold_curves
    from tiekit.figures.calibration_explorer.data import calibration_page
    from tiekit.figures.calibration_explorer.widget import CalibrationExplorer
    from tiekit.figures.figure import Figure
    from tiekit.figures.figures import FIGURES
    from tiekit.figures.given import FIRST_SHARE, NOISE_ENDING, made
    from tiekit.figures.judge_votes import FEW_VOTES
    from tiekit.figures.lab import epsilons, lab_page, metric_of_epsilon
    from tiekit.figures.lab.widget import TieLab
    from tiekit.figures.nan_explorer import TITLE_OF_PUZZLE, is_tie, tied, worst
    from tiekit.figures.nan_explorer import puzzle as nan_puzzle
    from tiekit.figures.nan_explorer.widget import NaNExplorer
    from tiekit.figures.notebook import Widget
    from tiekit.figures.podium import podium_page
    from tiekit.figures.rules import Rule
    from tiekit.figures.stage import Stage
    from tiekit.figures.swap_explorer import MOST_DRAWS, TITLE_OF_TEST
    from tiekit.figures.swap_explorer import by_hand as swaps_by_hand
    from tiekit.figures.swap_explorer import of_test as swaps_of_test
    from tiekit.figures.swap_explorer import vectors as swap_vectors
    from tiekit.figures.swap_explorer.widget import SwapExplorer

_WHERE = {
    "CalibrationExplorer": "calibration_explorer.widget",
    "FEW_VOTES": "judge_votes",
    "FIGURES": "figures",
    "FIRST_SHARE": "given",
    "Figure": "figure",
    "MOST_DRAWS": "swap_explorer",
    "NOISE_ENDING": "given",
    "NaNExplorer": "nan_explorer.widget",
    "Rule": "rules",
    "Stage": "stage",
    "SwapExplorer": "swap_explorer.widget",
    "TITLE_OF_PUZZLE": "nan_explorer",
    "TITLE_OF_TEST": "swap_explorer",
    "TieLab": "lab.widget",
    "Widget": "notebook",
    "bundle": "bundler",
    "calibration_page": "calibration_explorer.data",
    "epsilons": "lab",
    "is_tie": "nan_explorer",
    "lab_page": "lab",
    "least_alike": "agreement",
    "made": "given",
    "metric_of_epsilon": "lab",
    "nan_puzzle": "nan_explorer:puzzle",
    "podium_page": "podium",
    "swap_vectors": "swap_explorer:vectors",
    "swaps_by_hand": "swap_explorer:by_hand",
    "swaps_of_test": "swap_explorer:of_test",
    "threshold_curves": "calibration_explorer.data:",
    "tied": "nan_explorer",
    "worst": "nan_explorer",
}
"""Where each name lies, and its name there if it is another; a colon alone is the module itself."""

__all__ = [
    "FEW_VOTES",
    "FIGURES",
    "FIRST_SHARE",
    "MOST_DRAWS",
    "NOISE_ENDING",
    "TITLE_OF_PUZZLE",
    "TITLE_OF_TEST",
    "CalibrationExplorer",
    "Figure",
    "NaNExplorer",
    "Rule",
    "Stage",
    "SwapExplorer",
    "TieLab",
    "Widget",
    "bundle",
    "calibration_page",
    "epsilons",
    "is_tie",
    "lab_page",
    "least_alike",
    "made",
    "metric_of_epsilon",
    "nan_puzzle",
    "podium_page",
    "swap_vectors",
    "swaps_by_hand",
    "swaps_of_test",
    "threshold_curves",
    "tied",
    "worst",
]


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        place, colon, there = _WHERE[name].partition(":")
        module = import_module(f"tiekit.figures.{place}")
        return module if colon and not there else getattr(module, there or name)
    raise AttributeError(f"module 'tiekit.widgets' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
