"""Notebooks in a browser: a JupyterLab, a marimo, and files that exported notebooks load from elsewhere."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, Route

from tests.browser import kit

ROOT = Path(__file__).parents[2]
HOSTS = ROOT / ".venv" / "hosts"
"""Where `make test-all` installs JupyterLab, Notebook, marimo, nbconvert and two npm packages: what they bring along
would slow every other test down."""

PYTHON = HOSTS / "bin" / "python"

SERVED = {
    r".*/html-manager@[^/]*/dist/embed-amd\.js": "html-manager/dist/embed-amd.js",
    r".*/require\.js/[^/]*/require\.min\.js": "requirejs/require.js",
    r".*/anywidget@[^/]*/dist/index\.js": "lib/python*/site-packages/anywidget/nbextension/index.js",
    r".*/@marimo-team/frontend@[^/]*/dist/(.*)": r"lib/python*/site-packages/marimo/_static/\1",
}
"""What an exported page asks of other hosts, and the file that a test answers with."""


def serve_from_packages(page: Page) -> list[str]:
    """Answer what a page asks of other hosts from packages; what is in none of them is listed in what is returned."""
    unanswered: list[str] = []

    def answer(route: Route) -> None:
        url = route.request.url.partition("?")[0]
        if re.match(r"file:|data:|blob:|https?://(127\.0\.0\.1|localhost)[:/]", url):
            return route.continue_()
        found = [re.sub(pattern, file, url) for pattern, file in SERVED.items() if re.fullmatch(pattern, url)]
        files = [path for file in found for path in HOSTS.glob(file)]
        if files:
            return route.fulfill(path=files[0], headers={"Access-Control-Allow-Origin": "*"})
        unanswered.append(url)
        return route.abort()

    page.route("**/*", answer)
    return unanswered


@contextmanager
def _running(command: list[str], folder: Path, address: str, **more: str) -> Iterator[str]:
    """A server at an address that begins with its port, until it is left."""
    log = folder / "server.log"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **more}
    with log.open("wb") as file:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=file, stderr=file)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                urllib.request.urlopen(address, timeout=5).close()
                break
            except urllib.error.HTTPError:
                break
            except OSError:
                assert process.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.1)
        yield address
    finally:
        kit.stop(kit.Server(address, log, process))


def _port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def jupyterlab(folder: Path) -> Iterator[str]:
    """A JupyterLab that keeps the state of widgets in notebooks; its server has Notebook 7 too, at /notebooks/."""
    settings = folder / "settings" / "@jupyter-widgets" / "jupyterlab-manager"
    settings.mkdir(parents=True, exist_ok=True)
    (settings / "plugin.jupyterlab-settings").write_text(json.dumps({"saveState": True}))
    news = folder / "settings" / "@jupyterlab" / "apputils-extension"
    news.mkdir(parents=True, exist_ok=True)
    (news / "notification.jupyterlab-settings").write_text(json.dumps({"fetchNews": "false", "checkForUpdates": False}))
    port = _port()
    command = [str(PYTHON), "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"]
    command += ["--IdentityProvider.token=", "--ServerApp.password=", f"--ServerApp.root_dir={folder}"]
    places = {f"JUPYTER{name}_DIR": str(folder / name.strip("_").lower()) for name in ("_CONFIG", "_DATA", "_RUNTIME")}
    with _running(
        command, folder, f"http://127.0.0.1:{port}/lab", JUPYTERLAB_SETTINGS_DIR=str(folder / "settings"), **places
    ) as address:
        yield address


@contextmanager
def marimo_app(script: Path) -> Iterator[str]:
    """A marimo that runs a notebook as an app."""
    port = _port()
    command = [str(PYTHON), "-m", "marimo", "run", str(script), "--headless", "--no-token", "--port", str(port)]
    with _running(command, script.parent, f"http://127.0.0.1:{port}/") as address:
        yield address
