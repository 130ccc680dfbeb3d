"""Pictures of judgments: their frames say what the library says, their colors can be read."""

import altair as alt
import pytest

import tiekit as tk
from tests.charts.reading import contrast, encodings
from tiekit import charts

ROWS = [
    ("ann", "1", {"A": 1, "B": 2, "C": 3}),
    ("bob", "1", {"A": 2, "B": 1, "C": 3}),
    ("eve", "1", {"A": 1, "B": 2, "C": 2}),
    ("eve", "2", {"A": 1, "B": 2}),
]
RANKINGS = tk.judgments.Rankings.from_rows(ROWS, language_pair="de-en")
PREFERENCES = RANKINGS.preferences("keep")


def test_the_cap_frame_says_what_is_attainable():
    found = tk.judgments.attainable(RANKINGS)
    frame = charts.cap_frame({"de-en": found, "other": found}, {"de-en": 0.25})
    assert frame["what"].tolist() == list(charts.CAPS) * 2
    assert frame["low"].tolist() == [found.floor, found.reachable_floor] * 2
    assert frame["high"].tolist() == [found.cap, found.reachable] * 2
    assert frame["value"].tolist()[:2] == [0.25, 0.25]
    assert frame["value"].isna().tolist() == [False, False, True, True]


@pytest.mark.parametrize("names", [("a",), ("a", "b", "c")])
def test_the_numbers_at_two_caps_have_room_over_each_other(names):
    """Streamlit fits legend, axis and its title into the height: about 145 pixels; a number takes 13."""
    height = charts.cap_chart(names, "τ_14", -1.0, "light")["height"]
    assert (height - 145) / len(names) > 2 * 13 / 0.7


def test_the_unity_frame_counts_every_pair_once():
    """A and C: three alike. A and B: two of three. B and C: two, and one tie. In segment 2: one judgment."""
    frame = charts.unity_frame(PREFERENCES).set_index(["judgments", "what"])["pairs"].unstack()
    assert frame.loc["1", list(charts.UNITY_STYLE)].tolist() == [1, 0, 0]
    assert frame.loc["2"].sum() == 0
    assert frame.loc["3", list(charts.UNITY_STYLE)].tolist() == [1, 2, 0]
    few = charts.unity_frame(PREFERENCES, most=2)
    assert few["judgments"].unique().tolist() == ["1", "2 or more"]
    assert few["pairs"].sum() == PREFERENCES.n_pairs
    assert charts.unity_frame(tk.judgments.Rankings.from_rows([]).preferences()).empty


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.campaign)])
def test_figures_are_valid_and_draw_their_frame(theme):
    caps = charts.cap_frame({"de-en": tk.judgments.attainable(RANKINGS)}, {"de-en": 0.25})
    unity = charts.unity_frame(PREFERENCES)
    times = tuple(unity["judgments"].unique())
    for frame, figure in (
        (caps, charts.cap_chart(("de-en",), "τ_14", -1.0, theme, metric="BLEU")),
        (caps, charts.cap_chart(("de-en",), "acc_eq", 0.0, theme)),
        (unity, charts.unity_chart(times, theme)),
    ):
        drawn = alt.Chart.from_dict(figure).properties(data=frame).to_dict()
        assert drawn["layer"]
        assert {part["field"] for part in encodings(figure)} - {"rank"} <= set(frame.columns)


def test_agreement_is_told_apart_on_both_grounds():
    for color, _, _ in charts.UNITY_STYLE.values():
        assert min(contrast(color, ground) for ground in ("#FFFFFF", "#0E1117")) >= 3
