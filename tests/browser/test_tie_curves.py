"""Calibration's first picture: on the first screen, moved by pointer and keys, with the library's numbers."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import tiekit as tk
from tests.browser import kit
from ui.work.presets import sample

pytestmark = pytest.mark.browser
ALL = pytest.mark.campaign
SIZES = [
    pytest.param((1280, 800), "", "light", id="desk"),
    *(
        pytest.param(*size, theme, id=f"{name}, {theme}", marks=ALL)
        for name, size in {"lecture": ((1024, 768), "?lecture=true"), "phone": ((390, 844), "")}.items()
        for theme in ("light", "dark")
    ),
]


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


def on_first_screen(page, selector):
    box, height = page.locator(selector).bounding_box(), page.viewport_size["height"]
    return box["y"] >= 0 and box["y"] + box["height"] <= height


@pytest.mark.parametrize(("viewport", "link", "colour_scheme"), SIZES)
def test_the_curves_are_seen_at_once_and_move(open_page, link):
    page = open_page(f"/Calibration{link}")
    assert on_first_screen(page, ".tie_curves .said")
    assert on_first_screen(page, ".tie_curves .curves")
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
