"""Which pictures of the app's pages come into a notebook? Each folder makes its own; here is what they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.results import digest_of
from tiekit.base.validation import FloatArray
from tiekit.core.registry import get_coefficient
from tiekit.figures import nan_explorer as nan_data
from tiekit.figures import swap_explorer as swaps_data
from tiekit.figures.calibration_explorer import data as curves_data
from tiekit.figures.figure import Figure
from tiekit.figures.figures import MOST_SCORES
from tiekit.figures.given import check_span
from tiekit.sets.arguments import Human, read_metrics
from tiekit.significance import PermutationTest


class Shown(NamedTuple):
    """A picture: its figure and data, of which scores it was made; its title and what moves, if other."""

    figure: Figure
    data: dict[str, Any]
    made: str
    title: str = ""
    keys: tuple[str, ...] = ()


def nan_tiles(
    human: ArrayLike,
    metrics: Mapping[str, ArrayLike],
    coefficient: str = "tau_b",
    systems: Sequence[str] = (),
    segments: Sequence[str] = (),
) -> Shown:
    """NaN problem: one tile per segment and metric; ties that are made by hand leave tiles without a value."""
    h, scores = read_matrices(human, metrics)
    rows = {name: one.T.tolist() for name, one in scores.items()}
    names = [_names(given, size) for given, size in zip((systems, segments), h.shape, strict=True)]
    data = nan_data.puzzle(h.T.tolist(), rows, get_coefficient(coefficient), *names)
    return Shown(nan_data.FIGURE, data, origin_of(h, scores), nan_data.TITLE_OF_PUZZLE, ("ties",))


def tie_curves(data: Human, metrics: Any = None, coefficient: str = "acc_eq", grouping: str | None = None) -> Shown:
    """Calibration: the curves of all metrics over the share of tied pairs."""
    shown, made = curves_data.curves_of(data, metrics, coefficient, grouping)
    return Shown(curves_data.FIGURE, shown, made, curves_data.TITLE_OF_ALL, ("chosen", "tied"))


def shuffle(test: PermutationTest, names: tuple[str, str] = ("a", "b")) -> Shown:
    """Measures: the swaps of a permutation test, which fall into a histogram."""
    if not isinstance(test, PermutationTest) or test.difference != test.difference:
        raise InputError("test: must be a PermutationTest whose difference is defined")
    data = swaps_data.of_test(test, (names[0], names[1]))
    return Shown(swaps_data.FIGURE, data, test.signature + ".", swaps_data.TITLE_OF_TEST, ("draws",))


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


def opener(name: str) -> Callable[..., Shown]:
    """Return the function that makes a picture."""
    here: dict[str, Callable[..., Shown]] = {"nan_tiles": nan_tiles, "tie_curves": tie_curves, "shuffle": shuffle}
    found: Callable[..., Shown] = here.get(name) or import_module(f"tiekit.figures.{STAGES[name]}").picture
    return found


def read_matrices(human: ArrayLike, metrics: Mapping[str, ArrayLike]) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Check matrices of scores, systems × segments, that are small enough to be shown cell by cell."""
    h, scores = read_metrics(human, metrics)
    if h.ndim != 2 or h.size > MOST_SCORES:
        raise InputError(
            f"human: must be a matrix, systems × segments, of at most {MOST_SCORES} scores, found {h.shape}"
        )
    if not scores:
        raise InputError("metrics: there must be at least one, found 0")
    for name, one in scores.items():
        check_span(f"metrics[{name!r}]", one.ravel().tolist())
    return h, scores


def _names(given: Sequence[str], size: int) -> list[str]:
    """Names as they are given, or numbers from 1."""
    check_names(("systems and segments", given), shape=(size,))
    return [*given] or [str(number) for number in range(1, size + 1)]


def check_names(*given: tuple[str, Sequence[str]], shape: tuple[int, ...]) -> None:
    """Refuse names that are not one for each row or column."""
    for (what, names), size in zip(given, shape, strict=True):
        if names and len(names) != size:
            raise InputError(f"{what}: there must be {size} names, found {len(names)}")


def origin_of(human: FloatArray, metrics: Mapping[str, FloatArray]) -> str:
    """Return which scores a picture shows."""
    return f"{human.size:,} human scores and {', '.join(metrics)}, digest {digest_of(human, *metrics.values())}."
