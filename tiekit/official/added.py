"""Whose files are added to an official ranking, which file is of which language pair, and what do they not score?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from tiekit.errors import InputError
from tiekit.evalset import EvalSet
from tiekit.labels import check_known
from tiekit.names import as_names

Add: TypeAlias = str | Iterable[str] | Mapping[str, Any]
"""Names of metrics of the folder, or files of one's own by the name of the metric; None for one of the folder."""


@dataclass(frozen=True)
class Added:
    """Metrics that are ranked beside those of a preset.

    Attributes
    ----------
    names : tuple of str
        All of them.
    sources : mapping of str to mapping of str to object
        Of those with files of their own, by language pair, what `EvalSet.with_scores` takes.
    negated : frozenset of str
        Those of which lower is better.
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
    is_path = isinstance(source, str | Path)
    if is_path and Path(source).is_dir():
        root = Path(source)
        files: dict[str, Any] = {
            str(path.relative_to(root)): path
            for path in sorted(root.rglob("*"))
            if path.is_file() and not path.name.startswith(".")
        }
    elif isinstance(source, Mapping):
        files = {
            key: {key: content} if isinstance(content, bytes) else content
            for key, content in source.items()
            if content is not None
        }
    elif is_path:
        files = {Path(source).name: source}
    else:
        files = {}
    found: dict[str, list[Any]] = {}
    of_segments = {file: one for file, one in files.items() if not file.removesuffix(".gz").endswith(".sys.score")}
    for file, content in (of_segments or files).items():
        pair = pair_of(file, pairs)
        if pair is not None:
            found.setdefault(pair, []).append(content)
    if found:
        return {pair: _joined(name, pair, contents) for pair, contents in found.items()}
    if len(pairs) == 1:
        return {pairs[0]: source}
    raise InputError(
        f"add: {name} must have one file per language pair, with the pair in its name ({name}.{pairs[0]}.tsv), of "
        f"{', '.join(pairs)}; found {', '.join(files) or type(source).__name__}"
    )


def _joined(name: str, pair: str, contents: list[Any]) -> Any:
    """One source: a file, or the list of several on disk, such as one per system."""
    if len(contents) > 1 and not all(isinstance(one, str | Path) for one in contents):
        raise InputError(f"add: {name} has {len(contents)} files for {pair}; keep one of them")
    return contents if len(contents) > 1 else contents[0]


def pair_of(file: str, pairs: Collection[str]) -> str | None:
    """The language pair that stands in the name of a file; of several, such as en-cs and en-cs_CZ, the longest.

    Examples
    --------
    >>> pair_of("mine.en_de.tsv", ["en-de", "zh-en"]), pair_of("zh-en/mine.seg.score", ["en-de", "zh-en"])
    ('en-de', 'zh-en')
    """

    def plain(text: str) -> str:
        return text.casefold().replace("_", "-")

    inside = [pair for pair in pairs if re.search(rf"(?<![a-z0-9]){re.escape(plain(pair))}(?![a-z0-9])", plain(file))]
    return max(inside, key=len) if inside else None


@dataclass(frozen=True)
class Gap:
    """Cells that are compared and rated, but of which an added metric has no score.

    Attributes
    ----------
    text : str
        Whose gap, and what is missing.
    cells : ndarray of bool, shape (systems, segments)
    """

    text: str
    cells: np.ndarray[Any, np.dtype[np.bool_]]


def find_gap(data: EvalSet, gold: str, name: str, compared: Collection[str], pair: str) -> Gap | None:
    """Find what a metric has not scored of the systems that are compared."""
    rows = np.array([system in compared for system in data.systems])
    rated = ~np.isnan(data.human[gold]) & rows[:, None]
    cells = rated & np.isnan(data.metrics[name])
    if not cells.any():
        return None
    whole = (cells == rated).all(axis=1) & rated.any(axis=1)
    systems = [system for system, gone in zip(data.systems, whole, strict=True) if gone]
    single = int(cells[~whole].sum())
    parts = [f"of {', '.join(systems)}"] if systems else []
    parts += [f"of {single:,} of {int(rated[~whole].sum()):,} translations"] if single else []
    return Gap(f"{pair}: {name} has no score {' and '.join(parts)}", cells)
