"""A link restores what it holds; what it holds wrongly is said, and nothing breaks."""

from __future__ import annotations

import pytest

import tiekit as tk
from tests import damaged
from tests.app.uploads import table_of, upload
from tiekit.readers import FORMATS
from ui.evalset import sources
from ui.work.text import plain

OFTEN = 5
"""So many of the damaged links are tried in every run; all of them in the campaign."""


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=[pytest.mark.campaign] * (n >= OFTEN)) for n in range(damaged.NUMBER)]
)
def test_a_damaged_link_is_said_to_be_and_falls_back(open_app, number):
    link = damaged.damaged_link(open_app, number)
    usual = damaged.usual(open_app, link.page)
    app = open_app(damaged.name_of(link.page), **link.parameters)
    said = " ".join(alert.value for alert in (*app.warning, *app.error))
    widgets = damaged.bound(app)
    for key, text in link.refused.items():
        assert widgets[key].value == (sources.WMT22 if key == "source" else usual[key].value)
        assert plain(text[:80]) in said, f"{key} = {text}"
    for key, text in link.unread.items():
        assert widgets[key].value == text[: widgets[key].proto.max_chars or None]
        assert app.error, f"{key} = {text}"


@pytest.mark.parametrize(("page", "key"), [("3_Calibration", "cal_h"), ("5_Leaderboard", "undefined")])
def test_a_link_that_says_one_thing_twice_is_damaged(open_app, page, key):
    app = open_app(page, **{key: ["1 2", "zero"]})
    assert any("“1 2” and “zero”" in warning.value for warning in app.warning)


@pytest.fixture
def linked(open_app):
    """Open the leaderboard by a link to an uploaded table, and give a table or none."""

    def visit(data: str, table: bytes | None = None):
        app = open_app("5_Leaderboard", source=sources.FILES, layout=FORMATS["table"].label, data=data)
        if table is not None:
            app.file_uploader(key="upload files").upload("scores.csv", table).run()
        assert not app.exception
        return app

    return visit


def digest_of(table: bytes) -> str:
    return tk.read_table({"scores.csv": table}).digest[:12]


def test_a_link_to_ones_own_data_names_them_with_their_digest(open_app):
    app = open_app("5_Leaderboard")
    assert "data" not in app.query_params
    upload(app, FORMATS["table"].label, ("scores.csv", table_of()))
    assert app.query_params["data"] == f"{digest_of(table_of())} scores"
    app.selectbox(key="source").select(sources.SYNTHETIC).run()
    assert "data" not in app.query_params


def test_where_the_data_are_not_at_hand_the_page_asks_for_them(linked):
    app = linked(f"{digest_of(table_of())} scores")
    [asked] = [info.value for info in app.info if "link was made with" in info.value]
    assert "scores" in asked
    assert digest_of(table_of()) in asked
    assert not app.dataframe


def test_the_right_data_are_used_without_a_word(linked):
    app = linked(f"{digest_of(table_of())} scores", table_of())
    assert not any("link was made with" in element.value for element in (*app.info, *app.warning))
    assert app.dataframe


def test_other_data_are_said_to_differ_until_one_goes_on_with_them(linked):
    named, other = digest_of(table_of()), digest_of(table_of(n_segments=11))
    app = linked(f"{named} scores", table_of(n_segments=11))
    [said] = [warning.value for warning in app.warning if "other data" in warning.value]
    assert named in said
    assert other in said
    assert app.query_params["data"] == f"{named} scores"
    every = list(app.main)
    assert every.index(app.warning[0]) < every.index(app.selectbox[0])
    app.button(key="use_other_data").click().run()
    assert not any("other data" in warning.value for warning in app.warning)
    assert app.query_params["data"] == f"{other} scores"


@pytest.mark.parametrize("link", [{"data": "nonsense"}, {"data": "0123456789ab scores"}])
def test_data_that_no_link_can_name_are_said_to_be_damaged(open_app, link):
    source = {"source": sources.FILES} if link["data"] == "nonsense" else {}
    app = open_app("5_Leaderboard", **source, **link)
    assert any("damaged: data" in warning.value for warning in app.warning)
    assert "data" not in app.query_params
