"""How does a metric's file come beside the metrics of a set? It is read, aligned and added; what is odd is said."""

from __future__ import annotations

import hashlib
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from tiekit.base.errors import InputError, LeftOutWarning, OrderWarning, RoleWarning, quote, warn
from tiekit.base.names import (
    ALIASES,
    are_nameless,
    did_you_mean,
    find_name,
    known_names,
    names_in,
    plain_name,
    row_names,
    short,
    without_reference,
)
from tiekit.base.validation import IntArray, is_default, text_labels
from tiekit.core.coefficients import values_per_group
from tiekit.core.grouping import group_checked
from tiekit.core.registry import COEFFICIENTS
from tiekit.readers._numbers import ask_scale
from tiekit.readers._questions import Choice, Choices, Defaults
from tiekit.readers._score_names import is_human, is_metric, is_named_human
from tiekit.readers._source import as_pandas, file_stem
from tiekit.readers._table import FRAME
from tiekit.readers.facts import named_pair
from tiekit.readers.read import are_negated, read_likely
from tiekit.sets.alignment import (
    ENOUGH,
    SHOWN,
    Alignment,
    align,
    are_counted,
    check_pair,
    labels_as_numbers,
    nameless_orders,
    some_of,
    with_labels_apart,
)
from tiekit.sets.arguments import ask_direction
from tiekit.sets.evalset import SINGLE_SYSTEM, EvalSet
from tiekit.sets.scores import NEGATED, FloatMatrix

FEWEST_COLUMNS = 2
"""Minimum number of columns that must be systems of the set, beside half of them."""

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
    of_rows, of_columns = (_share_of_systems(data, _labels(axis)) for axis in frame.axes)
    of_rows *= is_matrix
    numbers = text_labels(frame.columns) if is_default(frame.columns) and not of_rows else []
    if numbers != list(data.systems) and are_systems(data, numbers):
        raise InputError(
            "source: its columns have no names but rows have; name them, such as by frame.columns = SYSTEMS"
        )
    if has_segments(frame) or not (of_rows or of_columns):
        return frame
    if of_rows >= of_columns and plain_name(str(frame.index.name)) not in ALIASES["segment"]:
        if of_rows == of_columns and frame.index.name is None:
            told = "its rows and its columns have names of systems, and its rows were taken for these"
            warn(f"source: {told}; name the rows if they are segments, frame.rename_axis('segment')", RoleWarning)
        frame = frame.T
    index = frame.index
    if is_default(index) or index.name is not None:
        return frame
    if pd.api.types.is_integer_dtype(index) and are_counted(data.segments) and not {0, len(data.segments)} & {*index}:
        shown = f"{some_of(text_labels(index[:2]))}, … {index[-1]}"
        raise InputError(
            f"source: its index {shown} may count the set's {len(data.segments):,} segments from 0 or from 1; pass "
            "frame.set_axis(frame.index + 1) if from 0, and in both cases name it: frame.rename_axis('segment')"
        )
    return frame.rename_axis("segment")


def _labels(index: pd.Index) -> Sequence[str]:
    """The labels of an axis as text; those that pandas gives are no names."""
    return row_names(len(index)) if is_default(index) else text_labels(index)


def with_columns_as_names(data: EvalSet, scores: EvalSet) -> EvalSet:
    """Scores whose metrics are named like systems of the set, or like its segments, as one metric of these.

    They are of one nameless system, or of whole systems.
    """
    matrices = {**scores.human, **scores.metrics}
    name = scores.name if scores.name not in ("", FRAME, "list") else SCORE
    for axis, (what, are_named) in enumerate((("systems", are_systems), ("segments", are_segments))):
        if len(getattr(scores, what)) == 1 and are_named(data, list(matrices)):
            note = f"Its columns are {what} of {data.name}, and their scores those of one metric, {name}."
            stacked = np.concatenate(list(matrices.values()), axis)
            return _only_scores(scores, {name: stacked}, note, **{what: tuple(matrices)})
    return scores


def with_rows_as_systems(data: EvalSet, scores: EvalSet) -> EvalSet:
    """Scores turned where their systems are the set's segments; as metrics, where they are lists of the whole set."""
    matrices, rows = {**scores.human, **scores.metrics}, scores.systems
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
    notes = (*scores.notes, note)
    return EvalSet(scores.name, scores.language_pair, systems, segments, {}, metrics, digest=scores.digest, notes=notes)


