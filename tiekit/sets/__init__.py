"""Evaluation sets, and how scores from elsewhere are aligned with them."""

from tiekit.sets.evalset import EvalSet
from tiekit.sets.writers import write_mtme

__all__ = ["EvalSet", "write_mtme"]
