"""What are the tasks of an official ranking, how much do they weigh, and how is it read from a TOML file?"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd

from tiekit.base.errors import InputError, ReadError
from tiekit.core.measure import Measure, get_measure
from tiekit.readers.facts import data_file, metrics_by_kind
from tiekit.significance.schemes import SWAPS

SPLITS = ("language_pair", "domain", "level", "humans", "grouping", "coefficient")
"""Attributes of a task by which weights can be split."""

COMBINATIONS = ("average", "average_rank")
"""What is averaged over tasks: the values, or the ranks of the clusters of each task."""

SOFT_ACCURACIES = ("mtme", "mid-p")
"""Soft pairwise accuracy of mt-metrics-eval, or the one that does not depend on the order of the systems."""

DRAWS = ("independent", "shared")
"""Whether every task draws its own swaps, or tasks that swap the same cells share them."""

POOLED = "system_means/pairwise_accuracy"
"""The measure whose pairs of systems can be pooled over language pairs."""


@dataclass(frozen=True)
class Task:
    """One column of an official ranking.

    Attributes
    ----------
    name : str
        Such as ``"zh-en item/acc_eq*"``.
    language_pairs : tuple of str
        One, or several whose pairs of systems are pooled.
    measure : str
        Such as ``"item/acc_eq*"``. At ``system_means`` each system has one score.
    weight : float
    domain : str or None
        The only domain whose segments count; None is all.
    humans : bool
        Whether human translations that are not the standard reference are ranked among the systems.
    swap : str
        What its significance test swaps, a name of `tiekit.significance.SWAPS`.
    """

    name: str
    language_pairs: tuple[str, ...]
    measure: str
    weight: float = 1.0
    domain: str | None = None
    humans: bool = False
    swap: str = "cells"

    @property
    def parsed(self) -> Measure:
        """Grouping and coefficient."""
        return get_measure(self.measure, None)

    @property
    def of_means(self) -> bool:
        """Whether it compares one score per system, so that segments play no part in it."""
        return self.parsed.of_means

    @property
    def is_soft(self) -> bool:
        """Whether it is soft pairwise accuracy, which compares means of systems but swaps scores of segments."""
        return self.parsed.coefficient.name == "spa"

    @property
    def range(self) -> tuple[float, float]:
        """Smallest and largest value."""
        return self.parsed.coefficient.range

    def attribute(self, name: str) -> object:
        """Look up what weights are split by, a name of `SPLITS`."""
        measure = self.parsed
        return {
            "language_pair": self.language_pairs,
            "domain": self.domain,
            "level": "system" if measure.grouping == "system_means" else "segment",
            "humans": self.humans,
            "grouping": measure.grouping,
            "coefficient": measure.shown,
        }[name]


@dataclass(frozen=True)
class PairRules:
    """What a preset says about one language pair; None is what `tiekit.readers.testset_facts` says."""

    standard_reference: str | None = None
    outliers: tuple[str, ...] | None = None
    close_references: tuple[str, ...] = ()
    gold: str | None = None


@dataclass(frozen=True)
class Preset:
    """An official ranking as data: which tasks, with which weights, of which test set.

    Attributes
    ----------
    name, title, reference : str
        A short name, a full one, and the paper or program that defines the ranking.
    testset : str
    tasks : tuple of Task
    combine, map_correlations, metrics, language_pairs, spa, draws
        As `read_preset` explains them.
    partial : bool
        Whether some tasks or language pairs were left out.
    """

    name: str
    title: str
    reference: str
    testset: str
    tasks: tuple[Task, ...]
    combine: str = "average"
    map_correlations: bool = False
    metrics: tuple[str, ...] = ("all",)
    language_pairs: Mapping[str, PairRules] = field(default_factory=dict)
    partial: bool = False
    spa: str = "mid-p"
    draws: str = "shared"

    @property
    def weights(self) -> dict[str, float]:
        """The tasks' weights by name, adding up to 1."""
        total = sum(task.weight for task in self.tasks)
        return {task.name: task.weight / total for task in self.tasks}

    @property
    def mapped(self) -> tuple[str, ...]:
        """The tasks whose value r is averaged as (r + 1)/2."""
        return tuple(task.name for task in self.tasks if self.map_correlations and task.range == (-1.0, 1.0))


