"""How does a metric's file come beside the metrics of a set? It is read, aligned and added; what is odd is said."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tiekit.base.errors import InputError, LeftOutWarning, RoleWarning, collect_warnings, quote, warn
from tiekit.base.names import (
    ALIASES,
    SHOWN,
    are_nameless,
    as_names,
    did_you_mean,
    find_name,
    names_in,
    plain_name,
    row_names,
    short,
    some_of,
)
from tiekit.base.validation import is_default, text_labels
from tiekit.readers._answers import is_called
from tiekit.readers._labels import ONE_SYSTEM
from tiekit.readers._listed_labels import ask_start, have_no_labels, take_labels
from tiekit.readers._odd_scores import ask_scale
from tiekit.readers._order import ask_order, settle_doubt
from tiekit.readers._questions import Choice, Choices, Defaults
from tiekit.readers._roles import MAYBE_METRICX, as_people, ask_equal, say_left_out
from tiekit.readers._score_names import (
    STOPPED,
    advise_mean,
    ask_score,
    is_human,
    is_metric,
    is_named_human,
    refuse_unclear,
    refuse_unnamed,
)
from tiekit.readers._source import as_pandas, file_stem
from tiekit.readers._systems import (
    FEWEST_COLUMNS,
    ONLY_SYSTEM,
    advise_each_metric,
    ask_people,
    divide_names,
    like_system,
    share_of_systems,
)
from tiekit.readers._table import FRAME, ROWS_TAKEN, flat
from tiekit.readers._texts import ask_texts
from tiekit.readers.facts import named_pair
from tiekit.readers.formats.arrays import LISTS
from tiekit.readers.read import IN_ORDER, are_negated, read_likely
from tiekit.readers.registry import FORMATS
from tiekit.sets.alignment import (
    ENOUGH,
    ORDERS_DIFFER,
    Alignment,
    advise_rename,
    align,
    check_pair,
    nameless_orders,
    with_labels_apart,
)
from tiekit.sets.arguments import ask_direction
from tiekit.sets.evalset import SINGLE_SYSTEM, EvalSet
from tiekit.sets.labels import are_counted, labels_as_numbers
from tiekit.sets.same_texts import KnownTexts
from tiekit.sets.scores import NEGATED, FloatMatrix, say_equal
from tiekit.sets.systems import say_new_names

SCORE = "score"
"""The name of a metric that a frame does not name."""


def with_systems_as_columns(data: EvalSet, frame: pd.DataFrame) -> pd.DataFrame | FloatMatrix:
    """A frame of segments × systems, turned where systems are its rows, or the array of one without any labels.

    Any other frame is returned as it is.
    """
    if frame.columns.nlevels > 1 or frame.index.nlevels > 1:
        return frame
    is_matrix = all(map(pd.api.types.is_numeric_dtype, frame.dtypes))
    if is_matrix and is_default(frame.index) and is_default(frame.columns) and frame.shape[1] > 1:
        return frame.to_numpy(np.float64, na_value=np.nan)
    rows, columns = map(_labels, frame.axes)
    of_rows = _share_of_systems(data, rows) if is_matrix else 0.0  # thousands of rows, of a long table
    of_columns = _share_of_systems(data, columns)
    numbers = text_labels(frame.columns) if is_default(frame.columns) and not of_rows else []
    if numbers != list(data.systems) and are_systems(data, numbers):
        raise InputError(
            "source: its columns have no names but rows have; name them, such as by frame.columns = SYSTEMS"
        )
    if has_segments(frame.drop(columns=[*data.systems], errors="ignore")) or not (of_rows or of_columns):
        return frame
    fit, fit_turned = _fit(data, columns, rows), _fit(data, rows, columns)
    of_columns += of_rows == of_columns and fit and not fit_turned
    if of_rows >= of_columns and (not of_columns or plain_name(str(frame.index.name)) not in ALIASES["segment"]):
        if of_rows == of_columns and frame.index.name is None and fit == fit_turned:
            told = "its rows and its columns have names of systems, and its rows were taken for these"
            warn(f"source: {told}; name the rows if they are segments, frame.rename_axis('segment')", RoleWarning)
        frame = frame.T
    index = frame.index
    if is_default(index) or index.name is not None:
        return frame
    ask_start(data.segments, index)
    return frame.rename_axis("segment" if "segment" not in frame else "segment_id")


def _labels(index: pd.Index) -> Sequence[str]:
    """The labels of an axis as text; those that pandas gives are no names."""
    return row_names(len(index)) if is_default(index) else text_labels(index)


def with_columns_as_names(data: EvalSet, scores: EvalSet) -> EvalSet:
    """Scores whose metrics are named like systems of the set, or like its segments, as one metric of these.

    They are of one nameless system, or of whole systems.
    """
    matrices = {**scores.human, **scores.metrics}
    name = scores.name if scores.name not in ("", FRAME, "list") else SCORE
    if ROWS_TAKEN in scores.notes and _may_be_turned(data, scores.segments, matrices):
        note = f"Its rows are systems of {data.name}, its columns segments, and its scores those of one metric, {name}."
        turned = np.concatenate(list(matrices.values())).T
        return _only_scores(scores, {name: turned}, note, systems=scores.segments, segments=tuple(matrices))
    if len(scores.systems) == 1 and (found := divide_names(list(matrices), data.systems)):
        systems = tuple(next(iter(found.values())))
        metrics = {
            metric or name: np.concatenate([matrices[named[system]] for system in systems])
            for metric, named in found.items()
        }
        note = f"Its columns join systems of {data.name} and metrics."
        return _only_scores(scores, metrics, note, systems=systems)
    for axis, (what, are_named) in enumerate((("systems", are_systems), ("segments", are_segments))):
        if len(getattr(scores, what)) == 1 and are_named(data, list(matrices)):
            note = f"Its columns are {what} of {data.name}, and their scores those of one metric, {name}."
            stacked = np.concatenate(list(matrices.values()), axis)
            return _only_scores(scores, {name: stacked}, note, **{what: tuple(matrices)})
    return scores


def _fit(data: EvalSet, systems: Iterable[str], segments: Iterable[str]) -> bool:
    """Whether all of these are systems, and segments, of the set."""
    return set(systems) <= set(data.systems) and set(segments) <= set(data.segments)


def _may_be_turned(data: EvalSet, rows: Iterable[str], columns: Iterable[str]) -> bool:
    """Whether numbered rows are systems of the set and columns its segments; where both may be both, it is asked."""
    if not _fit(data, rows, columns):
        return False
    if are_both := _fit(data, columns, rows):
        told = "its rows and its columns have names of systems, and its columns were taken for these"
        warn(f"source: {told}; write system above its first column if its rows are systems, else segment", RoleWarning)
    return not are_both


def _with_listed_labels(data: EvalSet, scores: EvalSet) -> EvalSet:
    """Scores of lists by the segments that one of these lists names; all others as they are."""
    if scores.human or not any(LISTS in note for note in scores.notes):
        return scores
    rows, columns, matrices = scores.segments, scores.systems, scores.metrics
    if have_no_labels(columns) and len(columns) > 1 and not have_no_labels(rows):  # rows by number, as pandas' index
        rows, columns, matrices = columns, rows, {name: matrix.T for name, matrix in matrices.items()}
    found = take_labels(matrices, columns, data.systems, data.segments) if have_no_labels(rows) else None
    if found is None:
        return scores
    lists, segments, matrices, is_one_order, name = found
    note = f"{quote(name)} names the segments."
    labeled = _only_scores(scores, matrices, note, systems=lists, segments=segments)
    return labeled if is_one_order else replace(labeled, notes=(*labeled.notes, ORDERS_DIFFER))


def with_systems_first(data: EvalSet, scores: EvalSet) -> EvalSet:
    """Scores by system, then segment, then metric, or by segment, system and metric, as those of each metric."""
    matrices, segments = {**scores.human, **scores.metrics}, scores.systems
    below = len(scores.segments) > 1 and are_systems(data, segments) and not are_segments(data, scores.segments)
    if below and are_segments(data, list(matrices)):
        each = np.stack(list(matrices.values()), axis=1)  # systems × segments × metrics
        metrics = {name: each[:, :, place] for place, name in enumerate(scores.segments)}
        note = f"Its first names are segments of {data.name}, those below systems, and the last ones metrics."
        return _only_scores(scores, metrics, note, segments=tuple(matrices))
    if segments == (SINGLE_SYSTEM,) or not are_systems(data, list(matrices)) or are_systems(data, segments):
        return scores
    is_whole = len(scores.segments) == len(data.segments) or are_segments(data, scores.segments)
    if are_segments(data, segments):
        each = np.stack(list(matrices.values()), axis=1)  # segments × systems × metrics
        metrics = {name: each[:, :, place].T for place, name in enumerate(scores.segments)}
        note = f"Its first names are systems of {data.name}, those below segments, and the last ones metrics."
        return _only_scores(scores, metrics, note, systems=tuple(matrices), segments=segments)
    are_parts = {*data.documents}.intersection(segments) or any(named_pair(name, whole=True) for name in segments)
    if is_whole and not are_nameless(segments) and not are_parts:
        each = np.stack(list(matrices.values()), axis=1)  # metrics × systems × segments
        note = f"Its first names are systems of {data.name}, and those below metrics."
        return _only_scores(scores, dict(zip(segments, each, strict=True)), note, systems=tuple(matrices))
    return scores


def with_rows_as_systems(data: EvalSet, scores: EvalSet) -> EvalSet:
    """Scores turned where their systems are the set's segments; as metrics, where they are lists of the whole set."""
    matrices, rows = {**scores.human, **scores.metrics}, scores.systems
    are_both = _fit(data, rows, scores.segments) and _fit(data, scores.segments, rows) and len(rows) > 1
    is_nested = any(note.startswith(LISTS) for note in scores.notes)
    if is_nested and are_both and are_nameless(rows) == are_nameless(scores.segments):
        told = "its rows and its columns may both be systems of the set, and its rows were taken for these"
        advice = "pandas.DataFrame(SCORES, ROWS, COLUMNS).rename_axis('system') or, if they are segments, ('segment')"
        warn(f"source: {told}; name them: {advice}", RoleWarning)
    if are_systems(data, rows):
        return scores
    if are_systems(data, scores.segments):
        turned = {name: matrix.T for name, matrix in matrices.items()}
        note = "Its rows are segments, and its columns systems."
        return _only_scores(scores, turned, note, systems=scores.segments, segments=rows)
    whole = [len(systems) * len(data.segments) for systems in nameless_orders(data)]
    if len(matrices) == 1 and len(rows) > 1 and not are_counted(rows) and len(scores.segments) in whole:
        [matrix] = matrices.values()
        each = {name: row[np.newaxis] for name, row in zip(rows, matrix, strict=True)}
        return _only_scores(scores, each, "Each of its lists is one metric.", systems=(SINGLE_SYSTEM,))
    return scores


