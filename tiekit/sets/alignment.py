"""Which segment of one set is which of another? Matched by label, by number, by document, or by position."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tiekit.base.errors import InputError, OrderWarning, RoleWarning, TiekitWarning, collect_warnings, warn
from tiekit.base.names import LANGUAGES, are_nameless, find_name, find_pairs, known_names, names_in, some_of
from tiekit.base.validation import IntArray
from tiekit.sets.documents import (
    BY_DOMAIN,
    BY_NUMBER,
    BY_PLACE,
    by_number_in_document,
    by_number_in_domain,
    find_other,
    places_in_documents,
    places_of,
    say_lacking_ends,
    with_documents,
    with_domains,
    with_known_domains,
)
from tiekit.sets.evalset import SINGLE_SYSTEM, EvalSet
from tiekit.sets.labels import (
    LABEL_THEM,
    NUMBERS,
    OF_WHOLE,
    are_all_of,
    are_counted,
    are_in_order,
    are_lines_of,
    are_shuffled,
    ask_numbers,
    check_beginning,
    check_runs,
    check_span,
    doubt_runs,
    doubt_start,
    labels_apart,
    labels_as_numbers,
    which_segments,
    without_ending,
    without_folder,
)
from tiekit.sets.same_texts import Verified, verify
from tiekit.sets.scores import FloatMatrix
from tiekit.sets.systems import check_systems, rows_of, say_new_names

ENOUGH = 0.9
"""Labels of two sides that share so many of the fewer ones are of one kind."""

ROWS_NAMED = "Rows are named by column"
"""How a note begins on a column that names the rows of a table, but has no usual name."""

MIXED = "values, all taken together"
"""What a note says of a column such as that of the language pair which holds several."""

ORDERS_DIFFER = "Systems have their segments in different orders."
"""The note on rows of which the order says nothing."""

EACH = "each "
"""What a note says of several files."""


def segment_columns(data: EvalSet, scores: EvalSet) -> tuple[IntArray, str]:
    """The column of each segment, and what it was found by."""
    ours = without_ending(data.segments)
    theirs = without_folder(ours, without_ending(scores.segments))
    if data.documents and not scores.documents and not shared_labels(ours, theirs):
        scores = with_documents(data, scores)
    is_joined = bool(scores.domains) and all(map(str.startswith, scores.segments, scores.domains))
    if data.domains and not (scores.domains or scores.documents or shared_labels(ours, theirs)):
        scores = with_domains(data, scores)
        is_joined = bool(scores.domains)
    if are_nameless(theirs) and (doubt := doubt_runs(data.documents, scores.documents)):
        warn(f"source: {doubt}", RoleWarning)
    by_order = are_nameless(theirs) and len(theirs) == len(ours) and not are_in_order(ours)
    if are_nameless(theirs) and are_counted(ours) and len(theirs) == len(ours) + 1:
        raise InputError(
            f"source: has {len(theirs):,} scores of a system, one more than the set has segments, and no labels; leave "
            "out what is none of a segment, such as a mean or a header (0, as pandas.Series.to_csv writes it)"
        )
    if len(theirs) == 1 < len(ours):
        raise InputError(
            f"source: has one score for each system, but the set has {len(ours):,} segments; give scores of segments; "
            "or, to compare systems alone, by grouping='system_means', pass pandas.DataFrame({system: [score] * "
            "len(data.segments) for system, score in SCORES.items()}), where SCORES is a dict of scores by system"
        )
    are_others = are_nameless(theirs) and not are_lines_of(ours, len(theirs))
    likely = None if by_order or are_others else _by_label(ours, theirs)
    other = "" if likely is None else find_other(data, scores, likely[0])
    if likely is not None and not other:
        return likely
    if data.documents and scores.documents:
        (at, our_doubt), (places, their_doubt) = places_in_documents(data), places_in_documents(scores)
        found = places_of(at, places)
        numbered = by_number_in_document(data, scores, at, found) if likely is None else None
        if numbered is not None:
            if our_doubt:
                warn(f"the set: {our_doubt}", RoleWarning)
            return numbered, BY_NUMBER
        if (found >= 0).any():
            if are_counted(theirs):
                their_doubt = check_runs(data.documents, scores.documents) * are_nameless(theirs) or their_doubt
            for who, doubt in (("the set", our_doubt), ("source", their_doubt)):
                if doubt:
                    warn(f"{who}: {doubt}", RoleWarning)
            return found, BY_PLACE
    is_asked = (likely is None and is_joined) or " of the domain " in other
    if is_asked and (numbered := by_number_in_domain(data, scores, other)) is not None:
        return numbered, BY_DOMAIN
    if are_others:
        raise InputError(which_segments(len(ours), len(theirs)))
    if likely is None and not by_order and len(set(ours) & set(theirs)) >= ENOUGH * min(len(ours), len(theirs)):
        likely = places_of(ours, theirs), "label"
    if likely is not None:
        if other := find_other(data, scores, likely[0]):
            raise InputError(f"source: {other}; give both the same labels, or all segments of each document")
        return likely
    if len(ours) == len(theirs):
        if not are_counted(theirs) and (scores.documents or is_joined):
            kind, ending = ("documents", "its documents (.docs)") if scores.documents else ("domains", "its domains")
            raise InputError(
                f"source: its segments are counted in {kind} ({some_of(theirs[:2])}), which the set does not have; "
                f"their order need not be that of the set's {some_of(ours[:2])}, …: if it is in each system, "
                "frame['segment'] = frame.groupby('system').cumcount() + 1 gives the set's numbers; else read the set "
                f"with {ending}, or give both the same labels"
            )
        labels = f"{some_of(theirs[:2])}, … where the set has {some_of(ours[:2])}, …"
        disagree = any(note.endswith(ORDERS_DIFFER) for note in scores.notes)
        if not by_order and (disagree or are_shuffled(theirs) or (are_shuffled(ours) and not are_counted(theirs))):
            raise InputError(
                f"source: its segments have other labels, {labels}, and these are not in order, so its rows need not "
                f"be in the set's; name the column with the set's labels (segment=), or {LABEL_THEM}"
            )
        taken = "its rows were taken in their order; give both the same labels if that is wrong"
        labels = f"no labels, the set's {some_of(ours[:2])}, …" if by_order else f"other labels, {labels}"
        warn(f"source: its segments have {labels}; {taken}", RoleWarning)
        return np.arange(len(ours)), "position"
    if {*theirs} <= {*data.documents}:
        frame = "pandas.DataFrame({'segment': data.segments, 'document': data.documents})"
        raise InputError(
            f"source: its segments are the set's documents ({some_of(theirs)}); give scores of segments, or repeat "
            f"those of documents: pass {frame}.merge(FRAME.rename(columns={{COLUMN: 'document'}}), on='document'), "
            "where COLUMN is the column of documents in FRAME"
        )
    raise InputError(
        f"source: no segment of it is one of the set; its {len(theirs):,} segments: {some_of(theirs)}; the set's "
        f"{len(ours):,}: {some_of(ours)}; give them the same labels, or one score for each of the set's segments"
    )


def _by_label(ours: Sequence[str], theirs: Sequence[str]) -> tuple[IntArray, str] | None:
    """The column of each segment by the labels, or the numbers that they are; None where these say nothing."""
    if (found := _from_zero(ours, theirs)) is not None:
        return found, "label, counted from 0"
    shared, fewer = len(set(ours) & set(theirs)), min(len(ours), len(theirs))
    if shared == fewer:
        return places_of(ours, theirs), "label"
    numbers, others = labels_as_numbers(ours), labels_as_numbers(theirs)
    common = len(set(numbers) & set(others))
    if common > shared and (any(map(str.isdigit, theirs)) or common >= ENOUGH * fewer):
        ask_numbers(ours, theirs)
        return places_of(numbers, others), "number" if any(isinstance(number, int) for number in numbers) else "label"
    return None


def _from_zero(ours: Sequence[str], theirs: Sequence[str]) -> IntArray | None:
    """The places of segments that one side counts from 1, and the other from 0; None where they do not."""
    labels = labels_as_numbers(theirs)
    numbers = {label for label in labels if isinstance(label, int)}
    if not are_counted(ours):
        own = labels_as_numbers(ours)
        if {*own} == {*range(len(own))} and 0 not in numbers and max(numbers, default=0) == len(own):
            return places_of([number + 1 for number in own if isinstance(number, int)], labels)
        _refuse_part(own, numbers, len(theirs))
        return None
    if 0 not in numbers or max(numbers) > len(ours):
        return None
    if max(numbers) == len(ours):
        raise InputError(
            f"source: its segments are numbered 0 to {len(ours):,}, and the set's 1 to {len(ours):,}; leave out the "
            "one that is no segment, or number them alike"
        )
    return places_of(range(len(ours)), labels)


def _refuse_part(ours: Sequence[int | str], theirs: Collection[int | str], size: int) -> None:
    """Refuse segments that are counted from 0 where the set has a part of them, which may be counted from 1."""
    counted = [number for number in ours if isinstance(number, int)]
    if size > len(ours) == len(counted) and 0 not in counted and max(counted) <= size and theirs == set(range(size)):
        part = f"the set has a part of such segments ({some_of(list(map(str, ours)))}), which may be counted from 1"
        raise InputError(
            f"source: its segments are numbered 0 to {size - 1:,}, and {part}; add the scores to the whole set and "
            "then select, or give both the same labels"
        )


WHOSE = "say whose scores these are: pass system= with that one of these names"
"""What to do with one column of scores of a single system without a name."""


_REFERENCE = re.compile(r"ref[A-Z]?")
_COLUMNS = ["system", "segment", "score"]
_AS_ROWS = f"pandas.DataFrame(ROWS, columns={_COLUMNS})"
_NAME_THEM = (
    "pass dict(zip(SYSTEMS, SCORES)) with one list of scores for each, or a table with a column system, such as "
    f"{_AS_ROWS}"
)
_NAME_BOTH = "name systems and segments: pandas.DataFrame(SCORES, index=SYSTEMS, columns=SEGMENTS)"


@dataclass(frozen=True, eq=False)
class Alignment:
    """Which row and which column of `scores` each row and each column of the set `data` has; -1 for none.

    ``by`` says what segments were matched by, ``remarks`` what was assumed, ``verified`` how far the texts, or their
    lengths, are those of the set (None where one side has neither), and ``laid_out`` that nothing but the order of the
    scores says whose they are. Where the scores show that they are those of their segments, ``is_sure`` is true.
    """

    data: EvalSet
    scores: EvalSet
    rows: IntArray
    columns: IntArray
    by: str
    remarks: tuple[str, ...] = ()
    verified: Verified | None = None
    laid_out: bool = False
    is_sure: bool = False

    @property
    def cells(self) -> int:
        """The number of cells of `data` that have a cell of `scores`."""
        return int((self.rows >= 0).sum() * (self.columns >= 0).sum())

    @property
    def systems_without(self) -> tuple[str, ...]:
        """The systems of `data` that have no row."""
        return _without(self.data.systems, self.rows)

    @property
    def segments_without(self) -> tuple[str, ...]:
        """The segments of `data` that have no column."""
        return _without(self.data.segments, self.columns)

    @property
    def systems_unknown(self) -> tuple[str, ...]:
        """The systems of `scores` that are no system of `data`."""
        return _without_use(self.scores.systems, self.rows)

    @property
    def segments_unknown(self) -> tuple[str, ...]:
        """The segments of `scores` that are no segment of `data`."""
        return _without_use(self.scores.segments, self.columns)

    def matrix(self, scores: FloatMatrix) -> FloatMatrix:
        """A matrix of `scores` in the rows and columns of `data`, NaN where there is no match."""
        found = np.full((len(self.rows), len(self.columns)), np.nan)
        known = np.ix_(self.rows >= 0, self.columns >= 0)
        found[known] = scores[np.ix_(self.rows[self.rows >= 0], self.columns[self.columns >= 0])]
        return found

    def sentences(self) -> tuple[str, ...]:
        """What matched, then what was left out on either side, and what was assumed."""
        shape = len(self.rows), len(self.columns)
        is_numbered = are_in_order(self.data.segments) or are_counted(self.scores.segments)
        by = f"by {self.by.replace('label', 'number') if is_numbered else self.by}"
        is_whole = are_nameless(self.scores.segments) and len(self.scores.segments) == shape[1]
        by = "in their order" if self.laid_out or is_whole else by
        first = (
            f"{int((self.rows >= 0).sum()):,} of {shape[0]:,} systems and {int((self.columns >= 0).sum()):,} of "
            f"{shape[1]:,} segments matched ({self.cells:,} of {shape[0] * shape[1]:,} cells), segments {by}"
        )
        if self.verified is not None:
            first += f", {self.verified.sentence()}"
        elif self.data.documents and self.scores.documents and by != f"by {BY_PLACE}":
            first += ", in the same documents"
        if self.verified is None and self.by in (BY_NUMBER, BY_PLACE):
            every = np.any([~np.isnan(one) for one in (*self.scores.human.values(), *self.scores.metrics.values())], 0)
            first += say_lacking_ends(self.data, self.matrix(every.astype(float)) > 0)
        return (first, *self.remarks, *self.gaps())

    def gaps(self) -> tuple[str, ...]:
        """What has no match, one sentence each; systems that the set leaves out by default may lack scores."""
        lacking = [name for name in self.systems_without if name not in self.data.default_exclude]
        found = {
            "the set does not have the systems": self.systems_unknown,
            "the set does not have the segments": self.segments_unknown,
            "there are no scores of the systems": lacking,
            "there are no scores of the segments": self.segments_without,
        }
        sentences = tuple(f"{text} {some_of(names)}" for text, names in found.items() if names)
        if self.segments_unknown and self.by == BY_PLACE:
            why = "documents with another number of segments in the set are left out, as places in them are not known"
            return (*sentences, f"{why}; the campaign's .seg.score file has these by line")
        doubt = self.doubt()
        return (*sentences, doubt) if doubt else sentences

    def without_texts(self) -> str:
        """How a step begins that numbers segments anew: texts beside the scores would be those of other ones."""
        return "leave out the columns of texts and " * (self.verified is not None)

    def doubt(self) -> str:
        """What to say of numbers of segments that may not be the set's; empty where nothing is to be said."""
        is_read = self.segments_without and self.by in ("label", "number")
        if not is_read or self.is_sure or self.verified is not None:
            return ""
        pairs = (self.data.documents, self.scores.documents), (self.data.domains, self.scores.domains)
        is_proven = any(ours and theirs and are_all_of(ours, theirs, self.columns) for ours, theirs in pairs)
        return "" if is_proven else doubt_start(self.data.segments, self.scores.segments)


