"""On which cells are metrics compared? On those that all of them have scored, unless each is wanted on its own."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import CoverageWarning, InputError, quote, warn
from tiekit.base.validation import FloatArray

CELLS = ("common", "own")
"""Metrics are compared on the cells that all of them have scored, or each on all that it has scored itself."""

OWN_CELLS = 'cells="own" takes each metric on its own cells'
"""What a caller can do about cells that are left out."""

WHICH_CELLS = f'{OWN_CELLS}, cells="common" compares all on the cells that all have'
"""The same, where a metric may stand apart."""

BELOW = "stands below the others, without a rank"
"""What becomes of a metric that stands apart."""

MOST_NAMES = 3
"""Maximum number of names in one part of a warning."""

Mask = NDArray[np.bool_]

Number = TypeVar("Number", np.float64, np.int64)


def check_cells(cells: str | None) -> str:
    """Check what a caller says of cells; None is ``"common"``."""
    if cells is not None and cells not in CELLS:
        raise InputError(f"cells: must be 'common', 'own' or None, found {quote(cells)}")
    return cells or "common"


def renamed_cells(cells: str | None, common_cells: bool | None) -> str | None:
    """What a caller of `tiekit.leaderboard` says of cells, perhaps by the argument's old name."""
    if common_cells is None:
        return cells
    found = "common" if common_cells else "own"
    warnings.warn(f"common_cells={common_cells} is now cells={found!r}", FutureWarning, stacklevel=3)
    if cells is not None:
        raise InputError(f"common_cells: contradicts cells={cells!r}; give cells alone")
    return found


def count_cells(used: Mask) -> dict[str, int]:
    """Count the systems, the segments and the cells that are compared."""
    numbers = used.any(axis=1).sum(), used.any(axis=0).sum(), used.sum()
    return dict(zip(("n_systems", "n_segments", "n_cells"), map(int, numbers), strict=True))


def metric_facts(names: Iterable[str]) -> dict[str, object]:
    """What the signature of a result says of several metrics: few by name, else how many."""
    several = list(map(str, names))
    return {"metrics": ",".join(several) if len(several) <= MOST_NAMES else len(several)}


