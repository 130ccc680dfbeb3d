"""Which system of one set is which of another? Matched by name; refused where most are unknown."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import numpy as np

from tiekit.base.errors import InputError, RoleWarning, warn
from tiekit.base.names import around_part, did_you_mean, fold, in_r, some_of
from tiekit.base.validation import IntArray
from tiekit.sets.evalset import EvalSet

SUGGESTED = 5
"""For so many unknown systems a message asks which ones are meant."""


def check_systems(data: EvalSet, names: Mapping[str, str | None]) -> None:
    """Refuse names of systems of which most are none of the set."""
    unknown = [name for name, found in names.items() if not found]
    if 2 * len(unknown) <= len(names):
        return
    free = set(data.systems) - set(names.values())
    hints = {name: did_you_mean(name, free) for name in unknown[:SUGGESTED]}
    asked = [f"{some_of([name])}: {hint}" for name, hint in hints.items() if hint]
    known = f"the set's other systems: {some_of(sorted(free))}"
    raise InputError(
        f"source: {len(unknown):,} of its {len(names):,} systems are none of the set: {some_of(unknown)}; "
        f"{'; '.join(asked) or known}; rename them, or leave them out"
    )


_VERSION, _VERSION_ALONE = re.compile(r"\.\d"), re.compile(r"\.v?\d")


def say_new_names(names: Mapping[str, str | None]) -> tuple[str, ...]:
    """Which systems have other names in the set; warn where some are longer than they, and not all in the same way.

    A number behind a dot, such as that of gpt-4.1, may be the version of another system in all of them, but the same
    one behind a v that of the scores.
    """
    known = {name: found for name, found in names.items() if found}
    said = {name: f"{name} is {found}" for name, found in known.items() if name != found}
    parts = {name: text for name, text in said.items() if fold(name) != fold(known[name]) and name != in_r(known[name])}
    spelled = [text for name, text in said.items() if name not in parts]
    by_spelling = (f"systems by names that differ in case, dashes or spaces: {some_of(spelled)}",) if spelled else ()
    if not parts:
        return by_spelling
    around = {name: around_part(name, found) for name, found in known.items()}
    more = {
        name: (re.sub(r"\d", "", before), re.sub(r"(?<=[a-z]{2})\d+", "", after))  # 01_A and A_seed1, but not A-8b
        for name, (before, after) in around.items()
    }
    longer = [text for name, text in parts.items() if any(more[name])] or list(parts.values())
    remark = f"systems by a part of their name: {some_of(longer)}"
    version = _VERSION if len(more) > 1 else _VERSION_ALONE
    if len({*more.values()}) > 1 or any(version.match(after) for _, after in more.values()):
        remark += "; if one of them is another system, leave its scores out"
        warn(f"source: {remark}", RoleWarning)
    return (*by_spelling, remark)


def _advise_apart(name: str, system: str) -> str:
    """How columns that join a system and a segment, such as A_5, become rows; in Python where the system is first."""
    remedy, between = "give the columns system and segment, if they join these", name.removeprefix(system)[:1]
    if not name.startswith(system) or not between:
        return remedy
    begin = f"tuple(name + {between!r} for name in data.systems)"
    frame = f"frame = FRAME.melt(value_vars=[name for name in FRAME if name.startswith({begin})])"
    longest = "sorted(data.systems, key=len, reverse=True)"  # of A_1 and A, A_1_5 is of the first
    parts = f"next((name, one[len(name) + 1 :]) for name in {longest} if one.startswith(name + {between!r}))"
    rows = f"[{parts} for one in frame.pop('variable')]"
    return f"{remedy}: {frame}; frame[['system', 'segment']] = {rows}, and aggregate='mean' where rows are persons"


def rows_of(known: tuple[str, ...], names: Mapping[str, str | None], systems: tuple[str, ...]) -> IntArray:
    """The row of each known system."""
    taken: dict[str, str] = {}
    for name, found in names.items():
        if found and taken.setdefault(found, name) != name:
            several = list(names.values()).count(found) > 2
            remedy = _advise_apart(name, found) if several else "rename one of them"
            if sum(number > 1 for number in Counter(filter(None, names.values())).values()) > 1 and not several:
                other = name.removeprefix(found)
                remedy = "if they are of two metrics, give the columns of each by themselves"
                remedy += f", such as FRAME[[name for name in FRAME if not name.endswith({other!r})]]" * (other != name)
            raise InputError(f"source: both {taken[found]} and {name} may be the system {found}; {remedy}")
    place = {name: row for row, name in enumerate(systems)}
    return np.array([place[taken[name]] if name in taken else -1 for name in known], dtype=np.int64)