def align(data: EvalSet, scores: EvalSet, *, system: str | None = None) -> Alignment:
    """Match the systems and segments of two sets by their names, by the rules of `EvalSet.with_scores`.

    ``system`` is the system of ``data`` that the only one of ``scores`` is. Refused where nothing matches, most systems
    are unknown, a system may be several, or texts are others than those of the set.
    """
    check_pair(data, scores.language_pair)
    scores = with_known_domains(data, scores)
    remarks: tuple[str, ...] = ()
    if not scores.systems or not scores.segments:
        raise InputError("source: has no scores")
    if system is not None:
        scores = _name_it(data, scores, system)
    is_nameless = are_nameless(scores.systems)
    names = {} if is_nameless else names_in(scores.systems, data.systems)
    laid_out = not any(names.values())
    if laid_out:
        scores, remark = _lay_out(data, scores)
        if not (is_nameless and are_counted(scores.systems)):
            warn(f"source: {remark}", RoleWarning)
        names, remarks = {name: name for name in scores.systems}, (remark,)
    check_systems(data, names)
    rows = rows_of(data.systems, names, scores.systems)
    columns, by, verified = _columns(data, scores, rows)
    remarks += say_new_names(names) + _doubts(data, verified)
    found = Alignment(data, scores, rows, columns, by, remarks, verified, laid_out)
    if verified is None and by not in (BY_PLACE, BY_NUMBER, BY_DOMAIN):
        check_beginning("systems", data.systems, scores.systems)
        if by != "position" and not by.endswith("from 0"):
            check_beginning("segments", data.segments, scores.segments)
        _check_counts(found)
        _check_segments(found)
    return found


