"""Which metric agrees best? Metrics × coefficients for one grouping, with values, ranks and groups used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.base.errors import InputError, warn
from tiekit.base.names import as_names, split_names
from tiekit.base.parallel import Progress, part_of, showing, with_progress
from tiekit.base.results import RANK_DIGITS, best_first, signature
from tiekit.base.validation import check_epsilon, seed_of, warn_near_ties
from tiekit.core.calibration import warn_of_split
from tiekit.core.coefficients import average as average_of
from tiekit.core.coefficients import check_margin, check_policy, check_tied, gain_over_constant, pool, tied_share
from tiekit.core.grouping import DEFAULT_GROUPING
from tiekit.core.measure import DEFAULT, Measure, split_star
from tiekit.core.registry import COEFFICIENTS, get_coefficient, get_of_counts
from tiekit.core.system_level import SYSTEM_LEVEL
from tiekit.ranking.diagnostics import Texts, add_fairness, fairness_of, texts_and_lengths
from tiekit.ranking.engine import ADVICE, ComparisonInputs, MetricValues, collect_notes, evaluate, prepare, with_humans
from tiekit.ranking.leaderboard import AT_BEST, Leaderboard, find_column
from tiekit.sets.arguments import ask_direction, ask_systems, check_set, gold_of, source_of, source_of_human
from tiekit.sets.assumptions import say_assumed
from tiekit.sets.cells import renamed_cells, share_cells
from tiekit.sets.evalset import EvalSet

POLICIES = ("drop", "zero", "common")
"""What becomes of a group whose coefficient is undefined: left out, counted as 0, left out for every metric."""


KINDS = ("rank", "groups", "undefined")
"""What belongs to each column of values."""


def leaderboard(
    evalset: EvalSet,
    human: str | Sequence[str] | None = None,
    *,
    metrics: str | Sequence[str] | None = None,
    humans: str | Sequence[str] = (),
    grouping: str = DEFAULT_GROUPING,
    coefficients: str | Sequence[str] | None = None,
    calibrated: str | Sequence[str] | None = None,
    rank_by: str | None = None,
    exclude: Iterable[str] | None = None,
    undefined: str = "drop",
    average: str = "groups",
    human_margin: float = 0.0,
    tie_identical: bool = False,
    tie_human: bool = False,
    domain: str | Iterable[str] | None = None,
    documents: Iterable[str] | None = None,
    segments: Iterable[str] | NDArray[np.bool_] | None = None,
    cells: str | None = None,
    fairness: bool = False,
    rng: np.random.Generator | int | None = None,
    details: bool = False,
    progress: Progress | bool | None = None,
    common_cells: bool | None = None,
) -> Leaderboard:
    """Rank metrics by many coefficients at once.

    Parameters
    ----------
    evalset : EvalSet
    human : str or sequence of str or None
        Name of a human score; None is the set's gold score, or its only one. Several, such as the aspects of a summary
        or MQM beside ESA, make one leaderboard, with a column ``"coherence/acc_eq*"`` for each of them, on the cells
        that all of them have (``cells="own"``: each on its own). Coefficients that are not given are then
        acc_eq* alone.
    metrics : str or sequence of str or None
        Names of metrics (``COMET-22`` where only ``COMET-22-refA`` fits); None is all.
    humans : str or sequence of str
        Other human scores of the set that are judged too, each in a row of its own. Human scores often cover few
        cells and then stand below the metrics unless ``cells="common"``; `tiekit.humans.rank_humans` adds intervals.
    grouping : {"global", "item", "system", "system_means", "document", "document_means"}
        Which pairs are compared; by document where the set has documents, as for `correlate`.
    coefficients : str or sequence of str or None
        One column each, in this order, named as it is written here. Names of `COEFFICIENTS` and of
        `tiekit.measures.SYSTEM_LEVEL`, by ``grouping`` (spa and pairwise_accuracy compare system means, of which there
        is no pdp); or measures of any grouping, side by side: ``["system_means/pearson", "spa", "item/acc_eq*"]``. A
        star is the same as naming it in ``calibrated``. None is all `COEFFICIENTS`.
    calibrated : str or sequence of str or None
        Coefficients to report at their best epsilon as well; a column ``acc_eq*`` and one ``epsilon(acc_eq)``. None is
        acc_eq where no coefficients are named, but for system means, of which a best epsilon is noise.
        The best epsilon is that of `calibrate`, which knows defined groups only, whatever ``undefined`` says.
    rank_by : str or None
        The column that sorts the rows; None is the last one.
    exclude, domain, documents, segments
        As for `EvalSet.select`; ``exclude=None`` leaves out the standard reference and the listed outliers.
    undefined : {"drop", "zero", "common"}
        Groups whose coefficient is undefined are left out, count as 0 (so a metric that is undefined in all has 0),
        or are left out for every metric when they are undefined for one.
    average : {"groups", "pairs"}
        The mean over groups, or the value of all groups' pairs together, as for `correlate`; coefficients that are no
        ratios of counts of pairs are refused, or left out where none is named. With ``"pairs"`` no group is left out,
        so ``undefined`` cannot be ``"common"``.
    human_margin : float
        Pairs whose human scores differ by less are left out, as for `correlate`; 25 for direct assessments of WMT
        2017–2020, with ``average="pairs"``. Coefficients must then be named, each of pairs alone, and none calibrated
        (``calibrated=()``).
    tie_identical : bool
        Whether every metric is made to tie the pairs of a segment whose texts are identical, as for `correlate`.
        Coefficients that know no ties of the metric are refused, or left out where none is named. The columns of
        ``fairness`` do not know it. `tiekit.identical.repair` shows ranks before and after.
    tie_human : bool
        Whether the human score is made to tie these pairs, too.
    cells : {"common", "own"} or None
        Which cells are compared: those that every metric has scored, or each metric's own. None is common, but of
        three or more metrics one that has scored less than half of the cells that most have stands apart: below the
        others, on its own cells, and without a rank; `tiekit.significance.compare_metrics` compares it with each.
    fairness : bool
        Whether to add what may make a place unfair, and sentences in `Leaderboard.fairness_notes`: ``tied_pairs``,
        the share of pairs that the metric ties; ``noise_gain``, acc_eq* of the metric with random noise minus its own
        (see `tiekit.sentinels.perturb`); ``r(source length)`` and ``r(output length)``, Pearson's correlations of its
        scores with the numbers of characters; ``held_out_loss``, what acc_eq* loses on average where five parts of
        whole documents get the threshold of the others. NaN where lengths, or two documents, are missing.
    rng : numpy Generator or int, optional
        Random-number generator or seed of the noise, the same for each metric; None is seed 0. Only with
        ``fairness=True``.
    details : bool
        Whether a notebook and `repr` show every column; all of them are there in any case.
    progress : function of a float, or bool, optional
        Called with the fraction done; raise an exception to cancel.
        None and True show a bar on a terminal or in a notebook, after a second; False shows none.
    common_cells : bool, optional
        The old name of ``cells="common"`` (True) and ``cells="own"`` (False).

    Returns
    -------
    Leaderboard
        A DataFrame with one row per metric, the best by ``rank_by`` first; it displays the columns that are read first.
        Columns: one value per coefficient (higher is better, NaN where no group is defined and they do not count as 0),
        ``acc_eq*``, ``epsilon(acc_eq)``, then ``rank(...)`` (1 is best, missing where undefined), ``groups(...)`` and
        ``undefined(...)`` (groups in the mean; groups without a value), ``tied(acc_eq)`` and ``gain(acc_eq)`` (the
        share of the pairs that the metric ties at its best epsilon; its value minus that of a constant metric in the
        same groups), and ``coverage``, the share of the cells with a human score that the metric has scored, compared
        or not. ``attrs["signatures"][column][metric]`` makes a number reproducible, ``attrs["rank_by"]`` is the column
        that sorts the rows; ``attrs`` also hold ``n_systems``, ``n_segments``, ``n_cells``, which ``cells`` are
        compared, and the metrics that stand ``apart``.

    Raises
    ------
    InputError
        For unknown names, an invalid seed or one without ``fairness=True``, a set that does not know which texts are
        identical, and where the metrics have fewer than two systems (by system: segments) in common for any grouping
        that is reported: it says which metric to leave out.

    Warns
    -----
    NearTieWarning, CoverageWarning, DirectionWarning, CalibrationWarning
        Where distinct scores are nearly equal, where cells are left out because a metric has not scored them, or a
        metric stands apart, where a metric falls as the human score rises, where a coefficient is calibrated that does
        not handle ties.

    Examples
    --------
    >>> import tiekit as tk
    >>> data = tk.EvalSet("toy", "", ("A", "B"), ("1", "2"), {"human": [[1, 2], [1, 3]]}, {"m": [[5, 6], [5, 8]]})
    >>> board = tk.leaderboard(data, "human", coefficients=["tau_b", "acc_eq"], calibrated=())
    >>> board[["tau_b", "acc_eq", "groups(tau_b)", "groups(acc_eq)", "undefined(tau_b)"]].to_dict("index")
    {'m': {'tau_b': 1.0, 'acc_eq': 1.0, 'groups(tau_b)': 1, 'groups(acc_eq)': 2, 'undefined(tau_b)': 1}}
    """
    if human is not None and not isinstance(human, str):
        given = locals()
        asked = {name: given[name] for name in _SHARED_OPTIONS}
        return _by_human(evalset, as_names(human, "human"), coefficients, calibrated, rank_by, asked)
    check_policy(undefined, POLICIES)
    if rng is not None and not fairness:
        raise InputError(f"rng: nothing is drawn unless fairness=True, found {rng!r}")
    if average == "pairs" and undefined == "common":
        raise InputError("undefined: pairs of all groups are pooled, so it must be drop or zero, found 'common'")
    if average == "pairs" and coefficients is None:
        coefficients = [name for name, entry in COEFFICIENTS.items() if entry.poolable]
        calibrated = (DEFAULT,) if calibrated is None else calibrated
    if tie_identical and coefficients is None:
        coefficients = [name for name, entry in COEFFICIENTS.items() if entry.takes_epsilon]
        calibrated = (DEFAULT,) if calibrated is None else calibrated
    if humans is not None and (named := as_names(humans, "humans")):
        evalset = with_humans(evalset, human, named)
        metrics = None if metrics is None else [*named, *as_names(metrics, "metrics")]
    inputs = prepare(
        evalset,
        human,
        metrics=metrics,
        grouping=grouping,
        exclude=exclude,
        domain=domain,
        documents=documents,
        segments=segments,
        cells=renamed_cells(cells, common_cells),
        human_margin=check_epsilon(human_margin, "human_margin"),
        average=average,
        tie_identical=tie_identical,
        tie_human=tie_human,
    )
    columns = _columns(coefficients, calibrated, inputs)
    for measure in columns.values():
        check_margin(human_margin, pool(measure.coefficient, average), calibrated=measure.calibrated)
        check_tied(inputs.identical, measure.coefficient)
    rank_by = find_column(rank_by, list(columns), inputs.grouping, "rank_by") if rank_by else list(columns)[-1]
    levels = _levels(inputs, columns)
    if inputs.cells is not None:
        inputs.cells.check([level.inputs.grouping for level in levels])
    for level in levels:
        ask_systems(evalset, gold_of(evalset, human), exclude, level.inputs.grouping)
    texts, seed = None, seed_of(rng)
    if fairness:
        texts = texts_and_lengths(
            evalset.select(exclude=exclude, domain=domain, documents=documents, segments=segments)
        )
    with showing(progress, "evaluate") as told:
        results, measured = _evaluate_all(inputs, levels, texts, seed, told)
    gold = source_of_human(evalset, human, inputs.human)
    sources = {name: source_of(evalset, "metrics", name, inputs.metrics[name]) for name in results[0]}
    warn_near_ties(*((result.near_ties, gold, sources[name]) for name, result in results[0].items()))
    for name, result in results[0].items():
        for epsilon in result.epsilon.values():
            warn_of_split(sources[name], inputs.metrics[name], epsilon, partial(inputs.groups_of, name))
    for category, text in dict.fromkeys(note for found in results for note in collect_notes(inputs, found)):
        if category in ADVICE:
            warn(f"{text}; {ADVICE[category]}", category)
    ask_direction(evalset, gold_of(evalset, human), inputs.metrics, exclude)
    boards = [_board_of(level, found, undefined) for level, found in zip(levels, results, strict=True)]
    board = _beside_each_other(boards, list(columns), rank_by)
    if texts is not None:
        add_fairness(board, measured, inputs.human, texts)
    assumed = say_assumed(evalset, (*board.index, gold_of(evalset, human)))
    board.attrs |= {"details": details, "assumed": assumed}
    return board


_SHARED_OPTIONS = (
    *("metrics", "humans", "grouping", "exclude", "undefined", "average", "human_margin", "tie_identical", "tie_human"),
    *("domain", "documents", "segments", "cells", "fairness", "rng", "details", "progress", "common_cells"),
)
"""What a leaderboard by several human scores takes for each of them."""


def _by_human(
    evalset: EvalSet,
    humans: Sequence[str],
    coefficients: str | Sequence[str] | None,
    calibrated: str | Sequence[str] | None,
    rank_by: str | None,
    asked: dict[str, Any],
) -> Leaderboard:
    """One leaderboard by several human scores, on the cells that all of them have."""
    names = list(dict.fromkeys(gold_of(check_set(evalset), name) for name in humans))
    if not names:
        raise InputError("human: name at least one")
    if asked["fairness"]:
        raise InputError("fairness: is that of one human score, so name a single one in human=")
    if coefficients is None and calibrated is None:
        coefficients = f"{DEFAULT}*"
    if renamed_cells(asked["cells"], asked["common_cells"]) != "own" and names[1:]:
        evalset = _with_common_cells(evalset, names, asked["exclude"])
    boards = []
    for name in names:
        board = leaderboard(evalset, name, coefficients=coefficients, calibrated=calibrated, **asked)
        boards.append(_rename(board, {column: f"{name}/{column}" for column in board.value_columns}))
    columns = [column for board in boards for column in board.value_columns]
    board = _beside_each_other(
        boards, columns, find_column(rank_by, columns, None, "rank_by") if rank_by else columns[-1]
    )
    board.attrs |= {"details": asked["details"], "assumed": say_assumed(evalset, (*board.index, *names))}
    return board


def _with_common_cells(evalset: EvalSet, humans: Sequence[str], exclude: Iterable[str] | None) -> EvalSet:
    """The set with human scores where all of the named ones are; it is said where that leaves cells out."""
    kept = evalset.select(exclude=exclude)
    scores = {name: kept.human[name] for name in humans}
    anywhere = np.where(np.all([np.isnan(one) for one in scores.values()], axis=0), np.nan, 0.0)
    advice = 'cells="own" takes each human score on its own cells'
    share_cells(anywhere, scores, "common").warn(kept.systems, advice=advice)
    missing = np.any([np.isnan(evalset.human[name]) for name in humans], axis=0)
    masked = {name: np.where(missing, np.nan, evalset.human[name]) for name in humans}
    return replace(evalset, human={**evalset.human, **masked})


class _Level(NamedTuple):
    """The columns of one grouping, and what is compared by it."""

    inputs: ComparisonInputs
    columns: dict[str, Measure]


def _evaluate_all(
    inputs: ComparisonInputs, levels: Sequence[_Level], texts: Texts | None, seed: int, progress: Progress | None
) -> tuple[list[dict[str, MetricValues]], dict[str, dict[str, float]]]:
    """Each metric's values on every level, and its columns of fairness where texts are given."""
    measured: dict[str, dict[str, float]] = {}
    results: list[dict[str, MetricValues]] = [{} for _ in levels]
    for number, name in enumerate(with_progress(inputs.metrics, progress)):
        part, parts = part_of(progress, number, len(inputs.metrics)), len(levels) + (texts is not None)
        for place, (level, found) in enumerate(zip(levels, results, strict=True)):
            by_group = [one for one in level.columns.values() if one.coefficient.by_group]
            chosen, starred = (
                [one.coefficient.name for one in by_group if one.calibrated == wanted] for wanted in (False, True)
            )
            found[name] = evaluate(level.inputs, name, chosen, starred, part_of(part, place, parts))
        if texts is not None:
            measured[name] = fairness_of(inputs, name, texts, seed, part_of(part, parts - 1, parts))
    return results, measured


