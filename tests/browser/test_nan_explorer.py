"""The NaN explorer in Chromium: its numbers against tiekit's, by hand on a page of its own, and as the app's puzzle."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from hypothesis import settings
from playwright.sync_api import Browser, Page, expect

import tiekit as tk
from tests.browser import figures, kit
from tests.figures.test_nan_explorer import HUMAN, A, B, C
from tiekit.base.errors import collect_warnings
from tiekit.figures import nan_explorer as data
from tiekit.figures.nan_explorer import SegmentTable, data_of_table, of_counts
from tiekit.widgets import NaNExplorer

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore:metrics cover different shares")]

LACK = "Segments with fewer than two scored systems are in no average."
RULES = ("drop", "zero", "common")
METRICS = {"A": A, "B": B, "C": C}

COMPUTE = """cases => cases.map(({ data, names }) => {
    const judged = judge(data);
    return names.map((name) => {
        const { common, metrics } = averagesOf(judged, name);
        const ranks = ["drop", "zero", "common"].map((rule) => ranksOf(metrics.map((metric) => metric[rule])));
        const cells = judged.map((line) => line.map(({ values, reason, row }) =>
            [Number.isNaN(values[name]) ? reason : values[name], row]));
        return { common, metrics: metrics.map((metric) => Object.values(metric).map(String)), ranks, cells };
    });
})"""


def draw(rng: np.random.Generator) -> SegmentTable:
    """Scores that tie, are missing, negative, decimal or constant."""
    shape = int(rng.integers(1, 6)), int(rng.integers(1, 7))
    unit = rng.choice([0.1, 1 / 3, 1.0, 1e-9, 1e99])

    def scores() -> np.ndarray:
        found = rng.integers(-2, rng.integers(0, 5), shape) * unit
        if rng.random() < 0.5:
            found[:, rng.random(shape[1]) < 0.4] = unit
        return np.where(rng.random(shape) < rng.choice([0, 0, 0.2]), math.nan, found)

    return SegmentTable(scores(), {f"m{number}": scores() for number in range(1, rng.integers(2, 5))}, cells="own")


def test_the_browser_computes_what_tiekit_computes(chromium: Browser) -> None:
    """80 drawn sets, 10,000 in a campaign."""
    rng = np.random.default_rng(14)
    tables = [draw(rng) for _ in range(max(80, 2 * settings().max_examples))]
    names = [*of_counts()]
    given = [{"data": data_of_table(table), "names": names} for table in tables]
    answers = figures.called(chromium, {"nan_explorer/model.js": "averagesOf, judge, ranksOf"}, COMPUTE, given)
    undefined, differing = 0, 0
    for table, answer in zip(tables, answers, strict=True):
        reasons = {name: tk.reasons_per_group(table.human, scores) for name, scores in table.metrics.items()}
        rows = [
            [tk.count_pairs(*pair).row.tolist() for pair in zip(table.human.T, scores.T, strict=True)]
            for scores in table.metrics.values()
        ]
        assert [[row for _, row in cells] for cells in answer[0]["cells"]] == rows
        for name, found in zip(names, answer, strict=True):
            entry = tk.COEFFICIENTS[name]
            expected, per_segment = table.averages(entry), table.per_segment(entry)
            assert found["common"] == expected.common
            for metric, cells, numbers in zip(table.metrics, found["cells"], found["metrics"], strict=True):
                missing = np.isnan(per_segment[metric])
                undefined += int(missing.sum())
                values = [math.nan if isinstance(value, str) else value for value, _ in cells]
                np.testing.assert_allclose(values, per_segment[metric], rtol=0, atol=1e-12)
                words = [value for value, _ in cells if isinstance(value, str)]
                assert words == [reason for reason, gone in zip(reasons[metric], missing, strict=True) if gone]
                *means, lost, groups = map(float, numbers)
                np.testing.assert_allclose(means, [*expected.means[metric].values()], rtol=0, atol=1e-12)
                assert (lost, groups) == (expected.undefined[metric], expected.groups[metric])
            for rule, ranks in zip(RULES, found["ranks"], strict=True):
                assert dict(zip(table.metrics, ranks, strict=True)) == expected.ranking(rule)
            differing += [*expected.ranking("drop")] != [*expected.ranking("zero")]
    assert undefined > 1000
    assert differing > 10


# ------------------------------------------------------------------------------------------------ a page of its own


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nan") / "explorer.html"
    NaNExplorer(HUMAN, METRICS).to_html(path)
    return path


def read(page: Page) -> dict[str, float]:
    """The averages from the top to the bottom."""
    rows = page.locator(".metric[data-metric]").all()
    return {str(row.get_attribute("data-metric")): float(row.locator(".average").get_attribute("data-value") or "nan")
            for row in rows}  # fmt: skip


def assert_ranked(page: Page, coefficient: str, rule: str) -> None:
    """Compare the rows and their averages with tiekit's."""
    explorer = NaNExplorer(HUMAN, METRICS, coefficient, undefined=rule)
    assert [*read(page)] == [*explorer.ranking]
    assert read(page) == pytest.approx({name: explorer.values[name][rule] for name in METRICS}, abs=1e-12)


