"""The toy lab by hand: what is dragged, pressed and stepped through."""

from __future__ import annotations

import math
import re
import signal

import numpy as np
import pytest
from playwright.sync_api import expect

import tiekit as tk
from tests.browser import kit
from tests.browser.lab import (
    FIGURE_2,
    M1,
    M2,
    arrives,
    drawer,
    exact_epsilon,
    expected,
    read,
    retype,
    scatter,
    scores,
    sent_by,
    sentence,
)
from tiekit.core.pairs import KINDS
from ui.work.text import exact

pytestmark = pytest.mark.browser


def test_epsilon_moves_everything_while_it_is_dragged_and_the_server_hears_of_it_on_release(page):
    sent = sent_by(page)
    kit.visit(page, "/Toy_lab?h=1+2+2+3+1+4+5+3&m1=.1+.25+.3+.31+nan+.7+.66+.2&m2=3+1+4+1+5+9+2+6")
    human, metrics = [1, 2, 2, 3, 1, 4, 5, 3], {"m1": [0.1, 0.25, 0.3, 0.31, None, 0.7, 0.66, 0.2]}
    metrics["m2"] = [3, 1, 4, 1, 5, 9, 2, 6]
    page.get_by_role("group", name="Whose scores").get_by_role("button", name="m1").click()
    slider, grip = page.locator(".lab input[type=range]"), page.locator(".lab .grip")
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    middle, width = box["y"] + box["height"] - 10, box["width"] - 80
    page.mouse.move(box["x"] + 56, middle)
    page.mouse.down()
    before, seen = len(sent), set()
    for move in range(1, 21):
        page.mouse.move(box["x"] + 56 + width * move / 27, middle)
        page.evaluate("() => new Promise(requestAnimationFrame)")
        shown = read(page)
        assert shown == expected(human, metrics, shown["epsilon"], "m1")
        seen.add(shown["epsilon"])
    assert len(sent) == before
    assert len(seen) > 8
    kept = expected(human, metrics).expected
    assert all(shown[key] == pytest.approx(kept[key], nan_ok=True) for key in kept if key.startswith("m2/"))
    page.mouse.up()
    last = shown["epsilon"]
    page.wait_for_url(re.compile(f"eps={re.escape(exact(last))}$"))
    kit.settled(page)
    assert float(exact_epsilon(page).input_value()) == last
    accuracy = tk.correlate(human, metrics["m1"], "acc_eq", epsilon=last).value
    assert any(f"{accuracy:.3f}" in text for text in page.locator(".katex-mathml annotation").all_text_contents())
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(exact_epsilon(page)).not_to_have_value(exact(last))
    kit.settled(page)
    assert read(page) == expected(human, metrics, float(exact_epsilon(page).input_value()), "m1")
    page.get_by_role("group", name="Whose scores").get_by_role("button", name="m2").click()
    retype(page, exact_epsilon(page), "2")
    assert read(page) == expected(human, metrics, 2)


def test_a_point_is_dragged_and_moved_by_keys_and_the_lines_follow(open_page):
    page = open_page("/Toy_lab?answers=show")
    canvas = scatter(page, 2)
    canvas.focus()
    for _ in range(5):
        page.keyboard.press("PageDown")
    expect(canvas).to_have_attribute("aria-label", re.compile("Item 5: human 1, m2 4"))
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    expect(scores(page, 2)).to_have_value("0 1 2 3 6 5")
    expect(drawer(page).get_by_label("Human scores h")).to_have_value("0 0 0 0 0 2")
    kit.settled(page)
    assert read(page) == expected([0, 0, 0, 0, 0, 2], {"m1": M1, "m2": [0, 1, 2, 3, 6, 5]})
    # item 6 lies at the right end: human 2, m2 5; drag it to the foot
    canvas.scroll_into_view_if_needed()
    kit.settled(page)
    box = canvas.bounding_box()
    size = box["width"]
    x = box["x"] + 44 + (2 - -0.24) / 2.48 * (size - 54)
    top, foot = (box["y"] + size - 40 - (score - -0.72) / 7.44 * (size - 48) for score in (5, 1))
    page.mouse.move(x, top)
    page.mouse.down()
    page.mouse.move(x, (top + foot) / 2)
    page.mouse.move(x, foot)
    page.mouse.up()
    expect(scores(page, 2)).to_have_value("0 1 2 3 6 1")
    kit.settled(page)
    assert read(page) == expected([0, 0, 0, 0, 0, 2], {"m1": M1, "m2": [0, 1, 2, 3, 6, 1]})
    assert scores(page).input_value() == "0 0 0 0 2 1"


