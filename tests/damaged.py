"""Links as they arrive: cut, mistyped, meddled with. Which keys a page has is read from the page itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from streamlit.testing.v1 import AppTest

from ui.link import link
from ui.page import pages

NASTY = [
    *("nonsense", "-1e999", "0x10", "1,5", "?", "'; DROP TABLE scores; --", "../../etc/passwd", "\u202eabc", "𝔫𝔬𝔭𝔢"),
    *("<script>alert(1)</script>", "**bold** [x](javascript:alert(1))", "$x$ :red[x]", "a" * 3000, "acc_eq ", "🙂"),
]


@dataclass(frozen=True)
class Link:
    """A damaged link to a page."""

    page: str
    parameters: dict[str, list[str]]


def name_of(page: str) -> str:
    """A page's name in the tests: empty for the start page."""
    return "" if page == "app.py" else PurePath(page).stem


def bound(app: AppTest) -> dict[str, Any]:
    """What a page keeps in its link: widgets by key."""
    widgets = {getattr(getattr(element, "proto", None), "query_param_key", ""): element for element in app.main}
    widgets.pop("", None)
    noted = set().union(*app.session_state[link.KEY]._controls.values())  # some are not bound by Streamlit
    return widgets | {element.key: element for element in app.main if getattr(element, "key", None) in noted}


_usual: dict[str, dict[str, Any]] = {}


def usual(arrive: Callable[..., AppTest], page: str) -> dict[str, Any]:
    """The widgets of a page that was opened without a link."""
    if page not in _usual:
        _usual[page] = bound(arrive(name_of(page)))
    return _usual[page]


def damaged_link(arrive: Callable[..., AppTest], number: int) -> Link:
    """The damaged link of this number, the same in every run; they go from page to page."""
    every = [pages.START, *(page.file for page in pages.lessons())]
    page, rng = every[number % len(every)], random.Random(number)
    known = usual(arrive, page)
    keys = rng.sample(sorted(known), min(len(known), rng.randint(1, 3)))
    parameters = {key: [rng.choice(NASTY)] for key in keys}
    if rng.random() < 0.3:
        parameters["unknown"] = ["1", "2"]
    if rng.random() < 0.3:
        parameters["data"] = [rng.choice(NASTY)]
    return Link(page, parameters)
