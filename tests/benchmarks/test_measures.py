"""The benchmark of measures times what it says, and says what it leaves out."""

import numpy as np
import pytest

from benchmarks import measures
from benchmarks.cases import Sizes

TINY = Sizes(resamples=9, draws=2)


def test_without_the_real_table_only_the_simulation_is_timed(tmp_path):
    for real in (None, tmp_path / "mt-metrics-eval-v2"):
        left_out, simulated = measures.rows(TINY, real)
        assert "left out" in left_out.tiekit
        assert "2 × 2 draws" in simulated.case


@pytest.mark.campaign
def test_metrics_are_tested_two_by_two_and_length_is_none_of_them(tmp_path):
    (tmp_path / "summeval").mkdir()
    rng, names = np.random.default_rng(0), ["A", "B", "C", "D", "length"]
    lines = [f"system,segment,human:coherence,{','.join(names)}"]
    lines += [f"s{i},{j},{','.join(f'{x:.3f}' for x in rng.normal(size=6))}" for i in range(4) for j in range(5)]
    (tmp_path / "summeval" / "summeval.csv").write_text("\n".join(lines))
    both, cells, halves, _ = measures.rows(TINY, tmp_path / "mt-metrics-eval-v2")
    assert "6 pairs × 12 measures × 9 (both)" in both.case
    assert both.target == "≤ 15 s: met"
    assert "(cells)" in cells.case
    assert "10 splits" in halves.case
