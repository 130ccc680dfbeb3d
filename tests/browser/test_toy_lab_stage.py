"""The toy lab's first screen: numbers in the margins, the dot plot, and the line of epsilon."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

import tiekit as tk
from tests.browser import figures, kit
from tests.browser.lab import FIGURE_2, M1, M2, expected, read, scores

pytestmark = pytest.mark.browser
GAINS = """({ human, metric, epsilons }) => {
    const model = new Lab(), metrics = [{ name: "m", slot: 1, scores: metric }];
    model.take({ human, metrics, epsilon: 0, epsilon_of: "m", coefficients: [] }, { pair: null, step: null });
    return epsilons.map((epsilon) => (model.setEpsilon(epsilon), model.gain));
}"""


@pytest.mark.parametrize("viewport", [(1280, 800)], ids=["laptop"])
def test_scores_and_epsilon_move_all_of_the_first_screen(page):
    page.goto("/Toy_lab?answers=show")
    figures.first_screen(kit.settled(page))
    row = page.locator(".lab .dot-row").filter(has_text="τ10")
    expect(row).to_contain_text("a tie of the metric is an error")
    assert "WMT used it in 2010–2012, 2017–2020" in row.get_attribute("title")
    page.set_viewport_size({"width": 878, "height": 800})
    kit.settled(page)
    cut = "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    headings = page.locator(".lab .card h2")
    assert (headings.count(), headings.evaluate_all(cut)) == (4, 0)
    page.set_viewport_size({"width": 1280, "height": 800})
    kit.settled(page)
    lab = page.locator(".lab")
    expect(lab.locator(".dots .right")).to_have_text("m2 on 6 of 10 coefficients, m1 on 4")
    marks = lab.locator(".dot-row .track").nth(1).locator(".mark")
    heights = marks.evaluate_all("all => all.map(one => one.style.top)")
    assert heights == ["32%", "68%"], "marks of τ_b cover each other"
    of_metric = lab.locator(".stage > .counts").get_by_text("tied by the metric only")
    expect(of_metric).to_be_hidden()
    grip = lab.locator(".grip").bounding_box()
    page.mouse.click(grip["x"] + 56 + (grip["width"] - 80) / 5, grip["y"] + grip["height"] / 2)
    expect(lab.locator(".gain")).to_have_text(
        re.compile(r"\+3 correct ties.*−2 correct orders.*acc_eq 0\.600 → 0\.667")
    )
    expect(of_metric).to_be_visible()
    expect(lab.locator(".dots .ties")).to_have_text(
        "m1 ties 6 pairs, all as the human does; m2 ties 5 pairs, 3 of them as the human does."
    )
    rule = row.locator(".rule")  # of a coefficient that is not set off
    expect(rule).to_be_hidden()
    lab.get_by_role("button", name="The other 6 coefficients").click()
    expect(row.locator(".winner")).to_be_visible()
    expect(rule).to_be_visible()
    expect(lab.locator(".sentence")).to_contain_text(
        "at ε = 0, m2 wins on 6 of 10 coefficients; with ε = 1, m1 wins on 5"
    )
    expect(lab.locator(".epsilon svg")).to_contain_text("★ best acc_eq 0.667 at ε = 1 to below 3")
    assert read(page) == expected(FIGURE_2, {"m1": M1, "m2": M2}, 1)
    other = tk.correlate(FIGURE_2, M1, "acc_eq").value
    assert read(page)["m1/acc_eq"] == pytest.approx(other, abs=1e-12)
    expect(lab.get_by_text("ε of m2 =")).to_be_visible()
    lab.get_by_role("group", name="Whose scores").get_by_role("button", name="m1").click()
    expect(lab.get_by_text("ε of m1 =")).to_be_visible()
    page.wait_for_url(re.compile("eps_of=1"))
    kit.settled(page)
    assert read(page) == expected(FIGURE_2, {"m1": M1, "m2": M2}, 1, "m1")
    page.reload()
    kit.settled(page)
    assert read(page) == expected(FIGURE_2, {"m1": M1, "m2": M2}, 1, "m1")
    lab.get_by_role("group", name="Whose scores").get_by_role("button", name="m2").click()
    page.wait_for_url(re.compile("eps_of=2"))
    lab.get_by_role("slider").focus()
    page.keyboard.press("Home")
    expect(lab.locator(".gain")).to_be_hidden()
    field = lab.get_by_role("textbox", name="Scores of m1")
    field.fill("0 0 0 0 2 3")
    field.press("End")
    field.press("ArrowDown")
    field.press("ArrowDown")
    field.press("ArrowUp")
    expect(field).to_have_value("0 0 0 0 2 2")
    lab.get_by_role("textbox", name="Human scores").fill("-1 0 0 0 1 2")
    kit.settled(page)
    assert read(page) == expected([-1, *FIGURE_2[1:]], {"m1": [0, 0, 0, 0, 2, 2], "m2": M2})
    expect(scores(page)).to_have_value("0 0 0 0 2 2")
    for typed, said in (
        ("0 0 0 0 2 many", "score 6, “many”, is not a number that can be drawn"),
        ("0 0 0", "3 of 6 scores"),
    ):
        field.fill(typed)
        expect(lab.locator(".refused").nth(1)).to_have_text(said)
        assert (
            read(page)["m1/acc_eq"] == expected([-1, *FIGURE_2[1:]], {"m1": [0, 0, 0, 0, 2, 2]}).expected["m1/acc_eq"]
        )
        field.press("Enter")
        expect(field).to_have_value("0 0 0 0 2 2")


@pytest.mark.campaign
@pytest.mark.parametrize("viewport", [(1280, 800)], ids=["laptop"])
def test_the_result_is_beside_lines_of_ones_own_of_which_there_is_one_for_each_score(open_page):
    lab = open_page("/Toy_lab?own=true").locator(".lab")
    found = lab.locator(".dots").bounding_box()
    assert found["y"] + found["height"] < 800
    expect(lab.get_by_role("textbox", name="Scores of m1")).to_be_hidden()


def test_what_epsilon_wins_and_loses_is_what_tiekit_counts(chromium: Browser) -> None:
    human, metric = [1, 2, 2, 3, 1, 4, 5, 3], [0.1, 0.25, 0.3, 0.31, None, 0.7, 0.66, 0.2]
    epsilons = [0, 0.05, 0.1, 0.2, 0.35, 0.6]
    given = {"human": human, "metric": metric, "epsilons": epsilons}
    told = figures.called(chromium, {"lab/model.js": "Lab"}, GAINS, given)
    first = tk.count_pairs(human, metric)
    for epsilon, gain in zip(epsilons, told, strict=True):
        counts = tk.count_pairs(human, metric, epsilon=epsilon)
        assert gain["won"] == counts.ties_both - first.ties_both
        assert gain["lost"] == first.concordant - counts.concordant
        assert gain["after"] == pytest.approx(tk.COEFFICIENTS["acc_eq"].value(counts), abs=1e-12)
        assert gain["before"] == pytest.approx(tk.COEFFICIENTS["acc_eq"].value(first), abs=1e-12)
