"""The NaN tiles in Chromium: their numbers against tiekit's, and ties made by mouse and by keys."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from playwright.sync_api import Browser, Page, expect

import tiekit as tk
from tests.app.nan_problem.reading import OPENED, PRESETS
from tests.app.nan_problem.test_puzzle import SOLUTION
from tests.browser import figures, kit
from tiekit.figures.nan_explorer.table import SegmentTable
from tiekit.figures.nan_tiles import data
from tiekit.figures.nan_tiles.page import KEYS, NAN_TILES, TITLE

pytestmark = pytest.mark.browser

COMPUTE = """cases => cases.map((data) => {
    const model = new Model();
    model.take(data);
    return { metrics: model.metrics.map(({ drop, zero, common, ranks }) => [[drop, zero, common].map(String), ranks]),
        scores: model.cells[model.goal].map(({ scores }) => scores) };
})"""


def draw(rng: np.random.Generator) -> tuple[list[list[float]], dict[str, list[list[float]]], list[list[int]]]:
    """Scores of a human and of metrics, and ties among those of the worst metric."""
    segments, systems = int(rng.integers(1, 6)), int(rng.integers(2, 6))

    def scores(missing: float) -> list[list[float]]:
        found = rng.integers(-3, 4, (segments, systems)).astype(float)
        found[rng.random(found.shape) < missing] = math.nan
        return found.tolist()

    metrics = {f"m{number}": scores(0.05) for number in range(1, int(rng.integers(2, 4)))}
    ties = [
        [int(rng.integers(segments)), *map(int, rng.choice(systems, 2, replace=False))]
        for _ in range(int(rng.integers(0, 5)))
    ]
    return scores(0.05), metrics, ties


def test_the_browser_computes_what_tiekit_computes(chromium: Browser) -> None:
    rng, cases, expected = np.random.default_rng(3), [], []
    entries = [tk.COEFFICIENTS[name] for name in ("tau_b", "acc_eq", "tau_13")]
    for number in range(settings().max_examples):
        human, metrics, ties = draw(rng)
        entry = entries[number % 3]
        names = [str(place) for place in range(10)]
        shown = data.given(human, metrics, entry, names[: len(human[0])], names[: len(human)])
        ties = [one for one in ties if data.is_tie(metrics[shown["goal"]], one)]
        own = data.tied(metrics[shown["goal"]], ties)
        table = SegmentTable(
            np.transpose(human), {n: np.transpose(own if n == shown["goal"] else m) for n, m in metrics.items()}
        )
        cases.append({**shown, "ties": ties})
        expected.append((own, table.averages(entry)))
    answers = figures.called(chromium, "nan_tiles/model.js", "Model", COMPUTE, cases)
    for answer, (own, found) in zip(answers, expected, strict=True):
        scores = [[math.nan if score is None else score for score in row] for row in answer["scores"]]
        np.testing.assert_array_equal(scores, own)
        rankings = {rule: found.ranking(rule) for rule in ("drop", "zero", "common")}
        for (values, ranks), (name, means) in zip(answer["metrics"], found.means.items(), strict=True):
            np.testing.assert_allclose([float(value) for value in values], [*means.values()], rtol=0, atol=1e-12)
            assert ranks == {rule: ranking[name] for rule, ranking in rankings.items()}


def score(page: Page, segment: int, system: int):
    """BLEU's button of a segment and a system, counted from 0."""
    return page.get_by_role("button", name=f"Segment {segment + 1}, {system + 1}: BLEU")


def first_screen(page: Page, height: int) -> None:
    """Assert that sentence, tiles and podium are whole on the first screen."""
    box = page.locator(".nan-tiles").bounding_box()
    assert box["y"] + page.locator(".nan-tiles .podium").bounding_box()["height"] > 0
    assert box["y"] + box["height"] <= height


def test_two_taps_tie_scores_and_bleu_wins(open_page):
    """By mouse and by keys; the page's ranking follows, Undo goes back, and the link keeps the ties."""
    page = open_page("/NaN_problem")
    figure = page.locator(".nan-tiles")
    first_screen(page, 800)
    expect(figure.locator(".sentence")).to_contain_text("Make BLEU win under drop")
    expect(figure.locator(".tile.gone")).to_have_count(2)
    score(page, 0, 0).click()
    expect(score(page, 0, 0)).to_have_attribute("aria-pressed", "true")
    score(page, 0, 3).click()
    expect(figure.locator(".tile.gone")).to_have_count(3)
    score(page, 2, 0).focus()
    page.keyboard.press("Enter")
    score(page, 2, 1).focus()
    page.keyboard.press("Enter")
    expect(figure.locator(".sentence")).to_contain_text("BLEU wins under drop by tying more.")
    expect(figure.locator(".podium li.first").first).to_contain_text("0.730")
    kit.settled(page)
    assert "ties=%5B%5B0%2C0%2C3%5D%2C%5B2%2C0%2C1%5D%5D" in page.url
    kit.check_page(page)
    figure.get_by_role("button", name="Undo").click()
    expect(figure.locator(".tile.gone")).to_have_count(3)
    figure.get_by_role("button", name="Start again").click()
    expect(figure.locator(".tile.gone")).to_have_count(2)
    kit.settled(page)
    assert "ties" not in page.url


@pytest.mark.campaign
@pytest.mark.parametrize("colour_scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [(1280, 800), (1024, 768), (390, 844)])
def test_the_first_screen_holds_the_tiles(open_page, viewport, colour_scheme):
    page = open_page("/NaN_problem" + "?lecture=true" * (viewport[0] == 1024))
    box = page.locator(".nan-tiles").bounding_box()
    assert box["y"] + box["height"] <= viewport[1] * (1.15 if viewport[0] == 390 else 1), colour_scheme
    kit.check_page(page)


@pytest.mark.campaign
@pytest.mark.parametrize("width", figures.WIDTHS)
def test_a_page_of_its_own(chromium: Browser, tmp_path: Path, width: int) -> None:
    preset, names = PRESETS[OPENED], ["1", "2", "3", "4"]
    given = data.given(preset["human"], preset["metrics"], tk.COEFFICIENTS["tau_b"], names, names)
    file = tmp_path / "tiles.html"
    file.write_text(NAN_TILES.as_page({**given, "ties": SOLUTION}, KEYS, TITLE, "Made up."), encoding="utf-8")
    with figures.opened(chromium, file, width=width) as page:
        expect(page.locator(".sentence")).to_contain_text("BLEU wins under drop")
        figures.check(page)