def link_of(**chosen: object) -> str:
    """The fragment of an address."""
    return "#" + urlencode({name: json.dumps(value, separators=(",", ":")) for name, value in chosen.items()})


def test_rules_cells_and_coefficients_are_chosen_by_mouse_and_keys(chromium: Browser, file: Path) -> None:
    with figures.opened(chromium, file) as page:
        sentence = page.locator(".sentence")
        expect(sentence).to_have_text(
            "Of 5 segments, τb is undefined for B on 3 and for A and C on 1. Dropped, B wins with 0.833; "
            "counted as 0, A wins with 0.533; on the 2 segments that all share, C wins with 1.000."
        )
        assert_ranked(page, "tau_b", "drop")
        page.get_by_label("zero: count it as 0").check()
        assert_ranked(page, "tau_b", "zero")
        expect(sentence.locator("strong")).to_have_text("counted as 0, A wins with 0.533;")
        page.keyboard.press("ArrowRight")
        assert [*read(page)] == ["C", "B", "A"]
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")  # past the coefficient
        focused = page.locator(".cell:focus")
        expect(focused).to_have_attribute("aria-label", "segment 1, A: 0.667")
        for key in ("ArrowUp", "ArrowRight", "ArrowRight", "Enter"):
            page.keyboard.press(key)
        expect(focused).to_have_attribute(
            "aria-label", "segment 3, B: undefined, all metric scores tie, not in the average"
        )
        behind = page.locator(".behind")
        expect(behind.locator(".result")).to_have_text(
            "τb is undefined: all metric scores tie. The segment is left out for every metric."
        )
        expect(behind.locator(".formula").last).to_have_text(
            "= (0 − 0) / √((0 + 0 + 0) · (0 + 0 + 6)), where the divisor is 0"
        )
        counts = tk.count_pairs(HUMAN[:, 2], B[:, 2])
        for kind in tk.core.pairs.KINDS:
            assert behind.locator(f"[data-kind={kind}]").text_content() == str(getattr(counts, kind))
        scores = [line.locator("th, td").all_text_contents() for line in behind.locator("tbody tr").all()]
        assert scores == [["2", "0", "5"], ["4", "−1", "5"], ["1", "−4", "5"], ["3", "−10", "5"]]
        page.get_by_label("Coefficient").select_option("tau_10")
        assert_ranked(page, "tau_10", "common")
        page.locator("[data-metric=C] .cell").nth(2).click()
        expect(behind.locator("h3")).to_have_text("Segment 3, C")
        tau = tk.correlate(HUMAN, C, "tau_10").per_group[2]
        expect(behind.locator(".result")).to_contain_text(f"= {tau:.3f}".replace("-", "−"))
        assert page.url.endswith(link_of(coefficient="tau_10", undefined="common", cell=[2, "C"]))
        figures.check(page)


def test_rows_move_to_their_new_places_unless_less_motion_is_wanted(chromium: Browser, file: Path) -> None:
    moving = "() => document.querySelector('[data-metric=A]').getAnimations().length"
    for motion, number in (("no-preference", 1), ("reduce", 0)):
        with figures.opened(chromium, file, motion=motion) as page:
            page.get_by_label("zero: count it as 0").check()
            assert page.evaluate(moving) == number
            assert [*read(page)] == ["A", "C", "B"]


