"""How do several files of a format that is one file become one set? Side by side: other systems, or other scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from tiekit.base.errors import InputError, shown
from tiekit.readers._head import plain_name
from tiekit.sets.evalset import EvalSet
from tiekit.sets.same_texts import text_key
from tiekit.sets.scores import FloatMatrix

TOGETHER = "files that are read together have the same segments, and either other systems or other scores"


def side_by_side(parts: Mapping[str, EvalSet]) -> EvalSet:
    """One set of the sets of several files, which have the same segments.

    Files of different systems give one metric of all of them; files of the same systems give one metric each, named by
    the files where the names are the same. Human scores that are the same in both are kept once.
    """
    (first, whole), *others = parts.items()
    for name, part in others:
        if part.segments != whole.segments or part.language_pair != whole.language_pair:
            what = "segments" if part.language_pair == whole.language_pair else "languages"
            raise InputError(f"source: {name} has other {what} than {first}; {TOGETHER}: read each by itself")
    rows = [set(part.systems) for part in parts.values()]
    _check_sources(parts)
    if all(one == rows[0] for one in rows):
        return _with_more_scores(parts)
    if sum(map(len, rows)) > len(set().union(*rows)):
        twice = next(name for name in whole.systems for one in rows[1:] if name in one) if rows else ""
        raise InputError(f"source: {twice} is in several files, but not all systems are; {TOGETHER}")
    return _with_more_systems(parts)


def _check_sources(parts: Mapping[str, EvalSet]) -> None:
    """Refuse files with other sources than those of the first one."""
    having = {name: part.sources for name, part in parts.items() if part.sources}
    first = next(iter(having), "")
    for name, sources in having.items():
        if sources != having[first]:
            pairs = zip(map(text_key, sources), map(text_key, having[first]), strict=True)
            place = next((place for place, (text, other) in enumerate(pairs) if text != other), None)
            if place is not None:
                segment = parts[name].segments[place]
                raise InputError(f"source: {name} has another source for segment {segment} than {first}; {TOGETHER}")


def _with_more_systems(parts: Mapping[str, EvalSet]) -> EvalSet:
    """The systems of all files, one after the other."""
    first = next(iter(parts.values()))

    def stacked(kind: str) -> dict[str, FloatMatrix]:
        found = [getattr(part, kind) for part in parts.values()]
        return {
            name: np.concatenate(
                [
                    scores.get(name, np.full((len(part.systems), len(part.segments)), np.nan))
                    for scores, part in zip(found, parts.values(), strict=True)
                ]
            )
            for name in dict.fromkeys(name for scores in found for name in scores)
        }

    return replace(
        first,
        systems=tuple(name for part in parts.values() for name in part.systems),
        human=stacked("human"),
        metrics=stacked("metrics"),
        **_told(parts),
        outputs={name: texts for part in parts.values() for name, texts in part.outputs.items()},
    )


def _with_more_scores(parts: Mapping[str, EvalSet]) -> EvalSet:
    """The metrics of all files beside each other."""
    first = next(iter(parts.values()))
    names = [name for part in parts.values() for name in part.metrics]
    human: dict[str, FloatMatrix] = {}
    metrics: dict[str, FloatMatrix] = {}
    for file, part in parts.items():
        order = [part.systems.index(name) for name in first.systems]
        for name, matrix in part.human.items():
            if not np.array_equal(human.setdefault(name, matrix[order]), matrix[order], equal_nan=True):
                raise InputError(
                    f"source: {file} has other human scores {shown(name)} than the files before; {TOGETHER}"
                )
        for name, matrix in part.metrics.items():
            stem = PurePosixPath(plain_name(file)).stem
            called = name if names.count(name) == 1 else stem if len(part.metrics) == 1 else f"{name} ({stem})"
            if called in metrics:
                raise InputError(f"source: two files hold the metric {shown(called)}; {TOGETHER}")
            metrics[called] = matrix[order]
    return replace(first, human=human, metrics=metrics, outputs={}, **_told(parts))


def _told(parts: Mapping[str, EvalSet]) -> dict[str, Any]:
    """The digest of all files, and what was said of each; texts and facts are those of single files."""
    digest = sha256(repr(sorted((name, part.digest) for name, part in parts.items())).encode()).hexdigest()
    notes = tuple(f"{name}: {note}" for name, part in parts.items() for note in part.notes)
    return {"digest": digest, "notes": notes, "raters": {}, "outliers": ()}
