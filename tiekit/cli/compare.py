"""What does ``tiekit compare`` print? Whether metrics differ: a p-value, or clusters of many metrics."""

from __future__ import annotations

from typing import Any

import click
import pandas as pd

from tiekit.cli.output import (
    COUNTED,
    choose_format,
    number,
    print_counts,
    print_csv,
    print_json,
    print_table,
    printable,
)
from tiekit.cli.source import Opened, choose_average, choose_cells, reads
from tiekit.sets.arguments import gold_of, metric_names
from tiekit.significance.compare import compare_metrics
from tiekit.significance.comparison import CORRECTIONS, Comparison
from tiekit.significance.permutation import PermutationTest, permutation_test
from tiekit.significance.schemes import SWAPS


@click.command()
@reads()
@click.argument("metrics", nargs=-1, metavar="[METRIC_A METRIC_B …]")
@click.option("--coefficient", help="Such as tau_b; by default acc_eq*, or acc_eq of system means.")
@click.option("--grouping", help="global, item, system or system_means; by default that of the coefficient.")
@click.option("--swap", help=f"What is swapped: {', '.join(SWAPS)}; by default what suits the measure.")
@click.option("--resamples", type=click.IntRange(min=1), default=999, show_default=True, help="Number of resamples.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the random numbers.")
@click.option("--alpha", type=click.FloatRange(0, 1), default=0.05, show_default=True, help="Level of the clusters.")
@click.option("--correction", type=click.Choice(list(CORRECTIONS)), help="Of the p-values of many metrics.")
@choose_average
@choose_cells
@choose_format()
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
    clusters of metrics that cannot be told apart; csv and json hold the p-values of every two. Metrics are compared on
    what all of them have scored; a metric that has scored less than half of it stands below the others, compared with
    each of them on the cells of these two.

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
    if len(metrics) == 2:
        _print_test(opened, metrics, form, options)
        return
    found = compare_metrics(opened.data, metrics or None, **options)
    clusters, pairs = found.clusters(alpha, correction), found.pairs(correction)
    if form == "json":
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
