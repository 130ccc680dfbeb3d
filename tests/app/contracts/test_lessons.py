"""What lecturers and students once read and took amiss: synthetic data, red boxes, two minus signs, three names."""

from __future__ import annotations

import tiekit as tk
from tiekit import charts
from ui.evalset import groupings
from ui.page import pages


def test_a_metric_that_was_added_is_not_called_wrong_before_it_was_typed(open_app):
    app = open_app("1_Toy_lab")
    app.button_group(key="metrics").set_value("6").run()
    assert len(app.error) == len(app.warning) == 0
    assert app.text_input(key="m6").value == ""


def test_a_coefficient_and_a_grouping_have_one_name():
    assert {charts.label_of(name) for name in tk.COEFFICIENTS} == {one.label for one in tk.COEFFICIENTS.values()}
    assert not any("tau" in charts.label_of(name) for name in tk.COEFFICIENTS)
    assert groupings.name_in_words("global") == "without grouping"


def test_one_visitor_opens_every_page_in_several_orders(open_app):
    app, files = open_app("5_Leaderboard"), [page.file for page in pages.lessons()]
    for file in [*files, *reversed(files)]:
        app.switch_page(file).run()
        assert not app.exception, file
