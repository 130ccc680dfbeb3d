"""What is compared is compared on the same cells: the story of a metric without scores of refB, and every rule."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.drawn import make_mine
from tiekit.sets.cells import share_cells

S = tk.significance
GAP = "compared on 14 of 15 systems: mine has no scores of refB"
NAN = float("nan")

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")


@pytest.fixture(scope="module")
def mine(tmp_path_factory):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.LeftOutWarning)
        return tk.load_wmt22().with_scores(make_mine(tmp_path_factory.mktemp("mine")), name="mine")


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    """The same metric on forty segments."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.LeftOutWarning)
        return tk.load_wmt22().with_scores(make_mine(tmp_path_factory.mktemp("few"), n_segments=40), name="few")


@pytest.mark.parametrize(
    "coefficient", ["acc_eq*", "system_means/pearson", pytest.param("spa", marks=pytest.mark.campaign)]
)
def test_two_metrics_are_compared_as_if_nobody_had_the_cells_that_one_lacks(mine, coefficient):
    asked = {"coefficient": coefficient, "n_resamples": 199}
    with pytest.warns(tk.CoverageWarning, match=re.escape(f'{GAP}; cells="own" takes each metric on its own cells')):
        found = S.permutation_test(mine, "mine", "COMET-22", **asked)
    selected = S.permutation_test(mine.select(exclude=["refA", "refB"]), "mine", "COMET-22", **asked)
    assert found.to_dict()["values"] == selected.to_dict()["values"]
    assert (found.pvalue, found.epsilons) == (selected.pvalue, selected.epsilons)
    assert (found.n_systems, found.n_segments, found.n_cells, found.cells) == (14, 1875, 26250, "common")
    assert "|systems:14|segments:1875|cells:26250 common|" in found.signature
    assert "n_systems=14, n_segments=1875, n_cells=26250, cells='common'" in " ".join(repr(found).split())


def test_a_metric_with_noise_is_worse_and_not_better(mine):
    with pytest.warns(tk.CoverageWarning):
        found = S.permutation_test(mine, "mine", "COMET-22", "acc_eq*")
    assert (found.difference, found.pvalue) == (pytest.approx(-0.0025, abs=5e-5), 0.001)
    own = S.permutation_test(mine, "mine", "COMET-22", "acc_eq*", cells="own")
    assert (own.difference, own.pvalue) == (pytest.approx(0.0027, abs=5e-5), pytest.approx(0.017))
    assert (own.n_systems, own.cells) == (15, "own")
    with pytest.warns(tk.CoverageWarning, match=GAP):
        ends = S.bootstrap_interval(mine, "mine", "acc_eq*", against="COMET-22", n_resamples=199)
    with_selected = S.bootstrap_interval(
        mine.select(exclude=["refA", "refB"]), "mine", "acc_eq*", against="COMET-22", n_resamples=199
    )
    assert (ends.low, ends.high, ends.n_systems) == (with_selected.low, with_selected.high, 14)
    assert ends.high < 0
    with pytest.warns(tk.CoverageWarning, match=f"{GAP}$"):
        formula = S.williams_test(mine.adjusted(decimals={"mqm": 6}), "mine", "COMET-22", grouping="global")
    assert (formula.n, formula.n_cells, formula.n_systems) == (26250, 26250, 14)


def test_all_metrics_of_a_board_are_compared_on_what_all_have(mine):
    metrics = ["mine", "COMET-22", "metricx_xxl_MQM_2020", "UniTE-src"]
    selected = mine.select(exclude=["refA", "refB"])
    with pytest.warns(tk.CoverageWarning, match=GAP):
        board = tk.leaderboard(mine, metrics=metrics, coefficients=["spa", "acc_eq*"])
    assert list(board.index)[1:3] == ["COMET-22-refA", "mine"]
    expected = tk.leaderboard(selected, metrics=metrics, coefficients=["spa", "acc_eq*"], exclude=())
    pd.testing.assert_frame_equal(board.drop(columns="coverage"), expected.drop(columns="coverage"))
    assert board.loc["mine", "coverage"] == pytest.approx(14 / 15)
    assert [board.attrs[name] for name in ("n_systems", "n_segments", "n_cells")] == [14, 1875, 26250]
    with pytest.warns(tk.CoverageWarning, match=GAP):
        found = S.compare_metrics(mine, metrics, "acc_eq*", n_resamples=199)
    again = S.compare_metrics(selected, metrics, "acc_eq*", n_resamples=199)
    assert found.clusters().to_dict() == again.clusters().to_dict()
    assert found.clusters()["COMET-22-refA"] < found.clusters()["mine"]
    pd.testing.assert_frame_equal(found.pvalues, again.pvalues)
    assert found.to_dict()["values"] == pytest.approx(board["acc_eq*"].to_dict(), abs=1e-12)
    with pytest.warns(tk.CoverageWarning, match=GAP):
        many = S.swap_test(mine, metrics[:2], ["item/tau_b", "spa"], n_resamples=99)
    pd.testing.assert_frame_equal(many, S.swap_test(selected, metrics[:2], ["item/tau_b", "spa"], n_resamples=99))
    assert many.attrs == {"n_systems": 14, "n_segments": 1875, "n_cells": 26250, "cells": "common"}


