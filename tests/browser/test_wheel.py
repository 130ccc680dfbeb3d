"""The app of a wheel, started by `tiekit app` outside the clone, shows the leaderboard of the bundled set."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import kit
from tests.cli.test_wheel import installed, wheel  # noqa: F401  # fixtures

pytestmark = [pytest.mark.browser, pytest.mark.campaign]


@pytest.fixture
def started(installed, tmp_path):  # noqa: F811
    """The server that `tiekit app` has started, in an empty folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-P", "-m", "tiekit", "app", "--port", str(port), "--host", "127.0.0.1", "--no-browser"]
    log = tmp_path / "app.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(installed)}, stdout=file, stderr=file
        )
    server = kit.Server(f"http://127.0.0.1:{port}", log, process)
    assert kit.healthy(server, patience=120), server.log()
    yield server
    kit.stop(server)


def test_the_leaderboard_of_the_wheel(chromium: Browser, started: kit.Server) -> None:
    with kit.new_page(chromium, started.url) as (page, traffic):
        page.goto(f"{started.url}/Leaderboard")
        expect(page.locator(".ranking table tbody tr").first).to_be_visible(timeout=60_000)
        expect(page.locator(".ranking table").first).to_contain_text("COMET-22")
        kit.no_exception_box(page)
    assert traffic == kit.Traffic()
    assert "Traceback" not in started.log()
    started.process.terminate()
    assert started.process.wait(20) == 0
