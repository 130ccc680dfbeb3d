"""Which segments does the user type, and which scores are tied by hand? The lines of the NaN page, and its tiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import streamlit as st

import tiekit as tk
from tiekit.core import average
from tiekit.figures import FIGURES, TITLE_OF_PUZZLE, nan_puzzle, tie_scores, worst
from ui.nan_problem.by_group import GroupValues
from ui.page import predict, question, stage
from ui.page.pages import Page
from ui.typed import lines
from ui.work import presets
from ui.work.text import format_number, plain, vector

FILE = "nan_presets.toml"
KEYS = {name: f"nan_{name.lower()}" for name in "ABC"}
"""The line of each metric by the name that it has unless another stands before a colon."""

LINES = ["nan_h", *KEYS.values()]
MOST_SEGMENTS = 12
NAME_LENGTH = 20

Segments: TypeAlias = list[list[float]]
"""One row per segment, with one score per system."""


class Typed(NamedTuple):
    """Typed segments: the human's, and those of each metric by its name."""

    human: Segments
    metrics: dict[str, Segments]


def _line_of(rows: Segments) -> str:
    """Segments as a line that `read` reads back."""
    return " | ".join(vector(row) for row in rows)


def _as_state(preset: Mapping[str, Any]) -> dict[str, str]:
    """An example as the values of the lines; that of a metric that it lacks is empty."""
    named = [
        _line_of(rows) if name == usual else f"{name}: {_line_of(rows)}"
        for usual, (name, rows) in zip(KEYS, preset["metrics"].items(), strict=False)
    ]
    named += [""] * (len(KEYS) - len(named))
    return {"nan_h": _line_of(preset["human"]), **dict(zip(KEYS.values(), named, strict=True))}


def starting_values() -> dict[str, str]:
    """Return the first example."""
    first = next(iter(presets.presets(FILE).values()))
    return _as_state(first) | {"nan_coefficient": first["coefficient"]}


def choose_example() -> None:
    """Let the user choose an example, which fills every line, sets the coefficient and has no ties of the user's."""

    def bring_coefficient(preset: Mapping[str, Any]) -> None:
        st.session_state["nan_coefficient"] = preset["coefficient"]
        stage.keep({"ties": []})

    lines.offer_examples("nan", LINES, presets.presets(FILE), _as_state, also=bring_coefficient)


def type_scores() -> Typed:
    """Let the user type a line for the human and for each metric; return the last valid scores."""
    st.markdown(
        "Separate segments with `|`; give one score per system, `nan` where one is missing. A metric's name may stand "
        "before a colon."
    )
    text = lines.line("nan_h", "Human scores, segment by segment")
    with st.container():
        human = lines.or_say(partial(read, text, "human"))
    metrics: dict[str, Segments | None] = {}
    for usual, key in KEYS.items():
        label = f"Scores of metric {usual}" + ", may be empty" * (usual == "C")
        text = lines.line(key, label)
        with st.container():
            name, _, scores = text.rpartition(":")
            name = name.strip() or usual
            if len(name) > NAME_LENGTH or name in metrics:
                same = f"Two metrics are called {plain(name)}: give each a name of its own."
                long = f"A name has up to {NAME_LENGTH} letters, found “{plain(name[:80])}”."
                st.error(same if name in metrics else long)
                metrics[usual] = None
            elif human is None:
                metrics[name] = None
            elif text or usual != "C":
                metrics[name] = lines.or_say(partial(read, scores, name, human))
    whole = {name: rows for name, rows in metrics.items() if rows is not None}
    first = next(iter(presets.presets(FILE).values()))
    fits = Typed(human, whole) if human is not None and len(whole) == len(metrics) else None
    return lines.last_that_fits("nan", fits, Typed(first["human"], first["metrics"]))


def as_evalset(human: Segments, metrics: Mapping[str, Segments]) -> tk.EvalSet:
    """Return typed segments as an evaluation set: systems in rows, segments in columns."""
    scores = np.array(human, float).T
    systems, segments = (tuple(str(number) for number in range(1, size + 1)) for size in scores.shape)
    given = {name: np.array(rows, float).T for name, rows in metrics.items()}
    return tk.EvalSet("typed", "", systems, segments, {"human": scores}, given)