def cell_facts(result: Any) -> dict[str, object]:
    """What the signature of a result says of its cells, and of identical texts where they are tied."""
    return {
        "systems": result.n_systems,
        "segments": result.n_segments,
        "cells": f"{result.n_cells} {result.cells}",
        **({"identical": result.identical} if getattr(result, "identical", "") else {}),
    }


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells on which metrics are compared.

    ``human`` is NaN where nothing is compared; ``scored`` are each metric's cells with a human score, too; ``apart``
    names the metrics that alone would cost more than half of the cells; ``board``: they are ranked beside each other.
    """

    human: FloatArray
    kind: str
    scored: dict[str, Mask]
    apart: tuple[str, ...] = ()
    board: bool = False

    @cached_property
    def among(self) -> dict[str, Mask]:
        """What the metrics that are compared with each other have scored."""
        return {name: scored for name, scored in self.scored.items() if name not in self.apart}

    @cached_property
    def costing(self) -> dict[str, Mask]:
        """The same of those that have scored anything: a metric without any score takes nothing from the others."""
        return {name: scored for name, scored in self.among.items() if scored.any()} or self.among

    @cached_property
    def before(self) -> Mask:
        """The cells that at least one of these metrics has scored."""
        return np.asarray(np.logical_or.reduce(list(self.costing.values())))

    @cached_property
    def used(self) -> Mask:
        """The cells that are compared; with ``"own"``, those that at least one metric has scored."""
        return self.before if self.kind == "own" else np.logical_and.reduce(list(self.costing.values()))

    @property
    def differ(self) -> bool:
        """Whether one metric has scored other cells than another."""
        first, *others = self.scored.values()
        return not all(np.array_equal(first, other) for other in others)

    @property
    def counts(self) -> dict[str, Any]:
        """The numbers that a result holds: ``n_systems``, ``n_segments``, ``n_cells``, and which ``cells``."""
        return {**count_cells(self.used), "cells": self.kind}

    @cached_property
    def rows(self) -> Mask:
        """The systems that were not left out as a whole."""
        return np.asarray(~self.before.any(axis=1) | self.used.any(axis=1))

    @cached_property
    def columns(self) -> Mask:
        """The segments that were not left out as a whole."""
        return np.asarray(~self.before.any(axis=0) | self.used.any(axis=0))

    def check(self, groupings: Iterable[str], argument: str = "metrics") -> None:
        """Refuse too little in common for a grouping where each metric has enough by itself."""
        if self.kind == "own" or len(self.costing) < 2:
            return
        for grouping in groupings:
            if _too_few(self.used, grouping) and not any(_too_few(one, grouping) for one in self.costing.values()):
                raise InputError(f"{argument}: {_refusal(self.costing, grouping)}; {OWN_CELLS}")

    def without_gaps(self, scores: NDArray[Number]) -> NDArray[Number]:
        """A matrix without the systems and segments that were left out as a whole, as if it had been read so."""
        return scores if self.rows.all() and self.columns.all() else scores[self.rows][:, self.columns]

    def documents(self, names: tuple[str, ...] | None) -> tuple[str, ...] | None:
        """The documents of the segments that `without_gaps` keeps."""
        return names and tuple(name for name, kept in zip(names, self.columns.tolist(), strict=True) if kept)

    def gaps(self, systems: Sequence[str] = ()) -> str:
        """Say whose missing scores cost what; nothing where they cost nothing."""
        left, parts = self.before, []
        for axis, noun, names in ((1, "system", systems), (0, "segment", ())):
            lines = np.asarray(left.any(axis=axis))
            missing = {name: np.asarray(lines & ~(s & left).any(axis=axis)) for name, s in self.costing.items()}
            lost = np.logical_or.reduce(list(missing.values()))
            if lost.any():
                total, shape = self.before.any(axis=axis).sum(), (-1, 1) if axis else (1, -1)
                left = left & ~lost.reshape(shape)
                whose = {name: _some(lines, noun, names) for name, lines in missing.items() if lines.any()}
                parts.append(f"{total - lost.sum():,} of {total:,} {noun}s: {_whose(whose)}")
        cells = {name: int((left & ~scored).sum()) for name, scored in self.costing.items()}
        if any(cells.values()):
            whose = {name: count_noun(number, "cell") for name, number in cells.items() if number}
            parts.append(f"{self.used.sum():,} of {self.before.sum():,} cells: {_whose(whose)}")
        return "; ".join(parts)

    def notes(self, systems: Sequence[str] = (), apart: str = BELOW) -> list[str]:
        """Say which cells are left out because not every metric has scored them, and which metrics stand apart."""
        if self.kind == "own":
            rated = max(int((~np.isnan(self.human)).sum()), 1)
            shares = {name: scored.sum() / rated for name, scored in self.scored.items()}
            less = [f"{name} {share:.1%}" for name, share in shares.items() if share < max(shares.values())]
            said = "metrics cover different shares of the human scores, so they are judged on other pairs"
            return [f"{said}: {', '.join(less)}"] * bool(less and self.board)
        gaps = self.gaps(systems)
        total = np.logical_or.reduce(list(self.scored.values())).sum() if self.apart else 0
        return [f"compared on {gaps}"] * bool(gaps) + [
            f"{name} has scores of {self.scored[name].sum():,} of {total:,} cells, so it {apart}" for name in self.apart
        ]

    def warn(self, systems: Sequence[str] = (), *, advice: str = OWN_CELLS) -> None:
        """Warn of `notes`, and say what a caller can do."""
        for text in self.notes(systems):
            warn(text + f"; {advice}" * bool(advice), CoverageWarning)


def share_cells(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    cells: str | None = None,
    *,
    groupings: Iterable[str] = (),
    argument: str = "metrics",
    board: bool = False,
) -> Cells:
    """Find the cells on which metrics are compared; the one place with this rule.

    ``cells`` are those that every metric has scored (``"common"``, None) or each metric's own. Metrics with too little
    in common for one of the ``groupings`` are refused, by the name of the ``argument``. On a ``board`` of three or
    more, and unless ``cells`` is named, one stands apart that has scored less than half of what at least half of them
    have.
    """
    kind, human = check_cells(cells), np.atleast_2d(human)
    scored = {name: np.asarray(~np.isnan(human) & ~np.isnan(np.atleast_2d(m))) for name, m in metrics.items()}
    apart = _standing_apart(scored) if board and cells is None else ()
    found = Cells(human, kind, scored, apart, board)
    if kind == "own":
        return found
    found.check(groupings, argument)
    if np.array_equal(found.used, found.before):
        return found
    compared = np.where(found.used, human, np.nan)
    compared.flags.writeable = False
    return Cells(compared, kind, scored, apart, board)


def _standing_apart(scored: Mapping[str, Mask]) -> tuple[str, ...]:
    """The metrics that alone would cost more than half of the cells."""
    if len(scored) < 3:
        return ()
    often = np.sum(list(scored.values()), axis=0)
    usual = 2 * often >= len(scored)
    return tuple(name for name, one in scored.items() if 2 * (one & usual).sum() < usual.sum())


def _too_few(used: Mask, grouping: str) -> str:
    """Which number is too small to compare anything, such as "1 system"; nothing where none is."""
    if grouping in ("global", "vector"):
        number, noun = int(used.sum()), "cell"
    else:
        axis, noun = (0, "segment") if grouping == "system" else (1, "system")
        number = int(used.any(axis=axis).sum())
    return "" if number > 1 else count_noun(number, noun)


def _refusal(scored: Mapping[str, Mask], grouping: str) -> str:
    """Which metrics to leave out, and why."""
    left, out = dict(scored), []
    few = _too_few(np.logical_and.reduce(list(left.values())), grouping)
    while len(left) > 1 and _too_few(np.logical_and.reduce(list(left.values())), grouping):
        kept = {name: np.logical_and.reduce([one for other, one in left.items() if other != name]) for name in left}
        out.append(max(left, key=lambda name: (kept[name].sum(), -left[name].sum())))
        del left[out[-1]]
    who = " and ".join(scored) if len(scored) == 2 else f"all {len(scored)} metrics"
    by = "" if grouping == "vector" else f" by {grouping}"
    return f"leave out {join_names(out)}: {who} have scores of {few} in common, and at least two are needed{by}"


def _some(lines: Mask, noun: str, names: Sequence[str]) -> str:
    """Systems by name where they are few; otherwise how many systems or segments."""
    number = int(lines.sum())
    if names and number <= MOST_NAMES:
        return join_names([names[place] for place in np.flatnonzero(lines).tolist()])
    return count_noun(number, noun)


def _whose(gaps: Mapping[str, str]) -> str:
    """Which metrics have no scores of what; metrics with the same gap together."""
    metrics: dict[str, list[str]] = {}
    for name, gap in gaps.items():
        metrics.setdefault(gap, []).append(name)
    said = [
        f"{join_names(names)} {'have' if names[1:] else 'has'} no scores of {gap}"
        + " each" * (len(names) > 1 and gap[0].isdigit())
        for gap, names in metrics.items()
    ]
    more = len(said) - MOST_NAMES
    return "; ".join(said) if more <= 1 else f"{'; '.join(said[:MOST_NAMES])}; {more} more gaps"


def count_noun(number: int, noun: str) -> str:
    """A number with its noun."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def join_names(names: Sequence[str]) -> str:
    """Names in a sentence; of many, how many more there are."""
    more = len(names) - MOST_NAMES
    return (
        " and ".join(names)
        if len(names) < 3
        else ", ".join(names)
        if more <= 0
        else (f"{', '.join(names[:MOST_NAMES])} and {more} more")
    )
