import json
from pathlib import Path

import pytest

from tiekit.figures.podium import figure_data as given
from ui.page import pages


def podium(app):
    component = next(one for one in app.get("bidi_component") if one.proto.component_name == "podium")
    return json.loads(component.proto.json)


def test_it_opens_on_the_podium_and_leads_to_every_page(open_app):
    app = open_app()
    assert app.title[0].value == "tiekit"
    shown = podium(app)
    assert shown["play"]
    assert {key: shown[key] for key in ("human", "metrics", "epsilon")} == {
        key: given()[key] for key in ("human", "metrics", "epsilon")
    }
    text = " ".join(element.value for element in app.markdown)
    assert all(page.words in text for page in pages.lessons())


def test_it_plays_by_itself_only_once(open_app):
    app = open_app()
    assert podium(app)["play"]
    assert not podium(app.run())["play"]


@pytest.mark.parametrize(("link", "epsilon"), [("14", 14), ("99", 0), ("true", 0), ("x", 0)])
def test_a_link_holds_the_threshold_and_stands_still(open_app, link, epsilon):
    shown = podium(open_app(epsilon=link))
    assert (shown["epsilon"], shown["play"]) == (epsilon, epsilon == 0)


@pytest.mark.campaign  # in every run one visitor opens them all, in tests/app/contracts/test_lessons.py
@pytest.mark.parametrize(("page", "title"), [(Path(page.file).stem, page.title) for page in pages.lessons()])
def test_every_page_opens(open_app, page, title):
    assert open_app(page).title[0].value == title
