"""Back and Forward: one step for each choice, each with the whole page as it was, on every page."""

from __future__ import annotations

import random
import time

import pytest
from playwright.sync_api import expect

import tiekit as tk
from tests.browser import kit
from tests.browser.lab import arrives, drawer, exact_epsilon, retype, scatter, scores
from ui.page import pages

pytestmark = pytest.mark.browser

ENTRIES = "() => history.length"


def number_of_entries(page, number):
    """Wait until the history has so many entries and the page has settled; by then there are no more."""
    page.wait_for_function("number => history.length >= number", arg=number, timeout=20_000)
    kit.settled(page)
    assert page.evaluate(ENTRIES) == number


def comes(page, read, wanted):
    """Wait until a page shows what it showed before; a run that the browser has just asked for may not have begun."""
    deadline = time.monotonic() + 30
    while (found := read(page)) != wanted and time.monotonic() < deadline:
        page.wait_for_timeout(200)
    assert found == wanted, page.url


def lab(page):
    """What the toy lab's lines hold, after the part that moves has shown the library's numbers for it."""
    kit.settled(page)
    human = tk.parse_vector(drawer(page).get_by_label("Human scores h").input_value())
    metrics = {
        page.get_by_label(f"Metric {slot}", exact=True).input_value() or f"m{slot}": tk.parse_vector(
            scores(page, slot).input_value()
        )
        for slot in (1, 2)
    }
    epsilon = float(exact_epsilon(page).input_value())
    arrives(page, human, metrics, epsilon)
    assert page.get_by_test_id("stAlert").count() == 0
    return human, metrics, epsilon


def test_each_choice_in_the_toy_lab_is_one_step_back_and_forward(open_page):
    page = open_page("/Toy_lab")

    def choose():
        page.get_by_label("Start from an example").click()
        page.get_by_role("option").nth(1).click()

    def move_a_point():
        scatter(page, 2).focus()
        for key in ("PageDown", "ArrowUp", "ArrowRight"):
            page.keyboard.press(key)

    def type_scores():
        retype(page, scores(page, 2), "9 8 7 6 5 4 3 2 1 0")

    def drag_epsilon():
        slider = page.locator(".lab input[type=range]")
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        page.mouse.move(box["x"] + 9, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] - 9, box["y"] + box["height"] / 2, steps=5)
        page.mouse.up()

    entries, seen = page.evaluate(ENTRIES), [lab(page)]
    for number, act in enumerate((choose, move_a_point, type_scores, drag_epsilon), 1):
        act()
        number_of_entries(page, entries + number)
        seen.append(lab(page))
        assert seen[-1] != seen[-2]
    assert page.url.count("=") == 6, page.url  # h, m1, m2, their names and eps
    for before in reversed(seen[:-1]):
        page.go_back()
        comes(page, lab, before)
    assert page.url.endswith("/Toy_lab")
    for after in seen[1:]:
        page.go_forward()
        comes(page, lab, after)
    assert page.evaluate(ENTRIES) == entries + 4


def open_list(page, box):
    """Open the list of a box, and return its options."""
    box.scroll_into_view_if_needed()
    box.click()
    options = page.get_by_role("listbox").get_by_role("option")
    page.wait_for_timeout(500)
    if not options.count():  # a page that still scrolls closes the list
        box.press("ArrowDown")
    options.first.wait_for()
    return options


def test_back_to_the_set_of_the_lesson_asks_its_question_again(page):
    kit.visit(page, "/Sentinels")  # on WMT22
    entries, asked = page.evaluate(ENTRIES), page.get_by_role("button", name="Show the answer")
    expect(asked).to_be_visible()
    open_list(page, page.get_by_label("Which scores?")).filter(has_text="a synthetic set").click()
    number_of_entries(page, entries + 1)
    expect(asked).to_have_count(0)
    page.go_back()
    expect(asked).to_be_visible(timeout=30_000)
    page.go_forward()
    expect(asked).to_have_count(0, timeout=30_000)


CHOICES = 10
FORM = """() => [...document.querySelectorAll("[data-testid=stMain] *")]
    .filter(e => e.matches("input, [role=radio], [role=slider], [aria-pressed]"))
    .filter(e => e.checkVisibility() && e.type !== "file" && !e.closest(".st-key-ways"))
    .map(e => [e.getAttribute("aria-label") ?? e.textContent, e.type === "checkbox" ? e.checked : e.value ?? "",
               ...["aria-checked", "aria-pressed", "aria-valuenow"].map(name => e.getAttribute(name))].join(" "))"""
"""Every control of a page with what is chosen."""

TEXTS = """() => [...document.querySelectorAll("[data-testid=stMarkdown], [data-testid=stTable]")]
    .filter(e => e.checkVisibility()).map(e => e.innerText.trim()).filter(Boolean)"""


def whole(page):
    """What a page shows: every control with what is chosen, and the texts."""
    kit.settled(page, quiet=600, patience=120_000)
    return page.evaluate(FORM), page.evaluate(TEXTS)


def choose_something(page, rng):
    """Change one control of a page, as a visitor would."""
    kinds = [
        "[data-testid=stSelectbox] [role=combobox]",
        "[data-testid=stTextInput] input:enabled",
        "[data-testid=stButtonGroup] button:not([aria-checked=true])",
        "[data-testid=stSlider] [role=slider]",
    ]
    main = page.get_by_test_id("stMain")
    rng.shuffle(kinds)
    for kind in kinds:
        found = [one for one in main.locator(kind).all() if one.is_visible()]
        if found:
            one = rng.choice(found)
            break
    one.scroll_into_view_if_needed()
    if "combobox" in kind:
        options = open_list(page, one)
        options.nth(rng.randrange(options.count())).click()
    elif "stTextInput" in kind:
        old = one.input_value()
        one.fill(" ".join(rng.sample(old.split(), len(old.split()))) if " " in old and "|" not in old else old)
        one.blur()
    elif "slider" in kind:
        one.press(rng.choice(["ArrowRight", "ArrowLeft"]))
        one.blur()
    else:
        one.click()


@pytest.mark.parametrize("path", [f"/{page.address}" for page in pages.lessons() if page.address != "Teach_this"])
def test_choices_on_every_page_are_in_its_link_and_are_undone_and_done_again(open_page, chromium, server, path):
    page, rng = open_page(path), random.Random(path)
    page.set_default_timeout(60_000)
    entries, seen = page.evaluate(ENTRIES), [whole(page)]
    for _ in range(3 * CHOICES):
        choose_something(page, rng)
        now = whole(page)
        page.wait_for_timeout(1_500)
        if page.evaluate(ENTRIES) > entries + len(seen) - 1:
            seen.append(now)
        if len(seen) > CHOICES:
            break
    assert page.evaluate(ENTRIES) == entries + len(seen) - 1
    with kit.new_page(chromium, server.url) as (other, _):
        kit.visit(other, page.url.removeprefix(server.url))
        comes(other, whole, seen[-1])
    for before in reversed(seen[:-1]):
        page.go_back()
        comes(page, whole, before)
    for after in seen[1:]:
        page.go_forward()
        comes(page, whole, after)
