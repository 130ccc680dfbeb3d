"""What of an official ranking is there in a folder?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from tiekit.errors import InputError
from tiekit.labels import check_known
from tiekit.names import as_names
from tiekit.official.added import Added, find_gap
from tiekit.official.preset import metric_kinds
from tiekit.official.selection import NO_REFERENCE, PairScores, available_metrics, read_pair
from tiekit.official.task import Preset, Task
from tiekit.readers import list_mtme
from tiekit.readers._text import Source


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
    found = more
    for name in preset.metrics:
        listed = kinds.get(name, {name})
        if not listed:
            raise InputError(
                f"preset: tiekit has no list of {name} metrics for {preset.testset}; name them, or say all"
            )
        found = found | listed
    return found


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
    usable = _usable_tasks(preset, pairs)
    domains = dict.fromkeys(str(task.domain) for task in preset.tasks if _lacks_domain(task, pairs))
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
    return replace(preset, tasks=usable, partial=preset.partial or bool(missing or gaps)), pairs, notes


def _gaps(preset: Preset, pairs: dict[str, PairScores], added: Added) -> list[str]:
    """Say what added metrics have not scored, and leave it out for every metric."""
    found = []
    for pair, scores in pairs.items():
        humans = any(task.humans for task in preset.tasks if pair in task.language_pairs)
        gone = scores.left_out if humans else scores.left_out | scores.humans
        compared = set(scores.data.systems) - gone
        for name in scores.data.metrics:
            if name.removesuffix(NO_REFERENCE) in added.names:
                gap = find_gap(scores.data, scores.gold, name, compared, pair)
                if gap is not None:
                    found.append(gap.text)
                    pairs[pair] = pairs[pair].without(gap.cells)
    return found


def _check_complete(preset: Preset, missing: Collection[str], partial: bool) -> None:
    if missing and not partial:
        raise InputError(
            f"partial: the folder lacks what {preset.name} needs ({'; '.join(missing)}); add it, or pass partial=True "
            "to use what is there, with the weights divided by their sum"
        )


def _usable_tasks(preset: Preset, pairs: Mapping[str, PairScores]) -> tuple[Task, ...]:
    """The tasks of the language pairs and domains that are there; pooled ones with fewer language pairs."""
    found = []
    for task in preset.tasks:
        kept = tuple(pair for pair in task.language_pairs if pair in pairs)
        name = task.name.replace("+".join(task.language_pairs), "+".join(kept))
        if kept and not _lacks_domain(task, pairs):
            found.append(replace(task, language_pairs=kept, name=name))
    return tuple(found)


def _lacks_domain(task: Task, pairs: Mapping[str, PairScores]) -> bool:
    there = [pairs[pair].data.domains for pair in task.language_pairs if pair in pairs]
    return task.domain is not None and any(task.domain not in domains for domains in there)
