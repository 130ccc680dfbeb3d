"""The judgments page by hand: nothing is given away too early, a link holds all of it, a file can be given."""

from __future__ import annotations

import pytest

from tests.app.judgments.test_judgments import MINE
from tests.browser import kit
from tests.browser.test_leaderboard import pick

pytestmark = pytest.mark.browser


def shown(page):
    """All that the page says: texts and tables, and what the pictures say in words."""
    pictures = page.get_by_test_id("stVegaLiteChart").evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")
    return page.get_by_test_id("stMain").inner_text(), pictures


def answer(page, option):
    page.locator("label").filter(has=page.get_by_role("radio", name=option)).first.click()
    kit.settled(page)
    page.get_by_role("button", name="Reveal").first.click()
    kit.settled(page)


@pytest.mark.campaign
def test_the_lesson_by_hand(open_page):
    page = open_page("/Judgments")
    pick(page, "Start from an example", "Two pairs in dispute")
    answer(page, "1.000")
    page.get_by_text("Edit ranks and scores").click()
    page.get_by_label("Your ranking as scores").fill("1 1 1 0")
    kit.settled(page)
    assert "Solved: τ_13 is 1.000, τ_14 is 0.500." in shown(page)[0]
    page.get_by_label("Judge 3").fill("Eve: 4 3 2 1")
    kit.settled(page)
    assert "is 1 + 1 + 1 + 1 + 1 + 1 of 18 judgments: 0.333." in shown(page)[0]
    kit.check_page(page)


@pytest.mark.campaign
def test_rankings_of_ones_own_are_asked_for_by_their_link(open_page, chromium, server, tmp_path):
    page = open_page("/Judgments")
    page.get_by_text("Edit ranks and scores").click()
    page.get_by_label("Your ranking as scores").fill("1 1 1 0")
    kit.settled(page)
    pick(page, "Which rankings?", "my file")
    (tmp_path / "mine.csv").write_bytes(MINE)
    page.locator("input[type=file]").set_input_files(tmp_path / "mine.csv")
    page.get_by_text("4 ranked sets by 3 judges").wait_for()
    kit.settled(page)
    assert any("French-English from −0.867 to 0.867" in words for words in shown(page)[1])
    kit.check_page(page)
    lines = [box.input_value() for box in page.get_by_role("textbox").all()]
    with kit.new_page(chromium, server.url) as (other, _):
        kit.visit(other, page.url.removeprefix(server.url))
        assert "This link was made with mine.csv" in shown(other)[0]
        other.get_by_text("Edit ranks and scores").click()
        kit.settled(other)
        assert [box.input_value() for box in other.get_by_role("textbox").all()] == lines
        other.locator("input[type=file]").set_input_files(tmp_path / "mine.csv")
        other.get_by_text("4 ranked sets by 3 judges").wait_for()
        kit.settled(other)
        assert shown(other)[1] == shown(page)[1]
