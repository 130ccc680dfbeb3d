"""Whose files are added to an official ranking, which file is of which language pair, and what do they not score?"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError, ReadError
from tiekit.base.names import as_names, check_known
from tiekit.base.validation import FloatArray
from tiekit.core.grouping import row_means
from tiekit.official.preset import PairRules, Preset, Task, metric_kinds
from tiekit.official.task_tests import Block
from tiekit.readers import Facts, Files, Source, parse_scores, read_mtme, testset_facts
from tiekit.sets.evalset import EvalSet

Add: TypeAlias = str | Iterable[str] | Mapping[str, Any]
"""Names of metrics of the folder, or files of one's own by the name of the metric; None for one of the folder."""


@dataclass(frozen=True)
class Added:
    """Metrics that are ranked beside those of a preset; of ``negated`` ones lower is better.

    ``sources`` are those with files of their own, by name and language pair as `EvalSet.with_scores` takes them.
    """

    names: tuple[str, ...]
    sources: Mapping[str, Mapping[str, Any]]
    negated: frozenset[str] = frozenset()

    def lacks(self, pairs: Sequence[str]) -> list[str]:
        """The language pairs for which a metric has no file, one text per metric."""
        found = {name: [pair for pair in pairs if pair not in own] for name, own in self.sources.items()}
        return [f"files of {name} for {', '.join(gone)}" for name, gone in found.items() if gone]

    def join(self, data: EvalSet, pair: str) -> EvalSet:
        """Put the scores of one language pair beside those of the folder."""
        for name, own in self.sources.items():
            if pair in own:
                known = len(data.notes)
                try:
                    data = data.with_scores(own[pair], name=name, lower_is_better=name in self.negated)
                except InputError as error:
                    raise InputError(f"add: {name}, {pair}: {str(error).removeprefix('source: ')}") from error
                notes = (*data.notes[:known], *(f"{pair}: {note}" for note in data.notes[known:]))
                data = replace(data, notes=notes)
        return data


def sort_added(add: Add, pairs: Sequence[str], lower_is_better: str | Iterable[str] = ()) -> Added:
    """Find the names that are added, and the files of each language pair of a preset."""
    named: Mapping[str, Any] = add if isinstance(add, Mapping) else dict.fromkeys(as_names(add, "add"))
    sources = {name: _by_pair(name, one, pairs) for name, one in named.items() if one is not None}
    negated = as_names(lower_is_better, "lower_is_better")
    check_known("lower_is_better", negated, list(sources), "metric with a file in add named")
    return Added(tuple(named), sources, frozenset(negated))


def _by_pair(name: str, source: Any, pairs: Sequence[str]) -> dict[str, Any]:
    """The sources of each language pair: of a folder, or of several files, by the language pair in their names."""
    files: dict[str, Any] = {}
    if isinstance(source, Mapping):
        there = {key: content for key, content in source.items() if content is not None}
        files = {key: {key: one} if isinstance(one, bytes) else one for key, one in there.items()}
    elif isinstance(source, str | Path):
        root = Path(source)
        inside = {path.relative_to(root): path for path in sorted(root.rglob("*")) if path.is_file()}
        shown = {str(name): path for name, path in inside.items() if not any(part[0] == "." for part in name.parts)}
        files = shown if root.is_dir() else {root.name: source}
    found: dict[str, list[Any]] = {}
    of_segments = {file: one for file, one in files.items() if not file.removesuffix(".gz").endswith(".sys.score")}
    for file, content in (of_segments or files).items():
        pair = pair_of(file, pairs)
        if pair is not None:
            found.setdefault(pair, []).append(content)
    for pair, contents in found.items():  # several on disk, such as one per system, are one source
        if len(contents) > 1 and not all(isinstance(one, str | Path) for one in contents):
            raise InputError(f"add: {name} has {len(contents)} files for {pair}; keep one of them")
    if not found and len(pairs) > 1:
        raise InputError(
            f"add: {name} must have one file per language pair, with the pair in its name ({name}.{pairs[0]}.tsv), of "
            f"{', '.join(pairs)}; found {', '.join(files) or type(source).__name__}"
        )
    by_pair = {pair: contents if len(contents) > 1 else contents[0] for pair, contents in found.items()}
    return by_pair or {pairs[0]: source}


def pair_of(file: str, pairs: Collection[str]) -> str | None:
    """The language pair that stands in the name of a file; of several, such as en-cs and en-cs_CZ, the longest."""

    def plain(text: str) -> str:
        return text.casefold().replace("_", "-")

    inside = [pair for pair in pairs if re.search(rf"(?<![a-z0-9]){re.escape(plain(pair))}(?![a-z0-9])", plain(file))]
    return max(inside, key=len) if inside else None


