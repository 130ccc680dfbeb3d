"""The NaN explorer in Python: averages against `tk.correlate` and `tk.leaderboard`, its traits, the puzzle."""

# ruff: noqa: PD011  # the values of an explorer are no frame

from __future__ import annotations

import json
import math
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import examples
from tiekit.figures import nan_explorer as module
from tiekit.figures.nan_explorer import SegmentTable, of_counts
from tiekit.widgets import NaNExplorer

HUMAN = np.array([[-9, -5, -1, 0], [0, -6, -12, -2], [-4, 0, -10, -1], [-8, -2, -3, 0], [0, 0, 0, 0]]).T
B = np.array([[2, 4, 6, 8], [8, 2, 4, 6], [5, 5, 5, 5], [5, 5, 5, 5], [8, 8, 8, 8]]).T
A = np.array([[3, 2, 7, 9], [9, 2, 3, 7], [7, 8, 1, 6], [4, 5, 6, 7], [9, 8, 7, 6]]).T
C = np.array([[60, 70, 80, 90], [90, 70, 60, 80], [80, 70, 75, 65], [70, 60, 80, 90], [90, 80, 85, 95]]).T


def tables(draw_scores: st.SearchStrategy[float], most: int = 3) -> st.SearchStrategy[tuple[np.ndarray, ...]]:
    """Human scores and those of one or more metrics, systems × segments."""

    def matrices(sizes: tuple[int, int, int]) -> st.SearchStrategy[tuple[np.ndarray, ...]]:
        systems, segments, metrics = sizes
        flat = st.lists(draw_scores, min_size=systems * segments, max_size=systems * segments)
        one = flat.map(lambda scores: np.reshape(scores, (systems, segments)))
        return st.tuples(*[one] * (metrics + 1))

    return st.tuples(st.integers(1, 3), st.integers(2, 6), st.integers(1, most)).flatmap(matrices)


SCORES = st.sampled_from([0.0, 1.0, -2.0, 0.1, math.nan])


@given(tables(SCORES), st.sampled_from([*of_counts()]))
@examples(60)
def test_averages_are_those_of_correlate_and_leaderboard(scores: tuple[np.ndarray, ...], name: str) -> None:
    human, metrics = scores[0], {f"m{number}": one for number, one in enumerate(scores[1:], 1)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.CoverageWarning)  # that they cover different shares
        table = SegmentTable(human, metrics, cells="own")
    entry = tk.COEFFICIENTS[name]
    found = table.averages(entry)
    for metric, matrix in metrics.items():
        for rule in ("drop", "zero"):
            expected = tk.correlate(human, matrix, name, undefined=rule)
            assert found.means[metric][rule] == pytest.approx(expected.value, abs=0, nan_ok=True)
        assert found.undefined[metric] == expected.n_undefined
        assert found.groups[metric] == expected.n_groups
        np.testing.assert_array_equal(table.per_segment(entry)[metric], expected.per_group)
    ranked = [metric for metric in metrics if not np.isnan(found.means[metric]["drop"])]
    for metric in set(metrics) - set(ranked):
        assert np.isnan([found.means[metric][rule] for rule in ("drop", "common")]).all()
        assert found.means[metric]["zero"] == 0 if found.groups[metric] else np.isnan(found.means[metric]["zero"])
        assert found.ranking("drop")[metric] is None
    if not ranked:
        assert found.common == 0
        return
    systems, segments = (tuple(map(str, range(size))) for size in human.shape)
    data = tk.EvalSet("drawn", "", systems, segments, {"h": human}, metrics)
    among = {"drop": ranked, "zero": list(metrics), "common": ranked}
    for rule in among:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", tk.TiekitWarning)
            board = tk.leaderboard(
                data,
                "h",
                metrics=among[rule],
                coefficients=[name],
                calibrated=(),
                undefined=rule,
                exclude=(),
                cells="own",
            )
        for metric in among[rule]:
            assert found.means[metric][rule] == pytest.approx(board.loc[metric, name], abs=0, nan_ok=True)
            rank = board.loc[metric, f"rank({name})"]
            assert found.ranking(rule)[metric] == (None if pd.isna(rank) else rank)
    assert found.common == board.loc[ranked[0], f"groups({name})"]


def test_three_rules_have_three_winners() -> None:
    found = SegmentTable(HUMAN, {"A": A, "B": B, "C": C}).averages(tk.COEFFICIENTS["tau_b"])
    assert found.undefined == {"A": 1, "B": 3, "C": 1}
    assert found.common == 2
    assert {rule: next(iter(found.ranking(rule))) for rule in ("drop", "zero", "common")} == {
        "drop": "B",
        "zero": "A",
        "common": "C",
    }
    assert found.means["B"] == pytest.approx({"drop": 5 / 6, "zero": 1 / 3, "common": 5 / 6})


