"""What scores is a figure given? One rule for all: a set and names of metrics, or human scores and those of metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real
from os import PathLike
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.base.errors import CoverageWarning, InputError, LeftOutWarning, warn
from tiekit.base.names import are_nameless, find_name, row_names
from tiekit.base.validation import SHOWN, FloatArray, columns_of, digest_of, is_frame
from tiekit.core.system_level import GROUPING_WORDS
from tiekit.figures.figure import Scope, facts_of
from tiekit.figures.json_values import short_name
from tiekit.sets.arguments import Exclude, Human, facts_of_set, gold_of, read_metrics
from tiekit.sets.cells import WHICH_CELLS, share_cells
from tiekit.sets.evalset import EvalSet

Metrics: TypeAlias = Mapping[str, ArrayLike] | ArrayLike | Iterable[str] | None
"""Scores by the metric's name, columns of a frame, one metric's scores or several (m1, m2 …), or names in a set."""

Segment: TypeAlias = str | int | Sequence[str | int] | None
"""A segment by its name, or by its place from 0 where names are no numbers, or several of them."""

SIDES_TOLD = 3
"""Maximum number of names in the sentence on what is not shown."""


class Given(NamedTuple):
    """Scores that a figure shows, systems × segments or vectors, with names.

    ``left`` says what does not fit in it, ``shape`` is that of what was given, ``source`` its facts as in signatures,
    ``cells`` which are compared, ``aside`` the human scores of the others.
    """

    human: FloatArray
    metrics: dict[str, FloatArray]
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    left: tuple[str, ...] = ()
    shape: tuple[int, ...] = ()
    source: str = ""
    cells: str | None = None
    aside: FloatArray = np.empty((0, 0))

    def fit(self, most_metrics: int, most_systems: int = 0, most_segments: int = 0) -> Given:
        """Return the first metrics, systems and segments, as many as a figure has room for; 0: all."""
        names = [*self.metrics][:most_metrics]
        found = self._replace(metrics={name: self.metrics[name] for name in names})
        found = found._less("metrics", names, len(self.metrics))
        for axis, what, most in ((0, "systems", most_systems), (1, "segments", most_segments)):
            total = self.human.shape[axis] if axis < self.human.ndim else 0
            if most and total > most:
                told, names = what if self.human.ndim == 2 else "scores", getattr(self, what)[:most]
                found = found._take(axis, range(most))._less(told, names, total)
        return found

    def _less(self, what: str, shown: Sequence[str], total: int) -> Given:
        if len(shown) == total:
            return self
        names = f" ({', '.join(shown)})" if len(shown) <= SIDES_TOLD else ""
        return self._replace(left=(*self.left, f"{len(shown)} of {total:,} {what}{names}"))

    def on_cells(self, cells: str | None) -> Given:
        """Return the human scores of the cells that are compared alone, as a leaderboard compares metrics.

        A metric that would stand apart there is not among them.
        """
        shape = (self.human.size, 1) if self.human.ndim < len(self.shape) else self.human.shape  # one segment's column
        scores = {name: metric.reshape(shape) for name, metric in self.metrics.items()}
        found = share_cells(self.human.reshape(shape), scores, cells, board=True)
        for text in found.notes(self.systems if len(shape) == 2 else (), "is not shown"):
            warn(f"{text}; {WHICH_CELLS}", CoverageWarning)
        metrics = {name: scores for name, scores in self.metrics.items() if name not in found.apart}
        human = found.human.reshape(self.human.shape)
        aside = np.where(np.isnan(human), self.human, np.nan)
        return self._replace(human=human, metrics=metrics, cells=cells, aside=aside)

    def scope(self, grouping: str | None = None, *, board: bool = False) -> Scope:
        """Say how much of what was given is shown, such as "8 of 20 segments, 47 of 48 cells, by item"; see `Scope`.

        Cells are those with a human score, as in the warning of those that are left out.
        """
        kinds = ("systems", "segments") if len(self.shape) == 2 else ("scores",)
        sizes = (*self.human.shape, 1)[: len(self.shape)]  # of a vector from a matrix: one segment
        told = [f"{n} of {of:,} {kind}" for n, of, kind in zip(sizes, self.shape, kinds, strict=True) if n < of]
        end, is_matrix = "", self.human.ndim == 2
        if len(self.shape) == 2 and len(self.segments) < self.shape[1]:
            few, one = len(self.segments) <= SIDES_TOLD, f"segment {self.segments[0]} of {self.shape[1]:,}"
            told[-1] = one if len(self.segments) == 1 else told[-1] + f" ({', '.join(self.segments)})" * few
            end = "" if is_matrix else "; a leaderboard compares all segments and may rank otherwise"
        human = np.where(np.isnan(self.human), self.aside, self.human) if self.aside.size else self.human
        compared = int(share_cells(human, self.metrics, self.cells, board=board).used.sum())
        told += cell_words(compared, int(np.isfinite(human).sum()), grouping if is_matrix else None)
        numbers = tuple(map(str, range(1, len(self.systems) + 1)))
        items = () if is_matrix or len(self.shape) < 2 or self.systems == numbers else self.systems
        return Scope(", ".join(told) + end, self.source, items)

    def at(self, segment: Segment) -> Given:
        """Return some segments in the order that is asked for; all of them for None."""
        if segment is None:
            return self
        if self.human.ndim != 2:
            raise InputError(f"segment: the scores must be systems × segments, found shape {self.human.shape}")
        asked: Any = segment
        wanted = [asked] if isinstance(segment, str | Integral) else [*asked]
        return self._take(1, [self._place(one) for one in wanted])

    def _place(self, segment: str | int) -> int:
        named = not are_nameless(self.segments) and any(map(str.isdecimal, self.segments))
        if named or not isinstance(segment, Integral):
            return self.segments.index(find_name("segment", str(segment), self.segments))
        if not 0 <= segment < len(self.segments):
            raise InputError(f"segment: must be from 0 to {len(self.segments) - 1}, found {segment}")
        return int(segment)

    def one_segment(self, segment: Segment) -> Given:
        """Return vectors: the scores of one segment, by default of the first whose human scores tie and differ too."""
        if self.human.ndim == 1:
            return self.at(segment)
        if segment is None:
            known = [scores[scores == scores] for scores in self.human.T]
            place = next((place for place, scores in enumerate(known) if 1 < np.unique(scores).size < scores.size), 0)
            name, number = self.segments[place], len(self.segments)
            told = f"{place} (of 0 to {number - 1:,})" if are_nameless(self.segments) else f"{name!r} (of {number:,})"
            said = (*self.left, f"segment={told}")
            return self._replace(left=said * (len(self.segments) > 1))._vectors(place)
        found = self.at(segment)
        if len(found.segments) != 1:
            raise InputError(f"segment: must be one, found {len(found.segments)}")
        return found._vectors(0)

    def _vectors(self, place: int) -> Given:
        metrics = {name: scores[:, place] for name, scores in self.metrics.items()}
        return self._replace(human=self.human[:, place], metrics=metrics, segments=(self.segments[place],))

    def _take(self, axis: int, places: Sequence[int]) -> Given:
        chosen = [*places]
        metrics = {name: scores.take(chosen, axis) for name, scores in self.metrics.items()}
        aside = self.aside.take(chosen, axis) if self.aside.size else self.aside
        found = self._replace(human=self.human.take(chosen, axis), metrics=metrics, aside=aside)
        what = "segments" if axis else "systems"
        names: Any = {what: tuple(getattr(self, what)[place] for place in chosen)}
        return found._replace(**names)

    def say(self, figure: str) -> Given:
        """Warn of what does not fit, and return the same."""
        if self.left:
            warn(f"{figure}: shows {' and '.join(self.left)}", LeftOutWarning)
        return self


def read_given(
    data: Human,
    metrics: Metrics,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    segment: Segment = None,
) -> Given:
    """Read what a figure is given, and check it.

    Raises
    ------
    InputError
        There is no metric, a name is unknown, or scores have not the shape of the human ones.
    """
    named: Any = metrics if isinstance(data, EvalSet) else named_scores(human if data is None else data, metrics)
    h, scores = read_metrics(data, named, human, exclude)
    if not scores:
        raise InputError("metrics: there must be at least one, found 0")
    systems, segments = names_of(human if data is None else data, exclude, h.shape)
    source = f"data:{digest_of(h, *scores.values())[:SHOWN]}"
    if isinstance(data, EvalSet):
        left = [name for name in data.systems if name not in systems]
        source = "|".join(map(":".join, facts_of_set(data, gold_of(data, human), left).items()))  # type: ignore[arg-type]
    return Given(h, scores, systems, segments, shape=h.shape, source=source).at(segment)


def cell_words(number: int, total: int, grouping: str | None) -> list[str]:
    """Return how many cells are compared, by which grouping; nothing if it is all of them and there is no other way."""
    words = [GROUPING_WORDS.get(grouping, f"by {grouping}")] if grouping else []
    cells = f"{number:,} of {total:,} cells" if number < total else f"{number:,} cells"
    return [cells, *words] if words or number < total else []


def scope_of_result(signature: str, scores: tuple[FloatArray, FloatArray] | None = None) -> Scope:
    """Say what `Given.scope` says of what a result was made of, by its signature; a calibration has the ``scores``."""
    facts = facts_of(signature)
    if scores:
        sizes, number = scores[0].shape, int(np.isfinite(scores).all(axis=0).sum())
    else:  # without the number of human scores, of which these cells are some
        sizes, number = tuple(int(facts[name]) for name in ("systems", "segments")), int(facts["cells"].split()[0])
    total = int(np.isfinite(scores[0]).sum()) if scores else number
    by = facts.get("grouping") if len(sizes) == 2 and min(sizes) > 1 else None
    known: list[str] = [name for name in ("set", "human", "left_out", "data") if name in facts] or ["scores"]
    words = cell_words(number, total, by)
    return Scope(", ".join(words), "|".join(f"{name}:{facts[name]}" for name in known))


def check_one_list(data: Human, given: object, argument: str) -> None:
    """Refuse a second metric that was given by itself, in the place of another argument."""
    known = data.metrics if isinstance(data, EvalSet) else ()
    if given in {*known, *map(short_name, known)} if isinstance(given, str) else not isinstance(given, Real | None):
        told = "metrics: several are one argument, such as ['a', 'b'] of a set or {'a': scores, 'b': scores}"
        raise InputError(f"{told}; found another one as {argument}")


def check_human(human: object) -> None:
    """Refuse the address of a file, and nothing, in the place of human scores."""
    if isinstance(human, str | PathLike):
        raise InputError(f"data: a file is read first: tk.read(path); found {str(human)!r}")
    if human is None:
        raise InputError("data: must be an evaluation set, or human scores with metrics after them; found None")


def named_scores(human: Any, metrics: Any) -> dict[str, ArrayLike]:
    """Return scores by the metric's name; a series has its own, and without names they are m1, m2 …"""
    check_human(human)
    if metrics is None and is_frame(human):
        raise InputError("metrics: there are none; a long table is read first: tk.read(frame)")
    if metrics is None or isinstance(metrics, str):
        raise InputError(f"metrics: must be scores, as the human scores are an array; found {metrics!r}")
    if isinstance(metrics, Mapping):
        return dict(metrics)
    if is_frame(metrics):
        return {**columns_of("metrics", metrics)} if np.ndim(human) == 1 else {"m1": metrics}
    if isinstance(metrics, pd.Series):
        return {"m1" if metrics.name is None else str(metrics.name): metrics}
    one = [metrics] if _shape(metrics) == _shape(human) else list(metrics)
    if any(isinstance(scores, str) for scores in one):
        raise InputError(f"metrics: names need an EvalSet before them, such as tk.read(frame); found {one[0]!r}")
    return {f"m{number}": scores for number, scores in enumerate(one, 1)}


def _shape(scores: Any) -> tuple[int, ...]:
    try:
        found: tuple[int, ...] = np.shape(scores)
    except ValueError:  # of lists of different lengths
        return (-1,)
    return found


def names_of(source: object, exclude: Exclude, shape: tuple[int, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of systems and segments: a set's, a frame's labels, or numbers from 1."""
    if isinstance(source, EvalSet):
        chosen = source.select(exclude=exclude)
        return chosen.systems, chosen.segments
    if isinstance(source, pd.DataFrame):
        return tuple(map(str, source.index)), tuple(map(str, source.columns))
    systems, segments = map(row_names, (*shape, 0)[:2])
    return systems, segments
