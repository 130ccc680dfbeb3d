"""What the swap explorer computes in the browser, against tiekit, for the same swaps."""

import math
from itertools import islice

import numpy as np
import pytest
from hypothesis import settings

import tiekit as tk
from tiekit.core.measure import get_measure
from tiekit.figures import sources
from tiekit.figures.bundle import bundle
from tiekit.figures.swap_explorer.data import fixed, vectors
from tiekit.significance._resampling import make_panel
from tiekit.significance.permutation import p_of, permutation_test
from tiekit.significance.schemes import Draws

pytestmark = pytest.mark.browser

MOST_WAYS = 5
"""Every way to swap so many items is tried."""

GLOBAL = """import { allMasks, differencesOf, pValue, randomMasks, valuesOf } from "./swap_explorer/swapping.js";
import { barsOf, barWidth } from "./swap_explorer/histogram.js";
import { Model } from "./swap_explorer/model.js";
import { verdict } from "./swap_explorer/words.js";

Object.assign(globalThis, {
  allMasks, barsOf, barWidth, differencesOf, Model, pValue, randomMasks, valuesOf, verdict,
});
"""
LOAD = "text => import(URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))).then(() => true)"

SWAP = """cases => cases.map((data) => {
    const plain = (values) => Object.values(values).map((value) => Number.isNaN(value) ? null : value);
    const number = data.human.length, every = data.every ? [...allMasks(data.items, number)] : [];
    const masks = [new Uint8Array(number), ...every];
    for (const mask of randomMasks(data.items, number, data.seed)) {
        if (masks.push(mask) > 4 + every.length) break;
    }
    const values = masks.map((mask) => valuesOf(data, mask)), differences = values.map(differencesOf);
    const p = (chosen, exact) => plain(Object.fromEntries(Object.entries(differences[0]).map(([name, observed]) =>
        [name, pValue(chosen.map((one) => one[name]), observed, exact)])));
    return {
        names: Object.keys(differences[0]),
        masks: masks.map((mask) => [...mask]),
        values: values.map((both) => both.map(plain)),
        differences: differences.map(plain),
        sampled: p(differences.slice(1 + every.length), false),
        exact: data.every ? p(differences.slice(1, 1 + every.length), true) : null,
    };
})"""


@pytest.fixture
def browser(chromium):
    """A page that knows the figure's functions."""
    page = chromium.new_page()
    page.evaluate(LOAD, bundle("global.js", {**sources.modules(), "global.js": GLOBAL}))
    yield page
    page.close()


def drawn(number):
    """Scores with ties, gaps and constant sides; the second metric's often those of the first, stretched."""
    rng = np.random.default_rng(11)
    for seed in range(number):
        n = int(rng.integers(0, 12))
        lines = [rng.integers(-2, rng.integers(-1, 6), n) * rng.choice([0.1, 1 / 3, 1.0, 1e-9, 1e99]) for _ in range(3)]
        if rng.random() < 0.3:
            lines[2] = rng.permutation(lines[1]) * rng.choice([1.0, 30.0, 0.7]) - rng.choice([0.0, 7.0])
        for line in lines:
            line[rng.random(n) < 0.08] = math.nan
        scores = vectors(*lines)
        data = fixed(scores, ("a", "b"))
        yield scores, {**data, "seed": seed, "every": len(data["items"]) <= MOST_WAYS}


def rows(lists):
    """Numbers as JavaScript gives them, NaN as null."""
    return np.array(lists, dtype=float)


def check(browser, number):
    """Compare so many drawn examples; return what the browser found."""
    found = []
    cases = drawn(number)
    while some := list(islice(cases, 500)):
        answers = browser.evaluate(SWAP, [data for _, data in some])
        for (scores, data), answer in zip(some, answers, strict=True):
            compare(scores, data, answer)
        found += answers
    return found


def compare(scores, data, answer):
    human, a, b = (line[None, :] for line in scores)
    names = list(tk.COEFFICIENTS)
    order = [answer["names"].index(name) for name in names]
    panel = make_panel(human, (a, b), [get_measure(name, None, 1) for name in names])
    masks = np.array(answer["masks"], np.int64).reshape(len(answer["masks"]), human.size)
    values = panel.values(Draws(True, np.zeros((len(masks), 1), np.int64), masks))
    np.testing.assert_allclose(rows(answer["values"])[:, :, order], values, rtol=0, atol=1e-12)
    differences = values[:, 0] - values[:, 1]
    n_all = 2 ** len(data["items"]) if data["every"] else 0
    sampled = [p_of(differences[1 + n_all :, i], differences[0, i], "two-sided", False) for i in range(len(names))]
    np.testing.assert_array_equal(rows(answer["sampled"])[order], sampled)
    if data["every"]:
        assert len({tuple(mask) for mask in answer["masks"][1 : 1 + n_all]}) == n_all
        if any(metric["constant"] for metric in data["metrics"]):
            return  # the figure says so, and shows 1
        one = data["seed"] % len(names)
        test = permutation_test(*scores, names[one], n_resamples=2**MOST_WAYS, cells="own")
        assert test.exact
        np.testing.assert_array_equal(rows(answer["exact"])[order][one], test.pvalue)


