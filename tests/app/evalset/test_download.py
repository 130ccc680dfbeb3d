"""The button that downloads a test set: only at the server's own machine, with progress, Stop and errors."""

from __future__ import annotations

import pytest
import streamlit as st

import tiekit as tk
from tests.app.reading import boxes, text
from tests.readers.download_server import Site, archive, serve
from ui.evalset import sources


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A server with an archive of two test sets, and a computer that downloads from it into an empty folder."""
    monkeypatch.setattr(sources, "_is_local", lambda: True)
    monkeypatch.setenv("TIEKIT_DATA", str(tmp_path / "sets"))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with serve(Site(archive(lines=20_000, testsets=("wmt22", "wmt23")))) as running:
        monkeypatch.setenv("TIEKIT_ARCHIVE_URL", running.url)
        yield running


def visit(open_app):
    return open_app("5_Leaderboard", source=sources.FOLDER, table_tests="neither")


def press(app, testset="wmt23"):
    app.selectbox(key="download_testset").select(testset).run()
    app.button(key="download").click().run()
    assert not app.exception


def test_it_is_offered_to_nobody_from_elsewhere(open_app, monkeypatch):
    monkeypatch.setattr(sources, "_is_local", lambda: True)
    assert visit(open_app).button(key="download").label == "Download"
    monkeypatch.setattr(sources, "_is_local", lambda: False)
    assert not [button for button in open_app("5_Leaderboard").button if button.key == "download"]


@pytest.mark.usefixtures("site")
def test_a_test_set_is_downloaded_and_opened(open_app, tmp_path):
    app = visit(open_app)
    assert all(words in text(app) for words in (str(tmp_path / "sets"), "127.0.0.1"))
    press(app)
    root = tmp_path / "sets"
    assert app.text_input(key="folder").value == str(root)
    assert f"wmt23 is in {root}" in boxes(app, "info")
    assert (root / "wmt23" / "human-scores").is_dir()
    assert not (root / "wmt22").exists()
    assert not list(root.rglob("*.tgz"))
    assert "2 systems × 20,000 segments**" in text(app)
    assert not [button for button in app.button if button.key == "download_stop"]


def test_a_kept_archive_serves_the_next_test_set(open_app, site):
    app = visit(open_app)
    app.toggle(key="download_keep").set_value(True)
    press(app, "wmt23")
    press(app, "wmt22")
    assert len(site.asked) == 1
    assert app.selectbox(key="folder_testset").value == "wmt22"


def test_what_goes_wrong_is_said_beside_the_button_and_can_be_tried_again(open_app, site):
    site.statuses = [404]
    app = visit(open_app)
    press(app)
    assert "404" in boxes(app, "error")
    assert not app.text_input(key="folder").value
    press(app)
    assert not app.error
    assert "wmt23 is in" in boxes(app, "info")


def test_a_stop_leaves_nothing_and_the_next_press_begins_anew(open_app, site, tmp_path, monkeypatch):
    """Streamlit ends a run within the call that moves the bar, and calls what the pressed button does."""
    whole = tk.download

    def interrupted(*arguments, progress, **options):
        def tell(step):
            progress(step)
            sources._end("Stopped. Press Download to begin anew.")
            st.rerun()

        return whole(*arguments, progress=tell, **options)

    monkeypatch.setattr(tk, "download", interrupted)
    app = visit(open_app)
    press(app)
    assert "Press Download to begin anew" in boxes(app, "info")
    assert not list((tmp_path / "sets").iterdir())
    monkeypatch.setattr(tk, "download", whole)
    press(app)
    assert len(site.asked) == 2
    assert "wmt23 is in" in boxes(app, "info")