def _only_scores(scores: EvalSet, metrics: Mapping[str, FloatMatrix], note: str, **names: tuple[str, ...]) -> EvalSet:
    """A set of the same source, but with other metrics, systems or segments, and nothing else."""
    systems, segments = names.get("systems", scores.systems), names.get("segments", scores.segments)
    found = EvalSet(scores.name, scores.language_pair, systems, segments, {}, metrics, digest=scores.digest)
    kept = ("documents", "domains", "sources", "references") if segments == scores.segments else ()
    notes = (one for one in scores.notes if not (one.startswith(ONE_SYSTEM) and len(systems) > 1))
    return replace(found, notes=(*notes, note), **{key: getattr(scores, key) for key in kept})


def arrange(data: EvalSet, scores: EvalSet, source: Any = None) -> EvalSet:
    """Scores of a wide table, or of lists, as systems × segments, by the names that the set has.

    Refused are those of another language pair by the names of the source's files; another year is said.
    """
    said, systems = _names_of(source), set(data.systems)
    if any(note.endswith(f"read as {FORMATS['scores'].label}") for note in scores.notes[:1]):
        scores = replace(scores, segments=row_names(len(scores.segments)))  # they are lines
    scores = with_labels_apart(data, with_systems_first(data, _with_listed_labels(data, scores)))
    arranged = with_rows_as_systems(data, with_columns_as_names(data, scores))
    if not scores.language_pair:
        of_systems = {named_pair(name) for name in arranged.systems if name not in systems}  # such as A.en-de
        are_keys = isinstance(source, Mapping) and not all(isinstance(one, bytes) for one in source.values())
        of_files = [named_pair(*(name for name in names if name not in systems), whole=are_keys) for names in said]
        for pair in [*of_files, *(of_systems if len(of_systems) == 1 else ())]:
            check_pair(data, pair)
    ours = _TESTSET.match(data.name)
    theirs = next(filter(None, map(_TESTSET.match, (scores.name, *chain.from_iterable(said)))), None)
    if ours and theirs and ours["year"] != theirs["year"]:  # another year's test set numbers other segments
        problem = f"has scores of {theirs.string}, but the set is {data.name}; check that its segments are the same"
        warn(f"source: {problem}", RoleWarning)
    return arranged


