"""Which scenes does a lecturer show, in which order? Those of a page, or a plan of several pages; read from data."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from typing import Any

from ui.work.presets import DATA, table

START, START_FILE = "0_Start", "app.py"
"""The start page's file of scenes, and its script."""


@dataclass(frozen=True)
class Scene:
    """One view of a page.

    Attributes
    ----------
    page : str
        The stem of the page's file.
    say : str
        The sentence that the audience reads.
    link : str
        The page's address after the question mark; empty for the page as it opens.
    shows : tuple of str
        What the picture itself says where it agrees with the sentence; tests read it off the screen.
    picture : str
        The key of the picture that is shown; empty for the first of the page.
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
    """A part of a plan: minutes on one page, with its first scenes."""

    page: str
    minutes: int
    scenes: tuple[Scene, ...]


@dataclass(frozen=True)
class Plan:
    """A lecture of some minutes.

    Attributes
    ----------
    name : str
        Its minutes as a text, by which `play` finds it.
    aim : str
        What students can do afterwards.
    steps : tuple of Step
        In the order of the lecture.
    """

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
    """Return all plans; a step without scenes is left out."""
    found = []
    for entry in table("plans.toml", "plan"):
        steps = [Step(step["page"], step["minutes"], of_page(step["page"])[: step["scenes"]]) for step in entry["step"]]
        found.append(Plan(str(entry["minutes"]), entry["aim"], tuple(step for step in steps if step.scenes)))
    return tuple(found)


def play(name: str) -> tuple[Scene, ...]:
    """Return the scenes of a plan by its name, or of a page by the stem of its file."""
    for plan in plans():
        if plan.name == name:
            return tuple(scene for step in plan.steps for scene in step.scenes)
    return of_page(name) if "/" not in name and "\\" not in name and not name.startswith(".") else ()
