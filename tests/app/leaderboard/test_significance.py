import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.app import ranking
from tests.app.code import both
from tests.app.reading import accuracies, alts, boxes, share_of_swaps, text
from ui.work import presets

PAGE = "5_Leaderboard"
FEW = ["Contour-refA", "Contour-QE-src", "Ladder-refA", "Judge-src", "Constant-src"]
CLUSTERS = {"resampled": "p-values and clusters", "shown_metrics": FEW}
pytestmark = pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")  # the page says them in words


@pytest.fixture(scope="module")
def gaps(data):
    """acc_eq* of each segment, metric by metric."""
    human = data.human["mqm"]
    return {
        name: accuracies(human, data.metrics[name], tk.calibrate(human, data.metrics[name]).epsilon) for name in FEW
    }


def squares(app):
    """The p-values in words that the picture's description holds, by neighbours."""
    [words] = [words for words in alts(app) if words.startswith("p-values of every two")]
    return {
        tuple(part.rsplit(" ", 1)[0].split(" and ")): float(part.rsplit(" ", 1)[1])
        for part in words.split("best first: ")[1].split(";")[0].split(", ")
    }


def test_no_more_metrics_are_tested_against_each_other_than_a_table_shows(open_app, monkeypatch):
    monkeypatch.setattr(presets, "MOST_COMPARED", len(FEW) - 1)
    app = open_app(PAGE, **CLUSTERS)
    assert "Up to 4 metrics are tested against each other, and these are 5. Choose fewer, or" in boxes(app, "info")
    assert not [words for words in alts(app) if words.startswith("p-values")]


def table_with(app, column):
    """The table that has a column of this name, or of a name that begins so."""
    [found] = [one.value for one in app.dataframe if any(str(name).startswith(column) for name in one.value.columns)]
    return found


