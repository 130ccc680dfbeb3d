"""What does ``tiekit convert`` write? The scores of a source, in the layout of mt-metrics-eval."""

from __future__ import annotations

from pathlib import Path

import click

from tiekit.cli.source import Opened, reads
from tiekit.sets.writers import write_mtme


@click.command()
@reads(compares=False)
@click.argument("folder", metavar="TARGET_FOLDER", type=click.Path(file_okay=False, path_type=Path))
@click.option("--to-testset", metavar="NAME", help="Name of the test set's folder; by default as in the source.")
@click.option("--to-language-pair", metavar="PAIR", help="Language pair in the files; by default as in the source.")
@click.option("--overwrite", is_flag=True, help="Replace files that are there.")
def convert(
    opened: Opened, folder: Path, to_testset: str | None, to_language_pair: str | None, overwrite: bool
) -> None:
    """Write the scores of any source in the layout of mt-metrics-eval, below TARGET_FOLDER.

    Every digit is kept. The folder of the test set is printed.

    \b
    Examples:
      tiekit convert data.csv v2 --to-testset mine --to-language-pair en-de
      tiekit convert comet.json v2 --to-testset wmt23 --to-language-pair en-de
    """
    written = write_mtme(opened.data, folder, testset=to_testset, language_pair=to_language_pair, overwrite=overwrite)
    click.echo(str(written))
