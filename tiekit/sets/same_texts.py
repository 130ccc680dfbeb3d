"""Are the scores of a file those of a set's texts? Sources and outputs are compared, segment by segment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError
from tiekit.base.names import normal_form
from tiekit.base.validation import IntArray
from tiekit.sets.evalset import EvalSet

ALIKE = 0.95
"""Where at least this share of the texts is equal, they are the same texts; of fewer a warning tells."""

REFUSED = 0.5
"""Where less than this share is equal, the scores are those of other texts. In WMT22 Chinese–English 2 of 100 sources
have the length of another one that is drawn, and 8 of 100 outputs that of another system's."""

MOST_SHIFTED = 3
"""By so many lines a part of a file may be shifted, to be recognized as shifted."""

FEWEST_SHIFTED = 5
"""So few texts that differ may differ by chance as those of the line before do."""

FEWEST_CUT = 20
"""Of so many letters, at least, the beginning of a text tells it from others."""

RISES_ALIKE = 0.99
"""Lengths of texts that were changed alike, such as by dividing words and signs, correlate so much, at least."""

FEWEST_ALIKE = 10
"""Minimum number of lengths whose correlation tells anything."""

HELD = 0.9
"""Where at least this share of a column's cells are texts of a set, or of the set's texts are in it, it holds these."""

MOST_WANTED = 200
"""So many texts of a set are looked for in a column of more segments."""

MOST_LENGTHS = 5_000
"""Maximum number of segments whose lengths, in any order, tell what texts have them: in WMT22 and WMT23 at most 94 of
100 lengths are those of other texts."""

LENGTHS_ALIKE = 0.97
"""Where at least this share of a system's lengths are those of a kind of texts, these are such."""

_LONGEST = 40


@dataclass(frozen=True, eq=False)
class Pair:
    """The texts of a set and those of a file that should be the same: the sources, or one system's outputs.

    ``ours`` and ``theirs`` hold a number for each text: its own, or its length, which has one row of ``theirs`` per way
    to count spaces. ``known`` is where the file has a text. For messages: ``what`` and ``shown``, the texts or lengths
    of both. ``system`` is a row of the set; -1 for sources and references, which all systems share.
    """

    what: str
    ours: IntArray
    theirs: IntArray
    known: NDArray[np.bool_]
    shown: tuple[Sequence[object], Sequence[object]]
    system: int = -1

    @property
    def by_text(self) -> bool:
        """Whether the texts themselves are compared, not their lengths."""
        return all(isinstance(texts[0], str) for texts in self.shown)

    @property
    def kind(self) -> str:
        """What the texts are: sources, references or outputs."""
        return f"{self.what.partition(' ')[0]}s"

    def in_both(self, columns: IntArray) -> NDArray[np.bool_]:
        """Which segments of the set have a text at their column of the file."""
        inside = (columns >= 0) & (columns < len(self.known))
        return inside & self.known[np.where(inside, columns, 0)]

    def equal(self, columns: IntArray) -> NDArray[np.bool_]:
        """Which segments of the set have the same text at their column of the file."""
        there = self.in_both(columns)
        is_same: NDArray[np.bool_] = (self.theirs[:, np.where(there, columns, 0)] == self.ours).any(axis=0)
        return there & is_same

    def share(self, columns: IntArray) -> float:
        """The share of texts that are the same; 1 where there are none."""
        there = int(self.in_both(columns).sum())
        return float(self.equal(columns).sum() / there) if there else 1.0

    def is_changed(self, columns: IntArray, others: Sequence[Pair]) -> bool:
        """Whether the texts are the set's but for case, signs and spaces, or are cut off.

        Of lengths: whether they rise with the set's, and with no others as much.
        """
        there = np.flatnonzero(self.in_both(columns))
        if self.by_text:
            places = zip(there.tolist(), columns[there].tolist(), strict=True)
            texts = ((_letters(self.shown[0][place]), _letters(self.shown[1][column])) for place, column in places)
            same = [one == other or (len(other) >= FEWEST_CUT and one.startswith(other)) for one, other in texts]
            return sum(same) >= ALIKE * len(same)
        if len(there) < FEWEST_ALIKE:
            return False
        theirs = self.theirs[0, columns[there]]
        with np.errstate(invalid="ignore", divide="ignore"):
            own, *rest = (np.corrcoef(pair.ours[there], theirs)[0, 1] for pair in (self, *others))
        return bool(own >= RISES_ALIKE and own > max(rest, default=0))

    def shift(self, columns: IntArray) -> int:
        """By how many lines most of the texts that differ are shifted; 0 where they are not."""
        wrong = self.in_both(columns) & ~self.equal(columns)
        if wrong.sum() < FEWEST_SHIFTED:
            return 0
        for shift in sorted(range(-MOST_SHIFTED, MOST_SHIFTED + 1), key=abs):
            moved = np.where(columns >= 0, columns + shift, -1)
            if shift and 2 * (self.equal(moved) & wrong).sum() > wrong.sum():
                return shift
        return 0

    def first_difference(self, columns: IntArray, segments: Sequence[str]) -> str:
        """The first segment whose text is another one, and both texts."""
        place = int(np.argmax(self.in_both(columns) & ~self.equal(columns)))
        ours, theirs = self.shown[0][place], self.shown[1][int(columns[place])]
        if self.by_text:
            return f"{self.what} {segments[place]} is {_start(theirs)} where the set has {_start(ours)}"
        length = len(theirs) if isinstance(theirs, str) else theirs
        return f"{self.what} {segments[place]} has {length:,} characters where the set's has {ours:,}"


