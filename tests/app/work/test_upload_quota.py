"""A session uploads only so much, counted from what passes; the page says what was refused."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from ui.work import upload_quota


@pytest.fixture
def quota(monkeypatch):
    monkeypatch.setattr(upload_quota, "MOST_BYTES", 256)
    monkeypatch.setattr(upload_quota, "MOST_FILES", 3)
    return upload_quota.Quota()


def upload(quota, session, file, size):
    with quota.upload(session, size):
        quota.keep(session, file, size)


def test_what_was_removed_makes_room(quota):
    upload(quota, "a", "1", 200)
    assert quota.has_room("a", 56)
    assert not quota.has_room("a", 57)
    assert quota.has_room("b", 256)
    upload(quota, "a", "1", 100)  # in place of the first
    assert quota.has_room("a", 156)
    quota.remove("a", "1")
    quota.remove("a", "never there")
    quota.remove("never there", "1")
    assert quota.has_room("a", 256)
    assert not quota._sessions


def test_files_are_counted(quota):
    for file in "123":
        upload(quota, "a", file, 1)
    assert not quota.has_room("a", 1)


def test_an_upload_under_way_counts_until_it_fails(quota):
    def fail():
        with quota.upload("a", 200):
            assert not quota.has_room("a", 57)
            raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        fail()
    assert quota.has_room("a", 256)
    assert not quota._sessions


def test_only_so_many_files_are_remembered(quota, monkeypatch):
    monkeypatch.setattr(upload_quota, "MOST_COUNTED", 3)
    for session, file in ("a1", "b1", "a1", "a2", "c1"):
        upload(quota, session, file, 50)
    assert list(quota._sessions) == ["a", "c"]
    quota.remove("c", "1")
    upload(quota, "d", "1", 50)
    assert list(quota._sessions) == ["a", "d"]


def page():
    from ui.work import upload_quota

    upload_quota.warn_if_refused("one")
    upload_quota.warn_if_refused("another")


def test_two_fields_of_a_page_can_say_it():
    app = AppTest.from_function(page, default_timeout=60).run()
    assert not app.exception
