"""Colors, glyphs and names of the kinds of pairs."""

import pytest

from tests.charts.reading import contrast
from tiekit import charts


@pytest.mark.parametrize("ground", ["#FFFFFF", "#171614"])
@pytest.mark.parametrize("kind", charts.KIND_STYLE)
def test_colors_of_kinds_stand_out_in_both_themes(kind, ground):
    assert contrast(charts.KIND_STYLE[kind][0], ground) >= 3


@pytest.mark.parametrize("kind", charts.KIND_STYLE)
def test_glyphs_can_be_read_on_their_colors(kind):
    ink = "#FFFFFF" if kind == "concordant" else "#000000"
    assert contrast(charts.KIND_STYLE[kind][0], ink) >= 4.5


def test_kinds_have_a_color_a_glyph_and_a_name_each():
    assert all(len(set(column)) == 5 for column in zip(*charts.KIND_STYLE.values(), strict=True))


@pytest.mark.parametrize(("theme", "ground"), [("light", "#FFFFFF"), ("dark", "#171614")])
def test_the_colors_of_words_can_be_read(theme, ground):
    assert set(charts.KIND_TEXT[theme]) == set(charts.KIND_STYLE)
    assert all(contrast(color, ground) >= 4.5 for color in charts.KIND_TEXT[theme].values())


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