def _columns(
    coefficients: str | Sequence[str] | None, calibrated: str | Sequence[str] | None, inputs: ComparisonInputs
) -> dict[str, Measure]:
    """The columns that are asked for, each measure once; by the grouping of the inputs where none is written."""
    named = list(COEFFICIENTS) if coefficients is None else split_names(coefficients, "coefficients")
    if calibrated is None:
        calibrated = (DEFAULT,) if coefficients is None and inputs.grouping != "system_means" else ()
    asked = [(name, "coefficients") for name in named]
    asked += [(name, "calibrated") for name in split_names(calibrated, "calibrated")]
    columns: dict[str, Measure] = {}
    for name, argument in asked:
        bare, star, grouping = split_star(name, None, argument)
        star = star or argument == "calibrated"
        entry = get_of_counts(bare, argument, SYSTEM_LEVEL) if star else get_coefficient(bare, argument, SYSTEM_LEVEL)
        by = inputs.grouping
        if grouping is not None or entry.groupings == ("system_means",):
            by = entry.resolve_grouping(grouping, 2, documents=bool(inputs.documents))
        measure = Measure(by, entry, star)
        if measure not in columns.values():
            columns[measure.shown if grouping is None else measure.name] = measure
    if not columns:
        raise InputError("coefficients: there is none to report")
    return columns