def test_equal_averages_share_a_rank_in_the_given_order() -> None:
    flat = np.zeros_like(HUMAN)
    found = SegmentTable(HUMAN, {"flat": flat, "C": C, "again": C, "A": A}).averages(tk.COEFFICIENTS["tau_b"])
    assert list(found.ranking("drop").items()) == [("A", 1), ("C", 2), ("again", 2), ("flat", None)]


def test_names_are_those_of_the_set_of_a_frame_or_numbers() -> None:
    assert SegmentTable(HUMAN, {"A": A}).segments == ("1", "2", "3", "4", "5")
    frame = pd.DataFrame(HUMAN, index=list("wxyz"), columns=[10, 20, 30, 40, 50])
    table = SegmentTable(frame, {"A": frame})
    assert (table.systems, table.segments) == (("w", "x", "y", "z"), ("10", "20", "30", "40", "50"))
    data = tk.EvalSet("s", "", tuple("wxyz"), tuple("abcde"), {"h": HUMAN}, {"A": A, "B": B})
    table = SegmentTable(data, "A", exclude="x")
    assert (table.systems, table.segments, list(table.metrics)) == (("w", "y", "z"), tuple("abcde"), ["A"])
    assert list(SegmentTable(data, None).metrics) == ["A", "B"]


@pytest.mark.parametrize(
    ("human", "metrics", "message"),
    [
        ([1, 2], {"m": [1, 2]}, "human: must be a matrix systems × segments"),
        (np.zeros((0, 3)), {"m": np.zeros((0, 3))}, "human: must be a matrix systems × segments"),
        (HUMAN, {}, "metrics: there must be at least one, found 0"),
        (HUMAN, {"m": A.T}, "must have the shape of human"),
    ],
)
def test_what_cannot_be_shown_is_refused(human: object, metrics: object, message: str) -> None:
    with pytest.raises(tk.InputError, match=message):
        SegmentTable(human, metrics)  # type: ignore[arg-type]


def test_what_fits_is_shown_and_the_rest_is_said() -> None:
    with pytest.warns(tk.errors.LeftOutWarning, match="shows 8 of 9 metrics and 60 of 61 systems"):
        table = SegmentTable(np.eye(61, 70), {str(number): np.ones((61, 70)) for number in range(9)})
    assert (table.human.shape, len(table.systems), len(table.metrics)) == ((60, 70), 60, 8)


def test_of_a_large_set_half_are_segments_on_which_some_metrics_are_undefined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SCORES", 4 * 3 * 6)
    rng = np.random.default_rng(3)
    human, sharp = rng.random((4, 30)), rng.random((4, 30))
    human[:, 1] = 0  # undefined for both metrics
    blunt = sharp.copy()
    blunt[:, [2, 11, 12, 13, 20]] = 0
    table = SegmentTable(human, {"sharp": sharp, "blunt": blunt})
    assert table.shown == [0, 1, 2, 3, 11, 12]
    assert SegmentTable(human, {"sharp": sharp, "again": sharp}).shown == [0, 1, 2, 3, 4, 5]
    blunt[:, 3:] = 0
    assert SegmentTable(human, {"sharp": sharp, "blunt": blunt}).shown == [0, 1, 2, 3, 4, 5]
    assert len(SegmentTable(human[:, :6], {"sharp": sharp[:, :6], "blunt": blunt[:, :6]}).shown) == 6


def test_published_scores_have_another_winner_on_segments_in_common(wmt22_zh_en: tk.EvalSet) -> None:
    names = ["COMET-22", "UniTE", "MATESE"]
    table = SegmentTable(wmt22_zh_en, names)
    assert len(table.segments) == 1875
    assert len(table.shown) == module.MOST_SEGMENTS
    found = table.averages(tk.COEFFICIENTS["tau_b"])
    assert [next(iter(found.ranking(rule))) for rule in ("drop", "common")] == ["UniTE-refA", "COMET-22-refA"]
    board = tk.leaderboard(wmt22_zh_en, metrics=names, coefficients=["tau_b"], calibrated=(), undefined="common")
    assert board["tau_b"].to_dict() == {name: found.means[name]["common"] for name in board.index}


# ----------------------------------------------------------------------------------------------------------- the widget


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


