"""What does a notebook see of the swap explorer? Which items are swapped, how many swaps were drawn, and the test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from tiekit.base.errors import CoverageWarning, InputError, collect_warnings, warn
from tiekit.core.measure import get_measure
from tiekit.core.registry import get_coefficient
from tiekit.figures import swap_explorer as shown
from tiekit.figures.arguments import Metrics, Segment, check_human, named_scores, read_given, scope_of_result
from tiekit.figures.figure import Scope
from tiekit.figures.json_values import line, names_of_result, origin_of_scores
from tiekit.figures.notebook import Moving, Widget
from tiekit.sets.arguments import Exclude, Human
from tiekit.sets.evalset import EvalSet
from tiekit.significance._resampled_measures import as_matrix, prepare_measures
from tiekit.significance.permutation import PermutationTest, permutation_test
from tiekit.significance.schemes import Draws


class SwapExplorer(Widget):
    """A permutation test: swap the scores of two metrics, and watch how far the metrics differ by chance.

    Up to 60 items are swapped by hand: each item's two scores by a click, or all items' at random. The random swaps
    fall into a histogram of the difference between the two metrics, and make the two-sided p-value. As in
    `permutation_test`, the scores of both metrics are standardized first. The browser computes what it shows, from
    random numbers of its own; `test` is tiekit's own.

    Of more scores, of matrices and of an evaluation set, tiekit runs the test first, and the browser draws its swaps
    one after the other. A test that has been run is shown as it is.

    Parameters
    ----------
    data : EvalSet, PermutationTest, or array_like of shape (n,) or (systems, segments)
        An evaluation set, human scores (higher is better; an item with a NaN or None is not counted), or what
        `permutation_test` returned.
    a, b : array_like of that shape, or str
        The scores of two metrics, or their names in the set; or both in ``a``: a mapping, a DataFrame, two names. A NaN
        or None is a missing score; as in `permutation_test`, such an item counts for neither metric. Without them
        ``data`` is a test, or a set of two metrics.
    names : pair of str, optional
        What the metrics are called; None: their names in the set, or ``("a", "b")``.
    coefficient : str, optional
        How a metric's agreement with the human scores is measured, for example ``"tau_b"``. By hand, metric scores tie
        where they are equal, and None is ``"acc_eq"``; otherwise it is what `permutation_test` takes.
    seed : int
        Seed of the browser's random swaps and of `test`, from 0 to 2**32 - 1.
    grouping, swap, n_resamples
        As for `permutation_test`, for scores that are not swapped by hand.
    segment : str or int, optional
        One segment, by name, or by place from 0 where names are no numbers, whose scores are swapped by hand.
    human, exclude
        As for `permutation_test`.

    Attributes
    ----------
    coefficient : str
        The coefficient at present.
    swapped : list of int
        The items whose scores are swapped at present, the first item being 0.
    draws : int or "all"
        How many random swaps are in the histogram, at most 9999, or as many as the test has drawn; the same seed
        gives the same ones. ``"all"``: every way to swap by hand, where at most 12 items can be swapped.
    seed : int
        The seed at present. Of a test that was run before, neither the seed nor the coefficient can be changed.
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
        Scores are not of one shape, the difference of a test is undefined, or a name, the coefficient or the seed is
        not as it must be.

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

    FIGURE = shown.FIGURE

    coefficient = Moving("acc_eq").tag(sync=True)
    swapped = Moving([]).tag(sync=True)
    draws = Moving(0).tag(sync=True)
    seed = Moving(0).tag(sync=True)
    test = traitlets.Any(read_only=True)
    observed = traitlets.Float(read_only=True)
    difference = traitlets.Float(read_only=True)

    def __init__(
        self,
        data: Human | PermutationTest = None,
        a: Metrics = None,
        b: ArrayLike | None = None,
        names: Sequence[str] | None = None,
        coefficient: str | None = None,
        *,
        seed: int = 0,
        grouping: str | None = None,
        swap: str | None = None,
        n_resamples: int = 999,
        segment: Segment = None,
        cells: str | None = None,
        human: str | ArrayLike | None = None,
        exclude: Exclude = None,
    ) -> None:
        if isinstance(data, PermutationTest):
            found = names_of_result(data, "metric_a", "metric_b")
            self._names = shown.two_names(names or (found if found[0] != found[1] else ("a", "b")))
            self._show_test(data)
            return
        of_set = isinstance(data, EvalSet)
        if not of_set and data is None:
            data, human = human, None
        first, second, found_names = _two_metrics(data, a, b)
        self._names = shown.two_names(names or found_names)
        scores: Any = data
        wanted = [first, second] if of_set else dict(zip(self._names, (first, second), strict=True))
        given = read_given(data, wanted, human, exclude)
        if segment is not None:
            given = given.one_segment(segment)
            (first, second), of_set, scores = given.metrics.values(), False, given.human
        if of_set or np.ndim(scores) > 1 or np.size(scores) > shown.MOST_SCORES or cells == "own":
            asked: dict[str, Any] = {"grouping": grouping, "swap": swap, "human": human, "exclude": exclude}
            asked |= {"cells": cells, "n_resamples": n_resamples, "rng": seed}
            test = permutation_test(scores, first, second, coefficient, **asked)
            self._show_test(test, given._replace(cells=cells).scope(test.grouping))
        else:
            self._given, given = (scores, first, second), given.on_cells(cells)
            one, other = given.metrics.values()
            self._scores: shown.Scores | None = shown.swap_vectors(given.human, one, other, self._names)
            chosen = {"coefficient": "acc_eq" if coefficient is None else coefficient, "seed": seed}
            fixed = {**shown.swaps_by_hand(self._scores, self._names), "aside": line(given.aside.tolist())}
            super().__init__(fixed, given.scope(), **chosen)
            self._run_test(None)

    def _show_test(self, test: PermutationTest, scope: Scope | None = None) -> None:
        if test.difference != test.difference:
            raise InputError("test: the difference must be defined, found a metric without a value")
        self._scores = None
        self._settings = {"coefficient": test.coefficient, "seed": test.seed % 2**32}
        fixed = {
            key: value for key, value in shown.swaps_of_test(test, self._names).items() if key not in self.FIGURE.keys
        }
        super().__init__(fixed, scope or scope_of_result(test.signature), **self._settings)
        for name, value in (("test", test), ("observed", test.difference), ("difference", test.difference)):
            self.set_trait(name, value)

    def _check(self, key: str, value: Any) -> Any:
        if self._scores is None and self._settings.get(key, value) != value:
            raise InputError(f"{key}: the test has been run with {self._settings[key]!r}, found {value!r}")
        if key == "coefficient" and self._scores is not None:
            value = get_coefficient(value).name
        value = super()._check(key, value)
        return sorted(set(value)) if key == "swapped" else value

    @traitlets.observe("coefficient", "seed")
    def _run_test(self, _: Any) -> None:
        if self._scores is None:
            return
        resamples = 2**shown.FEW_ITEMS - 1
        with collect_warnings() as said:
            found = permutation_test(*self._given, self.coefficient, n_resamples=resamples, rng=self.seed)
        for category, message in said:
            if category is not CoverageWarning:  # which `Given.on_cells` gave, with the metrics' names
                warn(message, category)
        self.set_trait("test", found)
        self.set_trait("observed", found.difference)

    @traitlets.observe("coefficient", "swapped")
    def _swap(self, _: Any) -> None:
        if self._scores is None:
            return
        human, a, b = map(as_matrix, self._scores)
        chosen = np.zeros((1, human.size), np.int64)
        chosen[0, self.swapped] = 1
        panel = prepare_measures(human, (a, b), (get_measure(self.coefficient, None, 1),))
        first, second = panel.values(Draws(True, np.zeros((1, 1), np.int64), chosen))[0, :, 0]
        self.set_trait("difference", float(first - second))

    def _title_and_origin(self) -> tuple[str, str]:
        if self._scores is None:
            return shown.TITLE_OF_TEST, f"{' and '.join(self._names)}. {self.test.signature}."
        human, a, b = (scores.tolist() for scores in self._scores)
        return shown.TITLE, origin_of_scores(human, dict(zip(self._names, (a, b), strict=True)))


def _two_metrics(data: object, a: Metrics, b: Metrics) -> tuple[Any, Any, tuple[str, str]]:
    """Return two metrics, each given by itself or both in ``a``, and what they are called."""
    check_human(data)
    if a is None and b is None and isinstance(data, EvalSet):
        a = list(data.metrics)
    if b is None and a is not None:
        in_set: Any = a if isinstance(data, EvalSet) and not isinstance(a, str) else ()
        named: dict[str, Any] = {name: name for name in in_set} or named_scores(data, a)
        if len(named) != 2:
            raise InputError(f"a and b: must be two metrics, found {', '.join(named)}")
        (first, a), (second, b) = named.items()
        return a, b, (first, second)
    if a is None or b is None:
        raise InputError("a and b: must be the scores or the names of two metrics, found None")
    return a, b, (a, b) if isinstance(a, str) and isinstance(b, str) else ("a", "b")