def test_nothing_is_drawn_again_until_it_is_asked_for(open_app, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("resampled")

    for name in ("compare_metrics", "bootstrap_interval", "permutation_test"):
        monkeypatch.setattr(tk.significance, name, refuse)
    app = open_app(PAGE, table_tests="neither")
    assert not [words for words in alts(app) if "p-values" in words or "intervals" in words]
    assert "Ranks alone do not show" in text(app)


def test_clusters_are_runs_that_no_p_value_breaks(open_app, gaps, shown):
    app = open_app(PAGE, **CLUSTERS)
    table = table_with(app, "cluster")
    means = {name: values.mean() for name, values in gaps.items()}
    order = sorted(FEW, key=lambda name: -means[name])
    assert list(table.index) == order
    assert table["acc_eq*"].tolist() == [f"{means[name]:.3f}" for name in order]
    for (a, b), p in squares(app).items():
        assert abs(p - share_of_swaps(gaps[a] - gaps[b])) < 0.05
    assert not any("Constant-src" in pair for pair in squares(app))
    found = both(shown, "clusters")[0]
    assert found.isna().tolist() == [name == "Constant-src" for name in order]
    assert table["cluster"].astype("Int64").tolist() == found.tolist()
    assert f"{found.max()} clusters of 4 metrics at p ≤ .05" in text(app)
    assert "Not tested: Constant-src" in text(app)


def test_p_values_are_a_table_and_a_file(open_app, files):
    app = open_app(PAGE, **CLUSTERS)
    plainly = files["p-values"]
    assert list(plainly.columns) == ["first", "second", "difference", "pvalue"]
    assert len(plainly) == 10
    app.selectbox(key="resampled_correction").select("Holm").run()
    both_kinds, table = files["p-values"], table_with(app, "first")
    pd.testing.assert_frame_equal(both_kinds[list(plainly.columns)], plainly)
    tested = plainly["pvalue"].dropna()
    assert len(tested) == 6  # of four metrics
    stepwise = [p * (6 - place) for place, p in enumerate(sorted(tested))]
    holm = {p: min(1.0, max(stepwise[: place + 1])) for place, p in enumerate(sorted(tested))}
    assert both_kinds["corrected"].dropna().tolist() == pytest.approx([holm[p] for p in tested])
    of_constant = (table[["first", "second"]] == "Constant-src").any(axis=1)
    assert set(table.loc[of_constant, "p"]) == set(table.loc[of_constant, "corrected p"]) == {"not tested"}
    assert table.loc[~of_constant, "p"].tolist() == [f"{p:.3f}" for p in tested]


def test_constants_have_no_cluster_and_probes_are_marked(open_app):
    app = open_app(PAGE, resampled="p-values and clusters", shown_metrics=["Constant-src"], probes="true")
    app.pills(key="starred").set_value([]).run()
    assert not app.exception
    assert {"◆ constant", "◆ random", "Constant-src"} <= set(table_with(app, "cluster").index)
    assert "Not tested: Constant-src, constant." in text(app)
    assert "of 0 metrics and 4 probes" in text(app)


def test_a_correction_makes_no_more_clusters_and_pairs_none(open_app):
    app = open_app(PAGE, **CLUSTERS)
    plain = table_with(app, "cluster")["cluster"].max()
    app.selectbox(key="resampled_correction").select("Bonferroni").run()
    assert 1 <= table_with(app, "cluster")["cluster"].max() <= plain
    assert "clusters use the corrected ones" in text(app)
    app.selectbox(key="resampled_swap").select("pairs").run()
    assert not app.exception
    assert any("not used for clusters" in warning.value for warning in app.warning)
    assert not any("cluster" in table.value.columns for table in app.dataframe)
    assert squares(app)["Contour-QE-src", "Ladder-refA"] < 0.01


def test_intervals_hold_their_values(open_app, gaps, shown):
    app = open_app(PAGE, resampled="intervals", shown_metrics=FEW)
    table = table_with(app, "acc_eq* [")
    rng = np.random.default_rng(4)
    for name, values in gaps.items():
        value, low, high = (float(part.strip("[],")) for part in table.loc[name].iloc[0].split(" "))
        again = values[rng.integers(0, len(values), (2000, len(values)))].mean(axis=1)
        assert value == pytest.approx(values.mean(), abs=6e-4)
        assert [low, high] == pytest.approx(np.quantile(again, [0.025, 0.975]).tolist(), abs=0.006)
    [found] = both(shown, "intervals")[:1]
    assert f"[{found['Judge-src'].low:.3f}, {found['Judge-src'].high:.3f}]" in table.loc["Judge-src"].iloc[0]
    app.selectbox(key="resampled_draw").select("systems").run()
    assert "Resampled: systems" in text(app)


def test_two_metrics_are_tested_number_by_number(open_app, gaps):
    app = open_app(PAGE, first="Contour-QE-src", second="Ladder-refA", shown_metrics=FEW, coefficients=["tau_b"])
    assert "p" not in app.table[-1].value
    app.toggle(key="test_two").set_value(True).run()
    assert not app.exception
    [tau_b, starred] = (float(cell.strip("*")) for cell in app.table[-1].value["p"])
    assert not any("p = " in cell for cell in app.table[-1].value["Ahead"])
    assert "Each p is of 999 swaps of whole segments; the smallest possible is 0.001." in text(app)
    assert abs(starred - share_of_swaps(gaps["Contour-QE-src"] - gaps["Ladder-refA"])) < 0.05
    assert 0 < tau_b <= 1


def test_a_correction_that_can_find_nothing_is_named(open_app):
    app = open_app(PAGE, resampled="p-values and clusters", resampled_correction="Bonferroni", probes="true")
    assert "1 cluster of 9 metrics and 4 probes" in text(app)  # of 13, so 78 tests
    assert "give no p-value below 0.001, at least 0.078 after the correction" in text(app)
    assert "at least 1,559 are needed" in text(app)
    app.selectbox(key="resampled_correction").select("Benjamini–Hochberg").run()
    assert "Too few resamples" not in text(app)


def test_numbers_that_compare_systems_are_columns(open_app, data):
    coefficients = ["tau_b", "pairwise_accuracy", "pdp", "spa"]
    app = open_app(PAGE, coefficients=coefficients, shown_metrics=FEW, resampled="intervals")
    assert not any("damaged" in warning.value for warning in app.warning)
    table = ranking.shown(app)
    scores = data.human["mqm"], data.metrics["Ladder-refA"]
    assert table.loc["Ladder-refA", "spa"] == tk.measures.soft_pairwise_accuracy(*scores)
    offered = app.selectbox(key="resampled_column").options
    assert offered[:2] == ["acc_eq*", "τ_b"]
    assert len(offered) == 5
    assert "pairwise accuracy" in list(app.table[-1].value["Coefficient"])
