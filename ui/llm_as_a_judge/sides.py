"""Which votes are compared? A file, two judges of it with a person or several people, and a tie threshold for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import streamlit as st

import tiekit as tk
from tiekit.core import Progress, part_of
from tiekit.figures import FIGURES
from tiekit.votes import OWN_VOTES, share_votes
from ui.link import own_data
from ui.link.controls import choose
from ui.page import stage
from ui.work import result_cache
from ui.work.text import plain

VotesFile: TypeAlias = own_data.OpenFile[tk.votes.Votes]
"""Votes and the file that they were read from."""

PEOPLE = ("person", "human", "expert", "author", "annotator", "arena_user", "worker")
"""How the names of people begin; the first that is there is compared with by default."""

NOBODY = "nobody"

ORDERS = {
    "each vote counts": "",
    "a disagreement is no vote": "omit",
    "a disagreement is a tie": "tie",
}
"""What becomes of a judge's votes in both orders, and the library's name for it."""


def choose_votes() -> VotesFile:
    """Let the user choose the sample or an upload; the sample until there is one, with the reason on the page."""
    label = (
        "File: JSON lines or a table with question_id, model_a, model_b, winner and judge, as MT-bench, Arena and "
        "AlpacaEval write them"
    )
    path = "votes/synthetic.csv"
    opened = own_data.choose_file("votes", "vote_source", path, label, tk.votes.read_votes)
    if opened is None:
        st.info("The figure shows the bundled sample until a file of votes has been read.")
    return opened or own_data.open_sample(path, tk.votes.read_votes)


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
    opened: VotesFile | None = None

    @property
    def file(self) -> VotesFile:
        """The file that the votes were read from, of the visitor who looks at them."""
        assert self.opened is not None
        return self.opened

    @property
    def key(self) -> tuple[str, ...]:
        """What all numbers but those at a threshold depend on."""
        return self.file.read.digest, self.human_name, *self.judges, self.disagreement


MOST_JUDGES, MOST_OFFERED = 20_000, 500
"""Maximum number of judges of a file, and of names for them to choose from: a browser gets all of these."""


def choose_sides(opened: VotesFile) -> Sides | None:
    """Let the user choose people and judges; None where no vote of a judge is about the same answers."""
    number, names = len(opened.read.judges), list[str]()
    if number <= MOST_JUDGES:
        names = labels(opened.read.judges)
        number = len(names)
    most = MOST_OFFERED if names else MOST_JUDGES
    if number > most:
        kinds = ", where names that differ in a number count once" if names else ""
        st.info(f"These votes are of {number:,} judges{kinds}; the page offers up to {most:,}. Compare them in Python.")
        return None
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
    key = "sides of votes", opened.read.digest, human_name, *chosen, how
    tasks = {"votes on the same answers": (key, partial(_take_sides, opened.read, human_name, chosen, how))}
    sides = result_cache.compute("Matching votes", tasks, briefly=True).get("votes on the same answers")
    if not isinstance(sides, Sides):
        if sides is not None:
            st.info(plain(sides))
        return None
    if sides.left_out:
        st.markdown(f"**Both judges are compared on {plain(sides.left_out)}.** The checklists report all votes.")
    return replace(sides, opened=opened)


def _take_sides(votes: tk.votes.Votes, human_name: str, chosen: list[str], how: str, progress: Progress) -> Sides | str:
    """The votes of each side, or why there is nothing to compare."""
    human, orders = votes.by(human_name), {name: votes.by(name) for name in chosen}
    judges, silent = {}, []
    try:
        for place, (name, own) in enumerate(orders.items()):
            progress(place / (2 * len(orders)))
            judges[name] = tk.votes.resolve_orders(own, how) if how else own
            silent += [] if tk.votes.agreement(judges[name], human).n else [name]
        shared = share_votes(judges, human, "own" if silent else "common", progress=part_of(progress, 1, 2))
    except tk.InputError as error:
        problem, sign, _ = str(error).partition(f"; {OWN_VOTES}")
        return problem + "." * bool(sign)
    if silent:
        return f"Of {silent[0]} only abstentions are left, so there is nothing to compare."
    compared = dict(zip(judges, shared.judges, strict=True))
    return Sides(judges, compared, shared.gaps, human, human_name, orders, how)


def labels(judges: Iterable[str]) -> list[str]:
    """Names of judges; those that differ in a number alone are one pattern, such as expert_*."""
    bare = {name: name.rstrip("0123456789") for name in judges}
    starts = {name: name if start in ("", name) else start.rstrip("_-") or start for name, start in bare.items()}
    numbers = Counter(starts.values())
    places = {start: place for place, start in enumerate(numbers)}  # in the order of their first names
    together = sorted(starts, key=lambda name: places[starts[name]])
    return list(dict.fromkeys(f"{starts[name]}*" if numbers[starts[name]] > 2 else name for name in together))


MOVING = stage.Moving("tie threshold", "judge_votes", {"threshold": "vote_tie"}, {"threshold": 0.0})
"""Where the sliders stand: a number for all judges, or a list with one for each."""


def show_figure(sides: Sides) -> tuple[dict[str, float], Callable[[], str]] | None:
    """Show the figure; return each judge's threshold, and what writes the figure as a page of its own.

    None where the visitor has canceled its computation.
    """
    figure = FIGURES["judge_votes"]
    moved = MOVING.read()["threshold"]
    wanted = moved if isinstance(moved, list) else [moved] * len(sides.judges)
    wanted = [*wanted, *[0.0] * len(sides.judges)][: len(sides.judges)]
    judges, human, name, orders = sides.judges, sides.human, sides.human_name, sides.orders
    tasks = {
        "each tie threshold": (
            ("judge votes", *sides.key),
            lambda progress: figure.data(judges, human, name, orders=orders, progress=progress),
        )
    }
    found: dict[str, Any] | None = result_cache.compute("Comparing judges", tasks).get("each tie threshold")
    if found is None:
        return None
    data = {**found, "threshold": wanted}
    stage.show(figure, data, "judge_votes", _hear)
    made = f"Votes of {', '.join(sides.judges)} and {sides.human_name}, {sides.file.name}."
    limits = {
        judge["name"]: float(min((step["epsilon"] for step in judge["steps"]), key=lambda one: abs(one - threshold)))
        for judge, threshold in zip(data["judges"], wanted, strict=True)
    }
    return limits, partial(figure.page, data, made)


def _hear(said: dict[str, Any]) -> None:
    """Keep where the sliders stand."""
    if "threshold" in said:
        MOVING.keep({"threshold": said["threshold"] if np.any(said["threshold"]) else MOVING.usual["threshold"]})
