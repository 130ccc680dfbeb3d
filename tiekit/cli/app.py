"""What does ``tiekit app`` do? It starts the app in a process of its own, so that the library imports none of it."""

from __future__ import annotations

import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import click

import tiekit as tk
from tiekit.base.errors import NotInstalledError

FOLDER = Path(tk.__file__).resolve().parents[1] / "tiekit_app"
"""The program of the app, beside the library in a wheel and in a clone."""

NEEDED = ("streamlit", "altair")


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--port", type=click.IntRange(1, 65535), help="Where the app listens; by default 8501, or the next.")
@click.option("--host", default="localhost", show_default=True, help="The address; 0.0.0.0 lets others in.")
@click.option("--no-browser", is_flag=True, help="Open no browser.")
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="[-- STREAMLIT_OPTIONS]")
def app(port: int | None, host: str, no_browser: bool, options: tuple[str, ...]) -> None:
    """Open the app in a browser.

    \b
    Examples:
      tiekit app
      tiekit app --port 8600 --no-browser
      tiekit app -- --server.maxUploadSize 200
    """
    lacking = [name for name in NEEDED if find_spec(name) is None]
    if lacking:
        raise NotInstalledError(f"the app needs {' and '.join(lacking)}: pip install 'tiekit[app]'")
    command = [sys.executable, str(FOLDER), "--server.address", host]
    command += ["--server.port", str(port)] if port else []
    command += ["--server.headless", "true"] if no_browser else []
    sys.exit(_run([*command, *options]))


def _run(command: list[str]) -> int:
    """Run a program until it ends; a signal that ends us ends it, too."""
    with subprocess.Popen(command) as process:
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        while True:
            try:
                code = process.wait()
            except KeyboardInterrupt:  # the program has got it as well
                continue
            return 0 if code in (-signal.SIGTERM, -signal.SIGINT) else max(code, 0) or int(code != 0)
