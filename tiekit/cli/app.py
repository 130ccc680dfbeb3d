"""What opens in a browser: the app, in a process of its own so that the library imports none of it, and pages."""

from __future__ import annotations

import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import click

import tiekit as tk
from tiekit.base.atomic import write_file
from tiekit.base.errors import NotInstalledError
from tiekit.base.validation import check_epsilon
from tiekit.cli.output import say
from tiekit.figures.lab import lab_page
from tiekit.readers._numbers import parse_vector

BESIDE = Path(tk.__file__).resolve().parents[1]
FOLDER = BESIDE / ("tiekit_app" if (BESIDE / "tiekit_app" / "app.py").is_file() else "ui")
"""The program of the app, beside the library: of a wheel, and of a clone."""

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
        before = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        try:
            while True:
                try:
                    code = process.wait()
                except KeyboardInterrupt:  # the program has got it as well
                    continue
                return 0 if code in (-signal.SIGTERM, -signal.SIGINT) else max(code, 0) or int(code != 0)
        finally:
            signal.signal(signal.SIGTERM, before)


@click.command(context_settings={"ignore_unknown_options": True})  # a line may begin with a minus
@click.argument("human", metavar="HUMAN")
@click.argument("metrics", nargs=-1, required=True, metavar="METRIC...")
@click.option("--name", "names", multiple=True, help="The name of a metric, in order; m1, m2 … without.")
@click.option("--epsilon", type=float, default=0.0, show_default=True,
              help="The threshold to begin with, of the second metric or the only one.")  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), default=Path("lab.html"),
              show_default=True, help="The page to write.")  # fmt: skip
def lab(human: str, metrics: tuple[str, ...], names: tuple[str, ...], epsilon: float, output: Path) -> None:
    """Write a web page on which the scores and the threshold can be dragged.

    HUMAN and each METRIC are scores of the same items, with spaces between them. The page needs no server and no
    network: open it, put it on a course page, or show it in an <iframe>.

    \b
    Examples:
      tiekit lab "0 0 0 0 1 2" "0 0 0 0 2 1" "0 1 2 3 4 5" -o lab.html
      tiekit lab "3 1 2 2" "0.9 0.2 0.5 0.4" --name COMET --epsilon 0.1
    """
    if len(names) > len(metrics):
        raise click.UsageError(f"There are {len(names)} names for {len(metrics)} metrics.")
    called = [*names, *(f"m{number}" for number in range(len(names) + 1, len(metrics) + 1))]
    if len(set(called)) < len(called):
        raise click.UsageError("Two metrics have the same name.")
    scores = {name: parse_vector(text, name) for name, text in zip(called, metrics, strict=True)}
    _write_page(output, lab_page(parse_vector(human, "HUMAN"), scores, check_epsilon(epsilon)))


@click.command()
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), default=Path("ties.html"),
              show_default=True, help="The page to write.")  # fmt: skip
def story(output: Path) -> None:
    """Write the seven lessons of the app as one web page, with their figures and the numbers of WMT22.

    The page needs no server and no network: open it, hand it out, or put it on a course page.

    \b
    Examples:
      tiekit story -o ties.html
    """
    from tiekit.figures.story import story_page

    _write_page(output, story_page())


def _write_page(output: Path, text: str) -> None:
    try:
        write_file(output, text)
    except OSError as error:
        raise click.FileError(str(output), error.strerror) from error
    say(f"{output} is written; open it in a browser.")