def are_systems(data: EvalSet, names: Iterable[str]) -> bool:
    """Whether most of the names, and at least two, are those of systems of the set."""
    return _share_of_systems(data, names) > 0


def _share_of_systems(data: EvalSet, names: Iterable[str]) -> float:
    """The share of the names that are systems of the set, as `share_of_systems` counts them."""
    return share_of_systems(list(names), data.systems, data.segments)


def has_segments(frame: pd.DataFrame) -> bool:
    """Whether a column of a frame is named like labels of segments."""
    return any(plain_name(str(name)) in ALIASES["segment"] for name in frame.columns)


def are_segments(data: EvalSet, names: Sequence[str]) -> bool:
    """Whether at least half of the names, and at least two, are those of segments of the set."""
    known = len(set(names) & set(data.segments))
    numbered = set(labels_as_numbers(names)) & set(labels_as_numbers(data.segments))
    if len(numbered) >= ENOUGH * len(data.segments):  # such as seg1, seg2, seg3
        known = len(numbered)
    return known >= FEWEST_COLUMNS and 2 * known >= len(names)


_TESTSET = re.compile(r"(wmt|(newstest|generaltest|generalmt)(20)?)(?P<year>\d\d)(?![\d-])", re.IGNORECASE)


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
    as_human: bool = False,
) -> EvalSet:
    """Do the work of `EvalSet.with_scores`, which says what each argument is, and of `EvalSet.with_human`."""
    if not isinstance(lower_is_better, bool):
        raise InputError(f"lower_is_better: must be True or False, found {lower_is_better!r}")
    kind = "human" if as_human else "metrics"
    taken = dict.fromkeys(data.human, "human score") if as_human else dict.fromkeys(data.metrics, "metric")
    _check_new(taken, [name, *(names.values() if isinstance(names, Mapping) else names or ())])
    choices = choices or {}
    unknown = "" if system is None or isinstance(source, EvalSet) else _unknown_system(data, system)
    try:
        options = {**choices, "system": system} if unknown else choices
        with collect_warnings() as said:
            scores = _read_chosen(data, source, format, options, name, kind)
    except InputError as error:
        if unknown and str(error).startswith("system: "):
            raise InputError(f"{unknown}; nor does the source have a column of that name") from error
        raise
    if as_human and not scores.human:
        said = [(category, as_people(told)) for category, told in said]
        scores = replace(scores, notes=(*map(as_people, scores.notes),))
    found = _humans(scores, choices, data.systems) if as_human else _metrics(data, scores)
    people = [one for one in scores.human if one not in (*data.human, *found)]
    is_told = as_human or isinstance(source, EvalSet) or {"human", "metrics", "scorer"} & choices.keys()
    if not is_told and people and len(found) == 1 and not (is_metric(found[0]) or is_called(found[0], [name or ""])):
        taken_for = f"took {quote(found[0])} for the metric and left out {some_of(people)}, named like human scores"
        remedy = f"pass metrics={people[0]!r} if that is the metric, else metrics={found[0]!r}"
        warn(f"source: {taken_for}; {remedy}", RoleWarning)
    if are_systems(data, found) and not are_systems(data, scores.systems):
        below = f"below which scores are expected, but there are {some_of(scores.systems)}"
        remedy = "give one list of scores for each system, or a table with the columns system, document and segment"
        raise InputError(f"source: its first names are systems of the set ({some_of(found)}), {below}; {remedy}")
    if as_human and name is None and names is None and (mean := advise_mean(found)):
        warn(f"source: took {some_of(found)} for {len(found)} human scores{mean}", RoleWarning)
    if name in found and len(found) > 1:
        left = some_of([one for one in found if one != name])
        warn(f"source: took {quote(name)} by its name; left out {left}; say otherwise with {kind}=", RoleWarning)
        found = [name]
    is_nameless = scores.systems == (SINGLE_SYSTEM,)
    every = [*scores.human, *scores.metrics] if is_nameless else []
    hints = [hint for one in every if (hint := like_system(one, data.systems))]
    alike = len(hints) + len({*every}.intersection(data.systems))
    if hints and alike >= max(FEWEST_COLUMNS, len(every) / 2):
        if step := advise_each_metric(every, data.systems):
            raise InputError(f"source: its columns ({some_of(every)}) join systems of the set and other names; {step}")
        asked = "; ".join(hints[:SHOWN])
        raise InputError(f"source: its columns ({some_of(every)}) seem to be systems of the set; rename them: {asked}")
    stem, fits = _stem_of(source), len(scores.segments) <= len(data.segments)
    if is_nameless and system is None and fits and (system := names_in([stem], data.systems)[stem]):
        name = name or (found[0] if len(found) == 1 and names is None else None)
        say_new_names({stem: system})
    is_only = system is None and any(note.startswith(ONLY_SYSTEM) for note in scores.notes)
    if is_only and (owner := names_in([stem], data.systems)[stem]) and owner not in scores.systems:
        problem = f"the scores are those of {scores.systems[0]} by a column that may name the judge"
        warn(f"source: {problem}, but the file is called {stem}; pass system={owner!r} if they are of it", RoleWarning)
    if name is None and names is None and len(found) == 1 and found[0].casefold() in UNNAMED:
        name = stem if stem and stem not in taken else None
    called = _resolve_names(taken, found, name, names, kind, scores, said, nameless=is_nameless and system is None)
    with collect_warnings() as later:
        alignment = align(data, scores, system=None if unknown else system)
    ask_texts(data, alignment)
    is_sure = alignment.verified is not None and alignment.verified.is_sure
    settled = (*IN_ORDER * is_sure, *[MAYBE_METRICX] * lower_is_better)
    for category, message in [*said, *later]:
        if not any(told in message for told in settled):
            warn(message, category)
    matrices = {**alignment.scores.human, **alignment.scores.metrics}
    added = {called[key]: alignment.matrix(matrices[key]) for key in called}
    for key, matrix in added.items():
        if np.isnan(matrix).all():
            raise InputError(f"source: {key} has no score in the {alignment.cells:,} cells that match; check the file")
    sign = -1 if lower_is_better and not are_negated(scores) else 1
    ask_scale(data, {kind: added}, sign=sign)
    added = {key: sign * matrix for key, matrix in added.items()}
    joined = _join_humans(data, alignment, called, added) if as_human else with_matrices(data, added)
    files = [".".join(parts) for parts in _names_of(source)]
    columns = [key for key in called if not any(_OF_FILE.sub("", key) in name for name in (*files, scores.name))]
    renamed = [key for key in columns if key != called[key] and key.casefold() not in (*UNNAMED, SINGLE_SYSTEM)]
    told = [f"{called[key]} is {quote(key)} in the source" for key in renamed]
    return _say_what_matched(joined, alignment, added, told, lower_is_better=lower_is_better, as_human=as_human)


