"""The real rankings of WMT13, French to English."""

import pytest

import tiekit as tk
from tiekit.judgments import attainable, judge_metric


@pytest.mark.real
def test_wmt13_french_english(real_data):
    rankings = tk.read_rankings(real_data / "relative-ranking" / "newstest2013-fr-en-sample.csv")
    assert (rankings.n_sets, len(rankings.segments), len(rankings.judges)) == (9996, 2278, 218)
    kept, omitted = rankings.preferences("keep"), rankings.preferences()
    assert (kept.n_judgments, omitted.n_judgments, omitted.n_omitted) == (99960, 80741, 19219)
    assert (omitted.n_pairs, omitted.repeated, omitted.contradictory) == (45683, 13923, 5588)
    assert attainable(omitted).cap == pytest.approx(0.7899, abs=5e-5)
    best = attainable(kept, "acc_eq")
    assert (round(best.cap, 4), round(best.reachable, 4), best.exact) == (0.8389, 0.8185, True)
    assert judge_metric(kept, best.best, "acc_eq").value == best.reachable
