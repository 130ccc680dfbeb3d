"""What do labels of segments say? Their numbers, their order, and which ones lines without labels are of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby

from tiekit.base.errors import InputError, RoleWarning, warn

NUMBERED = re.compile(r"(|.*\D)(\d{1,15})(?:\.0+)?", re.ASCII | re.DOTALL)
"""A label that ends in a number (7 or 7.0) and what stands before it; of more digits it is no segment's number."""


def labels_as_numbers(labels: Sequence[str]) -> list[int | str]:
    """Labels as the whole numbers that they are, 007, seg7 and 7.wav like 7, and those without a number as they are.

    All stay as they are, without the ending of files, unless most are numbers, after one beginning and no two alike.
    A sign divides thousands where all labels are such numbers, 998 beside 1,001.
    """
    labels = without_ending(_without_thousands(labels))
    found = [NUMBERED.fullmatch(label) for label in labels]
    beginnings = [one[1] for one in found if one]
    if len(set(beginnings)) != 1 or 2 * len(beginnings) < len(labels):
        return list(labels)
    numbers = [int(one[2]) if one else label for one, label in zip(found, labels, strict=True)]
    return numbers if len(set(numbers)) == len(numbers) else list(labels)


_THOUSANDS = frozenset(",.'’_ \u00a0\u2009\u202f")
_DIVIDED = re.compile(r"[1-9]\d{0,2}(?:\D\d{3})*|0", re.ASCII)


def _without_thousands(labels: Sequence[str]) -> Sequence[str]:
    """Labels without the sign that divides thousands in some, where all are such numbers; others as they are."""
    signs = _THOUSANDS.intersection("".join(labels))
    if len(signs) != 1 or not all(map(_DIVIDED.fullmatch, labels)):
        return labels
    [sign] = signs
    return labels if all(sign in label for label in labels) else [label.replace(sign, "") for label in labels]


_ENDING = re.compile(r"\.[A-Za-z]\w{1,4}$")


def without_ending(labels: Sequence[str]) -> Sequence[str]:
    """Labels of files without the ending that all of them have, such as .wav; others as they are."""
    ending = _ENDING.search(labels[0]) if len(labels) else None
    if ending is None or not all(label.endswith(ending[0]) for label in labels):
        return labels
    return tuple(label.removesuffix(ending[0]) for label in labels)


_FOLDER = re.compile(r".*[/\\]", re.DOTALL)


def without_folder(ours: Sequence[str], theirs: Sequence[str]) -> Sequence[str]:
    """Labels of files without the folder that all of them are in, where those of a set have none and half are such."""
    folder = _FOLDER.match(theirs[0]) if theirs else None
    if folder is None or any(map(_FOLDER.match, ours)) or not all(label.startswith(folder[0]) for label in theirs):
        return theirs
    names = tuple(label.removeprefix(folder[0]) for label in theirs)
    return names if 2 * len({*ours}.intersection(names)) >= min(len(ours), len(names)) else theirs


NUMBERS = re.compile(r"\d+")
_DATE = re.compile(r"#\D#\D#(\D+#\D#(\D#)?(\D#)?\w*)?")
"""What is left of a date, and perhaps a time, with # for each of its numbers."""


def are_shuffled(labels: Sequence[str]) -> bool:
    """Whether labels are numbers, in digits of any script, or dates, and neither rise nor fall."""
    labels = [re.sub(r"\.0+$", "", label) for label in labels]
    found = [tuple(map(int, NUMBERS.findall(label[:100]))) for label in labels]
    forms = {NUMBERS.sub("#", label) for label in labels}
    if len(forms) != 1 or not (len(found[0]) == 1 or _DATE.fullmatch(forms.pop())):
        return False
    years = [(0, 1, 2)] if found[0][0] > 31 else [(2, 1, 0), (2, 0, 1)]  # 19/01/2024, 1/19/2024
    orders = [(0,)] if len(found[0]) == 1 else years
    keys = ([(*(one[place] for place in order), *one[3:]) for one in found] for order in orders)
    return not any(ordered in (sorted(ordered), sorted(ordered, reverse=True)) for ordered in keys)


_BETWEEN = r"[-_./:|# ]+"