_OF_FILE = re.compile(r" \([^()]+\)$")
"""What `read` puts behind the name of a metric that several files have."""

UNNAMED = ("", "0", "score", "scores", "value", "val", "metric")
"""Names of columns that name no metric, which is then called as its file."""


def _stem_of(source: Any) -> str:
    """The name of the only file of a source without its ending; empty of anything else."""
    if isinstance(source, Mapping) and len(source) == 1 and isinstance(next(iter(source.values())), bytes):
        source = next(iter(source))
    if isinstance(source, (list, tuple)) and len(source) == 1:
        source = source[0]
    return file_stem(str(source)) if isinstance(source, (str, Path)) else ""


def _names_of(source: Any) -> list[list[str]]:
    """What may name a test set and a language pair: the parts of the name of each key or file, and its folders."""
    is_one = isinstance(source, (str, os.PathLike))
    paths = [source] if is_one else source if isinstance(source, (list, tuple, Mapping)) else ()
    found: list[list[str]] = []
    for path in (Path(one) for one in paths if isinstance(one, (str, os.PathLike))):
        names = path.name.split(".")
        if folders := [at for at, part in enumerate(path.parts) if part in ("metric-scores", "human-scores")]:
            names += path.parts[max(folders[-1] - 1, 0) :]
        found.append(names)
    return found


