"""The grouping page by hand: nothing is given away before a prediction, and a link holds all of it."""

from __future__ import annotations

import pytest

from tests.browser import kit

pytestmark = pytest.mark.browser


def shown(page):
    """All that the page says: texts and tables, and what the pictures say in words."""
    pictures = page.get_by_test_id("stVegaLiteChart").evaluate_all("all => all.map(e => e.getAttribute('aria-label'))")
    return page.get_by_test_id("stMain").inner_text(), pictures


@pytest.mark.campaign
def test_the_answer_is_absent_until_it_has_been_predicted(open_page):
    page = open_page("/Grouping")
    lesson = page.content().split("On an evaluation set")[0]
    assert not [answer for answer in ("0.803", "0.591", "is ahead without grouping") if answer in lesson]
    for _ in range(2):
        reveal = page.get_by_role("button", name="Reveal")
        assert reveal.is_disabled()
        page.locator("label").filter(has=page.get_by_role("radio", name="difficulty")).click()
        kit.settled(page)
        assert "acc_eq by grouping" not in "".join(shown(page)[1])
        reveal.click()
        kit.settled(page)
        assert "0.803" in shown(page)[0]
    texts, alts = shown(page)
    assert "You said: difficulty. It has 0.000." in texts
    assert any("acc_eq by grouping: global difficulty 0.803, quality 0.591" in words for words in alts)
    kit.check_page(page)


@pytest.mark.campaign
def test_a_link_holds_the_whole_lesson(open_page, chromium, server):
    choices = "grp_coefficient=tau_b&grp_system=2&grp_steps=system&grp_measure=acc_eq&grp_first=Judge-src"
    page = open_page(f"/Grouping?{choices}&grp_name2=mine")
    page.get_by_role("radio", name="4").click()
    kit.settled(page)
    line = page.get_by_label("human, system 4")
    line.fill("-5 -6 nan -8")
    kit.settled(page)
    page.get_by_role("radio", name="3").click()
    kit.settled(page)
    assert line.is_disabled()
    page.get_by_role("radio", name="4").click()
    kit.settled(page)
    assert line.input_value() == "-5 -6 nan -8"  # nothing is lost
    before, lines = shown(page), [box.input_value() for box in page.get_by_role("textbox").all()]
    assert any("system 4 segment 1" in words for words in before[1])
    assert any(words.startswith("τ_b by grouping: global difficulty") for words in before[1])
    assert any(words.startswith("acc_eq by grouping: global Judge-src") for words in before[1])
    with kit.new_page(chromium, server.url) as (other, _):
        kit.visit(other, page.url.removeprefix(server.url))
        assert shown(other) == before
        assert [box.input_value() for box in other.get_by_role("textbox").all()] == lines
