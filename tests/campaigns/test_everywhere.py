"""What every page offers: a link that restores it, keys for a lecture, words explained, code to take away."""

from __future__ import annotations

from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from tests.app.code import run_cells
from tests.app.conftest import open_app  # noqa: F401 — a fixture
from tests.browser import kit
from tests.browser.lab import drawer
from ui.work import downloads

pytestmark = pytest.mark.browser

H, M = "Human scores h, one per translation", "Metric scores m"


def test_a_copied_link_restores_what_was_typed_last(open_page, chromium, server):
    page = open_page("/Calibration?cal_coefficient=tau_eq")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=server.url)
    drawer(page).get_by_label(H).fill("1 2 2 3 .5")
    page.get_by_label(M).fill("1 2 3 3.25 nan")
    kit.settled(page)
    page.get_by_role("slider").last.press("End")
    page.get_by_role("button", name="Copy link").click()
    page.get_by_role("status").filter(has_text="copied").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    text = kit.settled(page).get_by_test_id("stMain").inner_text().replace("copied", "")
    with kit.new_page(chromium, server.url) as (other, traffic):
        assert drawer(kit.visit(other, link)).get_by_test_id("stMain").inner_text().split() == text.split()
        assert other.get_by_label(M).input_value() == "1 2 3 3.25 nan"
        assert traffic == kit.Traffic()


def test_a_lecturer_walks_through_examples_by_keys_and_types_undisturbed(open_page):
    page = open_page("/Calibration")
    page.set_viewport_size({"width": 1024, "height": 768})
    kit.open_menu(page, "Teach")
    page.get_by_text("Lecture mode").click()
    page.keyboard.press("Escape")
    kit.settled(page)
    heading = page.get_by_role("heading", level=1)
    at_top = heading.bounding_box()
    drawer(page)
    line = page.get_by_label(M)

    def walked(key, number):
        page.keyboard.press(key)
        expect(page.get_by_text(f"example {number} of")).to_be_visible(timeout=30_000)
        kit.settled(page)

    expect(page.get_by_text("example 1 of")).to_be_visible(timeout=30_000)
    kit.settled(page)
    first = line.input_value()
    walked("PageDown", 2)  # although the switch has the focus
    page.get_by_label("Start from an example").click()
    page.get_by_role("option").nth(2).click()
    expect(page.get_by_text("example 3 of")).to_be_visible(timeout=30_000)
    kit.settled(page)
    walked("PageUp", 2)
    slider = page.get_by_role("slider", name="Threshold ε")
    slider.focus()
    before = slider.get_attribute("aria-valuetext")
    walked("PageUp", 1)
    assert slider.get_attribute("aria-valuetext") == before
    assert line.input_value() == first
    assert heading.bounding_box()["y"] < at_top["y"]
    for _ in range(4):  # there is no example before the first, so the key scrolls
        page.keyboard.press("PageUp")
        kit.settled(page)
    assert heading.bounding_box() == at_top
    assert line.input_value() == first
    line.focus()
    page.keyboard.press("PageDown")
    kit.settled(page)
    assert line.input_value() == first
    page.get_by_role("button", name="Pages").click()
    page.get_by_role("link", name="5 · WMT22").click()
    expect(page.get_by_role("heading", name="It depends on the coefficient")).to_be_visible(timeout=30_000)
    kit.settled(page)
    assert "/Leaderboard?" in page.url
    assert "lecture=true" in page.url


def test_a_term_is_explained_by_keyboard_and_its_card_stays_in_the_window(open_page):
    page = open_page("/Leaderboard")
    a_term_is_explained_by_keyboard_alone(page)
    a_terms_card_stays_in_the_window_and_closes_as_the_page_scrolls(page)


def a_term_is_explained_by_keyboard_alone(page):
    term = page.get_by_role("button", name="MQM", exact=True)
    term.scroll_into_view_if_needed()
    kit.settled(page)  # a card closes when the page scrolls
    term.focus()
    page.keyboard.press("Enter")
    page.get_by_text("experts mark each error").wait_for()
    page.keyboard.press("Escape")
    page.get_by_text("experts mark each error").wait_for(state="hidden")
    assert term.evaluate("e => e.matches(':focus')")


def a_terms_card_stays_in_the_window_and_closes_as_the_page_scrolls(page):
    for width, height in (kit.WIDE, kit.NARROW):
        page.set_viewport_size({"width": width, "height": height})
        kit.settled(page)
        term, card = (
            page.get_by_role("button", name="coverage", exact=True),
            page.get_by_text("skipping hard translations"),
        )
        term.scroll_into_view_if_needed()
        term.click()
        card.wait_for()
        box = card.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert 0 <= box["y"] <= height - box["height"]
        page.mouse.wheel(0, 300)
        card.wait_for(state="hidden")


def test_a_notebook_gives_the_number_on_the_page_and_a_table_its_values(open_page):
    page = open_page("/Calibration?cal_h=1+.1+.30000000000000004+1+.1&cal_m=2+.3+.7+1.9+.33")
    page.get_by_role("button", name="To the best").click()
    kit.settled(page)
    page.get_by_text("Show the code").first.click()
    book = kit.downloaded(page, page.get_by_role("button", name="Download as a Jupyter notebook").first)
    epsilon, value, counts, _ = run_cells(Path(book.path()).read_text(encoding="utf-8"))
    assert book.suggested_filename == "calibration-step-by-step.ipynb"
    assert page.get_by_role("heading", name=f"ε = {downloads.exact(epsilon)}").is_visible()
    assert f"→ {value:.3f}" in page.get_by_test_id("stMain").inner_text()
    file = kit.downloaded(page, page.get_by_role("button", name="CSV", exact=True).first)
    [heads, *rows] = Path(file.path()).read_text(encoding="utf-8").splitlines()
    assert heads == "pairs,before,now,change"
    assert [int(row.split(",")[2]) for row in rows] == counts.row[:5].tolist()


def test_a_file_waits_for_a_slow_browser_while_others_go_on(open_page, server):
    page = open_page("/Grouping")
    file = kit.downloaded(page, page.get_by_role("button", name="CSV", exact=True).first)
    with kit.new_tab(page.context, server.url) as (other, _):
        kit.visit(other, "/")
        for _ in range(2):  # Streamlit alone forgets it after the second run
            other.keyboard.press("r")
            kit.settled(other)
    with urlopen(file.url, timeout=10) as answer:
        assert answer.read() == file.path().read_bytes()