NO_REFERENCE = "[noref]"
"""After the name of a metric that reads no reference."""

_METRIC_FILE = re.compile(r"(?P<name>.+)\.(?P<level>seg|sys)\.score(\.gz)?")
_REFERENCES = re.compile(r"(?P<base>.+)-(?P<used>src|all|(ref|postedit)[^-]*)")
_HUMAN = re.compile(r"ref[A-Z]?|post-?edit[A-Z]?", re.IGNORECASE)


@dataclass(frozen=True)
class PairScores:
    """The scores of one language pair, of all systems; metrics are named as they are shown, ``COMETKiwi[noref]``.

    ``left_out`` are systems that are never ranked: standard reference, close references, outliers; ``humans`` are human
    translations among the others. ``means`` by metric (None: human) and domain stand in files of their own.
    """

    data: EvalSet
    gold: str
    left_out: frozenset[str]
    humans: frozenset[str]
    means: Mapping[tuple[str | None, str | None], FloatArray] = field(default_factory=dict)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that have a score of segments or of systems."""
        return tuple(dict.fromkeys([*self.data.metrics, *(name for name, _ in self.means if name is not None)]))

    def without(self, cells: NDArray[np.bool_]) -> PairScores:
        """Leave some translations out for every metric, as if no human had scored them."""
        human = np.where(cells, np.nan, self.data.human[self.gold])
        return replace(self, data=replace(self.data, human={**self.data.human, self.gold: human}))

    def gap_of(self, name: str, pair: str, *, humans: bool) -> tuple[str, NDArray[np.bool_]]:
        """Say what a metric has not scored of the translations that are compared, and mark it; no words for nothing."""
        gone = self.left_out if humans else self.left_out | self.humans
        rows = np.array([system not in gone for system in self.data.systems])
        rated = ~np.isnan(self.data.human[self.gold]) & rows[:, None]
        cells = rated & np.isnan(self.data.metrics[name])
        whole = (cells == rated).all(axis=1) & rated.any(axis=1)
        systems = ", ".join(np.array(self.data.systems)[whole])
        parts = [f"of {systems}"] if systems else []
        if single := int(cells[~whole].sum()):
            parts.append(f"of {single:,} of {int(rated[~whole].sum()):,} translations")
        return f"{pair}: {name} has no score {' and '.join(parts)}" if parts else "", cells

    def block_of(self, task: Task, *, rated_only: bool = False) -> Block:
        """The human scores of a task and each metric's: systems × segments, or one row with a score per system.

        Only systems with a human score are kept; with ``rated_only`` only such segments, too.
        """
        columns = np.array([task.domain in (None, domain) for domain in self.data.domains or (None,)])
        columns = columns if self.data.domains else np.full(len(self.data.segments), task.domain is None)
        rated = self.data.human[self.gold][:, columns]
        gone = self.left_out if task.humans else self.left_out | self.humans
        rows = np.array([name not in gone for name in self.data.systems]) & ~np.isnan(rated).all(axis=1)
        systems = tuple(np.array(self.data.systems)[rows].tolist())
        if task.of_means:
            means = {name: self._means(name, task.domain, columns)[None, rows] for name in self.metrics}
            return Block(self._means(None, task.domain, columns)[None, rows], means, systems)
        if rated_only:
            columns[columns] = ~np.isnan(rated[rows]).all(axis=0)
        cells = np.ix_(rows, columns)
        scores = {name: scores[cells] for name, scores in self.data.metrics.items()}
        return Block(self.data.human[self.gold][cells], scores, systems)

    def _means(self, metric: str | None, domain: str | None, columns: NDArray[np.bool_]) -> FloatArray:
        """System scores as they stand in a file; without one, the mean of all segments that are scored."""
        if (metric, domain) in self.means:
            return self.means[metric, domain]
        scores = self.data.human[self.gold] if metric is None else self.data.metrics.get(metric)
        if scores is None:
            return np.full(len(self.data.systems), np.nan)
        chosen = scores[:, columns]
        return row_means(chosen, ~np.isnan(chosen))


def read_pair(
    root: Source, preset: Preset, pair: str, wanted: Collection[str] | None, added: Added | None = None
) -> PairScores:
    """Read what one language pair of a preset needs; ``wanted`` are base names of metrics, None is all."""
    rules = preset.language_pairs.get(pair, PairRules())
    facts = testset_facts(preset.testset, pair) or Facts(None, (), None, "")
    files = Files(root)
    stored = _levels_of_files(files, preset.testset, pair)
    standard = rules.standard_reference or facts.standard_reference or _only_reference(stored)
    shown = {
        name: f"{base}{NO_REFERENCE if name.endswith('-src') else ''}"
        for name in stored
        for base, used in [split_name(name)]
        if used <= {standard} and (wanted is None or base in wanted)
    }
    if "seg" not in {level for name in shown for level in stored[name]}:
        raise InputError(f"metrics: {preset.testset} {pair} has scores of segments by none of the metrics to rank")
    gold = rules.gold or facts.gold
    of_segments = [name for name in shown if "seg" in stored[name]]
    data = read_mtme(root, preset.testset, pair, human=gold, metrics=of_segments)
    gold = gold or data.gold
    if gold is None:
        raise InputError(f"preset: language_pairs.{pair}.gold must name one of {', '.join(data.human)}")
    references = {*data.references, *(name for one in stored for name in split_name(one)[1])}
    outliers = facts.outliers if rules.outliers is None else rules.outliers
    files_of: dict[str | None, str] = {shown[name]: f"metric-scores/{pair}/{name}" for name in shown}
    files_of[None] = f"human-scores/{pair}.{gold}"
    means: dict[tuple[str | None, str | None], FloatArray] = {}
    for key, name in files_of.items():
        for domain, found in _stored_means(files, f"{preset.testset}/{name}", data):
            means[key, domain] = found
    data = replace(data, metrics={shown[name]: data.metrics[name] for name in data.metrics}, gold=gold)
    data = data if added is None else added.join(data, pair)
    digest = hashlib.sha256(f"{data.digest}{files.digest}".encode()).hexdigest()
    return PairScores(
        data=replace(data, standard_reference=None, outliers=(), digest=digest),
        gold=gold,
        left_out=frozenset({standard or "", *rules.close_references, *outliers}),
        humans=frozenset(name for name in data.systems if name in references or _HUMAN.fullmatch(name)),
        means=means,
    )


def available_metrics(root: Source, preset: Preset, pair: str) -> set[str]:
    """Base names of the metrics that have scores of one language pair."""
    return {split_name(name)[0] for name in _levels_of_files(Files(root), preset.testset, pair)}


def shown_name(name: str, preset: Preset) -> str:
    """A metric's name as WMT prints it: ``_`` before a baseline, ``*`` before one that is not primary."""
    kinds = metric_kinds(preset.testset)
    base = name.removesuffix(NO_REFERENCE)
    if base in kinds["baseline"]:
        return f"_{name}"
    return f"*{name}" if kinds["primary"] and base not in kinds["primary"] else name


