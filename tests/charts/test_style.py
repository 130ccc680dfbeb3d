"""Colors, glyphs and names of the kinds of pairs."""

import pytest

from tiekit import charts


def _tips(part):
    """Every line of every tooltip of a figure."""
    if isinstance(part, list):
        return [tip for one in part for tip in _tips(one)]
    if not isinstance(part, dict):
        return []
    found = part.get("tooltip")
    return (found if isinstance(found, list) else []) + [tip for one in part.values() for tip in _tips(one)]


FIGURES = {
    "curve": charts.curve_chart("acc_eq", (5.0, 0.2, 0.7), 300, "light", now=True, on_left=False),
    "accuracy": charts.accuracy_chart("acc_eq", "epsilon", "ε", "light", on_left=False),
    "matrix": charts.matrix_chart(6, "light", fresh=True),
    "shares": charts.share_chart("value", "acc_eq*", ("a", "a + noise"), ("discrete", "sentinel"), "light"),
    "length": charts.length_chart("human", "mqm", "light"),
}


@pytest.mark.parametrize("figure", FIGURES.values(), ids=FIGURES)
def test_tooltips_are_in_words_and_labels_stand_at_their_ticks(figure):
    titles = [tip["title"] for tip in _tips(figure)]
    assert titles
    assert not {"what", "epsilon", "tied", "n_pairs", "human_difference", "label"} & set(titles)
    assert not any("_" in title for title in titles)
    assert figure["config"]["axis"]["labelFlush"] is False


def test_the_star_stands_at_its_value():
    stars = [layer["mark"] for name in ("curve", "accuracy") for layer in FIGURES[name]["layer"] if "★" in str(layer)]
    assert len(stars) == 2
    assert not any("dy" in star for star in stars)


def test_no_grid_line_stands_above_the_largest_accuracy():
    axis = next(layer["encoding"]["y"]["axis"] for layer in FIGURES["accuracy"]["layer"])
    assert axis["gridOpacity"] == {"condition": {"test": "datum.value > 1", "value": 0}, "value": 1}