def labels_apart(labels: Sequence[str], systems: Iterable[str]) -> list[tuple[str, str] | None]:
    """System and segment that each label joins, such as sysA_12, 12_sysA or a/sysA/12; None where it joins none.

    Examples
    --------
    >>> labels_apart(["A-1", "A-2", "x"], ["A", "B"])
    [('A', '1'), ('A', '2'), None]
    """
    systems = sorted(systems, key=len, reverse=True)
    names = "|".join(map(re.escape, systems))
    first, last = re.compile(f"({names}){_BETWEEN}(.+)", re.DOTALL), re.compile(f"(.+?){_BETWEEN}({names})", re.DOTALL)
    pairs = [(one[1], one[2]) if (one := first.fullmatch(label)) else None for label in labels]
    if not any(pairs):
        pairs = [(one[2], one[1]) if (one := last.fullmatch(label)) else None for label in labels]
    if not any(pairs):
        known, paths = frozenset(systems), [label.split("/") for label in labels]
        places = [next((place for place, part in enumerate(path[:-1]) if part in known), -1) for path in paths]
        pairs = [(p[at], "/".join(p[at + 1 :])) if at >= 0 else None for p, at in zip(paths, places, strict=True)]
    return pairs


def are_counted(labels: Sequence[str]) -> bool:
    """Whether the labels are 1, 2, 3 and so on."""
    return all(label == str(number) for number, label in enumerate(labels, start=1))


def are_in_order(labels: Sequence[str]) -> bool:
    """Whether the numbers of the labels are 1, 2, 3 and so on, or 0, 1, 2."""
    numbers = labels_as_numbers(labels)
    return are_counted(labels) or numbers in ([*range(1, len(labels) + 1)], [*range(len(labels))])


def ask_numbers(ours: Sequence[str], theirs: Sequence[str]) -> None:
    """Ask about labels 1 to n, or 0 to n - 1, beside others of these numbers in another order, such as q003 and q001.

    They may number the lines of the set as well; not where they follow its order.
    """
    mine, others = labels_as_numbers(ours), labels_as_numbers(theirs)
    first, size = 0 if 0 in others else 1, len(mine)
    lines = [*range(first, size + first)]
    if size != len(others) or not {*mine} == {*others} == {*lines} or mine in (others, lines):
        return
    line = next(line for line in lines if mine[line - first] != line)
    label, by_number, by_line = theirs[others.index(line)], ours[mine.index(line)], ours[line - first]
    warn(
        f"source: its segments are numbered {first} to {lines[-1]:,}, and the set's {ours[0]}, {ours[1]}, … are in "
        f"another order than their numbers; they were matched by number, {label} as {by_number}; if they number the "
        f"set's lines, {label} is {by_line}: pass "
        f"frame[COLUMN] = frame[COLUMN].map(dict(enumerate(data.segments, {first})))",
        RoleWarning,
    )


def check_beginning(what: str, ours: Sequence[str], theirs: Sequence[str]) -> None:
    """Refuse labels from 0 on beside others from 1 on, of which all but one at each end are the same."""
    mine, others = ({n for n in labels_as_numbers(labels) if isinstance(n, int)} for labels in (ours, theirs))
    more, less = others - mine, mine - others
    first, last = (min(mine | others), max(mine | others)) if mine and others else (0, 0)
    if first == 0 and len(more) == 1 and {first, last} <= more | less and (first in more) != (last in more):
        begins = ("0", "1") if first in more else ("1", "0")
        raise InputError(
            f"source: its {what} seem to be counted from {begins[0]}, and the set's from {begins[1]}, as only one has "
            f"{first}, and only the other {last}; number both alike, or leave out the scores of {more.pop()} if not"
        )


def check_span(ours: Sequence[str], theirs: Sequence[str]) -> None:
    """Refuse numbers that begin after a set's first segment and end after its last one: they do not count its own."""
    mine, others = ([n for n in labels_as_numbers(labels) if isinstance(n, int)] for labels in (ours, theirs))
    if not (mine and others) or not (min(mine) < min(others) and max(mine) < max(others)):
        return
    first, last, less = min(others), max(mine), min(others) - min(mine)
    raise InputError(
        f"source: its segments are numbered {first:,} to {max(others):,}, and the set's {min(mine)} to {last:,}, so "
        f"they hardly are the set's numbers; if {first:,} is the set's first segment, subtract {less:,} from each, "
        f"frame['segment'] - {less}; if they are the set's numbers, leave out the scores of those beyond {last:,}"
    )