def arrange(data: EvalSet, scores: EvalSet, source: Any = None) -> EvalSet:
    """Scores of a wide table, or of lists, as systems × segments, by the names that the set has.

    Refused are those of another language pair by the names of the source's files; another year is said.
    """
    said, systems = _names_of(source), set(data.systems)
    arranged = with_rows_as_systems(data, with_columns_as_names(data, with_labels_apart(data, scores)))
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
    """The share of the names that are systems of the set; 0 unless these are two, half, and no fewer than segments."""
    every = list(names)
    try:
        known = 0 if are_nameless(names) else sum(map(bool, names_in(every, data.systems).values()))
    except InputError:
        return 0.0
    if known < FEWEST_COLUMNS or 2 * known < len(every) or known < len({*every}.intersection(data.segments)):
        return 0.0
    return known / len(every)


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


UNRELATED = 0.05
"""A metric whose tau_b with the gold score and with every other metric lies within this of 0 is unrelated to them. Of
the 24 metrics of WMT22 Chinese–English none is: each has at least .098 by item with another one, and .32 by system;
scores in the order of the segments, or of other systems, have at most .034."""

BETTER = 0.1
"""In an order in which tau_b with the gold score is higher by this, the scores fit better."""

FEWEST = 100
"""Minimum number of segments; in fewer, chance decides what looks unrelated."""

MOST = 2_000
"""Maximum number of segments that are compared; of more, evenly spaced ones are taken."""

MOST_TRIED = 500
"""Maximum number of segments in which other orders are tried."""

FEW, MOST_ASKED = 4, 20
"""Of more metrics than the first number, fewer segments are compared; those beyond the second are not asked about."""

FEWEST_SYSTEMS = 5
"""Minimum number of systems; of fewer it is not asked whether they are exchanged."""

LIKE = 0.3
"""Scores of one system that correlate so much with those of another one, by the other metrics, are like them."""

MORE_LIKE = 0.2
"""They are another system's where they correlate by so much less with those of the system that they are named after.
Of 153 metrics of WMT22 and WMT23, none has two systems that are exchanged by this rule, nor half of its systems."""

LESS, MOVED = 0.25, 0.15
"""A system whose scores correlate less with the mean of the metrics than this share of the usual, or by so much more
once they are moved by a segment, is in another order. In the sets that come along no system of a metric has less than
.31 of the usual, and .13 more once moved; shuffled ones have at most .22 of the usual."""

_PROBE = re.compile(r"sentinel|random|noise|constant|dummy|shuffle|probe|baseline", re.IGNORECASE)
_LEVELS = {"item": "among the systems, segment by segment", "system": "among the segments, system by system"}


def ask_order(data: EvalSet, alignment: Alignment, added: Mapping[str, FloatMatrix]) -> None:
    """Ask whether the order is right of metrics that nothing else is related to, or that another order fits better.

    Not asked where texts were compared, of probes by their names, and in small sets; of systems alone where segments
    have names that are no numbers.
    """
    if alignment.verified is not None or len(data.segments) < FEWEST:
        return
    counted = alignment.by == "position" or are_counted(data.segments)
    size, most = len(data.segments), MOST if len(added) <= FEW else MOST_TRIED
    part, few = (np.unique(np.linspace(0, size - 1, min(size, n)).astype(np.int64)) for n in (most, MOST_TRIED))
    others = {name: matrix for name, matrix in data.metrics.items() if not _PROBE.search(without_reference(name))}
    gold = {} if data.gold is None else {data.gold: data.human[data.gold]}
    for name, matrix in islice(added.items(), MOST_ASKED):
        if _PROBE.search(name) or (~np.isnan(matrix)).any(axis=0).sum() < FEWEST:
            continue
        said = (
            _better_order(data, alignment, matrix, few) or _describe_unrelated(matrix, {**gold, **others}, part)
            if counted
            else ""
        )
        said = said or _describe_exchange(data, matrix, others.values(), few)
        if said := said or _describe_disorder(data, matrix, others.values()):
            warn(f"{name}: {said}", OrderWarning)