def test_a_metric_with_few_scores_does_not_shrink_the_board(few):
    metrics = ["few", "COMET-22", "BLEU", "chrF"]
    text = "few has scores of 560 of 28,125 cells, so it stands below the others, without a rank"
    with pytest.warns(tk.CoverageWarning, match=text):
        board = tk.leaderboard(few, metrics=metrics, coefficients=["spa", "acc_eq", "acc_eq*"])
    without = tk.leaderboard(few, metrics=metrics[1:], coefficients=["spa", "acc_eq", "acc_eq*"])
    pd.testing.assert_frame_equal(pd.DataFrame(board.iloc[:3]), pd.DataFrame(without))
    assert board.index[3] == "few"
    assert board.loc["few", ["rank(acc_eq)", "rank(acc_eq*)", "rank(spa)"]].isna().all()
    assert board.loc["few", "acc_eq*"] == tk.calibrate(few, "few").value
    assert "cells:560 own" in board.attrs["signatures"]["acc_eq*"]["few"]
    assert "cells:28125 common" in board.attrs["signatures"]["acc_eq*"]["BLEU-refA"]
    assert board.attrs["apart"] == ("few",)

    with pytest.warns(tk.CoverageWarning, match=text):
        found = S.compare_metrics(few, metrics, "acc_eq*", n_resamples=199)
    alone = S.compare_metrics(few, metrics[1:], "acc_eq*", n_resamples=199)
    pd.testing.assert_frame_equal(found.pvalues, alone.pvalues)
    assert found.clusters().to_dict() == alone.clusters().to_dict()
    assert found.n_cells == 28125
    for row in found.apart.itertuples():
        with pytest.warns(tk.CoverageWarning):
            pair = S.permutation_test(few, row.first, row.second, "acc_eq*", n_resamples=199)
        assert [row.value_first, row.value_second] == pytest.approx(pair.to_dict()["values"], abs=1e-12)
        assert (row.pvalue, row.n_cells) == (pair.pvalue, pair.n_cells)
    assert list(found.apart["second"]) == ["COMET-22-refA", "BLEU-refA", "chrF-refA"]

    with pytest.warns(
        tk.CoverageWarning, match="compared on 14 of 15 systems: few has no scores of refB; 40 of 1,875 seg"
    ):
        strict = tk.leaderboard(few, metrics=metrics, coefficients=["acc_eq"], cells="common")
    assert strict.attrs["n_cells"] == 560
    assert strict["rank(acc_eq)"].notna().all()
    with pytest.warns(tk.CoverageWarning, match="40 of 1,875 segments: few has no scores of 1,835 segments"):
        assert S.compare_metrics(few, metrics, "acc_eq*", n_resamples=9, cells="common").apart.empty
    with pytest.warns(tk.CoverageWarning):
        assert S.compare_metrics(few, metrics[:2], "acc_eq*", n_resamples=9).n_cells == 560


def test_published_sets_have_no_gaps():
    board = tk.leaderboard(tk.load_wmt22(), coefficients=["tau_b"], calibrated=())
    assert [board.attrs[name] for name in ("n_systems", "n_segments", "n_cells")] == [15, 1875, 28125]


SCORES = st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0, NAN]), min_size=15, max_size=15)


