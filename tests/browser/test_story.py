"""The story as one file in a browser: it asks before it shows, and needs neither server, network nor mouse."""

from __future__ import annotations

from functools import partial

import pytest
from playwright.sync_api import expect

import tiekit as tk
from tests.browser import figures, kit

pytestmark = pytest.mark.browser


opened = partial(figures.opened, ready="html[data-ready]", width=1280)


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), pytest.param(390, "dark", marks=pytest.mark.campaign)])
def test_it_fits_and_keeps_the_rules_before_and_after_the_answers(chromium, story_file, width, theme):
    with opened(chromium, story_file, width=width, theme=theme) as page:
        for press in ((), ("Show all answers", "Answer as for WMT22")):
            for name in press:
                page.get_by_role("button", name=name).click()
            kit.no_sideways_scroll(page)
        violations = kit.axe_violations(page)  # all that was there before the answers is there with them
        assert not violations, "\n".join(violations)


def test_answers_are_on_paper_and_none_is_seen_on_the_screen_before_a_guess(chromium, story_file):
    with opened(chromium, story_file) as page:
        for answer in page.locator(".ask > .answer").all():
            expect(answer).not_to_be_visible()
        shown = page.evaluate("document.body.innerText")
        assert "13 of 15" not in shown
        assert "17 of 24" not in shown
        assert page.locator(".path .done").count() == 0
        page.emulate_media(media="print")
        for answer in page.locator(".ask > .answer .shown").all():
            expect(answer).to_be_visible()
        expect(page.locator(".room").first).to_be_visible()
        expect(page.locator(".path")).not_to_be_visible()


def test_a_guess_opens_its_answer_and_is_kept(chromium, story_file):
    with opened(chromium, story_file) as page:
        page.get_by_role("button", name="Fine", exact=True).press("Enter")
        answer = page.locator("#ask-1-0")
        expect(answer.locator(".shown")).to_have_text(
            "Coarse gets 13 of 15 pairs right, Fine 11. Fine never says “equal”."
        )
        expect(answer.locator(".reply")).to_contain_text("Fine makes finer differences")
        expect(page.locator(".slot.podium .caption")).to_contain_text("Coarse wins: 13 of 15")
        expect(answer.get_by_role("button", name="Fine")).to_be_focused()
        page.get_by_role("button", name="Yes, they are equal").press("Enter")
        expect(page.locator(".slot.podium .caption")).to_contain_text("Fine wins: 15 of 15")
        page.locator(".slot.podium input").press("Home")
        expect(page.locator(".slot.podium .caption")).to_contain_text("Coarse wins: 13 of 15")
        page.reload()
        page.locator("html[data-ready]").wait_for()
        expect(answer.get_by_role("button", name="Fine")).to_have_attribute("aria-pressed", "true")
        expect(answer.locator(".shown")).to_be_visible()
        expect(page.locator("#ask-2-0 .shown")).not_to_be_visible()
        expect(page.locator(".path .done")).to_have_count(1)


def test_a_number_is_guessed_on_a_scale_and_the_puzzle_shows_a_way_to_win(chromium, story_file):
    with opened(chromium, story_file) as page:
        ask = page.locator("#ask-4-0")
        expect(ask.locator(".truth")).not_to_be_visible()
        ask.get_by_role("slider", name="Your guess").press("End")
        ask.get_by_role("button", name="Show the answer").press("Enter")
        expect(ask.locator("> .answer")).to_be_focused()
        expect(ask.locator(".truth .head")).to_have_text("It is: 17 metrics")
        expect(ask.locator(".ghost .head")).to_have_text("Your guess: 24 metrics")
        expect(
            ask.locator(".slot.calibration_explorer .said, .slot.calibration_explorer p:not([hidden])").first
        ).to_contain_text("MetricX")
        expect(page.locator(".slot.nan_explorer .sentence")).to_contain_text("Make BLEU win")
        page.get_by_role("button", name="Show a way").click()
        expect(page.locator(".slot.nan_explorer .sentence")).to_contain_text("BLEU wins under drop")


def test_the_last_lesson_ends_with_a_paragraph(chromium, story_file):
    answers = {"ties": "few", "groups": "several", "scales": "both", "systems": "many", "purpose": "segments"}
    with opened(chromium, story_file, width=390) as page:
        for name, answer in answers.items():
            page.locator(f'.guide input[name="{name}"][value="{answer}"]').check()
        expect(page.locator("blockquote")).to_have_text(tk.measures.which_number(**answers).paragraph)
