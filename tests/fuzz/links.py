"""Which links does a page open from? Damaged texts for its controls and its figures, keys of other pages, very many."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from tests import damaged
from tests.fuzz.case import Case, Said
from ui.evalset import sources

ROOT = Path(__file__).parents[2]
FIGURES = (
    "msr_two",
    "msr_drawn",
    "msr_by_hand",
    "epsilon",
    "tied",
    "ties",
    "goal",
    "ranked_metric",
    "toy",
    "cells",
    "by",
)
KEYS = (*FIGURES, "data", "rankings", "added", "source", "lecture", "share", "scene", "join", "embed", "human", "first")
VALUES = (
    *(0, -1, 10**18, 10**400, 1e308, True, None, "x", [], [[]], {}, {"a": 1}, [0, 1], ["a", "b"], [10**9] * 5),
    *([[0.5, "a"]], [[[[[[]]]]]], "\u202e", "<b>", [None], [True, False], {"human": [1], "metrics": {}}),
)
PAGE_SECONDS = 20.0
"""What a page may take by itself; several processes of the machine share it."""


def case(number: int) -> Case:
    """Return a link to a page."""
    rng = random.Random(f"links {number}")
    link = damaged.damaged_link(_arrive, number)
    parameters = dict(link.parameters)
    for key in rng.sample(KEYS, rng.choice([0, 1, 3])):
        parameters[key] = [_text(rng) for _ in range(rng.choice([1, 1, 2]))]
    if rng.random() < 0.05:
        parameters |= {f"k{place}": ["x"] for place in range(2000)}
    name = damaged.name_of(link.page)
    if rng.random() < 0.7 and name:
        parameters.setdefault("source", [sources.SYNTHETIC])
    size = sum(len(key) + sum(map(len, texts)) for key, texts in parameters.items())
    shown = {key: texts for key, texts in parameters.items() if key[1:].isdigit() is False}
    return Case(f"{name or 'start page'} with {shown!r:.400}", size, lambda: _open(name, parameters), PAGE_SECONDS)


def _text(rng: random.Random) -> str:
    return rng.choice(damaged.NASTY) if rng.random() < 0.3 else json.dumps(rng.choice(VALUES))


def _open(name: str, parameters: dict[str, list[str]]) -> Said:
    app = _arrive(name, **parameters)
    if app.exception:
        raise AssertionError(app.exception[0].value)
    return [alert.value for alert in (*app.warning, *app.error, *app.info)]


def _arrive(page: str = "", /, **parameters: str | list[str]) -> AppTest:
    """Open a page by its address."""
    manifest_scanner.scan_component_manifests = _manifests
    if not parameters and page:
        parameters = {"source": sources.SYNTHETIC}
    app = AppTest.from_file(ROOT / "app.py", default_timeout=120)
    if page:
        app.switch_page(f"pages/{page}.py")
    for key, value in parameters.items():
        app.query_params[key] = value
    return app.run()


_manifests = cache(manifest_scanner.scan_component_manifests)
"""Each AppTest searches all installed packages for components, which takes longer than a page."""
