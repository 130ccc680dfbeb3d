"""Which column of a table names the systems? The one of a usual name, unless another one holds those of the set."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile

from tiekit.base.errors import InputError, ReadError, quote
from tiekit.base.names import (
    ALIASES,
    SHOWN,
    are_nameless,
    count_different,
    did_you_mean,
    fold,
    known_names,
    names_in,
    plain_name,
)
from tiekit.readers._cells import count_rows
from tiekit.readers._columns import Table, Texts
from tiekit.readers._numbers import are_whole
from tiekit.readers._score_names import PERSONS, is_metric
from tiekit.sets.labels import labels_apart

_CLEAR = frozenset(name for name in ALIASES["system"] if name.startswith("sys") or name == "mt_system")
"""Names of systems alone: a model, generator or candidate may also be the judge, or the text that was judged."""

_BESIDE = re.compile(rf"{PERSONS.pattern}|(.*_)?(judge|scorer|grader|critic|ref|reference|gold)(_.*)?")
"""How columns are named that may hold systems of the set but not those that are scored."""

MOST_COMPARED = 1_000_000
"""In names of more columns, times the systems, none of these is looked for."""

FEWEST_COLUMNS = 2
"""Minimum number of columns that must be systems of the set, beside half of them."""

ONLY_SYSTEM = "All rows are of one system by column"
"""How a note begins on a column that may name the judge as well."""


def find_systems(table: Table, usual: str | None, systems: Set[str], scores: Collection[str]) -> str | None:
    """The column of the systems: the one of a ``usual`` name, or that in which most labels are known ``systems``.

    These are in lower case. A usual name gives way to a column of several of them where it has one at most, and to one
    of another system alone, as it may be the judge's, unless it is one of systems that holds no numbers.
    """
    if usual is not None and plain_name(usual) == "candidate":
        cells = table.cells(usual)
        usual = usual if 2 * count_different(cells) <= len(cells) else None  # texts
    known = count_known(table, systems, scores)
    own = {*map(str.casefold, table.cells(usual))} if usual is not None else set()
    others = {name: number for name, number in known.items() if number > 1 and name != usual}
    is_clear = usual is not None and _is_clear(usual) and (len(own) > 1 or own <= systems)
    if len(own & systems) > 1 or (is_clear and not (others and own.isdisjoint(systems) and are_whole(own))):
        return usual
    likely = [name for name in others if not _is_beside(name)] or [*others]
    if not likely and len(own) == 1 and not _is_clear(str(usual)):
        alone = [name for name, number in known.items() if number == 1 and name != usual and not _is_beside(name)]
        likely = [name for name in alone if own.isdisjoint(map(str.casefold, table.cells(name)))][:1]
    return max(likely, key=known.__getitem__, default=usual)


def find_wide(table: Table, systems: Iterable[str]) -> set[str]:
    """The columns of scores that are systems, where these are two at least, and half of such columns or of systems."""
    names, known = {*systems}, dict[str, str | None]()
    with suppress(InputError):
        known = names_in(table.columns, names)
    found = {column for column, name in known.items() if name and table.is_scores(column)}
    least = min(len(names), sum(map(table.is_scores, table.columns))) if len(found) > 1 else 0
    return found if least and 2 * len(found) >= least else set()


def with_names_apart(table: Table, systems: Iterable[str]) -> Table:
    """A table with columns system and segment for its only repeated column of texts that each join two such names."""
    names, found = [*systems], dict[str, dict[str, tuple[str, str] | None]]()
    for column in [name for name in table.columns if names and not table.is_scores(name)]:
        labels = [*dict.fromkeys(table.cells(column))]
        apart = dict(zip(labels, labels_apart(labels, names), strict=True)) if len(labels) < len(table.lines) else {}
        if all(apart.values()) and len({pair[0] for pair in apart.values() if pair}) >= FEWEST_COLUMNS:
            found[column] = apart
    if len(found) != 1 or not {"system", "segment"}.isdisjoint(map(str.casefold, table.columns)):
        return table
    [(column, apart)] = found.items()
    rest = {name: cells for name, cells in table.columns.items() if name != column}
    pairs = [apart[cell] or ("", "") for cell in table.cells(column)]
    parts = {name: Texts(pair[place] for pair in pairs) for place, name in enumerate(("system", "segment"))}
    note = f"Each label in column {quote(column)} joins a system and a segment: {table.cells(column)[0]}."
    return replace(table, columns={**parts, **rest}, notes=(*table.notes, note))


NEARLY_ALL_PAIRS = 0.9
"""Labels that join two names are such where they hold so many of all pairs of these, at least."""

_SIGNS, _LIKELY_SIGNS = ("/", "\\", "|"), ("::", ":", "__", "--", "#", "_", "-", " ")


def advise_apart(table: Table, columns: Iterable[str], *, is_likely: bool) -> str:
    """How to take names of systems and segments apart that one column joins, such as A/utt1.wav; empty where none does.

    The systems are the fewer ones of two sorts of names of which nearly all pairs are there. Signs that stand within
    names, too, count only where the rows are otherwise ``is_likely`` of several systems.
    """
    for column in columns:
        labels = [*dict.fromkeys(table.cells(column))]
        for sign in (*_SIGNS, *(_LIKELY_SIGNS if is_likely else ())):
            for split in (str.split, str.rsplit):
                pairs = [split(label, sign, 1) for label in labels]
                if min(map(len, pairs), default=0) < FEWEST_COLUMNS:
                    break
                first, last = ({*names} for names in zip(*pairs, strict=True))
                fewer, more = sorted((len(first), len(last)))
                if fewer < FEWEST_COLUMNS or fewer == more or len(labels) < NEARLY_ALL_PAIRS * fewer * more:
                    continue
                names = ["system", "segment"] if len(first) < len(last) else ["segment", "system"]
                step = f"frame[{names}] = frame[{column!r}].str.{split.__name__}({sign!r}, n=1, expand=True)"
                joined = f"if each label in column {quote(column)} joins a system and a segment ({quote(labels[0])})"
                return f"{joined}, take them apart and pass frame, a DataFrame of the table: {step}"
    return ""


def share_of_systems(names: Sequence[str], systems: Sequence[str], segments: Sequence[str]) -> float:
    """The share of the names that are systems; 0 unless these are two, half, and no fewer than segments."""
    try:
        known = 0 if are_nameless(names) else sum(map(bool, names_in(names, systems).values()))
    except InputError:
        return 0.0
    if known < FEWEST_COLUMNS or 2 * known < len(names) or known < len({*names}.intersection(segments)):
        return 0.0
    return known / len(names)


_SIGN, _TWIN = re.compile(r"[\W_]+"), re.compile(r"(.*)__(MIN|MAX)")
"""What stands between a system and a metric, and how Weights & Biases calls bounds beside the scores of a run."""


def divide_names(names: Sequence[str], systems: Iterable[str]) -> dict[str, dict[str, str]]:
    """The names of each system's scores by metric, where all names join the two in one order, as A_comet and A_bleu.

    Bounds beside scores are left out; without these there are several metrics, of the same systems. Numbers behind
    systems are none of metrics.
    """
    kept = [name for name in names if not ((twin := _TWIN.fullmatch(name)) and twin[1] in names)]
    longest = sorted(systems, key=len, reverse=True)
    for is_first in (True, False):
        found: dict[str, dict[str, str]] = {}
        for name in kept:
            begins = name.startswith if is_first else name.endswith
            system = next((one for one in longest if begins(one)), "")
            rest = name.removeprefix(system) if is_first else name.removesuffix(system)
            sign = (_SIGN.match(rest) if is_first else _SIGN.search(rest)) if rest else None
            if not system or (rest and not sign):
                break
            found.setdefault(_SIGN.sub("", rest, count=1) if is_first else rest.rstrip(" _-./:|"), {})[system] = name
        else:
            words = {re.sub(r"\d+", "", metric) for metric in found}
            is_even = len({frozenset(named) for named in found.values()}) == 1 and len(kept) > len(found)
            if is_even and (len(words) == len(found) > 1 or (len(found) == 1 and len(kept) < len(names))):
                return found
    return {}


def advise_each_metric(names: Sequence[str], systems: Iterable[str]) -> str:
    """How names such as A m1 and A m2 are divided, if they join systems and metrics; empty where they do not."""
    longest = _longest_first(systems)
    ends = [next((name.removeprefix(one) for one in longest if name.startswith(one)), "") for name in names]
    first, *others = dict.fromkeys(ends)
    if not all(ends) or not others or len(others) >= SHOWN or min(Counter(ends).values()) < FEWEST_COLUMNS:
        return ""
    kept = f"FRAME[[name for name in FRAME if not name.endswith({(*others,)!r})]]"
    return (
        "if these are metrics, pass the columns of each by themselves, with the names of systems, such as "
        f"{kept}.rename(columns=lambda name: name.removesuffix({first!r}))"
    )


def ask_people(names: Sequence[str], systems: Sequence[str], others: Sequence[str] = ()) -> str:
    """What to say of columns that may each be human scores, of which a form has one for each system and segment.

    The ``others`` are those whose names are more like metrics', as where a system is called GPT.
    """
    step = next(filter(None, (_melt(some, systems) for some in ([*names, *others], names))), "")
    told = f"human: columns {known_names(map(quote, names))} may each be the human scores; "
    return told + (step or "pass human= with one or more of them")


def _melt(names: Sequence[str], systems: Sequence[str]) -> str:
    """How columns that each join a system and a segment become rows; empty of other ones."""
    longest = _longest_first(systems) if len(names) * len(systems) <= MOST_COMPARED else ()
    parts = [next((name.partition(one) for one in longest if one in name), ("", "", "")) for name in names]
    begins, owners, rests = ({part[at] for part in parts} for at in range(3))
    begin, between, end = begins.pop(), _signs(rests), _signs({rest[::-1] for rest in rests})[::-1]
    if begins or not (begin and between and len(owners) >= FEWEST_COLUMNS):
        return ""
    frame = f"frame = FRAME.melt(value_vars=[name for name in FRAME if name.startswith({begin!r})])"
    names_of = f"frame.pop('variable').str.removeprefix({begin!r}).str.removesuffix({end!r})"
    rows = f"frame[['system', 'segment']] = {names_of}.str.rsplit({between!r}, n=1, expand=True)"
    return f"if each is of a system and a segment, {frame}; {rows}, and aggregate='mean' where rows are persons"


def _longest_first(names: Iterable[str]) -> list[str]:
    return sorted(names, key=len, reverse=True)


def _signs(texts: Collection[str]) -> str:
    """The signs with which all texts begin."""
    shared = takewhile(lambda signs: len({*signs}) == 1, zip(*texts, strict=False))
    return "".join(takewhile(lambda sign: not (sign.isalnum() or sign == "_"), (signs[0] for signs in shared)))


def like_system(name: str, systems: Collection[str]) -> str:
    """A name that is like that of a known system, which it is not, with the question whether that is meant."""
    if name in systems:
        return ""
    alike = [system for system in systems if _letters(system) == _letters(name) != ""]
    if len(alike) == 1:
        return f"{name}: did you mean {alike[0]}?"
    hint = "" if is_metric(name) else did_you_mean(name, systems)
    return f"{name}: {hint}" if hint else ""


def _letters(name: str) -> str:
    """The letters and digits of a name, whatever stands between them: R writes points for all else."""
    return "".join(filter(str.isalnum, name.casefold()))


def is_like(name: str, systems: Iterable[str]) -> bool:
    """Whether a name may be that of a system: one of the two is part of the other but for case and signs."""
    own = fold(name)
    return bool(own) and any(own in one or one in own for one in filter(None, map(fold, systems)))


def count_known(table: Table, systems: Set[str], scores: Collection[str]) -> dict[str, int]:
    """How many known systems each column holds that has them in most labels, each in several rows, or in one."""
    found = {}
    for column in [name for name in table.columns if name not in scores] if systems else ():
        cells = table.cells(column)
        number = count_different(cells)
        is_free = plain_name(column) not in ALIASES["segment"] or {*map(str.casefold, cells)} <= systems
        is_likely = number <= len(cells) / 2 or (number == len(cells) and is_free and not table.is_scores(column))
        names = {cell.casefold() for cell in cells} if is_likely else set()
        if 2 * len(names & systems) > len(names):
            found[column] = len(names & systems)
    return found


def _is_clear(column: str) -> bool:
    """Whether a column is named like systems, and nothing else is."""
    return plain_name(column.rpartition(".")[2]) in _CLEAR


def _is_beside(column: str) -> bool:
    """Whether a column is named like those of judges or references."""
    return bool(_BESIDE.fullmatch(plain_name(column)))


def check_rivals(
    table: Table, column: str | None, labels: Sequence[str], names: Iterable[str], *, is_said: bool
) -> list[str]:
    """Refuse a table in which another column may name the systems as well: it divides the segments into as many rows.

    ``labels`` are the columns of the segment, and ``names`` those of the set. Noted is a column of one system only
    that may be the judge; another such column is not asked about where the choice ``is_said``.
    """
    systems = {name.casefold() for name in names}
    known = count_known(table, systems, labels) if systems and column is not None and not _is_clear(column) else {}
    if column is None or column not in known:
        return []
    cells, keys = table.cells(column), [table.cells(name) for name in labels]
    folded = [cell.casefold() for cell in cells]
    for other in [name for name in known if name != column and not _is_beside(name)]:
        theirs = table.cells(other)
        if is_said and count_different(theirs) == 1:
            continue
        if count_rows(theirs, *keys) < count_rows(cells, *keys) or folded == [cell.casefold() for cell in theirs]:
            continue
        pairs = ((name, known_names(dict.fromkeys(table.cells(name)), most=2)) for name in (column, other))
        held = " and ".join(f"{quote(name)} ({values})" for name, values in pairs)
        problem = f"columns {held} both hold systems of the set; say which names those that are scored"
        raise ReadError(table.path, f"{problem}: pass system={other!r} or system={column!r}", line=1)
    return [f"{ONLY_SYSTEM} {quote(column)}: {cells[0]}."] if len({*folded}) == 1 else []


def advise_system(
    table: Table, column: str, taken: Sequence[str], segments: Sequence[str], names: Iterable[str]
) -> str:
    """Advice to take a column for the systems that tells repeated rows apart; empty where it hardly names them.

    ``taken`` is the system of each row; without the set's ``names`` the column may name systems if that is one only.
    """
    cells = table.cells(column)
    if _is_beside(column) or count_rows(cells, segments) < len(cells):
        return ""
    systems = {name.casefold() for name in names}
    found = {cell.casefold() for cell in cells}
    if 2 * len(found & systems) > len(found):
        return f"pass system={quote(column)}, as it holds systems of the set"
    if count_different(taken) == 1 and not table.is_scores(column):
        return f"pass system={quote(column)} if it names the systems; if not, "
    return ""
