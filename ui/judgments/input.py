"""Which rankings does the user type? The judgments page's examples, a line a judge, kept in the link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import streamlit as st

from ui.base import presets
from ui.base.text import exact, plain, vector
from ui.link import controls, link
from ui.typed import lines

FILE = "judgment_presets.toml"
LETTERS = "ABCDE"
JUDGES = 6
LINES = [f"jud_j{number}" for number in range(1, JUDGES + 1)]
METRIC = "jud_metric"
COEFFICIENTS = ("tau_14", "tau_10", "tau_13", "acc_eq")
NAME_LENGTH = 20
LAST_RANK = 99


@dataclass(frozen=True)
class Typed:
    """What is typed: a judge's name and ranks for each line, NaN where a translation is not ranked."""

    lines: tuple[tuple[str, tuple[float, ...]], ...]

    @property
    def letters(self) -> str:
        """The translations' names."""
        return LETTERS[: len(self.lines[0][1])]

    @cached_property
    def example(self) -> str | None:
        """The example whose judgments these are."""
        return next((name for name, preset in examples().items() if repr(of_preset(preset)) == repr(self)), None)

    @property
    def rows(self) -> list[tuple[str, str, dict[str, int]]]:
        """Judge, segment and the ranks by translation: a ranked set a row."""
        return [
            (judge, "1", {name: int(rank) for name, rank in zip(self.letters, ranks, strict=True) if rank == rank})
            for judge, ranks in self.lines
        ]


def examples() -> dict[str, dict[str, Any]]:
    """The examples by name."""
    return presets.presets(FILE)


def of_preset(preset: Mapping[str, Any]) -> Typed:
    """An example's judgments."""
    return Typed(tuple(_split(text, number) for number, text in enumerate(preset["judges"], 1)))


def _split(text: str, number: int) -> tuple[str, tuple[float, ...]]:
    name, _, ranks = text.rpartition(":")
    return name.strip() or f"judge {number}", tuple(map(float, ranks.split()))


def _as_state(preset: Mapping[str, Any]) -> dict[str, str]:
    """An example as the values of the page's lines; those of judges that it has not are empty."""
    given = preset["judges"] + [""] * (JUDGES - len(preset["judges"]))
    return dict(zip(LINES, given, strict=True)) | {METRIC: vector(preset["metric"])}


def open_page(in_link: Mapping[str, Any]) -> None:
    """Start from the link, or from the first example; a link with judges may leave out the lines of further ones."""
    first = next(iter(examples().values()))
    values = _as_state(first) | {"jud_coefficient": first["coefficient"]}
    if link.of_page().has_any(LINES):
        values |= dict.fromkeys(LINES, "")
    link.of_page().fill("jud", values, in_link)


def choose_example() -> None:
    """Offer the examples; one fills every line and brings its coefficient."""
    now = st.session_state
    present = {key: now.get(key, "") for key in (*LINES, METRIC)}
    judged = {name: _as_state(preset) for name, preset in examples().items()}
    now["jud_example"] = next((name for name, values in judged.items() if present == values), None)

    def load(preset: Mapping[str, Any]) -> None:
        now.update(_as_state(preset) | {"jud_coefficient": preset["coefficient"]})

    lines.offer_examples("jud", (*LINES, METRIC), examples(), load)


def type_rankings() -> Typed:
    """A line for each judge, with its message; while they do not fit, the last that did."""
    st.markdown(
        "A line a judge: ranks for A, B, C … with blanks between, **1 is the best**, equal ranks are a tie, `nan` is "
        "not ranked. A name may stand before a colon; who has two lines ranked the translations twice."
    )
    found: list[tuple[str, tuple[float, ...]]] = []
    bad = False
    for number, key in enumerate(LINES, 1):
        text = _line(key, number)
        with st.container():
            read = _read(text, number, len(found[0][1]) if found else None) if text.strip() else ()
        bad |= read is None
        found += [read] if read else []
    now = st.session_state
    with st.container():
        if not found and not bad:
            st.error("No judge yet: type the ranks of at least two translations, such as 1 2 3.")
        if bad or not found:
            st.info("Until all lines fit, everything below shows the last judgments that did.")
            last: Typed = now.get("jud_fits") or of_preset(next(iter(examples().values())))
            return last
    now["jud_fits"] = typed = Typed(tuple(found))
    return typed


def _line(key: str, number: int) -> str:
    st.session_state.setdefault(key, "")
    return st.text_input(
        f"Judge {number}",
        key=key,
        bind="query-params",
        live="50ms",
        label_visibility="collapsed",
        placeholder=f"judge {number}: such as 1 2 2 3",
        on_change=controls.link_together,
        args=(LINES,),
    )


def _read(text: str, number: int, size: int | None) -> tuple[str, tuple[float, ...]] | None:
    """A judge's name and ranks, or None with the message under the line."""
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
    given = f"{len(ranks)} rank{'s' * (len(ranks) != 1)}"
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


def type_metric(typed: Typed) -> dict[str, float]:
    """The scores of a metric of one's own by translation; while they do not fit, the last that did for as many."""
    text = lines.line(METRIC, f"Your metric's scores for {', '.join(typed.letters)}: higher is better")
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
        return f"{len(scores)} score{'s' * (len(scores) != 1)} for {size} translations; give as many"
    if any(score != score for score in scores):
        return "a score is missing; give one to every translation"
    return ""
