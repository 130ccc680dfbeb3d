"""Is an answer to a notebook's exercise right? If not, what should the student look at?

Each notebook in ``notebooks/`` ends in exercises. Their answers are computed by tiekit when they are checked, from the
data of the notebook. This module is inner: the notebooks call it, and it may change with any version.

>>> check = of_notebook("01_tie_lab")
>>> check(1, ...)
Exercise 1: replace ... by your answer.
"""

from __future__ import annotations

from tiekit.base.names import find_name
from tiekit.exercises import small_data, wmt22
from tiekit.exercises.check import Check

_EXERCISES = small_data.EXERCISES | wmt22.EXERCISES

NOTEBOOKS = tuple(sorted(_EXERCISES))
"""The notebooks that have exercises."""

__all__ = ["NOTEBOOKS", "Check", "of_notebook"]


def of_notebook(name: str) -> Check:
    """Return what checks the answers to the exercises of a notebook.

    Parameters
    ----------
    name : str
        One of `NOTEBOOKS`.

    Returns
    -------
    Check
        Called with the number of an exercise and an answer, it prints whether the answer is right or what to look at.

    Raises
    ------
    InputError
        There is no such notebook.

    Examples
    --------
    >>> of_notebook("00_quickstart")
    Check('00_quickstart', 4 exercises)
    """
    found = find_name("name", name, NOTEBOOKS)
    return Check(found, _EXERCISES[found])
