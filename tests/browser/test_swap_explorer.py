"""The swap explorer in a browser: what it computes, against tiekit; swapped by hand and at random; a test's swaps."""

import json
import math
import re
from itertools import islice
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from hypothesis import settings
from playwright.sync_api import expect

import tiekit as tk
from tests.browser import figures
from tiekit.core.measure import get_measure
from tiekit.figures.swap_explorer import swap_vectors, swaps_by_hand, swaps_of_test
from tiekit.significance._resampled_measures import prepare_measures
from tiekit.significance.permutation import permutation_test, pvalues_of
from tiekit.significance.schemes import Draws
from tiekit.widgets import SwapExplorer

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::tiekit.CoverageWarning")]  # of gaps

HUMAN = [0, 1, 2, 2, 3, 3, 4, float("nan"), 5]
A, B = [1, 0, 2, 2, 4, 3, 5, 5, 6], [30, 10, 10, 20, 10, 40, 20, 20, 50]
SWAPS = re.compile(r"Of (?:all )?([\d,]+) (?:random swaps?|ways to swap), ([\d,]+) .*: p = .* = ([\d.]+)\.(?: The|$)")

MOST_WAYS = 5
"""Every way to swap so many items is tried."""

FUNCTIONS = {
    "swap_explorer/model.js": "allMasks, differencesOf, pValue, randomMasks, Swaps, valuesOf, verdict",
    "swap_explorer/picture.js": "barsOf, barWidth",
}

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


@pytest.fixture(scope="module")
def browser(chromium):
    """A page that knows the figure's functions."""
    with figures.functions(chromium, FUNCTIONS) as page:
        yield page


def random_cases(number):
    """Scores with ties, gaps and constant sides; the second metric's often those of the first, stretched."""
    rng = np.random.default_rng(11)
    for seed in range(number):
        n = int(rng.integers(0, 12))
        lines = [rng.integers(-2, rng.integers(-1, 6), n) * rng.choice([0.1, 1 / 3, 1.0, 1e-9, 1e99]) for _ in range(3)]
        if rng.random() < 0.3:
            lines[2] = rng.permutation(lines[1]) * rng.choice([1.0, 30.0, 0.7]) - rng.choice([0.0, 7.0])
        for line in lines:
            line[rng.random(n) < 0.08] = math.nan
        scores = swap_vectors(*lines)
        data = swaps_by_hand(scores, ("a", "b"))
        yield scores, {**data, "seed": seed, "every": len(data["items"]) <= MOST_WAYS}


def rows(lists):
    """Numbers as JavaScript gives them, NaN as null."""
    return np.array(lists, dtype=float)


def check(browser, number):
    """Compare so many drawn examples; return what the browser found."""
    found = []
    cases = random_cases(number)
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
    measured = prepare_measures(human, (a, b), [get_measure(name, None, 1) for name in names])
    masks = np.array(answer["masks"], np.int64).reshape(len(answer["masks"]), human.size)
    values = measured.values(Draws(True, np.zeros((len(masks), 1), np.int64), masks))
    np.testing.assert_allclose(rows(answer["values"])[:, :, order], values, rtol=0, atol=1e-12)
    differences = values[:, 0] - values[:, 1]
    n_all = 2 ** len(data["items"]) if data["every"] else 0
    sampled = [
        pvalues_of(differences[1 + n_all :, i], differences[0, i], "two-sided", False) for i in range(len(names))
    ]
    np.testing.assert_array_equal(rows(answer["sampled"])[order], sampled)
    if data["every"]:
        assert len({tuple(mask) for mask in answer["masks"][1 : 1 + n_all]}) == n_all
        if data["note"]:
            return  # the figure says so, and shows 1
        one = data["seed"] % len(names)
        test = permutation_test(*scores, names[one], n_resamples=2**MOST_WAYS)
        assert test.exact
        np.testing.assert_array_equal(rows(answer["exact"])[order][one], test.pvalue)