def read(text: str, name: str, human: Segments | None = None) -> Segments:
    """Return the segments of a line, with equally many scores in each: of a metric, as many as the human's."""
    parts = text.strip().strip("|").split("|")
    if len(parts) > MOST_SEGMENTS:
        raise tk.InputError(
            f"{name} has {len(parts)} segments; up to {MOST_SEGMENTS} are shown. Open files further down."
        )
    rows = [lines.parse(part, f"{name}, segment {number}") for number, part in enumerate(parts, 1)]
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise tk.InputError(
                f"{name}, segment {number} has {len(row)} scores and segment 1 has {len(rows[0])}: give one for every "
                "system, nan where it is missing."
            )
    if len(rows[0]) < 2:
        raise tk.InputError(f"{name}: a segment needs the scores of at least two systems.")
    if human is not None and (len(rows), len(rows[0])) != (len(human), len(human[0])):
        raise tk.InputError(
            f"{name} has {len(rows)} segments of {len(rows[0])} systems, the human {len(human)} of {len(human[0])}: "
            "give the same number."
        )
    return rows


MOVING = stage.Moving("nan_tiles", "nan_explorer", {"ties": "ties"}, {"ties": []})
"""Whether a link's ties have the form of ties is seen at once, whether they fit the scores when these are known."""


def show_tiles(typed: Typed, entry: tk.Coefficient) -> tuple[Typed, Callable[[], str]]:
    """Show the tiles; return the scores with the user's ties, and what writes the tiles as a page of their own."""
    count = [str(number) for number in range(1, 1 + max(len(typed.human), len(typed.human[0])))]
    systems, segments = (count[:size] for size in (len(typed.human[0]), len(typed.human)))
    shown = nan_puzzle(typed.human, typed.metrics, entry, systems, segments)
    figure, goal = FIGURES["nan_explorer"], shown["goal"]
    rule = figure.rules["ties"]
    said = MOVING.read()["ties"][: len(systems) * len(segments)]  # a hostile browser says as much as it may
    shown["ties"] = ties = [one for one in said if rule.holds([one], shown)]
    stage.show(figure, shown, "nan_tiles", MOVING.keep)
    scores = {**typed.metrics, goal: tie_scores(typed.metrics[goal], ties)}
    made = f"Scores of the human and of {', '.join(typed.metrics)} on {len(typed.human)} segments."
    return Typed(typed.human, scores), partial(figure.page, shown, made, TITLE_OF_PUZZLE)


def explain(page: Page, typed: Typed, judged: GroupValues) -> None:
    """Explain the puzzle; the way to win only where it is won already, or where nobody has guessed."""
    has_won = judged.leaders("drop") == [worst(typed.human, typed.metrics, judged.entry)]
    question.explain(page, is_why_told=has_won or predict.prediction(question.key_of(page)) is None)


def reachable(human: Segments, metric: Segments) -> float:
    """Return the largest acc_eq that tying can reach: correct orderings stay, and all human ties become correct."""
    shares = []
    for row, scores in zip(human, metric, strict=True):
        counts = tk.count_pairs(row, scores)
        if counts.total:
            shares.append((counts.concordant + counts.ties_human + counts.ties_both) / counts.total)
    return float(np.mean(shares)) if shares else float("nan")


def say_bound(typed: Typed, tied: Typed) -> None:
    """Say what tying the worst metric's scores has changed under acc_eq, and what it can reach at most."""
    entry = tk.COEFFICIENTS["acc_eq"]
    name = worst(typed.human, typed.metrics, entry)
    start, now = (average(values(one.human, one.metrics[name], entry), "drop") for one in (typed, tied))
    best, others = reachable(typed.human, typed.metrics[name]), [one for one in typed.metrics if one != name]
    if np.isnan(start) or not others:
        return
    rival = max(average(values(typed.human, typed.metrics[one], entry), "drop") for one in others)
    text = (
        f"Under acc\\_eq every segment has a value. A tie can make only those pairs correct that the human ties too: "
        f"{plain(name)} starts at {format_number(start)}, has {format_number(now)} now and can reach at most "
        f"{format_number(best)}."
    )
    if best < rival:
        text += f" The best metric has {format_number(rival)}, so **no tying makes {plain(name)} win here**."
    st.markdown(text + " Where the human ties much, ties can raise raw acc\\_eq; so compare calibrated values.")


def values(human: Segments, metric: Segments, entry: tk.Coefficient) -> np.ndarray:
    """Return the coefficient segment by segment."""
    return np.array([entry.value(tk.count_pairs(h, m)) for h, m in zip(human, metric, strict=True)])