def _unknown_system(data: EvalSet, system: object) -> str:
    """What to say of a name of no system of the set, which may be that of a column; empty where it is a system's."""
    try:
        find_name("system", system, data.systems)
    except InputError as error:
        return str(error)
    return ""


def _read_chosen(
    data: EvalSet, source: Any, format: str | None, choices: Choices, name: str | None, kind: str
) -> EvalSet:
    """The set that a source is or holds; chosen scores of a ``kind`` may be those of a file, or of lists."""
    as_human = kind == "human"
    try:
        return _read_scores(data, source, format, choices, name, as_human=as_human)
    except InputError as error:
        if not choices.get(kind) or not str(error).startswith(f"{kind}: the"):
            raise
        rest = {key: one for key, one in choices.items() if key != kind}
        scores = _read_scores(data, source, format, rest, name, as_human=as_human)
        every = {**scores.human, **scores.metrics}
        wanted = as_names(choices[kind], kind)
        if not {*wanted} <= every.keys():
            if "there is no column" in str(error):
                raise
            hint = did_you_mean(str(wanted[0]), every) or f"there are {some_of([*every])}"
            raise InputError(f"{kind}: the source has no scores {wanted[0]!r}; {hint}") from error
    raters = {one: scores.raters[one] for one in wanted if one in scores.raters and as_human}
    chosen = {one: every[one] for one in wanted}
    human, metrics = (chosen, {}) if as_human else ({}, chosen)
    return replace(scores, human=human, metrics=metrics, gold=None, raters=raters)