@dataclass(frozen=True, eq=False)
class Verified:
    """The column of each segment of the set (-1 for none), and what verified it: texts, or lengths, of these kinds.

    Of the ``compared`` segments those are the ``same`` whose texts all are. ``moved`` says that the file's order is not
    that of its labels, ``undecided`` how many segments have the same texts but other scores, and ``doubt`` what differs
    where fewer than `ALIKE` are the same.
    """

    columns: IntArray
    by: str
    by_text: bool
    same: int
    compared: int
    moved: bool = False
    undecided: int = 0
    doubt: str = ""

    @property
    def is_sure(self) -> bool:
        """Whether nothing is doubted about the order, and it is by no chance right."""
        return not self.doubt and (self.by_text or self.compared >= FEWEST_ALIKE)

    def sentence(self) -> str:
        """How many segments were verified."""
        return f"verified by {self.by} ({self.same:,} of {self.compared:,})"


class KnownTexts:
    """The texts of a set, or their lengths, among which those of a column are looked for; its documents and domains.

    Kinds are ``("sources", "")``, ``("references", NAME)`` and ``("outputs", "")``.
    """

    def __init__(self, data: EvalSet) -> None:
        self.domains = Counter({} if {*data.domains} & {*data.documents} else map(str.casefold, data.domains))
        self.documents = {*data.documents} if data.documents != data.segments else set()
        plain = {("sources", ""): [data.sources], ("outputs", ""): list(data.outputs.values())}
        texts = plain | {("references", name): [found] for name, found in data.references.items()}
        self._texts = {kind: list(filter(None, chain.from_iterable(found))) for kind, found in texts.items()}
        lengths = {("sources", ""): [data.lengths.sources], ("outputs", ""): list(data.lengths.outputs.values())}
        lengths |= {("references", name): [found] for name, found in data.lengths.references.items()}
        few = len(data.segments) <= MOST_LENGTHS
        self._lengths = {kind: found * few for kind, found in lengths.items() if not self._texts.get(kind)}

    @cached_property
    def _keys(self) -> dict[tuple[str, str], set[str]]:
        return {kind: set(map(text_key, found)) for kind, found in self._texts.items() if found}

    def by_text(self, some: Sequence[str], every: Iterable[str]) -> dict[tuple[str, str], float]:
        """The share of each kind that a column holds, by some of its cells, else by whether some texts are in it."""
        keys, found = list(map(text_key, some)), {}
        for kind, known in self._keys.items():
            found[kind] = sum(map(known.__contains__, keys)) / max(len(keys), 1)
        for kind in self._keys if max(found.values(), default=1.0) < HELD else ():
            texts = self._texts[kind]
            wanted = {text.strip() for text in texts[:: max(1, len(texts) // MOST_WANTED)]}
            found[kind] = len(wanted.intersection(every)) / max(len(wanted), 1)
        return {kind: share for kind, share in found.items() if share >= HELD}

    def by_length(self, cells: Iterable[str]) -> dict[tuple[str, str], float]:
        """The share of the lengths of one system's texts that are those of each kind, in any order."""
        if not any(self._lengths.values()):
            return {}
        texts, found = list(filter(None, cells)), {}
        forms = [Counter(map(len, form)) for form in _forms(texts)[:2]]
        for kind, every in self._lengths.items():
            fits = [Counter(one) for one in every if HELD * len(one) <= len(texts) <= len(one) / HELD]
            found[kind] = max(((one & form).total() for one in fits for form in forms), default=0) / max(len(texts), 1)
        return {kind: share for kind, share in found.items() if share >= LENGTHS_ALIKE}


def text_key(text: str) -> str:
    """What is the same in a text however it was saved: its characters in one form, with one space between words."""
    plain = normal_form("NFKC", text.strip("\ufeff"))
    return " ".join(plain.replace("\\n", " ").split())


def verify(data: EvalSet, scores: EvalSet, rows: IntArray, columns: IntArray | None) -> Verified | None:
    """Compare the texts of a file's rows with those of the set's cells that get their scores; other texts are refused.

    ``rows`` and ``columns`` are those of `Alignment`; ``columns`` is None where only texts can tell. None is returned
    where one side has neither texts nor lengths, or texts cannot tell. Texts that are the same for all systems, such as
    the targets of a harness, are no outputs of these, unless the set's are.
    """
    if len(scores.outputs) > 1 == len({*scores.outputs.values()}) < len({*data.lengths.outputs.values()}):
        scores = replace(scores, outputs={}, lengths=replace(scores.lengths, outputs={}))
    pairs = [pair for pair in _pairs(data, scores, rows) if pair.known.any()]
    if not pairs:
        return None
    moved, undecided = False, 0
    if columns is None or not all(pair.share(columns) >= ALIKE and not pair.shift(columns) for pair in pairs):
        placed = _by_text(pairs, scores, rows)
        if placed is not None and (columns is None or ((placed[0] >= 0) & (placed[0] != columns)).any()):
            moved, (columns, undecided) = True, placed
    if columns is None:
        return None
    for pair in pairs:
        _check(data, pairs, pair, columns)
    there = np.any([pair.in_both(columns) for pair in pairs], axis=0)
    if not there.any():
        return None
    same = there & np.all([pair.equal(columns) | ~pair.in_both(columns) for pair in pairs], axis=0)
    worst, by_text = min(pairs, key=lambda pair: pair.share(columns)), any(pair.by_text for pair in pairs)
    kinds = list(dict.fromkeys(pair.kind for pair in pairs if pair.in_both(columns).any()))
    by = "lengths of " * (not by_text) + " and ".join(filter(None, [", ".join(kinds[:-1]), kinds[-1]]))
    doubt = _check_exchanged(data, pairs, columns) or _check_lengths(data, pairs, columns)
    if worst.share(columns) < ALIKE:
        doubt = worst.first_difference(columns, data.segments)
    return Verified(columns, by, by_text, int(same.sum()), int(there.sum()), moved, undecided, doubt)


class _Codes(dict[str, int]):
    """A number for each text, the same for texts that are the same; what makes them so is looked at once for each."""

    def __init__(self) -> None:
        super().__init__()
        self._by_key: dict[str, int] = {}

    def __missing__(self, text: str) -> int:
        number = self[text] = self._by_key.setdefault(text_key(text), len(self._by_key))
        return number

    def of(self, texts: Sequence[str]) -> IntArray:
        """The numbers of some texts."""
        return np.fromiter(map(self.__getitem__, texts), np.int64, len(texts))


def _pairs(data: EvalSet, scores: EvalSet, rows: IntArray) -> Iterator[Pair]:
    """What can be compared: sources first, then references of the same name, then the outputs of each system."""
    codes = _Codes()
    if one := _pair("source", data.sources, data.lengths.sources, scores.sources, scores.lengths.sources, codes):
        yield one
    for name, theirs in scores.references.items():
        ours = data.references.get(name, ()), data.lengths.references.get(name, ())
        if one := _pair(f"reference {name} for segment", *ours, theirs, (), codes):
            yield one
    for row, (system, place) in enumerate(zip(data.systems, rows.tolist(), strict=True)):
        if place >= 0:
            name = scores.systems[place]
            ours = data.outputs.get(system, ()), data.lengths.outputs.get(system, ())
            outputs = scores.outputs.get(name, ()), scores.lengths.outputs.get(name, ())
            if one := _pair(f"output of {system} for segment", *ours, *outputs, codes, row):
                yield one


def _pair(
    what: str,
    texts: Sequence[str],
    lengths: Sequence[int],
    their_texts: Sequence[str],
    their_lengths: Sequence[int],
    codes: _Codes,
    row: int = -1,
) -> Pair | None:
    """The texts of both sides, or the lengths where one side has no more; None where one side has neither."""
    if texts and their_texts:
        ours, theirs = map(codes.of, (texts, their_texts))
        return Pair(what, ours, theirs[np.newaxis], _has_text(their_texts), (texts, their_texts), row)
    if not lengths or not (their_texts or their_lengths):
        return None
    known = _has_text(their_texts) if their_texts else np.array(their_lengths) > 0
    ways = [list(map(len, form)) for form in _forms(their_texts)] if their_texts else [list(their_lengths)]
    return Pair(what, np.array(lengths), np.array(ways), known, (lengths, their_texts or their_lengths), row)


def _has_text(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Which texts are not empty."""
    return np.array([bool(text and not text.isspace()) for text in texts], dtype=np.bool_)


def _forms(texts: Sequence[str]) -> tuple[Sequence[str], ...]:
    """The texts as they are, without spaces at their ends, and in other forms of the same characters."""
    stripped = [text.strip().strip("\ufeff") for text in texts]
    composed, apart = ([normal_form(form, text) for text in stripped] for form in ("NFC", "NFD"))
    return texts, stripped, [" ".join(text.split()) for text in texts], composed, apart


def _by_text(pairs: Sequence[Pair], scores: EvalSet, rows: IntArray) -> tuple[IntArray, int] | None:
    """The column of each segment by its texts alone, and how many are undecided; None where texts do not tell.

    A source that is there once on both sides decides. Of equal sources the outputs decide; segments with the same
    source and the same outputs of all systems are placed if their scores are the same, too.
    """
    texts = [pair for pair in pairs if pair.by_text]
    if not texts:
        return None
    sizes = len(texts[0].ours), len(texts[0].known)
    columns, undecided = np.full(sizes[0], -1, dtype=np.int64), 0
    if texts[0].system < 0:
        ours, theirs = _places(texts[0].ours.tolist()), _places(texts[0].theirs[0].tolist())
        for code, places in ours.items():
            if len(places) == 1 and len(theirs.get(code, ())) == 1:
                columns[places[0]] = theirs[code][0]
    taken = set(columns.tolist())
    are_all = len({pair.system for pair in texts} - {-1}) == (rows >= 0).sum()
    equals = Counter(zip(*(pair.ours.tolist() for pair in texts), strict=True))
    whole = _places(list(zip(*(pair.theirs[0].tolist() for pair in texts), strict=True)))
    for place, key in enumerate(zip(*(pair.ours.tolist() for pair in texts), strict=True)):
        free = [] if columns[place] >= 0 else [column for column in whole.get(key, ()) if column not in taken]
        is_alone = len(free) == 1 and (equals[key] == 1 or are_all)
        if is_alone or (free and are_all and _same_scores(scores, rows[rows >= 0], free)):
            columns[place] = free[0]
        elif free:
            undecided += 1
    if (columns >= 0).sum() + undecided < ALIKE * min(sizes):
        return None
    return columns, undecided


def _places(keys: Sequence[object]) -> dict[object, list[int]]:
    """The places of each key."""
    found: dict[object, list[int]] = {}
    for place, key in enumerate(keys):
        found.setdefault(key, []).append(place)
    return found


def _same_scores(scores: EvalSet, rows: IntArray, columns: Sequence[int]) -> bool:
    """Whether some segments have the same scores."""
    matrices = [matrix[rows][:, list(columns)] for matrix in (*scores.metrics.values(), *scores.human.values())]
    return all(np.array_equal(matrix, matrix[:, [0] * len(columns)], equal_nan=True) for matrix in matrices)


def _check(data: EvalSet, pairs: Sequence[Pair], pair: Pair, columns: IntArray) -> None:
    """Refuse texts of which most are others, or that are shifted from some line on."""
    share, shift = pair.share(columns), pair.shift(columns)
    if share >= REFUSED and not shift:
        return
    there = int(pair.in_both(columns).sum())
    first = pair.first_difference(columns, data.segments)
    others = [one for one in pairs if pair.system >= 0 <= one.system != pair.system and one.by_text == pair.by_text]
    if not shift and pair.is_changed(columns, others):
        return
    kind = "texts" if pair.by_text else "lengths"
    found = f"{int(pair.equal(columns).sum()):,} of {there:,} {kind} are the same"
    if shift:
        reason = f"from there on most are those of {abs(shift)} segment{'s' * (abs(shift) > 1)} "
        reason += "later" if shift < 0 else "before"
    elif pair.system < 0:
        reason = "its segments are in another order, or of another test set"
    else:
        whose = _whose(data, others, pair, columns)
        reason = f"these are the outputs of {whose}, so names are exchanged" if whose else "these are other outputs"
    raise InputError(
        f"source: {first} ({found}); {reason}; give the scores of the set's texts in their order; if the texts were "
        "changed on purpose, leave them out of the file"
    )


def _refuse_exchange(first: str, other: str, circle: int, what: str, wrong: int) -> NoReturn:
    """Refuse texts that stand at each other's places."""
    raise InputError(
        f"source: {first} that the set has as {other}, whose place has another one, so they are exchanged ({circle:,} "
        f"{what} in a circle, {wrong:,} differ); put each score beside its own text, or leave out the texts if they "
        "are wrong"
    )


FEWEST_LENGTHS = 3
"""So many lengths, those of a source and outputs, tell a segment from others."""


def _check_lengths(data: EvalSet, pairs: Sequence[Pair], columns: IntArray) -> str:
    """Refuse segments whose lengths stand at each other's places; return one if most that differ are such of others."""
    some = [pair for pair in pairs if not pair.by_text]
    if len(some) < FEWEST_LENGTHS:
        return ""
    there = np.all([pair.in_both(columns) for pair in some], axis=0)
    wrong = np.flatnonzero(there & ~np.all([pair.equal(columns) for pair in some], axis=0))
    ours = [*zip(*(pair.ours.tolist() for pair in some), strict=True)]
    place = {lengths: places[0] for lengths, places in _places(ours).items() if len(places) == 1}
    moves = dict[int, int]()
    for way in range(min(len(pair.theirs) for pair in some)):
        theirs = zip(*(pair.theirs[way, columns[wrong]].tolist() for pair in some), strict=True)
        moves |= {at: place[one] for at, one in zip(wrong.tolist(), theirs, strict=True) if place.get(one, at) != at}
    if circle := _circle(moves):
        one, other = (f"segment {data.segments[at]}" for at in circle[:2])
        _refuse_exchange(f"{one} has the lengths of texts", other, len(circle), "segments", len(wrong))
    if len(moves) < 2 or 2 * len(moves) < len(wrong):
        return ""
    return min(some, key=lambda pair: pair.share(columns)).first_difference(columns, data.segments)


def _check_exchanged(data: EvalSet, pairs: Sequence[Pair], columns: IntArray) -> str:
    """Refuse texts that stand at each other's places, however few; return one if all that differ are other segments'.

    Texts that the set has several times are no evidence, nor is an output that another system has for that segment.
    """
    doubt, size = "", len(columns)
    for kind in dict.fromkeys(pair.kind for pair in pairs):
        some = [pair for pair in pairs if pair.kind == kind and pair.by_text]
        if not some or all(pair.share(columns) == 1 for pair in some):
            continue
        ours = np.concatenate([pair.ours for pair in some])
        theirs = np.concatenate([np.where(pair.in_both(columns), pair.theirs[0][columns], -1) for pair in some])
        codes, first, times = np.unique(ours, return_index=True, return_counts=True)
        place = dict(zip(codes[times == 1].tolist(), first[times == 1].tolist(), strict=True))
        wrong = np.flatnonzero((theirs >= 0) & (theirs != ours)).tolist()
        moves = {at: place[theirs[at]] for at in wrong if theirs[at] in place}
        if circle := _circle(moves):
            one, other = (f"{some[at // size].what} {data.segments[at % size]}" for at in circle[:2])
            _refuse_exchange(f"{one} is the text", other, len(circle), "texts", len(wrong))
        if wrong and all(at in moves and (moves[at] - at) % size for at in wrong):
            doubt = some[wrong[0] // size].first_difference(columns, data.segments)
    return doubt


def _circle(moves: Mapping[int, int]) -> list[int]:
    """Places each of which has what belongs to the next one, and the last what belongs to the first; empty if none."""
    seen: set[int] = set()
    for start in moves:
        path: dict[int, None] = {}
        while start in moves and start not in seen:
            seen.add(start)
            path[start] = None
            start = moves[start]
        if start in path:
            return [*path][[*path].index(start) :]
    return []


def _whose(data: EvalSet, others: Iterable[Pair], pair: Pair, columns: IntArray) -> str:
    """The system of the set whose outputs a file has under another system's name; empty where it is none."""
    for other in others:
        mixed = Pair(pair.what, other.ours, pair.theirs, pair.known, pair.shown)
        if mixed.share(columns) >= ALIKE:
            return data.systems[other.system]
    return ""


def _letters(text: object) -> str:
    """The letters and digits of a text, without case."""
    return "".join(filter(str.isalnum, normal_form("NFKC", str(text)).casefold()))


def _start(text: object) -> str:
    """A text for a message, its beginning where it is long."""
    whole = str(text)
    return repr(whole if len(whole) <= _LONGEST else f"{whole[: _LONGEST - 1]}…")