def _tau_b(first: FloatMatrix, second: FloatMatrix, grouping: str) -> float:
    """The mean tau_b over groups; NaN where none is defined."""
    values = values_per_group(group_checked(first, second, grouping), COEFFICIENTS["tau_b"])
    return float(np.nanmean(values)) if (~np.isnan(values)).any() else np.nan


def _describe_unrelated(matrix: FloatMatrix, others: Mapping[str, FloatMatrix], part: IntArray) -> str:
    """What to say of a metric that is unrelated to all others, by item or by system; empty of any other metric."""
    for grouping, level in _LEVELS.items():
        found: list[float] = []
        for other in others.values():
            value = _tau_b(other[:, part], matrix[:, part], grouping)
            found += [] if np.isnan(value) else [value]
            if abs(value) >= UNRELATED:
                break
        else:
            if found:
                most = max(found, key=abs)
                return (
                    f"is unrelated to the human score and to every metric of the set {level} (tau_b by {grouping} at "
                    f"most {abs(most):.3f}); are its scores in the order of the set's systems and segments?"
                )
    return ""


def _better_order(data: EvalSet, alignment: Alignment, matrix: FloatMatrix, part: IntArray) -> str:
    """What to say of scores that agree better with the gold score in another order; empty where they do not."""
    if data.gold is None:
        return ""
    gold = data.human[data.gold][:, part]
    shifted = (
        ("each score is that of the next segment", np.roll(matrix, 1, axis=1)),
        ("each score is that of the segment before", np.roll(matrix, -1, axis=1)),
    )
    for grouping, orders in (("system", shifted), ("item", _segment_by_segment(alignment, matrix))):
        found = None
        for what, other in orders:
            found = _tau_b(gold, matrix[:, part], grouping) if found is None else found
            value = _tau_b(gold, other[:, part], grouping)
            if value - max(found, 0.0) >= BETTER:
                return (
                    f"agrees better with {data.gold} if {what} (tau_b by {grouping} {value:.2f}, now {found:.2f}); are "
                    "its scores in the order of the set's systems and segments?"
                )
    return ""


def _segment_by_segment(alignment: Alignment, matrix: FloatMatrix) -> Iterator[tuple[str, FloatMatrix]]:
    """Scores that name nothing, as if all systems of a segment stood before those of the next."""
    if alignment.laid_out:
        rows = np.flatnonzero(alignment.rows >= 0)
        whole = np.full_like(matrix, np.nan)
        whole[rows] = matrix[rows].ravel().reshape(-1, len(rows)).T
        yield "its lines are all systems of a segment, then those of the next", whole


def _describe_exchange(data: EvalSet, matrix: FloatMatrix, others: Iterable[FloatMatrix], part: IntArray) -> str:
    """What to say of systems whose scores are like those that others get from the set's metrics; empty of none.

    Compared is where a system is better or worse than the mean of the systems, segment by segment.
    """
    known = (~np.isnan(matrix[:, part])).sum(axis=1) >= FEWEST
    usual = [_from_mean(other[:, part]) for other in others]
    if known.sum() < FEWEST_SYSTEMS or not usual:
        return ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # where no metric has a score
        found = _correlate_rows(_from_mean(matrix[:, part])[known], np.nanmean(usual, axis=0)[known])
    own, like = np.diag(found), np.argmax(found, axis=1)
    best = found.max(axis=1)
    strange = np.flatnonzero((best >= LIKE) & (best - own >= MORE_LIKE))
    exchanged = [row for row in strange.tolist() if like[like[row]] == row and like[row] in strange]
    if not exchanged and 2 * len(strange) < len(own):
        return ""
    names = [name for name, is_known in zip(data.systems, known, strict=True) if is_known]
    pairs = [f"{names[row]} like {names[like[row]]}" for row in exchanged or strange.tolist()]
    return (
        f"{len(pairs)} of {len(names)} systems have scores like those of another system by the other metrics: "
        f"{some_of(pairs)}; are its scores in the order of the set's systems and segments, and the names right?"
    )


