"""How does a metric's file come beside the metrics of a set? It is read, aligned and added; what is odd is said."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from tiekit.base.errors import DirectionWarning, InputError, LeftOutWarning, RoleWarning, warn
from tiekit.base.names import did_you_mean, short
from tiekit.core.coefficients import values_per_group
from tiekit.core.grouping import group
from tiekit.core.registry import COEFFICIENTS
from tiekit.readers._answers import Likely
from tiekit.readers._order import ask_nines, ask_order
from tiekit.readers._pivot import with_columns_as_systems, with_systems_as_columns
from tiekit.readers._roles import is_named_human
from tiekit.readers.format import Choice, Choices
from tiekit.readers.read import read_likely
from tiekit.sets.alignment import Alignment, align, shown
from tiekit.sets.evalset import EvalSet, joins
from tiekit.sets.scores import FloatMatrix

BACKWARDS = {"cells": -0.1, "system means": -0.5}
"""A metric whose tau_b with the gold score lies below this is suspected to be better when lower."""

_TESTSET = re.compile(r"(wmt|(newstest|generaltest|generalmt)(20)?)(?P<year>\d\d)(?![\d-])", re.IGNORECASE)

FEWEST_MEANS = 4
"""Means of fewer systems say nothing about the direction of a metric."""


@joins
def add_scores(
    data: EvalSet,
    source: Any,
    *,
    name: str | None = None,
    names: Mapping[str, str] | Sequence[str] | None = None,
    system: str | None = None,
    lower_is_better: bool = False,
    format: str | None = None,
    choices: Choices | None = None,
) -> EvalSet:
    """Do the work of `EvalSet.with_scores`, which says what each argument is."""
    if not isinstance(lower_is_better, bool):
        raise InputError(f"lower_is_better: must be True or False, found {lower_is_better!r}")
    scores = _opened(data, source, format, choices or {})
    called = _called(data, _metrics(data, scores), name, names)
    _compare_years(data, scores)
    alignment = align(data, scores, system=system)
    matrices = {**alignment.scores.human, **alignment.scores.metrics}
    added = {called[key]: alignment.matrix(matrices[key]) for key in called}
    if lower_is_better:
        added = {key: -matrix for key, matrix in added.items()}
    return _joined(data, alignment, added, lower_is_better=lower_is_better)


def _opened(data: EvalSet, source: Any, format: str | None, choices: Choices) -> EvalSet:
    """The set that a source is or holds."""
    if isinstance(source, EvalSet):
        if format is not None or choices:
            raise InputError(f"{next(iter(choices), 'format')}: is for files, but the source is an EvalSet")
        return source
    likely: Likely = {
        "language_pair": data.language_pair,
        "testset": data.name,
        "reference": data.standard_reference,
        "human": lambda question: _people(question, choices),
        "score_column": _refuse_unnamed,
    }
    if isinstance(source, pd.DataFrame):
        source = with_systems_as_columns(data, source)
    return with_columns_as_systems(data, read_likely(source, format, choices, likely))


def _people(question: Choice, choices: Choices) -> tuple[str, ...] | None:
    """The columns of a table that are named like human scores; where metrics are added, no other is taken for them."""
    if question.key != "human_columns" or "metrics" in choices:
        return None
    if {"scorer", "score_column"} & choices.keys():
        return ()
    return tuple(name for name in question.usual if is_named_human(name))


def _refuse_unnamed(question: Choice) -> NoReturn:
    """Ask which of several columns without names holds the scores to add."""
    numbers = " or ".join(question.options)
    raise InputError(
        f"{question.argument}: the file has {len(question.options)} columns of numbers and no header; pass "
        f"{question.argument}={numbers}. {question.needed}"
    )


def _compare_years(data: EvalSet, scores: EvalSet) -> None:
    """Warn of scores of another year's test set: it numbers other segments."""
    ours, theirs = _TESTSET.match(data.name), _TESTSET.match(scores.name)
    if ours and theirs and ours["year"] != theirs["year"]:
        problem = f"has scores of {scores.name}, but the set is {data.name}; check that its segments are the same"
        warn(f"source: {problem}", RoleWarning)


