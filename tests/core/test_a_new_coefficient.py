"""One entry adds a coefficient: it is found everywhere, and nowhere once it is gone."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from streamlit.testing.v1 import AppTest

import tiekit as tk
from tiekit.core.coefficients import OfCounts, OfMatrix, OfScores
from tiekit.core.formula import Formula
from tiekit.figures import FIGURES
from ui.measures import choices
from ui.page import pages, shell

ROOT = Path(__file__).parents[2]

SOMERS = OfCounts(
    name="somers_of_human",
    label="Somers' d",
    latex="d",
    formula=Formula("(C - D) / (C + D + T_h)"),
    undefined="all metric scores are equal",
    reference="Somers (1962), doi:10.2307/2090408",
)


def closeness(human, metric):
    """One minus the mean distance of the scores of each row."""
    return 1 - np.abs(human - metric).mean(axis=1)


CLOSENESS = OfScores(
    name="closeness", label="closeness", latex="c", rows=closeness, undefined="never", reference="made up for this test"
)

LEAD = OfMatrix(
    name="lead",
    label="lead of the first system",
    latex="l",
    matrix=lambda human, metric, _: float(np.nanmean(human[0] * metric[0])),
    groupings=("system_means",),
    undefined="never",
    reference="made up for this test",
)


@pytest.fixture
def _somers(monkeypatch):
    monkeypatch.setitem(tk.COEFFICIENTS, "somers_of_human", SOMERS)


def scores(seed=1, shape=(5, 8)):
    rng = np.random.default_rng(seed)
    return tuple(rng.integers(0, 4, shape).astype(float) for _ in range(3))


@pytest.mark.usefixtures("_somers")
def test_it_is_what_scipy_says():
    human, metric, _ = (part.ravel() for part in scores())
    found = tk.correlate(human, metric, "somers_of_human")
    assert found.value == pytest.approx(stats.somersd(metric, human).statistic)
    assert not SOMERS.symmetric
    assert not SOMERS.handles_ties
    assert SOMERS.effect("ties_human") == "no credit"
    assert SOMERS.effect("ties_metric") == "ignores"


@pytest.mark.usefixtures("_somers")
def test_it_is_calibrated():
    human, metric, _ = scores()
    with pytest.warns(tk.CalibrationWarning, match="somers_of_human does not handle ties"):
        found = tk.calibrate(human, metric, "somers_of_human")
    every = [tk.correlate(human, metric, "somers_of_human", epsilon=epsilon).value for epsilon in range(4)]
    assert found.value == pytest.approx(np.nanmax(every))
    assert found.epsilon == np.nanargmax(every)


@pytest.mark.usefixtures("_somers")
def test_it_stands_on_the_leaderboard_and_among_the_measures():
    human, a, b = scores()
    data = tk.EvalSet("toy", "", tuple("ABCDE"), tuple("12345678"), {"human": human}, {"a": a, "b": b})
    board = tk.leaderboard(data, "human")
    assert board.loc["a", "somers_of_human"] == pytest.approx(tk.correlate(human, a, "somers_of_human").value)
    every = tk.measures.all_measures()
    assert {"item/somers_of_human", "global/somers_of_human*"} <= set(every)
    found = tk.measures.evaluate_measures(human, {"a": a}, ["system/somers_of_human"])
    assert found.iloc[0, 0] == pytest.approx(tk.correlate(human, a, "somers_of_human", grouping="system").value)


@pytest.mark.usefixtures("_somers")
@pytest.mark.parametrize("swap", list(tk.significance.SWAPS))
def test_its_differences_are_tested(swap):
    human, a, b = scores()
    by = "system_means" if tk.significance.SWAPS[swap].of_means else "global"
    asked = {"grouping": by, "n_resamples": 19, "documents": list("aabbccdd")}
    test = tk.significance.permutation_test(human, a, b, "somers_of_human", swap=swap, **asked)
    expected = [tk.correlate(human, metric, "somers_of_human", grouping=by).value for metric in (a, b)]
    assert test.values == pytest.approx(expected)
    assert 0 < test.pvalue <= 1


@pytest.mark.usefixtures("_somers")
def test_the_browser_has_its_formula_and_the_app_its_name():
    assert (
        "somers_of_human: (C, D, T_h, T_m, T_hm, n, k) => (C - D) / (C + D + T_h),\n" in FIGURES["lab"].for_streamlit()
    )
    assert {"somers_of_human", "somers_of_human*"} <= set(choices.coefficients())


@pytest.mark.usefixtures("_somers")
def test_a_page_offers_it():
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    app.session_state[shell.READ] = {one.file for one in pages.path()}
    app.switch_page("pages/3_Calibration.py").run()
    box = next(box for box in app.selectbox if box.label == "Coefficient to maximize")
    assert "Somers' d" in box.options
    box.set_value("somers_of_human").run()
    assert not app.exception
    assert any("Somers' d does not handle ties" in warning.value for warning in app.warning)


def test_it_is_gone_afterwards():
    assert "somers_of_human" not in tk.COEFFICIENTS
    assert "somers_of_human" not in FIGURES["lab"].for_streamlit()
    with pytest.raises(tk.InputError, match=r"coefficient: must be one of .* found 'somers_of_human'"):
        tk.correlate([1, 2], [1, 2], "somers_of_human")


@pytest.mark.parametrize("swap", ["segments", "cells", "both"])
@pytest.mark.parametrize("grouping", ["item", "global", "system_means"])
def test_one_of_scores_needs_no_more_than_its_function(monkeypatch, swap, grouping):
    monkeypatch.setitem(tk.COEFFICIENTS, "closeness", CLOSENESS)
    human, a, b = scores()
    assert tk.correlate(human, a, "closeness").value == pytest.approx(1 - np.abs(human - a).mean())
    test = tk.significance.permutation_test(human, a, b, "closeness", grouping=grouping, swap=swap, n_resamples=9)
    assert test.samples.size == 9
    assert np.isfinite(test.samples).all()
    with pytest.raises(tk.InputError, match="closeness knows no ties"):
        tk.calibrate(human, a, "closeness")


def test_one_of_whole_matrices_needs_no_more_than_its_function(monkeypatch):
    monkeypatch.setitem(tk.measures.SYSTEM_LEVEL, "lead", LEAD)
    human, a, b = scores()
    data = tk.EvalSet("toy", "", tuple("ABCDE"), tuple("12345678"), {"human": human}, {"a": a, "b": b})
    board = tk.leaderboard(data, "human", coefficients=["tau_a", "lead"], calibrated="acc_eq")
    assert board.loc["b", "lead"] == pytest.approx((human[0] * b[0]).mean())
    assert tk.measures.all_measures()[-1] == "system_means/lead"
    test = tk.significance.permutation_test(human, a, b, "lead", n_resamples=9)
    assert test.grouping == "system_means"
    assert np.isfinite(test.samples).all()
    with pytest.raises(tk.InputError, match="lead compares systems of a matrix"):
        tk.significance.permutation_test(human, a, b, "lead", grouping="item")
