"""The browser's copy of calibration, run in Chromium, against tiekit: counts, values, F1 and ε* of drawn examples."""

import numpy as np
import pytest

import tiekit as tk
from tests.browser.figures import LOAD
from tiekit.core.calibration import calibrate_scores, candidates, point_at
from tiekit.figures import sources
from tiekit.figures.bundler import bundle

pytestmark = pytest.mark.browser

GLOBAL = """import { closestTo, curveOf, f1Of } from "./shared/curve.js";
import { FORMULAS } from "./shared/formulas.js";

Object.assign(globalThis, { closestTo, curveOf, f1Of, FORMULAS });
"""

CURVES = """cases => cases.map(({ human, metric, coefficient }) => {
    const { epsilons, counts, values, best, pairs } = curveOf(human, metric, FORMULAS[coefficient]);
    const { first, second, kinds, order, ends } = pairs;
    return {
        epsilons, counts, best,
        values: values.map(value => Number.isNaN(value) ? null : value),
        f1: counts.map(f1Of),
        ends, tied: order.map(p => [first[p], second[p], kinds[p]]),
    };
})"""

COUNTED = [name for name, entry in tk.COEFFICIENTS.items() if entry.formula is not None]

ALL_BUT_EQUAL = {"human": [0, 1, 0, 1, 2], "metric": [4, 0, 6, 2, 4], "coefficient": "tau_b"}
"""τ_b is the same at 0 and at 4, in float64 larger at 4 by a rounding error; ε* is 0."""


def cases(number):
    """Random scores with ties, gaps, constant sides and decimals, each with a coefficient."""
    yield ALL_BUT_EQUAL
    rng = np.random.default_rng(11)
    for case in range(number):
        n = int(rng.integers(0, 12))
        human, metric = (scores(rng, n) for _ in range(2))
        yield {"human": human, "metric": metric, "coefficient": COUNTED[case % len(COUNTED)]}


def scores(rng, n):
    levels = rng.choice([0.1, 1 / 3, 1.0, 1e-9, 1e99])
    drawn = rng.normal(0, 1, n) if rng.random() < 0.2 else rng.integers(-2, rng.integers(0, 6), n)
    return [None if rng.random() < 0.1 else float(value * levels) for value in drawn]


@pytest.mark.parametrize("number", [200, pytest.param(10_000, marks=pytest.mark.campaign)])
def test_the_browser_calibrates_as_tiekit_does(chromium, number):
    given = list(cases(number))
    page = chromium.new_page()
    try:
        page.evaluate(LOAD, bundle("global.js", {**sources.modules(), "global.js": GLOBAL}))
        found = page.evaluate(CURVES, given)
    finally:
        page.close()
    above_zero = undefined = 0
    for case, answer in zip(given, found, strict=True):
        human, metric = (np.array(case[name], float) for name in ("human", "metric"))
        expected = calibrate_scores(human, metric, case["coefficient"], None, "absolute")
        sorted_scores, entry = expected.grouped.scores, tk.COEFFICIENTS[case["coefficient"]]
        assert answer["epsilons"] == candidates(sorted_scores, 1000)
        assert answer["epsilons"][answer["best"]] == expected.epsilon
        above_zero += expected.epsilon > 0
        points = [point_at(sorted_scores, entry, epsilon) for epsilon in answer["epsilons"]]
        assert answer["counts"] == [point.counts.tolist() for point in points]
        values = np.array(answer["values"], float)
        assert values == pytest.approx(np.array([point.value for point in points]), abs=1e-12, nan_ok=True)
        undefined += np.isnan(values).any()
        curve = expected.curve(answer["epsilons"])
        assert [f1["ties"] for f1 in answer["f1"]] == curve["tie_f1"].tolist()
        assert [f1["ranks"] for f1 in answer["f1"]] == curve["rank_f1"].tolist()
        pairs = tk.classify_pairs(human, metric)
        kinds = {(row.i, row.j): row.kind for row in pairs.itertuples()}
        for epsilon, end in zip(answer["epsilons"], answer["ends"], strict=True):
            near = {(i, j) for i, j in kinds if abs(metric[i] - metric[j]) <= epsilon}
            assert {(i, j) for i, j, _ in answer["tied"][:end]} == near
        assert all(tk.core.pairs.KINDS[kind] == kinds[i, j] for i, j, kind in answer["tied"])
    assert min(above_zero, undefined) > number / 20


def test_the_closest_threshold(chromium):
    page = chromium.new_page()
    try:
        page.evaluate(LOAD, bundle("global.js", {**sources.modules(), "global.js": GLOBAL}))
        rng = np.random.default_rng(5)
        for _ in range(30):
            numbers = sorted({0.0, *rng.integers(0, 40, rng.integers(0, 9)).astype(float).tolist()})
            value = float(rng.uniform(-5, 45))
            at = page.evaluate("([numbers, value]) => closestTo(numbers, value)", [numbers, value])
            assert abs(numbers[at] - value) == min(abs(number - value) for number in numbers)
    finally:
        page.close()
