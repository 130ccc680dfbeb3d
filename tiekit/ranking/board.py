"""Which metric agrees best? Metrics × coefficients for one grouping, with values, ranks and groups used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.calibration.exact import EXPLOITED, best_epsilon
from tiekit.coefficients.measure import split_star
from tiekit.coefficients.per_group import average, check_policy, values_per_group
from tiekit.coefficients.registry import COEFFICIENTS, counted, get_coefficient
from tiekit.coefficients.system_level import SYSTEM_LEVEL
from tiekit.counting.grouping import Grouped, group
from tiekit.counting.pairs import count_within, near_tie_notes
from tiekit.errors import (
    CalibrationWarning,
    CoverageWarning,
    DirectionWarning,
    InputError,
    NearTieWarning,
    TiekitWarning,
    warn,
)
from tiekit.evalset import EvalSet
from tiekit.names import as_names
from tiekit.progress import Progress, part_of
from tiekit.ranking.contest import Contest, prepare
from tiekit.scores import ROUND, FloatArray
from tiekit.signature import digest_of, signature

POLICIES = ("drop", "zero", "common")
"""What becomes of a group whose coefficient is undefined: left out, counted as 0, left out for every metric."""

BACKWARDS = -0.1
"""A metric whose tau_b over all pairs lies below this is suspected to be better when lower."""

RANK_DIGITS = 12
"""Values that agree to so many decimals share a rank: what lies beyond is rounding."""

Note = tuple[type[TiekitWarning], str]
ADVICE: dict[type[TiekitWarning], str] = {
    NearTieWarning: ROUND,
    DirectionWarning: "if lower is better on it, pass lower_is_better= to the reader",
    CoverageWarning: "common_cells=True compares only what all metrics have scored",
    CalibrationWarning: "acc_eq and tau_eq are what calibration is made for",
}
"""What a caller can do about a note."""


@dataclass(frozen=True, eq=False)
class Result:
    """One metric's values, before groups are averaged.

    Attributes
    ----------
    per_group : dict of str to ndarray, shape (groups,)
        By column (``tau_b``, ``acc_eq*``): one value per segment, per system or one in all; NaN where undefined.
    is_group : ndarray of bool, shape (groups,)
        Where there are two scored cells.
    epsilon : dict of str to float
        The calibrated thresholds by coefficient.
    coverage : float
        Share of the cells with a human score that have a metric score.
    notes : tuple of (warning class, text)
    """

    per_group: dict[str, FloatArray]
    is_group: NDArray[np.bool_]
    epsilon: dict[str, float]
    coverage: float
    notes: tuple[Note, ...]


def leaderboard(
    evalset: EvalSet,
    human: str | None = None,
    *,
    metrics: str | Sequence[str] | None = None,
    grouping: str = "item",
    coefficients: str | Sequence[str] | None = None,
    calibrated: str | Sequence[str] = ("acc_eq",),
    exclude: Iterable[str] | None = None,
    undefined: str = "drop",
    domain: str | Iterable[str] | None = None,
    documents: Iterable[str] | None = None,
    segments: Iterable[str] | NDArray[np.bool_] | None = None,
    common_cells: bool = False,
) -> pd.DataFrame:
    """Rank metrics by many coefficients at once.

    Parameters
    ----------
    evalset : EvalSet
    human : str or None
        Name of a human score; None is the set's gold score, or its only one.
    metrics : str or sequence of str or None
        Names of metrics (``COMET-22`` where only ``COMET-22-refA`` fits); None is all.
    grouping : {"global", "item", "system", "system_means"}
        Which pairs are compared.
    coefficients : str or sequence of str or None
        Names of `COEFFICIENTS`; None is all. A star (``"acc_eq*"``) is the same as naming it in ``calibrated``.
        Names of `tiekit.measures.SYSTEM_LEVEL` too: their columns come last, pdp is by the grouping (of system means
        there is none), and the others know only systems.
    calibrated : str or sequence of str
        Coefficients to report at their best epsilon as well; a column ``acc_eq*`` and one ``epsilon(acc_eq)``.
        The best epsilon is that of `calibrate`, which knows defined groups only, whatever ``undefined`` says.
    exclude, domain, documents, segments
        As for `EvalSet.select`; ``exclude=None`` leaves out the standard reference and the listed outliers.
    undefined : {"drop", "zero", "common"}
        Groups whose coefficient is undefined are left out, count as 0, or are left out for every metric when
        they are undefined for one.
    common_cells : bool
        Compare only cells that every metric has scored.

    Returns
    -------
    pandas.DataFrame
        One row per metric, the best by the last coefficient first. Columns: one value per coefficient (higher is
        better, NaN where no group is defined), ``acc_eq*``, ``epsilon(acc_eq)``, then ``rank(...)`` (1 is best,
        missing where undefined), ``groups(...)`` and ``undefined(...)`` (groups in the mean; groups without a
        value) and ``coverage``. ``attrs["signatures"][column][metric]`` makes a number reproducible.

    Raises
    ------
    InputError
        For unknown names.

    Warns
    -----
    NearTieWarning, CoverageWarning, DirectionWarning, CalibrationWarning
        Where distinct scores are nearly equal, where metrics lack scores that others have, where a metric falls as
        the human score rises, where a coefficient is calibrated that does not handle ties.

    Examples
    --------
    >>> import tiekit as tk
    >>> data = tk.EvalSet("toy", "", ("A", "B"), ("1", "2"), {"human": [[1, 2], [1, 3]]}, {"m": [[5, 6], [5, 8]]})
    >>> board = tk.leaderboard(data, "human", coefficients=["tau_b", "acc_eq"], calibrated=())
    >>> board[["tau_b", "acc_eq", "groups(tau_b)", "groups(acc_eq)", "undefined(tau_b)"]].to_dict("index")
    {'m': {'tau_b': 1.0, 'acc_eq': 1.0, 'groups(tau_b)': 1, 'groups(acc_eq)': 2, 'undefined(tau_b)': 1}}
    """
    check_policy(undefined, POLICIES)
    asked, chosen, starred = _columns(coefficients, calibrated, grouping)
    if not chosen and not starred:
        raise InputError("coefficients: there is none to report for groups")
    contest = prepare(
        evalset,
        human,
        metrics=metrics,
        grouping=grouping,
        exclude=exclude,
        domain=domain,
        documents=documents,
        segments=segments,
        common_cells=common_cells,
    )
    results = {name: evaluate(contest, name, chosen, starred) for name in contest.metrics}
    for category, text in collect_notes(results):
        warn(f"{text}; {ADVICE[category]}", category)
    board = assemble(contest, results, undefined)
    for name in (name for name in asked if name in SYSTEM_LEVEL):
        add_system_level(board, contest, name)
    return board


def _columns(
    coefficients: str | Sequence[str] | None, calibrated: str | Sequence[str], grouping: str
) -> tuple[list[str], list[str], list[str]]:
    """The coefficients that are asked for, those of groups among them, and those to calibrate."""
    named = list(COEFFICIENTS) if coefficients is None else as_names(coefficients)
    split = [split_star(name, None if name in SYSTEM_LEVEL else grouping, "coefficients") for name in named]
    asked = [name for name, star, _ in split if not star]
    chosen = [get_coefficient(name, "coefficients").name for name in asked if name not in SYSTEM_LEVEL]
    starred = [counted(name, "coefficients").name for name, star, _ in split if star]
    starred += [
        counted(split_star(name, grouping, "calibrated")[0], "calibrated").name for name in as_names(calibrated)
    ]
    return asked, chosen, list(dict.fromkeys(starred))


def add_system_level(board: pd.DataFrame, contest: Contest, coefficient: str) -> None:
    """Add the values and ranks of one of `SYSTEM_LEVEL` to a leaderboard, and how to make them again."""
    entry, values, signatures = SYSTEM_LEVEL[coefficient], {}, {}
    for name in board.index:
        scores = contest.human, contest.metrics[name]
        values[name] = entry.evaluate(*scores, contest.grouping)
        facts = {"metric": name, "coefficient": coefficient, **contest.selection, "scores": digest_of(*scores)}
        facts |= {"grouping": contest.grouping} if len(entry.groupings) > 1 else {}
        signatures[name] = signature(**facts, seed=0 if entry.seeded else "none")
    board[coefficient] = pd.Series(values)
    board[f"rank({coefficient})"] = _ranks(board[coefficient])
    board.attrs["signatures"][coefficient] = signatures


def evaluate(
    contest: Contest,
    metric: str,
    coefficients: Sequence[str],
    calibrated: Sequence[str],
    progress: Progress | None = None,
) -> Result:
    """Compute every column of one metric, group by group; ``progress`` as in `calibrate`."""
    human, scores = contest.human, contest.metrics[metric]
    grouped = group(human, scores, contest.grouping)
    at_zero = count_within(grouped.scores, 0.0)
    per_group: dict[str, FloatArray] = {}
    for name in coefficients:
        per_group[name] = grouped.spread(values_per_group(grouped, COEFFICIENTS[name], counts=at_zero.counts))
    epsilon: dict[str, float] = {}
    for number, name in enumerate(calibrated):
        entry = COEFFICIENTS[name]
        if not entry.takes_epsilon:
            raise InputError(f"calibrated: {name} knows no ties of the metric and cannot be calibrated")
        epsilon[name] = best_epsilon(grouped, entry, at_zero, part_of(progress, number, len(calibrated)))
        per_group[f"{name}*"] = grouped.spread(values_per_group(grouped, entry, epsilon[name]))
    is_group = np.isin(np.arange(grouped.n_possible), grouped.index)
    rated = ~np.isnan(human)
    coverage = float((rated & ~np.isnan(scores)).sum() / rated.sum()) if rated.any() else float("nan")
    return Result(per_group, is_group, epsilon, coverage, tuple(metric_notes(contest, metric, grouped)))


def metric_notes(contest: Contest, metric: str, grouped: Grouped) -> list[Note]:
    """What is suspicious about one metric; a note on the human scores is worded alike for all metrics."""
    found: list[Note] = [
        (NearTieWarning, text.replace("human:", f"{contest.selection['human']}:").replace("metric:", f"{metric}:"))
        for text in near_tie_notes(grouped.scores)
    ]
    pooled = group(contest.human, contest.metrics[metric], "global")
    tau_b = values_per_group(pooled, COEFFICIENTS["tau_b"])
    if (tau_b < BACKWARDS).any():
        found.append((DirectionWarning, f"{metric}: falls where the human score rises (tau_b {tau_b[0]:.2f})"))
    return found


def collect_notes(results: Mapping[str, Result]) -> list[Note]:
    """Everything suspicious about the results, each said once; `ADVICE` says what to do."""
    found = [note for result in results.values() for note in result.notes]
    covered = {name: result.coverage for name, result in results.items()}
    if max(covered.values()) > min(covered.values()):
        less = [f"{name} {share:.1%}" for name, share in covered.items() if share < max(covered.values())]
        text = (
            f"metrics cover different shares of the human scores, so they are judged on other pairs: {', '.join(less)}"
        )
        found.append((CoverageWarning, text))
    starred = dict.fromkeys(name for result in results.values() for name in result.epsilon)
    found += [(CalibrationWarning, f"{n}* {EXPLOITED}") for n in starred if not COEFFICIENTS[n].handles_ties]
    return list(dict.fromkeys(found))


def assemble(contest: Contest, results: Mapping[str, Result], undefined: str) -> pd.DataFrame:
    """Average over groups under a policy and rank; the frame that `leaderboard` returns."""
    first = next(iter(results.values()))
    rows: dict[str, dict[str, float]] = {name: {} for name in results}
    signatures: dict[str, dict[str, str]] = {column: {} for column in first.per_group}
    digests = {name: digest_of(contest.human, contest.metrics[name]) for name in results}
    for column in first.per_group:
        common = np.all([~np.isnan(result.per_group[column]) for result in results.values()], axis=0)
        for name, result in results.items():
            used = result.is_group & common if undefined == "common" else result.is_group
            values = result.per_group[column][used]
            n_defined = int(np.count_nonzero(~np.isnan(values)))
            n_groups = n_defined if undefined != "zero" else values.size
            rows[name][column] = average(values, "zero" if undefined == "zero" else "drop")
            rows[name][f"groups({column})"] = n_groups
            rows[name][f"undefined({column})"] = int(np.isnan(result.per_group[column][result.is_group]).sum())
            epsilon = result.epsilon[column[:-1]] if column.endswith("*") else 0.0
            facts: dict[str, object] = {
                "metric": name,
                "coefficient": column,
                "grouping": contest.grouping,
                "epsilon": epsilon,
            }
            facts |= {"undefined": undefined, "groups": n_groups, **contest.selection, "scores": digests[name]}
            signatures[column][name] = signature(**facts)
    board = pd.DataFrame.from_dict(rows, orient="index").rename_axis("metric")
    for coefficient in first.epsilon:
        found = pd.Series({name: result.epsilon[coefficient] for name, result in results.items()})
        board[f"epsilon({coefficient})"] = found.where(board[f"{coefficient}*"].notna())
    board["coverage"] = [result.coverage for result in results.values()]
    for column in first.per_group:
        board[f"rank({column})"] = _ranks(board[column])
    ordered = board.sort_values(list(first.per_group)[-1], ascending=False, kind="stable")[_column_order(first)]
    ordered.attrs["signatures"] = signatures
    return ordered


def _ranks(values: pd.Series) -> pd.Series:
    return values.round(RANK_DIGITS).rank(ascending=False, method="min").astype("Int64")


def _column_order(result: Result) -> list[str]:
    values = list(result.per_group)
    columns: list[str] = []
    for column in values:
        columns += [column, f"epsilon({column[:-1]})"] if column.endswith("*") else [column]
    for kind in ("rank", "groups", "undefined"):
        columns += [f"{kind}({column})" for column in values]
    return [*columns, "coverage"]