def _check_counts(found: Alignment) -> None:
    """Refuse labels that number the rows of a whole table, so that no two systems share one, and most are unknown."""
    scores, labels = found.scores, found.scores.segments
    known = np.sum(np.any([~np.isnan(one) for one in (*scores.human.values(), *scores.metrics.values())], 0), axis=0)
    unknown = found.segments_unknown
    if len(labels) >= 2 * len(scores.systems) > 2 and known.max() == 1 and 2 * len(unknown) >= len(labels):
        raise InputError(
            f"source: no two of its systems share a segment, and the set does not have {len(unknown):,} of the "
            f"{len(labels):,}: {some_of(unknown)}; give the set's labels, or, only if its rows stand in "
            "the set's order, number the rows of each system anew, such as by Series.reset_index(drop=True) or "
            "DataFrame.groupby('system').cumcount()"
        )


def _check_segments(found: Alignment) -> None:
    """Refuse numbers of segments of which most are none of a whole set, unless a column says what else there is.

    A set whose segments are not 1, 2, 3 and so on is a part of another one, whose scores may be given.
    """
    data, scores, unknown = found.data, found.scores, found.segments_unknown
    ours, theirs = (
        {domain for column, domain in enumerate(scores.domains) if (column in matched) == is_ours}
        for matched in [{*found.columns.tolist()}]
        for is_ours in (True, False)
    )
    is_mixed = bool(theirs and ours.isdisjoint(theirs)) or any(MIXED in note for note in scores.notes)
    if is_mixed or not are_in_order(data.segments):
        return
    if unknown and found.by in ("label", "number"):
        check_span(data.segments, scores.segments)
    if 2 * len(unknown) <= len(scores.segments):
        return
    counts = f"{len(unknown):,} of its {len(scores.segments):,} segments are none of the set"
    known = f"the set has {len(data.segments):,}, {data.segments[0]} to {data.segments[-1]}"
    wanted = f"{data.name} {data.language_pair}".rstrip()
    raise InputError(
        f"source: {counts}: {some_of(unknown)}; {known}; are they of another set or language pair? Give the scores of "
        f"{wanted}; if the set is the first part of theirs, add them to the whole set and select from it after that, "
        "or leave out the others"
    )


