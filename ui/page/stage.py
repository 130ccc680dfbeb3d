"""Which picture opens a page? A figure of `tiekit.widgets` that moves in the browser, and what the user did with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from tiekit.figures import FIGURES, Figure, Rule
from ui.link import link
from ui.page import lecture, question
from ui.present import presenting
from ui.work import result_cache

HEADER = "0.5rem"
"""The height of Streamlit's own bar, below which a figure's bar stays in view; a narrow window has only its menu."""

HEARS = "stages hear"
"""The key of the session's functions that take what figures say, by the figures' keys."""

LONGEST = 1_000
"""Maximum number of characters of a text that is kept of what a figure says."""

SERIAL = Rule("whole", 0, 2**53)
"""What numbers the messages of a figure."""

STYLE = f".figure {{ --bar-top: {HEADER}; }} @media (max-width: 700px) {{ .figure {{ --bar-top: 0px; }} }}"


def show(
    figure: Figure,
    data: Mapping[str, Any],
    key: str,
    hear: Callable[[dict[str, Any]], None],
    large: Mapping[str, Hashable] | None = None,
    also: Mapping[str, Callable[[Any], bool]] | None = None,
) -> None:
    """Show a figure of `tiekit.figures`, with ``data`` as JSON takes it; no two figures of the app share a key.

    ``hear`` takes what the user changed, by name, before the next run: all changes that no run has answered yet, and
    perhaps the same ones twice. What keeps no rule of the figure in any data is dropped; ``also`` says by name whether
    a value holds that the rules do not name. ``large`` names values of the data that are written as JSON once for all
    visitors, each with what it depends on: written in every run, the curves of 24 metrics cost a tenth of it.
    """
    texts = {
        name: result_cache.once(("stage", key, name, identity), partial(json.dumps, data[name], allow_nan=False))
        for name, identity in (large or {}).items()
    }
    small = {name: value for name, value in data.items() if name not in texts}
    now = st.session_state
    now[HEARS] = {**now.get(HEARS, {}), key: partial(_give, hear, {**figure.checks, **(also or {})})}
    serial, asks = now.get(f"heard {key}", 0), question.asks()
    given = {**small, "texts": texts, "serial": serial, "large": lecture.is_on(), "asks": asks}
    with presenting.frame(key):
        _component(figure, figure.for_streamlit())(key=key, data=given, on_said_change=partial(_hear, key))


def hear_missed() -> None:
    """Take over what figures have said and no run has heard; call it in each run, before anything is drawn.

    A run is stopped by the next, even while it takes over a change. Streamlit does not report that change again.
    """
    for key in st.session_state.get(HEARS, {}):
        if _last_message(key) and _last_serial(key) != st.session_state.get(f"heard {key}"):
            _hear(key)


def _hear(key: str) -> None:
    """Give what a figure said to what takes it, and note that it was heard."""
    st.session_state[HEARS][key](_last_message(key))
    st.session_state[f"heard {key}"] = _last_serial(key)


def _give(
    hear: Callable[[dict[str, Any]], None], checks: Mapping[str, Callable[[Any], bool]], said: Mapping[str, Any]
) -> None:
    """Give what takes it those of a figure's changes that hold; programs other than browsers say anything."""
    sound = {name: value for name, value in said.items() if name in checks and checks[name](value)}
    if sound:
        hear(sound)


@lru_cache(maxsize=32)
def _component(figure: Figure, js: str) -> Any:
    """A figure's component; the script changes with the coefficients that are registered."""
    style = figure.style() + STYLE
    return st.components.v2.component(figure.name, html='<div class="figure"></div>', css=style, js=js)


def moving(figure: str, usual: Mapping[str, Any], is_sound: Callable[[str, Any], bool]) -> dict[str, Any]:
    """Return what moves in a figure: what the user did last, else what the link says, else what is usual.

    The link holds what differs from ``usual``: a text, or what JSON takes, by a key that nothing else on any page has;
    ``is_sound`` says whether a value of a link can be shown. Call it in each run, before `show`.
    """
    of_page, now = link.of_page(), st.session_state
    owners = now.setdefault("stages of keys", {})
    for key in usual:
        if owners.setdefault(key, figure) != figure:
            raise ValueError(f"{key}: names what moves in {owners[key]} and in {figure}")

    def read(key: str, text: str) -> Any:
        try:
            value = text if isinstance(usual[key], str) else json.loads(text)
            return value if is_sound(key, value) else None
        except (ValueError, RecursionError):
            return None

    of_page.fill(figure, {}, {key: partial(lambda key, text: read(key, text) is not None, key) for key in usual})
    for key, value in usual.items():
        if (name := f"stage {key}") not in now or of_page.is_restored:
            found = read(key, of_page.text(key)) if of_page.has_any([key]) else None
            now[name] = value if found is None else found
        is_usual = now[name] == value
        text = now[name] if isinstance(value, str) else json.dumps(now[name], separators=(",", ":"))
        of_page.write(key, "" if is_usual else text)
    return {key: now[f"stage {key}"] for key in usual}


@dataclass(frozen=True)
class Moving:
    """What moves in a figure of a page: its key in the link and what is usual, by its name in the figure.

    Damage of the link is reported under ``name``; the rules of the ``figure`` hold for the link too.
    """

    name: str
    figure: str
    keys: Mapping[str, str]
    usual: Mapping[str, Any]

    def read(self, data: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return what moves, by its name in the figure, see `moving`; with data, a link's values must fit them."""
        rules = {key: FIGURES[self.figure].rules[name] for name, key in self.keys.items()}
        usual = {key: self.usual[name] for name, key in self.keys.items()}
        found = moving(self.name, usual, lambda key, value: rules[key].holds(value, data))
        return {name: found[key] for name, key in self.keys.items()}

    def keep(self, said: Mapping[str, Any]) -> None:
        """Keep what the user moved; it can be the ``hear`` of `show`."""
        keep({key: said[name] for name, key in self.keys.items() if name in said})


def keep(changes: Mapping[str, Any]) -> None:
    """Keep what the user moved, by key, for `moving`, but no text that no link could hold."""
    sound = {key: value for key, value in changes.items() if not isinstance(value, str) or _is_for_link(value)}
    st.session_state.update({f"stage {key}": value for key, value in sound.items()})


def _is_for_link(text: str) -> bool:
    """Whether a text can stand in a link: half a sign of two parts, as only programs send it, cannot."""
    return len(text) <= LONGEST and not any("\ud800" <= sign <= "\udfff" for sign in text)


def _last_message(key: str) -> dict[str, Any]:
    """The browser's last message with its serial number; empty in a new session."""
    said = (st.session_state.get(key) or {}).get("said")
    return said if isinstance(said, dict) else {}


def _last_serial(key: str) -> int:
    """The serial number of the browser's last message."""
    serial = _last_message(key).get("serial", 0)
    return serial if SERIAL.holds(serial) else 0
