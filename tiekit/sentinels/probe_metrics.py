"""What does a spurious signal earn? Probes: metrics without a model that lack what judging a translation takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from tiekit.counting.means import row_means
from tiekit.errors import InputError
from tiekit.evalset import EvalSet
from tiekit.scores import FloatArray
from tiekit.seeds import as_generator

MEAN_DIGITS = 11
"""Decimals of a segment's mean, as a share of the largest one, that tell it from another's."""


class Given(NamedTuple):
    """What a probe may look at; it takes what it knows."""

    evalset: EvalSet
    human: FloatArray
    rng: np.random.Generator

    @property
    def shape(self) -> tuple[int, int]:
        """Of the set's matrices."""
        return len(self.evalset.systems), len(self.evalset.segments)


@dataclass(frozen=True)
class Probe:
    """A metric made without a model that lacks what judging a translation takes.

    Attributes
    ----------
    name : str
    knows : str
        All that it sees.
    leaks : bool
        Whether it sees the human scores that it is judged by, so that no metric may do the same.
    meaning : str
        A sentence.
    make : function
        Its scores, None where the texts that it needs are not there.
    """

    name: str
    knows: str
    leaks: bool
    meaning: str
    make: Callable[[Given], FloatArray | None] = field(repr=False)


def _source_length(given: Given) -> FloatArray | None:
    if not given.evalset.sources:
        return None
    return np.tile([-float(len(text)) for text in given.evalset.sources], (given.shape[0], 1))


def _candidate_length(given: Given) -> FloatArray | None:
    return -lengths(given.evalset) if given.evalset.outputs else None


def _segment_mean(given: Given) -> FloatArray:
    mean = row_means("human", given.human.T, ~np.isnan(given.human.T))
    largest = np.abs(mean[~np.isnan(mean)]).max(initial=0.0) or 1.0
    rounded = np.round(mean / largest, MEAN_DIGITS) * largest  # means of decimals that are equal but for rounding
    return np.tile(rounded, (given.shape[0], 1))


def _random(given: Given) -> FloatArray:
    return given.rng.random(given.shape)


def _constant(given: Given) -> FloatArray:
    return np.zeros(given.shape)


_MEAN = "The mean human score of the segment's translations: it leaks the gold, and shows what knowing "
_MEAN += "how hard a segment is would earn."

_ENTRIES = (
    Probe("source length", "source", False, "The longer the source, the lower: it is harder.", _source_length),
    Probe(
        "candidate length",
        "translation",
        False,
        "The longer the translation, the lower: more of it may be wrong.",
        _candidate_length,
    ),
    Probe("segment mean", "human scores", True, _MEAN, _segment_mean),
    Probe("random", "nothing", False, "A number drawn for each translation.", _random),
    Probe("constant", "nothing", False, "The same score for every translation.", _constant),
)

PROBES: dict[str, Probe] = {probe.name: probe for probe in _ENTRIES}
"""Every probe by name."""


def lengths(evalset: EvalSet) -> FloatArray:
    """Characters of every translation, NaN where a system's texts are not there; shape (systems, segments)."""
    missing = [float("nan")] * len(evalset.segments)
    rows = [[float(len(text)) for text in evalset.outputs.get(name, ())] or missing for name in evalset.systems]
    return np.reshape(np.array(rows, np.float64), (len(rows), len(missing)))


def human_scores(evalset: EvalSet, human: str | None) -> FloatArray:
    """Scores by the name of a human score; None is the set's gold score, or its only one."""
    name = human or evalset.gold or (next(iter(evalset.human)) if len(evalset.human) == 1 else "")
    if name not in evalset.human:
        raise InputError(f"human: must be one of {', '.join(evalset.human)}, found {human!r}")
    return evalset.human[name]


def probes(
    evalset: EvalSet,
    human: str | None = None,
    *,
    rng: np.random.Generator | int = 0,
    names: Iterable[str] | None = None,
    exclude: str | Iterable[str] | None = None,
) -> dict[str, FloatArray]:
    """Score translations by what knows too little about them.

    Parameters
    ----------
    evalset : EvalSet
    human : str or None
        Name of a human score; None is the set's gold score, or its only one. Only "segment mean" sees it.
    rng : numpy Generator or int
        Draws "random".
    names : iterable of str, optional
        Of `PROBES`; None is all for which the set has texts.
    exclude : str or iterable of str, optional
        Systems whose human scores "segment mean" does not see, as for `EvalSet.select`.

    Returns
    -------
    dict of str to ndarray, shape (systems, segments)
        Higher is better. Missing are only: the length of translations whose text is not there, the mean of segments
        without a human score.

    Raises
    ------
    InputError
        For an unknown human score, probe or system, and a length asked for by name that has no texts.

    References
    ----------
    After Perrella et al. (2024), section 3.2, who train such metrics, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> data = EvalSet("toy", "", ("A", "B"), ("1", "2"), {"human": [[1, 2], [3, 2]]}, {}, sources=("one", "two of"))
    >>> found = probes(data)
    >>> list(found), found["source length"].tolist(), found["segment mean"].tolist()
    (['source length', 'segment mean', 'random', 'constant'], [[-3.0, -6.0], [-3.0, -6.0]], [[2.0, 2.0], [2.0, 2.0]])
    """
    scores = human_scores(evalset, human)
    seen = np.array([name in evalset.select(exclude=exclude).systems for name in evalset.systems])
    scores = np.where(seen[:, None], scores, np.nan)
    generator = as_generator(rng)
    found: dict[str, FloatArray] = {}
    for name in PROBES if names is None else names:
        if name not in PROBES:
            raise InputError(f"names: must be among {', '.join(PROBES)}, found {name!r}")
        made = PROBES[name].make(Given(evalset, scores, generator))
        if made is not None:
            found[name] = made
        elif names is not None:
            raise InputError(f"names: {name!r} knows the {PROBES[name].knows} only, and the set holds no such text")
    return found


def with_probes(
    evalset: EvalSet,
    human: str | None = None,
    *,
    rng: np.random.Generator | int = 0,
    names: Iterable[str] | None = None,
    exclude: str | Iterable[str] | None = None,
) -> EvalSet:
    """Add `probes` to the metrics of a set, so that `leaderboard` ranks them; parameters and errors as there.

    Examples
    --------
    >>> data = EvalSet("toy", "", ("A", "B"), ("1", "2"), {"human": [[1, 2], [3, 2]]}, {"m": [[1, 2], [2, 1]]})
    >>> list(with_probes(data, names=["constant"]).metrics)
    ['m', 'constant']
    """
    for name, scores in probes(evalset, human, rng=rng, names=names, exclude=exclude).items():
        evalset = evalset.with_metric(name, scores)
    return evalset
