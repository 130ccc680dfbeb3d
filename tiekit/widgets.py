"""Figures for notebooks and pages that compute small examples in the browser; see `tiekit.figures`.

They need ``pip install 'tiekit[notebook]'``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tiekit.figures import CalibrationExplorer, NaNExplorer, Stage, SwapExplorer, TieLab

__all__ = ["CalibrationExplorer", "NaNExplorer", "Stage", "SwapExplorer", "TieLab"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("tiekit.figures"), name)
    raise AttributeError(f"module 'tiekit.widgets' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