def _describe_disorder(data: EvalSet, matrix: FloatMatrix, others: Iterable[FloatMatrix]) -> str:
    """What to say of systems whose scores are in another order than those of the others; empty of none.

    Compared is how each system's scores correlate with the mean of the set's metrics, and whether those of the last
    segments do better if they are moved by one.
    """
    mean, number = np.zeros_like(matrix[:, -MOST:]), np.zeros_like(matrix[:, -MOST:])
    for other in others:
        scores = (other - np.nanmean(other)) / (np.nanstd(other) or 1.0)
        mean, number = mean + np.nan_to_num(scores)[:, -MOST:], number + ~np.isnan(other[:, -MOST:])
    mean = np.where(number, mean / np.maximum(number, 1), np.nan)
    part = min(matrix.shape[1] // 2, MOST_TRIED)
    own, last, *moved = (
        np.diag(_correlate_rows(np.roll(matrix, by, axis=1)[:, -size:], mean[:, -size:]))
        for by, size in ((0, MOST), (0, part), (1, part), (-1, part))
    )
    known = own > -1
    if known.sum() < FEWEST_SYSTEMS:
        return ""
    usual = float(np.median(own[known]))
    best = np.max(moved, axis=0)
    sizes = [np.maximum((~np.isnan(matrix[:, -size:])).sum(axis=1), 1) for size in (MOST, part)]
    strange = (own < usual * LESS) & (usual - own > 4 / np.sqrt(sizes[0]))
    strange |= (own < usual) & (best - last > np.maximum(MOVED, 2 / np.sqrt(sizes[1])))
    names = [
        f"{name} ({value:.2f}{f'; moved by one segment {most:.2f}' if most > value else ''})"
        for name, value, most, is_strange in zip(data.systems, own, best, strange & known, strict=True)
        if is_strange and name not in data.default_exclude
    ]
    if not names:
        return ""
    return (
        f"the scores of {some_of(names)} correlate less with the mean of the set's metrics than those of the other "
        f"systems (median {usual:.2f}); are they in the order of the set's segments?"
    )


def _from_mean(scores: FloatMatrix) -> FloatMatrix:
    """How far each score lies from the mean of its segment, as a share of the usual distance."""
    known = ~np.isnan(scores)
    totals, numbers = np.where(known, scores, 0).sum(axis=0), known.sum(axis=0)
    distances: FloatMatrix = scores - totals / np.where(numbers, numbers, 1)
    usual = float(np.sqrt(np.mean(distances[known] ** 2))) if known.any() else 0.0
    return distances / usual if usual else np.full_like(distances, np.nan)


def _correlate_rows(first: FloatMatrix, second: FloatMatrix) -> FloatMatrix:
    """Pearson's correlation of each row of one matrix with each row of another one; -1 where it is undefined."""
    sides = []
    for matrix in (first, second):
        known = ~np.isnan(matrix)
        numbers = np.maximum(known.sum(axis=1), 1)[:, None]
        filled = np.where(known, matrix, 0)
        centered = np.where(known, filled - filled.sum(axis=1)[:, None] / numbers, 0)
        lengths = np.sqrt((centered**2).sum(axis=1))[:, None]
        sides.append((centered / np.where(lengths, lengths, np.inf), lengths[:, 0] > 0))
    (left, has_left), (right, has_right) = sides
    return np.where(has_left[:, None] & has_right, left @ right.T, -1.0)


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
    taken = dict.fromkeys(data.human, "human score") if as_human else dict.fromkeys(data.metrics, "metric")
    _check_new(taken, [name, *(names.values() if isinstance(names, Mapping) else names or ())])
    choices = choices or {}
    unknown = "" if system is None or isinstance(source, EvalSet) else _unknown_system(data, system)
    try:
        options = {**choices, "system": system} if unknown else choices
        scores = _read_scores(data, source, format, options, as_human=as_human)
    except InputError as error:
        if unknown and str(error).startswith("system: "):
            raise InputError(f"{unknown}; nor does the source have a column of that name") from error
        raise
    found = _humans(scores, choices) if as_human else _metrics(data, scores)
    if are_systems(data, found) and not are_systems(data, scores.systems):
        below = f"below which scores are expected, but there are {some_of(scores.systems)}"
        remedy = "give one list of scores for each system, or a table with the columns system, document and segment"
        raise InputError(f"source: its first names are systems of the set ({some_of(found)}), {below}; {remedy}")
    if name in found and len(found) > 1:
        left = some_of([one for one in found if one != name])
        warn(f"source: took {quote(name)} by its name; left out {left}; say otherwise with metrics=", RoleWarning)
        found = [name]
    is_nameless = scores.systems == (SINGLE_SYSTEM,)
    hints = [hint for one in found if (hint := _like_system(data, one))] if is_nameless and system is None else []
    alike = len(hints) + len({*found}.intersection(data.systems))
    if hints and alike >= max(FEWEST_COLUMNS, len(found) / 2):
        asked = "; ".join(hints[:SHOWN])
        raise InputError(f"source: its columns ({some_of(found)}) seem to be systems of the set; rename them: {asked}")
    if name is None and names is None and len(found) == 1 and found[0].casefold() in UNNAMED:
        stem = _stem_of(source)
        name = stem if stem and stem not in taken else None
    called = _resolve_names(taken, found, name, names, nameless=is_nameless)
    alignment = align(data, scores, system=None if unknown else system)
    matrices = {**alignment.scores.human, **alignment.scores.metrics}
    added = {called[key]: alignment.matrix(matrices[key]) for key in called}
    for key, matrix in added.items():
        if np.isnan(matrix).all():
            raise InputError(f"source: {key} has no score in the {alignment.cells:,} cells that match; check the file")
    ask_scale(data.systems, added)
    if lower_is_better and not are_negated(scores):
        added = {key: -matrix for key, matrix in added.items()}
    joined = _join_humans(data, alignment, called, added) if as_human else with_matrices(data, added)
    return _say_what_matched(joined, alignment, added, lower_is_better=lower_is_better, as_human=as_human)


def _like_system(data: EvalSet, name: str) -> str:
    """A name that is like that of a system of the set, which it is not, with the question whether that is meant."""
    hint = "" if name in data.systems or is_metric(name) else did_you_mean(name, data.systems)
    return f"{name}: {hint}" if hint else ""


_OF_FILE = re.compile(r" \([^()]+\)$")
"""What `read` puts behind the name of a metric that several files have."""

UNNAMED = ("", "0", "score", "scores", "value", "val", "metric")
"""Names of columns that name no metric, which is then called as its file."""


def _stem_of(source: Any) -> str:
    """The name of the only file of a source without its ending; empty of anything else."""
    if isinstance(source, Mapping) and len(source) == 1 and isinstance(next(iter(source.values())), bytes):
        source = next(iter(source))
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


def _read_scores(data: EvalSet, source: Any, format: str | None, choices: Choices, *, as_human: bool) -> EvalSet:
    """The set that a source is or holds."""
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
        "human": lambda question: _people(data, question, choices, alone if as_human else None),
        "metrics": find_alone if as_human else None if told else _refuse_unclear,
        "score_column": _refuse_unnamed,
    }
    source = as_pandas(source)
    if isinstance(source, Mapping) and source and all(isinstance(one, pd.DataFrame) for one in source.values()):
        is_named = any(plain_name(str(name)) in ALIASES["system"] for one in source.values() for name in one)
        if is_named or are_systems(data, [*map(str, source)]):  # a table of each system
            source = pd.concat(source, names=[None if is_named else "system"]).reset_index(level=0, drop=is_named)
    if isinstance(source, pd.DataFrame):
        source = with_systems_as_columns(data, source)
    return arrange(data, read_likely(source, format, choices, likely), source)


