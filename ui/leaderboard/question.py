"""Which leaderboard does the user ask for?"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.ranking import POLICIES
from ui.evalset import choices, notes
from ui.evalset.selection import SelectedScores, Selection
from ui.evalset.sources import OpenSet
from ui.link.controls import choose, choose_many, toggle

USUAL = ("tau_a", "tau_b", "tau_c", "tau_10", "tau_13", "tau_14", "acc_eq")

DRAWER = "Choose metrics, coefficients, systems; undefined groups, direction, rounding"

POLICY_HELP = (
    "drop: leave these groups out of the metric's mean, as WMT did with τ_b in 2021 and 2022. zero: count them as 0. "
    "common: leave them out for every metric if they are undefined for one. A metric that is undefined in every group "
    "has no rank under any of the three."
)


OWN_HELP = (
    "Off: all metrics are compared on the translations that every one of them has scored. On: each metric is judged on "
    "all that it has scored, so two values may stand on different pairs."
)


@dataclass(frozen=True, eq=False)
class Question(SelectedScores):
    """What the user asks of a selection: which coefficients, and what becomes of groups without a value."""

    coefficients: tuple[str, ...]
    calibrated: tuple[str, ...]
    undefined: str

    @cached_property
    def counted(self) -> tuple[str, ...]:
        """The coefficients that have a value in each group."""
        return tuple(name for name in self.coefficients if name not in tk.measures.SYSTEM_LEVEL)

    @cached_property
    def system_level(self) -> tuple[str, ...]:
        """The coefficients that compare systems."""
        return tuple(name for name in self.coefficients if name in tk.measures.SYSTEM_LEVEL)

    @property
    def columns(self) -> list[str]:
        """The value columns, as the table shows them."""
        return [*self.counted, *(f"{name}*" for name in self.calibrated), *self.system_level]

    @property
    def probes(self) -> tuple[str, ...]:
        """The metrics compared that are probes."""
        return self.selection.probes

    @property
    def added(self) -> tuple[str, ...]:
        """The metrics compared that the user added to the set."""
        return tuple(name for name in self.selection.source.added if name in self.selection.names)

    def show_code(self, name: str) -> None:
        """Show the call that makes the leaderboard."""
        reported = {
            "coefficients": list(self.coefficients),
            "calibrated": list(self.calibrated),
            "undefined": self.undefined,
        }
        self.selection.show_code(name, self.selection.leaderboard_code(reported), self.selection.names)


def choose_question(
    opened: OpenSet, scope: Sequence[AbstractContextManager[Any]], more: AbstractContextManager[Any]
) -> Question | None:
    """Let the user choose what is compared; None where a choice leaves nothing, with the reason on the page.

    Human score, grouping and domain are chosen in the three places of ``scope``, everything else in ``more``.
    """
    data = opened.data
    human, grouping, domain = choices.choose_scope(data, *scope)
    with more, notes.drawer(DRAWER):
        metrics = choices.choose_metrics(data) if data.metrics else ()
        coefficients, calibrated = _choose_coefficients()
        exclude = choices.choose_excluded(data)
        undefined = choose("Groups where a coefficient is undefined", POLICIES, "undefined", help=POLICY_HELP)
        probed = toggle("Also rank simple baselines: source length, output length, random, constant …", "probes")
        adjustment = choices.choose_adjustment(data)
    if not coefficients and not calibrated:
        st.info("Choose at least one coefficient.")
        return None
    if not metrics:
        st.info("Choose at least one metric." if data.metrics else "This set has no metric yet: add one above.")
        return None
    selection = Selection(opened, human, metrics, exclude, domain, adjustment, grouping=grouping, has_probes=probed)
    line: AbstractContextManager[Any] = nullcontext()
    if selection.has_gaps:
        line, switch = st.columns([7, 3], gap="medium", vertical_alignment="center")
        with switch:
            own = toggle("Each metric on its own translations", "own_cells", help=OWN_HELP)
        selection = replace(selection, own_cells=own)
    with line:
        return Question(selection, coefficients, calibrated, undefined) if selection.say() else None


def _choose_coefficients() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The coefficients without and with calibration."""
    names = [*tk.COEFFICIENTS, *tk.measures.SYSTEM_LEVEL]
    coefficients = choose_many("Coefficients", names, USUAL, "coefficients", printed=charts.label_of)
    label = "Calibrated coefficients: ε* is fitted on these same data"
    found, usual = choices.calibrated_coefficients(), ("acc_eq",)
    return tuple(coefficients), tuple(choose_many(label, found, usual, "starred", printed=charts.label_of))
