"""The start page: the podium, and the links to all pages; one file adds a page to them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from shutil import copy, copytree

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.reading import figure
from tiekit.figures.podium import figure_data as given
from ui.page import pages


def podium(app):
    return figure(app, "podium")


def test_it_opens_on_the_podium_and_leads_to_every_page(open_app):
    app = open_app(answers="show")
    shown = podium(app)
    assert {key: shown[key] for key in ("human", "metrics", "epsilon")} == {
        key: given()[key] for key in ("human", "metrics", "epsilon")
    }
    led_to = {link.proto.page for link in app.get("page_link")}
    assert {page.address for page in pages.lessons()} <= led_to


@pytest.mark.parametrize(("link", "epsilon"), [("14", 14), ("99", 0), ("true", 0)])
def test_a_link_holds_the_threshold(open_app, link, epsilon):
    assert podium(open_app(epsilon=link))["epsilon"] == epsilon


ROOT = Path(__file__).parents[3]
LESSON = '''"""Votes: who wins most often?"""

from ui.page import shell

shell.open_page("Votes of people", "One idea.")
'''
DOOR = 'DOOR = ":material/how_to_vote:", "Who wins most often? Count the votes."\n'


@pytest.fixture
def copied(monkeypatch, tmp_path):
    """The app's scripts in another place, where a test may add one."""
    copy(ROOT / "app.py", tmp_path)
    copytree(ROOT / "pages", tmp_path / "pages", ignore=lambda _, names: {n for n in names if n == "__pycache__"})
    monkeypatch.setattr(pages, "FOLDER", tmp_path / "pages")
    return tmp_path


def opened(folder):
    app = AppTest.from_file(folder / "app.py", default_timeout=60).run()
    assert not app.exception
    return app


def links(app):
    return [link.proto.label for link in app.get("page_link")]


@pytest.mark.parametrize(
    ("script", "words"),
    [(LESSON, "Votes: who wins most often?"), (LESSON + DOOR, "Who wins most often? Count the votes.")],
)
def test_a_file_is_enough(copied, script, words):
    before = links(opened(copied))
    (copied / "pages" / "99_Votes_of_people.py").write_text(script, encoding="utf-8")
    pages._lessons.cache_clear()  # a second later
    app = opened(copied)
    [new] = [label for label in links(app) if label not in before]
    assert new == f"**Votes of people** · {words}"
    app.switch_page("pages/99_Votes_of_people.py").run()
    assert not app.exception
    assert (app.caption[0].value, app.title[0].value) == ("Votes of people", "One idea.")
    assert new in links(app)


def test_the_pages_are_the_files_in_the_order_of_their_numbers():
    found = pages.lessons()
    by_number = sorted((ROOT / "pages").glob("*_*.py"), key=lambda file: int(file.name.partition("_")[0]))
    assert [page.file for page in found] == [f"pages/{file.name}" for file in by_number]
    assert all(page.icon.startswith(":material/") and page.words.endswith((".", "?")) for page in found)


def test_the_lesson_is_that_of_the_story():
    told = tomllib.loads((ROOT / "data" / "story.toml").read_text(encoding="utf-8"))["pages"]
    assert [(page.file, page.title, page.number) for page in pages.path()] == [
        (page["file"], page["title"], at) for at, page in enumerate(told, 1)
    ]
    assert len(told) == 7
    assert {page.file for page in (*pages.path()[1:], *pages.more())} | {pages.TEACH} == {
        p.file for p in pages.lessons()
    }
