"""What changes in the browser without the server? The toy lab's figure: what it is given, and what the user did."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit.figures import FIGURES, is_finite, origin_of_scores
from ui.link import link
from ui.page import lecture, pages, question, stage
from ui.toy_lab.inputs import NUMBERS, SCORES, Toy, is_own, lead
from ui.work.text import exact, vector

MEANWHILE = 2.0
"""Seconds after a run in which a line may return to an old text because the browser had not yet received the new one.

They are counted from when the run has drawn the line, however long the server was busy before. They end early when the
browser sends the new text, or one that the user has typed.
"""

HELD = {"pair": "lab_pair", "step": "lab_step", "eps_of": "eps_of"}
"""What the link holds beside the lines, and the session's key for it."""


def open_link() -> None:
    """Read the chosen pair, the step and the line that ε is of from the link; call it before any line is drawn."""
    valid: dict[str, Callable[[str], bool]] = {
        "pair": lambda text: _pair(text) is not None,
        "step": lambda text: text.isdecimal() and len(text) < 5,
        "eps_of": lambda text: text in NUMBERS,
    }
    link.of_page().fill("lab", {}, valid)
    now = st.session_state
    if link.of_page().is_restored:
        for key in ("lab_pair", "lab_step", "lab_written", "eps_of"):
            now.pop(key, None)
    for key, test in valid.items():
        found = link.of_page().text(key)
        now.setdefault(HELD[key], found if test(found) else "")
    _put_back(is_just_heard=now.pop("lab_just_heard", False))


def _pair(text: str) -> list[int] | None:
    """Two items, counted from 0, of a link's "2-4"."""
    first, dash, second = text.partition("-")
    if not (dash and first.isdecimal() and second.isdecimal() and len(text) < 9):
        return None
    pair = [int(first) - 1, int(second) - 1]
    return pair if 0 <= pair[0] < pair[1] else None


def _put_back(is_just_heard: bool = False) -> None:
    """Write what was dragged again where the browser has sent an old text; forget it where it has sent another.

    The new text itself is from the browser unless a figure was just heard; the run that heard it may have been stopped,
    and the one that follows may hold an old text.
    """
    now = st.session_state
    if time.monotonic() - now.get("lab_drawn_at", 0.0) > MEANWHILE:
        now["lab_written"] = {}
    written = now.get("lab_written", {}).items()
    stale = {key: texts for key, texts in written if now.get(key) in (texts if is_just_heard else texts[:-1])}
    now["lab_written"] = stale
    now.update({key: texts[-1] for key, texts in stale.items()})


def show(toy: Toy) -> None:
    """Show the interactive part."""
    st.session_state["lab_drawn_at"] = time.monotonic()
    stage.show(FIGURES["lab"], _data(toy), "lab", _hear, also={"scores": _are_scores})
    st.session_state["lab_slots"] = toy.slots
    for key, held in HELD.items():
        link.of_page().write(key, st.session_state[held])


def say_answer(toy: Toy, title: str) -> None:
    """Say on how many coefficients each metric is better, where the scores are those that the page asks about."""
    page = pages.find(title)
    if question.is_answered() and not lead():
        first, second = count_wins(toy).values()
        question.say(page, m1_wins=first, m2_wins=second)


def count_wins(toy: Toy) -> dict[str, int]:
    """Return on how many coefficients each of the metrics has the highest value alone, if only equal scores tie."""
    wins = dict.fromkeys(toy.metrics, 0)
    for name in tk.COEFFICIENTS:
        values = {of: tk.correlate(toy.human, scores, name).value for of, scores in toy.metrics.items()}
        first = [of for of, value in values.items() if value == max(values.values())]
        if len(first) == 1:
            wins[first[0]] += 1
    return wins


def as_page(toy: Toy) -> Callable[[], str]:
    """Return what writes the interactive part, as it is now, as a page of its own."""
    return partial(FIGURES["lab"].page, _data(toy) | {"folded": False}, origin_of_scores(toy.human, toy.metrics))


def _data(toy: Toy) -> dict[str, Any]:
    """What the interactive part shows."""
    now = st.session_state
    data: dict[str, Any] = FIGURES["lab"].data(
        toy.human,
        toy.metrics,
        toy.epsilon,
        toy.chosen,
        slots=toy.slots,
        pair=_pair(now["lab_pair"]),
        step=int(now["lab_step"]) if now["lab_step"] else None,
    )
    return {**data, "folded": not lecture.is_on(), "typed": is_own()}


def _are_scores(value: Any) -> bool:
    """Whether a value is scores of items, counted from 0, by the lines in which they stand."""
    return isinstance(value, dict) and all(
        isinstance(items, dict) and items and all(map(_is_place, items)) and all(map(is_finite, items.values()))
        for items in value.values()
    )


def _is_place(item: str) -> bool:
    return item.isascii() and item.isdecimal() and len(item) < 4


def _hear(said: dict[str, Any]) -> None:
    """Take over what was dragged or chosen: scores into their lines, epsilon into its field, the rest into the link."""
    now = st.session_state
    _put_back()
    new = {
        key: _move_items(now.get(key, ""), {int(item): float(score) for item, score in items.items()})
        for key, items in said.get("scores", {}).items()
        if key in SCORES
    }
    if "epsilon" in said:
        new["eps"] = exact(float(said["epsilon"]))
    for key, text in new.items():
        if text != now.get(key):
            now["lab_written"][key] = [*now["lab_written"].get(key, [now.get(key)]), text]
    now["lab_drawn_at"], now["lab_just_heard"] = time.monotonic(), True
    now.update(new)
    if said.get("epsilon_of") in now.get("lab_slots", {}):
        now["eps_of"] = str(now["lab_slots"][said["epsilon_of"]])
    if "pair" in said:
        now["lab_pair"] = "-".join(str(item + 1) for item in said["pair"] or ())
    if "step" in said:
        now["lab_step"] = "" if said["step"] is None else str(said["step"])


def _move_items(line: str, items: dict[int, float]) -> str:
    """A line with new scores of items; unchanged if it has them already or was edited meanwhile."""
    try:
        scores = tk.parse_vector(line)
    except tk.InputError:
        return line
    if max(items) >= len(scores) or all(scores[item] == score for item, score in items.items()):
        return line
    for item, score in items.items():
        scores[item] = score
    return vector(scores)