@given(SCORES, SCORES, SCORES, st.sampled_from(["acc_eq*", "tau_a", "system/acc_eq", "global/pearson", "spa"]))
@pytest.mark.filterwarnings("ignore::tiekit.CoverageWarning")
def test_a_test_is_that_of_the_scores_that_are_left(human, a, b, coefficient):
    human, a, b = (np.reshape(one, (3, 5)) for one in (human, a, b))
    shared = ~np.isnan(human) & ~np.isnan(a) & ~np.isnan(b)
    rated = ~np.isnan(human) & ~(np.isnan(a) & np.isnan(b))
    rows, columns = (shared.any(axis=axis) | ~rated.any(axis=axis) for axis in (1, 0))
    masked = np.where(shared, human, np.nan)[rows][:, columns]
    try:
        found = S.permutation_test(human, a, b, coefficient, n_resamples=31)
    except tk.InputError:
        by_system, is_global = coefficient.startswith("system/"), coefficient.startswith("global/")
        assert (shared if is_global else shared.any(axis=0 if by_system else 1)).sum() < 2
        return
    left = a[rows][:, columns], b[rows][:, columns]
    expected = S.permutation_test(masked, *left, coefficient, n_resamples=31, cells="own")
    for name in ("pvalue", "epsilons"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    for name in ("difference", "values"):  # sums of Pearson's in another order
        np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-14, atol=1e-15)
    assert found.n_cells == shared.sum()
    assert (found.n_systems, found.n_segments) == (shared.any(axis=1).sum(), shared.any(axis=0).sum())


FULL = np.arange(15.0).reshape(3, 5)


def lacking(*places):
    scores = FULL.copy()
    for place in places:
        scores[place] = np.nan
    return scores


@pytest.mark.parametrize(
    ("metrics", "text"),
    [
        ({"a": lacking(), "b": lacking()}, ""),
        ({"a": lacking((0, 0)), "b": lacking((0, 0))}, ""),
        ({"a": lacking(), "b": lacking(1)}, "2 of 3 systems: b has no scores of B"),
        (
            {"a": lacking(2), "b": lacking(1), "c": lacking(2)},
            "1 of 3 systems: a and c have no scores of C; b has no scores of B",
        ),
        (
            {"a": lacking(np.s_[:, 1:3]), "b": lacking(1)},
            "2 of 3 systems: b has no scores of B; 3 of 5 segments: a has no scores of 2 segments",
        ),
        (
            {"a": lacking((0, 0), (1, 1)), "b": lacking((0, 0), (2, 2))},
            "12 of 14 cells: a and b have no scores of 1 cell each",
        ),
    ],
)
def test_a_warning_names_whose_gap_costs_what(metrics, text):
    assert share_cells(FULL, metrics).gaps(("A", "B", "C")) == text


def test_what_two_metrics_do_not_share_is_refused():
    """By the grouping, and with the name of the metric that costs the most."""
    ab, bc = lacking(2), lacking(0, (1, 0))
    left, right = lacking(np.s_[:, 2:]), lacking(np.s_[:, :2], (0, 2))
    tests = (
        lambda a, b, by: S.permutation_test(FULL, a, b, "tau_a", grouping=by),
        lambda a, b, by: S.bootstrap_interval(FULL, a, "tau_a", against=b, grouping=by),
        lambda a, b, by: S.compare_metrics(FULL, {"metric_a": a, "against": b}, "tau_a", grouping=by),
    )
    for test in tests:
        with pytest.warns(tk.CoverageWarning, match="on 1 of 3 systems: .*; 4 of 5 segments: "):
            test(ab, bc, "system")
        for a, b, by, found in (
            (ab, bc, "item", "1 system"),
            (ab, bc, "system_means", "1 system"),
            (left, right, "item", "0 systems"),
            (left, right, "system", "0 segments"),
            (left, right, "global", "0 cells"),
        ):
            bad = "metric" if a is left else "(metric_b|against)"  # it has the fewest scores
            text = f"have scores of {found} in common, and at least two are needed by {by}; cells="
            with pytest.raises(tk.InputError, match=rf"^\w+: leave out {bad}\w*: \w+ and \w+ {text}"):
                test(a, b, by)
    data = tk.EvalSet("toy", "", ("A", "B", "C"), tuple("12345"), {"h": FULL}, {"x": FULL, "y": ab, "z": bc})
    with pytest.raises(tk.InputError, match="metrics: leave out z: all 3 metrics have scores of 1 system in common"):
        tk.leaderboard(data, cells="common")
    with pytest.raises(tk.InputError, match=r"cells: must be 'common', 'own' or None, found 'all'"):
        tk.leaderboard(data, cells="all")