@pytest.fixture
def own_page(chromium, own_server):
    """An empty page of a server that no other test uses."""
    with kit.new_page(chromium, own_server.url) as (page, traffic):
        yield page
    # Streamlit takes the icon away with a run that is stopped; a browser that asks for it then gets none.
    assert all("/media/" in error for error in traffic.console_errors)
    assert not traffic.outside_requests


def test_a_busy_server_hears_of_every_change(own_page, own_server):
    """While it stands still, points of two metrics and epsilon are moved; what was typed meanwhile stays too."""
    page = kit.visit(own_page, "/Toy_lab?h=0+.25+.5+1&m1=1e-7+2e-7+3e-7+4e-7&m2=4+3+2+1")
    drawer(page)
    scatter(page)
    own_server.process.send_signal(signal.SIGSTOP)
    try:
        for at, item in ((0, 1), (1, 2)):
            page.locator(".lab canvas.scatter").nth(at).focus()
            for _ in range(item):
                page.keyboard.press("PageDown")
            page.keyboard.press("ArrowUp")
            page.wait_for_timeout(600)
        page.locator(".lab input[type=range]").focus()
        page.keyboard.press("End")
        page.get_by_label("Metric 2", exact=True).fill("renamed")
        page.keyboard.press("Tab")
    finally:
        own_server.process.send_signal(signal.SIGCONT)
    expect(scores(page, 1)).to_have_value("2e-07 2e-07 3e-07 4e-07", timeout=30_000)
    expect(scores(page, 2)).to_have_value("4 4 2 1", timeout=30_000)
    kit.settled(page)
    assert drawer(page).get_by_label("Human scores h").input_value() == "0 .25 .5 1"
    arrives(page, [0, 0.25, 0.5, 1], {"m1": [2e-7, 2e-7, 3e-7, 4e-7], "renamed": [4, 4, 2, 1]}, 3)


def test_another_example_stops_the_play(open_page):
    page = open_page("/Toy_lab?answers=show")
    scatter(page)  # beside which pairs are counted
    page.get_by_role("button", name="Count on by itself").click()
    expect(page.locator(".lab .where")).to_have_text("2 of 15 pairs counted")
    drawer(page).get_by_label("Start from an example").click()
    page.keyboard.type("Constant")  # the list shows only some of the examples at once
    page.get_by_role("option", name="Constant metric").click()
    expect(page.locator(".lab .where")).to_have_text("all 10 pairs counted")
    arrives(page, [1, 2, 2, 3, 4], {"constant": [7, 7, 7, 7, 7]})
    assert "step=" not in page.url


