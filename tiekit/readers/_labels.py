"""Which columns of a table name its systems and segments, and of which of them is each row?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, combinations, count
from operator import eq

import numpy as np

from tiekit.base.errors import LONGEST, ReadError, quote
from tiekit.base.names import ALIASES, ROW_COUNTS, TEXTS, count_different, known_names, plain_name, row_names
from tiekit.readers._cells import FILL_DOWN, count_rows, join_names
from tiekit.readers._columns import Table
from tiekit.readers._numbers import MISSING, are_whole, number_like
from tiekit.readers._score_names import (
    PERSONS,
    REMARKS,
    STOPPED,
    is_metric,
    is_named_human,
)
from tiekit.readers._systems import advise_apart, count_known, find_systems, find_wide, is_like
from tiekit.readers._told_steps import FRAME_OF_ALL, where_frame
from tiekit.sets.alignment import ROWS_NAMED
from tiekit.sets.evalset import SINGLE_SYSTEM
from tiekit.sets.labels import labels_apart, labels_as_numbers, without_ending

PAIRS = frozenset({"lp", "lang_pair", "langpair", "language_pair"})
_COUNTED = "took {} for segment=, which counts the rows, not {}"
_ASKED = re.compile(r"prompt|question|query|instruction|utt|utterance|sentence|text|key|name|u?id|.*_id")
"""Names of texts that are the same for all systems."""

_NO_DOCUMENTS = {*ALIASES["system"], *ALIASES["segment"], *ALIASES["domain"]} - TEXTS

NAME_IT = "write {0} above its column, or pass {0}=COLUMN"
"""What to do where a column of labels is not found, in the app too."""

_QUERIES = re.compile(r"q(uery|uestion)?_?(id|no|number)?")
"""What columns of queries are called, whose documents are what is compared."""

ONE_SYSTEM = "No column names systems"
"""How the note begins on a table without them; its columns may be systems."""

ROWS_UNNAMED = "Rows are in their order, as no column surely names them:"
"""How a note begins on columns that may name the rows."""

FEWEST_COUNTED = 10
"""In so many rows, numbers that are 1, 2, 3 and so on in any order are no scores."""

FILLED = 0.8
"""So many of all pairs of a system and a segment have a row, at least, where two columns of numbers are such."""

NEARLY_ALL = 0.9
"""So many numbers, up to the last one of each document, have a row, at least, where they count its segments."""

LARGEST_SCAN = 100_000
"""In longer tables no two columns are looked for that tell all rows apart."""


@dataclass(frozen=True)
class Labels:
    """The columns of labels; several columns of the segment are joined, or one of an unusual name is likely.

    ``unclear`` are columns of which each may name the rows, ``beside`` those of names of systems, which are columns.
    Where it ``is_joined``, each label of the segment begins or ends with a system.
    """

    system: str | None
    segment: tuple[str, ...]
    domain: str | None
    document: str | None
    guess: str = ""
    is_likely: bool = False
    unclear: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    is_joined: bool = False

    @property
    def all(self) -> set[str]:
        """Every column of labels."""
        return {name for name in (self.system, *self.segment, self.domain, self.document) if name is not None}


@dataclass(frozen=True)
class RowLabels:
    """The system and the segment of every row, what was done to find them, and what was assumed."""

    systems: Sequence[str]
    segments: Sequence[str]
    notes: tuple[str, ...] = ()
    guess: str = ""


def inner_name(name: str) -> str:
    """What stands behind the last dot or colon of a name, such as meta.id or Toloka's INPUT:system."""
    return re.split("[.:]", name)[-1]


