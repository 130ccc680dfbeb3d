"""Chance on the leaderboard: asked for by hand, kept in the link, readable on a telephone."""

from __future__ import annotations

import pytest

from tests.browser import kit

pytestmark = pytest.mark.browser


@pytest.mark.campaign
def test_clusters_and_intervals_come_when_they_are_asked_for(open_page):
    few = "&".join(f"shown_metrics={name}" for name in ("Contour-refA", "Contour-QE-src", "Ladder-refA", "Judge-src"))
    page = open_page(f"/Leaderboard?{few}")
    pictures = page.get_by_test_id("stVegaLiteChart")
    assert not [words for words in _labels(pictures) if "p-values" in words]
    page.get_by_role("radio", name="p-values and clusters").click()
    kit.settled(page)
    assert any("Contour-QE-src and Ladder-refA 0.222" in words for words in _labels(pictures))
    assert "3 clusters of 4 metrics" in page.get_by_test_id("stMain").inner_text()
    assert "resampled=p-values" in page.url
    page.get_by_text("Show p-values").click()
    kit.settled(page)
    assert "test_two=true" in page.url
    kit.check_page(page)
    page.get_by_role("radio", name="intervals").click()
    kit.settled(page)
    assert any("with 95 % intervals: Contour-refA 0.717" in words for words in _labels(pictures))
    page.set_viewport_size({"width": 390, "height": 844})
    kit.check_page(kit.settled(page))


def _labels(pictures):
    return pictures.evaluate_all("all => all.map(e => e.getAttribute('aria-label') || '')")
