"""What does ``tiekit calibrate`` print? For each metric the best threshold and the value there."""

from __future__ import annotations

import click
import pandas as pd

from tiekit.cli.output import choose_format, number, print_csv, print_json, print_table
from tiekit.cli.source import Opened, choose_average, reads
from tiekit.core.calibration import DIFFERENCES
from tiekit.core.calibration import calibrate as calibrated
from tiekit.sets.arguments import metric_names

COLUMNS = {
    "epsilon": ".6g",
    "value": ".4f",
    "value_at_zero": ".4f",
    "tied": ".3f",
    "gain": ".4f",
    "n_pairs": "d",
    "n_groups": "d",
}
"""What is shown of each metric, and with which digits."""


@click.command()
@reads()
@click.argument("metrics", nargs=-1, metavar="[METRIC]…")
@click.option("--coefficient", default="acc_eq", show_default=True, help="A coefficient of counts.")
@click.option("--grouping", default="item", show_default=True, help="global, item, system or system_means.")
@click.option(
    "--difference",
    type=click.Choice(list(DIFFERENCES)),
    default="absolute",
    show_default=True,
    help="Which difference of two scores is compared with the threshold.",
)
@choose_average
@choose_format()
def calibrate(
    opened: Opened, metrics: tuple[str, ...], coefficient: str, grouping: str, difference: str, average: str, form: str
) -> None:
    """Find the threshold ε* below which two scores of a metric are best called tied.

    Without a METRIC, all are calibrated.

    \b
    Examples:
      tiekit calibrate wmt22 COMET-22
      tiekit calibrate data.csv --human mqm --coefficient tau_eq --json
    """
    found = {
        name: calibrated(
            opened.data,
            name,
            coefficient,
            grouping=grouping,
            difference=difference,
            average=average,
            human=opened.human,
            exclude=opened.exclude,
        )
        for name in metric_names(opened.data, metrics or None)
    }
    if form == "json":
        print_json([{"metric": name, **one.to_dict()} for name, one in found.items()])
        return
    rows = {name: {column: getattr(one, column) for column in COLUMNS} for name, one in found.items()}
    if form == "csv":
        print_csv(pd.DataFrame.from_dict(rows, orient="index", columns=list(COLUMNS)).rename_axis("metric"))
        return
    shown = [[name, *(number(row[column], digits) for column, digits in COLUMNS.items())] for name, row in rows.items()]
    print_table(form, ["metric", *COLUMNS], shown)
