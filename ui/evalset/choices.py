"""What does the user ask of an evaluation set? The choices that its pages share, and the leaderboard's own."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import tiekit as tk
from tiekit.ranking.contest import Contest
from ui.base.text import plain
from ui.evalset import probes as probed
from ui.link.controls import choose, choose_many


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
    counted = [name for name, entry in tk.COEFFICIENTS.items() if entry.takes_epsilon]
    return sorted(counted, key=lambda name: (not tk.COEFFICIENTS[name].handles_ties, name != "acc_eq"))


def _usual(data: tk.EvalSet) -> str:
    usual = plain(", ".join(data.default_exclude) or "nobody")
    return f"Usually left out here: {usual} (the standard reference and the organisers' outliers)."
