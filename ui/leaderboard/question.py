"""What is asked of the leaderboard?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

import tiekit as tk
from tiekit.ranking.board import POLICIES
from tiekit.ranking.contest import Contest, prepare
from ui.base.text import plain
from ui.evalset.choices import (
    adjust,
    adjusting,
    calibrated_coefficients,
    choose_domain,
    choose_grouping,
    choose_human,
    leave_out,
    say_compared,
)
from ui.link.controls import choose, choose_many, toggle

USUAL = ("tau_a", "tau_b", "tau_c", "tau_10", "tau_13", "tau_14", "acc_eq")


POLICY_HELP = (
    "drop: they are left out of the metric's mean, as WMT did with τ_b in 2021 and 2022. zero: they count as 0. "
    "common: they are left out for every metric as soon as they are undefined for one. A metric without a defined "
    "group has no rank under any of them: nothing about it was measured."
)


@dataclass(frozen=True)
class Question:
    """What the user asks of an evaluation set: of ``data``, to which ``adding`` adds probes in Python.

    ``call`` makes the leaderboard, ``preparing`` what it compares.
    """

    contest: Contest
    coefficients: tuple[str, ...]
    calibrated: tuple[str, ...]
    undefined: str
    call: str
    preparing: str
    data: tk.EvalSet
    adding: str

    @property
    def counted(self) -> tuple[str, ...]:
        """The coefficients that have a value in each group."""
        return tuple(name for name in self.coefficients if name not in tk.measures.SYSTEM_LEVEL)

    @property
    def system_level(self) -> tuple[str, ...]:
        """Those that compare systems, of all groups at once."""
        return tuple(name for name in self.coefficients if name in tk.measures.SYSTEM_LEVEL)

    @property
    def columns(self) -> list[str]:
        """The value columns, as the table shows them."""
        return [*self.counted, *(f"{name}*" for name in self.calibrated), *self.system_level]

    @property
    def probes(self) -> tuple[str, ...]:
        """Those of the metrics compared that are probes."""
        return tuple(name for name in self.contest.metrics if self.adding and name in tk.sentinels.PROBES)


def ask(data: tk.EvalSet) -> Question | None:
    """Let the user choose what is compared; None where a choice leaves nothing, with the reason on the page."""
    one, two, three = st.columns(3, gap="medium")
    with one:
        human = choose_human(data)
    with two:
        grouping = choose_grouping(data)
    with three:
        domain = choose_domain(data)
    st.markdown(f"Compared: {tk.GROUPINGS[grouping]}.")
    with st.expander("More choices: metrics, systems, coefficients, undefined groups, direction, rounding"):
        metrics = choose_many("Metrics", list(data.metrics), list(data.metrics), "shown_metrics")
        coefficients = choose_many("Coefficients", [*tk.COEFFICIENTS, *tk.measures.SYSTEM_LEVEL], USUAL, "coefficients")
        label = "Calibrated coefficients: ε* is fitted on these same data"
        starred = choose_many(label, calibrated_coefficients(), ["acc_eq"], "starred")
        exclude = leave_out(data)
        undefined = choose("Groups where a coefficient is undefined", POLICIES, "undefined", help=POLICY_HELP)
        common = toggle("Only translations that every metric has scored", "common_cells")
        probed = toggle("Rank probes too: scores that know only the source, the candidate or nothing", "probes")
        opened, data, adjusted = data, adjust(data), f"data{adjusting(metrics)}"
    if not coefficients and not starred:
        st.info("Choose at least one coefficient.")
        return None
    try:
        if probed:
            opened = data = tk.sentinels.with_probes(data, human, exclude=exclude)
            metrics += [name for name in data.metrics if name in tk.sentinels.PROBES and name not in metrics]
        contest = prepare(
            data,
            human,
            metrics=metrics,
            grouping=grouping,
            exclude=exclude,
            domain=domain,
            common_cells=common,
        )
    except tk.TiekitError as error:
        st.error(plain(str(error)))
        return None
    say_compared(contest, sum(name in tk.sentinels.PROBES for name in contest.metrics) if probed else 0)
    compared = {
        "": "data" if probed else adjusted,
        "human": f"{human!r}",
        "metrics": f"{metrics}",
        "grouping": f"{grouping!r}",
        "exclude": f"{exclude}",
        "domain": f"{domain!r}",
        "common_cells": f"{common}",
    }
    reported = {"coefficients": f"{coefficients}", "calibrated": f"{starred}", "undefined": f"{undefined!r}"}
    adding = f"data = tk.sentinels.with_probes({adjusted}, {human!r}, exclude={exclude})" if probed else ""
    calls = _call("tk.leaderboard", compared | reported), _call("prepare", compared)
    return Question(contest, tuple(coefficients), tuple(starred), undefined, *calls, opened, adding)


def _call(name: str, arguments: Mapping[str, str]) -> str:
    """A call as Python, an argument a line; one without a name comes first."""
    lines = [f"    {f'{key}=' if key else ''}{value},\n" for key, value in arguments.items()]
    return f"{name}(\n{''.join(lines)})"
