"""Which rankings does the user type? The lines of the page on judgments, and the figure where they are ranked anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit.figures import FIGURES
from ui.link import link
from ui.page import stage
from ui.typed import lines
from ui.work import presets
from ui.work.text import count_noun, exact, plain, vector

FILE = "judgment_presets.toml"
LETTERS = "ABCDE"
JUDGES = 6
LINES = [f"jud_j{number}" for number in range(1, JUDGES + 1)]
METRIC = "jud_metric"
COEFFICIENTS = ("tau_14", "tau_10", "tau_13", "acc_eq")
NAME_LENGTH = 20
LAST_RANK = 99


@dataclass(frozen=True)
class TypedRankings:
    """The typed rankings: a judge's name and ranks for each line, NaN where a translation is not ranked."""

    lines: tuple[tuple[str, tuple[float, ...]], ...]

    @property
    def letters(self) -> str:
        """The translations' names."""
        return LETTERS[: len(self.lines[0][1])]

    @cached_property
    def example(self) -> str | None:
        """The example with these judgments."""
        return next((name for name, preset in examples().items() if repr(of_preset(preset)) == repr(self)), None)

    @property
    def rows(self) -> list[tuple[str, str, dict[str, int]]]:
        """One row per ranked set: the judge, the segment and the rank of each translation."""
        return [
            (judge, "1", {name: int(rank) for name, rank in zip(self.letters, ranks, strict=True) if rank == rank})
            for judge, ranks in self.lines
        ]


def examples() -> dict[str, dict[str, Any]]:
    """Return the examples by name."""
    return presets.presets(FILE)


def of_preset(preset: Mapping[str, Any]) -> TypedRankings:
    """Return an example's judgments."""
    return TypedRankings(tuple(_split(text, number) for number, text in enumerate(preset["judges"], 1)))


def _split(text: str, number: int) -> tuple[str, tuple[float, ...]]:
    name, _, ranks = text.rpartition(":")
    return name.strip() or f"judge {number}", tuple(map(float, ranks.split()))


def _as_state(preset: Mapping[str, Any]) -> dict[str, str]:
    """An example as the values of the page's lines; those of judges that it lacks are empty."""
    given = preset["judges"] + [""] * (JUDGES - len(preset["judges"]))
    return dict(zip(LINES, given, strict=True)) | {METRIC: vector(preset["metric"])}


def open_page() -> None:
    """Start with what the link holds, or with the first example."""
    first = next(iter(examples().values()))
    link.of_page().fill("jud", _as_state(first) | {"jud_coefficient": first["coefficient"]}, {})


def choose_example() -> None:
    """Let the user choose an example, which fills every line and sets the coefficient."""

    def bring_coefficient(preset: Mapping[str, Any]) -> None:
        st.session_state["jud_coefficient"] = preset["coefficient"]

    lines.offer_examples("jud", (*LINES, METRIC), examples(), _as_state, also=bring_coefficient, own=[METRIC])


def type_rankings() -> TypedRankings:
    """Let the user type one line per judge; return the last valid rankings."""
    st.markdown(
        "One line per judge: ranks of A, B, C …, separated by blanks. **1 is the best**, equal ranks are a tie, `nan` "
        "is not ranked. A judge's name may stand before a colon; a judge with two lines ranked the translations twice."
    )
    found: list[tuple[str, tuple[float, ...]]] = []
    bad = False
    for number, key in enumerate(LINES, 1):
        text = lines.line(key, f"Judge {number}", inside=f"judge {number}: such as 1 2 2 3")
        with st.container():
            read = _read(text, number, len(found[0][1]) if found else None) if text.strip() else ()
        bad |= read is None
        found += [read] if read else []
    with st.container():
        if not found and not bad:
            st.error("No judge yet: type the ranks of at least two translations, such as 1 2 3.")
    first = of_preset(next(iter(examples().values())))
    typed = TypedRankings(tuple(found)) if found and not bad else None
    return lines.last_that_fits("jud", typed, first, "judgments")


def _read(text: str, number: int, size: int | None) -> tuple[str, tuple[float, ...]] | None:
    """A judge's name and ranks; None, with the message under the line, if they are invalid."""
    name, _, line = text.rpartition(":")
    name = name.strip() or f"judge {number}"
    who = f"line {number}"
    if len(name) > NAME_LENGTH:
        st.error(f"{who}: a name has up to {NAME_LENGTH} letters, found “{plain(name[:80])}”.")
        return None
    ranks = lines.read(line, who)
    if ranks is None:
        return None
    problem = _problem(ranks, size)
    if problem:
        st.error(f"{plain(who)}: {problem}.")
        return None
    return name, tuple(ranks)


def _problem(ranks: list[float], size: int | None) -> str:
    """What is wrong with a line of numbers; empty where nothing is."""
    given = count_noun(len(ranks), "rank")
    if size is not None and len(ranks) != size:
        return f"{given}, and the first judge has {size}; write nan where a translation is not ranked"
    if not 2 <= len(ranks) <= len(LETTERS):
        return f"{given}; rank two to {len(LETTERS)} translations"
    allowed = range(1, LAST_RANK + 1)
    bad = next((at for at, rank in enumerate(ranks, 1) if rank == rank and rank not in allowed), None)
    if bad:
        return f"rank {bad} is {plain(exact(ranks[bad - 1]))}; ranks are whole numbers from 1, the best, to {LAST_RANK}"
    if sum(rank == rank for rank in ranks) < 2:
        return "fewer than two translations are ranked, so nothing is compared"
    return ""


def type_metric(typed: TypedRankings) -> dict[str, float]:
    """Let the user type a metric's score for each translation; return the last valid scores of that number."""
    text = lines.line(METRIC, f"Your ranking as scores of {', '.join(typed.letters)}: higher is better")
    key = f"jud_metric_fits {len(typed.letters)}"
    with st.container():
        scores = lines.read(text, "your metric")
        problem = "" if scores is None else _metric_problem(scores, len(typed.letters))
        if problem:
            st.error(f"Your metric: {problem}.")
        if scores is None or problem:
            scores = st.session_state.get(key, [float(at) for at in range(len(typed.letters), 0, -1)])
            st.info(f"The results use {plain(vector(scores))}.")
    st.session_state[key] = scores
    return dict(zip(typed.letters, scores, strict=True))


def _metric_problem(scores: list[float], size: int) -> str:
    if len(scores) != size:
        return f"{count_noun(len(scores), 'score')} for {size} translations; give one per translation"
    if any(score != score for score in scores):
        return "a score is missing; give one to every translation"
    return ""


def show_figure(typed: TypedRankings, scores: dict[str, float], entry: tk.Coefficient) -> Callable[[], str]:
    """Show the figure; return what writes it as a page of its own."""
    figure = FIGURES["rerank"]
    shown = figure.data(typed.letters, typed.lines, [*scores.values()], entry)
    stage.show(figure, shown, "rerank", _hear)
    return partial(figure.page, shown, f"Ranks by {len(typed.lines)} judges of {', '.join(typed.letters)}.")


def _hear(said: dict[str, Any]) -> None:
    """Write the user's ranking into the line of the metric's scores, which the link keeps."""
    if "metric" in said:
        st.session_state[METRIC] = vector([float(score) for score in said["metric"]])
