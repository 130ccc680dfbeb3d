"""What do the pictures that open the app's pages show in a notebook? One function for each, of scores and results."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import pandas as pd
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.results import digest_of
from tiekit.base.validation import FloatArray
from tiekit.core.calibration import calibrated_measure
from tiekit.core.registry import COEFFICIENTS, get_coefficient
from tiekit.figures.agreement import data as agreement_data
from tiekit.figures.agreement import page as agreement_page
from tiekit.figures.bump import page as bump_page
from tiekit.figures.figure import Figure
from tiekit.figures.given import MOST_SCORES, check_span, printed, printed_measure
from tiekit.figures.grouping import data as grouping_data
from tiekit.figures.grouping import page as grouping_page
from tiekit.figures.nan_explorer import data as nan_data
from tiekit.figures.podium import data as podium_data
from tiekit.figures.podium import page as podium_page
from tiekit.figures.rerank import data as rerank_data
from tiekit.figures.rerank import page as rerank_page
from tiekit.figures.swap_explorer import data as swaps_data
from tiekit.figures.tie_curves import data as curves_data
from tiekit.figures.tie_curves import page as curves_page
from tiekit.figures.tie_shares import data as shares_data
from tiekit.figures.tie_shares import page as shares_page
from tiekit.research.judgments.caps import CAPPED
from tiekit.research.measures.evaluate import agreement_of
from tiekit.sets.arguments import Human, read_metrics
from tiekit.significance import PermutationTest

MOST_RANKED = 6
"""Of more translations not all orders can be tried while a hand moves."""


class Shown(NamedTuple):
    """A picture: its figure and data, of which scores it was made; its title and what moves, if other."""

    figure: Figure
    data: dict[str, Any]
    made: str
    title: str = ""
    keys: tuple[str, ...] = ()


def podium(epsilon: int = 0) -> Shown:
    """The start page: six translations, and two metrics on a podium."""
    made = "Six made-up translations and two made-up metrics."
    return Shown(podium_page.FIGURE, podium_data.given(epsilon), made)


def nan_tiles(
    human: ArrayLike,
    metrics: Mapping[str, ArrayLike],
    coefficient: str = "tau_b",
    systems: Sequence[str] = (),
    segments: Sequence[str] = (),
) -> Shown:
    """NaN problem: one tile per segment and metric; ties that are made by hand leave tiles without a value."""
    h, scores = _matrices(human, metrics)
    rows = {name: one.T.tolist() for name, one in scores.items()}
    names = [_names(given, size) for given, size in zip((systems, segments), h.shape, strict=True)]
    data = nan_data.puzzle(h.T.tolist(), rows, get_coefficient(coefficient), *names)
    return Shown(nan_data.FIGURE, data, _of(h, scores), nan_data.TITLE_OF_PUZZLE, ("ties",))


def tie_curves(data: Human, metrics: Any = None, coefficient: str = "acc_eq", grouping: str | None = None) -> Shown:
    """Calibration: the curves of all metrics over the share of tied pairs."""
    h, scores = read_metrics(data, metrics)
    entry, grouping = calibrated_measure(coefficient, grouping, h.ndim)
    settings = (entry.name, grouping, "absolute")
    found = {name: curves_data.thin_curve(h, one, settings) for name, one in scores.items()}
    curves = {name: curve for name, curve in found.items() if curve is not None}
    if not curves:
        raise InputError(f"metrics: no metric has a value of {entry.name}")
    reached = {name: curve.values[curve.best] for name, curve in curves.items()}  # noqa: PD011 # no frame
    best = max(reached, key=lambda name: reached[name] or -math.inf)
    shown = curves_data.given(curves, entry.name, curves_data.constant_value(h, settings), best)
    return Shown(curves_page.FIGURE, shown, _of(h, scores))


def grouping(
    human: ArrayLike,
    metrics: Mapping[str, ArrayLike],
    coefficient: str = "acc_eq",
    systems: Sequence[str] = (),
    segments: Sequence[str] = (),
) -> Shown:
    """Grouping: a matrix of scores, four ways to group its cells, and which of two metrics wins by each."""
    h, scores = _matrices(human, metrics)
    if len(scores) != 2:
        raise InputError(f"metrics: must be two, found {len(scores)}")
    _check_names(("systems", systems), ("segments", segments), shape=h.shape)
    rows = {name: one.tolist() for name, one in scores.items()}
    data = grouping_data.given(h.tolist(), rows, coefficient, systems, segments)
    return Shown(grouping_page.FIGURE, data, _of(h, scores))


def bump(board: pd.DataFrame, columns: Sequence[str] | None = None) -> Shown:
    """Leaderboard: the rank of each metric from coefficient to coefficient."""
    known = [str(name)[5:-1] for name in getattr(board, "columns", ()) if str(name).startswith("rank(")]
    wanted = known if columns is None else list(columns)
    if not wanted or not set(wanted) <= set(known):
        raise InputError(f"columns: must be of those that the leaderboard ranks, {known}; found {wanted}")
    ranks = board[[f"rank({name})" for name in wanted]].astype(float)
    lines = dict(zip(map(str, board.index), ranks.to_numpy().tolist(), strict=True))
    data = bump_page.given({name: printed(name) for name in wanted}, lines)
    return Shown(bump_page.FIGURE, data, f"Ranks of {len(lines)} metrics.")


def tie_shares(shares: pd.DataFrame, coefficient: str = "acc_eq") -> Shown:
    """Sentinels: metrics at each share of human ties, and the same metrics with noise."""
    if missing := {"metric", "share", "value", "own"} - set(getattr(shares, "columns", ())):
        raise InputError(f"shares: must be what tie_shares returned, without {', '.join(sorted(missing))}")
    own = shares.loc[shares["own"].astype(bool), "share"]
    if own.empty:
        raise InputError("shares: the human's own share must be one of them; leave out shares= of tie_shares")
    names = list(dict.fromkeys(map(str, shares["metric"])))
    ending = shares_data.ENDING
    kinds = {
        name: "sentinel"
        if name.endswith(ending) and name.removesuffix(ending) in names
        else "discrete"
        if name + ending in names
        else "continuous"
        for name in names
    }
    data = shares_data.given(shares, kinds, coefficient, float(own.iloc[0]))
    made = f"{data['label']} of {len(names)} metrics at {len(data['shares'])} shares of human ties."
    return Shown(shares_page.FIGURE, data, made)


def rerank(
    judges: Mapping[str, Sequence[float]],
    metric: Sequence[float],
    coefficient: str = "tau_14",
    names: Sequence[str] = (),
) -> Shown:
    """Judgments: translations to rank, the majorities of judges who contradict each other, and the cap."""
    n = len(metric)
    if not 2 <= n <= MOST_RANKED:
        raise InputError(f"metric: must score 2 to {MOST_RANKED} translations, found {n}")
    ranked = {name: len(ranks) for name, ranks in judges.items()}
    if set(ranked.values()) != {n}:
        raise InputError(f"judges: each must rank the {n} translations that metric scores, found {ranked}")
    entry = get_coefficient(coefficient)
    if entry.name not in CAPPED:
        raise InputError(f"coefficient: must be one of {', '.join(CAPPED)}, found {coefficient!r}")
    letters = [*names] or [*"ABCDEF"[:n]]
    _check_names(("names", letters), shape=(n,))
    lines = [(name, [float(rank) for rank in ranks]) for name, ranks in judges.items()]
    data = rerank_data.given(letters, lines, [float(score) for score in metric], entry)
    made = f"Ranks of {', '.join(letters)} by {len(lines)} judges."
    return Shown(rerank_page.RERANK, data, made)


def agreement(values: pd.DataFrame) -> Shown:
    """Measures: which measures rank the metrics alike, by τ_b, and the rankings of two of them."""
    if not isinstance(values, pd.DataFrame) or min(values.shape) < 2:
        raise InputError("values: must be what evaluate_measures returned, with two metrics and two measures or more")
    names = [str(name) for name in values.columns]
    alike = agreement_of(values.to_numpy(float).T, COEFFICIENTS["tau_b"])
    square = pd.DataFrame(alike, index=names, columns=names)
    data = agreement_data.given(values, square, {name: printed_measure(*name.split("/")) for name in names})
    # Computed values: their last digits depend on the processor.
    digest = digest_of(values.to_numpy(float).round(9))
    made = f"{len(values)} metrics by {len(names)} measures, digest {digest}."
    return Shown(agreement_page.FIGURE, data, made)


def shuffle(test: PermutationTest, names: tuple[str, str] = ("a", "b")) -> Shown:
    """Measures: the swaps of a permutation test, which fall into a histogram."""
    if not isinstance(test, PermutationTest) or test.difference != test.difference:
        raise InputError("test: must be a PermutationTest whose difference is defined")
    data = swaps_data.of_test(test, (names[0], names[1]))
    return Shown(swaps_data.FIGURE, data, test.signature + ".", swaps_data.TITLE_OF_TEST, ("draws",))


STAGES: dict[str, Callable[..., Shown]] = {
    one.__name__: one for one in (podium, nan_tiles, tie_curves, grouping, bump, tie_shares, rerank, agreement, shuffle)
}


def _matrices(human: ArrayLike, metrics: Mapping[str, ArrayLike]) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Matrices of scores, systems × segments, that are small enough to be shown cell by cell."""
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
    _check_names(("systems and segments", given), shape=(size,))
    return [*given] or [str(number) for number in range(1, size + 1)]


def _check_names(*given: tuple[str, Sequence[str]], shape: tuple[int, ...]) -> None:
    """Refuse names that are not one for each row or column."""
    for (what, names), size in zip(given, shape, strict=True):
        if names and len(names) != size:
            raise InputError(f"{what}: there must be {size} names, found {len(names)}")


def _of(human: FloatArray, metrics: Mapping[str, FloatArray]) -> str:
    """Which scores a picture shows."""
    return f"{human.size:,} human scores and {', '.join(metrics)}, digest {digest_of(human, *metrics.values())}."