def split_name(name: str) -> tuple[str, frozenset[str]]:
    """A metric's base name and the references that it used: ``BLEU-refA.refB`` is BLEU with refA and refB."""
    match = _REFERENCES.fullmatch(name)
    if not match:
        return name, frozenset()
    return match["base"], frozenset() if match["used"] == "src" else frozenset(match["used"].split("."))


def _levels_of_files(files: Files, testset: str, pair: str) -> dict[str, set[str]]:
    """The levels at which each metric has scores, by the name of its files."""
    found: dict[str, set[str]] = {}
    for file in files.find(f"{testset}/metric-scores/{pair}/*"):
        if match := _METRIC_FILE.fullmatch(file.base):
            found.setdefault(match["name"], set()).add(match["level"])
    return found


def _only_reference(stored: Iterable[str]) -> str | None:
    """The one reference that all metrics use."""
    used = {reference for name in stored for reference in split_name(name)[1]}
    if len(used) > 1:
        listed = ", ".join(sorted(used))
        raise InputError(f"preset: the metrics use {listed}; name one in language_pairs.….standard_reference")
    return used.pop() if used else None


def _stored_means(files: Files, name: str, data: EvalSet) -> Iterator[tuple[str | None, FloatArray]]:
    """System scores of files ``.sys.score`` and, with the domain in front, ``.domain.score``, by domain."""
    for level, width in (("sys", 2), ("domain", 3)):
        pattern = f"{name.replace('[', '[[]')}.{level}.score"
        for file in (files.find(pattern) or files.find(f"{pattern}.gz"))[:1]:
            rows = [line.split() for line in files.text(file).rstrip().split("\n")]
            for number, row in enumerate(rows, 1):
                if len(row) != width:
                    expected = f"expected {width} fields, {'DOMAIN ' if width == 3 else ''}SYSTEM SCORE"
                    raise ReadError(file.path, f"{expected}; found {len(row)}", line=number)
            tokens = [row[-1] for row in rows]
            values = parse_scores(tokens, range(1, len(rows) + 1), file.path, missing={"None"})
            for domain in (None,) if level == "sys" else tuple(dict.fromkeys(row[0] for row in rows)):
                of_domain = {
                    row[-2]: value for row, value in zip(rows, values, strict=True) if domain in (None, row[0])
                }
                yield domain, np.array([of_domain.get(system, np.nan) for system in data.systems], np.float64)
