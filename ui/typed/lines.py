"""What did the user type? Examples fill lines of scores; the lines are read, checked and kept in the link."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar

import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.readers import parse_vector
from ui.link import controls, link
from ui.page import lecture
from ui.work.text import count_noun, exact, plain

Vectors: TypeAlias = list[tuple[float, ...]]
"""One tuple of scores per line."""

MAX_ITEMS, LONGEST_LINE = 100, 4_000
"""Maximum number of scores of a line, and of its characters."""

LARGEST = 1e100

Preset: TypeAlias = Mapping[str, Any]
T = TypeVar("T")


def offer_examples(
    page: str,
    keys: Sequence[str],
    examples: Mapping[str, Preset],
    as_state: Callable[[Preset], Mapping[str, Any]],
    *,
    also: Callable[[Preset], None] | None = None,
    unset: Mapping[str, Any] | None = None,
    own: Sequence[str] = (),
) -> None:
    """Let the user choose an example, which fills the page's lines; say what it is about.

    An example is recognized by the values that ``as_state`` gives of it to the page's widgets; ``also`` sets anything
    else. ``keys`` are those of the lines that the user types into; in those of ``own`` a change leaves what is said of
    the example. ``unset`` has the values of widgets before they are drawn, if not "".
    """
    now, key = st.session_state, f"{page}_example"

    def present(widget: str) -> Any:
        return link.of_page().value(widget, link.of_page().usual(widget, (unset or {}).get(widget, "")))

    states = {name: as_state(one) for name, one in examples.items()}

    def fits(values: Mapping[str, Any], besides: Sequence[str] = ()) -> bool:
        return all(present(at) == value for at, value in values.items() if at not in besides)

    now[key] = next((name for name, values in states.items() if fits(values)), None)

    def load() -> None:
        if now[key] and not typed_meanwhile(page, keys):
            now.update(states[now[key]])
            if also is not None:
                also(examples[now[key]])
            link.of_page().forget(page)

    note_lines(page, keys)
    st.selectbox("Start from an example", list(examples), key=key, placeholder="your own scores", on_change=load)
    lecture.walk(list(examples), key, load)
    told = now[key] or next((name for name, values in states.items() if own and fits(values, own)), None)
    mine = "These are your own scores, saved in the link."
    about = examples[told]["about"] if told else mine
    st.markdown(plain(about if told == now[key] else f"{about} The ranking is your own, saved in the link."))


def note_lines(page: str, keys: Sequence[str]) -> None:
    """Remember the lines of this run, and in the first one what they will take from the link."""
    st.session_state[f"{page}_lines"] = [link.of_page().value(key) for key in keys]


def typed_meanwhile(page: str, keys: Sequence[str]) -> bool:
    """Return whether a line has changed since the last run; then no example was chosen.

    While the user types fast, the browser may not know yet that the scores have changed, and sends the example again.
    """
    return st.session_state.get(f"{page}_lines") != [st.session_state.get(key) for key in keys]


def line(key: str, label: str, *, inside: str | None = None, is_used: bool = True) -> str:
    """Show a line for scores and return its text, which the link holds where the page starts with another.

    ``inside`` is the placeholder of an empty line; with it the label is hidden.
    """
    usual = str(link.of_page().usual(key))
    return st.text_input(
        label,
        usual,
        key=key,
        bind="query-params",
        max_chars=LONGEST_LINE,
        live="50ms",
        placeholder=inside or "such as 0 .5 1e-3 nan",
        label_visibility="collapsed" if inside else "visible",
        disabled=not is_used,
    )


def fitting_lines(page: str, labels: Mapping[str, str], names: Sequence[str], first: Sequence[str]) -> Vectors:
    """Show lines, the human's first, each with its message; return the last valid scores.

    ``labels`` by key, ``names`` for messages; ``first`` holds the lines that count until something valid was typed.
    """
    usual = [tuple(parse_vector(text)) for text in first]
    before = last_valid(page, usual)
    fits: list[list[float] | None] = []
    for (key, label), name, old in zip(labels.items(), names, before, strict=True):
        text = line(key, label)
        with st.container():
            if not fits:
                fits.append(read(text, name))
            else:
                fits.append(read_as_many(text, name, len(old if fits[0] is None else fits[0])))
    read_all = [tuple(scores) for scores in fits if scores is not None]
    return last_that_fits(page, read_all if len(read_all) == len(fits) else None, usual)


def last_that_fits(page: str, found: T | None, first: T, what: str = "scores") -> T:
    """Return what the lines hold; where they are invalid, the last valid scores, with a note.

    ``first`` counts until something valid was typed.
    """
    with st.container():
        if found is None:
            st.info(f"Until all lines fit, everything below shows the last {what} that did.")
            found = last_valid(page, first)
    return keep_valid(page, found)


def last_valid(page: str, first: T) -> T:
    """Return the last valid scores of a page's lines, also on another page; ``first`` where there are none yet."""
    kept: T = st.session_state.get(f"{page}_fits", first)
    return kept


