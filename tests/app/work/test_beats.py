"""Long computations of pages tell how far they are: between two beats nobody can stop them, and nobody else goes on."""

from __future__ import annotations

import pytest

from ui.nan_problem.buckets import KS
from ui.work import result_cache

PAGES = {
    "groups": ("2_NaN_problem", {}, 3),
    "buckets": ("2_NaN_problem", {}, 4 * len(KS)),
    "measure values": ("8_Measures", {}, 60),
    "untied": ("2_NaN_problem", {"repeats": "5"}, 2 * 5 * 3),
    "Classifying": ("11_Humans_as_metrics", {"hum_part": "good translations"}, 6),
    "Choosing the best": ("11_Humans_as_metrics", {"hum_part": "best translations"}, 1),
}
"""How a key begins, where it is computed, and how often that must tell how far it is."""


@pytest.fixture
def beats(monkeypatch):
    """How often each computation told how far it was, by the start of its key."""
    told = {}

    class Counting(result_cache.Results):
        def get(self, key, compute, beat, visitor=None):
            def count(progress):
                told[key[0]] = 0

                def tell(share):
                    told[key[0]] += 1
                    progress(share)

                return compute(tell)

            return super().get(key, count, beat, visitor)

    results = Counting()
    monkeypatch.setattr(result_cache, "_results", lambda: results)
    return told


@pytest.mark.parametrize("start", PAGES)
def test_it_tells_often_enough(open_app, beats, start):
    page, link, least = PAGES[start]
    open_app(page, **link)
    assert beats[start] >= least
