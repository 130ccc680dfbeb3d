"""The rerank figure in Chromium: its numbers against tiekit's, and cards moved by mouse and by keys."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from playwright.sync_api import Browser, expect

import tiekit as tk
from tests.browser import figures, kit
from tiekit.figures import rerank as data
from tiekit.widgets import RankingGame

pytestmark = pytest.mark.browser

COMPUTE = """cases => cases.map((data) => {
    const model = new Ranking();
    model.take(data);
    return [model.value, model.cap, model.most].map(String).concat(model.edges.filter(({ cycle }) => cycle).length);
})"""

ORDERS = """cases => cases.map(([scores, from, to]) => {
    const before = orderOf(scores);
    return [scoresOf(before), scoresOf(moved(before, from, to))];
})"""


def test_the_browser_computes_what_tiekit_computes(chromium: Browser, tmp_path: Path) -> None:
    rng, cases, expected = np.random.default_rng(5), [], []
    names = ("tau_14", "tau_10", "tau_13", "acc_eq")
    for number in range(settings().max_examples):
        size = int(rng.integers(2, 5))
        judges = [
            (f"judge {place}", rng.integers(1, size + 1, size).astype(float).tolist())
            for place in range(int(rng.integers(1, 5)))
        ]
        if rng.random() < 0.3:
            judges[0][1][0] = math.nan
        metric = rng.integers(1, size + 1, size).astype(float).tolist()
        letters, name = "ABCD"[:size], names[number % 4]
        cases.append(data.figure_data(letters, judges, metric, tk.COEFFICIENTS[name]))
        rows = [
            (who, "1", {letter: int(rank) for letter, rank in zip(letters, ranks, strict=True) if rank == rank})
            for who, ranks in judges
        ]
        given = tk.judgments.Rankings.from_rows(rows).preferences("keep")
        limit = tk.judgments.attainable(given, name)
        cells = {(letter, "1"): score for letter, score in zip(letters, metric, strict=True)}
        value = tk.judgments.judge_metric(given, cells, name).value
        cycles = tk.judgments.attainable(given, "tau_14").n_intransitive
        expected.append((value, limit.cap, limit.reachable_tying, cycles))
    answers = figures.called(chromium, {"rerank/figure.js": "Ranking"}, COMPUTE, cases)
    for (*numbers, in_cycle), (*exact, cycles) in zip(answers, expected, strict=True):
        np.testing.assert_allclose([float(number) for number in numbers], exact, rtol=0, atol=1e-12)
        assert (in_cycle > 0) == (cycles > 0)
    for ranks in ([1, 5, 3, 5, 2, 3], [6, 2, 5, 1, 4, 3]):
        RankingGame({"j": ranks}, [6, 1, 3, 2, 5, 4]).to_html(tmp_path / "six.html")
        with figures.opened(chromium, tmp_path / "six.html", width=1280) as page:
            boxes = [text.bounding_box() for text in page.locator(".edge text").all()]
            assert len(boxes) == 15
            for one, other in combinations(boxes, 2):
                across, down = abs(one["x"] - other["x"]), abs(one["y"] - other["y"])
                assert across > one["width"] - 3 or down > 0.6 * one["height"], "labels of two arrows keep apart"


def test_a_card_moves_to_its_new_place_and_no_other_pair_changes(chromium: Browser) -> None:
    rng = np.random.default_rng(6)
    cases = [[rng.integers(1, 4, 4).tolist(), *map(int, rng.integers(0, 4, 2))] for _ in range(100)]
    for (scores, origin, to), (kept, after) in zip(
        cases, figures.called(chromium, {"rerank/judging.js": "orderOf, scoresOf, moved"}, ORDERS, cases), strict=True
    ):
        order = sorted(range(4), key=lambda item: (-scores[item], item))
        card, rest = order[origin], [item for item in order if item != order[origin]]
        for i in range(4):
            for j in range(4):
                assert np.sign(kept[i] - kept[j]) == np.sign(scores[i] - scores[j])
        assert [item for item in sorted(range(4), key=lambda item: -after[item]) if item != card][:1] != [card]
        assert sum(after[item] > after[card] for item in rest) == to
        assert sum(after[item] == after[card] for item in rest) == 0


@pytest.mark.campaign  # its figure moves in test_figures in every run
def test_cards_move_by_mouse_and_by_keys(open_page):
    """The gauge follows at once, the line of scores and the link after it."""
    page = open_page("/Judgments")
    figure = page.locator(".rerank")
    figures.first_screen(page)
    value = figure.locator("output")
    expect(value).to_contain_text("= 0.000")
    assert figure.locator(".edge.cycle").count() == 3
    card = figure.locator(".card[data-name=B]")
    card.focus()
    page.keyboard.press("ArrowRight")
    expect(value).to_contain_text("= 0.111")
    expect(card).to_be_focused()
    source, target = (figure.locator(f".card[data-name={name}]").bounding_box() for name in "DC")
    page.mouse.move(source["x"] + source["width"] / 2, source["y"] + 20)
    page.mouse.down()
    page.mouse.move(target["x"] + target["width"] / 4, source["y"] + 20, steps=8)
    page.mouse.up()
    expect(value).to_contain_text("= 0.222")
    expect(figure.locator(".sentence")).to_contain_text("No ranking reaches more than 0.222.")
    kit.settled(page)
    assert "jud_metric=4+3+1+2" in page.url
    figure.get_by_role("button", name="tie them").first.click()
    expect(value).to_contain_text("= 0.167")
    kit.settled(page)
    kit.check_page(page)
