"""Where do pages compare within documents? Leaderboard, Measures and NaN problem."""

import pytest

import tiekit as tk
from tests.app.code import both
from tests.app.leaderboard.test_significance import squares
from tests.app.reading import alts, text
from ui.evalset import sources
from ui.work.presets import sample

FEW = ["Contour-refA", "Contour-QE-src", "Ladder-refA"]
BOARD = {"source": sources.SYNTHETIC, "shown_metrics": FEW, "coefficients": ["acc_eq"], "table_tests": "neither"}
pytestmark = pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")  # the page says them in words


@pytest.fixture(scope="module")
def data():
    return sample("qaa-qab").select()


@pytest.mark.parametrize("by", ["document", "document_means"])
def test_the_leaderboard_tests_differences_by_document(open_app, data, shown, by):
    grouping, swap = by.replace("_", " "), "documents" if by == "document_means" else "segments"
    app = open_app("5_Leaderboard", **BOARD, grouping=grouping, resampled="p-values and clusters")
    assert not app.exception
    found = tk.significance.compare_metrics(data, FEW, "acc_eq*", grouping=by, swap=swap)
    for pair, p in squares(app).items():
        assert p == pytest.approx(found.pvalues.loc[pair], abs=5e-4)
    assert both(shown, "clusters")[0].tolist() == found.clusters().tolist()
    unit = app.selectbox(key="resampled_swap")
    assert (unit.value, unit.options == ["documents"]) == (swap, by == "document_means")
    assert ("whole documents are swapped" in (unit.help or "")) == (by == "document_means")


@pytest.mark.parametrize("by", ["document", "document_means"])
def test_the_leaderboard_has_intervals_by_document(open_app, data, by):
    app = open_app("5_Leaderboard", **BOARD, grouping=by.replace("_", " "), resampled="intervals")
    assert not app.exception
    resample = "documents" if by == "document_means" else "segments"
    for name in FEW:
        found = tk.significance.bootstrap_interval(data, name, "acc_eq*", grouping=by, resample=resample)
        assert f"[{found.low:.3f}, {found.high:.3f}]" in "".join(alts(app))


@pytest.mark.parametrize("by", ["document", "document_means"])
def test_two_metrics_are_tested_by_document_under_every_scheme(open_app, data, by):
    first, second = "Contour-QE-src", "Ladder-refA"
    links = {"msr_part": "what is swapped", "msr_first": first, "msr_second": second, "grouping": by.replace("_", " ")}
    app = open_app("8_Measures", source=sources.SYNTHETIC, msr_by="acc_eq", **links)
    assert not app.exception
    found = tk.significance.permutation_test(data, first, second, "acc_eq", grouping=by, swap="documents")
    assert f"Difference: {found.difference:.3f}" in text(app).replace("−", "-")
    labels = app.selectbox(key="msr_scheme").options
    assert ("whole documents" in labels, len(labels)) == (True, 1 if by == "document_means" else 6)


def test_whole_documents_are_swapped_for_discriminative_power(open_app, data, shown):
    links = {"msr_groupings": ["item"], "msr_coefficients": ["tau_b"], "msr_metrics": FEW, "msr_swap": "documents"}
    app = open_app("8_Measures", source=sources.SYNTHETIC, msr_part="power and consistency", **links)
    assert not app.exception
    assert "all scores of a document's segments are swapped together" in text(app)
    in_order = [name for name in data.metrics if name in FEW]
    found = tk.measures.discriminative_power(
        data, "item/tau_b", metrics=in_order, human="mqm", swap="documents", n_resamples=99
    )
    assert found.signature in "\n".join(element.value for element in app.code)
    assert "swap='documents', documents=chosen.documents" in shown["power and consistency"][0]


@pytest.mark.parametrize("by", ["document", "document_means"])
def test_groups_without_a_value_are_documents(open_app, data, shown, by):
    app = open_app("2_NaN_problem", source=sources.SYNTHETIC, grouping=by.replace("_", " "), shown_metrics=FEW)
    assert not app.error
    assert not app.warning
    board = tk.leaderboard(data, metrics=FEW, coefficients=["tau_b"], calibrated=(), grouping=by)
    leader = board.index[0]
    assert f"**{leader}** leads with {board['tau_b'].iloc[0]:.3f}" in text(app)
    for found in both(shown, "ranking evaluation set"):
        assert found["drop"] == board["tau_b"].to_dict()
    assert "The evaluation set above is grouped by document." in text(app)
    assert app.selectbox(key="bucket_scores").options == ["the typed segments"]