def _people(data: EvalSet, question: Choice, choices: Choices, alone: set[str] | None) -> tuple[str, ...] | None:
    """The columns of human scores in a table to add: none of a wide one, nor guessed ones where metrics are added.

    Where human scores are (``alone`` is a set), the only column of a table is added to it and read as a metric.
    """
    if question.key != "human_columns":
        return None
    if alone is not None:
        if choices.get("metrics") and not any(map(is_human, question.usual)):
            raise InputError("metrics: names no human scores, and they are wanted; name them by human=")
        is_one = len(question.options) == 1 and "aggregate" not in choices
        alone.update(question.options * is_one)
        return () if is_one or are_systems(data, question.options) or are_segments(data, question.options) else None
    return () if {"metrics", "scorer", "score_column"} & choices.keys() else tuple(filter(is_human, question.usual))


def unclear_columns(question: Choice) -> list[str]:
    """Columns of a table that may be the metric to add, but are named as human scores often are, before the others."""
    if question.key != "metric_columns":
        return []
    found = [name for name in question.options if is_named_human(name) and name not in question.usual]
    return [*found, *question.usual] if found else []


def _refuse_unclear(question: Choice) -> None:
    """Ask which column is the metric where one is named as human scores often are."""
    if found := unclear_columns(question):
        names = known_names(map(quote, found))
        problem = f"columns {names} may each be the metric, or {quote(found[0])} human scores"
        raise InputError(f"metrics: {problem}; pass metrics={found[0]!r} or metrics={found[-1]!r}")


