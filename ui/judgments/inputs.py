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
    judges = (_split(text, number) for number, text in enumerate(preset["judges"], 1))
    return TypedRankings(tuple((name, tuple(map(float, ranks.split()))) for name, ranks in judges))


def _split(text: str, number: int) -> tuple[str, str]:
    """A judge's name and the ranks behind it."""
    name, _, ranks = text.rpartition(":")
    return name.strip() or f"judge {number}", ranks


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
    found: list[tuple[str, tuple[float, ...]] | None] = []
    for number, key in enumerate(LINES, 1):
        text = lines.line(key, f"Judge {number}", inside=f"judge {number}: such as 1 2 2 3")
        size = next((len(ranks) for _, ranks in filter(None, found)), None)
        with st.container():
            if text.strip():
                found.append(lines.or_say(partial(_read, text, number, size)))
    with st.container():
        if not found:
            st.error("No judge yet: type the ranks of at least two translations, such as 1 2 3.")
    first, judges = of_preset(next(iter(examples().values()))), tuple(judge for judge in found if judge)
    typed = TypedRankings(judges) if judges and len(judges) == len(found) else None
    return lines.last_that_fits("jud", typed, first, "judgments")


def _read(text: str, number: int, size: int | None) -> tuple[str, tuple[float, ...]]:
    """A judge's name and ranks; raises `InputError` where they are invalid."""
    name, line = _split(text, number)
    ranks = lines.parse(line, f"line {number}")
    given, allowed = count_noun(len(ranks), "rank"), range(1, LAST_RANK + 1)
    bad = next((at for at, rank in enumerate(ranks, 1) if rank == rank and rank not in allowed), None)
    if len(name) > NAME_LENGTH:
        problem = f"a name has up to {NAME_LENGTH} letters, found “{name[:80]}”"
    elif size is not None and len(ranks) != size:
        problem = f"{given}, and the first judge has {size}; write nan where a translation is not ranked"
    elif not 2 <= len(ranks) <= len(LETTERS):
        problem = f"{given}; rank two to {len(LETTERS)} translations"
    elif bad:
        problem = f"rank {bad} is {exact(ranks[bad - 1])}; ranks are whole numbers from 1, the best, to {LAST_RANK}"
    elif sum(rank == rank for rank in ranks) < 2:
        problem = "fewer than two translations are ranked, so nothing is compared"
    else:
        return name, tuple(ranks)
    raise tk.InputError(f"line {number}: {problem}.")


def type_metric(typed: TypedRankings) -> dict[str, float]:
    """Let the user type a metric's score for each translation; return the last valid scores of that number."""
    text = lines.line(METRIC, f"Your ranking as scores of {', '.join(typed.letters)}: higher is better")
    key = f"jud_metric_fits {len(typed.letters)}"
    size = len(typed.letters)

    def parse() -> list[float]:
        scores = lines.parse(text, "your metric")
        if len(scores) != size:
            given = count_noun(len(scores), "score")
            raise tk.InputError(f"Your metric: {given} for {size} translations; give one per translation.")
        if any(score != score for score in scores):
            raise tk.InputError("Your metric: a score is missing; give one to every translation.")
        return scores

    with st.container():
        scores = lines.or_say(parse)
        if scores is None:
            scores = st.session_state.get(key, [float(at) for at in range(size, 0, -1)])
            st.info(f"The results use {plain(vector(scores))}.")
    st.session_state[key] = scores
    return dict(zip(typed.letters, scores, strict=True))


def show_figure(typed: TypedRankings, scores: dict[str, float], entry: tk.Coefficient) -> Callable[[], str]:
    """Show the figure; return what writes it as a page of its own."""
    figure = FIGURES["rerank"]
    shown = figure.data(typed.letters, typed.lines, [*scores.values()], entry)
    stage.show(figure, shown, "rerank", partial(_hear, len(typed.letters)))
    return partial(figure.page, shown, f"Ranks by {len(typed.lines)} judges of {', '.join(typed.letters)}.")


def _hear(size: int, said: dict[str, Any]) -> None:
    """Write the user's ranking of so many systems into the line of the metric's scores, which the link keeps."""
    if len(said.get("metric", ())) == size:
        st.session_state[METRIC] = vector([float(score) for score in said["metric"]])
