"""How often does the test of the average find a difference between two metrics that have none?"""

import numpy as np
import pandas as pd
import pytest

from tiekit.official import official_ranking

PAIRS = ["a-b", "c-d", "e-f"]
TWICE = """
testset = "toy"
[[tasks]]
language_pair = "a-b"
measure = "global/pearson"
name = "r"
[[tasks]]
language_pair = "a-b"
measure = "global/pearson"
name = "r again"
"""


def test_a_task_that_stands_twice_is_tested_as_it_is_once_where_draws_are_shared(tmp_path):
    file, found = tmp_path / "own.toml", {}
    for key, text, tasks in (
        ("once", TWICE, "r"),
        ("shared", TWICE, None),
        ("independent", 'draws = "independent"\n' + TWICE, None),
    ):
        file.write_text(text)
        found[key] = official_ranking(files(1), file, tasks=tasks, n_resamples=999, stop_early=None)
        assert f"|draws:{'independent' if key == 'independent' else 'shared'}|" in found[key].signature
    pd.testing.assert_frame_equal(found["shared"].pvalues, found["once"].pvalues)
    p, smaller = (found[key].pvalues.iloc[0, 1] for key in ("once", "independent"))
    assert 0.04 < smaller < p - 0.02
    # tasks that share draws are not stopped early: one with fewer resamples would swap other cells than its twin
    file.write_text(TWICE)
    early = official_ranking(files(1), file, n_resamples=999)
    pd.testing.assert_frame_equal(early.pvalues, found["shared"].pvalues)
    assert [said.split(",")[0] for said in early.methods] == ["in the test of the average"]
    assert "independently, as at WMT" in found["independent"].methods[-1]


def files(seed):
    """Three language pairs, 8 systems and 30 segments each: two metrics that are the human scores with equal noise."""
    rng, found = np.random.default_rng(seed), {}
    for pair in PAIRS:
        human = rng.normal(size=(8, 30)) + rng.normal(size=(8, 1)) / 2 + rng.normal(size=(1, 30))
        scores = {"human-scores/%s.mqm": human}
        scores |= {f"metric-scores/%s/{name}-src": human + 1.5 * rng.normal(size=human.shape) for name in "XY"}
        for place, matrix in scores.items():
            lines = [f"S{i} {score!r}\n" for i, row in enumerate(matrix.tolist()) for score in row]
            found[f"toy/{place % pair}.seg.score"] = "".join(lines).encode()
    return found


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("measures", "draws", "least", "most"),
    [
        (["global/pearson"], "independent", 0.07, 0.14),
        (["global/pearson", "item/tau_b"], "independent", 0.15, 0.26),
        (["global/pearson", "item/tau_b"], "shared", 0.07, 0.14),
    ],
)
def test_differences_of_the_average_between_metrics_without_a_difference(tmp_path, measures, draws, least, most):
    """One is found better in 10 % of sets, as either may be; with two independent tasks per language pair in 20 %."""
    file = tmp_path / "own.toml"
    file.write_text(f'testset = "toy"\ndraws = "{draws}"\n[[tasks]]\nlanguage_pair = {PAIRS}\nmeasure = {measures}\n')
    found = [
        official_ranking(files(seed), file, n_resamples=199, rng=seed, n_jobs=1, progress=False).pvalues.iloc[0, 1]
        for seed in range(300)
    ]
    assert least < np.mean(np.array(found) <= 0.05) < most