def _columns(data: EvalSet, scores: EvalSet, rows: IntArray) -> tuple[IntArray, str, Verified | None]:
    """The column of each segment, what it was found by, and how its texts were verified."""
    said: list[tuple[type[TiekitWarning], str]] = []
    try:
        with collect_warnings() as said:
            columns, by = segment_columns(data, scores)
    except InputError:
        if (verified := verify(data, scores, rows, None)) is None:
            raise
        return verified.columns, "text", verified
    verified = verify(data, scores, rows, columns)
    if verified is not None and (verified.moved or (by == "position" and verified.by_text)):
        return verified.columns, "text", verified
    is_sure = by in ("position", "number", BY_PLACE) and verified is not None and verified.is_sure
    for category, message in () if is_sure else said:
        warn(message, category)
    return columns, by, verified


def _doubts(data: EvalSet, verified: Verified | None) -> tuple[str, ...]:
    """What the texts say against the labels of the file."""
    if verified is None:
        return ()
    found = []
    if verified.moved:
        found.append("its segments are in another order than the set's, or labeled otherwise; texts gave their places")
    if verified.doubt:
        problem = f"of {verified.compared:,} segments, {verified.same:,} have the same {verified.by}"
        found.append(f"{problem}: {verified.doubt}; are these the scores of {data.name}?")
    for remark in found:
        warn(f"source: {remark}", OrderWarning)
    if verified.undecided:
        repeated = f"{verified.undecided:,} segments have the same texts as others, but other scores"
        found.append(f"{repeated}: they were left out, as their order is not known")
    return tuple(found)