def test_pictures_are_saved_and_a_pair_lights_up_wherever_it_is_chosen(open_page):
    page = open_page("/Toy_lab?answers=show")
    scatter(page)
    picture = kit.downloaded(page, page.get_by_role("button", name="Save the pairs of m1 as SVG"))
    svg = picture.path().read_text(encoding="utf-8")
    glyphs = re.findall(r'font-weight="700"[^>]*>([CD=hm])<', svg)
    assert {glyph: glyphs.count(glyph) for glyph in set(glyphs)} == {"C": 9, "D": 2, "=": 7, "h": 1, "m": 1}, (
        "pairs, and one of each kind in the legend"
    )
    assert "<title>Pairs of m1: 8 concordant, 1 discordant" in svg
    picture = kit.downloaded(page, page.get_by_role("button", name="Save the points of m2 as PNG"))
    assert picture.suggested_filename == "m2-scatter.png"
    assert picture.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    matrix = page.locator(".lab canvas.matrix").first
    matrix.scroll_into_view_if_needed()
    box = matrix.bounding_box()
    side = math.floor((box["width"] - 4) / 6)
    page.mouse.click(box["x"] + 3.5 * side, box["y"] + 1.5 * side)  # row 2, column 4
    expect(page.locator(".lab .sentence")).to_contain_text("Translations 2 and 4")
    by_mouse = sentence(page)
    assert by_mouse.splitlines()[0] == "Translations 2 and 4: human 0 = 0; m1 0 = 0: tied by both."
    assert "m2 1 < 3, 2 apart, more than ε: tied by the human only." in by_mouse
    effects = page.locator(".lab [data-coefficient=acc_eq] em").all_inner_texts()
    assert effects == ["rewards", "no credit"]
    assert page.locator(".lab [data-coefficient=tau_13] em").all_inner_texts() == ["ignores", "ignores"]
    expect(page.get_by_label("Highlight pair")).to_have_value("6")
    page.wait_for_url(re.compile("pair=2-4"))
    page.get_by_label("Highlight pair").select_option("none")
    matrix.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown"):  # 1-2, 1-3, 1-4, 2-4
        page.keyboard.press(key)
    expect(page.locator(".lab .sentence")).to_contain_text("Translations 2 and 4")
    assert sentence(page) == by_mouse
    page.get_by_label("Highlight pair").select_option("none")
    box = scatter(page, 2).bounding_box()
    for score in (1, 3):  # items 2 and 4, above one another: human 0
        across = 44 + 0.24 / 2.48 * (box["width"] - 54)
        page.mouse.click(box["x"] + across, box["y"] + box["width"] - 40 - (score + 0.6) / 6.2 * (box["width"] - 48))
    expect(page.locator(".lab .sentence")).to_contain_text("Translations 2 and 4")
    assert sentence(page) == by_mouse


def test_pairs_of_every_kind_are_told_by_the_rules(open_page):
    """Every pair of eight items, chosen in the list: the words for the kind, and each coefficient's effect."""
    human, metric = [1, 2, 2, 3, 3, 4, 4, 5], [1, 2, 2, 5, 3, 3, 1, 4]
    page = open_page(f"/Toy_lab?metrics=1&h={'+'.join(map(str, human))}&m1={'+'.join(map(str, metric))}")
    told = page.locator(".lab").evaluate(
        """async lab => {
            const picker = lab.querySelector("select"), found = [];
            for (const option of [...picker.options].slice(1)) {
                picker.value = option.value;
                picker.onchange();
                await new Promise(requestAnimationFrame);
                await new Promise(requestAnimationFrame);
                const effects = [...lab.querySelectorAll("[data-coefficient]")].map(
                    cell => [cell.dataset.coefficient, cell.querySelector("em").textContent]);
                found.push([option.textContent, lab.querySelector(".sentence").innerText, Object.fromEntries(effects)]);
            }
            return found;
        }"""
    )
    words = {"concordant": "concordant", "discordant": "discordant", "ties_human": "tied by the human only"}
    words |= {"ties_metric": "tied by the metric only", "ties_both": "tied by both"}
    pairs = list(tk.classify_pairs(human, metric).itertuples())
    assert len(told) == len(pairs) == 28
    for (items, said, effects), pair in zip(told, pairs, strict=True):
        assert items == f"{pair.i + 1} and {pair.j + 1}"
        assert said.startswith(f"Translations {items}: human {human[pair.i]} ")
        assert said.strip().endswith(f"{words[pair.kind]}.")
        assert effects == {n: e.effect(pair.kind) if e.formula else "" for n, e in tk.COEFFICIENTS.items()}


