"""What of an open set is compared? The selection, what it leaves, and the Python that reproduces it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock
from typing import TypeVar
from weakref import WeakKeyDictionary

import streamlit as st

import tiekit as tk
from tiekit.core import DEFAULT_GROUPING, DOCUMENT_GROUPINGS
from tiekit.ranking import OWN_CELLS, ComparisonInputs, lay_out
from ui.evalset import notes
from ui.evalset.sources import OpenSet
from ui.work import downloads
from ui.work.result_cache import Results
from ui.work.text import plain

KEPT, KEPT_BYTES, KEPT_OF_ALL = 24, 2**28, 2**29
"""So many things, of so many bytes, are kept of each set, and so many bytes of all sets; the largest are copies of its
scores without some systems or segments, or with probes beside them."""

T = TypeVar("T")

_guard = Lock()
_made: WeakKeyDictionary[tk.EvalSet, Results] = WeakKeyDictionary()


def once_per_set(data: tk.EvalSet, key: Hashable, make: Callable[[], T]) -> T:
    """Return something made of a set, which never changes; ``key`` names it and holds all else that it depends on.

    It is made once for all visitors: it must not be changed, and must not refer to the set.
    """
    with _guard:
        made = _made.pop(data, None) or Results(KEPT, KEPT_BYTES)
        _made[data] = made  # the set that was used last comes last
    found: T = made.get(key, lambda _: make(), lambda _: None)
    with _guard:
        held = {one: of.held_bytes() for one, of in _made.items()}
        for one in list(held)[:-1]:
            if sum(held.values()) > KEPT_OF_ALL:
                del held[one], _made[one]
    return found


def held_bytes() -> int:
    """Return how many bytes are kept of all sets."""
    with _guard:
        return sum(made.held_bytes() for made in _made.values())


OR_OWN = ". Leave it out, or judge each metric on its own translations."
"""What a visitor can do where metrics have too few translations in common; the Leaderboard has a switch for it."""


@dataclass(frozen=True)
class Adjustment:
    """The names on which lower is better, and the decimals that scores are rounded to; None keeps all."""

    lower: tuple[str, ...] = ()
    decimals: int | None = None

    def apply(self, data: tk.EvalSet) -> tk.EvalSet:
        """Return the set with its scores negated and rounded."""
        return data.adjusted(lower_is_better=self.lower, decimals=self.decimals)

    def code(self, names: Iterable[str]) -> str:
        """Return the Python call on a set that does so to these scores; nothing where it does nothing."""
        lower = [name for name in self.lower if name in names]
        arguments = [f"lower_is_better={lower}"] * bool(lower)
        arguments += [f"decimals={self.decimals}"] * (self.decimals is not None)
        return f".adjusted({', '.join(arguments)})" if arguments else ""


@dataclass(frozen=True, eq=False)
class Selection:
    """One human score and some metrics of an open set, on the systems and the domain that were chosen."""

    source: OpenSet
    human: str
    metrics: tuple[str, ...]
    exclude: tuple[str, ...]
    domain: str | None
    adjustment: Adjustment = Adjustment()
    grouping: str = DEFAULT_GROUPING
    own_cells: bool = False
    has_probes: bool = False

    @cached_property
    def adjusted(self) -> tk.EvalSet:
        """The whole set with its scores adjusted, and with probes where they are wanted."""
        if not self._changes:
            return self.source.data
        return once_per_set(self.source.data, ("adjusted", *self._changes), self._adjust)

    @property
    def _changes(self) -> tuple[Hashable, ...]:
        """What the scores of `adjusted` depend on; nothing where they are those of the set."""
        probes = (self.human, self.exclude) if self.has_probes else ()
        return (self.adjustment, *probes) if probes or self.adjustment != Adjustment() else ()

    def _adjust(self) -> tk.EvalSet:
        data = self.adjustment.apply(self.source.data)
        return tk.sentinels.with_probes(data, human=self.human, exclude=self.exclude) if self.has_probes else data

    @cached_property
    def chosen(self) -> tk.EvalSet:
        """The systems and segments that are compared."""
        key = "chosen", self.exclude, self.domain, *self._changes
        return once_per_set(
            self.source.data, key, lambda: self.adjusted.select(exclude=self.exclude, domain=self.domain)
        )

    @cached_property
    def names(self) -> list[str]:
        """The metrics that are compared, probes last."""
        probes = [name for name in self.adjusted.metrics if name in tk.sentinels.PROBES] if self.has_probes else []
        return [*self.metrics, *(name for name in probes if name not in self.metrics)]

    @cached_property
    def contest(self) -> ComparisonInputs:
        """The scores that are compared; raises `TiekitError` where the selection leaves nothing."""
        return self.once(
            "contest",
            lambda: lay_out(
                self.chosen,
                self.adjusted,
                self.human,
                self.names,
                self.grouping,
                cells="own" if self.own_cells else None,
            ),
        )

    def contest_of(self, names: Sequence[str]) -> ComparisonInputs:
        """The scores of a few metrics, on the translations that all of these have scored."""
        return self.once(
            "contest of",
            lambda: lay_out(self.chosen, self.adjusted, self.human, names, self.grouping, cells="common"),
            *names,
        )

    def once(self, what: str, make: Callable[[], T], *choices: Hashable) -> T:
        """Return something made of what is compared and of choices, made once for all visitors; do not change it."""
        scores = self.human, *self.names, self.exclude, self.domain, *self._changes
        return once_per_set(self.source.data, (what, *choices, self.grouping, self.own_cells, *scores), make)

    @property
    def has_gaps(self) -> bool:
        """Whether one metric has scored other translations than another; no where the selection leaves nothing."""
        try:
            cells = replace(self, own_cells=True).contest.cells
        except tk.TiekitError:
            return False
        return cells is not None and cells.differ

    @property
    def probes(self) -> tuple[str, ...]:
        """The metrics compared that are probes."""
        return tuple(name for name in self.names if self.has_probes and name in tk.sentinels.PROBES)

    def say(self) -> bool:
        """Say what is compared and what is left out, or why nothing is; return whether something is compared."""
        try:
            contest = self.contest
        except tk.TiekitError as error:
            problem, sign, _ = str(error).partition(f"; {OWN_CELLS}")
            st.error(plain(problem) + OR_OWN * bool(sign))
            return False
        systems, segments = (int(contest.selection[what]) for what in ("systems", "segments"))
        name = f"{self.source.title}: " * bool(self.source.title)
        metrics = f", {notes.count_metrics(len(contest.ranked), len(self.probes))}" * (len(self.names) > 1)
        st.markdown(
            f"**{name}{systems} systems × {segments:,} segments{metrics}** "
            f"(human score: {plain(contest.selection['human'])}; left out: "
            f"{plain(contest.selection['left_out'].replace(',', ', '))}, and systems without this human score)."
        )
        self.say_cells()
        if self.own_cells:
            st.markdown(
                "**Each metric is judged on its own translations**, so two values may stand on different pairs."
            )
        if systems < 2 and self.grouping != "system":
            what = "pairs are of segments of one system"
            if self.grouping != "global":
                what = "there is little or nothing to compare; under **Which pairs are compared?**, choose global"
            st.info(f"Fewer than two systems have this human score, so {what}.")
        return True

    def say_cells(self) -> None:
        """Say which translations are left out and whose missing scores cost them, and which metrics stand apart."""
        for note in self.contest.cell_notes:
            words = note.replace("compared on", "Compared on", 1).replace(" cells", " translations")
            st.markdown(f"**{plain(words)}.**")

    # ------------------------------------------------------------------------------------------- as Python

    def loading_code(self) -> str:
        """Return the lines that read the set as `data`, and add the probes to it."""
        adjusted = f"data{self.adjustment.code([self.human, *self.names])}"
        probes = f"data = tk.sentinels.with_probes({adjusted}, human={self.human!r}, exclude={list(self.exclude)})"
        return f"data = {self.source.code}" + f"\n{probes}" * self.has_probes

    def selecting_code(self, metrics: Iterable[str] | None = None) -> str:
        """Return the line that takes what is compared from `data`, as `chosen`; of these metrics, or of all."""
        data = self._adjusted_code(self.names if metrics is None else metrics)
        return f"chosen = {data}.select(exclude={list(self.exclude)}, domain={self.domain!r})"

    def pair_code(self, metric: str) -> str:
        """Return the lines that set `human` and `metric` to the scores of one metric."""
        taken = f"chosen.human[{self.human!r}], chosen.metrics[{metric!r}]"
        return f"{self.selecting_code([metric])}\nhuman, metric = {taken}"

    def scores_code(self) -> str:
        """Return the lines that set `human` and `metrics` to the scores that are ranked."""
        human, ranked = f"chosen.human[{self.human!r}]", list(self.contest.ranked)
        lines = [self.selecting_code(), f"metrics = {{name: chosen.metrics[name] for name in {ranked}}}"]
        if self.has_gaps and not self.own_cells:
            lines = ["import numpy as np\n", *lines]
            lines.append("unscored = np.any([np.isnan(scores) for scores in metrics.values()], axis=0)")
            human = f"np.where(unscored, np.nan, {human})"
        return "\n".join([*lines, f"human = {human}"])

    def leaderboard_code(self, choices: Mapping[str, object]) -> str:
        """Return the call of `tk.leaderboard`, one argument per line."""
        arguments = {
            "human": self.human,
            "metrics": self.names,
            "grouping": self.grouping,
            "exclude": list(self.exclude),
            "domain": self.domain,
            "cells": "own" if self.own_cells else None,
        }
        lines = [f"    {name}={value!r},\n" for name, value in (arguments | dict(choices)).items()]
        return f"tk.leaderboard(\n    {self._adjusted_code(self.names)},\n{''.join(lines)})"

    def _adjusted_code(self, metrics: Iterable[str]) -> str:
        return "data" if self.has_probes else f"data{self.adjustment.code([self.human, *metrics])}"

    def data_of(self, metrics: Sequence[str], humans: Sequence[str] = ()) -> tk.EvalSet:
        """Return the set as it was read, with the human score (or these) and these metrics alone."""
        data, rated = self.adjusted if self.has_probes else self.source.data, tuple(humans) or (self.human,)

        def make() -> tk.EvalSet:
            human, scores = ({n: of[n] for n in names} for of, names in ((data.human, rated), (data.metrics, metrics)))
            return replace(data, human=human, metrics=scores, gold=rated[0])

        key = "data of", rated, *metrics, self.has_probes and self._changes
        return once_per_set(self.source.data, key, make)

    def show_code(
        self, name: str, call: str, metrics: Sequence[str], *, humans: Sequence[str] = (), lengths: bool = False
    ) -> None:
        """Show a call on `data`; its notebook holds the human scores and the metrics that it needs."""
        alike = replace(self)  # without what was made of it, which would be kept

        def make() -> tk.EvalSet:
            return replace(alike).data_of(metrics, humans)

        downloads.show_code(name, call, {"data": make}, self.loading_code(), lengths=lengths)


@dataclass(frozen=True, eq=False)
class SelectedScores:
    """The scores of a selection, for what a page computes of them."""

    selection: Selection

    @property
    def data(self) -> tk.EvalSet:
        """The systems and segments that are compared."""
        return self.selection.chosen

    @property
    def documents(self) -> tuple[str, ...] | None:
        """The document of each segment; None where the set has none."""
        return self.data.documents or None

    @staticmethod
    def documents_code(grouping: str) -> str:
        """The argument of a call that names the documents where a grouping is by document."""
        return ", documents=chosen.documents" * (grouping in DOCUMENT_GROUPINGS)

    @property
    def contest(self) -> ComparisonInputs:
        """The scores that are compared."""
        return self.selection.contest
