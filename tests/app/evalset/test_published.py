"""The published sets that come along are a choice wherever a set is opened."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

import tiekit as tk
from tests.app.code import both
from ui.evalset import sources

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")  # of the published scores

SAMPLE = "3_Calibration"
PAGES = ["2_NaN_problem", "4_Grouping", "5_Leaderboard", "6_Sentinels", "8_Measures"]


@pytest.mark.parametrize("page", [SAMPLE, *(pytest.param(one, marks=pytest.mark.campaign) for one in PAGES)])
def test_every_page_with_a_set_opens_wmt23(open_app, shown, page):
    app = open_app(page, source="WMT23 English–German")
    assert not [*app.error, *app.exception]
    assert app.selectbox(key="source").options[:4] == list(sources.PUBLISHED)
    assert "WMT23 English–German" in " ".join(one.value for one in (*app.markdown, *app.caption))
    if page in (SAMPLE, "5_Leaderboard"):  # and its code opens the same set
        for name in shown:
            one, again = both(shown, name)
            assert repr(one) == repr(again)
        assert re.search(r"tk\.load\(['\"]wmt23['\"], ['\"]en-de['\"]\)", str(shown))


@pytest.mark.parametrize("name", sources.PUBLISHED)
def test_each_is_the_library_s(name):
    testset, pair = sources.PUBLISHED[name]
    assert sources.open_published(name).data is tk.load(testset, pair)


PLACES = """
import streamlit as st
from ui.evalset import sources
from ui.link import link

link.of_page().open_page()
sources.choose_evalset()
st.text("what follows")
"""


def test_what_follows_keeps_its_place_whatever_a_set_needs():
    app = AppTest.from_string(PLACES, default_timeout=60).run()
    last = max(app.main.children)
    for source in (sources.SYNTHETIC, sources.FILES, sources.WMT22):
        app.selectbox(key="source").select(source).run()
        assert not app.exception
        assert max(app.main.children) == last, source
