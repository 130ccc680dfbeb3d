"""What was revealed stays revealed on reload; a link for a class asks again, unless it is copied with answers."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import kit
from tests.browser.lab import exact_epsilon, retype
from ui.page import pages

pytestmark = pytest.mark.browser


STAYS = ".board .head, .board .note, .lab canvas.matrix, .lab .dots, .nan-tiles .row, .tie_curves .curves, .bump svg, "
STAYS += ".few_ties .row.continuous, .few_ties .sets"
"""What stands where it stood when an answer comes."""


def copied(page, name):
    """The link that a button copies."""
    page.evaluate("navigator.clipboard.writeText('')")  # what another button copied may still be there
    page.get_by_role("button", name=name, exact=True).click()
    page.get_by_role("status").filter(has_text="copied").first.wait_for()
    while not (link := page.evaluate("navigator.clipboard.readText()")):
        page.wait_for_timeout(50)
    return link


@pytest.mark.campaign
def test_a_link_asks_or_answers_as_its_maker_chose(open_page, server):
    page = open_page("/Grouping?grp_steps=system")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    kit.open_menu(page, "Teach")
    assert page.get_by_role("button", name="Copy link with answers").count() == 0
    page.keyboard.press("Escape")
    assert "moves farthest" not in page.content()
    reveal(page)
    assert "moves farthest" in page.get_by_test_id("stMain").inner_text()
    asks = copied(page, "Copy link")
    kit.open_menu(page, "Teach")
    answered = copied(page, "Copy link with answers")
    assert answered == page.url  # what a reload opens
    for link, revealed in ((asks, 0), (answered, 1)):
        kit.visit(page, link)
        assert page.get_by_test_id("stAlert").filter(has_text="It is:").count() == revealed
        assert page.get_by_role("heading", name="Two metrics").count() == revealed
        assert page.get_by_role("button", name="Reveal").count() == 1 - revealed
        assert "grp_steps=system" in page.url


def reveal(page):
    """Draw a prediction, and show the answer."""
    assert page.get_by_role("button", name="Reveal").is_disabled()
    page.get_by_role("slider", name="Your guess").press("Home")
    kit.settled(page, quiet=800)
    page.get_by_role("button", name="Reveal").click()
    kit.settled(page)


@pytest.mark.campaign  # of reload below, of Back test_own_files.py, of another ε tests/app/page/test_predict.py
def test_a_prediction_outlives_reload_and_back(open_page):
    page = open_page("/Toy_lab")
    page.get_by_role("radio", name="It rises").focus()
    page.keyboard.press("Space")
    kit.settled(page)
    reveal = page.get_by_role("button", name="Reveal")
    reveal.focus()
    page.keyboard.press("Enter")
    answer = page.get_by_role("status").filter(has_text="It rises")
    expect(answer).to_be_focused(timeout=20_000)
    score = page.get_by_text("Predictions right so far, on all pages: 1 of 1")
    expect(score).to_be_visible()
    page.reload()
    kit.open_box(kit.settled(page, patience=60_000))
    expect(score).to_be_visible()
    assert "1 of 1" not in page.url
    entries = page.evaluate("() => history.length")
    retype(page, exact_epsilon(page), "1")
    expect(page.get_by_text("Raise ε from 1 to 2")).to_be_visible(timeout=20_000)
    assert reveal.count() == 0, "another ε asks no second time"
    page.wait_for_function("() => location.search.includes('eps=1')")
    page.wait_for_function("entries => history.length > entries", arg=entries)  # the entry comes after the address
    page.go_back()
    expect(exact_epsilon(page)).to_have_value("0", timeout=20_000)
    expect(answer).to_be_visible()
    expect(score).to_be_visible()


@pytest.mark.campaign  # that a link with answers asks nothing: tests/app/page/test_predict.py
def test_whoever_wants_no_questions_is_asked_none(open_page):
    page = open_page("/Toy_lab")
    kit.open_menu(page, "Teach")
    page.get_by_text("Show answers").click()
    page.wait_for_url("**answers=show**")
    page.keyboard.press("Escape")
    kit.open_menu(page, "More")
    page.get_by_role("link", name="Grouping").click()
    expect(page.get_by_role("heading", name="The same scores can make")).to_be_visible(timeout=30_000)
    kit.settled(page)
    assert "answers=show" in page.url
    assert page.get_by_text("It is:").count() > 0
    assert page.get_by_role("button", name="Reveal").count() == 0


@pytest.mark.parametrize(  # tests/app/page/test_question.py asks on all
    "lesson",
    [pytest.param(one, marks=[pytest.mark.campaign] * (one.number > 1)) for one in pages.path()],
    ids=lambda one: one.title,
)
def test_nothing_on_the_screen_answers_before_a_guess_which_is_ticked_off_and_outlives_a_reload(page, lesson):
    page.goto(f"/{lesson.address}" if lesson.number > 1 else "/")
    kit.settled(page, patience=120_000)  # 24 metrics are calibrated
    row, tick = page.locator("[class*=st-key-answer_page]"), f".st-key-step_{lesson.number}"
    expect(row.get_by_role("button", name="Show the answer")).to_be_visible()
    hidden = page.locator(".answer:not(:empty)")
    assert not [one for one in hidden.all() if one.is_visible()]
    drawn = "step => step && getComputedStyle(step, '::after').content.includes('✓')"
    ticked = f"({drawn})(document.querySelector('{tick}'))"
    assert not page.evaluate(ticked)
    if lesson.place:
        page.get_by_role("slider", name="Crosshair").press("PageDown")
        kit.settled(page, quiet=800)
    if (line := page.locator(".few_ties .sets")).count():
        line.press("ArrowRight")
        expect(line).to_have_attribute("data-share", "0.08")
    stays = [[one.bounding_box() for one in page.locator(STAYS).all()]]
    kept, links = row.bounding_box(), page.locator(".st-key-ways").bounding_box()
    row.get_by_role("button").first.click()
    expect(row.get_by_role("status")).to_be_focused(timeout=30_000)
    kit.settled(page)
    assert row.bounding_box() == kept, "what stands below the answer moves"
    assert page.locator(".st-key-ways").bounding_box() == links
    stays.append([one.bounding_box() for one in page.locator(STAYS).all()])
    assert stays[0] == stays[1] != []
    assert hidden.count() == 0 or hidden.first.is_visible()
    assert page.evaluate(ticked)
    if not lesson.place:  # tests/browser/test_pages.py checks that page, which is large, with all of it open
        kit.check_page(page)
    if lesson.place or lesson.number == 1:  # a guess by a place and one by an option; the browser's tab tells it again
        page.reload()
        page.wait_for_function(ticked, timeout=60_000)
        expect(row.get_by_role("button", name="Ask again")).to_be_visible()
