"""The calibration explorer on a page of its own: what is dragged, and what is shown then, against tiekit."""

import json
import re
from urllib.parse import parse_qs

import numpy as np
import pytest
from playwright.sync_api import expect

import tiekit as tk
from tests.browser import kit
from tests.browser.figures import SIZES, check, first_screen, opened
from tiekit.core.pairs import KINDS
from tiekit.widgets import CalibrationExplorer
from ui.work.presets import sample

pytestmark = pytest.mark.browser

HUMAN = [1, 2, 2, 3, 4, 2, 1, None, 3, 5]
METRIC = [2, 1, 1.5, 5, 3, 1.25, 0.25, 4, 3.75, 6]
RNG = np.random.default_rng(3)
MANY = RNG.integers(0, 5, (6, 40)).astype(float)
OTHER = MANY + RNG.normal(0, 1, MANY.shape)


def read(page):
    """The threshold, counts and values that are shown."""
    epsilon = float(page.get_by_role("slider").get_attribute("data-epsilon"))
    counts = {kind: int(page.locator(f"[data-kind={kind}]").inner_text().replace(",", "")) for kind in KINDS}
    lines = {name: float(page.locator(f"[data-line={name}]").get_attribute("data-value")) for name in LINES}
    return epsilon, counts, lines


LINES = ("value", "ties", "ranks")


def expected(found, epsilon):
    row = found.curve([epsilon]).iloc[0]
    counts = tk.core.pairs.count_sorted(found.grouped.scores, epsilon).sum(axis=0)[:5]
    values = dict(zip(LINES, row[["value", "tie_f1", "rank_f1"]].tolist(), strict=True))
    return epsilon, dict(zip(KINDS, counts.tolist(), strict=True)), pytest.approx(values, abs=1e-12)


def in_fragment(page):
    return json.loads(parse_qs(page.evaluate("location.hash").removeprefix("#"))["epsilon"][0])


def drag(page, to):
    """Take hold of the picture in its middle and move to a share of its width; what was shown on the way."""
    page.locator(".curve").scroll_into_view_if_needed()
    box = page.locator(".curve").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    seen = []
    for step in range(1, 9):
        page.mouse.move(box["x"] + box["width"] * (0.5 + (to - 0.5) * step / 8), middle + 5 * step)
        seen.append(read(page))
    return seen


def test_epsilon_is_dragged_and_moved_by_keys_and_all_follows(chromium, tmp_path):
    CalibrationExplorer(HUMAN, METRIC, name="BLEU").to_html(tmp_path / "small.html")
    found = tk.calibrate(HUMAN, METRIC)
    differences = sorted({abs(a - b) for a, h in zip(METRIC, HUMAN, strict=True) if h for b in METRIC if b != 4})
    with opened(chromium, tmp_path / "small.html") as page:
        slider = page.get_by_role("slider")
        assert read(page) == expected(found, 0)
        seen = drag(page, 0.2)
        assert all(shown == expected(found, shown[0]) for shown in seen)
        assert len({shown[0] for shown in seen}) > 5
        assert page.evaluate("location.hash") == ""
        page.mouse.up()
        assert in_fragment(page) == seen[-1][0] in differences
        page.keyboard.press("Home")
        for epsilon in differences[1:5]:
            page.keyboard.press("ArrowRight")
            assert read(page) == expected(found, epsilon)
        page.keyboard.press("ArrowDown")
        assert read(page) == expected(found, differences[3])
        page.keyboard.press("End")
        assert read(page) == expected(found, differences[-1])
        page.get_by_role("button", name="Go to ε*").click()
        assert read(page) == expected(found, found.epsilon)
        page.wait_for_url(re.compile(rf"epsilon={found.epsilon}$"))
        counts = tk.count_pairs(HUMAN, METRIC, epsilon=found.epsilon)
        tied, total = counts.ties_metric + counts.ties_both, counts.total
        expect(page.locator(".said")).to_have_text(
            f"At ε = {found.epsilon} BLEU ties {tied} of {total} pairs: the human ties {counts.ties_both} of them too; "
            f"acc_eq {found.value:.3f}, the best: this is ε*."
        )
        before = tk.count_pairs(HUMAN, METRIC, epsilon=np.nextafter(found.epsilon, 0))
        fresh = tied - before.ties_metric - before.ties_both
        expect(page.locator(".news li")).to_have_count(fresh)
        assert page.locator(".arc.young").count() >= 1
        expect(page.locator(".line svg")).to_have_attribute("aria-label", re.compile(f"with {tied} ties: "))
        page.get_by_role("button", name="To the next larger threshold").click()
        after = differences[differences.index(found.epsilon) + 1]
        assert read(page) == expected(found, after)
        page.wait_for_url(re.compile(f"epsilon={after}$"))
        page.reload()
        assert read(page) == expected(found, after)
        slider.focus()
        check(page)
        page.evaluate("location.hash = 'epsilon=0.6'")  # between two thresholds that change anything
        expect(slider).to_have_attribute("data-epsilon", "0.6")
        assert read(page) == expected(found, 0.6)
        expect(page.locator(".news li")).to_have_count(0)
    CalibrationExplorer([np.nan] * 3, [1, 2, 3]).to_html(tmp_path / "small.html")
    with opened(chromium, tmp_path / "small.html") as page:
        expect(page.locator(".said")).to_have_text("There is no pair to compare.")
        assert page.locator("[data-line]").all_text_contents() == ["undefined"] * 3
        expect(page.locator(".curve .star")).to_have_count(0)