def check_pair(data: EvalSet, theirs: str) -> None:
    """Refuse scores of another language pair, where both name theirs by known languages or by codes of one length."""
    ours = data.language_pair
    both = list(zip(_languages(ours), _languages(theirs), strict=False))
    if any(one != other and (len(one) == len(other) or {one, other} <= LANGUAGES.keys()) for one, other in both):
        raise InputError(
            f"source: has scores of {theirs}, but the set is {ours}; give the scores of {ours}, or "
            "correct the pair where the source names it"
        )


def _languages(pair: str) -> tuple[str, ...]:
    """The codes of two languages, without region and script; empty of what is no pair."""
    text = pair.casefold()
    known: list[tuple[str, ...]] = [(one, other) for found, one, other in find_pairs(text) if found == text]
    parts = [*known, tuple(part.split("_")[0] for part in text.split("-"))][0]
    return parts if len(parts) == 2 else ()


def _name_it(data: EvalSet, scores: EvalSet, system: str) -> EvalSet:
    """Scores whose only system gets the given name."""
    if len(scores.systems) != 1:
        found = f"{len(scores.systems)}: {some_of(scores.systems)}"
        raise InputError(f"system: names the only system of a source, but this one has {found}; leave it out")
    name = find_name("system", system, data.systems)
    outputs = dict(zip((name,), scores.outputs.values(), strict=False))
    lengths = replace(scores.lengths, outputs=dict(zip((name,), scores.lengths.outputs.values(), strict=False)))
    return replace(scores, systems=(name,), outputs=outputs, lengths=lengths, outliers=())