def _levels(inputs: ComparisonInputs, columns: Mapping[str, Measure]) -> list[_Level]:
    """What is compared by each grouping, that of the inputs first."""
    groupings = dict.fromkeys([inputs.grouping, *(measure.grouping for measure in columns.values())])
    return [
        _Level(
            inputs if by == inputs.grouping else replace(inputs, grouping=by),
            {column: measure for column, measure in columns.items() if measure.grouping == by},
        )
        for by in groupings
    ]


def _board_of(level: _Level, results: Mapping[str, MetricValues], undefined: str) -> Leaderboard:
    """A leaderboard of one grouping, its columns named as they were asked for."""
    board = assemble(level.inputs, results, undefined)
    for measure in level.columns.values():
        if not measure.coefficient.by_group:
            add_system_level(board, level.inputs, measure.coefficient.name)
    return _rename(board, {measure.shown: column for column, measure in level.columns.items()})


def _rename(board: Leaderboard, names: Mapping[str, str]) -> Leaderboard:
    """A leaderboard with other names of its columns of values."""
    parts = {f"{kind}({shown})": f"{kind}({column})" for kind in KINDS for shown, column in names.items()}
    starred = {shown: column for shown, column in names.items() if shown.endswith("*")}
    for kind in ("epsilon", *AT_BEST):
        parts |= {f"{kind}({shown[:-1]})": f"{kind}({column[:-1]})" for shown, column in starred.items()}
    renamed = Leaderboard(pd.DataFrame(board).rename(columns={**names, **parts}))
    renamed.attrs = board.attrs | {
        "signatures": {names[column]: of_metric for column, of_metric in board.attrs["signatures"].items()}
    }
    return renamed


