"""Where in its document, or in its domain, is each segment? Places and numbers in it match those of two sets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError
from tiekit.base.names import known_names, some_of
from tiekit.base.validation import IntArray
from tiekit.sets.evalset import EvalSet
from tiekit.sets.labels import NUMBERED, labels_as_numbers

BY_PLACE, BY_NUMBER, BY_DOMAIN = "document and place in it", "document and number in it", "domain and number in it"

COUNTED_WHOLE = "segments are counted in what was shown of a document"
"""What a note says where they may be another part of it, so that only a whole document has its places."""

_IN_DOCUMENT = re.compile(r"(.+)[-_./:|# ]\d+", re.DOTALL)


def with_documents(data: EvalSet, scores: EvalSet) -> EvalSet:
    """Scores with the documents that all labels begin with, such as doc#3, where these are the set's."""
    known, found = {*data.documents}, [*map(_IN_DOCUMENT.fullmatch, scores.segments)]
    documents = tuple(one[1] for one in found if one and one[1] in known)
    return replace(scores, documents=documents) if len(documents) == len(found) else scores


def places_of(ours: Sequence[object], theirs: Sequence[object]) -> IntArray:
    """The place of each label among the other ones, -1 where it is not there."""
    place = {label: column for column, label in enumerate(theirs)}
    return np.array([place.get(label, -1) for label in ours], dtype=np.int64)


def places_in_documents(data: EvalSet) -> tuple[list[tuple[str, int, int]], str]:
    """Each segment's document, that document's length, and the place of the segment in it; and what is a guess.

    The numbers in a document's labels give the places, whatever the order of the segments; labels without numbers, the
    order.
    """
    inside: dict[str, list[int]] = {}
    for column, document in enumerate(data.documents):
        inside.setdefault(document, []).append(column)
    found, doubt = [("", 0, 0)] * len(data.segments), ""
    for document, columns in inside.items():
        labels = [data.segments[column] for column in columns]
        numbers = [number for number in labels_as_numbers(labels) if isinstance(number, int)]
        order = list(range(len(labels)))
        if len(numbers) < len(labels) > 1:
            doubt = doubt or f"segments of {document} ({some_of(labels)}) have no numbers, so their order was taken"
        elif numbers != sorted(numbers):
            order = np.argsort(numbers).tolist()
            if max(numbers) - min(numbers) >= len(numbers):
                doubt = doubt or f"segments of {document} ({some_of(labels)}) were put in the order of their numbers"
        for place, row in enumerate(order, start=1):
            found[columns[row]] = document, len(columns), place
    return found, doubt


def _numbers_in(data: EvalSet) -> list[tuple[str, int]]:
    """Each segment's document and the number that its label ends in; empty where labels of one differ otherwise."""
    labels = [NUMBERED.fullmatch(label) for label in data.segments]
    found = [(document, one) for document, one in zip(data.documents, labels, strict=True) if one]
    is_clear = len({(document, one[1]) for document, one in found}) == len({*data.documents})
    return [(document, int(one[2])) for document, one in found] if is_clear and len(found) == len(labels) else []


def by_number_in_document(
    data: EvalSet, scores: EvalSet, at: Sequence[tuple[str, int, int]], by_place: IntArray
) -> IntArray | None:
    """The column of each segment by its number in its document, where some of the scores have no place.

    The numbers are those of the set, or count all segments of a document from 1, or from 0.
    """
    known, all_have_places = {*data.documents}, {*range(len(scores.segments))} <= {*by_place.tolist()}
    theirs = [] if all_have_places or COUNTED_WHOLE in scores.notes else _numbers_in(scores)
    inside = {pair for pair in theirs if pair[0] in known}
    if not inside or len({*theirs}) < len(theirs):
        return None
    counts = [[(document, place + first) for document, _, place in at] for first in (0, -1)]
    if inside <= {*(ours := _numbers_in(data))}:
        return places_of(ours, theirs)
    fits = [keys for keys in counts if inside <= {*keys}]
    if len(fits) > 1:
        document, size, _ = next(one for one in at if any(one[0] == pair[0] for pair in inside))
        raise InputError(
            f"source: its segments are numbered in documents, from 0 or from 1: no document has its 0 or its last one; "
            f"if from 0, add a row 0 without a score to {document}, and if from 1, a row {size}"
        )
    return places_of(fits[0], theirs) if fits else None


ENDS_LACK = "without the last ones"
"""How a note ends on places in documents where numbers were perhaps counted after rows had been left out."""

MOST_LACK = 0.9
"""The share of the documents, each of a system, that lack scores and have those of all their first segments."""


def say_lacking_ends(data: EvalSet, is_scored: NDArray[np.bool_]) -> str:
    """How many documents lack scores of their last segments; empty where most lack others, or where all are whole.

    ``is_scored`` is systems × segments, and it may be of the first segments of the set. Rows left out by chance leave
    gaps; numbers counted after that have none.
    """
    if _are_first(is_scored).all():
        return ""
    (at, _), parts, lacking = places_in_documents(data), 0, list[str]()
    inside: dict[str, list[int]] = {}
    for column in sorted(range(len(at)), key=lambda column: at[column][2]):
        inside.setdefault(at[column][0], []).append(column)
    for document, columns in inside.items():
        scored = is_scored[:, columns]
        partly = scored[scored.any(axis=1) & ~scored.all(axis=1)]
        parts += len(partly)
        lacking += [document] * int(_are_first(partly).sum())
    few = len({*lacking})
    return f", in {few:,} of {len(inside):,} {ENDS_LACK}" if lacking and len(lacking) >= MOST_LACK * parts else ""


