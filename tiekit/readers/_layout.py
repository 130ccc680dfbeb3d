"""How do the files of a test set become an `EvalSet`? A metric whose file breaks a rule is left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from tiekit.base.errors import LeftOutWarning, ReadError, warn
from tiekit.base.names import known_names
from tiekit.base.validation import FloatArray
from tiekit.readers._blocks import Blocks, read_blocks, usual_length
from tiekit.readers._cells import check_size
from tiekit.readers._lengths import read_lengths
from tiekit.readers._metrics import only_reference, used_references
from tiekit.readers._segments import check_length, read_labels, read_texts
from tiekit.readers._text import File, Files, quoted
from tiekit.readers.facts import Facts, likely_gold
from tiekit.sets.evalset import EvalSet

In = TypeVar("In")
Out = TypeVar("Out")


@dataclass(frozen=True)
class Layout:
    """The files of a test set by their role, and what is known of it.

    Attributes
    ----------
    whole : bool
        Whether its scores are those of whole systems.
    strict : bool
        Whether a metric that breaks a rule is an error.
    """

    files: Files
    human: Mapping[str, File]
    metrics: Mapping[str, File]
    documents: File | None = None
    sources: File | None = None
    references: Mapping[str, File] = field(default_factory=dict)
    outputs: Mapping[str, File] = field(default_factory=dict)
    lengths: File | None = None
    facts: Facts | None = None
    standard: str | None = None
    whole: bool = False
    strict: bool = False


class _Metrics:
    """The metrics that break no rule so far, and the errors of the others."""

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self.failed: dict[str, ReadError] = {}

    def each(self, items: Mapping[str, In], function: Callable[[str, In], Out]) -> dict[str, Out]:
        """What a function makes of every metric, without those that break a rule in it."""
        done = {}
        for name, item in items.items():
            try:
                done[name] = function(name, item)
            except ReadError as error:
                if self.strict:
                    raise
                self.failed[name] = error
        if items and not done:
            raise next(iter(self.failed.values()))
        return done

    def say(self) -> list[str]:
        """Warn of every metric that is left out, and note it."""
        notes = [f"the metric {name} is left out: {error}" for name, error in sorted(self.failed.items())]
        for note in notes:
            warn(f"{note} (strict=True refuses the set)", LeftOutWarning)
        return notes


def assemble(layout: Layout, name: str, language_pair: str, notes: list[str]) -> EvalSet:
    """Read the files of a layout."""
    files, trial = layout.files, _Metrics(strict=layout.strict)
    human = {key: read_blocks(files, file) for key, file in layout.human.items()}
    metrics = trial.each(layout.metrics, lambda _, file: read_blocks(files, file))
    labels = read_labels(files, layout.documents) if layout.documents else []
    sources = read_texts(files, layout.sources, "source") if layout.sources else ()
    said = 1 if layout.whole else len(labels) or len(sources)
    size = said or usual_length([*human.values(), *metrics.values()])

    lengths = read_lengths(files, layout.lengths, size)

    def check(_: str, scores: Blocks) -> Blocks:
        if not said and not layout.outputs and not lengths.outputs:
            scores.check_names()
        scores.check_lengths(size)
        return scores

    human = {key: check(key, scores) for key, scores in human.items()}
    metrics = trial.each(metrics, check)
    ordered = sorted([*human.values(), *metrics.values()], key=lambda scores: scores.file.name)
    systems = tuple(
        sorted(layout.outputs or lengths.outputs)
        or dict.fromkeys(system for scores in ordered for system in scores.lines)
    )
    check_size(files.root, (len(systems), size), sum(len(scores.values) for scores in ordered), max(len(ordered), 1))
    rows = {system: row for row, system in enumerate(systems)}
    used = used_references(metrics, tuple(layout.references or lengths.references), systems)
    if layout.sources:
        check_length(layout.sources, len(sources), size)

    def matrix(key: str, scores: Blocks) -> FloatArray:
        lacking = scores.lacking(systems, used[key])
        found = scores.matrix(rows, size)
        if layout.strict and lacking:
            problem = f"has no scores of {known_names(map(quoted, lacking))}; expected all {len(systems)} systems"
            raise ReadError(scores.file.path, problem, line=len(scores.values))
        if not layout.strict and np.isnan(found).all():
            raise ReadError(scores.file.path, "has no score that is not missing; expected some numbers")
        if lacking:
            notes.append(f"{key} has no scores of {known_names(lacking)}")
        return found

    data = EvalSet(
        name,
        language_pair,
        systems,
        ("all",) if layout.whole else tuple(str(number) for number in range(1, size + 1)),
        human={key: scores.matrix(rows, size) for key, scores in human.items()},
        metrics=trial.each(metrics, matrix),
        documents=tuple(document for _, document in labels),
        domains=tuple(domain for domain, _ in labels),
        sources=sources,
        references={key: read_texts(files, file, "target", size) for key, file in layout.references.items()},
        outputs={key: read_texts(files, file, "hypothesis", size) for key, file in layout.outputs.items()},
        lengths=lengths,
        standard_reference=layout.standard or only_reference(used.values(), systems),
        outliers=layout.facts.outliers if layout.facts else (),
        gold=layout.facts.gold if layout.facts and layout.facts.gold in human else likely_gold(human),
        digest=files.digest,
    )
    return replace(_without_canary(data, notes), notes=(*notes, *trial.say()))


def _without_canary(data: EvalSet, notes: list[str]) -> EvalSet:
    """Leave out the first segment of WMT24, a text against training on the test set that was rated all the same."""
    if data.name != "wmt24" or data.segments == ("all",):
        return data
    if not data.sources:
        notes.append("without the sources, a canary in segment 1 cannot be known, and is not left out")
    elif data.sources[0].casefold().startswith("canary") and len(data.segments) > 1:
        notes.append("segment 1 is left out: it is the canary of WMT24")
        return data.select(exclude=(), segments=data.segments[1:])
    return data
