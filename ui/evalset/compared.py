"""What is looked at on the open evaluation set? The choices that the parts of the sentinels page share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import streamlit as st

import tiekit as tk
from tiekit.counting.scores import FloatArray
from tiekit.ranking.contest import Contest, prepare
from tiekit.signature import digest_of
from ui.base import notebook, work
from ui.base.text import plain
from ui.evalset import choices, open


@dataclass(frozen=True, eq=False)
class ComparedSet:
    """An evaluation set as its pages compare it: the systems and the domain that were chosen.

    ``opened`` is what was read, ``data`` what is compared; ``selecting`` writes the Python between them.
    """

    opened: tk.EvalSet
    data: tk.EvalSet
    contest: Contest
    exclude: list[str]
    domain: str | None

    @property
    def human(self) -> FloatArray:
        """The human scores, systems × segments."""
        return self.contest.human

    @property
    def metrics(self) -> dict[str, FloatArray]:
        """The metrics' scores."""
        return self.contest.metrics

    @cached_property
    def key(self) -> tuple[str, ...]:
        """What all results depend on: scores, names and texts."""
        digest = digest_of(self.human, *self.metrics.values())
        return digest, self.opened.digest, self.rated, *self.data.systems, str(self.domain), *self.metrics

    @property
    def levels(self) -> dict[str, int]:
        """How many distinct scores each metric has."""

        def count() -> dict[str, int]:
            return {name: levels(scores) for name, scores in self.metrics.items()}

        return work.once(("levels", *self.key), count)

    @cached_property
    def probes(self) -> dict[str, FloatArray]:
        """The scores of the probes; those of length are missing where the set has no texts."""
        return tk.sentinels.probes(self.data, self.rated, exclude=())

    @property
    def rated(self) -> str:
        """The human score's name."""
        return self.contest.selection["human"]

    def selecting(self, metrics: Sequence[str]) -> str:
        """Python that takes what is compared from the set."""
        adjusted = f"data{choices.adjusting(list(metrics))}"
        return f"chosen = {adjusted}.select(exclude={self.exclude}, domain={self.domain!r})"

    def show_code(self, name: str, metrics: Sequence[str], call: str, *, texts: bool = False) -> None:
        """The call; its notebook holds the human score and the metrics that it needs."""
        scores = {metric: self.opened.metrics[metric] for metric in metrics}
        data = replace(self.opened, human={self.rated: self.opened.human[self.rated]}, metrics=scores, gold=self.rated)
        load = open.source_code(self.opened)
        notebook.show(name, f"{self.selecting(metrics)}\n{call}", {"data": data}, load, texts=texts)


def choose_compared(data: tk.EvalSet) -> ComparedSet | None:
    """Let the user choose what is compared; None where that leaves nothing, with the reason."""
    one, two = st.columns(2, gap="medium")
    with one:
        human = choices.choose_human(data)
    with two:
        domain = choices.choose_domain(data)
    with st.expander("More choices: systems, direction, rounding"):
        exclude, adjusted = choices.leave_out(data), choices.adjust(data)
    try:
        chosen = adjusted.select(exclude=exclude, domain=domain)
        contest = prepare(adjusted, human, exclude=exclude, domain=domain)
    except tk.TiekitError as error:
        st.error(plain(str(error)))
        return None
    choices.say_compared(contest)
    return ComparedSet(data, chosen, contest, exclude, domain)


def open_compared() -> ComparedSet | None:
    """Let the user open an evaluation set and choose what of it is compared; None where nothing is, with the reason."""
    with st.container(border=True):
        data = open.choose_evalset()
    return None if data is None else choose_compared(data)


def levels(scores: FloatArray) -> int:
    """Distinct scores."""
    return int(np.unique(scores[~np.isnan(scores)]).size)