def _refuse_unnamed(question: Choice) -> NoReturn:
    """Ask which of several columns without names holds the scores to add."""
    numbers = " or ".join(question.options)
    raise InputError(
        f"{question.argument}: the file has {len(question.options)} columns of numbers and no header; pass "
        f"{question.argument}={numbers}. {question.needed} If others hold systems or segments, put a line such as "
        "system,segment,score above them."
    )


def _humans(scores: EvalSet, choices: Choices) -> list[str]:
    """The human scores to add, or scores that no name tells; refused where a metric may be human scores as well."""
    if scores.human and "human" not in choices:
        likely = [*scores.human, *filter(is_named_human, scores.metrics)]
        if len(likely) > len(scores.human):
            names = known_names(map(quote, likely))
            raise InputError(
                f"human: columns {names} may each be the human scores; pass human= with one or more of them"
            )
    return list(scores.human or scores.metrics)


def _metrics(data: EvalSet, scores: EvalSet) -> list[str]:
    """The scores to add: the metrics, or human-looking scores where there are no others."""
    if scores.metrics:
        return list(scores.metrics)
    others = [name for name in scores.human if name not in data.human]
    if not others:
        listed = ", ".join(scores.human) or "no scores"
        usual = "pass human=() if they are a metric's in a table, or add them with with_human"
        remedy = next((note for note in scores.notes if note.startswith("Left out")), usual)
        raise InputError(f"source: holds no metric, but human scores ({listed}); {remedy}")
    warn(f"source: holds no metric, so {some_of(others)} was taken for one", RoleWarning)
    return others


def _resolve_names(
    taken: Mapping[str, str],
    found: list[str],
    name: str | None,
    names: Mapping[str, str] | Sequence[str] | None,
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
            more = f"or pass names={{{found[0]!r}: …}} instead of name="
            more += "; if a column names the systems, pass system= with its name" * nameless
            columns = dict.fromkeys(_OF_FILE.sub("", one) for one in found)
            likely = next((one for one in columns if SCORE in plain_name(one)), [*columns][-1])
            raise InputError(f"name: {problem}; choose it, such as metrics={likely!r}, {more}")
        names = {found[0]: name}
    if isinstance(names, Mapping):
        unknown = next((key for key in names if key not in found), None)
        if unknown is not None:
            hint = did_you_mean(str(unknown), found) or f"there are {some_of(found)}"
            raise InputError(f"names: there is no metric {unknown!r} in the source; {hint}")
        called = {key: names.get(key, key) for key in found}
    elif names is None:
        called = {key: key for key in found}
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
    joined: EvalSet, alignment: Alignment, added: Mapping[str, FloatMatrix], *, lower_is_better: bool, as_human: bool
) -> EvalSet:
    """The set with what there is to say about its new scores."""
    label, data = some_of(list(added)), alignment.data
    by = " by the format's reader, and not once more," if are_negated(alignment.scores) else ","
    negated = (f"{label}: {NEGATED.replace(',', by)}",) if lower_is_better else ()
    sentences = [f"{label}: {text}" for text in alignment.sentences()]
    if left_out := [name for name in alignment.scores.metrics if as_human and alignment.scores.human]:
        sentences.append(f"{label}: left out {some_of(left_out)}, as no human scores")
    if (scored := min(int((~np.isnan(matrix)).sum()) for matrix in added.values())) < alignment.cells:
        sentences[0] += f"; {scored:,} of the matched cells have a score"
    if left := alignment.gaps():
        warn(f"{label}: {'; '.join(left)}", LeftOutWarning)
    found = replace(joined, notes=(*data.notes, *alignment.scores.notes, *negated, *sentences[1:], sentences[0]))
    remedy = f"lower_is_better={not lower_is_better}"
    falling = () if data.gold is None else ask_direction(found, data.gold, added, None, remedy)
    ask_order(data, alignment, {name: -matrix if name in falling else matrix for name, matrix in added.items()})
    return found
