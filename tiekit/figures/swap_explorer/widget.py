"""What does a notebook see of the swap explorer? Which items are swapped, how many swaps were drawn, and the test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.validation import check_count
from tiekit.core.measure import get_measure
from tiekit.core.registry import get_coefficient
from tiekit.figures.figure import Figure
from tiekit.figures.given import is_whole, made
from tiekit.figures.notebook import Widget
from tiekit.figures.swap_explorer import data as shown
from tiekit.figures.swap_explorer.page import FIGURE, KEYS, TITLE
from tiekit.significance._resampling import as_matrix, make_panel
from tiekit.significance.permutation import permutation_test
from tiekit.significance.schemes import Draws

MOST_SEED = 2**32 - 1


class SwapExplorer(Widget):
    """A permutation test by hand: swap the scores of two metrics, and watch how far the metrics differ by chance.

    Each item's two scores are swapped by a click, or all items' at random. The random swaps make a histogram of the
    difference between the two metrics, and the two-sided p-value. As in `permutation_test`, the scores of both metrics
    are standardized first. The browser computes what it shows, from random numbers of its own; `test` is tiekit's own.

    Parameters
    ----------
    human : array_like, shape (n,)
        Human scores, higher is better, at most 60; an item with a NaN or None is not counted.
    a, b : array_like, shape (n,)
        The scores of two metrics. A NaN or None is a missing score and is swapped like any other.
    names : pair of str
        What the metrics are called.
    coefficient : str
        How a metric's agreement with the human scores is measured, for example ``"tau_b"``. Metric scores tie where
        they are equal.
    seed : int
        Seed of the browser's random swaps and of `test`, from 0 to 2**32 - 1.

    Attributes
    ----------
    coefficient : str
        The coefficient at present.
    swapped : list of int
        The items whose scores are swapped at present, the first item being 0.
    draws : int or "all"
        How many random swaps are in the histogram, at most 9999; the same seed gives the same ones. ``"all"``: every
        way to swap, where at most 12 items can be swapped.
    seed : int
        The seed at present.
    test : PermutationTest
        The test of the same scores: of every way to swap where at most 12 items can be swapped, otherwise of 4095
        random swaps. Its random swaps are not those of the browser.
    observed : float
        The coefficient of ``a`` minus that of ``b``; NaN where one is undefined.
    difference : float
        The same with the scores of the items in `swapped` swapped.

    Raises
    ------
    InputError
        Scores are no vectors of one length, there are more than 60, or a name, the coefficient or the seed is not as
        it must be. A notebook's later assignment is checked as well, and changes nothing if it is refused.

    Examples
    --------
    >>> human, a, b = [1, 2, 3, 4, 5, 6], [1, 2, 3, 5, 4, 6], [2, 1, 4, 3, 6, 5]
    >>> explorer = SwapExplorer(human, a, b)
    >>> round(explorer.observed, 3), explorer.test.pvalue
    (0.133, 0.125)
    >>> explorer.swapped = [0, 1]
    >>> round(explorer.difference, 3)
    0.0
    """

    FIGURE: ClassVar[Figure] = FIGURE
    KEYS: ClassVar[tuple[str, ...]] = KEYS

    coefficient = traitlets.Any("acc_eq").tag(sync=True)
    swapped = traitlets.Any([]).tag(sync=True)
    draws = traitlets.Any(0).tag(sync=True)
    seed = traitlets.Any(0).tag(sync=True)
    test = traitlets.Any(read_only=True)
    observed = traitlets.Float(read_only=True)
    difference = traitlets.Float(read_only=True)

    def __init__(
        self,
        human: ArrayLike,
        a: ArrayLike,
        b: ArrayLike,
        names: Sequence[str] = ("a", "b"),
        coefficient: str = "acc_eq",
        *,
        seed: int = 0,
    ) -> None:
        self._scores = shown.vectors(human, a, b)
        self._names = shown.two_names(names)
        self._items = shown.items(self._scores)
        super().__init__(shown.fixed(self._scores, self._names), coefficient=coefficient, seed=seed)
        self._run_test(None)

    @traitlets.validate("coefficient")
    def _check_coefficient(self, proposal: Mapping[str, Any]) -> str:
        return get_coefficient(proposal["value"]).name

    @traitlets.validate("swapped")
    def _check_swapped(self, proposal: Mapping[str, Any]) -> list[int]:
        value = proposal["value"]
        found = list(value) if isinstance(value, Sequence | np.ndarray) else [value]
        if wrong := [item for item in found if not is_whole(item) or item not in self._items]:
            raise InputError(f"swapped: must be items that can be swapped, {self._items}; found {wrong[0]!r}")
        return sorted({int(item) for item in found})

    @traitlets.validate("draws")
    def _check_draws(self, proposal: Mapping[str, Any]) -> int | str:
        draws = proposal["value"]
        if isinstance(draws, str):
            if draws != "all" or len(self._items) > shown.FEW_ITEMS:
                also = ' or "all"' if len(self._items) <= shown.FEW_ITEMS else ""
                raise InputError(f"draws: must be a number{also}, found {draws!r}")
            return draws
        return _bounded("draws", draws, shown.MOST_DRAWS)

    @traitlets.validate("seed")
    def _check_seed(self, proposal: Mapping[str, Any]) -> int:
        return _bounded("seed", proposal["value"], MOST_SEED)

    @traitlets.observe("coefficient", "seed")
    def _run_test(self, _: Any) -> None:
        resamples = 2**shown.FEW_ITEMS - 1
        found = permutation_test(*self._scores, self.coefficient, n_resamples=resamples, rng=self.seed, cells="own")
        self.set_trait("test", found)
        self.set_trait("observed", found.difference)

    @traitlets.observe("coefficient", "swapped")
    def _swap(self, _: Any) -> None:
        human, a, b = map(as_matrix, self._scores)
        chosen = np.zeros((1, human.size), np.int64)
        chosen[0, self.swapped] = 1
        panel = make_panel(human, (a, b), (get_measure(self.coefficient, None, 1),))
        first, second = panel.values(Draws(True, np.zeros((1, 1), np.int64), chosen))[0, :, 0]
        self.set_trait("difference", float(first - second))

    def _made(self) -> tuple[str, str]:
        human, a, b = (scores.tolist() for scores in self._scores)
        return TITLE, made(human, dict(zip(self._names, (a, b), strict=True)))


def _bounded(name: str, number: int, most: int) -> int:
    found = check_count(name, number, 0)
    if found > most:
        raise InputError(f"{name}: must be at most {most}, found {number!r}")
    return found