def split_weights(tasks: Sequence[Task], by: Sequence[str]) -> tuple[Task, ...]:
    """Split a weight of 1 equally over the values of the first attribute, each share over those of the second, ….

    Tasks that differ in none of the attributes share what is left equally.
    """
    keys = [tuple(task.attribute(name) for name in by) for task in tasks]
    shares = [1 / keys.count(key) for key in keys]
    for place, key in enumerate(keys):
        for depth in reversed(range(len(by))):
            shares[place] /= len({other[: depth + 1] for other in keys if other[:depth] == key[:depth]})
    return tuple(replace(task, weight=share) for task, share in zip(tasks, shares, strict=True))


PRESETS = ("wmt22", "wmt23", "wmt24", "wmt24_on_wmt23", "wmt25")
"""The official rankings that tiekit knows by name."""

_TOP = ("title", "reference", "testset", "metrics", "combine", "map_correlations", "split", "spa", "draws", "tasks")
_TASK = ("name", "pool", "language_pair", "domain", "humans", "measure", "swap", "weight")
_PAIR = ("standard_reference", "outliers", "close_references", "gold")


def read_preset(preset: str | Path) -> Preset:
    """Read the definition of an official ranking.

    Parameters
    ----------
    preset : str or path
        A name of `PRESETS`, or a TOML file with these keys:

        - ``testset`` (required): the folder of the test set, such as ``"wmt23"``.
        - ``[[tasks]]`` (at least one), each with ``measure`` (``"item/acc_eq*"``) and with ``language_pair``, or
          ``pool``: the language pairs whose pairs of systems count together, for ``"system_means/pairwise_accuracy"``
          alone. Optional: ``domain`` (``"all"``); ``humans`` (false), whether human translations that are not the
          standard reference are ranked; ``swap``, what the significance test swaps (``"pairs"`` for a measure with a
          star and otherwise ``"cells"``, as at WMT); ``weight`` (1); ``name``. Where ``language_pair``, ``domain``,
          ``humans`` or ``measure`` is a list, there is one task for every combination.
        - ``title``, ``reference``: what it is and who defined it.
        - ``metrics`` (``"all"``): the words ``primary``, ``baseline`` and ``all``, or base names such as
          ``"COMET-22"``; one or a list. The primary metrics and the baselines are those that WMT lists.
        - ``combine`` (``"average"``): ``"average_rank"`` averages the ranks of each task's clusters instead.
        - ``map_correlations`` (false): whether coefficients from -1 to 1 are averaged as (r + 1)/2, as WMT23 did.
          Without it r itself is averaged, and correlations count twice as much beside accuracies.
        - ``spa`` (``"mid-p"``): which soft pairwise accuracy; ``"mtme"`` is WMT's, see `official_ranking`.
        - ``draws`` (``"shared"``): whether tasks that swap the same cells swap them alike in the test of the average;
          ``"independent"`` is WMT's way, see `official_ranking`.
        - ``split``: instead of weights, attributes by which a weight of 1 is split equally, one after the other:
          ``language_pair``, ``domain``, ``level``, ``humans``, ``grouping``, ``coefficient``.
        - ``[language_pairs.zh-en]``: ``standard_reference``, ``outliers``, ``gold``, where tiekit's table of test sets
          does not say them or says something else, and ``close_references``, which are left out, too.

    Returns
    -------
    Preset

    Raises
    ------
    ReadError
        If the file breaks a rule; the message names the file, the key and the rule.
    InputError
        If there is no such preset.

    Examples
    --------
    >>> wmt23 = read_preset("wmt23")
    >>> wmt23.tasks[0].name, wmt23.weights[wmt23.tasks[0].name], len(wmt23.mapped)
    ('en-de+he-en+zh-en system_means/pairwise_accuracy', 0.25, 6)
    """
    if isinstance(preset, str) and preset in PRESETS:
        return _read_bundled(preset)
    path = Path(preset) if isinstance(preset, str | Path) else None
    if path is None or path.suffix != ".toml":
        raise InputError(f"preset: must be one of {', '.join(PRESETS)}, or the path of a .toml file, found {preset!r}")
    return _read(path)


@cache
def _read_bundled(name: str) -> Preset:
    return _read(data_file(f"official/{name}.toml"))


def metric_kinds(testset: str) -> dict[str, set[str]]:
    """Base names of the primary metrics and of the baselines of a test set, of all language pairs together."""
    of_pairs = metrics_by_kind().get(testset, {}).values()
    return {kind: {name for names in of_pairs for name in names[kind]} for kind in ("primary", "baseline")}


