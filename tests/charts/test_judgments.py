"""Pictures of judgments: their frames say what the library says, their colors can be read."""

import pytest

import tiekit as tk
from tests.charts.reading import PREFERENCES, RANKINGS
from tiekit import charts


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