def find_labels(
    table: Table,
    system: str | None,
    segment: str | Iterable[str] | None,
    domain: str | None,
    document: str | None,
    systems: Iterable[str] = (),
    segments: Iterable[str] = (),
    chosen: Mapping[str, Sequence[str]] | None = None,
) -> Labels:
    """The columns of labels: those asked for, or those with a usual name, or that of these systems or segments.

    In a table without a column of systems, a column of any name names the rows (`_names_rows`). Columns that are
    ``chosen`` for scores are none.
    """
    wide = find_wide(table, systems := tuple(systems)).intersection(systems)  # source is a label, but as a system
    free = [name for name in reversed(list(table.columns)) if name not in wide]
    inner = [name for name in free if inner_name(name) != name]
    inner = [name for name in inner if not table.is_scores(name) or are_whole(table.cells(name))]
    inner.sort(key=lambda name: -name.count("."))  # what lies deepest counts least
    known = {plain_name(inner_name(name)): name for name in inner} | {plain_name(name): name for name in free}

    def one(kind: str, asked: str | None) -> str | None:
        if asked is not None:
            return table.find_columns(kind, asked)[0]
        return next((known[alias] for alias in ALIASES[kind] if alias in known), None)

    found = one("system", system)
    guesses = []
    scores = {*chain.from_iterable((chosen or {}).values())}
    names = {name.casefold() for name in systems}
    usual = found if system is None else None
    found = found if system is not None else find_systems(table, usual, names, scores)
    if found is not None and found != usual and system is None and 2 * len(find_wide(table, systems)) > len(systems):
        labels = Labels(None, _segment(table, known, None), None, one("document", document))
        if _are_segments_once(table, labels, segment, tuple(segments)):
            beside = tuple(count_known(table, names, scores))
            rest = replace(table, columns={name: cells for name, cells in table.columns.items() if name not in beside})
            labels = find_labels(rest, None, segment, domain, document, systems, segments, chosen)
            return replace(labels, beside=beside)
    if found is not None and system is None and found != usual:
        labeled, before = {*map(str.casefold, table.cells(found))}, table.cells(usual)[0] if usual else ""
        if not names >= labeled or (len(labeled) == 1 and is_like(before, names)):
            instead = f", not {quote(usual)}" if usual else ""
            guesses.append(f"took {quote(found)} for system=, as it names such{instead}")
    is_one = found is None or (system is None and count_different(table.cells(found)) == 1)
    if is_one and segment is None and (joined := _joins_systems(table, systems, scores)):  # one value is the judge's
        return Labels(None, (joined,), None, None, is_joined=True)
    known = {alias: name for alias, name in known.items() if name != found}
    columns = table.find_columns("segment", segment) if segment is not None else _segment(table, known, found)
    labels = Labels(found, columns, one("domain", domain), one("document", document))
    if segment is not None and document is None and columns == (labels.document,):
        labels = replace(labels, document=None)
    ours = tuple(segments)
    if found is not None and not columns and segment is None and (same := _holds_segments(table, labels, ours, scores)):
        labels = _with_segment(labels, same)
        columns = labels.segment
    is_unnamed = found is None and not columns and segment is None and not _names_each(table, labels)
    if is_unnamed and (number := _counts_inside(table, labels, {*systems} | scores, ours)):
        return replace(labels, segment=(number,))
    if is_unnamed:
        is_told = "metrics" in (chosen or {}) or not {*systems}.isdisjoint(table.columns)
        labels = _names_rows(table, labels, {*systems} | scores, ours, is_told=is_told)
        other = _beside_count(table, labels) if labels.segment else None
        return replace(labels, guess=_COUNTED.format(*map(quote, (labels.segment[0], other)))) if other else labels
    is_text = [plain_name(name) in TEXTS for name in columns] in ([], [True])
    if (
        segment is None
        and is_text
        and not _names_each(table, labels)
        and (number := _counts_inside(table, labels, scores, ours))
    ):
        labels = replace(labels, segment=(columns := (number,)))
    if segment is None and columns:
        best, others = _better_names(table, labels, {*systems} | scores, ours)
        labels = _with_segment(labels, best) if best != columns[0] else labels
        if others:
            against = f"not {' or '.join(map(quote, others))}, which names the rows otherwise"
            step = " or ".join(f"segment={quote(one)}" for one in others)
            guesses.append(f"took {quote(best)} for segment=, {against}: pass {step} if that is right")
    if found is None and segment is None and columns and not guesses and (other := _beside_count(table, labels)):
        guesses.append(_COUNTED.format(*map(quote, (labels.segment[0], other))))
    each = _names_each(table, labels) if segment is None and not columns else None
    if found is not None and not columns and each is None and (column := _tells_apart(table, labels, scores)):
        guesses.append(f"took {quote(column)} for segment=, as it tells the rows of a system apart")
        labels = replace(labels, segment=(column,))
    if each:
        labels = _with_segment(labels, each)
    return replace(labels, guess="; ".join(guesses))


