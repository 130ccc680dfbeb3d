"""What is prepared is what pages ask for, and a server does not wait for it for long."""

import threading
import time

import pytest
import streamlit as st

from ui import prepare
from ui.evalset.open import OpenSet
from ui.work import presets, result_cache

LATER = {
    "2_NaN_problem": {"buckets", "untied"},
    "5_Leaderboard": {"counts"},
    "3_Calibration": {"curve", "every k-th", "domains", "language pairs", 0, 1},
    "10_MQM_or_ESA": {"few ties, held out"},
}
"""What takes a moment and is computed when a page is opened."""


@pytest.fixture(scope="module")
def prepared():
    """The results after the synthetic set was prepared."""
    st.cache_resource.clear()
    prepare.prepare(OpenSet(presets.sample("qaa-qab"), ""))
    return result_cache._results()


@pytest.mark.parametrize(
    "page", ["5_Leaderboard", "4_Grouping", "2_NaN_problem", "3_Calibration", "6_Sentinels", "10_MQM_or_ESA"]
)
def test_a_page_computes_only_what_was_not_prepared(prepared, open_app, page):
    before = set(prepared._done)
    assert before
    open_app(page)
    assert {key[0] for key in set(prepared._done) - before} == LATER.get(page, set())


def test_a_server_does_not_wait_for_long(monkeypatch):
    go, done = threading.Event(), threading.Event()
    monkeypatch.setattr(prepare, "PATIENCE", 0.01)
    monkeypatch.setattr(prepare, "prepare", lambda opened: go.wait(60) and opened and done.set())
    prepare.start()
    assert not done.is_set()
    go.set()
    assert done.wait(60)


def test_a_server_waits_for_what_is_soon_done(monkeypatch):
    done = []
    monkeypatch.setattr(prepare, "PATIENCE", 60)
    monkeypatch.setattr(prepare, "prepare", lambda opened: time.sleep(0.2) or done.append(opened.data.name))
    prepare.start()
    assert done == ["wmt22"]
