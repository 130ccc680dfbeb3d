"""What every figure does on a page of its own: it fits, moves by keys and pointer, and its address holds what moved."""

import json
import math
from functools import cache
from itertools import product
from urllib.parse import urlencode

import numpy as np
import pytest

import tiekit as tk
from tests.app.nan_problem.reading import OPENED, PRESETS, SOLUTION
from tests.browser import figures, kit
from tests.browser.lab import FIGURE_2, M1
from tests.figures import test_explorers as explorers
from tests.figures.few_ties import test_data as few_ties
from tests.figures.test_figures import ROWS
from tests.figures.test_nan_explorer import HUMAN, A, B
from tiekit.figures import FIGURES
from tiekit.readers import data_file
from tiekit.widgets import (
    CalibrationExplorer,
    GroupingExplorer,
    MeasureAgreement,
    NaNExplorer,
    RankingGame,
    SwapExplorer,
    TieLab,
)

pytestmark = pytest.mark.browser

RNG = np.random.default_rng(3)
MANY = RNG.integers(0, 5, (6, 40)).astype(float)
OTHER = MANY + RNG.normal(0, 1, MANY.shape)
FEW = [1, 2, 2, 3, 4, 2, 1, None, 3, 5], [2, 1, 1.5, 5, 3, 1.25, 0.25, 4, 3.75, 6]
LONG = "a-metric-with-a-very-long-name-that-no-picture-has-room-for-refA"
DAMAGED = ('"damaged"', "-1", "[]", "[9,1]", "{", "null")
"""None is a value of anything that moves, or it is that at first."""