def _beside_each_other(boards: Sequence[Leaderboard], columns: Sequence[str], rank_by: str) -> Leaderboard:
    """One leaderboard of several: values in the order in which they were asked for, then what belongs to them."""
    first, *others = boards
    rest = [pd.DataFrame(other).loc[first.index].drop(columns="coverage") for other in others]
    made = pd.concat([pd.DataFrame(first), *rest], axis=1)
    order = [name for one in columns for name in (one, f"epsilon({one[:-1]})" if one.endswith("*") else one)]
    order += [f"{kind}({column})" for kind in KINDS for column in columns]
    order += [f"{kind}({column[:-1]})" for kind in AT_BEST for column in columns if column.endswith("*")]
    made = made.iloc[best_first(made[rank_by], below={name for one in boards for name in one.attrs.get("apart", ())})]
    board = Leaderboard(made[[*dict.fromkeys(order), "coverage"]])
    signatures = {name: of_metric for one in boards for name, of_metric in one.attrs["signatures"].items()}
    board.attrs = first.attrs | {"signatures": {name: signatures[name] for name in columns}, "rank_by": rank_by}
    return board


def add_system_level(board: pd.DataFrame, inputs: ComparisonInputs, coefficient: str) -> None:
    """Add the values and ranks of one of `SYSTEM_LEVEL` to a leaderboard, and how to make them again."""
    entry, values, signatures = SYSTEM_LEVEL[coefficient], {}, {}
    for name in board.index:
        values[name] = entry.evaluate(inputs.human_of(name), inputs.metrics[name], inputs.grouping)
        facts = {
            "metric": name,
            "coefficient": coefficient,
            **inputs.selection_of(name),
            "scores": inputs.digests[name],
        }
        facts |= {"grouping": inputs.grouping} if len(entry.groupings) > 1 else {}
        signatures[name] = signature(**facts, seed=0 if entry.seeded else "none")
    board[coefficient] = pd.Series(values)
    board[f"rank({coefficient})"] = _ranks(board[coefficient], inputs)
    board[f"groups({coefficient})"] = board[coefficient].notna().astype(int)
    board[f"undefined({coefficient})"] = board[coefficient].isna().astype(int)
    board.attrs["signatures"][coefficient] = signatures


