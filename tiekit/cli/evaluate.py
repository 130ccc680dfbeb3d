"""What do the commands print that evaluate metrics: leaderboard, standing, compare, calibrate and official?"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
import pandas as pd

import tiekit as tk
from tiekit.api import calibrate as calibrated
from tiekit.base.errors import InputError
from tiekit.cli.data import Opened, choose_average, choose_cells, complete_metric, is_score_file, names_option, reads
from tiekit.cli.output import (
    COUNTED,
    LATEX,
    choose_format,
    escape,
    number,
    print_counts,
    print_csv,
    print_json,
    print_table,
    printable,
    rows_of,
    say,
)
from tiekit.core.calibration import DIFFERENCES
from tiekit.core.grouping import DEFAULT_GROUPING
from tiekit.official.preset import SOFT_ACCURACIES
from tiekit.ranking import board as ranking
from tiekit.ranking.diagnostics import SIGN, SIGN_MEANS, signs_of
from tiekit.ranking.leaderboard import AT_BEST
from tiekit.ranking.standing import standing as find_standing
from tiekit.sets.arguments import gold_of, metric_names
from tiekit.sets.assumptions import say_assumed
from tiekit.significance.clusters import CORRECTIONS, Comparison
from tiekit.significance.compare import compare_metrics
from tiekit.significance.permutation import PermutationTest, permutation_test
from tiekit.significance.schemes import SWAPS

choose_identical = click.option(
    "--tie-identical",
    is_flag=True,
    help="Identical translations of a segment tie for every metric (docs/identical.md).",
)


@click.command()
@reads()
@names_option("--metrics", help="Metrics to rank; all by default.")
@click.option("--grouping", default=DEFAULT_GROUPING, show_default=True, help="global, item, system or system_means.")
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
@choose_identical
@choose_average
@choose_cells
@choose_format
def leaderboard(
    opened: Opened,
    metrics: tuple[str, ...],
    coefficients: tuple[str, ...],
    domain: tuple[str, ...],
    form: str,
    **options: Any,
) -> None:
    """Rank metrics by how well they agree with the human scores; of several, such as aspects, one board holds them all.

    The best metric by the last coefficient, or by --rank-by, comes first. All are compared on what all of them have
    scored; a metric that has scored less than half of it stands below the others, without a rank. A table with
    clusters, p-values and intervals: tiekit standing SOURCE METRIC --confidence .95 --latex.

    \b
    Examples:
      tiekit leaderboard wmt22
      tiekit leaderboard data.csv --human mqm --grouping item --format markdown
      tiekit leaderboard wmt22 --add mine=mine.seg.score --coefficients tau_b,acc_eq*
      tiekit leaderboard wmt22 --coefficients system_means/pearson,spa,item/acc_eq* --rank-by spa
      tiekit leaderboard wmt23/en-de --human mqm,da-sqm
      tiekit leaderboard mt-metrics-eval-v2 --testset wmt23 --language-pair en-de --json
    """
    several = (opened.human or "").split(",")
    board = ranking.leaderboard(
        opened.data,
        several if several[1:] and opened.human not in opened.data.human else opened.human,
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
            row | {"signatures": {column: signatures[column][row["metric"]] for column in values}}
            for row in rows_of(board)
        ]
        data = opened.data
        about = {"set": data.name, "language_pair": data.language_pair, "notes": data.notes}
        print_json(about | counts | {"metrics": rows})
    elif form == "csv":
        print_csv(board)
    elif form == LATEX:
        click.echo(printable(board.to_latex()), nl=False)
    else:
        _print_board(board, values, form)
        print_counts(counts)
        click.echo(printable(board.attrs["assumed"]), nl=bool(board.attrs["assumed"]))


def _print_board(board: pd.DataFrame, values: list[str], form: str) -> None:
    """Print what is read first: values, thresholds, and coverage where it is not whole."""
    ranks = f"rank({board.attrs['rank_by']})"
    columns = {ranks: ("rank" if len(values) == 1 else ranks, "d")} | {column: (column, ".3f") for column in values}
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
        listed = "; ".join(f"{escape(str(name), form)} {tied[name]:.1%}, gain {gain[name]:.4f}" for name in signed)
        click.echo(printable(f"\n{SIGN} {SIGN_MEANS}: {listed}"))


@click.command()
@reads()
@click.argument("metrics", nargs=-1, metavar="[METRIC_A METRIC_B …]", shell_complete=complete_metric)
@click.option("--coefficient", help="Such as tau_b; by default acc_eq*, or acc_eq of system means.")
@click.option("--grouping", help="global, item, system or system_means; by default that of the coefficient.")
@click.option("--swap", help=f"What is swapped: {', '.join(SWAPS)}; by default what suits the measure.")
@click.option("--resamples", type=click.IntRange(min=1), default=999, show_default=True, help="Number of resamples.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the random numbers.")
@click.option("--alpha", type=click.FloatRange(0, 1), default=0.05, show_default=True, help="Level of the clusters.")
@click.option("--correction", type=click.Choice(list(CORRECTIONS)), help="Of the p-values of many metrics.")
@choose_average
@choose_cells
@choose_format
def compare(
    opened: Opened,
    metrics: tuple[str, ...],
    resamples: int,
    seed: int,
    alpha: float,
    correction: str | None,
    form: str,
    **options: Any,
) -> None:
    """Test whether metrics agree with the human scores equally well.

    Of two metrics, the p-value of a permutation test is printed. Of more metrics, or without any (which means all), the
    clusters of metrics that cannot be told apart; csv, json and LaTeX hold the p-values of every two. Metrics are
    compared on what all of them have scored; a metric that has scored less than half of it stands below the others,
    compared with each of them on the cells of these two.

    \b
    Examples:
      tiekit compare wmt22 COMET-22 BLEU
      tiekit compare wmt22 YiSi-1 BERTScore --coefficient system_means/pearson
      tiekit compare wmt22 --resamples 199 --correction holm
      tiekit compare data.csv --human mqm --format csv
    """
    if len(metrics) == 1:
        raise click.UsageError("Name two metrics or more, or none for all of them.")
    options |= {"n_resamples": resamples, "rng": seed, "human": opened.human, "exclude": opened.exclude}
    if len(metrics) == 2 and form != LATEX:
        _print_test(opened, metrics, form, options)
        return
    found = compare_metrics(opened.data, metrics or None, **options)
    clusters, pairs = found.clusters(alpha, correction), found.pairs(correction)
    if form == LATEX:
        click.echo(printable(found.to_latex(alpha=alpha, correction=correction, pvalues=True)), nl=False)
    elif form == "json":
        rows = pairs.to_dict("records")
        print_json({**found.to_dict(), "clusters": clusters, "alpha": alpha, "correction": correction, "pairs": rows})
    elif form == "csv":
        below = found.apart.drop(columns=["value_first", "value_second"])
        every = pairs.assign(n_cells=found.n_cells)
        print_csv((pd.concat([every, below]) if len(below) else every).set_index(["first", "second"]))
    else:
        both = zip(clusters.items(), found.to_dict()["values"].values(), strict=True)
        cells = [[str(name), number(place, "d"), number(value)] for (name, place), value in both]
        print_table(form, ["metric", "cluster", found.coefficient], cells)
        print_counts(found.to_dict())
        _print_tested(opened, found)
        if len(found.apart):
            _print_apart(found.apart, form)


def _print_tested(opened: Opened, found: Comparison | PermutationTest) -> None:
    """Say below a table what was tested: the words that a sentence on the result needs."""
    data, fitted = opened.data, " (each ε* fitted once, on these scores)" * found.coefficient.endswith("*")
    swaps = f"{found.n_resamples:,} swaps of {SWAPS[found.swap].label}, seed {found.seed}"
    by = f"{found.coefficient} by {found.grouping.replace('_', ' ')}{fitted}"
    of = " ".join(filter(None, (data.name, data.language_pair, gold_of(data, opened.human))))
    click.echo(printable(f"{of}: {by}; p is {found.alternative}, of {swaps}"))
    if found.assumed:
        click.echo(printable(found.assumed))


def _print_apart(apart: pd.DataFrame, form: str) -> None:
    """Print the tests of the metrics that stand apart, below the others."""
    forms = dict.fromkeys(apart.columns[2:], ".4f") | {"n_cells": "d"}
    rows = [[str(row[0]), str(row[1]), *map(number, row[2:], forms.values())] for row in apart.itertuples(index=False)]
    click.echo()
    print_table(form, [str(name) for name in apart.columns], rows)


def _print_test(opened: Opened, metrics: tuple[str, ...], form: str, options: dict[str, Any]) -> None:
    """Print the test of two metrics."""
    found = permutation_test(opened.data, *metrics, **options)
    names = metric_names(opened.data, metrics)
    value_a, value_b = found.values  # noqa: PD011  not a frame's
    facts: dict[str, Any] = {
        "metric_a": names[0],
        "metric_b": names[-1],
        "value_a": value_a,
        "value_b": value_b,
        "difference": found.difference,
        "pvalue": found.pvalue,
        "resamples": found.n_resamples,
        **{name: getattr(found, name) for name in COUNTED},
    }
    if form == "json":
        more = ("coefficient", "grouping", "swap", "alternative", "exact", "epsilons", "note", "seed", "signature")
        print_json(facts | {name: getattr(found, name) for name in more})
    elif form == "csv":
        print_csv(pd.DataFrame([facts]).set_index("metric_a"))
    else:
        kept = {name: one for name, one in facts.items() if name not in COUNTED}
        shown = [number(one, ".4f") if isinstance(one, float) else str(one) for one in kept.values()]
        print_table(form, list(kept), [shown])
        print_counts(facts)
        _print_tested(opened, found)


@click.command()
@reads()
@click.argument("metric", metavar="METRIC", shell_complete=complete_metric)
@names_option("--coefficients", help="The first ranks and is tested; by default acc_eq*. By others, the rank is told.")
@click.option("--grouping", help="global, item, system or system_means; by default that of the coefficient.")
@click.option("--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True), help="Intervals, such as .95.")
@click.option("--resamples", type=click.IntRange(min=1), default=999, show_default=True, help="Number of resamples.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the random numbers.")
@click.option("--alpha", type=click.FloatRange(0, 1), default=0.05, show_default=True, help="Level of the clusters.")
@click.option("--correction", type=click.Choice(list(CORRECTIONS)), help="Of the p-values that make the clusters.")
@choose_identical
@choose_cells
@choose_format
def standing(
    opened: Opened,
    metric: str,
    coefficients: tuple[str, ...],
    resamples: int,
    seed: int,
    form: str,
    **options: Any,
) -> None:
    """Say where a metric stands: its rank, its cluster, and whether it differs from the metrics next to it.

    METRIC is a name of the set, or a file of scores, FILE or NAME=FILE, which joins the set as by --add.

    \b
    Examples:
      tiekit standing wmt23/zh-en mine.tsv
      tiekit standing wmt22 mine=scores.jsonl --coefficients acc_eq*,system_means/pearson
      tiekit standing wmt22 COMET-22 --confidence .95 --latex
    """
    if is_score_file(metric):
        stem, sign, _ = metric.partition("=")
        if not (sign and stem in opened.added) and len(opened.added) != 1:
            raise InputError(f"metric: {metric} holds {', '.join(opened.added)}; add it by --add and name one of these")
        metric = stem if sign and stem in opened.added else opened.added[0]
    found = find_standing(
        opened.data,
        metric,
        coefficients or "acc_eq*",
        human=opened.human,
        exclude=opened.exclude,
        n_resamples=resamples,
        rng=seed,
        **options,
    )
    if form == "json":
        print_json({"sentence": found.sentence, "rank": found.rank, **found.to_dict(), "metrics": rows_of(found.rows)})
    elif form == "csv":
        print_csv(found.rows)
    elif form == LATEX:
        click.echo(printable(found.to_latex()), nl=False)
    else:
        click.echo(printable(f"{found.sentence}\n"))
        kept = found.rows.dropna(axis="columns", how="all")
        digits = {str(name): "d" if name in ("rank", "cluster") else ".3f" for name in kept}
        rows = zip(map(str, kept.index), kept.to_numpy(object), strict=True)
        cells = [[name + " <" * (name == found.metric), *map(number, row, digits.values())] for name, row in rows]
        print_table(form, ["metric", *digits], cells)
        print_counts(found.comparison.to_dict())


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
@click.argument("metrics", nargs=-1, metavar="[METRIC]…", shell_complete=complete_metric)
@click.option("--coefficient", default="acc_eq", show_default=True, help="A coefficient of counts.")
@click.option("--grouping", default=DEFAULT_GROUPING, show_default=True, help="global, item, system or system_means.")
@click.option(
    "--difference",
    type=click.Choice(list(DIFFERENCES)),
    default="absolute",
    show_default=True,
    help="Which difference of two scores is compared with the threshold.",
)
@choose_identical
@choose_average
@choose_format
def calibrate(opened: Opened, metrics: tuple[str, ...], coefficient: str, form: str, **options: Any) -> None:
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
            human=opened.human,
            exclude=opened.exclude,
            **options,
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
    if assumed := say_assumed(opened.data, (*found, gold_of(opened.data, opened.human))):
        click.echo(printable(assumed))


SUMMARY = {"average": ".3f", "rank": "d", "cluster": "d"}
"""The columns before those of the tasks, and their digits."""


def metrics_to_add(ctx: click.Context, param: click.Parameter, values: Iterable[str]) -> dict[str, Any]:  # noqa: ARG001
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
    callback=metrics_to_add,
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
@choose_format
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
        print_json({"preset": preset, "metrics": rows_of(frame), "signature": frame.attrs["signature"]})
    elif form == "csv":
        print_csv(frame)
    elif form == LATEX:
        click.echo(printable(found.to_latex()), nl=False)
    else:
        digits = {name: SUMMARY.get(name, ".3f") for name in (frame.columns if all_tasks else SUMMARY)}
        cells = [[str(name), *(number(frame.loc[name, one], digits[one]) for one in digits)] for name in frame.index]
        print_table(form, ["metric", *digits], cells)