def nameless_orders(data: EvalSet) -> list[tuple[str, ...]]:
    """The systems that scores without names may be of, in their order; all, and all but the standard reference, first.

    Then those that are no references, those that are compared by default, and each of these with human scores only.
    """
    gold = None if data.gold is None else data.human[data.gold]
    rated = data.systems if gold is None else [data.systems[row] for row in np.flatnonzero(~np.isnan(gold).all(axis=1))]
    references = {*data.references, *data.lengths.references, *filter(_REFERENCE.fullmatch, data.systems)}
    absent: list[Collection[str | None]] = [(), (data.standard_reference,), references, data.default_exclude]
    some = [
        tuple(name for name in data.systems if name not in left and name in kept)
        for kept in (data.systems, rated)
        for left in absent
    ]
    return [names for names in dict.fromkeys(some) if names]


def with_labels_apart(data: EvalSet, scores: EvalSet) -> EvalSet:
    """Scores of one nameless system by system and segment where each label joins these, such as sysA_12 or 12_sysA.

    Refused where most labels join a system of the set, but not all.
    """
    labels = without_ending(scores.segments)
    if scores.systems != (SINGLE_SYSTEM,) or are_nameless(scores.segments) or shared_labels(data.segments, labels):
        return scores
    pairs = labels_apart(labels, data.systems)
    known = [pair for pair in pairs if pair is not None]
    systems, segments = (tuple(dict.fromkeys(parts)) for parts in zip(*known, strict=True)) if known else ((), ())
    if len(systems) < 2 or 2 * len(known) < len(pairs) or len(segments) == len(known):
        return scores
    if len(set(known)) < len(pairs):
        times = Counter(pairs)
        odd = next(label for label, pair in zip(labels, pairs, strict=True) if pair is None or times[pair] > 1)
        problem = (
            f"most of its labels join a system and a segment ({some_of(labels[:2])}), but {some_of([odd])} does not"
        )
        raise InputError(f"source: {problem}, or occurs twice; give the columns system and segment")
    rows, columns = ({name: place for place, name in enumerate(some)} for some in (systems, segments))
    places = [rows[system] for system, _ in known], [columns[segment] for _, segment in known]

    def lay(matrix: FloatMatrix) -> FloatMatrix:
        found = np.full((len(systems), len(segments)), np.nan)
        found[places] = matrix[0]
        return found

    human, metrics = ({name: lay(one) for name, one in each.items()} for each in (scores.human, scores.metrics))
    notes = (*scores.notes, f"Each label joins a system and a segment: {labels[0]} is {known[0][1]} of {known[0][0]}.")
    order = sorted(range(len(known)), key=places[0].__getitem__)
    in_system, rises = (np.diff([one[at] for at in order]) for one in places)
    notes += (ORDERS_DIFFER,) * bool((rises[in_system == 0] < 0).any())
    return EvalSet(
        scores.name, scores.language_pair, systems, segments, human, metrics, digest=scores.digest, notes=notes
    )