def assemble(
    inputs: ComparisonInputs, results: Mapping[str, MetricValues], undefined: str, system_level: Sequence[str] = ()
) -> Leaderboard:
    """Average over groups under a policy and rank; what `leaderboard` returns.

    Coefficients of ``system_level`` come last; where there are no others, the rows are sorted by the last of them.
    """
    first = next(iter(results.values()))
    rows: dict[str, dict[str, float]] = {name: {} for name in results}
    signatures: dict[str, dict[str, str]] = {column: {} for column in first.per_group}
    for column in first.per_group:
        among = [result for name, result in results.items() if name not in inputs.apart]
        common = np.all([~np.isnan(result.per_group[column]) for result in among], axis=0)
        for name, result in results.items():
            is_common = undefined == "common" and name not in inputs.apart
            used = result.is_group & common if is_common else result.is_group
            values = result.per_group[column][used]
            n_defined = int(np.count_nonzero(~np.isnan(values)))
            n_groups = n_defined if undefined != "zero" and not result.pooled else values.size
            values = np.array([result.pooled[column]]) if column in result.pooled else values
            rows[name][column] = average_of(values, "zero" if undefined == "zero" else "drop")
            rows[name][f"groups({column})"] = n_groups
            if column.endswith("*"):
                counts = result.counts[column[:-1]]
                rows[name][f"tied({column[:-1]})"] = tied_share(counts)
                policy, which = "zero" if undefined == "zero" else "drop", used[result.is_group]
                entry = pool(COEFFICIENTS[column[:-1]], inputs.average)
                rows[name][f"gain({column[:-1]})"] = gain_over_constant(entry, counts, policy, which)
            rows[name][f"undefined({column})"] = int(np.isnan(result.per_group[column][result.is_group]).sum())
            epsilon = result.epsilon[column[:-1]] if column.endswith("*") else 0.0
            facts: dict[str, object] = {
                "metric": name,
                "coefficient": column,
                "grouping": inputs.grouping,
                "epsilon": epsilon,
            }
            facts |= {"undefined": undefined, "groups": n_groups, **inputs.selection_of(name)}
            facts["scores"] = inputs.digests[name]
            signatures[column][name] = signature(**facts)
    board = pd.DataFrame(list(rows.values()), index=list(rows)).rename_axis("metric")
    for coefficient in first.epsilon:
        found = pd.Series({name: result.epsilon[coefficient] for name, result in results.items()})
        board[f"epsilon({coefficient})"] = found.where(board[f"{coefficient}*"].notna())
    board["coverage"] = [result.coverage for result in results.values()]
    for column in first.per_group:
        board[f"rank({column})"] = _ranks(board[column], inputs)
    board = board.reindex(columns=_column_order(first))
    board.attrs["signatures"] = signatures
    for name in system_level:
        add_system_level(board, inputs, name)
    board.attrs = {}
    sorted_by = list(first.per_group) or system_level
    places = best_first(board[sorted_by[-1]] if sorted_by else pd.Series(0.0, board.index), below=inputs.apart)
    made = Leaderboard(board.iloc[places])
    made.attrs["signatures"] = signatures
    made.attrs |= {} if inputs.cells is None else {**inputs.cells.counts, "apart": inputs.apart}
    return made


def _ranks(values: pd.Series, inputs: ComparisonInputs) -> pd.Series:
    """Ranks of the metrics that are compared with each other."""
    return (
        values.where(~values.index.isin(inputs.apart))
        .round(RANK_DIGITS)
        .rank(ascending=False, method="min")
        .astype("Int64")
    )


def _column_order(result: MetricValues) -> list[str]:
    values = list(result.per_group)
    columns: list[str] = []
    for column in values:
        columns += [column, f"epsilon({column[:-1]})"] if column.endswith("*") else [column]
    for kind in KINDS:
        columns += [f"{kind}({column})" for column in values]
    columns += [f"{kind}({column[:-1]})" for kind in AT_BEST for column in values if column.endswith("*")]
    return [*columns, "coverage"]
