"""What does ``tiekit download`` do? It brings published test sets into a folder, and prints it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

import tiekit as tk
from tiekit.cli.output import say
from tiekit.cli.source import names_option


@click.command()
@click.argument("testsets", nargs=-1, required=True, metavar="TESTSET…")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Where the test sets go.")
@names_option("--language-pair", help="Unpack only these language pairs, such as en-de.")
@click.option("--url", help="Address of another archive in the same layout.")
@click.option("--sha256", help="The digest that the archive must have.")
@click.option("--keep", is_flag=True, help="Keep the archive, so that further test sets need no download.")
@click.option("--force", is_flag=True, help="Unpack again what is there.")
@click.option("-q", "--quiet", is_flag=True, help="Do not say how far the download is.")
def download(testsets: tuple[str, ...], language_pair: tuple[str, ...], quiet: bool, **options: Any) -> None:
    """Download test sets from the public archive of mt-metrics-eval (about 900 MB).

    A download that is interrupted leaves nothing behind. The folder that holds the test sets is printed.

    \b
    Examples:
      tiekit download wmt23 --language-pair en-de
      tiekit leaderboard "$(tiekit download wmt23)" --testset wmt23 --language-pair en-de
    """
    show = False if quiet else None if sys.stderr.isatty() else _Stages()
    folder = tk.download(testsets, language_pair=language_pair or None, progress=show, **options)
    click.echo(str(folder))


class _Stages:
    """Writes one line to stderr for each stage: for logs, which have no bar."""

    def __init__(self) -> None:
        self.stage = ""

    def __call__(self, step: Any) -> None:
        if step.stage != self.stage:
            say(str(step))
        self.stage = step.stage
