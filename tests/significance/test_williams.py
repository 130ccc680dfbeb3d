"""Williams' test: values that mt-metrics-eval and nlpstats print, and which cells count."""

import numpy as np
import pytest

import tiekit as tk
from tiekit.significance.williams import williams


def matrix(vector):
    return np.reshape(np.asarray(vector, float), (3, -1))


def test_williams_as_mt_metrics_eval_and_nlpstats_have_it():
    assert williams(0.9, 0.8, 0.7, 20, "greater")[1] == pytest.approx(0.0938983, abs=1e-7)
    assert williams(0.9, 0.8, 0.7, 20)[1] == pytest.approx(0.1877967, abs=1e-7)
    assert williams(0.8, 0.9, 0.7, 20, "greater")[1] == pytest.approx(1 - 0.0938983, abs=1e-7)
    assert williams(0.7, 0.7, 0.5, 20, "greater") == (0.0, 0.5)
    assert np.isnan(williams(0.9, 0.8, 0.7, 3)).all()
    found = tk.significance.williams_test(
        [1, 2, 3, 4, 5], [1.1, 2, 3.1, 4, 5.1], [1.5, 2, 3.1, 4, 5.5], alternative="greater"
    )
    assert (round(found.pvalue, 3), *np.round(found.correlations[:2], 3)) == (0.019, 0.999, 0.987)


def test_williams_counts_scored_cells_only():
    scores = (matrix([1, np.nan, 3, 4, 5, 6]), matrix([1, 2, 3, 3, 7, 3]), matrix([2, 1, 2, 6, 8, 8]))
    found = tk.significance.williams_test(*scores, grouping="item", alternative="less")
    assert found.n == 5
    assert tk.significance.williams_test(*scores, grouping="item", n=6).n == 6
    vectors = [part.ravel() for part in scores]
    assert tk.significance.williams_test(*vectors).n == 5
    assert tk.significance.williams_test(*scores, grouping="system_means").n == 3


def test_williams_values_of_nlpstats():
    state = np.random.RandomState(12)
    x, y, z = state.random_sample((9, 5)), state.random_sample((9, 5)), state.random_sample((9, 5))

    def signed(metric, grouping, name):  # nlpstats takes absolute correlations; higher is better here
        return metric * np.sign(tk.correlate(z, metric, name, grouping=grouping).value)

    a, b = (signed(m, "global", "pearson") for m in (x, y))
    between = tk.correlate(a, b, "pearson", grouping="global").value
    found = tk.significance.williams_test(z, a, b, grouping="global", alternative="greater")
    first, second, _ = found.correlations
    assert williams(first, second, abs(between), 45, "greater")[1] == pytest.approx(0.2716978, abs=1e-7)
    assert williams(first, second, abs(between), 45)[1] == pytest.approx(0.5433956, abs=1e-7)