def test_the_browser_swaps_and_counts_as_tiekit_does(browser):
    is_campaign = settings().max_examples > settings.get_profile("default").max_examples
    found = check(browser, 10_000 if is_campaign else 150)
    assert sum(None in answer["differences"][0] for answer in found) > 15
    assert sum(answer["exact"] is not None for answer in found) > 30


def mulberry(seed, number):
    """The highest bits of Mulberry32, as its author published it."""
    every = 2**32 - 1
    for _ in range(number):
        seed = (seed + 0x6D2B79F5) & every
        mixed = ((seed ^ (seed >> 15)) * (seed | 1)) & every
        mixed ^= (mixed + (((mixed ^ (mixed >> 7)) * (mixed | 61)) & every)) & every
        yield ((mixed ^ (mixed >> 14)) & every) >> 31


@pytest.mark.parametrize("seed", [0, 2**32 - 1])
def test_random_swaps_follow_from_the_seed(browser, seed):
    masks = browser.evaluate(
        """seed => {
            const masks = randomMasks([0, 1, 2, 4, 5], 6, seed);
            return Array.from({ length: 400 }, () => [...masks.next().value]);
        }""",
        seed,
    )
    bits = np.array(list(mulberry(seed, 2000))).reshape(400, 5)
    assert (np.array(masks) == np.insert(bits, 3, 0, axis=1)).all()
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 0.1  # four standard errors
    assert np.abs(np.corrcoef(bits.T)[np.triu_indices(5, 1)]).max() < 0.2


def test_bars_hold_every_difference_and_are_symmetric(browser):
    found = browser.evaluate(
        """() => [7, 28, 300].map((steps) => {
            const even = Array.from({ length: 2 * steps + 1 }, (_, i) => (i - steps) / 66);
            const width = barWidth(even, 1.1 * steps / 66), bars = barsOf([...even, NaN], width, 3 / 66);
            return { steps, width: width * 66, bars: [...bars] };
        })"""
    )
    for case in found:
        bars = {at: (bar["extreme"], bar["other"]) for at, bar in case["bars"]}
        assert sum(map(sum, bars.values())) == 2 * case["steps"] + 1
        assert sum(other for _, other in bars.values()) == 5  # 0, 1 and 2 steps from 0
        assert all(bars[-at] == bars[at] for at in bars)
        assert round(case["width"]) % 2 == 1  # so no difference lies where two bars meet
        assert case["width"] == pytest.approx(round(case["width"]))
    assert [round(case["width"]) for case in found] == [1, 3, 17]


SAY = """data => {
    const model = new Model();
    model.take(data);
    return verdict(model);
}"""


@pytest.mark.parametrize(
    ("scores", "coefficient", "words"),
    [
        (
            ([1, 2, 3, 4], [1, 2, 3, 5], [2, 1, 4, 3]),
            "acc_eq",
            "X beats Y by 0.333 in acc_eq. Of all 16 ways to swap, 2 ",
        ),
        pytest.param(
            ([1, 2, 3, 4], [2, 1, 4, 3], [1, 2, 3, 5]),
            "acc_eq",
            "Y beats X by 0.333 in acc_eq. Of all 16 ways to swap, 2 ",
            marks=pytest.mark.campaign,
        ),
        pytest.param(
            ([1, 2, 3, 4], [1, 2, 3, 4], [10, 20, 30, 40]),
            "acc_eq",
            "X and Y have the same acc_eq. Of all 16 ways",
            marks=pytest.mark.campaign,
        ),
        (
            ([1, 2, 3, 4], [1, 1, 1, 1], [1, 2, 3, 4]),
            "acc_eq",
            "X: one score for all items, so never significant (p = 1).",
        ),
        (
            ([1, 1, 1, 1], [1, 2, 1, 1], [1, 2, 3, 4]),
            "tau_b",
            "Observed: τ_b is undefined for a metric, so there is no",
        ),
        (
            ([1, 2, 3, 4], [1, 2, math.nan, math.nan], [math.nan, math.nan, 2, 1]),
            "tau_b",
            "X beats Y by 2.000 in τ_b. Of all 16 ways to swap, 16 differ at least as much (12 of them undefined",
        ),
        (([], [], []), "pearson", "X and Y: one score for all items"),
    ],
)
def test_the_sentence_says_what_tiekit_finds(browser, scores, coefficient, words):
    data = fixed(vectors(*scores), ("X", "Y"))
    said = browser.evaluate(SAY, {**data, "coefficient": coefficient, "swapped": [], "draws": "all", "seed": 0})
    assert words in said
    test = permutation_test(*scores, coefficient, cells="own")
    shown = "(p = 1)." if test.note else "" if math.isnan(test.pvalue) else f": p = {test.pvalue:.3f}."
    assert said.endswith(shown)
    assert ("p =" in said) == bool(shown)