def shared_labels(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether at least half of the labels are segments of the set, by their numbers too."""
    return 2 * len({*labels_as_numbers(ours)}.intersection(labels_as_numbers(theirs))) >= len(theirs)


def _are_disordered(labels: Sequence[str]) -> bool:
    """Whether labels of few forms, such as sysA_1 and sysB_1, have numbers that do not rise in each."""
    forms: dict[str, list[tuple[int, ...]]] = {}
    for label in labels:
        forms.setdefault(NUMBERS.sub("#", label), []).append(tuple(map(int, NUMBERS.findall(label[:100]))))
    return 2 * len(forms) <= len(labels) and any(numbers != sorted(numbers) for numbers in forms.values())


def _lay_out(data: EvalSet, scores: EvalSet) -> tuple[EvalSet, str]:
    """Scores without names of systems: those of all systems, one after the other, or a matrix, perhaps turned."""
    size, lines = len(data.segments), len(scores.segments) * len(scores.systems)
    is_matrix = len(scores.systems) > 1
    shape = len(scores.systems), len(scores.segments)
    fits = [names for names in nameless_orders(data) if len(names) * size == lines]
    if is_matrix and size not in shape:
        fits = []
    is_labeled, named = not are_counted(scores.segments), ""
    if is_labeled and fits and any(ROWS_NAMED in note for note in scores.notes):
        if _are_disordered(scores.segments):
            problem = (
                f"its {lines:,} labels ({some_of(scores.segments)}) name no systems of the set and are not in order"
            )
            raise InputError(f"source: {problem}; give the columns system and segment")
        is_labeled, named = False, f" of systems (its labels: {some_of(scores.segments[:2])}, …)"
    if not fits or is_labeled or (is_matrix and not are_counted(scores.systems)):
        raise InputError(_nothing_matches(data, scores))
    systems = fits[0]
    if len(fits) > 1 and systems not in nameless_orders(data)[:2]:
        both = " or ".join(f"those without {some_of(_absent(data, names))}" for names in fits[:2])
        raise InputError(f"source: its {lines:,} scores may be of {both}; name the systems: {_NAME_THEM}")
    each = len(systems), size
    turned = is_matrix and shape != each
    matrices = (*scores.human.values(), *scores.metrics.values())
    if turned and shape[1] == len(_COLUMNS) and any((np.diff(one, axis=0) == 1).all(axis=0).any() for one in matrices):
        raise InputError(f"source: a column of its {shape[0]:,} rows counts segments; {_NAME_THEM}")
    texts = () if is_matrix else scores.outputs.get(scores.systems[0], ())
    outputs = {name: texts[row * size : (row + 1) * size] for row, name in enumerate(systems)} if texts else {}
    if not is_matrix and scores.sources[:size] * len(systems) != scores.sources:
        line = next(line for line, text in enumerate(scores.sources) if text != scores.sources[line % size])
        problem = f"its {lines:,} lines name no systems, and line {line + 1:,} has another source than line "
        problem += f"{line % size + 1:,}, where it would be the same segment"
        raise InputError(f"source: {problem}; give all segments of a system before those of the next")
    without = _absent(data, systems)
    left = f" without {some_of(without)}" if without else ""
    what = f"matrix of {shape[0]:,} × {shape[1]:,} scores has" if is_matrix else f"{lines:,} lines have"
    segments = f"{each[1]:,} {'rows' if turned else 'segments each'}"
    if not are_in_order(data.segments):
        segments += f" in the order of the set's {some_of(data.segments[:2])}, …"
    remark = (
        f"its {what} no names{named} and {'was' if is_matrix else 'were'} taken as the set's {each[0]:,} systems{left} "
        f"in their order, {segments}: {known_names(systems)}"
    )

    def lay(matrix: FloatMatrix) -> FloatMatrix:
        return matrix.T if turned else matrix.reshape(each)

    return EvalSet(
        scores.name,
        scores.language_pair,
        systems,
        data.segments,
        human={name: lay(matrix) for name, matrix in scores.human.items()},
        metrics={name: lay(matrix) for name, matrix in scores.metrics.items()},
        sources=() if is_matrix else scores.sources[:size],
        outputs=outputs,
        digest=scores.digest,
        notes=scores.notes,
    ), remark


def _absent(data: EvalSet, systems: Collection[str]) -> list[str]:
    """The systems of the set that are not among these."""
    return [name for name in data.systems if name not in systems]


def _nothing_matches(data: EvalSet, scores: EvalSet) -> str:
    """What to say where no system has a known name."""
    size, lines = len(data.segments), len(scores.segments)
    shape = f"{len(scores.systems):,} × {lines:,}"
    text = f"source: no system of it is one of the set; its systems: {some_of(scores.systems)}; the set's: "
    text += some_of(data.systems)
    step = OF_WHOLE * (lines * len(scores.systems) > size * len(data.systems))
    if len(scores.systems) > 1:
        if are_counted(scores.systems):
            text = "source: its rows have no names" if are_nameless(scores.systems) else text
            advice = _NAME_THEM if size in (len(scores.systems), lines) else _NAME_BOTH
            return f"{text}; a matrix of {shape} is not {_layouts(data)}; {step}{advice}"
        return f"{text}; rename them"
    if lines == size:
        columns = [*scores.human, *scores.metrics]
        if any(f": {EACH}read as " in note for note in scores.notes[:1]):
            return f"{text}; name each file as the system whose scores it holds, or add a column system to each"
        return f"{text}; {advise_rename(columns)}" if len(columns) > 1 else f"{text}; {WHOSE}"
    if not are_counted(scores.segments) and lines in [len(names) * size for names in nameless_orders(data)]:
        labels = f"its {lines:,} labels ({some_of(scores.segments)}) name no systems of the set"
        advice = "give the columns system and segment, or, if all segments of a system stand before those of the next"
        return f"source: {labels}; {advice}, the scores without labels (.to_numpy())"
    return f"{text}; {lines:,} scores are not {_layouts(data)}, nor one system's {size:,}; {step}{_NAME_BOTH}"


def advise_rename(columns: Sequence[str]) -> str:
    """What to do with several columns of scores that name no systems of the set."""
    told = f"if its columns ({some_of(columns)}) are systems, rename them as in the set"
    return f"{told}; if they are metrics of one system, write its name into a column system"


def _layouts(data: EvalSet) -> str:
    """How many scores a file without names must hold, and which of their systems are not compared."""
    size, systems = len(data.segments), data.systems
    text = f"{len(systems):,} systems × {size:,} segments"
    others = [
        f"{len(names):,} × {size:,} without {some_of(_absent(data, names))}" for names in nameless_orders(data)[1:]
    ]
    if others:
        text += f" (or {' or '.join(others)})"
    gold = None if data.gold is None else data.human[data.gold]
    unrated = [] if gold is None else [name for name, row in zip(systems, gold, strict=True) if np.isnan(row).all()]
    idle = [name for name in systems if name in data.default_exclude or name in unrated]
    if idle:
        text += f", which include those that are not compared: {some_of(idle)}"
    return text


def _without(names: Sequence[str], found: IntArray) -> tuple[str, ...]:
    """The names that have no match."""
    return tuple(name for name, place in zip(names, found.tolist(), strict=True) if place < 0)


def _without_use(names: Sequence[str], found: IntArray) -> tuple[str, ...]:
    """The names that nothing was matched with."""
    used: Collection[int] = set(found.tolist())
    return tuple(name for place, name in enumerate(names) if place not in used)