def _read_scores(
    data: EvalSet, source: Any, format: str | None, choices: Choices, name: str | None, *, as_human: bool
) -> EvalSet:
    """The set that a source is or holds; ``name`` is that which its only scores will have."""
    if isinstance(source, EvalSet):
        if format is not None or choices:
            raise InputError(f"{next(iter(choices), 'format')}: is for files, but the source is an EvalSet")
        return arrange(data, source)
    told, alone = {"human", "scorer", "score_column"} & choices.keys(), set[str]()

    def find_alone(question: Choice) -> tuple[str, ...] | None:
        return tuple(alone.intersection(question.options)) or None

    likely: Defaults = {
        "language_pair": data.language_pair,
        "testset": data.name,
        "reference": data.standard_reference,
        "systems": data.systems,
        "segments": tuple(data.segments),
        "beside": (KnownTexts(data),),
        "wanted": (name,) if isinstance(name, str) else (),
        "human": lambda question: _people(data, question, choices, alone if as_human else None),
        "metrics": find_alone if as_human else None if told else refuse_unclear,
        "score_column": refuse_unnamed,
    }
    source = as_pandas(source)
    if isinstance(source, Mapping) and source and all(isinstance(one, pd.DataFrame) for one in source.values()):
        source = _join_tables(data, source)
    for one in source.values() if isinstance(source, Mapping) else ():
        index = one.index if isinstance(one, pd.Series) else pd.Index(())
        is_number = pd.api.types.is_integer_dtype(index) and index.name is None and index.is_unique
        if is_number and not is_default(index) and index.max() <= len(data.segments):
            ask_start(data.segments, index)
    if isinstance(source, pd.DataFrame):
        source = with_systems_as_columns(data, source)
    return arrange(data, read_likely(source, format, choices, likely), source)


def _join_tables(data: EvalSet, tables: Mapping[Any, pd.DataFrame]) -> Any:
    """One table of those of each system or domain; those of the same rows as files, one of each person or metric."""
    named = [name for name in next(iter(tables.values())) if plain_name(str(name)) in ALIASES["system"]]
    is_named = any(plain_name(str(name)) in ALIASES["system"] for one in tables.values() for name in one)
    keys = [*map(str, tables)]
    if {*keys} <= {*data.domains} and not any("domain" in one for one in tables.values()):
        return pd.concat(tables, names=["domain"]).reset_index(level=0)
    are_keys = are_systems(data, keys)
    is_wide = not (is_named or are_keys) and all(_is_labeled_wide(data, one) for one in tables.values())
    if not (is_named or are_keys or is_wide):
        return tables
    if is_wide or (named and not are_keys and not are_segments(data, keys) and _hold_same_rows(tables, named[0])):
        return {f"{name}.csv": flat(one).to_csv(index=False).encode() for name, one in tables.items()}
    return pd.concat(tables, names=[None if is_named else "system"]).reset_index(level=0, drop=is_named)


def _is_labeled_wide(data: EvalSet, table: pd.DataFrame) -> bool:
    """Whether systems are columns of a table beside others, which may name its rows, and its index names none."""
    others = [name for name in table if name not in data.systems]
    return bool(others) and is_default(table.index) and are_systems(data, map(str, table.columns.difference(others)))


def _hold_same_rows(tables: Mapping[Any, pd.DataFrame], system: Any) -> bool:
    """Whether several tables, whose names stand in none of them, have rows of the same systems and other labels."""
    if len(tables) < 2 or any(str(name) in map(str, one.iloc[0]) for name, one in tables.items() if len(one)):
        return False
    first = next(iter(tables.values()))
    for column in [name for name in first if name != system and not pd.api.types.is_float_dtype(first[name].dtype)]:
        if all({system, column} <= {*one.columns} for one in tables.values()):
            pairs = [[*zip(one[system], one[column], strict=True)] for one in tables.values()]
            if all(len({*some}) == len(some) for some in pairs) and {*pairs[0]}.intersection(*pairs[1:]):
                return True
    return False