def _read(path: Path) -> Preset:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ReadError(str(path), f"cannot be read ({error})") from error
    except tomllib.TOMLDecodeError as error:
        raise ReadError(str(path), f"is not TOML ({error})") from error
    top = _Section(path, "", table, (*_TOP, "language_pairs"))
    tasks = _tasks(path, top.get("tasks", list, []))
    if "split" in table:
        if any("weight" in entry for entry in table["tasks"]):
            raise top.error("split", "splits the weights, so no task may have a weight")
        tasks = split_weights(tasks, [top.one_of("split", name, SPLITS) for name in top.names("split")])
    pairs = top.get("language_pairs", dict, {})
    return Preset(
        name=path.stem,
        title=top.get("title", str, path.stem),
        reference=top.get("reference", str, ""),
        testset=top.get("testset", str),
        tasks=tasks,
        combine=top.one_of("combine", top.get("combine", str, "average"), COMBINATIONS),
        map_correlations=top.get("map_correlations", bool, False),
        metrics=tuple(top.names("metrics", ["all"])),
        spa=top.one_of("spa", top.get("spa", str, "mid-p"), SOFT_ACCURACIES),
        draws=top.one_of("draws", top.get("draws", str, "shared"), DRAWS),
        language_pairs={pair: _rules(path, pair, rules) for pair, rules in pairs.items()},
    )


class _Section:
    """One table of the file, whose keys are looked up with their rules."""

    def __init__(self, path: Path, place: str, table: object, known: tuple[str, ...]) -> None:
        self.path, self.place = path, place
        if not isinstance(table, dict):
            raise ReadError(str(path), f"{place.rstrip('.')}: must be a table, found {table!r}")
        self.table: dict[str, Any] = table
        for key in table:
            if key not in known:
                raise self.error(key, f"is an unknown key; known: {', '.join(known)}")

    def error(self, key: str, rule: str) -> ReadError:
        return ReadError(str(self.path), f"{self.place}{key}: {rule}")

    def get(self, key: str, kind: type, default: Any = None) -> Any:
        """The value of a key; without a default it must be there."""
        value = self.table.get(key, default)
        if value is None:
            raise self.error(key, "is missing")
        if not isinstance(value, kind) or (kind is str and key != "reference" and not value):
            words = {str: "text", bool: "true or false", dict: "a table", list: "a list of tables ([[tasks]])"}
            raise self.error(key, f"must be {words[kind]}, found {value!r}")
        return value

    def names(self, key: str, default: list[str] | None = None) -> list[str]:
        """One text, or a list of texts, each once."""
        value = self.table.get(key, default)
        found = [value] if isinstance(value, str) else value
        if not isinstance(found, list) or not found or not all(isinstance(one, str) and one for one in found):
            raise self.error(key, f"must be text or a list of texts, found {value!r}")
        if len(set(found)) < len(found):
            raise self.error(key, f"names something twice: {', '.join(found)}")
        return found

    def one_of(self, key: str, value: str, allowed: tuple[str, ...]) -> str:
        if value not in allowed:
            raise self.error(key, f"must be one of {', '.join(allowed)}, found {value!r}")
        return value


def _rules(path: Path, pair: str, table: object) -> PairRules:
    rules = _Section(path, f"language_pairs.{pair}.", table, _PAIR)
    found: dict[str, Any] = {key: rules.get(key, str) for key in ("standard_reference", "gold") if key in rules.table}
    lists = [key for key in ("outliers", "close_references") if key in rules.table]
    found |= {key: tuple(rules.names(key)) if rules.table[key] or key != "outliers" else () for key in lists}
    return PairRules(**found)


def _tasks(path: Path, entries: list[object]) -> tuple[Task, ...]:
    if not entries:
        raise ReadError(str(path), "tasks: there must be at least one")
    tasks = [task for number, entry in enumerate(entries, 1) for task in _expand(path, f"tasks {number}.", entry)]
    named = [task.name for task in tasks]
    for place, task in enumerate(tasks):
        if task.humans and named.count(task.name) > 1:
            tasks[place] = replace(task, name=f"{task.name} humans")
    named = [task.name for task in tasks]
    for name in (name for name in named if named.count(name) > 1):
        raise ReadError(str(path), f"tasks: {name!r} occurs twice; give each a name")
    return tuple(tasks)


