"""A refused upload is said on the page, until the session holds less than it did then."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from ui.base import refused, streamlit_internals


@pytest.fixture
def held(monkeypatch):
    """What each session holds, and which pages ran again."""
    sizes, ran = {}, []
    monkeypatch.setattr(refused, "_held", {})
    monkeypatch.setattr(streamlit_internals, "uploaded_sizes", lambda session: [sizes.get(session, 0)])
    monkeypatch.setattr(streamlit_internals, "run_again", ran.append)
    return sizes, ran


def page():
    import streamlit as st

    from ui.base import refused, streamlit_internals

    refused.say()
    st.text(streamlit_internals.this_session())


def test_it_is_said_until_files_are_removed(held):
    sizes, ran = held
    app = AppTest.from_function(page).run()
    assert not app.warning
    session = app.text[0].value
    sizes[session] = 200
    refused.note(session, 200)
    refused.note(session, 120)  # others were refused while more arrived
    refused.note("other", 300)
    assert ran == [session, "other"]
    assert [warning.value for warning in app.run().warning] == [refused.WORDS]
    sizes[session] = 250
    assert app.run().warning
    sizes[session] = 240
    assert not app.run().warning
    sizes[session] = 260
    assert not app.run().warning


@pytest.mark.usefixtures("held")
def test_only_so_many_sessions_are_remembered(monkeypatch):
    monkeypatch.setattr(refused, "MOST", 2)
    for session in "abc":
        refused.note(session, 1)
    assert list(refused._held) == ["b", "c"]