def _people(data: EvalSet, question: Choice, choices: Choices, alone: set[str] | None) -> tuple[str, ...] | None:
    """The columns of human scores in a table to add: none of a wide one, nor guessed ones where metrics are added.

    Where human scores are (``alone`` is a set), the only column of a table is added to it and read as a metric.
    """
    if question.key != "human_columns":
        return None
    if alone is not None and "scorer" not in choices:
        if choices.get("metrics") and not any(map(is_human, question.usual)):
            raise InputError("metrics: names no human scores, and they are wanted; name them by human=")
        is_score = not question.beside and not any(STOPPED.fullmatch(plain_name(one)) for one in question.options)
        is_one = len(question.options) == 1 and is_score and "aggregate" not in choices
        alone.update(question.options * is_one)
        return () if is_one or are_systems(data, question.options) or are_segments(data, question.options) else None
    return () if {"metrics", "scorer", "score_column"} & choices.keys() else tuple(filter(is_human, question.usual))


def _humans(scores: EvalSet, choices: Choices, systems: Sequence[str]) -> list[str]:
    """The human scores to add, or scores that no name tells; refused where a metric may be human scores as well."""
    if scores.human and "human" not in choices:
        is_sure = any(map(is_named_human, scores.human))
        likely = [
            *scores.human,
            *(name for name in scores.metrics if is_named_human(name) or not (is_sure or is_metric(name))),
        ]
        if len(likely) > len(scores.human):
            raise InputError(ask_people(likely, systems, [name for name in scores.metrics if name not in likely]))
    return list(scores.human or scores.metrics)


def _metrics(data: EvalSet, scores: EvalSet) -> list[str]:
    """The scores to add: the metrics, or human-looking scores where there are no others."""
    if scores.metrics:
        return list(scores.metrics)
    others = [name for name in scores.human if name not in data.human]
    if not others:
        listed = ", ".join(scores.human) or "no scores"
        chosen = next(iter(scores.human)) if len(scores.human) == 1 else [*scores.human]
        usual = f"pass metrics={chosen!r} if they are a metric's in a table, or add them with with_human"
        remedy = next((note for note in scores.notes if note.startswith("Left out")), usual)
        raise InputError(f"source: holds no metric, but human scores ({listed}); {remedy}")
    warn(f"source: holds no metric, so {some_of(others)} was taken for one", RoleWarning)
    return others


def _resolve_names(
    taken: Mapping[str, str],
    found: list[str],
    name: str | None,
    names: Mapping[str, str] | Sequence[str] | None,
    kind: str,
    scores: EvalSet,
    said: Iterable[tuple[Any, str]],
    *,
    nameless: bool,
) -> dict[str, str]:
    """The name that each metric of the source gets in the set; ``nameless`` says that it names no systems."""
    if name is not None and names is not None:
        raise InputError("names: pass either name= or names=")
    if name is not None:
        if not isinstance(name, str) or not name:
            raise InputError(f"name: must be a name, found {name!r}")
        if len(found) != 1:
            problem = f"names one metric, but there are {len(found)} ({some_of(found)})"
            columns = dict.fromkeys(_OF_FILE.sub("", one) for one in found)
            if nameless and len(columns) == len(found):
                more = "; if another column names the systems, pass system= with its name"
                if all(map(str.isdigit, columns)):
                    more += "; if these are segments, give one object by system and segment, {SYSTEM: {SEGMENT: SCORE}}"
                raise InputError(f"name: {problem}; {advise_rename(found)}{more}{say_left_out(said)}")
            more = f"or pass names={{{found[0]!r}: …}} instead of name="
            more += advise_mean(found) if kind == "human" else ""
            new = [one for one in columns if one not in taken] or [*columns]
            choose = ask_score(kind, new, {**scores.human, **scores.metrics})
            raise InputError(f"name: {problem}; {choose}, {more}{say_left_out(said)}")
        names = {found[0]: name}
    if isinstance(names, Mapping):
        unknown = next((key for key in names if key not in found), None)
        if unknown is not None:
            hint = did_you_mean(str(unknown), found) or f"there are {some_of(found)}"
            raise InputError(f"names: there is no metric {unknown!r} in the source; {hint}")
        called = {key: names.get(key, key) for key in found}
    elif names is None:
        called = {key: key for key in found}
        if 0 < len(new := [one for one in found if one not in taken]) < len(found):
            there = some_of([one for one in found if one in taken])
            choice = repr(new[0] if len(new) == 1 else new)
            raise InputError(f"name: the set has {there} already; pass {kind}={choice} for the others alone")
    else:
        if isinstance(names, str) or len(names) != len(found):
            raise InputError(f"names: expected one name for each of {len(found)} metrics: {some_of(found)}")
        called = dict(zip(found, names, strict=True))
    for key in called.values():
        if not isinstance(key, str) or not key:
            raise InputError(f"names: must be names, found {key!r}")
    _check_new(taken, called.values())
    if len(set(called.values())) < len(called):
        raise InputError(f"names: each must be there once, found {', '.join(map(short, called.values()))}")
    return called


