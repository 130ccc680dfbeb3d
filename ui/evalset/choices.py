"""What does the user choose in an evaluation set? The choices that several pages share."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit.core import DEFAULT_GROUPING, DOCUMENT_GROUPINGS
from ui.evalset import largest
from ui.evalset.selection import Adjustment
from ui.link.controls import choose, choose_many
from ui.work import presets
from ui.work.text import plain


def choose_scope(data: tk.EvalSet, *columns: AbstractContextManager[Any]) -> tuple[str, str, str | None]:
    """Let the user choose the human score, the grouping and the domain, each in a column."""
    for_human, for_grouping, for_domain = columns
    with for_human:
        human = choose_human(data)
    with for_grouping:
        grouping = choose_grouping(data)
    with for_domain:
        domain = choose_domain(data)
    return human, grouping, domain


def choose_human(data: tk.EvalSet) -> str:
    """Let the user choose the human score; the set's gold score comes first."""
    return choose("Human score", sorted(data.human, key=lambda name: name != data.gold), "human")


def choose_grouping(data: tk.EvalSet, key: str = "grouping", first: str = DEFAULT_GROUPING) -> str:
    """Let the user choose a grouping; by document where the set has documents."""
    offered = sorted(all_groupings(data), key=lambda name: name != first)
    return choose("Which pairs are compared?", [name.replace("_", " ") for name in offered], key).replace(" ", "_")


def all_groupings(data: tk.EvalSet) -> list[str]:
    """Return the groupings that make sense, and by document where the set has documents."""
    return [*groupings(data), *(DOCUMENT_GROUPINGS if data.documents else ())]


def groupings(data: tk.EvalSet) -> list[str]:
    """Return the groupings that make sense: with one system only those that compare its own scores."""
    return list(tk.GROUPINGS) if len(data.systems) > 1 else ["global", "system"]


def choose_domain(data: tk.EvalSet) -> str | None:
    """Let the user choose a domain, one of the largest; None for all."""
    domains, number = largest.domains_of(data)
    domain = choose("Domain", ["all", *domains], "domain")
    if said := largest.say_largest(number, "domains", "offered"):
        st.caption(said)
    return None if domain == "all" else domain


def choose_excluded(data: tk.EvalSet) -> tuple[str, ...]:
    """Let the user choose systems to leave out."""
    return tuple(choose_many("Systems to leave out", data.systems, data.default_exclude, "exclude", help=_usual(data)))


def choose_adjustment(data: tk.EvalSet) -> Adjustment:
    """Let the user say on which scores lower is better, and to how many decimals scores are rounded."""
    names = list(dict.fromkeys([*data.metrics, *data.human]))
    lower = choose_many("Scores on which lower is better (negated here)", names, [], "lower")
    decimals = choose("Round all scores to … decimals", ["not rounded", *map(str, range(16))], "decimals")
    return Adjustment(tuple(lower), int(decimals) if decimals.isdigit() else None)


def choose_metrics(data: tk.EvalSet) -> tuple[str, ...]:
    """Let the user choose metrics; all at first."""
    return tuple(choose_many("Metrics", list(data.metrics), list(data.metrics), "shown_metrics"))


def are_too_many(number: int) -> bool:
    """Return whether every two of so many metrics are more than a page compares, and say so."""
    if number > presets.MOST_COMPARED:
        most = presets.MOST_COMPARED
        st.info(
            f"Up to {most} metrics are tested against each other, and these are {number}. Choose fewer, or test them "
            "in Python."
        )
    return number > presets.MOST_COMPARED


def calibrated_coefficients() -> list[str]:
    """Return the coefficients that can be calibrated, first those that handle ties."""
    counted = [name for name, entry in tk.COEFFICIENTS.items() if entry.takes_epsilon]
    return sorted(counted, key=lambda name: (not tk.COEFFICIENTS[name].handles_ties, name != "acc_eq"))


def choose_calibrated(label: str, key: str) -> str:
    """Let the user choose a coefficient that can be calibrated."""
    return choose(label, calibrated_coefficients(), key, printed=tk.charts.label_of)


def _usual(data: tk.EvalSet) -> str:
    usual = plain(", ".join(data.default_exclude) or "nobody")
    return f"Usually left out here: {usual} (the standard reference and the organizers' outliers)."
