"""The figure of groupings: its numbers are tiekit's, and its frames, bars and sentences follow the hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tiekit as tk
from tests.browser import figures
from tiekit.core.grouping import group
from tiekit.figures import FIGURES
from tiekit.figures.grouping import figure_data

pytestmark = pytest.mark.browser

NAMES = "groupsOf, comparedWith, pairsOf, valuesOf, GROUPINGS"
EVALUATE = """cases => cases.map(({ human, metric, names }) =>
  Object.fromEntries(GROUPINGS.map((grouping) => [grouping, {
    pairs: pairsOf(human, grouping),
    sums: groupsOf(human, grouping).flat().filter(([, j]) => j !== null)
        .reduce((sum, cell) => sum + comparedWith(human, grouping, cell).length, 0),
    values: names.map((name) => {
        const { values, mean } = valuesOf(human, metric, grouping, name);
        return [...values, mean].map((value) => Number.isNaN(value) ? null : value);
    }),
}])))"""


def cases():
    """Matrices with ties, missing scores, constant rows, and means that only rounding tells apart."""
    rng = np.random.default_rng(5)
    found = []
    for systems, segments in ((1, 1), (1, 4), (3, 1), (2, 2), (3, 4), (4, 5), (5, 8)):
        for levels in (2, 4, 100):
            human, metric = rng.integers(0, levels, (2, systems, segments)) / 10
            human[rng.random(human.shape) < 0.15] = math.nan
            metric[rng.random(metric.shape) < 0.1] = math.nan
            found.append((human, metric))
    rounding = np.array([[0.3, 0.1, 0.2], [0.4, 0.2, 0.0], [0.5, 0.1, 0.1]])
    return [*found, (rounding, rounding[::-1]), (rounding, np.ones((3, 3)))]


def plain(rows):
    return [[None if score != score else score for score in row] for row in rows.tolist()]


def test_values_and_pairs_are_those_of_tiekit(chromium):
    names, given_cases = list(tk.COEFFICIENTS), cases()
    sent = [{"human": plain(human), "metric": plain(metric), "names": names} for human, metric in given_cases]
    found = figures.called(chromium, {"grouping/groups.js": NAMES}, EVALUATE, sent)
    for (human, metric), answer in zip(given_cases, found, strict=True):
        for by in tk.GROUPINGS:
            counted = group(human, human, by)
            assert answer[by]["pairs"] == {"groups": counted.index.size, "pairs": counted.n_pairs}
            if by != "system_means":
                assert answer[by]["sums"] == 2 * counted.n_pairs  # each pair from both of its cells
            for name, values in zip(names, answer[by]["values"], strict=True):
                grouped = group(human, metric, by)
                expected = grouped.spread(tk.COEFFICIENTS[name].per_group(grouped.scores, 0.0, None))
                mean = tk.correlate(human, metric, name, grouping=by).value
                numbers = [math.nan if value is None else value for value in values]
                assert numbers == pytest.approx([*expected, mean], abs=1e-9, nan_ok=True), (name, by)


def test_a_page_of_its_own_follows_mouse_and_keys(chromium, tmp_path):
    human = [[1, 2, 3], [2, 4, 6], [3, 6, 9]]
    metrics = {"column": [[1, 2, 3]] * 3, "row": [[1] * 3, [2] * 3, [3] * 3]}
    (tmp_path / "g.html").write_text(FIGURES["grouping"].page(figure_data(human, metrics, "tau_a"), "Made."), "utf-8")
    with figures.opened(chromium, tmp_path / "g.html") as page:
        frame = page.locator(".frames i").first
        before = frame.bounding_box()
        page.get_by_role("radio", name="By item").click()
        page.get_by_text("τ_a by item: row wins").wait_for()
        assert frame.bounding_box()["width"] < before["width"] / 2
        page.get_by_role("radio", name="By item").press("ArrowRight")
        page.get_by_text("τ_a by system: column wins").wait_for()
        assert page.locator(".row.second").inner_text().startswith("◆")
        page.get_by_role("button", name="system 2, segment 1").click()
        page.get_by_text("compared with 2 other cells, marked •: 2 pairs").wait_for()
        assert page.locator("button.compared").count() == 2
        page.get_by_role("button", name="system 2, segment 1").press("End")
        page.keyboard.press("ArrowUp")
        page.get_by_text("system 1, segment 3, is compared").wait_for()
        page.wait_for_url("**#*cell*")
        assert "grouping" in page.url
        figures.check(page)
