"""Few ties: the grip of the first screen and the rule over the lines below move by pointer and keys, rows re-sort."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import expect

import tiekit as tk
from tests.browser import kit
from tests.browser.figures import SIZES, first_screen
from tiekit.figures.json_values import short_name
from ui.work.presets import sample

pytestmark = pytest.mark.browser


def rows(page):
    """The names of the metrics as the rows stand, and their ranks by name."""
    read = "row => [row.getBoundingClientRect().top, row.dataset.metric, Number(row.dataset.rank)]"
    found = page.locator(".few_ties .row").evaluate_all(f"rows => rows.map({read})")
    return [name for _, name, _ in sorted(found)], {name: rank for _, name, rank in found}


def bars(page):
    """The names of the metrics as the bars stand, and their values by name."""
    read = "row => [row.getBoundingClientRect().top, row.dataset.metric, row.querySelector('b').innerText]"
    rows = page.locator(".tie_shares .row").evaluate_all(f"rows => rows.map({read})")
    return [name for _, name, _ in sorted(rows)], {name: float(value) for _, name, value in rows}


def check_ranks(page, data, share):
    for _ in range(20):  # where the machine is busy, rows begin to move after their numbers have changed
        order, ranks = rows(page)
        if [ranks[name] for name in order] == sorted(ranks.values()):
            break
        page.wait_for_timeout(250)
    assert [ranks[name] for name in order] == sorted(ranks.values())
    values = tk.sentinels.tie_shares(data, shares=[share], exclude=()).set_index("metric")["value"]
    for name, rank in ranks.items():
        if not name.endswith(" + noise"):
            assert rank == 1 + (values > values[name] + 1e-12).sum()


def check_values(page, data, share):
    order, values = bars(page)
    scores = {name: data.metrics[name.removesuffix(" + noise")] for name in values}
    scores |= {name: tk.sentinels.perturb(one, rng=0) for name, one in scores.items() if name.endswith(" + noise")}
    found = tk.sentinels.tie_shares(data.human["mqm"], scores, shares=[share]).set_index("metric")["value"]
    assert values == pytest.approx(found[list(values)].to_dict(), abs=5.1e-4)
    assert list(np.diff([values[name] for name in order]) <= 0) == [True] * (len(order) - 1)


@pytest.mark.parametrize(("viewport", "link", "colour_scheme"), SIZES)
def test_rows_re_sort_while_the_share_moves(open_page, link):
    page = open_page(f"/Sentinels{link}")
    first_screen(page)
    page.emulate_media(reduced_motion="reduce")
    line = page.locator(".few_ties .sets")
    check_values(page, sample("qaa-qab").select(), 0.08)  # of the bars below, which the campaigns move
    shares_are_followed(page, line, "few_ties", "tied=0", check_ranks, (0.3, 0.85))
    assert float(line.get_attribute("data-share")) > 0.4
    kit.check_page(page)


@pytest.mark.campaign
@pytest.mark.parametrize(("viewport", "link", "colour_scheme"), SIZES)
def test_bars_re_sort_while_the_share_moves(open_page, link):
    page = open_page(f"/Sentinels{link}")
    page.emulate_media(reduced_motion="reduce")
    shares_are_followed(page, page.locator(".tie_shares .lines"), "tie_shares", "sen_ties=0", check_values, (0.6, 0.8))
    kit.check_page(page)


def shares_are_followed(page, handle, figure, in_link, check, drag):
    """A share of human ties is moved by key and by mouse, each time with the numbers that `check` wants."""
    data = sample("qaa-qab").select()
    assert handle.get_attribute("data-share") == "0.08"
    check(page, data, 0.08)
    handle.scroll_into_view_if_needed()
    handle.focus()
    page.keyboard.press("Home")
    kit.settled(page, quiet=800)
    check(page, data, 0.0)
    expect(page).to_have_url(re.compile(in_link), timeout=30_000)
    box = handle.bounding_box()
    start, end = (box["x"] + box["width"] * at for at in drag)
    page.mouse.move(start, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(end, box["y"] + box["height"] / 2, steps=3)
    page.mouse.up()
    kit.settled(page, quiet=800)
    check(page, data, float(handle.get_attribute("data-share")))
    row = page.locator(f".{figure} .row[aria-pressed=false]").first
    name = row.get_attribute("data-metric")
    row.click()
    kit.settled(page, quiet=800)
    assert short_name(name.removesuffix(" + noise")) in page.locator(f".{figure} .said").inner_text()
