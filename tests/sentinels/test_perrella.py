"""The experiments of Perrella et al. (2024), section 4.5, on their own set, WMT23 Chinese–English."""

import numpy as np
import pytest

import tiekit as tk
from tiekit.official.preset import metric_kinds

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")  # of the published scores

MATESE, GEMBA = "MaTESe-refA", "GEMBA-MQM-src"
PRINTED = {
    MATESE: {0: (0, 0.39), 1: (0.44, 0.56), 5: (0.61, 0.68)},
    GEMBA: {0: (0, 0.39), 1: (0.47, 0.51), 5: (0.56, 0.68)},
}
"""ε* and the shares of human ties between which it is constant, as the paper prints them."""


@pytest.fixture(scope="module")
def data():
    return tk.load("wmt23", "zh-en")


@pytest.mark.parametrize("metric", PRINTED)
def test_thresholds_of_discrete_metrics_stay_where_the_paper_says(data, metric):
    for epsilon, (low, high) in PRINTED[metric].items():
        found = tk.sentinels.tie_shares(data, metric, shares=list(np.linspace(low, high, 5)))
        assert found["epsilon"].tolist() == [epsilon] * 5


def test_thresholds_of_a_continuous_metric_change_with_every_share(data):
    shares = [0.25, 0.35, 0.44, 0.5, 0.56, 0.61, 0.68]
    found = tk.sentinels.tie_shares(data, "MetricX-23", shares=shares)
    assert (found["epsilon"].diff().dropna() > 0).all()


def test_without_human_ties_noise_brings_gemba_from_near_the_end_to_the_second_place(data):
    known = metric_kinds("wmt23")
    names = [name for name in data.metrics if name.rpartition("-")[0] in known["primary"] | known["baseline"]]
    with_noise = data.with_metric("noise", tk.sentinels.perturb(data, metric=GEMBA, rng=0))
    found = tk.sentinels.tie_shares(with_noise, [*names, "noise"], shares=[0.0]).set_index("metric")
    ranks = found["value"].rank(ascending=False)
    assert len(names) >= 30
    assert ranks["noise"] == 2
    assert ranks[GEMBA] > len(names) - 3
