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