def test_of_a_large_set_the_averages_are_those_of_all_segments(chromium: Browser, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    human = rng.integers(-6, 1, (5, 1_300)).astype(float)
    metrics = {name: human + rng.normal(0, noise, human.shape) for name, noise in (("fine", 3), ("blunt", 2))}
    metrics["blunt"] = metrics["blunt"].round(-1)
    explorer = NaNExplorer(human, metrics, undefined="zero")
    explorer.to_html(tmp_path / "large.html")
    with figures.opened(chromium, tmp_path / "large.html") as page:
        assert [*read(page).items()] == [(name, explorer.values[name]["zero"]) for name in explorer.ranking]
        lost = tk.correlate(human, metrics["blunt"], "tau_b").n_undefined
        expect(page.locator(".sentence")).to_contain_text(f"Of 1,300 segments, τb is undefined for blunt on {lost}")
        expect(page.locator(".legend .note")).to_contain_text("Only 60 of 1,300 segments are shown: 30 on which some")
        assert page.locator(".cell").count() == 120
        figures.check(page)
    human = np.array([[0, -1, -2], [0, -3, -1], [-2, -1, 0.0]])
    a = human + 0.1 * np.arange(3)[:, None]
    b = np.where(np.arange(3) == 1, math.nan, a)
    few = "on the 2 segments that all share, a and b share the lead with 0.908."
    nowhere = np.ones((3, 4)), {"a": rng.random((3, 4)), "b": np.ones((3, 4))}
    for given, cells, said in (
        ((human, {"a": a, "b": b}), "own", f"is undefined for b on 1 and for a on none. {LACK} Dropped, b wins"),
        ((human, {"a": a, "b": b}), "own", few),
        ((human, {"a": a, "b": b}), None, f"is undefined for a and b on 1. {LACK} Dropped, a and b share the lead"),
        (nowhere, None, "Of 4 segments, τb is undefined on all for every metric."),
    ):
        with collect_warnings():
            NaNExplorer(*given, cells=cells).to_html(tmp_path / "few.html")
        with figures.opened(chromium, tmp_path / "few.html") as page:
            expect(page.locator(".sentence")).to_contain_text(said)


# ----------------------------------------------------------------------------------------------------------- the puzzle


COMPUTE_PUZZLE = """cases => cases.map((data) => {
    const model = new Segments();
    model.take(data);
    return { metrics: model.metrics.map(({ drop, zero, common, ranks }) => [[drop, zero, common].map(String), ranks]),
        scores: model.scored[model.goal].scores };
})"""


def draw_puzzle(rng: np.random.Generator) -> tuple[list[list[float]], dict[str, list[list[float]]], list[list[int]]]:
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


def test_the_browser_ties_as_tiekit_does(chromium: Browser) -> None:
    rng, cases, expected = np.random.default_rng(3), [], []
    entries = [tk.COEFFICIENTS[name] for name in ("tau_b", "acc_eq", "tau_13")]
    for number in range(settings().max_examples):
        human, metrics, ties = draw_puzzle(rng)
        entry = entries[number % 3]
        names = [str(place) for place in range(10)]
        shown = data.nan_puzzle(human, metrics, entry, names[: len(human[0])], names[: len(human)])
        ties = [one for one in ties if data.FIGURE.rules["ties"].holds([one], shown)]
        own = data.tie_scores(metrics[shown["goal"]], ties)
        table = SegmentTable(
            np.transpose(human),
            {n: np.transpose(own if n == shown["goal"] else m) for n, m in metrics.items()},
            cells="own",
        )
        cases.append({**shown, "ties": ties})
        expected.append((own, table.averages(entry)))
    answers = figures.called(chromium, {"nan_explorer/model.js": "Segments"}, COMPUTE_PUZZLE, cases)
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


def test_two_taps_tie_scores_and_bleu_wins(open_page):
    """By mouse and by keys; the page's ranking follows, Undo goes back, and the link keeps the ties."""
    page = open_page("/NaN_problem")
    figure = page.locator(".nan-tiles")
    figures.first_screen(page)
    expect(figure.locator(".sentence")).to_contain_text("Make BLEU win under drop")
    expect(figure.locator(".tile.gone")).to_have_count(2)
    score(page, 0, 0).click()
    expect(score(page, 0, 0)).to_have_attribute("aria-pressed", "true")
    score(page, 0, 3).click()
    expect(figure.locator(".tile.gone")).to_have_count(3)
    assert figure.locator("button.score").evaluate_all("all => all.filter(one => one.tabIndex === 0).length") == 1
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
    expect(page).not_to_have_url(re.compile("ties="))