def gaps(shape=(8, 45)):
    """Scores of a human and of six metrics with missing ones, many ties, and a constant metric."""
    human = np.random.default_rng(2).integers(-3, 1, shape).astype(float)
    human[0, :3] = human[1:, 0] = math.nan
    noisy = {f"metric {n}": (human + RNG.normal(0, n, human.shape)).round(-(n // 3)) for n in range(1, 6)}
    return human, {**noisy, "constant": np.zeros_like(human)}


def long_names(human, metrics):
    return tk.EvalSet.from_arrays(human, metrics, segments=[f"document-{n}:00{n}" for n in range(human.shape[1])])


def votes():
    read = tk.votes.read_votes(data_file("votes/synthetic.csv"))
    return {name: read.by(name) for name in ("Atlas", "Boreas")}, read.by("person"), "<i>person</i>"


def curves():
    return MANY, {f"{LONG} {n}": MANY + n * RNG.normal(0, 1, MANY.shape) for n in range(9)} | {"c": np.zeros_like(MANY)}


EXAMPLES = {
    **{name: lambda name=name: explorers.figure(name) for name in explorers.MOVED},
    "NaNExplorer": lambda: NaNExplorer(long_names(*gaps((8, 11))), puzzle=True),
    "CalibrationExplorer": lambda: CalibrationExplorer(explorers.HUMAN, explorers.WHOLE),
    "SwapExplorer": lambda: SwapExplorer(
        [row[:4] for row in explorers.HUMAN],
        [[3, 2, 1, 1], [2, 2, 2, 3], [1, 4, 1, 3]],
        [[5, 5, 1, 2], [4, 3, 1, 3], [5, 2, 1, 2]],
    ),
    "few_ties": lambda: (few_ties.found_values(), list(few_ties.KINDS), few_ties.KINDS, "acc_eq", 0.3),
    "guess": lambda: ((0, 9), 0, "pair", "How many?"),
    "lab": lambda: TieLab(FIGURE_2, {"m1": M1, "m2": [0.39, *(RNG.normal(0, 1e-3, 5) + 1 / 3)]}, epsilon_of="m2"),
    "game of long names": lambda: RankingGame(
        {"a-very-careful-rater": [1, 2, 2, 4, 5, 6]}, range(6), names=[f"my-system-{letter}" for letter in "ABCDEF"]
    ),
    "measures of long names": lambda: MeasureAgreement(
        MANY,
        {f"{name}OverlapScore-v2": OTHER + MANY * n for n, name in enumerate(("Semantic", "Syntactic", "Lexical"))},
    ),
}
HARD = {
    "calibration": lambda: CalibrationExplorer(*FEW, epsilon=0.5),
    "nan explorer": lambda: NaNExplorer(HUMAN, {"A": A, "B": B}),
    "swaps": lambda: SwapExplorer([0, 1, 1, 2, 3, 4], [0, 1, 2, 2, 3, 3], [2, 0, 1, 1, 4, 3], names=("X", "Y")),
    "human_rows": lambda: (ROWS, {"judge": "b"}),
    "judge_votes": votes,
    "lab of 100": lambda: TieLab(range(100), {f"m{n}": [n * item % 17 for item in range(100)] for n in range(6)}),
    "grouping of floats": lambda: GroupingExplorer(MANY[:4, :12] * 1.1, {"a": OTHER[:4, :12], "b": MANY[:4, :12]}),
    "calibration, long name": lambda: CalibrationExplorer(*FEW, "tau_eq", epsilon=1e9, name=LONG),
    "calibration of 200": lambda: CalibrationExplorer(MANY.ravel()[:200], OTHER.ravel()[:200], epsilon=1),
    "calibration of groups": lambda: CalibrationExplorer(MANY, OTHER * 1e-9, grouping="item", epsilon=1e-10),
    "calibration of nothing": lambda: CalibrationExplorer([], []),
    "calibration of a constant": lambda: CalibrationExplorer([1, 2, 3], [1, 1, 1]),
    "all curves": lambda: CalibrationExplorer(*curves(), grouping="item"),
    "nan explorer with gaps": lambda: NaNExplorer(*gaps()),
    "nan explorer, long names": lambda: NaNExplorer(long_names(*gaps((8, 20)))),
    "nan puzzle": lambda: NaNExplorer(
        np.transpose(PRESETS[OPENED]["human"]),
        {name: np.transpose(rows) for name, rows in PRESETS[OPENED]["metrics"].items()},
        puzzle=True,
    ),
    "swaps of 60": lambda: SwapExplorer(
        RNG.integers(0, 5, 60), RNG.normal(size=60), RNG.integers(-400, 400, 60), names=(LONG, "<b>another</b>")
    ),
}
MAKERS = {**EXAMPLES, **HARD}
KEYS = ("ArrowRight", "ArrowDown", "End", "PageUp", "Home", "ArrowUp", "ArrowLeft", "Enter", "Space", "Escape")
FOCUSABLE = "#figure :is(button:not(.save), input, select, [tabindex])"
HANDLES = "#figure :is([role=slider], input[type=range], canvas, .lines, .card, .cell, button):visible"
LOOK = "() => document.querySelector('#figure').innerHTML"


@cache
def figure_and_page(name):
    """The figure of an example, and the text of its page."""
    made = MAKERS[name]()
    if isinstance(made, tuple):
        return FIGURES[name], FIGURES[name].page(FIGURES[name].data(*made), "Made up.")
    if name == "nan puzzle":
        made.ties = SOLUTION
    return made.FIGURE, made.FIGURE.page(made.data(), "Made up.")


@pytest.fixture
def file(name, tmp_path):
    (tmp_path / "figure.html").write_text(figure_and_page(name)[1], encoding="utf-8")
    return tmp_path / "figure.html"


SIZES = [
    (800, "light"),
    *(pytest.param(*size, marks=figures.CAMPAIGN) for size in product(figures.WIDTHS, ("light", "dark"))),
]
SWEEP = (340, 360, 390, 480, 600, 700, 748, 800, 848, 880, 950, 1100, 1280)
"""Widths of windows; 748 and 848 are those of JupyterLab."""
SAMPLE = ((360, 900), (748, 600), (848, 900))
LIKE = {"RankingGame": "game of long names", "MeasureAgreement": "measures of long names"}
"""Figures of which every run opens another example, which leaves less room."""

OF_THEIR_OWN = (
    *("Podium", "NaNExplorer", "CalibrationExplorer", "SwapExplorer", "GroupingExplorer", "lab", "RankExplorer"),
    "few_ties",
)
"""Figures that a test of their own opens, moves and checks in every run."""

LATER = {*HARD, *LIKE, *OF_THEIR_OWN}
NAMES = [pytest.param(name, marks=[figures.CAMPAIGN] * (name in LATER)) for name in MAKERS]


@pytest.mark.parametrize(("width", "theme"), SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_it_fits_and_its_texts_their_boxes_and_it_moves_by_keys_and_pointer(chromium, file, name, width, theme):
    with figures.opened(chromium, file, width=width, theme=theme) as page:
        kit.no_sideways_scroll(page)
        no_text_leaves_its_box(page, SAMPLE)
        page.set_viewport_size({"width": width, "height": 900})
        first = page.evaluate(LOOK)
        places = page.locator(FOCUSABLE)
        for place in range(0, places.count(), max(1, places.count() // 4)):
            places.nth(place).focus()
            for key in KEYS:
                page.keyboard.press(key)
        handle = page.locator(HANDLES).first
        handle.scroll_into_view_if_needed()
        box = handle.bounding_box()
        y = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + box["width"] * 0.3, y)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * 0.8, y, steps=3)
        page.mouse.up()
        page.get_by_role("heading", level=1).click()  # what waits is sent
        page.evaluate(figures.NEXT_FRAME)
        figures.check(page)
        said, fragment = figures.settled_text(page), page.evaluate("location.hash")
        keys = figure_and_page(name)[0].keys
        assert {part.partition("=")[0] for part in fragment.lstrip("#").split("&") if part} <= set(keys)
        if fragment:
            page.reload()
            page.locator("#figure.tiekit").wait_for()
            assert figures.settled_text(page) == said
            assert page.evaluate(LOOK) != first


def no_text_leaves_its_box(page, sizes):
    outside = {}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(figures.NEXT_FRAME)
        figures.settled_text(page)
        kit.no_sideways_scroll(page)
        outside[width, height] = page.evaluate(figures.OUTSIDE)
    assert not any(outside.values()), outside


@pytest.mark.campaign
@pytest.mark.parametrize("name", MAKERS)
def test_no_text_leaves_its_box_at_any_size(chromium, file):
    with figures.opened(chromium, file) as page:
        no_text_leaves_its_box(page, product(SWEEP, (600, 900)))


@pytest.mark.campaign
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_damaged_address_opens_it_as_it_was_made(chromium, file, name):
    with figures.opened(chromium, file) as page:
        figures.check(page)
        first = page.evaluate(LOOK)
    figure, _ = figure_and_page(name)
    for key, text in product(figure.keys, DAMAGED[:-1]):
        if text.startswith("{") or not figure_takes(figure, key, json.loads(text)):
            with figures.opened(chromium, file, "#" + urlencode({key: text})) as page:
                assert page.evaluate(LOOK) == first, (key, text)


def figure_takes(figure, key, value):
    """Whether a value is none that is damaged, but one that may be shown."""
    try:
        return figure.rules[key].holds(value)
    except AttributeError:  # scores, which Python checks elsewhere
        return False
