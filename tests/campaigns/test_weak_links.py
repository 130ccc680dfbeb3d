"""The network is slow or gone for minutes, the laptop sleeps, the disk is full: the page says so, or goes on."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser import kit
from tests.browser.lab import FIGURE_2, M2, arrives, retype, scores
from tests.browser.line import line
from tests.browser.mortal import ROOT, back, mortal

pytestmark = pytest.mark.browser

ROWS = b"".join(b"A,%d,1,2\nB,%d,2,1\n" % (place, place) for place in range(20))
TABLE = b"system,segment,mqm,BLEU\n" + ROWS
LARGE = TABLE + b"".join(b"A,%d,1,2\nB,%d,2,1\n" % (place, place) for place in range(20, 150_000))
MBIT = 125_000  # bytes


def test_a_slow_network_brings_a_page_that_can_be_used(chromium, server):
    """1 Mbit/s with 300 ms of latency, for a visitor who was never here."""
    with kit.new_page(chromium, server.url) as (page, traffic):
        slow = {"offline": False, "latency": 300, "downloadThroughput": MBIT, "uploadThroughput": MBIT}
        page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", slow)
        page.set_default_timeout(180_000)
        page.goto("/Toy_lab", timeout=180_000)
        back(page)
        retype(page, scores(page, 1), "0 1 2 3 4 5")
        arrives(page, FIGURE_2, {"m1": [0, 1, 2, 3, 4, 5], "m2": M2})
        kit.open_menu(page, "More")
        page.get_by_role("link", name="Grouping").first.click()  # its words follow in the menu
        page.wait_for_url("**/Grouping*")
        back(page)
        assert traffic == kit.Traffic()


@pytest.mark.parametrize(("seconds", "sleeps"), [(60, False), (150, True)], ids=["cut", "asleep"])
def test_after_minutes_without_a_connection_the_page_goes_on(chromium, server, seconds, sleeps):
    """A minute, after which the server knows the visitor, and two and a half, after which it has forgotten."""
    with line(server.url) as way, kit.new_page(chromium, way.url) as (page, _):
        kit.visit(page, "/Toy_lab")
        retype(page, scores(page, 1), "0 1 2 3 4 5")
        held = page.url
        session = page.context.new_cdp_session(page)
        way.cut()
        if sleeps:
            session.send("Page.setWebLifecycleState", {"state": "frozen"})
        page.wait_for_timeout(1_000 * seconds)
        if sleeps:
            session.send("Page.setWebLifecycleState", {"state": "active"})
        else:
            expect(scores(page, 1)).to_be_disabled()
        way.mend()
        back(page)
        assert page.url == held
        assert scores(page, 1).input_value() == "0 1 2 3 4 5"
        arrives(page, FIGURE_2, {"m1": [0, 1, 2, 3, 4, 5], "m2": M2})
        retype(page, scores(page, 1), "5 4 3 2 1 0")
        arrives(page, FIGURE_2, {"m1": [5, 4, 3, 2, 1, 0], "m2": M2})
    assert "Traceback" not in server.log()


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of its own, without room."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if os.name != "posix" or not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("needs leave to mount a small disk")
    try:
        with pytest.raises(OSError, match="No space"):
            (folder / "filler").write_bytes(bytes(2**20))
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def at_start(program: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each Python that is started from now on run a program first."""
    (folder / "sitecustomize.py").write_text(program, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder), str(ROOT)]))


@pytest.mark.parametrize("name", ["small", "large"])
def test_a_full_disk_hinders_no_upload_and_no_download(chromium, full_disk, tmp_path, monkeypatch, name):
    for variable in ("TMPDIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(full_disk))
    # Python would take /tmp, on another disk, in place of a full TMPDIR.
    at_start(f"import tempfile; tempfile.tempdir = {str(full_disk)!r}", tmp_path, monkeypatch)
    with mortal(tmp_path / "log") as server, kit.new_page(chromium, server.url) as (page, _):
        kit.visit(page, "/Leaderboard?source=my+files")
        kit.upload(page, f"{name}.csv", {"small": TABLE, "large": LARGE}[name])
        expect(page.get_by_text("Recognized:")).to_be_visible(timeout=120_000)
        back(page)
        kit.visit(page, "/Grouping?source=a+synthetic+set")
        file = kit.downloaded(page, page.get_by_role("button", name="CSV", exact=True).first)
        assert Path(file.path()).read_text(encoding="utf-8").startswith("grouping,")


def test_the_caches_vanish_while_the_app_runs(chromium, tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    cache.mkdir()
    for variable in ("TMPDIR", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(cache))
    # Python would take /tmp if it looked for a folder only after this one has gone.
    at_start("import tempfile; tempfile.gettempdir()", tmp_path, monkeypatch)
    with mortal(tmp_path / "log") as server, kit.new_page(chromium, server.url) as (page, _):
        kit.visit(page, "/Leaderboard?source=my+files")
        shutil.rmtree(cache)
        kit.upload(page, "mine.csv", LARGE)
        expect(page.get_by_text("Recognized:")).to_be_visible(timeout=120_000)
        back(page)
        page.goto("/Leaderboard?source=a+synthetic+set&significance=clusters")
        back(page)


TURNED_BACK = """
import time
real, start = time.time, time.time()
def turned_back(): return real() - (86_400 if real() - start > 20 else 0)
time.time = turned_back
"""


def test_the_clock_is_turned_back_by_a_day(chromium, tmp_path, monkeypatch):
    """Twenty seconds after the server's start, for all that Python asks."""
    at_start(TURNED_BACK, tmp_path, monkeypatch)
    with mortal(tmp_path / "log") as server, kit.new_page(chromium, server.url) as (page, traffic):
        kit.visit(page, "/Toy_lab")
        page.wait_for_timeout(21_000)
        retype(page, scores(page, 1), "0 1 2 3 4 5")
        arrives(page, FIGURE_2, {"m1": [0, 1, 2, 3, 4, 5], "m2": M2})
        kit.visit(page, "/Grouping?source=a+synthetic+set")
        kit.downloaded(page, page.get_by_role("button", name="CSV", exact=True).first)
        assert traffic == kit.Traffic()