def _joins_systems(table: Table, systems: Sequence[str], scores: Set[str]) -> str | None:
    """The only column of which each label joins one of several systems and a segment, in a table that is not wide."""
    found, is_long = list[str](), len(systems) > 1 and not find_wide(table, systems)
    for name in [name for name in table.columns if name not in scores and not table.is_scores(name)] if is_long else ():
        pairs = labels_apart(table.cells(name)[:2], systems)
        if not all(pairs) or not pairs:
            continue
        pairs = labels_apart(without_ending(table.cells(name)), systems)
        of_systems, of_segments = ({pair[at] for pair in pairs if pair} for at in (0, 1))
        if None not in pairs and len({*pairs}) == len(pairs) > len(of_segments) and len(of_systems) > 1:
            found.append(name)
    return found[0] if len(found) == 1 else None


def _are_segments_once(table: Table, labels: Labels, segment: object, ours: Sequence[str]) -> bool:
    """Whether each row is another segment by its labels, or there are no more rows than the set has segments."""
    columns = [table.cells(name) for name in (labels.document, *labels.segment) if name is not None]
    if labels.segment and segment is None:
        return count_rows(*columns) == len(table.lines)
    return len(table.lines) <= max(len(ours), 1)


def _with_segment(labels: Labels, name: str) -> Labels:
    """Labels whose segments a column names that may be called as documents or domains are."""
    domain, document = (None if other == name else other for other in (labels.domain, labels.document))
    return replace(labels, segment=(name,), domain=domain, document=document)


def find_documents(table: Table, documents: Set[str], scores: Iterable[str]) -> str | None:
    """The only column of texts that holds nothing but documents of a set, and is not named as another kind."""
    free = [name for name in table.columns if name not in {*scores} and plain_name(name) not in _NO_DOCUMENTS]
    holds = [name for name in free if documents and all(map(documents.__contains__, table.cells(name)))]
    found = [name for name in holds if not table.is_scores(name)]
    return found[0] if len(found) == 1 else None


def name_domains(table: Table, labels: Labels, sizes: Mapping[str, int]) -> Labels:
    """Labels whose domains a column names, whatever its name: the only one that holds nothing but some of a set's.

    No column of a usual name does, and none of these domains has more segments than in the set.
    """
    if labels.domain is not None or not labels.segment or not sizes:
        return labels
    free = [name for name in table.columns if name == labels.document or name not in labels.all]
    segments, found = [table.cells(name) for name in labels.segment], list[str]()
    for name in [name for name in free if not table.is_scores(name)]:
        known = {cell: cell.casefold() for cell in {*table.cells(name)}}
        if not sizes.keys() >= {*known.values()}:
            continue
        sizes_here = Counter(known[domain] for domain, *_ in {*zip(table.cells(name), *segments, strict=True)})
        found += [name] * all(number <= sizes[domain] for domain, number in sizes_here.items())
    if len(found) != 1:
        return labels
    return replace(labels, domain=found[0], document=None if labels.document == found[0] else labels.document)


def _differ(cells: Sequence[str], others: Sequence[str]) -> bool:
    """Whether two columns name rows otherwise; numbers from 0 are as those from 1."""
    one, other = (dict(zip(names, labels_as_numbers(names), strict=True)) for names in ([*{*cells}], [*{*others}]))
    pairs = {*zip(map(one.__getitem__, cells), map(other.__getitem__, others), strict=True)}
    apart = {left - right for left, right in pairs if isinstance(left, int) and isinstance(right, int)}
    return len(apart) > 1 or any(left != right for left, right in pairs if str in (type(left), type(right)))


def _beside_count(table: Table, labels: Labels) -> str | None:
    """A column of names without spaces, all different, beside the one of the segments that only counts the rows."""
    cells, is_count = table.cells(labels.segment[0]), plain_name(labels.segment[0]) in ROW_COUNTS
    if (
        not is_count
        or len(labels.segment) > 1
        or not any(all(map(eq, cells, map(str, count(start)))) for start in (0, 1))
    ):
        return None
    free = [name for name in table.columns if name not in labels.all and not table.is_scores(name)]
    for name in [*filter(None, (labels.document, labels.domain)), *free]:
        names, plain = table.cells(name), plain_name(name)
        is_name = _ASKED.fullmatch(plain) or not (plain in TEXTS or any(" " in one for one in names))
        if is_name and count_different(names) == len(cells) > 1:
            return name
    return None


