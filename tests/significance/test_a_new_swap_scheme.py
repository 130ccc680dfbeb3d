"""One entry adds a scheme of swaps: tests take it, tables name it, pages offer it."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import tiekit as tk
from tiekit.significance.schemes import SWAPS, Swap
from ui.evalset import sources

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, kw_only=True)
class HalfSwap(Swap):
    """The first half of the segments as a whole, and the second."""

    def draw(self, rng, sizes, shape):
        """Each half with chance 1/2."""
        return (self.place(rng.integers(0, 2, (size, 2)), np.arange(2), shape) for size in sizes)

    def units(self, differs):  # noqa: ARG002
        """Both halves."""
        return np.arange(2)

    def place(self, chosen, units, shape):
        """The chosen halves."""
        halves = np.zeros((len(chosen), 2), np.int64)
        halves[:, units] = chosen
        return np.zeros((len(chosen), shape[0]), np.int64), np.repeat(halves, shape[1] // 2, axis=1), None


@pytest.fixture(autouse=True)
def _scheme(monkeypatch):
    entry = HalfSwap(name="halves", label="half of the segments", text="the first and the second half are swapped")
    monkeypatch.setitem(SWAPS, "halves", entry)


def scores(seed=2):
    rng = np.random.default_rng(seed)
    return tuple(rng.integers(0, 5, (4, 6)).astype(float) for _ in range(3))


def test_every_test_takes_it():
    human, a, b = scores()
    found = tk.significance.permutation_test(human, a, b, "tau_a", swap="halves")
    value = {name: tk.correlate(human, m, "tau_a").per_group for name, m in (("a", a), ("b", b))}
    first, second = ((value["a"] - value["b"])[half].sum() / 6 for half in (slice(3), slice(3, 6)))
    expected = [first + second, second - first, first - second, -first - second]
    assert found.exact
    assert sorted(found.samples) == pytest.approx(sorted(expected))
    assert found.pvalue == np.mean([abs(d) >= abs(expected[0]) - 1e-12 for d in expected])
    compared = tk.significance.compare_metrics(human, {"a": a, "b": b}, "tau_a", swap="halves")
    assert compared.pvalues.loc["a", "b"] == found.pvalue
    with pytest.warns(tk.ResamplesWarning, match="4 give no p-value below 0.2"):
        assert list(compared.clusters().index) == list(compared.values.index)
    power = tk.measures.discriminative_power({"toy": (human, {"a": a, "b": b})}, ["item/tau_a"], swap="halves")
    assert power.mean.iloc[0] == found.pvalue


def test_a_scheme_with_a_caution_decides_nothing(monkeypatch):
    entry = HalfSwap(name="halves", label="halves", text="halves are swapped", caution="there are two halves only")
    monkeypatch.setitem(SWAPS, "halves", entry)
    human, a, b = scores()
    assert tk.significance.permutation_test(human, a, b, swap="halves").note == "there are two halves only"
    compared = tk.significance.compare_metrics(human, {"a": a, "b": b}, swap="halves")
    with pytest.raises(tk.InputError, match="'halves' cannot be put into clusters; there are two halves only"):
        compared.clusters()


def test_without_a_way_to_try_everything_it_is_random(monkeypatch):
    entry = HalfSwap(name="halves", label="halves", text="halves are swapped", needs_systems=True)
    monkeypatch.setattr(HalfSwap, "units", Swap.units)
    monkeypatch.setitem(SWAPS, "halves", entry)
    human, a, b = scores()
    found = tk.significance.permutation_test(human, a, b, swap="halves", n_resamples=30)
    assert (found.exact, found.n_resamples) == (False, 30)
    with pytest.raises(tk.InputError, match="must be segments or cells, found 'halves'"):
        tk.significance.permutation_test(human[0], a[0], b[0], swap="halves")


def test_a_page_offers_it():
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    few = {"msr_groupings": ["item"], "msr_coefficients": ["pearson"], "msr_metrics": ["Contour-refA", "Judge-src"]}
    for key, value in {"msr_part": "power and consistency", **few}.items():
        app.query_params[key] = value
    app.query_params["source"] = sources.SYNTHETIC
    app.switch_page("pages/8_Measures.py").run()
    assert not app.exception
    box = next(box for box in app.selectbox if box.label == "What the tests swap")
    assert "halves" in box.options