def test_many_scores_show_the_curve_from_python(chromium, tmp_path):
    explorer = CalibrationExplorer(MANY, OTHER, grouping="item")
    explorer.to_html(tmp_path / "many.html")
    found, curve = explorer.calibration, explorer.data()["curve"]
    with opened(chromium, tmp_path / "many.html", fragment="#epsilon=%22damaged%22&metric=[1]") as page:
        assert read(page) == expected(found, 0)
        seen = drag(page, 0.3)
        page.mouse.up()
        assert all(shown == expected(found, shown[0]) and shown[0] in curve["epsilons"] for shown in seen)
        page.get_by_role("button", name="Go to ε*").click()
        assert read(page) == expected(found, found.epsilon)
        expect(page.locator(".said")).to_contain_text("the best: this is ε*")
        expect(page.locator(".line")).to_be_hidden()
        check(page)


@pytest.mark.campaign
def test_two_hundred_scores_move_at_once(chromium, tmp_path):
    human = RNG.integers(0, 5, 200)
    CalibrationExplorer(human, human + RNG.normal(0, 1, 200)).to_html(tmp_path / "page.html")
    with opened(chromium, tmp_path / "page.html") as page:
        page.get_by_role("slider").focus()
        milliseconds = page.evaluate(
            """() => {
                const slider = document.querySelector(".curve"), times = [];
                for (let step = 0; step < 60; step++) {
                    const start = performance.now();
                    slider.dispatchEvent(new KeyboardEvent("keydown", { key: step % 12 ? "PageUp" : "Home" }));
                    slider.getBoundingClientRect();
                    times.push(performance.now() - start);
                }
                return times.sort((a, b) => a - b)[30];
            }"""
        )
        print(milliseconds)
        assert milliseconds <= 33


# -------------------------------------------------------------------------------- the curves of all metrics

COVERED = """chart => {
    const boxes = [...chart.querySelectorAll("text:not(.title)")]
        .map(one => [one.textContent, one.getBoundingClientRect()]);
    const dots = [...chart.querySelectorAll("circle")].map(one => one.getBoundingClientRect());
    const middle = box => (box.top + box.bottom) / 2;
    const covered = boxes.filter(([, a], n) => boxes.some(([, b], m) => m > n && a.left < b.right && b.left < a.right
        && a.top + 2 < b.bottom && b.top + 2 < a.bottom));
    const away = [...chart.querySelectorAll("text.start")].map(one => one.getBoundingClientRect())
        .filter(box => !dots.some(dot => Math.abs(middle(dot) - middle(box)) < 4));
    return [...covered.map(([text]) => text), ...away.map(() => "away"),
        ...(chart.querySelector("text.start") ? [] : ["no value on the left"])];
}"""
"""Texts of the slope chart that cover one another, or values on the left that do not stand at their dots."""


def calibrated(metric):
    data = sample("qaa-qab").select()
    return tk.calibrate(data.human["mqm"], data.metrics[metric])


@pytest.mark.parametrize(("viewport", "link", "colour_scheme"), SIZES)
def test_the_curves_are_seen_at_once_and_move(open_page, link):
    page = open_page(f"/Calibration{link}")
    first_screen(page)
    curves, chosen = page.locator(".tie_curves .curves"), page.locator(".tie_curves .slopes [aria-selected=true]")
    best = calibrated(chosen.get_attribute("data-metric"))
    assert float(curves.get_attribute("data-epsilon")) == best.epsilon
    assert float(curves.get_attribute("data-value")) == best.value
    assert f"{best.value:.3f} at ε* = " in page.locator(".tie_curves .said").inner_text()

    assert page.locator(".tie_curves .slopes").evaluate(COVERED) == []

    curves.focus()
    page.keyboard.press("End")
    kit.settled(page, quiet=800)
    human = best.meaning.tied_by_human
    assert curves.get_attribute("aria-valuenow") == "100"
    assert float(curves.get_attribute("data-value")) == pytest.approx(human)
    assert "cal_tied=1" in page.url
    page.get_by_role("button", name="Go to ε*").click()
    expect(page.locator(".tie_curves .said")).to_contain_text("ε*")
    box = curves.bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] - 60)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.9, box["y"] + box["height"] - 60, steps=3)
    page.mouse.up()
    kit.settled(page, quiet=800)
    assert 70 < float(curves.get_attribute("aria-valuenow")) < 100
    epsilon = float(curves.get_attribute("data-epsilon"))
    assert float(curves.get_attribute("data-value")) == pytest.approx(best.value_at(epsilon), abs=2e-4)

    page.locator(".tie_curves .slopes").focus()
    before = chosen.get_attribute("data-metric")
    page.keyboard.press("ArrowDown")
    kit.settled(page, quiet=800)
    other = chosen.get_attribute("data-metric")
    assert other != before
    assert float(curves.get_attribute("data-epsilon")) == calibrated(other).epsilon
    expect(page.get_by_label("Metric", exact=True).first).to_have_value(other)
    kit.check_page(page)
