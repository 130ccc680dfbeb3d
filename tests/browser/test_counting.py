"""The browser's copy of the formulas and counts, run in Chromium, against tiekit."""

import math

import numpy as np
import pytest

import tiekit as tk
from tiekit.core.pairs import KINDS
from tiekit.figures import sources
from tiekit.figures.bundler import bundle

pytestmark = pytest.mark.browser

GLOBAL = """import { classify, count, evaluate, listPairs, tabulate, whyUndefined } from "./shared/counting.js";
import { written } from "./shared/numbers.js";
import { differences } from "./shared/curve.js";

Object.assign(globalThis, {
  classify, count, differences, evaluate, listPairs, tabulate, whyUndefined, written,
});
"""
LOAD = "text => import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))).then(() => true)"

COUNT = """cases => cases.map(({ human, metric, epsilon }) => {
    const pairs = listPairs(human.length), kinds = classify(human, metric, pairs, epsilon);
    const counts = count(kinds, kinds.length), values = evaluate(counts, human, metric);
    const known = Object.entries(values).filter(([, value]) => !Number.isNaN(value));
    return {
        counts,
        values: Object.fromEntries(known),
        written: Object.fromEntries(known.map(([name, value]) => [name, written(value)])),
        why: whyUndefined(counts),
        kinds: [...kinds],
        candidates: differences([{ scores: metric }]),
        table: tabulate(human, metric, pairs, kinds, kinds.length),
    };
})"""


def cases(number):
    """Random scores with ties, gaps and constant sides, and a threshold that often ties a pair exactly."""
    rng = np.random.default_rng(7)
    for _ in range(number):
        n = int(rng.integers(0, 12))
        levels = rng.choice([0.1, 1 / 3, 1.0, 1e-9, 1e99])
        human, metric = (
            [None if rng.random() < 0.1 else float(v * levels) for v in rng.integers(-2, rng.integers(0, 6), n)]
            for _ in range(2)
        )
        yield {"human": human, "metric": metric, "epsilon": float(rng.choice([0.0, *apart(metric)]))}


def apart(metric):
    """The differences between any two scores."""
    known = [score for score in metric if score is not None]
    return [abs(a - b) for a in known for b in known]


@pytest.mark.parametrize("number", [300, pytest.param(10_000, marks=pytest.mark.campaign)])
def test_the_browser_counts_and_evaluates_as_tiekit_does(chromium, number):
    given = list(cases(number))
    page = chromium.new_page()
    try:
        page.evaluate(LOAD, bundle("global.js", {**sources.modules(), "global.js": GLOBAL}))
        found = page.evaluate(COUNT, given)
    finally:
        page.close()
    undefined = 0
    for case, answer in zip(given, found, strict=True):
        human, metric, epsilon = case["human"], case["metric"], case["epsilon"]
        counts = tk.count_pairs(human, metric, epsilon=epsilon)
        assert answer["counts"] == [getattr(counts, kind) for kind in KINDS]
        pairs = tk.classify_pairs(human, metric, epsilon=epsilon)
        near = pairs["metric_difference"].abs() <= epsilon
        cells = [
            *zip(
                np.sign(pairs["human_difference"]), np.where(near, 0, np.sign(pairs["metric_difference"])), strict=True
            )
        ]
        assert [KINDS[kind] for kind in answer["kinds"] if kind < len(KINDS)] == pairs["kind"].tolist()
        assert answer["candidates"] == sorted({0.0, *apart(metric)})
        assert answer["table"] == [[cells.count((h, m)) for m in (-1, 0, 1)] for h in (-1, 0, 1)]
        for name, entry in tk.COEFFICIENTS.items():
            value = entry.value(counts) if entry.formula else tk.correlate(human, metric, name).value
            if math.isnan(value):
                undefined += 1
                assert name not in answer["values"]
            else:
                assert answer["values"][name] == pytest.approx(value, abs=1e-12)
                if entry.formula:  # r and ρ may differ in the last of 16 digits
                    assert float(answer["written"][name].replace("−", "-")) == float(f"{value:.3f}")
        if counts.n_scores >= 2:
            assert (tk.core.why_undefined(counts) or "no pair is ordered by both") == answer["why"]
    assert undefined > 100
