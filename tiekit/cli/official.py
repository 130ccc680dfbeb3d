"""What does ``tiekit official`` print? The ranking of a WMT metrics task, by its own rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import tiekit as tk
from tiekit.cli.output import LATEX, choose_format, number, print_csv, print_json, print_table, say
from tiekit.cli.source import names_option
from tiekit.official.task import SOFT_ACCURACIES

SUMMARY = {"average": ".3f", "rank": "d", "cluster": "d"}
"""The columns before those of the tasks, and their digits."""


@click.command()
@click.argument("root", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("preset", default="wmt23")
@names_option("--metrics", help="Metrics to rank, without their reference (COMET-22); by default those of the preset.")
@names_option("--add", help="Metrics to rank beside those, such as your own.")
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
    form: str,
    **options: Any,
) -> None:
    """Rank metrics by the rules of a WMT metrics task.

    ROOT is the folder that holds the test sets. PRESET is wmt22, wmt23 (by default), wmt24, wmt24_on_wmt23, wmt25 or
    the path of a TOML file (docs/official.md).

    \b
    Examples:
      tiekit official mt-metrics-eval-v2 wmt23
      tiekit official mt-metrics-eval-v2 wmt24 --add mine --no-test --format latex
    """
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
    for note in (*found.methods, *found.notes):
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
