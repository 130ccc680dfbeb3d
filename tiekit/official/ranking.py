"""What of an official ranking is there in a folder?"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from tiekit.base.errors import InputError
from tiekit.base.names import as_names, check_known
from tiekit.base.parallel import Progress, part_of, run_parts, showing
from tiekit.base.validation import check_count, check_probability, check_stop_early, seed_of
from tiekit.official.preset import SOFT_ACCURACIES, Preset, Task, metric_kinds, read_preset
from tiekit.official.result import OfficialRanking, average_tasks
from tiekit.official.selection import (
    NO_REFERENCE,
    Add,
    Added,
    PairScores,
    available_metrics,
    read_pair,
    shown_name,
    sort_added,
)
from tiekit.official.task_tests import (
    AverageTest,
    TaskScores,
    cluster,
    compare_in_task,
    sharing,
    square,
    task_seeds,
)
from tiekit.readers import Source, list_mtme
from tiekit.significance.permutation import StopEarly
from tiekit.significance.schemes import check_kind


def language_pairs(preset: Preset) -> list[str]:
    """All language pairs of a preset."""
    return list(dict.fromkeys(pair for task in preset.tasks for pair in task.language_pairs))


def wanted_metrics(preset: Preset, metrics: str | Iterable[str] | None, added: Added) -> set[str] | None:
    """Base names of the metrics of the folder to rank; None is all."""
    more = set(added.names) - set(added.sources)
    if metrics is not None:
        return set(as_names(metrics, "metrics")) | more
    if "all" in preset.metrics:
        return None
    kinds = metric_kinds(preset.testset)
    listed = {name: kinds.get(name, {name}) for name in preset.metrics}
    for name in (name for name, names in listed.items() if not names):
        raise InputError(f"preset: tiekit has no list of {name} metrics for {preset.testset}; name them, or say all")
    return more.union(*listed.values())


def choose_tasks(preset: Preset, tasks: str | Iterable[str] | None) -> Preset:
    """Keep the named tasks."""
    if tasks is None:
        return preset
    names = as_names(tasks, "tasks")
    check_known("tasks", names, [task.name for task in preset.tasks], "task")
    kept = tuple(task for task in preset.tasks if task.name in names)
    if not kept:
        raise InputError("tasks: there must be at least one")
    return replace(preset, tasks=kept, partial=preset.partial or len(kept) < len(preset.tasks))


def read_scores(
    root: Source, preset: Preset, wanted: set[str] | None, added: Added, partial: bool
) -> tuple[Preset, dict[str, PairScores], list[str]]:
    """Read all scores of a preset: its tasks as far as they are there, scores by language pair, and what is missing."""
    needed = language_pairs(preset)
    there = [pair for pair in needed if pair in list_mtme(root).get(preset.testset, ())]
    missing = []
    if len(there) < len(needed):
        missing.append(f"language pairs: {', '.join(pair for pair in needed if pair not in there)}")
    if there and wanted is not None:
        known = set().union(*(available_metrics(root, preset, pair) for pair in there))
        if wanted - known:
            missing.append(f"metrics: {', '.join(sorted(wanted - known))}")
    missing += added.lacks(there)
    if not there:
        raise InputError(f"root: has no human and metric scores of {preset.testset} for {', '.join(needed)}")
    _check_complete(preset, missing, partial)
    pairs = {pair: read_pair(root, preset, pair, wanted, added) for pair in there}
    gaps = _gaps(preset, pairs, added)
    if gaps and not partial:
        raise InputError(
            f"partial: {preset.name} compares all metrics on the same translations, but {'; '.join(gaps)}; add the "
            "scores, or pass partial=True to leave these translations out for every metric"
        )
    usable: list[Task] = []
    domains: dict[str, None] = {}
    for task in preset.tasks:  # pooled ones with fewer language pairs
        kept = tuple(pair for pair in task.language_pairs if pair in pairs)
        if task.domain is not None and any(task.domain not in pairs[pair].data.domains for pair in kept):
            domains[task.domain] = None
        elif kept:
            name = task.name.replace("+".join(task.language_pairs), "+".join(kept))
            usable.append(replace(task, language_pairs=kept, name=name))
    if domains:
        missing.append(f"domains: {', '.join(domains)}")
        _check_complete(preset, missing, partial)
    if not usable:
        raise InputError(f"root: has the scores of no task of {preset.name}")
    notes = [f"missing in the folder, and left out: {what}" for what in missing]
    if sum(task.weight for task in usable) < sum(task.weight for task in preset.tasks):
        notes.append(f"{len(usable)} of {len(preset.tasks)} tasks were used; their weights were divided by their sum")
    notes += [
        f"{gap}; left out for every metric, so no value of that language pair is the official one" for gap in gaps
    ]
    notes += [note for scores in pairs.values() for note in scores.data.notes]
    return replace(preset, tasks=tuple(usable), partial=preset.partial or bool(missing or gaps)), pairs, notes


def _gaps(preset: Preset, pairs: dict[str, PairScores], added: Added) -> list[str]:
    """Say what added metrics have not scored, and leave it out for every metric."""
    found = []
    for pair, scores in pairs.items():
        humans = any(task.humans for task in preset.tasks if pair in task.language_pairs)
        for name in scores.data.metrics:
            if name.removesuffix(NO_REFERENCE) in added.names:
                text, cells = scores.gap_of(name, pair, humans=humans)
                found += [text] if text else []
                pairs[pair] = pairs[pair].without(cells)
    return found


def _check_complete(preset: Preset, missing: Collection[str], partial: bool) -> None:
    if missing and not partial:
        raise InputError(
            f"partial: the folder lacks what {preset.name} needs ({'; '.join(missing)}); add it, or pass partial=True "
            "to use what is there, with the weights divided by their sum"
        )


def official_ranking(
    root: Source,
    preset: str | Path = "wmt23",
    *,
    metrics: str | Iterable[str] | None = None,
    add: Add = (),
    lower_is_better: str | Iterable[str] = (),
    tasks: str | Iterable[str] | None = None,
    spa: str | None = None,
    compare: bool = True,
    partial: bool = False,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
    stop_early: StopEarly = (0.02, 0.5),
    alpha: float = 0.05,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
) -> OfficialRanking:
    """Rank metrics by the rules of a WMT metrics task: its tasks, weights, systems, metrics and tests.

    In every task the systems are those with a human score, without the standard reference and the outliers, and
    without other human translations where the task says so. The metrics are the primary ones that read no reference
    but the standard one. System scores come from the files ``.sys.score`` (``.domain.score``); without such a file a
    system's score is the mean of its segments.

    Parameters
    ----------
    root : path, or mapping of str to bytes
        The folder that holds the folders of the test sets in the layout of mt-metrics-eval v2, see `read_mtme`.
    preset : str or path
        ``"wmt22"`` (average rank over 201 tasks), ``"wmt23"`` (weighted average of 10 values), ``"wmt24"`` (mean of
        6), ``"wmt24_on_wmt23"``, ``"wmt25"`` (mean of 32), or a TOML file of your own, see `read_preset`.
    metrics : str or iterable of str, optional
        Base names of the metrics to rank (``"COMET-22"``); None is what the preset says.
    add : str, iterable of str, or mapping of str to source
        Metrics to rank beside those, such as your own: base names of metrics of the folder, or by the name of the
        metric its scores: a folder with one file per language pair, whose name or folder has the language pair in it
        (``mine.en-de.tsv``, ``en-de/mine.seg.score``), a mapping of language pairs to files, or a file alone where
        there is only one language pair. Files are read and aligned as by `EvalSet.with_scores`; the score of a system
        is the mean of its segments.
    lower_is_better : str or iterable of str
        Metrics with files in ``add`` whose scores are negated, so that higher is better.
    tasks : str or iterable of str, optional
        Names of the preset's tasks to use; the weights are divided by their sum.
    spa : {"mtme", "mid-p"}, optional
        Which soft pairwise accuracy: ``"mtme"`` is WMT's, as mt-metrics-eval computes it, ``"mid-p"`` the one of
        `tiekit.measures.soft_pairwise_accuracy`. None is what the preset says: WMT's in the five presets, and in a file
        of your own ``"mid-p"`` unless it has ``spa = "mtme"``.
    compare : bool
        Whether significance is tested. Without it there are no p-values, and every difference counts where ranks are
        averaged.
    partial : bool
        Use what is there where language pairs, domains or metrics are missing; the weights are divided by their sum.
        Where a metric of ``add`` lacks scores of translations that are compared, such as those by people, leave these
        out for every metric: what is compared is compared on the same translations.
    n_resamples : int
        Number of random resamples per task and pair of metrics.
    rng, n_jobs, progress
        As for `tiekit.significance.compare_metrics`.
    stop_early : pair of float, or None
        After every 64 resamples, stop if the p-value of the task lies outside this range, as WMT does; None: never.
        Tasks that share their draws are not stopped.
    alpha : float
        A p-value of at most this is significant.

    Returns
    -------
    OfficialRanking

    Raises
    ------
    InputError
        For unknown tasks, and where language pairs, domains or metrics of the preset, or scores of a metric in
        ``add``, are missing without ``partial``; the message lists them. For files that do not align.
    ReadError
        If a file breaks a rule.

    Notes
    -----
    Within a task the test swaps the scores of two metrics cell by cell, each with probability 1/2, after
    standardization (WMT's PERM-BOTH). For acc_eq* it swaps outcomes of pairs instead, at each metric's own threshold;
    that test finds differences far too often (see `tiekit.significance.SWAPS`), but it is WMT's. The average is tested
    on the tasks' resamples: its differences are the weighted sums of the tasks' differences. All tests ask whether the
    better metric is better, so that of two metrics without a true difference one is found better in 10 % of cases at
    ``alpha=0.05``.

    In WMT's program, and with ``draws = "independent"`` in a preset, every task draws its own swaps, as if two tasks of
    one language pair were made from different scores. So differences of the average are found too often: between two
    metrics without a true difference in 16 to 20 % of cases where a language pair has two tasks, in 17 to 21 % where it
    has three. With ``draws = "shared"``, the default of a file of your own, tasks of a language pair that swap the same
    cells swap them alike (12 % with two tasks, as with one); scores of systems and scores of segments are different
    cells, and so are outcomes of pairs.

    Soft pairwise accuracy is mt-metrics-eval's for ``spa="mtme"``: from its swaps, with an equal lead of two systems
    counted as a larger one. It depends on the order of the systems, which in that program changes from run to run;
    here it is that of their names. ``"mid-p"`` counts an equal lead half, so that the order does not matter. Either is
    tested with the leads of systems taken as normally distributed. A p-value is (c + 1)/(n + 1), never 0 as in WMT's
    program.

    References
    ----------
    Freitag et al. (2022), aclanthology.org/2022.wmt-1.2; Freitag et al. (2023), aclanthology.org/2023.wmt-1.51;
    Freitag et al. (2024), aclanthology.org/2024.wmt-1.2; Lavie et al. (2025), aclanthology.org/2025.wmt-1.24;
    mt-metrics-eval: mt_metrics_eval/tasks.py.

    Examples
    --------
    >>> scores = {"toy/human-scores/en-de.mqm.seg.score": b"A 1\\nA 2\\nB 3\\nB 1\\nC 3\\nC 4\\n",
    ...           "toy/metric-scores/en-de/chrF-refA.seg.score": b"A 5\\nA 7\\nB 6\\nB 6\\nC 7\\nC 8\\n",
    ...           "toy/metric-scores/en-de/QE-src.seg.score": b"A 3\\nA 2\\nB 2\\nB 1\\nC 1\\nC 0\\n"}
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     own = pathlib.Path(folder, "mine.toml")
    ...     _ = own.write_text('''testset = "toy"
    ... [[tasks]]
    ... language_pair = "en-de"
    ... measure = ["system_means/pairwise_accuracy", "item/acc_eq"]''')
    ...     found = official_ranking(scores, own, compare=False)
    >>> found.to_frame()[["average", "rank"]]
                average  rank
    metric
    chrF       0.750000     1
    QE[noref]  0.083333     2
    """
    check_count("n_resamples", n_resamples)
    alpha, stop_early = check_probability("alpha", alpha), check_stop_early(stop_early)
    rules, seed = choose_tasks(read_preset(preset), tasks), seed_of(rng)
    rules = rules if spa is None else replace(rules, spa=check_kind("spa", spa, SOFT_ACCURACIES))
    added = sort_added(add, language_pairs(rules), lower_is_better)
    rules, pairs, notes = read_scores(root, rules, wanted_metrics(rules, metrics, added), added, partial)
    names = sorted({name for pair in pairs.values() for name in pair.metrics})
    every_two = list(combinations(names, 2)) if compare else []
    with showing(progress, "rank") as told:
        how = n_resamples, seed, stop_early, alpha, n_jobs, told
        values, clusters, test = _evaluate_tasks(rules, pairs, names, every_two, *how)
    by_rank = rules.combine == "average_rank"
    board = average_tasks(clusters if by_rank else values, rules.weights, rules.mapped, lower_is_better=by_rank)
    average, of_average, between = board["average"], pd.Series(pd.NA, board.index, "Int64"), None
    if every_two and not by_rank:
        of_average = cluster(average[names], test.pvalues(), alpha)[board.index]
        between = square(test.pvalues(), names, list(board.index))
    shown = {name: shown_name(name, rules) for name in board.index}
    undefined = [shown[name] for name in board.index if pd.isna(average[name])]
    notes += [f"no average, because a task has no value: {', '.join(undefined)}"] if undefined else []
    return OfficialRanking(
        preset=rules,
        average=average.rename(shown),
        clusters=of_average.rename(shown),
        task_values=values.loc[board.index].rename(shown).rename_axis("metric"),
        task_clusters=clusters.loc[board.index].rename(shown).rename_axis("metric"),
        pvalues=None if between is None else between.rename(index=shown, columns=shown),
        notes=tuple(dict.fromkeys(notes)),
        n_resamples=n_resamples if every_two else 0,
        stop_early=stop_early if every_two else None,
        alpha=alpha,
        seed=seed,
        digest=hashlib.sha256("".join(pair.data.digest for pair in pairs.values()).encode()).hexdigest(),
    )


def _evaluate_tasks(
    rules: Preset,
    pairs: Mapping[str, PairScores],
    names: list[str],
    every_two: Sequence[tuple[str, str]],
    n_resamples: int,
    seed: int,
    stop_early: StopEarly,
    alpha: float,
    n_jobs: int | None,
    progress: Progress | None,
) -> tuple[pd.DataFrame, pd.DataFrame, AverageTest]:
    """Values and clusters, one column per task, and the test of the average, to which every task is added."""
    test, seeds = AverageTest(len(every_two), n_resamples), task_seeds(rules.tasks, seed, rules.draws)
    shares, rated_only = sharing(seeds), rules.draws == "shared"
    values, clusters = pd.DataFrame(index=names), pd.DataFrame(index=names)
    for number, task in enumerate(rules.tasks):
        blocks = tuple(pairs[pair].block_of(task, rated_only=rated_only) for pair in task.language_pairs)
        scores = TaskScores(task, blocks, rules.spa)
        known = run_parts(TaskScores.value, (scores,), names, n_jobs=n_jobs)
        found = pd.Series(dict(zip(names, known, strict=True)), dtype=np.float64)
        pvalues = None
        if every_two:
            part = part_of(progress, number, len(rules.tasks))
            stop = None if shares[number] else stop_early
            tested = compare_in_task(scores, every_two, n_resamples, seeds[number], stop, n_jobs, part)
            test.add(tested, rules.weights[task.name] * (0.5 if task.name in rules.mapped else 1.0))
            pvalues = tested.pvalues
        elif progress is not None:
            progress((number + 1) / len(rules.tasks))
        values[task.name], clusters[task.name] = found, cluster(found, pvalues, alpha)
    return values, clusters, test