def _check_new(taken: Mapping[str, str], names: Iterable[Any]) -> None:
    """Refuse a name that the set has."""
    key = next((name for name in names if isinstance(name, str) and name in taken), None)
    if key is not None:
        raise InputError(f"name: the set has a {taken[key]} {key!r} already; pass another one, name={key + '-2'!r}")


def with_matrices(data: EvalSet, added: Mapping[str, FloatMatrix]) -> EvalSet:
    """The set with metrics whose scores are in its rows and columns, and part of its digest."""
    _check_new(dict.fromkeys(data.metrics, "metric"), added)
    digest = data.digest
    for key, matrix in added.items():
        digest = hashlib.sha256(f"{digest}\0{key}\0".encode() + matrix.tobytes()).hexdigest()
    return replace(data, metrics={**data.metrics, **added}, digest=digest)


def _join_humans(
    data: EvalSet, alignment: Alignment, called: Mapping[str, str], added: Mapping[str, FloatMatrix]
) -> EvalSet:
    """The set with aligned human scores, and how many scores each of them is the mean of."""
    raters = {
        called[key]: np.nan_to_num(alignment.matrix(counts.astype(np.float64))).astype(np.int64)
        for key, counts in alignment.scores.raters.items()
        if key in called
    }
    digest = hashlib.sha256(data.digest.encode())
    for key, matrix in added.items():
        digest.update(f"\0human {key}\0".encode() + matrix.tobytes())
    gold = next(iter(added)) if data.gold is None and not data.human and len(added) == 1 else data.gold
    human, raters = {**data.human, **added}, {**data.raters, **raters}
    return replace(data, human=human, raters=raters, gold=gold, digest=digest.hexdigest())


def _say_what_matched(
    joined: EvalSet,
    alignment: Alignment,
    added: Mapping[str, FloatMatrix],
    told: Sequence[str],
    *,
    lower_is_better: bool,
    as_human: bool,
) -> EvalSet:
    """The set with what there is to say about its new scores; ``told`` comes behind what matched."""
    label, data = some_of(list(added)), alignment.data
    alignment = settle_doubt(alignment, added)
    by = " by the format's reader, and not once more," if are_negated(alignment.scores) else ","
    negated = (f"{label}: {NEGATED.replace(',', by)}",) if lower_is_better else ()
    first, *more = alignment.sentences()
    sentences = [f"{', '.join(added)}: {first}", *(f"{label}: {text}" for text in more)]
    if left_out := [name for name in alignment.scores.metrics if as_human and alignment.scores.human]:
        sentences.append(f"{label}: left out {some_of(left_out)}, as no human scores")
    if (scored := min(int((~np.isnan(matrix)).sum()) for matrix in added.values())) < alignment.cells:
        sentences[0] += f"; {scored:,} of the matched cells have a score"
    sentences[0] = "; ".join([sentences[0], *told])
    sentences += say_equal({**data.human, **data.metrics}, added)
    ask_equal(*((data.metrics, added) if as_human else (added, data.human)))
    if left := alignment.gaps():
        warn(f"{label}: {'; '.join(left)}", LeftOutWarning)
    found = replace(joined, notes=(*data.notes, *alignment.scores.notes, *negated, *sentences[1:], sentences[0]))
    remedy = f"lower_is_better={not lower_is_better}"
    falling = () if data.gold is None else ask_direction(found, data.gold, added, None, remedy)
    ask_order(data, alignment, {name: -matrix if name in falling else matrix for name, matrix in added.items()}, remedy)
    return found
