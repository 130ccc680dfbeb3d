"""A refused upload is said on the page, until the session has room for it."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from ui.work import streamlit_internals, upload_quota


@pytest.fixture
def held(monkeypatch):
    """What each session holds, and which pages ran again."""
    sizes, ran = {}, []
    monkeypatch.setattr(upload_quota, "_refused", {})
    monkeypatch.setattr(upload_quota, "MOST_BYTES", 256)
    monkeypatch.setattr(streamlit_internals, "uploaded_sizes", lambda session: [sizes.get(session, 0)])
    monkeypatch.setattr(streamlit_internals, "run_again", ran.append)
    return sizes, ran


def page():
    import streamlit as st

    from ui.work import streamlit_internals, upload_quota

    upload_quota.say_if_refused()
    st.text(streamlit_internals.this_session())


def test_it_is_said_until_files_are_removed(held):
    sizes, ran = held
    app = AppTest.from_function(page).run()
    assert not app.warning
    session = app.text[0].value
    sizes[session] = 200
    upload_quota.refuse(session, 60)
    upload_quota.refuse(session, 70)
    upload_quota.refuse("other", 300)
    assert ran == [session, "other"]
    assert [warning.value for warning in app.run().warning] == [upload_quota.WORDS]
    sizes[session] = 190
    with upload_quota.taken(session, 10):  # others were refused while more arrived
        assert app.run().warning
    assert not app.run().warning
    sizes[session] = 250
    assert not app.run().warning


@pytest.mark.usefixtures("held")
def test_only_so_many_sessions_are_remembered(monkeypatch):
    monkeypatch.setattr(upload_quota, "MOST", 2)
    for session in "abc":
        upload_quota.refuse(session, 1)
    assert list(upload_quota._refused) == ["b", "c"]