def keep_valid(page: str, found: T) -> T:
    """Keep scores as the last valid ones of a page's lines, and return them."""
    st.session_state[f"{page}_fits"] = found
    return found


def read_as_many(text: str, name: str, size: int, then: str = "") -> list[float] | None:
    """Return a line's numbers, as many as h has; None, with the reason and ``then`` under it, if invalid.

    With ``then`` the line may be empty, as one that was just added: that is no error.
    """
    if then and not text.strip():
        st.caption(f"Type {count_noun(size, 'score')}, one for each of h. {then}")
        return None

    def parse_all() -> list[float]:
        scores = parse(text, name)
        if len(scores) != size:
            found = f"{name} has {count_noun(len(scores), 'score')} and h has {size}."
            raise tk.InputError(f"{found} Give one score per translation.{then and ' '}{then}")
        return scores

    return or_say(parse_all)


def or_say(read: Callable[[], T]) -> T | None:
    """Return what is read; None, with the message under the line, if it is invalid."""
    try:
        return read()
    except tk.InputError as error:
        st.error(plain(str(error)))
        return None


def read(text: str, name: str) -> list[float] | None:
    """Return the numbers of a line; None, with the message under it, if invalid."""
    return or_say(partial(parse, text, name))


def parse(text: str, name: str) -> list[float]:
    """Return the numbers of a line; raises `InputError` where it holds others, or too many or too large ones."""
    values = parse_vector(text, name)
    if len(values) > MAX_ITEMS:
        raise tk.InputError(
            f"{name} has {len(values)} scores; up to {MAX_ITEMS} are drawn. The leaderboard takes files."
        )
    large = [position for position, value in enumerate(values, 1) if abs(value) > LARGEST]
    if large:
        raise tk.InputError(f"{name}, score {large[0]} is beyond {LARGEST:g}, too large to be drawn.")
    return values


def threshold(candidates: list[float], key: str, label: str) -> float:
    """Show a slider over the observed differences; between them no pair changes.

    The user's choice is remembered, so that epsilon returns with a difference that disappears and returns.
    """
    options = [exact(value) for value in candidates]
    if link.of_page().is_restored:
        st.session_state.pop(f"{key}_wanted", None)
    asked = link.of_page().value(key, "0")
    wanted = str(st.session_state.setdefault(f"{key}_wanted", asked if link.is_number(str(asked)) else "0"))
    used = exact(max(value for value in candidates if value <= float(wanted)))
    if used != st.session_state.get(key):
        st.session_state[key] = used
    if len(options) < 2:
        st.markdown("No metric scores differ, so ε stays 0.")
        return 0.0

    def remember() -> None:
        st.session_state[f"{key}_wanted"] = st.session_state[key]
        controls.keep_choice(key, options[0])

    help_text = "The slider stops at the differences that occur; between two of them no pair changes."
    st.select_slider(label, options, key=key, bind="query-params", help=help_text, on_change=remember)
    return float(used)


def tally(counts: tk.PairCounts) -> str:
    """Return the five counts in words."""
    return ", ".join(f"{getattr(counts, kind)} {style[2]}" for kind, style in charts.KIND_STYLE.items())
