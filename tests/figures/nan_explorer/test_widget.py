"""What a notebook sees of the NaN explorer: traits that the browser and Python change, tiekit's averages, the page."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import tiekit as tk
from tests.figures.nan_explorer.test_table import HUMAN, A, B, C
from tiekit.figures.nan_explorer import data as shown
from tiekit.figures.nan_explorer import table as module
from tiekit.widgets import NaNExplorer


@pytest.fixture
def explorer() -> NaNExplorer:
    return NaNExplorer(HUMAN, {"A": A, "B": B, "C": C})


def test_averages_follow_what_the_browser_chooses(explorer: NaNExplorer) -> None:
    assert explorer.ranking == {"B": 1, "A": 2, "C": 3}
    explorer.set_state({"undefined": "zero", "cell": [4, "A"]})
    assert explorer.ranking == {"A": 1, "C": 2, "B": 3}
    assert explorer.cell == (4, "A")
    explorer.set_state({"coefficient": "tau_10"})
    expected = {
        name: tk.correlate(HUMAN, scores, "tau_10", undefined="zero").value
        for name, scores in {"A": A, "B": B, "C": C}.items()
    }
    assert {name: rules["zero"] for name, rules in explorer.values.items()} == expected
    assert explorer.get_state(["coefficient", "undefined", "cell"]) == {
        "coefficient": "tau_10",
        "undefined": "zero",
        "cell": (4, "A"),
    }


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("coefficient", "pearson", "coefficient: must be one of counts, tau_a, .*; found pearson"),
        ("coefficient", "tau", "coefficient: must be one of"),
        ("undefined", "ignore", "undefined: must be one of drop, zero, common, found 'ignore'"),
        ("cell", [5, "A"], "cell: must be a segment that is shown, the first being 0, found 5"),
        ("cell", [0, "D"], "cell: must be a segment and one of A, B, C"),
        ("cell", [0], "cell: must be a segment and one of A, B, C"),
        ("cell", [0, ["A"]], "cell: must be a segment and one of A, B, C"),
        ("cell", [1.0, "A"], "cell: must be a segment that is shown, the first being 0, found 1.0"),
        ("cell", 3, "cell: must be a segment and one of A, B, C"),
    ],
)
def test_a_choice_that_there_is_not_changes_nothing(
    explorer: NaNExplorer, name: str, value: object, message: str
) -> None:
    before = getattr(explorer, name)
    with pytest.raises(tk.InputError, match=message):
        setattr(explorer, name, value)
    assert getattr(explorer, name) == before


def test_choices_are_given_at_first_and_names_are_understood() -> None:
    explorer = NaNExplorer(HUMAN, {"A": A}, "Kendall", undefined="common")
    assert (explorer.coefficient, explorer.undefined, explorer.cell) == ("tau_b", "common", None)
    assert explorer.ranking == {"A": 1}
    with pytest.raises(tk.InputError, match="undefined"):
        NaNExplorer(HUMAN, {"A": A}, undefined="never")


def test_the_browser_is_given_averages_only_where_it_cannot_compute_them(
    explorer: NaNExplorer, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = explorer.data()
    assert data["averages"] is None
    assert np.array_equal(np.array(data["human"]).T, HUMAN)
    assert [metric["name"] for metric in data["metrics"]] == ["A", "B", "C"]
    assert {entry["name"] for entry in data["coefficients"] if entry["everywhere"]} == {"tau_a", "tau_eq", "acc_eq"}
    monkeypatch.setattr(module, "MOST_SCORES", 4 * 4 * 3)
    human, missing = HUMAN.astype(float), A.astype(float)
    missing[:, 0] = math.nan
    large = NaNExplorer(human, {"A": missing, "B": B, "C": C}).data()
    assert large["places"] == [0, 1, 4]
    assert large["segments"] == ["1", "2", "5"]
    assert (large["total"], large["differing"]) == (5, 1)
    assert large["metrics"][0]["scores"][0] == [None] * 4
    of_b = large["averages"]["tau_b"]["metrics"][1]
    assert of_b == pytest.approx({"drop": 5 / 6, "zero": 1 / 3, "common": 2 / 3, "undefined": 3, "groups": 5})
    assert large["averages"]["tau_b"]["metrics"][0]["groups"] == 4


def test_every_reason_has_a_look() -> None:
    looks = shown.reasons()
    assert len({look["glyph"] for look in looks}) == len({look["color"] for look in looks}) == len(looks)
    human, metric = [[1, 1, 2, 1], [1, 2, 2, None]], [[1, 1, 3, 1], [2, 1, 3, 1]]
    assert tk.reasons_per_group(human, metric) == [looks[at]["reason"] for at in (0, 1, 2, 3)], (
        "all human scores tie, all metric scores tie, both, too few"
    )


def test_the_largest_figure_is_a_page_of_at_most_200_kb(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(9, 60, 100))
    NaNExplorer(scores[0], {f"a metric of a long name {at}": scores[at] for at in range(1, 9)}).to_html(
        tmp_path / "large.html"
    )
    assert 50_000 < (tmp_path / "large.html").stat().st_size <= 200_000
    text = repr(NaNExplorer(HUMAN, {"A": A}))
    assert text.startswith(
        "NaNExplorer: Segments without a value. 4 systems on 5 segments, scores of the human and of A"
    )