def test_pairs_are_counted_one_at_a_time_forwards_and_backwards(open_page):
    page = open_page("/Toy_lab?answers=show")
    scatter(page)  # beside which pairs are counted
    on, back = (page.get_by_role("button", name=name) for name in ("Count one pair on", "One pair back"))
    on.click()
    back.click()
    where = page.locator(".lab .where")
    expect(where).to_have_text("0 of 15 pairs counted")

    def told():
        page.evaluate("() => new Promise(requestAnimationFrame)")
        return {key: value for key, value in read(page).items() if not math.isnan(value)}, where.inner_text()

    trail = [told()]
    for _ in range(15):
        on.click()
        trail.append(told())
    counts = {key: value for key, value in trail[-1][0].items() if key.split("/")[-1] in KINDS}
    assert counts == {
        **{"m1/concordant": 8, "m1/discordant": 1, "m1/ties_both": 6, "m1/ties_human": 0, "m1/ties_metric": 0},
        **{"m2/concordant": 9, "m2/discordant": 0, "m2/ties_both": 0, "m2/ties_human": 6, "m2/ties_metric": 0},
    }
    assert read(page) == expected(FIGURE_2, {"m1": M1, "m2": M2})
    assert [sum(v for k, v in shown.items() if k in {f"m1/{kind}" for kind in KINDS}) for shown, _ in trail] == [
        *range(16)
    ]
    page.wait_for_url(re.compile("step=15"))
    kit.settled(page)
    for step in (14, 13):
        back.click()
        assert told() == trail[step]
    page.get_by_role("group", name="Count the pairs").get_by_role("button").first.focus()
    keys = (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("End", 15), ("ArrowLeft", 14), ("Home", 0))
    for key, step in keys:
        page.keyboard.press(key)
        assert told() == trail[step]
    page.get_by_role("button", name="Count on by itself").click()
    expect(where).to_have_text("2 of 15 pairs counted")
    page.get_by_role("button", name="Count on by itself").click()
    paused = told()
    page.wait_for_timeout(1000)
    assert told() == paused


def evaluate(tex):
    """The value of the second line of a worked formula: TeX read as arithmetic."""
    text = re.sub(r"\\textcolor\{#\w+\}\{([^{}]*)\}", r"\1", tex)
    while r"\frac" in text:
        text = re.sub(r"\\sqrt\{([^{}]*)\}", r"(sqrt(\1))", text)
        text = re.sub(r"\^\{([^{}]*)\}", r"**\1", text)
        text = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", text)
    try:
        return eval(text.replace(r"\cdot", "*"), {"sqrt": math.sqrt})
    except ZeroDivisionError:
        return math.nan


def test_worked_formulas_hold_the_present_numbers(open_page):
    """Seven random vectors × eight formulas, read from the page, put into arithmetic, compared with the library."""
    rng = np.random.default_rng(3)
    names = [name for name, entry in tk.COEFFICIENTS.items() if entry.formula]
    page = open_page("/Toy_lab?metrics=1&" + "&".join(f"formulas={name}" for name in names))
    for number in range(7):
        metric = rng.integers(0, 3 if number else 1, 6).tolist()
        scores(page).fill(" ".join(map(str, metric)))
        arrives(page, FIGURE_2, {"m1": metric})
        kit.settled(page)
        texts = page.locator(".katex-mathml annotation").all_text_contents()
        worked = [text for text in texts if r"\begin{aligned}" in text]
        assert len(worked) == len(names)
        for name, text in zip(names, worked, strict=True):
            _, numbers, shown = text.split("&=")[1:]
            value = tk.correlate(FIGURE_2, metric, name).value
            assert evaluate(numbers.split(r"\\")[0]) == pytest.approx(value, nan_ok=True)
            assert "undefined" in shown if math.isnan(value) else f"{value:.3f}".replace("-", "−") in shown
