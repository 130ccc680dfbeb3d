"""A link restores what it holds; what it holds wrongly is said, and nothing breaks."""

from __future__ import annotations

import pytest

import tiekit as tk
from tests.app.reading import boxes, damage
from tests.app.uploads import table_of, upload
from tiekit.readers import FORMATS
from ui.evalset import sources


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


def test_where_the_data_are_not_at_hand_the_page_asks_for_them_and_then_uses_them_without_a_word(linked):
    link = f"{digest_of(table_of())} scores"
    app = linked(link)
    assert f"link was made with **scores** (digest {digest_of(table_of())})" in boxes(app, "info")
    assert not app.dataframe
    app = linked(link, table_of())
    assert "link was made with" not in boxes(app)
    assert app.dataframe


def test_other_data_are_said_to_differ_until_one_goes_on_with_them(linked):
    named, other = digest_of(table_of()), digest_of(table_of(n_segments=11))
    app = linked(f"{named} scores", table_of(n_segments=11))
    assert all(digest in boxes(app, "warning") for digest in (named, other))
    assert app.query_params["data"] == f"{named} scores"
    every = list(app.main)
    assert every.index(app.warning[0]) < every.index(app.selectbox[0])
    app.button(key="use_other_data").click().run()
    assert "other data" not in boxes(app)
    assert app.query_params["data"] == f"{other} scores"


@pytest.mark.parametrize("link", [{"data": "nonsense"}, {"data": "0123456789ab scores"}])
def test_data_that_no_link_can_name_are_said_to_be_damaged(open_app, link):
    source = {"source": sources.FILES} if link["data"] == "nonsense" else {}
    app = open_app("5_Leaderboard", **source, **link)
    assert "damaged: data" in damage(app)[0]
    assert "data" not in app.query_params