def _names_each(table: Table, labels: Labels) -> str | None:
    """The column of documents, or of domains, that names each row of a system, or of a person who rated it."""
    systems = [] if labels.system is None else [table.cells(labels.system)]
    systems += [table.cells(name) for name in table.columns if systems and PERSONS.fullmatch(plain_name(name))]
    given = (name for name in (labels.document, labels.domain) if name is not None)
    return next((name for name in given if count_rows(*systems, table.cells(name)) == len(table.lines) > 1), None)


def _holds_segments(table: Table, labels: Labels, ours: Sequence[str], scores: Set[str]) -> str | None:
    """The only column beside others of scores whose labels are the set's segments (``ours``), whatever its name.

    Numbers that count are such in a column of documents alone, and there they are all of the set's; so are no scores.
    """
    known, found = {*ours}, list[str]()
    numbers = [number for number in labels_as_numbers(ours) if isinstance(number, int)]
    is_count = len(numbers) > 1 and max(numbers) - min(numbers) < 2 * len(ours)
    free = [name for name in table.columns if name != labels.system and name not in scores]
    numeric = {*filter(table.is_scores, free)} if known else set()
    for name in free if known else ():
        theirs = {*table.cells(name)}
        shared = len(theirs & known)
        if shared < 2 or shared < NEARLY_ALL * len(theirs) or (numeric <= {name} and not scores):
            continue
        if name in numeric and (2 * shared < len(known) or is_named_human(name) or is_metric(name)):
            continue
        found += [name] * (name not in numeric or not is_count or (name == labels.document and theirs == known))
    return found[0] if len({tuple(table.cells(name)) for name in found}) == 1 else None


def _tells_apart(table: Table, labels: Labels, scores: Set[str]) -> str | None:
    """The only column beside others of scores that tells a system's rows, or those of a document, apart, and is shared.

    Of several that are alike, such as ids and their texts, one without spaces. Numbers with decimals are none, and
    neither are texts of one system each, such as translations.
    """
    systems, found = table.cells(str(labels.system)), list[str]()
    rows = [systems, *([table.cells(labels.document)] if labels.document else [])]
    free = [name for name in table.columns if name not in labels.all]
    for name in filter(lambda name: name not in scores, free) if _repeats(systems) else ():
        cells, is_scores = table.cells(name), table.is_scores(name)
        if PERSONS.fullmatch(plain_name(name)) or (is_scores and (is_named_human(name) or is_metric(name))):
            continue
        if count_different(cells) <= len(cells) / 2 and (not is_scores or are_whole(cells)):
            found += [name] * (count_rows(*rows, cells) == len(cells) and sum(map(table.is_scores, free)) > is_scores)
    if not found or {count_different(table.cells(name)) for name in found} != {count_rows(*map(table.cells, found))}:
        return None
    return next((name for name in found if not any(" " in cell for cell in table.cells(name))), found[0])


def _counts_inside(table: Table, labels: Labels, scores: Set[str], ours: Sequence[str]) -> str | None:
    """The column of numbers, named like no score, that counts the segments of each document of a system, or of all.

    Some may be missing beside the segments of a set (``ours``), or where each has the same source wherever it stands.
    """
    if labels.document is None:
        return None
    rows = [table.cells(name) for name in (labels.system, labels.document) if name is not None]
    _, places, sizes = np.unique(list(map(hash, zip(*rows, strict=True))), return_inverse=True, return_counts=True)
    free = [name for name in table.columns if name not in labels.all and name not in scores and table.is_scores(name)]
    for name in free if len(free) + len(scores) > 1 and max(sizes) > 2 and len(places) >= FEWEST_COUNTED else ():
        cells = table.cells(name)
        is_score = is_named_human(name) or is_metric(name) or "rank" in plain_name(name)
        if is_score or not are_whole(cells) or count_rows(*rows, cells) < len(cells):
            continue
        numbers = np.array(list(map(float, cells)))
        first, last = (np.full(len(sizes), end) for end in (np.inf, -np.inf))
        np.minimum.at(first, places, numbers)
        np.maximum.at(last, places, numbers)
        sources = [*map(table.cells, labels.segment)]
        share = NEARLY_ALL if sources or ours else 1
        is_dense = share * (last - first.min() + 1).sum() <= sizes.sum()
        if first.min() in (0, 1) and is_dense and count_rows(rows[-1], cells) == count_rows(rows[-1], cells, *sources):
            return name
    return None