CELL = "cell: must be None or a list of one of 0, 1, 2, 3, 4, one of A, B, C"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("coefficient", "pearson", "coefficient: must be one of tau_a, .* found .pearson"),
        ("undefined", "ignore", "undefined: must be one of drop, zero, common, found 'ignore'"),
        ("cell", [5, "A"], CELL + r", found \[5, .A"),
        ("cell", [1.0, "A"], CELL),
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
    with pytest.warns(tk.CoverageWarning, match="judged on other pairs: A 80"):
        large = NaNExplorer(human, {"A": missing, "B": B, "C": C}, cells="own").data()
    assert large["places"] == [0, 1, 4]
    assert large["segments"] == ["1", "2", "5"]
    assert (large["total"], large["differing"]) == (5, 1)
    assert large["metrics"][0]["scores"][0] == [None] * 4
    of_b = large["averages"]["tau_b"]["metrics"][1]
    assert of_b == pytest.approx({"drop": 5 / 6, "zero": 1 / 3, "common": 2 / 3, "undefined": 3, "groups": 5})
    assert large["averages"]["tau_b"]["metrics"][0]["groups"] == 4


def test_every_reason_has_a_look() -> None:
    looks = module.reasons()
    assert len({look["glyph"] for look in looks}) == len({look["color"] for look in looks}) == len(looks)
    human, metric = [[1, 1, 2, 1], [1, 2, 2, None]], [[1, 1, 3, 1], [2, 1, 3, 1]]
    assert tk.reasons_per_group(human, metric) == [looks[at]["reason"] for at in (0, 1, 2, 3)], (
        "all human scores tie, all metric scores tie, both, too few"
    )


def test_the_largest_figure_is_a_page_of_at_most_220_kb(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(9, 60, 100))
    NaNExplorer(scores[0], {f"a metric of a long name {at}": scores[at] for at in range(1, 9)}).to_html(
        tmp_path / "large.html"
    )
    assert 50_000 < (tmp_path / "large.html").stat().st_size <= 220 * 1024
    text = repr(NaNExplorer(HUMAN, {"A": A}))
    assert text.startswith(
        "NaNExplorer: Segments without a value. 4 systems on 5 segments, scores of the human and of A"
    )


# ----------------------------------------------------------------------------------------------------------- the puzzle


def test_in_the_puzzle_ties_change_the_averages(tmp_path: Path) -> None:
    explorer = NaNExplorer(HUMAN, {"A": A, "B": B, "C": C}, puzzle=True, undefined="zero")
    assert (explorer.goal, explorer.ties) == (min("ABC", key=lambda name: explorer.values[name]["drop"]), [])
    scores = {"A": A, "B": B, "C": C}
    explorer.ties = [[0, 0, 3], [2, 1, 2]]
    rows = module.tie_scores(scores[explorer.goal].T.tolist(), explorer.ties)
    own = scores | {explorer.goal: np.transpose(rows)}
    expected = NaNExplorer(HUMAN, own, undefined="zero")
    assert (explorer.values, explorer.ranking) == (expected.values, expected.ranking)
    explorer.set_state({"ties": []})
    assert explorer.values == NaNExplorer(HUMAN, scores).values
    explorer.to_html(tmp_path / "puzzle.html")
    assert "<h1>The NaN problem: make the worse metric win" in (tmp_path / "puzzle.html").read_text("utf-8")


@pytest.mark.parametrize("wrong", [[[0, 0, 0]], [[9, 0, 1]], "ties"])
def test_a_tie_that_cannot_be_made_changes_nothing(wrong: object) -> None:
    explorer = NaNExplorer(HUMAN, {"A": A, "B": B}, puzzle=True)
    with pytest.raises(
        tk.InputError, match=r"ties: must be a list of at most 60, each \[segment, system, system\] with two scores"
    ):
        explorer.ties = wrong
    assert explorer.ties == []


def test_only_the_puzzle_has_ties_and_it_is_small() -> None:
    explorer = NaNExplorer(HUMAN, {"A": A})
    assert explorer.goal is None
    with pytest.raises(tk.InputError, match=r"ties: must be .*; only a puzzle has ties"):
        explorer.ties = [[0, 0, 1]]
    with pytest.warns(tk.errors.LeftOutWarning, match="shows 10 of 11 segments"):
        explorer = NaNExplorer(np.zeros((20, 11)), {"a": np.ones((20, 11))}, puzzle=True)
    assert len(explorer.data()["human"]) == 10


def test_scores_by_segment_make_the_same_puzzle() -> None:
    """As the app's page has them."""
    scores = {"A": A, "B": B}
    explorer = NaNExplorer(HUMAN, scores, puzzle=True)
    rows = {name: one.T.astype(float).tolist() for name, one in scores.items()}
    names = [*"1234"], [*"12345"]
    found = module.nan_puzzle(HUMAN.T.astype(float).tolist(), rows, tk.COEFFICIENTS["tau_b"], *names)
    shown = explorer.data() | {"differing": 0}  # which is said where not all segments are shown
    assert (shown.pop("part"), shown.pop("item_names")) == ("20 cells, by item", [])
    assert json.loads(json.dumps(found)) == json.loads(json.dumps(shown))