def test_measures_and_shares_compare_metrics_on_common_cells():
    rng = np.random.default_rng(0)
    human, a, b = (rng.integers(0, 4, (4, 12)).astype(float) for _ in range(3))
    b[1, 3:6] = np.nan
    shared = np.where(np.isnan(b), np.nan, human)
    metrics, left, names = (
        {"a": a, "b": b},
        {"a": np.where(np.isnan(b), np.nan, a), "b": b},
        ["item/acc_eq*", "global/tau_b"],
    )
    text = "compared on 45 of 48 cells: b has no scores of 3 cells; cells="
    for call in (
        lambda h, m, **how: tk.measures.evaluate_measures(h, m, names, **how),
        lambda h, m, **how: tk.sentinels.tie_shares(h, m, shares=[0.1, 0.3], **how),
        lambda h, m, **how: tk.sentinels.rank_intervals(h, m, shares=[0.1, 0.3], **how),
        lambda h, m, **how: tk.measures.discriminative_power({"x": (h, m)}, names, n_resamples=19, **how).pvalues,
        lambda h, m, **how: tk.measures.ranking_consistency({"x": (h, m)}, names, n_splits=3, **how).mean.to_frame(),
    ):
        with pytest.warns(tk.CoverageWarning, match=text):
            found = call(human, metrics)
        pd.testing.assert_frame_equal(found, call(shared, left))
        call(human, metrics, cells="own")  # without a warning


def test_a_metric_without_any_score_takes_nothing_from_the_others():
    none = np.full(FULL.shape, NAN)
    found = S.permutation_test(FULL, FULL, none, "tau_a")
    assert (found.n_cells, found.to_dict()["values"][0]) == (15, 1)
    assert np.isnan(found.difference)
    data = tk.EvalSet("toy", "", ("A", "B", "C"), tuple("12345"), {"h": FULL}, {"x": FULL, "none": none})
    assert tk.leaderboard(data, coefficients="tau_a")["tau_a"].tolist()[0] == 1


HALVES = np.arange(24.0).reshape(4, 6) % 7
"""Four systems, six segments; one metric has scored the first three systems, another the last two."""
FIRST, LAST = HALVES // 2, HALVES + 1
FIRST[3], LAST[:2] = NAN, NAN


@pytest.mark.parametrize(
    "call",
    [
        lambda: tk.leaderboard(
            tk.EvalSet("s", "", tuple("abcd"), tuple("123456"), {"h": HALVES}, {"first": FIRST, "last": LAST}),
            grouping="system",
            coefficients=["tau_a", "item/tau_a"],
        ),
        lambda: tk.leaderboard(
            tk.EvalSet("s", "", tuple("abcd"), tuple("123456"), {"h": HALVES}, {"first": FIRST, "last": LAST}),
            grouping="system",
            coefficients=["system_means/pearson", "tau_a"],
        ),
        lambda: tk.measures.evaluate_measures(HALVES, {"first": FIRST, "last": LAST}, ["system/tau_a", "item/tau_a"]),
        lambda: tk.measures.measure_agreement(
            {"s": (HALVES, {"first": FIRST, "last": LAST})}, ["item/tau_a", "system/tau_a"]
        ),
        lambda: tk.measures.ranking_consistency({"s": (HALVES, {"first": FIRST, "last": LAST})}, ["item/tau_a"]),
        lambda: tk.measures.discriminative_power({"s": (HALVES, {"first": FIRST, "last": LAST})}, ["item/tau_a"]),
        lambda: tk.sentinels.tie_shares(HALVES, {"first": FIRST, "last": LAST}),
        lambda: tk.sentinels.held_out_shares(HALVES, {"first": FIRST, "last": LAST}),
        lambda: tk.sentinels.rank_intervals(HALVES, {"first": FIRST, "last": LAST}),
    ],
)
def test_too_little_in_common_is_refused_for_every_grouping_that_is_asked_for(call):
    with pytest.raises(tk.InputError, match=r"leave out .*: first and last have scores of 1 system in common"):
        call()


def test_by_system_one_system_in_common_is_enough():
    data = tk.EvalSet("s", "", tuple("abcd"), tuple("123456"), {"h": HALVES}, {"first": FIRST, "last": LAST})
    with pytest.warns(tk.CoverageWarning, match="compared on 1 of 4 systems"):
        assert tk.leaderboard(data, grouping="system", coefficients=["tau_a"])["tau_a"].notna().all()