def _better_names(table: Table, labels: Labels, names: Set[str], ours: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The column that names the rows best, and those that name them otherwise, and may be meant; mostly none.

    It is the one with a usual name, unless another one holds more of the set's segments, or as many and is called id
    where the usual one may count rows; without a set, a usual name that only counts rows gives way to texts, and one
    that is another in each row of all systems to a column that these share. Whatever its name, each column that holds
    as many of the set's segments, once in each system, is told where it differs.
    """
    usual, *more = labels.segment
    known = {labels.system, *labels.segment} | names
    systems = [] if labels.system is None else [table.cells(labels.system)]
    is_once = not _repeats(table.cells(usual))  # no two systems share a label
    if systems and not more and (is_once or plain_name(usual) in ROW_COUNTS) and _repeats(systems[0]):
        cells, other = table.cells(usual), _names_each(table, labels) or _tells_apart(table, labels, names)
        is_same = other is None or count_rows(cells, table.cells(other)) == count_different(table.cells(other))
        if other is not None and not is_same and (is_once or all(map(str.isdigit, cells))):
            size = count_different(systems[0]) * count_different(table.cells(other))
            if (plain_name(usual) in ROW_COUNTS and not table.is_scores(other)) or (
                FILLED * size <= len(cells) and is_once
            ):
                return other, (usual,)
    if not ours:
        return usual, ()
    numbers = {*labels_as_numbers(ours)}
    found = {usual: _share_of_set(table.cells(usual), ours, numbers)}
    scored = {name for name in table.columns if name not in labels.all and table.is_scores(name)}
    for name in [name for name in table.columns if name not in known]:
        cells = table.cells(name)
        is_score = is_named_human(name) or is_metric(name) or (name in scored and not are_whole(cells))
        if not is_score and scored != {name} and count_rows(*systems, cells) == len(cells):
            share, same, counted = _share_of_set(cells, ours, numbers)
            found[name] = share, same * (name not in scored), counted
    best = max(found, key=lambda name: found[name][:2])
    if 2 * found[best][0] < 1:
        return usual, ()
    likely = [name for name, share in found.items() if name == usual or share[2] >= found[best][0]]
    usual_ones = [name for name in likely if plain_name(name) == "id" and found[name][0] == found[best][0]]
    if best == usual and plain_name(usual) in ROW_COUNTS and usual_ones:
        best = usual_ones[0] if _differ(table.cells(usual_ones[0]), table.cells(usual)) else usual
    return best, tuple(name for name in likely if name != best and _differ(table.cells(name), table.cells(best)))


def _share_of_set(cells: Sequence[str], ours: Sequence[str], numbers: set[int | str]) -> tuple[float, int, float]:
    """The share of labels that are the set's, or have their numbers, how many are the same texts, and the share where
    numbers from 0 are counted on by one.
    """
    theirs = list(dict.fromkeys(cells))
    same, known = len({*theirs}.intersection(ours)), labels_as_numbers(theirs)
    shared = max(same, len(numbers.intersection(known)))
    from_one = {one + 1 for one in known if isinstance(one, int)} if 0 in known else set[int]()
    size = max(len(theirs), 1)
    return shared / size, same, max(shared, len(numbers & from_one)) / size


def _names_rows(table: Table, labels: Labels, scores: Set[str], segments: Sequence[str], *, is_told: bool) -> Labels:
    """The labels of a table without a column of systems, with the column that names its rows, whatever it is called.

    Such a column holds texts, or whole numbers that are no scores, other ones in every row: their name is that of no
    score, or they are the set's segments, or 1, 2, 3 and so on in any order, or the columns of ``scores`` are others
    (``is_told``). If several do, the one with most of the set's segments counts, else the only one of texts, or of
    sources. If none is left, rows have no names; ``unclear`` are the columns that might have named them.
    """
    numbers, likely, unclear = set(labels_as_numbers(segments)), dict[str, int](), list[str]()
    free = [name for name in table.columns if name not in labels.all]
    scored = set(filter(table.is_scores, free))
    free = [name for name in free if name not in scores]
    for name in free:
        cells = table.cells(name)
        different, is_sure = count_different(cells), True
        is_mixed = not (is_named_human(name) or is_metric(name)) and _are_mixed(cells)
        is_whole = name in scored and not is_mixed and not all("_" in cell for cell in cells)  # 3_1 is no number
        if different <= len(cells) / 2 or (is_whole and scored == {name}):
            continue
        if not MISSING.isdisjoint(cells):
            unclear += [name] * (is_mixed or (is_whole and STOPPED.fullmatch(plain_name(name)) is not None))
            continue
        if is_whole and not are_whole(cells):
            continue
        if not (is_whole or is_mixed) and (is_named_human(name) or is_metric(name) or table.find_mistyped(name)):
            continue
        shared = len(numbers.intersection(labels_as_numbers(cells))) if numbers else 0
        if is_whole and not STOPPED.fullmatch(plain_name(name)):
            is_few, counted = len(cells) < FEWEST_COUNTED, np.sort(np.fromiter(map(float, cells), float, len(cells)))
            counted -= np.arange(len(cells))
            is_set = not is_few and (2 * shared >= len(cells) or (counted == 0).all() or (counted == 1).all())
            is_set |= is_told and {*cells} == {*segments}
            is_odd = (is_few and not is_told) or (different < len(cells) and not is_set)
            if is_named_human(name) or is_metric(name) or is_odd:
                continue
            is_sure = is_set or (is_told and not is_few)
        unclear.append(name)
        if different == len(cells) and is_sure:
            likely[name] = shared
    most = max(likely.values(), default=0)
    found = [name for name in likely if likely[name] == most and 2 * most >= len(table.lines)] or list(likely)
    if 2 * most < len(table.lines) and any(plain_name(name) in TEXTS and name not in likely for name in free):
        found = []  # beside sources that repeat, other texts are translations
    texts = [name for name in found if name not in scored] or found
    texts = [name for name in texts if plain_name(name) in TEXTS] or texts
    if len(texts) == 1:
        return replace(labels, segment=(texts[0],), is_likely=True)
    return replace(labels, unclear=tuple(unclear))


def _are_mixed(cells: Sequence[str]) -> bool:
    """Whether all cells differ and are whole numbers or no numbers, such as 9ed5a88c beside 12345678 and 1,000."""
    known = cells if MISSING.isdisjoint(cells) else [cell for cell in cells if cell not in MISSING]
    if len(known) < FEWEST_COUNTED or count_different(known) < len(known):
        return False
    return not are_whole(known) and not any("." in cell and number_like(cell) for cell in known)


def _segment(table: Table, known: Mapping[str, str], system: str | None) -> tuple[str, ...]:
    """The column with a usual name of segments; one that only counts the rows comes last."""
    usual = [known[alias] for alias in ALIASES["segment"] if alias in known]
    if system is None:
        usual = [name for name in usual if plain_name(name) not in TEXTS]
    if len(usual) > 1 and system is not None and _repeats(table.cells(system)):
        counts = {name for name in usual if plain_name(name) in ROW_COUNTS and not _repeats(table.cells(name))}
        usual = [*(name for name in usual if name not in counts), *counts]
    return tuple(usual[:1])


def _repeats(cells: Sequence[str]) -> bool:
    """Whether a label stands in several rows."""
    return count_different(cells) < len(cells)


def name_rows(table: Table, labels: Labels, others: Iterable[str], scorers: Sequence[str] = ()) -> RowLabels:
    """The system and the segment of every row; ``others`` are columns of texts that are no labels.

    Rows of one system and segment may be told apart by a column of ``scorers``.
    """
    size = len(table.lines)
    if labels.system is None:
        segments: Sequence[str] = join_names(*map(table.cells, labels.segment)) or row_names(size)
        rows = RowLabels([SINGLE_SYSTEM] * size, segments)
        if labels.segment and _repeats(segments):
            rows = _with_documents(table, labels, rows.systems, segments)
        free = [name for name in others if not (name in labels.beside or REMARKS.fullmatch(plain_name(name)))]
        free = [] if labels.is_joined else free
        likely = [name for name in free if 1 < count_different(table.cells(name)) <= size / 2]
        if not labels.segment and size <= LARGEST_SCAN:
            likely += [name for name in _find_grid(table, labels) if name not in {*likely, *labels.beside}]
        what = "row" if not labels.segment else f"label in {quote(' + '.join(labels.segment))}"
        note = f"{ONE_SYSTEM}: every {what} is a segment of one system, {SINGLE_SYSTEM!r}."
        fewest = min(likely, key=lambda name: count_different(table.cells(name)), default="")
        guess = f"no column is named like systems ({known_names(likely)}?), so all rows are of one system; "
        columns = [name for name in (*labels.segment, *others) if len(labels.segment) <= 1 and len(name) <= LONGEST]
        apart = advise_apart(table, columns, is_likely=bool(likely)) if size <= LARGEST_SCAN else ""
        if apart:
            guess = f"no column is named like systems, so all rows are of one system; {apart}"
        elif PERSONS.fullmatch(plain_name(fewest)):
            guess += "write the system of each row into a column system if there are several"
        else:
            guess = f"{guess}pass system={quote(fewest)} if it names the systems" if likely else ""
        if labels.document and len(labels.segment) == 1 and _QUERIES.fullmatch(plain_name(labels.segment[0])):
            query, document = map(quote, (labels.segment[0], labels.document))
            guess = f"no column is named like systems; if those of column {document} are compared for each of {query}, "
            guess += f"pass system={document} and segment={query}"
        notes = [*rows.notes, *[note] * table.headed]
        if labels.beside:
            notes.append(f"Left out {known_names(map(quote, labels.beside))} (names of systems, which are columns).")
        if labels.is_likely:
            notes.append(f"{ROWS_NAMED} {known_names(map(quote, labels.segment))}, which differs in every row.")
        if labels.unclear:
            notes.append(f"{ROWS_UNNAMED} {known_names(map(quote, labels.unclear), most=5)}")
        return replace(rows, notes=tuple(notes), guess=guess)
    systems = table.cells(labels.system)
    if labels.segment:
        return _with_documents(table, labels, systems, join_names(*map(table.cells, labels.segment)))
    if "" in systems[1:2]:
        problem = f"column {quote(labels.system)} has a name in the first of several rows only"
        raise ReadError(table.path, f"{problem}{FILL_DOWN}", line=table.lines[1])
    if _repeats(systems):
        problem = f"expected the columns system and segment; found: {known_names(table.columns)}"
        free = [name for name in table.columns if name not in labels.all and not is_named_human(name)]
        likely = [name for name in free if not table.is_scores(name) or are_whole(table.cells(name))]
        remedy = f"{NAME_IT.format('segment')}; " if likely else "no column can name segments; "
        group = [labels.system, *scorers] if scorers else labels.system
        raise ReadError(table.path, f"{problem}; {remedy}{number_rows(table, group)}", line=1)
    note = f"No column names segments: the table has one score per system, of the segment {SINGLE_SYSTEM!r}."
    return RowLabels(systems, [SINGLE_SYSTEM] * size, (note,))


def number_rows(table: Table, system: str | list[str]) -> str:
    """What to do where no column names the segments of a system, or of a system and a scorer."""
    where = where_frame(table, "") or f", where {FRAME_OF_ALL}"
    if table.path == "list" and system == "system":  # a dict of lists by system becomes one
        where += f"; of a dict of lists, {FRAME_OF_ALL}"
    step = f"frame['segment'] = frame.groupby({system!r}).cumcount() + 1 numbers them"
    return f"if the rows of each system stand in the set's order, {step} (leave a column of documents in it){where}"


def _find_grid(table: Table, labels: Labels) -> list[str]:
    """Two columns of texts or whole numbers that tell all rows apart and have a row for most of their pairs."""
    size, found = len(table.lines), list[str]()
    for name in table.columns:
        cells = table.cells(name)
        is_label = name in labels.all or not table.is_scores(name) or are_whole(cells)
        found += [name] * (is_label and 1 < count_different(cells) <= size / 2)
    for pair in combinations(found, 2):
        one, other = map(table.cells, pair)
        if FILLED * count_different(one) * count_different(other) <= size == count_rows(one, other):
            return list(pair)
    return []


def _with_documents(table: Table, labels: Labels, systems: Sequence[str], segments: Sequence[str]) -> RowLabels:
    """Segments that are numbered in each document anew, or in each domain, get its name before their own."""
    size = count_rows(systems, segments)
    for name, kind in ((labels.document, "document"), (labels.domain, "domain")):
        if name is None or name in labels.segment:
            continue
        apart = count_rows(systems, table.cells(name), segments)
        if apart == size or (kind == "domain" and (apart < len(table.lines) or not are_whole(segments))):
            continue
        columns = f"{quote(name)} and {quote(labels.segment[0])}"
        note = f"Segments are numbered in each {kind}, so their names are those of columns {columns}."
        return RowLabels(systems, join_names(table.cells(name), *map(table.cells, labels.segment)), (note,))
    return RowLabels(systems, segments)
