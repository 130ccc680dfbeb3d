"""How does the picture that opens a page of the app come into a notebook?"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import signature
from typing import Any

from tiekit.base.errors import InputError
from tiekit.base.names import find_name
from tiekit.figures.figure import Picture
from tiekit.figures.notebook import Moving, Widget

STAGES = {
    "podium": "podium",
    "nan_tiles": "nan_explorer",
    "tie_curves": "calibration_explorer",
    "grouping": "grouping",
    "bump": "bump",
    "tie_shares": "tie_shares",
    "rerank": "rerank",
    "agreement": "agreement",
    "shuffle": "swap_explorer",
}
"""The pictures by name: the folder of each, whose function ``picture`` makes it of scores or results."""


def opener(name: str) -> Callable[..., Picture]:
    """Return the function that makes a picture."""
    found: Callable[..., Picture] = import_module(f"tiekit.figures.{STAGES[name]}").picture
    return found


class Stage(Widget):
    """The picture that opens a page of the app, with scores and results of one's own.

    ================ ============================================================== ===========================
    name             what it takes                                                  what moves (traits)
    ================ ============================================================== ===========================
    ``"podium"``     nothing: a made-up example                                     ``epsilon``
    ``"nan_tiles"``  human, metrics, coefficient="tau_b", systems=(), segments=()   ``ties``
    ``"tie_curves"`` data, metrics=None, coefficient="acc_eq", grouping=None        ``chosen``, ``tied``
    ``"grouping"``   human, metrics, coefficient="acc_eq", systems=(), segments=()  ``grouping``, ``cell``
    ``"bump"``       board, columns=None                                            ``metric``
    ``"tie_shares"`` shares, coefficient="acc_eq"                                   ``chosen``, ``share``
    ``"rerank"``     judges, metric, coefficient="tau_14", names=()                 ``metric``
    ``"agreement"``  values                                                         ``chosen``
    ``"shuffle"``    test, names=("a", "b")                                         ``draws``
    ================ ============================================================== ===========================

    ``human`` and each metric of ``metrics`` are arrays of shape (systems, segments), higher is better, at most 200
    scores, NaN where one is missing; ``data`` and ``metrics`` of the curves are those of `tiekit.leaderboard`.
    ``board`` is what `tiekit.leaderboard` returned, ``columns`` names some of its values. ``shares`` is what
    `tiekit.sentinels.tie_shares` returned; a metric named ``"m + noise"`` is the sentinel of ``"m"``. ``judges`` are
    ranks (1 is the best, equal ranks are ties, NaN is not ranked) of two to six translations by judge, ``metric`` the
    scores of these. ``values`` is what `tiekit.measures.evaluate_measures` returned, ``test`` what
    `tiekit.significance.permutation_test` returned.

    Parameters
    ----------
    name : str
        One of the names above.
    *args, **options
        What this picture takes.

    Attributes
    ----------
    epsilon, ties, chosen, tied, grouping, cell, metric, share, draws
        What moves in the picture, by hand or from Python; each picture has those that the table names. Systems,
        segments and translations are counted from 0.

    Raises
    ------
    InputError
        There is no such picture, it is not given what it needs, or the scores are too many or of the wrong shape. A
        later assignment is checked as well, and changes nothing if it is refused.

    Examples
    --------
    >>> human = [[0, -5, -1], [-1, -5, -2]]
    >>> stage = Stage("grouping", human, {"a": [[3, 2, 2], [1, 1, 1]], "b": [[3, 1, 2], [3, 1, 2]]})
    >>> stage.grouping
    'global'
    >>> stage.grouping = "item"
    """

    def __init__(self, name: str, *args: Any, **options: Any) -> None:
        make = opener(find_name("name", name, STAGES))
        try:
            signature(make).bind(*args, **options)
        except TypeError as error:
            takes = ", ".join(str(one).partition(":")[0] for one in signature(make).parameters.values())
            raise InputError(f"{name}: takes {takes or 'nothing'}; {error}") from error
        figure, data, self._origin, title, keys = make(*args, **options)
        self._title, keys = title or figure.title, keys or figure.keys
        # A class of the picture's own, so that the next picture has its own parts.
        self.__class__ = type("Stage", (type(self),), {"FIGURE": figure, "KEYS": keys})
        self._fixed = {key: value for key, value in data.items() if key not in keys}
        self.add_traits(**{key: Moving(data[key]).tag(sync=True) for key in keys})
        super().__init__(self._fixed)

    def _title_and_origin(self) -> tuple[str, str]:
        return self._title, self._origin
