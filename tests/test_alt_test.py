"""The alternative annotator test is that of its definition, counted cell by cell."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp

import tiekit as tk
from tiekit.humans import alt_test

NAN = np.nan


def made_up(seed=0, levels=6, n_raters=4, missing=0.3):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, levels, (5, 30))
    raters = np.clip(truth + rng.integers(-1, 2, (n_raters, 5, 30)), 0, levels - 1).astype(float)
    raters[rng.random(raters.shape) < missing] = NAN
    judge = np.clip(truth + rng.integers(-1, 2, truth.shape), 0, levels - 1).astype(float)
    judge[0, 0] = NAN
    human = {"h": truth.astype(float)} | {f"h-r{n}": one for n, one in enumerate(raters)}
    return tk.EvalSet(
        "toy", "", tuple("ABCDE"), tuple(map(str, range(30))), human, {"judge": judge, "flat": 0 * truth}, gold="h"
    )


def by_definition(data, metric, alignment, margin):
    """P-value, advantage and number of cells of each rater, in plain loops."""
    raters = [data.human[name] for name in tk.humans.raters_of(data)]
    found = []
    for place, own in enumerate(raters):
        differences, wins = [], []
        for cell in np.ndindex(own.shape):
            others = [one[cell] for n, one in enumerate(raters) if n != place and one[cell] == one[cell]]
            judged, rated = data.metrics[metric][cell], own[cell]
            if not others or judged != judged or rated != rated:
                continue
            if alignment == "accuracy":
                m, r = (sum(one == score for one in others) / len(others) for score in (judged, rated))
            else:
                m, r = (-np.sqrt(np.mean([(score - one) ** 2 for one in others])) for score in (judged, rated))
            wins.append(m >= r)
            differences.append(int(r >= m) - int(m >= r))
        found.append((ttest_1samp(differences, margin, alternative="less").pvalue, np.mean(wins), len(wins)))
    return np.array(found)


@pytest.mark.parametrize("alignment", ["rmse", "accuracy"])
@pytest.mark.parametrize("metric", ["judge", "flat"])
@pytest.mark.parametrize("margin", [0.0, 0.2])
def test_rows_are_those_of_the_definition(alignment, metric, margin):
    data = made_up()
    found, expected = (
        alt_test(data, metric, alignment=alignment, margin=margin),
        by_definition(data, metric, alignment, margin),
    )
    np.testing.assert_allclose(found.rows["pvalue"], expected[:, 0], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.rows["advantage"], expected[:, 1])
    assert found.rows["cells"].tolist() == expected[:, 2].tolist()
    order = np.sort(expected[:, 0])
    limits = np.arange(1, 5) / 4 * 0.05 / np.sum(1 / np.arange(1, 5))
    rejected = max(np.flatnonzero(order <= limits) + 1, default=0)
    assert found.rows["won"].sum() == rejected
    assert found.winning_rate == float(found) == rejected / 4
    assert found.advantage == pytest.approx(expected[:, 1].mean())


@pytest.mark.filterwarnings("ignore:the metric .* equals the human score:tiekit.errors.RoleWarning")
def test_a_judge_as_good_as_the_truth_passes_and_a_constant_does_not():
    data = made_up(missing=0.0)
    data = data.with_metric("truth", data.human["h"])
    best, flat = alt_test(data, "truth"), alt_test(data, "flat")
    assert best.passed
    assert not flat.passed
    assert best.advantage > flat.advantage
    assert "truth wins against 4 of 4 raters of h, each of whom is allowed a margin of 0.2: it passes" in best.sentence
    assert "does not pass" in flat.sentence
    assert "|test:alt-test|alignment:rmse|margin:0.2|" in best.signature


@pytest.mark.filterwarnings("ignore:the metric .* equals the human score:tiekit.errors.RoleWarning")
def test_a_metric_that_equals_a_rater_ties_with_it_throughout():
    data = made_up(missing=0.0)
    row = alt_test(data.with_metric("copy", data.human["h-r1"]), "copy").rows.loc["h-r1"]
    assert (row["advantage"], row["of_rater"], row["pvalue"]) == (1, 1, 0)
    strict = alt_test(data.with_metric("copy", data.human["h-r1"]), "copy", margin=0).rows.loc["h-r1"]
    assert strict["pvalue"] == 1


def test_what_cannot_be_tested_is_refused():
    data = made_up()
    for asked, message in (
        ({"alignment": "kappa"}, "alignment: must be one of rmse, accuracy"),
        ({"margin": 2}, "margin: must be a number from 0 to 1"),
        ({"fewest": 1}, "fewest: must be a whole number of at least 2"),
        ({"fewest": 1000}, "fewest: no rater has 1000 cells"),
        ({"human": "esa"}, "human: there is no 'esa'"),
    ):
        with pytest.raises(tk.InputError, match=f"^{message}"):
            alt_test(data, "judge", **asked)
