"""What does ``tiekit leaderboard`` print? One row per metric: rank, values, thresholds."""

from __future__ import annotations

from typing import Any

import click
import pandas as pd

from tiekit.cli.output import (
    COUNTED,
    LATEX,
    choose_format,
    number,
    print_counts,
    print_csv,
    print_json,
    print_table,
    printable,
)
from tiekit.cli.source import Opened, choose_average, choose_cells, names_option, reads
from tiekit.ranking import board as ranking
from tiekit.ranking.diagnostics import SIGN, SIGN_MEANS, signs_of
from tiekit.ranking.leaderboard import AT_BEST


@click.command()
@reads()
@names_option("--metrics", help="Metrics to rank; all by default.")
@click.option("--grouping", default="item", show_default=True, help="global, item, system or system_means.")
@names_option("--coefficients", help="Such as system_means/pearson,spa,acc_eq*; all by default, and acc_eq*.")
@click.option("--rank-by", help="The column that sorts the rows; by default the last one.")
@click.option(
    "--undefined",
    type=click.Choice(ranking.POLICIES),
    default="drop",
    show_default=True,
    help="What becomes of a group whose coefficient is undefined.",
)
@names_option("--domain", help="Keep the segments of these domains.")
@choose_average
@choose_cells
@choose_format(LATEX)
def leaderboard(
    opened: Opened,
    metrics: tuple[str, ...],
    coefficients: tuple[str, ...],
    domain: tuple[str, ...],
    form: str,
    **options: Any,
) -> None:
    """Rank metrics by how well they agree with the human scores.

    The best metric by the last coefficient, or by --rank-by, comes first. All are compared on what all of them have
    scored; a metric that has scored less than half of it stands below the others, without a rank.

    \b
    Examples:
      tiekit leaderboard wmt22
      tiekit leaderboard data.csv --human mqm --grouping item --format markdown
      tiekit leaderboard wmt22 --add mine=mine.seg.score --coefficients tau_b,acc_eq*
      tiekit leaderboard wmt22 --coefficients system_means/pearson,spa,item/acc_eq* --rank-by spa
      tiekit leaderboard mt-metrics-eval-v2 --testset wmt23 --language-pair en-de --json
    """
    board = ranking.leaderboard(
        opened.data,
        opened.human,
        exclude=opened.exclude,
        metrics=metrics or None,
        coefficients=coefficients or None,
        domain=domain or None,
        **options,
    )
    values, counts = board.value_columns, {name: board.attrs[name] for name in COUNTED}
    if form == "json":
        signatures = board.attrs["signatures"]
        rows = [
            {"metric": name, **row, "signatures": {column: signatures[column][name] for column in values}}
            for name, row in board.astype(object).where(board.notna(), None).to_dict("index").items()
        ]
        data = opened.data
        about = {"set": data.name, "language_pair": data.language_pair, "notes": data.notes}
        print_json(about | counts | {"metrics": rows})
    elif form == "csv":
        print_csv(board)
    elif form == LATEX:
        click.echo(board.to_latex(), nl=False)
    else:
        _print(board, values, form)
        print_counts(counts)


def _print(board: pd.DataFrame, values: list[str], form: str) -> None:
    """Print what is read first: values, thresholds, and coverage where it is not whole."""
    columns = {f"rank({board.attrs['rank_by']})": ("rank", "d")} | {column: (column, ".3f") for column in values}
    columns |= {column: (column, ".4g") for column in board.columns if column.startswith("epsilon(")}
    columns |= {"coverage": ("coverage", ".3f")} if (board["coverage"] < 1).any() else {}
    heads = ["metric", *(head for head, _ in columns.values())]
    rows = [[str(name)] for name in board.index]
    for column, (_, digits) in columns.items():
        signs = signs_of(board, column)
        for row, value, is_signed in zip(rows, board[column], signs, strict=True):
            padding = " " if signs.any() and form == "text" else ""
            row.append(number(value, digits) + (SIGN if is_signed else padding))
    print_table(form, heads, rows)
    for column in (column for column in values if signs_of(board, column).any()):
        tied, gain = (board[f"{kind}({column[:-1]})"] for kind in AT_BEST)
        signed = board.index[signs_of(board, column)]
        listed = "; ".join(f"{name} {tied[name]:.1%}, gain {gain[name]:.4f}" for name in signed)
        click.echo(printable(f"\n{SIGN} {SIGN_MEANS}: {listed}"))
