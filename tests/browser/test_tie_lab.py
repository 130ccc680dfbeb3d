"""The lab on a page of its own: it is dragged, tells tiekit's numbers, and its address holds what was changed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

import tiekit as tk
from tests.browser import figures, kit
from tests.browser.lab import FIGURE_2, M1, M2, expected, read
from tiekit.widgets import TieLab

pytestmark = pytest.mark.browser


LONG = "XCOMET-XXL-ensemble-finetuned-on-MQM-2022"
TELL_TEXTS = """() => {
  window.told = [];
  const fill = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (words, x, y) {
    const width = this.measureText(words).width, left = x - width * { left: 0, center: 0.5, right: 1 }[this.textAlign];
    if (this.canvas.className === "scatter") told.push([String(words), left, left + width, y]);
    return fill.call(this, words, x, y);
  };
}"""
"""Keep the texts that are drawn into scatters, where they begin and end, and how high they stand."""


@pytest.fixture
def file(tmp_path):
    TieLab(FIGURE_2, {"m1": M1, "m2": M2}).to_html(tmp_path / "lab.html")
    return tmp_path / "lab.html"


def numbers(page: Page):
    page.evaluate(figures.NEXT_FRAME)
    return read(page)


def test_it_is_dragged_and_its_address_restores_it(chromium: Browser, file) -> None:
    with figures.opened(chromium, file) as page:
        assert numbers(page) == expected(FIGURE_2, {"m1": M1, "m2": M2})
        page.get_by_role("slider").focus()
        page.keyboard.press("ArrowRight")
        assert numbers(page) == expected(FIGURE_2, {"m1": M1, "m2": M2}, 1.0)
        canvas = page.locator("canvas.scatter").nth(1)
        canvas.focus()
        page.keyboard.press("PageDown")
        page.keyboard.press("ArrowUp")  # the first item's score by m2
        moved = {"m1": M1, "m2": [1, *M2[1:]]}
        assert numbers(page) == expected(FIGURE_2, moved, 1.0)
        page.get_by_role("button", name="m1", exact=True).click()
        assert numbers(page) == expected(FIGURE_2, moved, 1.0, "m1")
        page.get_by_role("heading").first.click()  # what waits is sent
        page.wait_for_url("**#*metrics=*")
        address = page.url
        figures.check(page)
    with figures.opened(chromium, file, fragment="#" + address.partition("#")[2]) as page:
        assert numbers(page) == expected(FIGURE_2, moved, 1.0, "m1")
        page.evaluate("location.hash = 'epsilon=3'")
        assert numbers(page) == expected(FIGURE_2, {"m1": M1, "m2": M2}, 3.0)


def test_the_numbers_come_after_the_prediction(chromium: Browser, tmp_path) -> None:
    TieLab(FIGURE_2, {"m1": M1, "m2": M2}, predict=True).to_html(tmp_path / "lab.html")
    with figures.opened(chromium, tmp_path / "lab.html", width=390, theme="dark") as page:
        expect(page.locator(".values")).to_be_hidden()
        for place in page.get_by_text("15 pairs").all():
            expect(place).to_be_hidden()
        expect(page.get_by_role("table")).to_have_count(0)
        figures.check(page)
        page.get_by_role("button", name="m2", exact=True).click()
        expect(page.locator(".predict [role=status]")).to_have_text("No: m1 has 0.933, m2 has 0.600.")
        expect(page.locator(".values")).to_be_visible()
        assert numbers(page) == expected(FIGURE_2, {"m1": M1, "m2": M2})


CUT = "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"
"""Texts that their boxes cut."""


@pytest.mark.parametrize("width", [748, *(pytest.param(width, marks=pytest.mark.campaign) for width in (390, 1280))])
def test_names_of_ones_own_are_whole(chromium: Browser, tmp_path, width) -> None:
    human, mine = [3, 3, 4, 5, 1, 1, 5, 5], [2.53455170, 0.55532312, -1.7872181, -0.3042631, 1.5, 0.25, 12345, -0.5]
    TieLab([*human[:7], None], {"mymetric": mine, "MyContrastiveScore": human}).to_html(tmp_path / "lab.html")
    with figures.opened(chromium, tmp_path / "lab.html", width=width) as page:
        assert page.locator(".card h2, .line span" + ", .winner b" * (width == 1280)).evaluate_all(CUT) == []
        assert page.locator("#figure").evaluate(figures.BROKEN) == []
        expect(page.locator(".where")).to_have_text("all 21 pairs counted")
        ends = "all => [...new Set(all.map(one => Math.round(one.getBoundingClientRect().right)))].length"
        assert page.locator(".dot-row .track:visible").evaluate_all(ends) == 1, "the axis is as wide as its rows"
        for way in (CUT, CUT.replace("Width", "Height")):
            assert page.locator(".margin span").evaluate_all(way) == []
        scores = page.locator(".margin:not(.of-human)").first.locator("span")
        assert scores.nth(1).text_content() == "0.555"
        assert scores.nth(1).get_attribute("title") == "0.55532312"
        field = page.get_by_role("textbox", name="Scores of mymetric")
        assert field.input_value().startswith("2.53 0.555 −1.79")
        field.focus()
        assert field.input_value().startswith("2.5345517 0.55532312 −1.7872181")
        page.keyboard.press("Tab")
        page.keyboard.press("Shift+Tab")
        assert field.evaluate("one => one.selectionEnd - one.selectionStart === one.value.length")
        if width == 748:
            assert field.bounding_box()["width"] > 200


def test_numbers_of_an_axis_keep_apart_and_two_hundred_scores_fit_on_a_phone(chromium: Browser, tmp_path) -> None:
    rng = np.random.default_rng(0)
    human = rng.integers(-6, 1, 12) * 1e-3
    TieLab(human, {"tiny": human * 1.1, LONG: human * 1e5}).to_html(tmp_path / "lab.html")
    with figures.opened(chromium, tmp_path / "lab.html", width=1280) as page:
        page.evaluate(TELL_TEXTS)
        page.set_viewport_size({"width": 900, "height": 900})
        page.evaluate(figures.NEXT_FRAME)
        texts = page.evaluate("told")
        assert {"−0.002", "−200"} <= {words for words, *_ in texts}
        assert all("-" not in words or words[0].isalpha() for words, *_ in texts)
        assert any("…" in words and words.endswith("QM-2022") for words, *_ in texts)
        assert min(left for _, left, _, _ in texts) >= 0
        ends = [
            (right, left)
            for (_, _, right, y), (_, left, _, below) in pairwise(texts)
            if y == below and left > right - 20
        ]
        assert ends
        assert all(left > right for right, left in ends), "numbers of an axis keep apart"
    many = {"m 1": rng.random(200), "m 2": rng.integers(1, 6, 200)}
    TieLab(rng.integers(0, 101, 200), many).to_html(tmp_path / "lab.html")
    with figures.opened(chromium, tmp_path / "lab.html", width=390) as page:
        kit.no_sideways_scroll(page)
        assert page.locator(".card .right").evaluate_all(CUT) == []
        expect(page.locator(".where")).to_have_text("all 19,900 pairs counted")
        counts, matrix = (page.locator(f".card {part}").first.bounding_box() for part in (".counts", "canvas.matrix"))
        assert counts["y"] >= matrix["y"] + matrix["height"]


@pytest.mark.parametrize("width", [800, *(pytest.param(width, marks=pytest.mark.campaign) for width in (390, 1280))])
def test_that_a_value_is_undefined_is_read_well(chromium: Browser, tmp_path, width) -> None:
    rng = np.random.default_rng(0)
    human = rng.integers(-5, 1, 30)
    TieLab(human, {"a": human + rng.normal(size=30), "const": np.ones(30)}).to_html(tmp_path / "lab.html")
    with figures.opened(chromium, tmp_path / "lab.html", width=width) as page:
        none, told = page.locator(".dot-row .none:visible"), page.locator(".dots .note").first.inner_text()
        assert none.evaluate_all(CUT) == []
        assert none.count() + len([*filter(None, told.split(","))]) == 3, "said in the rows or below them"
        for color in none.evaluate_all("all => all.map((one) => getComputedStyle(one).backgroundColor)"):
            assert color == "rgb(255, 255, 255)", "no line runs through it"


def test_a_segment_of_a_set_names_its_systems_and_keeps_what_is_missing(chromium: Browser, tmp_path) -> None:
    scores = {"a": [[0.3], [None], [0.5]], "b": [[1], [2], [3]]}
    data = tk.EvalSet.from_arrays([[3], [2], [4]], scores, systems=["ann", "bob", "eve"])
    with pytest.warns(tk.CoverageWarning, match="2 of 3 systems: a has no scores of bob"):
        TieLab(data, segment=0).to_html(tmp_path / "lab.html")
    with figures.opened(chromium, tmp_path / "lab.html", "#pair=[0,2]") as page:
        expect(page.get_by_text("1: ann; 2: bob; 3: eve", exact=True)).to_be_visible()
        expect(page.get_by_text("Translations 1 and 3 (ann, eve): human 3 < 4").first).to_be_visible()
        expect(page.locator(".margin .aside").first).to_have_text("2")
        assert page.get_by_role("textbox", name="Human scores").input_value() == "3 (2) 4"
        field, refused = page.get_by_role("textbox", name="Scores of a"), page.locator(".refused:visible")
        for text in ("0.3 nan 0.6", "0.3 - 0.7", "0.3 (9) 0.8"):
            field.fill(text)
            expect(refused).to_have_count(0)
        for text, fault in (
            ("0.3 1 0.6", "score 2 is not compared"),
            ("0.3 - x", "score 3, “x”"),
            ("1 2", "2 of 3 scores"),
        ):
            field.fill(text)
            expect(refused).to_contain_text(fault)
