"""Who is compared with whom? Two judges with a person, or with several people as one side."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import streamlit as st

import tiekit as tk
from tiekit.votes import OWN_VOTES, share_votes
from ui.link.controls import choose
from ui.llm_as_a_judge.sources import VotesFile
from ui.work import result_cache
from ui.work.text import plain

PEOPLE = ("person", "human", "expert", "author", "annotator", "arena_user", "worker")
"""How the names of people begin; the first that is there is compared with by default."""

NOBODY = "nobody"
NUMBERED = re.compile(r"(.+?)[_-]?\d+")

ORDERS = {
    "each vote counts": "",
    "a disagreement is no vote": "omit",
    "a disagreement is a tie": "tie",
}
"""What becomes of a judge's votes in both orders, and the library's name for it."""


@dataclass(frozen=True)
class Sides:
    """What is compared: judges by name, people, and the judges' votes in both orders.

    ``compared`` are the votes of ``judges`` that are compared, and ``left_out`` says whose missing votes cost how many.
    """

    judges: dict[str, tk.votes.Votes]
    compared: dict[str, tk.votes.Votes]
    left_out: str
    human: tk.votes.Votes
    human_name: str
    orders: dict[str, tk.votes.Votes]
    disagreement: str
    opened: VotesFile

    @property
    def key(self) -> tuple[str, ...]:
        """What all numbers but those at a threshold depend on."""
        return self.opened.votes.digest, self.human_name, *self.judges, self.disagreement


def choose_sides(opened: VotesFile) -> Sides | None:
    """Let the user choose people and judges; None where no vote of a judge is about the same answers."""
    names = labels(opened.votes.judges)
    if len(names) < 2:
        st.info("All votes of this file are of one judge. Give a file that also holds votes to compare with.")
        return None
    first = next((name for start in PEOPLE for name in names if name.casefold().startswith(start)), names[0])
    one, two, three, four = st.columns(4, gap="medium")
    with one:
        human_name = choose("Compare with", [first, *(name for name in names if name != first)], "vote_human")
    rest = [name for name in names if name != human_name]
    with two:
        judge = choose("First judge", rest, "vote_first")
    with three:
        second = choose("Second judge", [*(name for name in rest if name != judge), NOBODY], "vote_second")
    with four:
        how = ORDERS[choose("Votes in both orders", list(ORDERS), "vote_orders")]
    chosen = [judge, *([second] if second != NOBODY else [])]
    key = "sides of votes", opened.votes.digest, human_name, *chosen, how
    try:
        sides, silent = result_cache.once(key, lambda: _take_sides(opened, human_name, chosen, how))
    except tk.InputError as error:
        problem, sign, _ = str(error).partition(f"; {OWN_VOTES}")
        st.info(plain(problem) + "." * bool(sign))
        return None
    if silent:
        st.info(f"Of {plain(silent[0])} only abstentions are left, so there is nothing to compare.")
        return None
    if sides.left_out:
        st.markdown(f"**Both judges are compared on {plain(sides.left_out)}.** The checklists report all votes.")
    return replace(sides, opened=opened)


def _take_sides(opened: VotesFile, human_name: str, chosen: list[str], how: str) -> tuple[Sides, list[str]]:
    """The votes of each side, and the judges of whom only abstentions are left."""
    human, orders = opened.votes.by(human_name), {name: opened.votes.by(name) for name in chosen}
    judges = {name: tk.votes.resolve_orders(votes, how) if how else votes for name, votes in orders.items()}
    silent = [name for name, votes in judges.items() if not tk.votes.agreement(votes, human).n]
    shared = share_votes(judges, human, "own" if silent else "common")
    compared = dict(zip(judges, shared.judges, strict=True))
    return Sides(judges, compared, shared.gaps, human, human_name, orders, how, opened), silent


def labels(judges: Iterable[str]) -> list[str]:
    """Names of judges; those that differ in a number alone are one pattern, such as expert_*."""
    found: dict[str, list[str]] = {}
    for name in judges:
        match = NUMBERED.fullmatch(name)
        found.setdefault(match[1] if match else name, []).append(name)
    patterns = {start: f"{start}*" for start, names in found.items() if len(names) > 2}
    return [
        patterns.get(start, name)
        for start, names in found.items()
        for name in (names[:1] if start in patterns else names)
    ]