def test_the_browser_swaps_and_counts_as_tiekit_does(browser):
    is_campaign = settings().max_examples > settings.get_profile("default").max_examples
    found = check(browser, 10_000 if is_campaign else 80)
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
    const model = new Swaps();
    model.take(data);
    return [verdict(model), verdict(model, 3)];
}"""


@pytest.mark.parametrize(
    ("scores", "coefficient", "words"),
    [
        (
            ([1, 2, 3, 4], [1, 2, 3, 5], [2, 1, 4, 3]),
            "acc_eq",
            "X agrees better than Y: acc_eq 1.000 vs 0.667, a difference of 0.333. Of all 16 ways to swap, 2 ",
        ),
        (
            ([1, 2, 3, 4], [1, 2, 4, 3], [20, 10, 40, 30]),
            "acc_eq",
            "X agrees better than Y: acc_eq 0.833 vs 0.667, a difference of 0.1667.",
        ),
        pytest.param(
            ([1, 2, 3, 4], [2, 1, 4, 3], [1, 2, 3, 5]),
            "acc_eq",
            "Y agrees better than X: acc_eq 1.000 vs 0.667, a difference of 0.333. Of all 16 ways to swap, 2 ",
            marks=pytest.mark.campaign,
        ),
        pytest.param(
            ([1, 2, 3, 4], [1, 2, 3, 4], [10, 20, 30, 40]),
            "acc_eq",
            "X and Y agree equally well: acc_eq 1.000. Of all 16 ways",
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
            "τ_b is undefined for a metric, so there is no",
        ),
        (
            ([3, 4, 4, 1], [2, 1, 1, 2], [1, 2, 2, 1]),
            "tau_b",
            "a difference of 1.7889. Of all 16 ways to swap, 4 differ at least as much (2 of them undefined",
        ),
        (([], [], []), "pearson", "X and Y: one score for all items"),
    ],
)
def test_the_sentence_says_what_tiekit_finds(browser, scores, coefficient, words):
    data = swaps_by_hand(swap_vectors(*scores), ("X", "Y"))
    chosen = {"coefficient": coefficient, "swapped": [], "draws": "all", "seed": 0}
    said, counting = browser.evaluate(SAY, data | chosen)
    assert words in said
    assert ("Of the first 3 of 16 ways to swap, " in counting) == ("Of all 16" in said)
    assert "random" not in counting
    test = permutation_test(*scores, coefficient)
    shown = "(p = 1)." if test.note else "" if math.isnan(test.pvalue) else f"/16 = {test.pvalue:.3f}. The"
    assert shown in said
    assert ("p =" in said) == bool(shown)


@pytest.fixture
def explorer():
    return SwapExplorer(HUMAN, A, B, names=("X", "Y"))


@pytest.fixture
def file(explorer, tmp_path):
    explorer.to_html(tmp_path / "swap.html")
    return tmp_path / "swap.html"


def state(page):
    """What the address says."""
    return {key: json.loads(value[0]) for key, value in parse_qs(urlsplit(page.url).fragment).items()}


def drawn(page):
    """Wait until the picture is drawn."""
    page.evaluate(figures.NEXT_FRAME)
    return page


def verdict(page):
    return drawn(page).locator(".verdict").inner_text()


def counted(page):
    """The number of swaps, how many differ as much, and the p-value that the sentence says."""
    number, extreme, p = SWAPS.search(verdict(page)).groups()
    return int(number.replace(",", "")), int(extreme.replace(",", "")), float(p)


def same_now(page, explorer):
    """The sentence about the scores as they are is tiekit's, for the state that the address says."""
    shown = drawn(page).locator(".now").inner_text().replace("−", "-")
    explorer.swapped = state(page).get("swapped", [])
    assert float(re.search(r"difference (-?[\d.]+)\.$", shown)[1]) == pytest.approx(explorer.difference, abs=5e-4)
    number = len(explorer.swapped)
    assert shown.startswith(f"Now, {number} of 8 items swapped:" if number else "Now, no item swapped:")
    pressed = page.get_by_role("toolbar").get_by_role("button", pressed=True)
    assert [int(text) - 1 for text in re.findall(r"⇄ (\d+)", " ".join(pressed.all_inner_texts()))] == explorer.swapped


def test_swapped_by_hand(chromium, explorer, file):
    with figures.opened(chromium, file) as page:
        assert f", a difference of {explorer.observed:.3f}. If the two metrics were alike" in verdict(page)
        same_now(page, explorer)
        item = page.get_by_role("button", name="3: human 2, X 2, Y 10")
        item.click()
        expect(page.get_by_role("button", name="3: human 2, X 10, Y 2")).to_have_count(1)
        assert state(page) == {"swapped": [2]}
        same_now(page, explorer)
        for key in ("ArrowRight", "Space", "End", "Space", "ArrowLeft", "Space", "Home", "ArrowDown", "Enter"):
            page.keyboard.press(key)
        figures.check(page)
        row = page.evaluate(
            "[...document.querySelectorAll('.item')].filter((i, _, all) => i.offsetTop === all[0].offsetTop).length"
        )
        below = min(row, 8)
        # The item without a human score cannot be swapped.
        assert state(page)["swapped"] == sorted({2, 3, 8} ^ ({below} - {7}))
        same_now(page, explorer)
        assert "Swap at random!" in verdict(page)  # what is swapped by hand is not counted
        page.get_by_role("button", name="Reset").click()
        assert state(page) == {}
        same_now(page, explorer)