def _metrics(data: EvalSet, scores: EvalSet) -> list[str]:
    """The scores to add: the metrics, or human-looking scores where there are no others."""
    if scores.metrics:
        return list(scores.metrics)
    others = [name for name in scores.human if name not in data.human]
    if not others:
        listed = ", ".join(scores.human) or "no scores"
        raise InputError(f"source: holds no metric, but human scores ({listed}); pass human=() if they are a metric's")
    warn(f"source: holds no metric, so {shown(others)} was taken for one", RoleWarning)
    return others


def _called(
    data: EvalSet, found: list[str], name: str | None, names: Mapping[str, str] | Sequence[str] | None
) -> dict[str, str]:
    """The name that each metric of the source gets in the set."""
    if name is not None and names is not None:
        raise InputError("names: pass either name= or names=")
    if name is not None:
        if not isinstance(name, str) or not name:
            raise InputError(f"name: must be a name, found {name!r}")
        if len(found) != 1:
            raise InputError(f"name: there are {len(found)} metrics ({shown(found)}); pass names={{{found[0]!r}: …}}")
        names = {found[0]: name}
    if isinstance(names, Mapping):
        unknown = next((key for key in names if key not in found), None)
        if unknown is not None:
            hint = did_you_mean(str(unknown), found) or f"there are {shown(found)}"
            raise InputError(f"names: there is no metric {unknown!r} in the source; {hint}")
        called = {key: names.get(key, key) for key in found}
    elif names is None:
        called = {key: key for key in found}
    else:
        if isinstance(names, str) or len(names) != len(found):
            raise InputError(f"names: expected one name for each of {len(found)} metrics: {shown(found)}")
        called = dict(zip(found, names, strict=True))
    for key in called.values():
        if not isinstance(key, str) or not key:
            raise InputError(f"names: must be names, found {key!r}")
        if key in data.metrics:
            raise InputError(f"name: the set has a metric {key!r} already; pass another one, name={key + '-2'!r}")
    if len(set(called.values())) < len(called):
        raise InputError(f"names: each must be there once, found {', '.join(map(short, called.values()))}")
    return called


def _joined(data: EvalSet, alignment: Alignment, added: Mapping[str, FloatMatrix], *, lower_is_better: bool) -> EvalSet:
    """The set with the aligned metrics and what there is to say about them."""
    label = shown(list(added))
    for name, matrix in added.items():
        if np.isnan(matrix).all():
            raise InputError(f"source: {name} has no score in the {alignment.cells:,} cells that match; check the file")
    joined = data
    for name, matrix in added.items():
        joined = joined.with_metric(name, matrix)
    negated = (f"{label}: negated, so that higher is better",) if lower_is_better else ()
    sentences = [f"{label}: {text}" for text in alignment.sentences()]
    if (scored := min(int((~np.isnan(matrix)).sum()) for matrix in added.values())) < alignment.cells:
        sentences[0] += f"; {scored:,} of the matched cells have a score"
    if left := alignment.left_out():
        warn(f"{label}: {'; '.join(left)}", LeftOutWarning)
    ask_nines(added)
    ask_order(data, alignment, added)
    for name in added:
        _ask_direction(joined, name, lower_is_better=lower_is_better)
    return replace(joined, notes=(*data.notes, *alignment.scores.notes, *negated, *sentences[1:], sentences[0]))


def _ask_direction(data: EvalSet, metric: str, *, lower_is_better: bool) -> None:
    """Ask about a metric that falls as the gold score rises."""
    if data.gold is None:
        return
    rows = np.array([name not in data.default_exclude for name in data.systems])
    human, scores = data.human[data.gold][rows], data.metrics[metric][rows]
    both = ~np.isnan(human) & ~np.isnan(scores)
    rated = both.any(axis=1)
    seen = {"cells": (human, scores)}
    if rated.sum() >= FEWEST_MEANS:
        means = [np.nanmean(np.where(both, matrix, np.nan)[rated], axis=1) for matrix in (human, scores)]
        seen["system means"] = means[0][None], means[1][None]
    for what, pair in seen.items():
        tau_b = values_per_group(group(*pair, "global"), COEFFICIENTS["tau_b"])
        if (tau_b < BACKWARDS[what]).any():
            warn(
                f"{metric}: falls where {data.gold} rises (tau_b of {what} {tau_b[0]:.2f}); if lower is better on it, "
                f"pass lower_is_better={not lower_is_better}",
                DirectionWarning,
            )
            return