def _expand(path: Path, place: str, entry: object) -> list[Task]:
    """The tasks of one entry: one for every combination of its lists."""
    section = _Section(path, place, entry, _TASK)
    if ("pool" in section.table) == ("language_pair" in section.table):
        raise section.error("language_pair", "there must be either this or pool")
    pooled = "pool" in section.table
    pairs = [tuple(section.names("pool"))] if pooled else [(pair,) for pair in section.names("language_pair")]
    humans = section.table.get("humans", False)
    humans = humans if isinstance(humans, list) else [humans]
    if not humans or not all(isinstance(one, bool) for one in humans):
        raise section.error("humans", f"must be true, false or [true, false], found {section.table['humans']!r}")
    weight = section.table.get("weight", 1)
    if not isinstance(weight, int | float) or isinstance(weight, bool) or not 0 < weight < float("inf"):
        raise section.error("weight", f"must be a number above 0, found {weight!r}")
    every = product(pairs, section.names("domain", ["all"]), section.names("measure"), humans)
    found = [_task(section, *one, float(weight)) for one in every]
    if "name" in section.table and len(found) > 1:
        raise section.error("name", f"names {len(found)} tasks; a task with a name has no lists")
    return found


def _task(section: _Section, pairs: tuple[str, ...], domain: str, measure: str, humans: bool, weight: float) -> Task:
    """Check one task."""
    try:
        parsed = get_measure(measure, None)
    except InputError as error:
        raise section.error("measure", str(error)) from error
    if len(pairs) > 1 and parsed.name != POOLED:
        raise section.error("measure", f"only {POOLED} can be pooled, found {measure!r}")
    usual = "pairs" if parsed.calibrated else "cells"
    allowed = tuple(name for name, scheme in SWAPS.items() if not (scheme.needs_documents or scheme.of_means))
    swap = section.one_of("swap", section.get("swap", str, usual), allowed)
    words = ["+".join(pairs), *([] if domain == "all" else [domain]), parsed.name]
    name = section.get("name", str, " ".join(words))
    task = Task(name, pairs, parsed.name, weight, None if domain == "all" else domain, humans, swap)
    if task.of_means and SWAPS[swap].needs_systems:
        raise section.error("swap", f"{measure} has one score per system, so it must be cells, found {swap!r}")
    if swap == "pairs" and not (parsed.coefficient.of_pairs or parsed.name == POOLED):
        raise section.error("swap", f"{measure} is not computed from outcomes of pairs, so it must not be 'pairs'")
    return task


PRINTED = {
    "wmt23": "wmt23_official.csv",
    "wmt23_segments": "wmt23_segments.csv",
    "wmt24": "wmt24_metricx.csv",
    "wmt24_on_wmt23": "wmt24_on_wmt23.csv",
}
"""The tables, each in a file of data/papers."""


def printed_values(table: str = "wmt23") -> pd.DataFrame:
    """Return the values that some metrics have in the tasks of an official ranking.

    Parameters
    ----------
    table : {"wmt23", "wmt23_segments", "wmt24", "wmt24_on_wmt23"}
        The primary metrics and the baselines of WMT23 (32) in its ten tasks; 38 metrics in its six tasks of segments;
        MetricX-24 in the six tasks of WMT24; the 32 metrics in the same tasks on the test sets of 2023. The first and
        the last are computed from the public scores, six decimals; the others are as printed, three. The sources are in
        data/papers/README.md.

    Returns
    -------
    DataFrame
        Indexed by metric: ``average``, then a column per task, named as in `read_preset`.

    Raises
    ------
    InputError
        For an unknown table.

    Examples
    --------
    >>> from tiekit.official import average_tasks, read_preset
    >>> printed, rules = printed_values("wmt23"), read_preset("wmt23")
    >>> tasks = printed.drop(columns="average")
    >>> average_tasks(tasks, rules.weights, rules.mapped)["average"].round(3).head(2).to_dict()
    {'XCOMET-Ensemble': 0.825, 'XCOMET-QE-Ensemble': 0.808}
    >>> float(printed.loc["XCOMET-Ensemble", "average"])
    0.824556
    """
    if table not in PRINTED:
        raise InputError(f"table: must be one of {', '.join(PRINTED)}, found {table!r}")
    return pd.read_csv(data_file(f"papers/{PRINTED[table]}"), index_col="metric").drop(columns="source")
