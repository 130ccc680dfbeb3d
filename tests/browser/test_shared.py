"""What figures share, run in Chromium against tiekit: counts, coefficients, calibration; and changes that meet."""

import math

import numpy as np
import pytest

import tiekit as tk
from tests.browser import figures
from tiekit.core.calibration import calibrate_scores, candidates, point_at
from tiekit.core.pairs import KINDS

pytestmark = pytest.mark.browser

COUNTING = {
    "shared/counting.js": "classify, count, evaluate, listPairs, tabulate, whyUndefined",
    "shared/numbers.js": "written",
    "shared/curve.js": "closestTo, curveOf, differences, f1Of",
    "shared/formulas.js": "FORMULAS",
}

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


def scores(rng, n):
    """Scores with ties, gaps, constant sides and decimals."""
    levels = rng.choice([0.1, 1 / 3, 1.0, 1e-9, 1e99])
    drawn = rng.normal(0, 1, n) if rng.random() < 0.2 else rng.integers(-2, rng.integers(0, 6), n)
    return [None if rng.random() < 0.1 else float(value * levels) for value in drawn]


def drawn_pairs(number, seed):
    """Scores of a human and a metric, drawn so often."""
    rng = np.random.default_rng(seed)
    for _ in range(number):
        n = int(rng.integers(0, 12))
        yield {"human": scores(rng, n), "metric": scores(rng, n)}


def apart(metric):
    """The differences between any two scores."""
    known = [score for score in metric if score is not None]
    return [abs(a - b) for a in known for b in known]


@pytest.mark.parametrize("number", [300, pytest.param(10_000, marks=pytest.mark.campaign)])
def test_the_browser_counts_and_evaluates_as_tiekit_does(chromium, number):
    rng = np.random.default_rng(7)
    given = [{**case, "epsilon": float(rng.choice([0.0, *apart(case["metric"])]))} for case in drawn_pairs(number, 7)]
    found = figures.called(chromium, COUNTING, COUNT, given)
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


CURVES = """cases => cases.map(({ human, metric, coefficient }) => {
    const { epsilons, counts, values, best, pairs } = curveOf(human, metric, FORMULAS[coefficient]);
    const { first, second, kinds, order, ends } = pairs;
    return {
        epsilons, counts, best,
        values,
        f1: counts.map(f1Of),
        ends, tied: order.map(p => [first[p], second[p], kinds[p]]),
    };
})"""

COUNTED = [name for name, entry in tk.COEFFICIENTS.items() if entry.formula is not None]

ALL_BUT_EQUAL = {"human": [0, 1, 0, 1, 2], "metric": [4, 0, 6, 2, 4], "coefficient": "tau_b"}
"""τ_b is the same at 0 and at 4, in float64 larger at 4 by a rounding error; ε* is 0."""


@pytest.mark.parametrize("number", [200, pytest.param(10_000, marks=pytest.mark.campaign)])
def test_the_browser_calibrates_as_tiekit_does(chromium, number):
    drawn = enumerate(drawn_pairs(number, 11))
    given = [ALL_BUT_EQUAL, *({**case, "coefficient": COUNTED[at % len(COUNTED)]} for at, case in drawn)]
    found = figures.called(chromium, COUNTING, CURVES, given)
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
    rng = np.random.default_rng(5)
    cases = []
    for _ in range(30):
        numbers = sorted({0.0, *rng.integers(0, 40, rng.integers(0, 9)).astype(float).tolist()})
        cases.append([numbers, float(rng.uniform(-5, 45))])
    places = figures.called(chromium, COUNTING, "cases => cases.map((one) => closestTo(...one))", cases)
    for (numbers, value), at in zip(cases, places, strict=True):
        assert abs(numbers[at] - value) == min(abs(number - value) for number in numbers)


BOTH_CHANGE = """async (way) => {
    const kept = {}, figure = {
        open({ data, send, onData }) {
            const outbox = new Outbox(send);
            let pending = null;
            const take = (fresh) => {
                if (kept.held) pending = fresh;
                else if (outbox.isHeard(fresh.serial)) kept.shown = fresh;
            };
            kept.shown = data;
            kept.change = (change, wait) => {
                kept.held = false;
                kept.shown = { ...kept.shown, ...change };
                outbox.tell(change, wait);
                if (pending) take(pending);
            };
            onData(take);
        },
    };
    const { give } = hosted(figure.open, null, { epsilon: 0, pair: null }, (data) => (kept.told = data));
    const others = { epsilon: 0, pair: [0, 1] };
    if (way === "by key") {
        kept.change({ epsilon: 1 }, 1e6); // it waits until the keys have come to rest
        give(others);
    } else {
        kept.held = true;
        give(others);
        kept.change({ epsilon: 1 }, 0);
    }
    await null;
    const { serial, ...shown } = kept.shown, { told } = kept;
    return { shown, told };
}"""


@pytest.mark.parametrize("way", ["by key", "by drag"])
def test_changes_on_both_sides_meet(chromium, way):
    with figures.functions(chromium, {"shared/hosts.js": "hosted", "shared/mount.js": "Outbox"}) as page:
        found = page.evaluate(BOTH_CHANGE, way)
    both = {"epsilon": 1, "pair": [0, 1]}
    assert found == {"shown": both, "told": both}