def test_swapped_at_random(chromium, explorer, file):
    with figures.opened(chromium, file) as page:
        for button, number in (("Swap at random", 1), ("Swap at random ×10", 11), ("Swap at random ×100", 111)):
            page.get_by_role("button", name=button, exact=True).click()
            found, extreme, p = counted(page)
            assert found == state(page)["draws"] == number
            assert p == pytest.approx((extreme + 1) / (number + 1), abs=5e-4)
            same_now(page, explorer)
        assert abs(p - explorer.test.pvalue) < 0.2
        alternative = page.get_by_role("img", name="Histogram").get_attribute("aria-label")
        assert alternative.startswith("Histogram of 111 differences in acc_eq, from −")
        before = counted(page)
        page.get_by_label("Seed").fill("5")
        page.keyboard.press("Enter")
        assert (other := counted(page)) != before
        assert state(page)["seed"] == 5
        page.get_by_label("Seed").fill("0")
        page.keyboard.press("Enter")
        assert counted(page) == before
        page.evaluate("location.hash = 'draws=111&seed=5&swapped=[4]'")
        expect(page.get_by_label("Seed")).to_have_value("5")
        assert counted(page) == other

        page.get_by_role("button", name="All 256 ways to swap").click()
        for coefficient in ("acc_eq", "pearson", "tau_b"):
            page.get_by_label("Coefficient").select_option(coefficient)
            explorer.coefficient = coefficient
            found, extreme, p = counted(page)
            assert explorer.test.exact
            assert found == explorer.test.n_resamples == 256
            assert (extreme / found, p) == (explorer.test.pvalue, pytest.approx(explorer.test.pvalue, abs=5e-4))
        assert state(page) == {"coefficient": "tau_b", "draws": "all", "seed": 5, "swapped": [4]}
        said = verdict(page)
        picture = downloaded_svg(page)
        assert picture.startswith("<svg")
        assert "observed</text>" in picture
        fragment = "#" + urlsplit(page.url).fragment
    with figures.opened(chromium, file, fragment=fragment) as page:
        assert verdict(page) == said
        same_now(page, explorer)


def downloaded_svg(page):
    with page.expect_download() as found:
        page.get_by_role("button", name="Save the histogram as SVG").click()
    assert found.value.suggested_filename == "swaps-X-Y-tau_b.svg"
    return found.value.path().read_text(encoding="utf-8")


@pytest.mark.campaign
def test_played_until_something_else_is_asked_for(chromium, explorer, file):
    with figures.opened(chromium, file, fragment='#draws=20000&swapped=["x"]') as page:  # a damaged link
        assert "Swap at random!" in verdict(page)
        page.get_by_role("button", name="Play").click()
        expect(page.locator(".verdict")).to_contain_text("random swaps")
        page.get_by_role("button", name="Pause").click()
        assert counted(page)[0] == state(page)["draws"] > 0
        same_now(page, explorer)
        page.evaluate("location.hash = 'draws=20000'")  # more than there may be
        expect(page.locator(".verdict")).to_contain_text("Swap at random!")
        page.get_by_role("button", name="Play").click()
        page.evaluate("location.hash = 'draws=3&swapped=[1]&coefficient=\"tau_a\"'")
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        explorer.coefficient = "tau_a"
        assert counted(page)[0] == 3
        same_now(page, explorer)
        page.evaluate("location.hash = 'draws=9999'")
        expect(page.get_by_role("button", name="Swap at random", exact=True)).to_be_disabled()
        assert counted(page)[0] == 9999


COUNT = """given => {
    const model = new Swaps();
    return given.at.map((draws) => {
        model.take({ ...given, draws });
        return model.resultAfter(draws);
    });
}"""


def test_p_values_of_a_test_are_those_of_tiekit(chromium):
    rng = np.random.default_rng(1)
    human, a, b = rng.normal(size=(3, 9))
    a += human
    for resamples in (99, 2000):  # random ones, and all 512 ways
        test = permutation_test(human, a, b, "pearson", n_resamples=resamples)
        sent = {**swaps_of_test(test, ("a", "b")), "at": [0, 1, len(test.samples)]}
        found = figures.called(chromium, {"swap_explorer/model.js": "Swaps"}, COUNT, sent)
        assert (found[0]["extreme"], found[0]["p"]) == (0, None)
        assert found[2]["p"] == pytest.approx(test.pvalue, abs=1e-12)


@pytest.mark.campaign
def test_swaps_of_a_test_fall_and_p_counts_up(chromium, tmp_path):
    rng = np.random.default_rng(2)
    test = permutation_test(*rng.normal(size=(3, 4, 20)), "item/tau_b", n_resamples=250)
    SwapExplorer(test).to_html(tmp_path / "test.html")
    large = round(test.pvalue * 251) - 1
    with figures.opened(chromium, tmp_path / "test.html", motion="no-preference") as page:
        assert page.get_by_label("Seed").is_hidden()
        assert page.get_by_role("toolbar").is_hidden()
        page.get_by_role("button", name="Swap at random ×100").press("Enter")
        page.get_by_text("Of 100 random swaps").wait_for()
        page.get_by_role("button", name="All 250 swaps").click()
        page.get_by_text(f"({large} + 1)/(250 + 1) = {(large + 1) / 251:.3f}").wait_for()
        page.wait_for_url("**draws=250**")
        assert page.get_by_role("button", name="All 250 swaps").is_disabled()
        figures.check(page)
