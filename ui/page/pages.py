"""Which pages are there? The files of the folder ``pages``; seven of them are the lesson, in the order of its story."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from time import monotonic
from typing import Any

from ui.work.presets import DATA

FOLDER = Path(__file__).parents[2] / "pages"
START, TEACH, JOIN = "app.py", "pages/13_Teach_this.py", "pages/Join.py"

LIGHT = START, TEACH, "pages/1_Toy_lab.py"
"""Pages that compute nothing that takes long."""

MOVED = {"MQM_or_ESA": {"guide_": "Which_number", "": "Sentinels"}}
"""Old addresses: where a link leads that has a key with this beginning."""


@dataclass(frozen=True)
class Page:
    """One page, as its file says: ``pages/3_Calibration.py``, whose name gives address and title as Streamlit does.

    Its icon and its words are the line ``DOOR = icon, words`` of the file; without one, its docstring. A page of the
    lesson has a number, a title, the scores of its picture, a question with what leads to it and its options, at which
    setting the answer holds, what is said when it is answered and why, a note on words in its picture, and what it
    leads to, from `data/story.toml`; else the number is 0.
    """

    file: str
    icon: str
    words: str
    title: str
    number: int = 0
    scores: str = ""
    question: str = ""
    opening: str = ""
    task: str = "Your guess:"
    place: str = ""
    options: tuple[str, ...] = ()
    answer: str = ""
    at: str = ""
    shown: str = ""
    why: str = ""
    note: str = ""
    saw: str = ""
    next: str = ""

    @property
    def address(self) -> str:
        """The page's part of an address."""
        return Path(self.file).stem.partition("_")[2]

    @property
    def label(self) -> str:
        """The title, with the number if there is one."""
        return f"{self.number} · {self.title}" if self.number else self.title


def lessons() -> tuple[Page, ...]:
    """Return every page but the start page; a file that changes is read again after a second."""
    return _lessons(FOLDER, int(monotonic()))


@lru_cache(maxsize=1)
def _lessons(folder: Path, _second: int) -> tuple[Page, ...]:
    files = [file for file in folder.glob("*_*.py") if file.name.partition("_")[0].isdecimal()]
    files.sort(key=lambda file: int(file.name.partition("_")[0]))
    return tuple(_read(file, file.stat().st_mtime_ns) for file in files)


def path() -> tuple[Page, ...]:
    """Return the pages of the lesson, the start page first."""
    start = Page(START, ":material/flag:", "", **_story()[START])
    return (start, *sorted((page for page in lessons() if page.number), key=lambda page: page.number))


def more() -> tuple[Page, ...]:
    """Return the pages beside the lesson."""
    return tuple(page for page in lessons() if not page.number and page.file != TEACH)


def find(title: str) -> Page:
    """Return the page with a title; the start page if there is none."""
    return next((page for page in lessons() if page.title == title), path()[0])


def new_address(address: str, keys: Iterable[str]) -> str | None:
    """Return the address to which an old one has moved with a link's keys; None for an address that holds."""
    places = MOVED.get(address, {}).items()
    return next((place for begin, place in places if not begin or any(key.startswith(begin) for key in keys)), None)


@cache
def story() -> dict[str, Any]:
    """Return what `data/story.toml` tells."""
    return tomllib.loads((DATA / "story.toml").read_text(encoding="utf-8"))


@cache
def _story() -> dict[str, dict[str, Any]]:
    """Number, title, question, and what a page leads to, by the file of the page."""
    kept = ("title", "question", "opening", "shown", "why", "saw", "next")
    found = {page["file"]: {key: page[key] for key in kept} | page["app"] for page in story()["pages"]}
    return {
        file: {**page, "number": at, "options": tuple(page["options"])}
        for at, (file, page) in enumerate(found.items(), 1)
    }


@lru_cache
def _read(file: Path, _changed: int) -> Page:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    icon, words = ":material/article:", (ast.get_docstring(tree) or "").partition("\n")[0]
    for line in tree.body:
        match line:
            case ast.Assign(targets=[ast.Name(id="DOOR")], value=value):
                icon, words = ast.literal_eval(value)
    name = f"pages/{file.name}"
    story = _story().get(name, {"title": file.stem.partition("_")[2].replace("_", " ")})
    return Page(name, icon, words, **story)
