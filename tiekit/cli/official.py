"""What does ``tiekit official`` print? The ranking of a WMT metrics task, by its own rules."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

import tiekit as tk
from tiekit.base.errors import InputError
from tiekit.cli.output import LATEX, choose_format, number, print_csv, print_json, print_table, say
from tiekit.cli.source import names_option
from tiekit.research.official.task import SOFT_ACCURACIES

SUMMARY = {"average": ".3f", "rank": "d", "cluster": "d"}
"""The columns before those of the tasks, and their digits."""


def _added(ctx: click.Context, param: click.Parameter, values: Iterable[str]) -> dict[str, Any]:  # noqa: ARG001
    """Metrics of the folder by their names, with None, and the files of others."""
    found: dict[str, Any] = {}
    for value in values:
        name, sign, path = value.partition("=")
        if sign and not (name and Path(path).exists()):
            raise InputError(f"--add: expected NAME or NAME=FILE, and there is no file {path!r}")
        if not sign and Path(value).is_file():
            raise InputError(f"--add: expected NAME=FILE, found the file {value!r}; name its metric")
        found |= {name: path} if sign else {one.strip(): None for one in value.split(",") if one.strip()}
    return found


@click.command()
@click.argument("root", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("preset", default="wmt23")
@names_option("--metrics", help="Metrics to rank, without their reference (COMET-22); by default those of the preset.")
@click.option(
    "--add",
    multiple=True,
    callback=_added,
    metavar="NAME[=FILE]",
    help="A metric to rank beside those: one of ROOT by its name, or with scores in a file, or in a folder with a file "
    "per language pair.",
)
@names_option("--lower-is-better", help="Metrics with a file in --add whose scores to negate.")
@names_option("--tasks", help="Tasks to use; by default all of the preset.")
@click.option(
    "--spa",
    type=click.Choice(SOFT_ACCURACIES),
    help="Soft pairwise accuracy: WMT's (mtme), or the one that no order of the systems changes; by default as PRESET.",
)
@click.option("--no-test", is_flag=True, help="No significance tests, so no clusters.")
@click.option("--partial", is_flag=True, help="Use what is there where something is missing.")
@click.option("--resamples", type=click.IntRange(min=1), default=1000, show_default=True, help="Number of resamples.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the random numbers.")
@click.option("--all-tasks", is_flag=True, help="One column per task in text and Markdown too.")
@click.option("-q", "--quiet", is_flag=True, help="No notes and warnings on stderr.")
@choose_format(LATEX)
def official(
    root: Path,
    preset: str,
    metrics: tuple[str, ...],
    tasks: tuple[str, ...],
    no_test: bool,
    resamples: int,
    seed: int,
    all_tasks: bool,
    quiet: bool,
    form: str,
    **options: Any,
) -> None:
    """Rank metrics by the rules of a WMT metrics task.

    ROOT is the folder that holds the test sets. PRESET is wmt22, wmt23 (by default), wmt24, wmt24_on_wmt23, wmt25 or
    the path of a TOML file (docs/official.md).

    \b
    Examples:
      tiekit official mt-metrics-eval-v2 wmt23
      tiekit official mt-metrics-eval-v2 wmt24 --add mine=scores/ --no-test --format latex
    """
    with warnings.catch_warnings():
        if quiet:
            warnings.simplefilter("ignore")
        found = tk.official_ranking(
            root,
            preset,
            metrics=metrics or None,
            tasks=tasks or None,
            compare=not no_test,
            n_resamples=resamples,
            rng=seed,
            **options,
        )
    for note in () if quiet else (*found.methods, *found.notes):
        say(f"note: {note}")
    frame = found.to_frame()
    if form == "json":
        rows = [
            {"metric": name, **row}
            for name, row in frame.astype(object).where(frame.notna(), None).to_dict("index").items()
        ]
        print_json({"preset": preset, "metrics": rows, "signature": frame.attrs["signature"]})
    elif form == "csv":
        print_csv(frame)
    elif form == LATEX:
        click.echo(found.to_latex(), nl=False)
    else:
        digits = {name: SUMMARY.get(name, ".3f") for name in (frame.columns if all_tasks else SUMMARY)}
        cells = [[str(name), *(number(frame.loc[name, one], digits[one]) for one in digits)] for name in frame.index]
        print_table(form, ["metric", *digits], cells)
