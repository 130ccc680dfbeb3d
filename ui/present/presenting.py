"""Which scenes are there, and how does one come onto the screen? As the page opens, plus what the scene's link holds.

Nothing of the former scene may stay: neither in the session nor in the browser, which keeps the state of every control
that it shows. It forgets them when the page changes, so each scene is reached over a page that shows nothing
(`BRIDGE`), where the session is emptied.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import parse_qs

import streamlit as st

from ui.link import link
from ui.work import upload_quota
from ui.work.presets import DATA, table

START, START_FILE = "0_Start", "app.py"
"""The start page's file of scenes, and its script."""


@dataclass(frozen=True)
class Scene:
    """One view of a page: the stem of its file, the sentence that the audience reads, what its address holds.

    ``shows`` is what the picture itself says where it agrees with the sentence; tests read it off the screen. The
    ``picture`` has the key of the one that is shown; empty for the first of the page.
    """

    page: str
    say: str
    link: str
    shows: tuple[str, ...]
    picture: str

    @property
    def script(self) -> str:
        """The page's script, as `st.switch_page` takes it."""
        return START_FILE if self.page == START else f"pages/{self.page}.py"


@dataclass(frozen=True)
class Step:
    """A part of a plan: minutes on one page, with some of its scenes."""

    page: str
    minutes: int
    scenes: tuple[Scene, ...]


@dataclass(frozen=True)
class Plan:
    """A lecture: its minutes as a text, by which `play` finds it, what students can do afterwards, its steps."""

    name: str
    aim: str
    steps: tuple[Step, ...]


@cache
def of_page(page: str) -> tuple[Scene, ...]:
    """Return the scenes of a page by the stem of its file; none if nobody wrote any."""
    file = DATA / "scenes" / f"{page}.toml"
    if not page or not file.is_file():
        return ()
    entries: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["scene"]
    return tuple(
        Scene(page, entry["say"], entry.get("link", ""), tuple(entry["shows"]), entry.get("picture", ""))
        for entry in entries
    )


@cache
def plans() -> tuple[Plan, ...]:
    """Return all plans."""
    found = []
    for entry in table("plans.toml", "plan"):
        steps = [
            Step(step["page"], step["minutes"], tuple(of_page(step["page"])[number - 1] for number in step["scenes"]))
            for step in entry["step"]
        ]
        found.append(Plan(str(entry["minutes"]), entry["aim"], tuple(steps)))
    return tuple(found)


def play(name: str) -> tuple[Scene, ...]:
    """Return the scenes of a plan by its name, or of a page by the stem of its file."""
    for plan in plans():
        if plan.name == name:
            return tuple(scene for step in plan.steps for scene in step.scenes)
    return of_page(name) if "/" not in name and "\\" not in name and not name.startswith(".") else ()


PARAM = "scene"
"""The link's key: the name of a play and the number of the scene, such as "20.3" or "1_Toy_lab.2"."""

BRIDGE = "pages/13_Teach_this.py"

ON, WANTED, BEFORE, LINKED = "presented place", "presented next", "presented over", "presented link"
"""The session's keys for the present place, for the one to load, for what comes back afterwards, and for the place that
the address names already: it is not loaded again when the visitor leaves, or goes back in the browser's history."""

BRIDGED = "presented on the way"
"""The session's key for whether the bridge is reached from another page."""

KEPT = (ON, BEFORE, LINKED, "class ", "predictions", upload_quota.KEY)
"""Beginnings of the session's keys that outlive a scene: the presentation, the class, the score, what uploads count."""

RETURNS = ("opened_", "added_")
"""Beginnings of the keys of a visitor's own files, which come back after the presentation."""


@dataclass(frozen=True)
class Place:
    """A scene of a play, counted from 1."""

    play: str
    number: int

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """All scenes of the play."""
        return play(self.play)

    @property
    def scene(self) -> Scene:
        """The scene itself."""
        return self.scenes[self.number - 1]

    def __str__(self) -> str:
        return f"{self.play}.{self.number}"


def read(text: str) -> Place | None:
    """Return the place that a link names; None if there is none."""
    found = re.fullmatch(r"(\w{1,80})\.([1-9]\d{0,2})", text)
    place = None if found is None else Place(found[1], int(found[2]))
    return place if place is not None and place.number <= len(place.scenes) else None


def place() -> Place | None:
    """Return where the presentation is; None outside one."""
    now: Place | None = st.session_state.get(ON)
    return now


def is_on() -> bool:
    """Return whether a scene is presented."""
    return place() is not None


def go(to: Place) -> None:
    """Present a scene from the next run on; a callback."""
    st.session_state[WANTED] = to


def leave() -> None:
    """End the presentation and stay on its page; a callback."""
    now = st.session_state
    files, usual = now.pop(BEFORE, ({}, {}))
    now.pop(ON, None)
    now.update(usual | {key: value for key, value in files.items() if key not in now})


def enter(page: str, always: Mapping[str, str]) -> None:
    """Load the scene that is wanted, if any; call it at the beginning of every page, with the stem of its file.

    ``always`` is what every scene's link holds besides its own.
    """
    now, asked = st.session_state, link.of_page().text(PARAM)
    now["framed"] = False
    is_new = asked != now.get(LINKED, "")
    arrives = read(asked) if is_new else None
    is_bridge = f"pages/{page}.py" == BRIDGE
    if is_bridge and now.pop(BRIDGED, False):
        _load(now[WANTED], always)
    if is_on() and is_new and WANTED not in now:  # the address is another: back or on in the browser's history
        if arrives is None:
            leave()
        elif arrives.scene.page == page:
            now[ON] = arrives
    elif arrives is not None and not is_on():
        if not link.of_page().keys() - {PARAM, *always}:
            now.setdefault(WANTED, arrives)
        elif arrives.scene.page == page:  # a scene as somebody left it
            now[ON] = arrives
    if WANTED in now:
        now[BRIDGED] = not is_bridge  # what the bridge itself has shown is forgotten on the way over another page
        st.switch_page(START_FILE if is_bridge else BRIDGE, query_params={PARAM: str(now[WANTED])})
    if is_on() and now[ON].scene.page != page:
        leave()  # the visitor went to another page
    now[LINKED] = str(now[ON]) if is_on() else "" if is_bridge else asked
    link.of_page().write(PARAM, str(now[ON]) if is_on() else "")


def _load(to: Place, always: Mapping[str, str]) -> None:
    """Empty the session and open the scene's page by its link."""
    now = st.session_state
    if not is_on():
        files = {key: now[key] for key in now if str(key).startswith(RETURNS)}
        now[BEFORE] = files, {key: now.get(key, False) for key in always}
    kept = {key: now[key] for key in now if str(key).startswith(KEPT)}
    for key in list(now):
        del now[key]
    now.update(kept)
    now[ON], now[LINKED] = to, str(to)
    held = parse_qs(to.scene.link, keep_blank_values=True)
    st.switch_page(to.scene.script, query_params={**held, **always, PARAM: str(to)})


@contextmanager
def frame(key: str) -> Iterator[None]:
    """Put a picture where it is shown during a presentation: the one that the scene names, else the page's first."""
    now = place()
    if now is None or st.session_state.get("framed") or now.scene.picture not in ("", key):
        yield
        return
    st.session_state["framed"] = True
    with st.container(key=f"stage_{key}"):
        yield
