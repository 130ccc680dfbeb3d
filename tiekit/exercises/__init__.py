"""Is an answer to a notebook's exercise right? If not, what should the student look at?

Each notebook in ``notebooks/`` ends in exercises. Their answers are computed by tiekit when they are checked, from the
data of the notebook. What the app asks on the same page, and the questions of its sheet, are asked here in its words.
This module is inner: the notebooks call it, and it may change with any version.

>>> check = of_notebook("02_counting")
>>> check(1, ...)
Exercise 1: replace ... by your answer.
>>> check.hint(1)
Exercise 1, hint 1 of 2: The human ties the first four translations.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

from tiekit.base.names import find_name
from tiekit.exercises import small_data, wmt22
from tiekit.exercises.check import Check, Question
from tiekit.figures import read_story
from tiekit.readers.facts import data_file

PAGES: dict[str, tuple[str, ...]] = {
    "01_ties": ("app.py",),
    "02_counting": ("pages/1_Toy_lab.py",),
    "03_missing_segments": ("pages/2_NaN_problem.py",),
    "04_calibration": ("pages/3_Calibration.py",),
    "05_wmt22": ("pages/5_Leaderboard.py", "pages/4_Grouping.py"),
    "06_chance": ("pages/8_Measures.py",),
    "07_few_ties": ("pages/6_Sentinels.py",),
    "08_which_number": ("pages/9_Which_number.py",),
    "09_your_own_scores": ("pages/12_LLM_as_a_judge.py",),
    "10_judgments": ("pages/7_Judgments.py",),
    "11_measures": ("pages/8_Measures.py",),
    "12_identical": ("pages/3_Calibration.py",),
}
"""The pages of the app on which the question of each notebook is asked, by the name of the notebook."""

NOTEBOOKS = tuple(PAGES)
"""The notebooks that have exercises."""

__all__ = ["NOTEBOOKS", "PAGES", "Check", "of_notebook"]


def of_notebook(name: str) -> Check:
    """Return what checks the answers to the exercises of one of the `NOTEBOOKS`, called with a number and an answer.

    >>> of_notebook("01_ties")
    Check('01_ties', 4 exercises)
    """
    found = find_name("name", name, NOTEBOOKS)
    exercises = wmt22.EXERCISES.get(found, ()) + small_data.EXERCISES.get(found, ())
    return Check(found, exercises, _question(found), tuple(_sheet(PAGES[found])))


def _question(notebook: str) -> Question | None:
    """What the app asks before it shows anything, or a notebook in its place; None where neither asks anything."""
    story = read_story()
    asked: dict[str, Any] | None = story["notebooks"].get(notebook)
    for page in story["pages"]:
        if page["file"] == PAGES[notebook][0] and "app" in page:
            asked = {**page, **page["app"], **page.get("notebook", {})}
    return Question(asked["question"], tuple(asked["options"]), asked["answer"], asked["shown"]) if asked else None


def _sheet(pages: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The questions of the sheet that belong to pages, with their answers."""
    titles = [page.partition("_")[2].removesuffix(".py").replace("_", " ") for page in pages]
    for one in tomllib.loads(data_file("sheet.toml").read_text(encoding="utf-8"))["question"]:
        if one["page"] in titles:
            yield one["ask"], one["answer"]