def doubt_start(ours: Sequence[str], theirs: Sequence[str]) -> str:
    """What to say of numbers of some segments of a set that may not be its own; empty where they tell."""
    others, size = labels_as_numbers(theirs), len(theirs)
    if {*others} == {*range(1, size + 1)}:
        lines = f"if its numbers 1 to {size:,} are those of lines, not of segments"
        zero = "; if they count from 0 and 0 has no score, add 1 to each" * (len(ours) - size == 1)
        return f"{lines}, and these are not the first ones, label them{zero}"
    numbers = [number for number in others if isinstance(number, int)]
    if not are_counted(ours) or len(numbers) < size or not 0 < min(numbers) <= max(numbers) < len(ours):
        return ""
    shown = f"{min(numbers):,} to {max(numbers):,} may count the set's {len(ours):,} segments from 0 or from 1"
    return f"its numbers {shown}, and are taken from 1; if from 0, add 1 to each, such as by frame['segment'] + 1"


def are_all_of(ours: Sequence[str], theirs: Sequence[str], places: Iterable[int]) -> bool:
    """Whether rows lie in the documents, or domains, that they name, and are all segments of these: none is moved."""
    found = [theirs[place] if place >= 0 else "" for place in places]
    named = {*theirs}
    return all(mine == other if other else mine not in named for mine, other in zip(ours, found, strict=True))


def check_runs(ours: Sequence[str], theirs: Sequence[str]) -> str:
    """What to say of rows without numbers of segments whose documents are in another order than the set's.

    Refused are rows of a document that lie apart where the set's do not: they may be in any order.
    """
    runs, others = (Counter(document for document, _ in groupby(every)) for every in (theirs, ours))
    for document, number in runs.items():
        if number > others[document] == 1:
            raise InputError(
                f"source: its rows of document {document} lie in {number:,} places, the set's in one, as where rows "
                "were sorted or shuffled; name the segments of the rows (segment=), or keep the order of the set"
            )
    if [*theirs] == [*ours]:
        return ""
    return "its documents are in another order than the set's, and rows of each were taken in their order"


def doubt_runs(ours: Sequence[str], theirs: Sequence[str]) -> str:
    """What to say of rows without numbers of segments whose documents lie apart and are none of the set's."""
    runs = Counter(document for document, _ in groupby(theirs))
    if not {*ours}.isdisjoint(theirs) or max(runs.values(), default=1) == 1:
        return ""
    [(document, number)] = runs.most_common(1)
    return (
        f"its rows of document {document[:60]} lie in {number:,} places, as where rows were sorted or shuffled, and "
        "the set has no such document, so their rows were taken in their order; if that is wrong, name the segments "
        "of the rows (segment=)"
    )


def are_lines_of(ours: Sequence[str], lines: int) -> bool:
    """Whether scores without labels can be those of these segments: of all of them, or of a set with these in it."""
    numbers = labels_as_numbers(ours)
    is_part = not are_counted(ours) and all(isinstance(one, int) and 0 < one <= lines for one in numbers)
    return len(ours) == lines or (is_part and len(ours) < lines)


LABEL_THEM = (
    "write them into one, such as by frame['segment'] = frame[COLUMN].map({text: name for text, name in zip(TEXTS, "
    "data.segments) if TEXTS.count(text) == 1}), where TEXTS is the list of what COLUMN says of the set's segments, in "
    "their order, and leave out those that it says twice, frame.dropna(subset='segment'); or, if the order is "
    "the set's, give the scores without labels (.to_numpy())"
)
"""What to do where rows have other labels than the set."""

OF_WHOLE = "add them to the whole set and select from it after that, if they are its scores; else "
"""What to do with more scores than the set has."""


def which_segments(ours: int, theirs: int) -> str:
    """What to say of another number of scores without labels than the set has segments."""
    text = f"source: has {theirs:,} scores of a system and no labels, but the set has {ours:,} segments; "
    if theirs > ours:
        text += OF_WHOLE
    text += "say whose scores they are: give a table with the columns system, segment and score"
    return text + ", or nan in the place of each score that is missing" * (theirs < ours)
