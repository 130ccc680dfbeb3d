"""What does the user ask of an evaluation set? The choices that its pages share, and the leaderboard's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

import tiekit as tk
from tiekit.calibration.exact import HANDLE_TIES
from tiekit.ranking.board import POLICIES, Contest, prepare
from ui.base.text import plain
from ui.evalset import probes as probed
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
        return tuple(name for name in self.coefficients if name not in tk.SYSTEM_LEVEL)

    @property
    def system_level(self) -> tuple[str, ...]:
        """Those that compare systems, of all groups at once."""
        return tuple(name for name in self.coefficients if name in tk.SYSTEM_LEVEL)

    @property
    def columns(self) -> list[str]:
        """The value columns, as the table shows them."""
        return [*self.counted, *(f"{name}*" for name in self.calibrated), *self.system_level]

    @property
    def probes(self) -> tuple[str, ...]:
        """Those of the metrics compared that are probes."""
        return tuple(name for name in self.contest.metrics if self.adding and name in tk.PROBES)


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
        coefficients = choose_many("Coefficients", [*tk.COEFFICIENTS, *tk.SYSTEM_LEVEL], USUAL, "coefficients")
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
            opened = data = tk.with_probes(data, human, exclude=exclude)
            metrics += [name for name in data.metrics if name in tk.PROBES and name not in metrics]
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
    say_compared(contest, sum(name in tk.PROBES for name in contest.metrics) if probed else 0)
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
    adding = f"data = tk.with_probes({adjusted}, {human!r}, exclude={exclude})" if probed else ""
    calls = _call("tk.leaderboard", compared | reported), _call("prepare", compared)
    return Question(contest, tuple(coefficients), tuple(starred), undefined, *calls, opened, adding)


def _call(name: str, arguments: Mapping[str, str]) -> str:
    """A call as Python, an argument a line; one without a name comes first."""
    lines = [f"    {f'{key}=' if key else ''}{value},\n" for key, value in arguments.items()]
    return f"{name}(\n{''.join(lines)})"


def choose_human(data: tk.EvalSet) -> str:
    """The human score, the set's own first."""
    return choose("Human score", sorted(data.human, key=lambda name: name != data.gold), "human")


def choose_grouping(data: tk.EvalSet) -> str:
    """One of those that have groups, by item unless the link says otherwise."""
    names = [name.replace("_", " ") for name in sorted(groupings(data), key=lambda name: name != "item")]
    return choose("Which pairs are compared?", names, "grouping").replace(" ", "_")


def groupings(data: tk.EvalSet) -> list[str]:
    """Those that have groups: a table of two columns has one system, so only all its pairs."""
    return list(tk.GROUPINGS) if len(data.systems) > 1 else ["global", "system"]


def choose_domain(data: tk.EvalSet) -> str | None:
    """A domain; None for all."""
    domain = choose("Domain", ["all", *dict.fromkeys(data.domains)], "domain")
    return None if domain == "all" else domain


def leave_out(data: tk.EvalSet) -> list[str]:
    """Systems to leave out, as the user chooses."""
    return choose_many("Systems to leave out", data.systems, data.default_exclude, "exclude", help=_usual(data))


def adjust(data: tk.EvalSet) -> tk.EvalSet:
    """The scores turned round and rounded as the user chooses."""
    lower = choose_many("Metrics on which lower is better (negated here)", list(data.metrics), [], "lower")
    decimals = choose("Round all scores to so many decimals", ["not rounded", *map(str, range(16))], "decimals")
    return data.adjusted(lower_is_better=lower, decimals=int(decimals) if decimals.isdigit() else None)


def adjusting(metrics: Sequence[str]) -> str:
    """What `adjust` does to these metrics, as Python to be written behind the set; nothing where it does nothing."""
    lower = [name for name in st.session_state["lower"] if name in metrics]
    decimals = st.session_state["decimals"]
    arguments = [f"lower_is_better={lower}"] * bool(lower) + [f"decimals={decimals}"] * decimals.isdigit()
    return f".adjusted({', '.join(arguments)})" if arguments else ""


def say_compared(contest: Contest, probes: int = 0) -> None:
    """What is compared, and who is left out; so many of the metrics are probes."""
    chosen = contest.selection
    compared = f"{chosen['systems']} systems × {int(chosen['segments']):,} segments"
    st.markdown(
        f"**{compared}, {probed.how_many(len(contest.metrics), probes)}** "
        f"(left out: {plain(chosen['left_out'].replace(',', ', '))}; systems without this human score do not count)."
    )
    if int(chosen["systems"]) < 2 and contest.grouping != "system":
        st.info("Fewer than two systems have this human score, so there is little or nothing to compare.")


def calibrated_coefficients() -> list[str]:
    """Those that can be calibrated, the ones that calibration is made for first."""
    counted = [name for name, entry in tk.COEFFICIENTS.items() if entry.needs == "counts"]
    return sorted(counted, key=lambda name: (name not in HANDLE_TIES, name != "acc_eq"))


def _usual(data: tk.EvalSet) -> str:
    usual = plain(", ".join(data.default_exclude) or "nobody")
    return f"Usually left out here: {usual} (the standard reference and the organisers' outliers)."