def _are_first(is_scored: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether those of each row that are true are its first ones."""
    return np.asarray((is_scored[:, 1:] <= is_scored[:, :-1]).all(axis=1))


def find_other(data: EvalSet, scores: EvalSet, columns: IntArray) -> str:
    """What to say of a segment that is found in another document of the set, or another domain; empty where none is.

    Domains are asked only where documents have other names than the set's.
    """
    ours = data.documents if data.documents != data.segments else ()  # else they say no more than the labels
    found = _find_other("document", data, scores, columns, ours, scores.documents)
    if found or {*ours}.intersection(scores.documents):
        return found
    return _find_other("domain", data, scores, columns, data.domains, scores.domains)


def _find_other(
    what: str, data: EvalSet, scores: EvalSet, columns: IntArray, ours: Sequence[str], theirs: Sequence[str]
) -> str:
    known = {*ours}
    for segment, own, column in zip(data.segments, ours, columns.tolist(), strict=False):
        other = theirs[column] if theirs and column >= 0 else own
        if other != own and other in known:
            return f"its segment {scores.segments[column]} is of the {what} {other}, but the set's {segment} of {own}"
    return ""


DOMAINS_NAMED = "Domains are named by column "
"""How a note begins on a column that holds domains, but has no usual name."""

_INSIDE = (
    "inside = pandas.Series(data.segments).groupby([*data.domains]).apply(list); frame['segment'] = [inside[domain]"
    "[int(number) - {}] for domain, number in zip(frame[{}], frame['segment'])]"
)
"""What makes the set's segments of numbers that count those of each domain, from 0 or from 1, in this column."""


def with_domains(data: EvalSet, scores: EvalSet) -> EvalSet:
    """Scores with the domains that all labels begin with, such as news-1, where these are the set's."""
    found = with_documents(replace(data, documents=data.domains), replace(scores, documents=()))
    return replace(scores, domains=found.documents) if found.documents else scores


def with_known_domains(data: EvalSet, scores: EvalSet) -> EvalSet:
    """Scores whose domains are spelled as the set's; they may be called documents, such as topics, or be in capitals.

    Labels that begin with them are spelled alike.
    """
    known = {name.casefold(): name for name in data.domains}
    is_other = not scores.domains and {*data.documents}.isdisjoint(scores.documents)
    theirs = scores.documents if is_other else scores.domains
    if not theirs or not {name.casefold() for name in theirs} <= known.keys():
        return scores
    domains = tuple(known[name.casefold()] for name in theirs)
    segments = tuple(
        domain + label.removeprefix(name) if label.startswith(name) else label
        for label, name, domain in zip(scores.segments, theirs, domains, strict=True)
    )
    documents = () if is_other else scores.documents
    is_same = segments == scores.segments or len({*segments}) < len(segments)
    return replace(scores, domains=domains, documents=documents, segments=scores.segments if is_same else segments)


def by_number_in_domain(data: EvalSet, scores: EvalSet, other: str) -> IntArray | None:
    """The column of each segment by its number in its domain, where each is in ``other`` domains, or numbered in them.

    None where one of both has no domains. Refused where one has another number of segments in the set.
    """
    if not (data.domains and scores.domains):
        return None
    ours, theirs = Counter(data.domains), Counter(scores.domains)
    (at, _), (places, _) = (places_in_documents(replace(one, documents=one.domains)) for one in (data, scores))
    numbers = _numbers_in(replace(scores, documents=scores.domains))
    first = min((number for _, number in numbers), default=1)
    counted = {*numbers} == {(name, place - 1 + first) for name, _, place in places} and first in (0, 1)
    if all(theirs[name] == ours[name] for name in theirs) and counted:
        return places_of(at, places)
    others = [name for name in theirs if name not in ours] or [name for name in theirs if theirs[name] != ours[name]]
    name = next(iter(others or theirs))
    column = next(
        (note[len(DOMAINS_NAMED) : -1] for note in scores.notes if note.startswith(DOMAINS_NAMED)), "'domain'"
    )
    counts = f"it has {theirs[name]:,} segments of the domain {name}, and the set {ours[name]:,}"
    if name not in ours:
        names = _other_names(ours, theirs) or f"{{NAME: SET_NAME, …}}, where the set has {known_names(ours)}"
        step = f"frame[{column}] = frame[{column}].replace({names})"
        raise InputError(f"source: {counts}; if these are the same domains by other names, {step}")
    step = f"from {int(first > 0)}, {_INSIDE.format(int(first > 0), column)} gives those of the set"
    raise InputError(
        f"source: {other or counts}; if its numbers count the segments of each domain {step}; else give both the same "
        "labels, or leave out the column of domains if it is wrong"
    )


def _other_names(ours: Mapping[str, int], theirs: Mapping[str, int]) -> dict[str, str]:
    """The set's name of each domain that it does not have: the only one left, or the only one of as many segments."""
    free, unknown = [name for name in ours if name not in theirs], [name for name in theirs if name not in ours]
    likely = {name: [own for own in free if ours[own] == theirs[name] or len(free) == 1] for name in unknown}
    found = {name: own[0] for name, own in likely.items() if len(own) == 1}
    return found if len(unknown) == len({*found.values()}) else {}
