import pytest

from tests.app.reading import figure
from tiekit.figures.podium import figure_data as given
from ui.page import pages


def podium(app):
    return figure(app, "podium")


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
