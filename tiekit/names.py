"""Which of the known names does a caller mean?"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable

from tiekit.errors import LONGEST, InputError

MOST_LISTED = 30
"""So many known names a message lists."""

MOST_COMPARED = 1000
"""Among so many known names, at most, a message looks for those that are spelled alike."""


def find_name(argument: str, wanted: object, known: Collection[str]) -> str:
    """The one known name that is meant.

    A name as it is stored, else the only one that differs in case, or by the reference that a metric used
    (``COMET-22`` for ``COMET-22-refA``).

    Raises
    ------
    InputError
        If nothing fits or several do; the message suggests names.

    Examples
    --------
    >>> find_name("metric", "comet-22", ["COMET-20-refA", "COMET-22-refA"])
    'COMET-22-refA'
    >>> find_name("metric", "COMET", ["COMET-20-refA", "COMET-22-refA"])
    Traceback (most recent call last):
    tiekit.errors.InputError: metric: there is no 'COMET'; did you mean COMET-20-refA or COMET-22-refA?
    """
    if isinstance(wanted, str) and wanted in known:
        return wanted
    if not isinstance(wanted, str):
        raise InputError(f"{argument}: must be a name, found {wanted!r}")
    folded = wanted.casefold()
    for key in (str.casefold, lambda name: without_reference(name).casefold()):
        fitting = [name for name in known if key(name) == folded]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise InputError(f"{argument}: {wanted!r} may be {' or '.join(map(short, fitting))}; say which")
    raise InputError(
        f"{argument}: there is no {wanted!r}; {did_you_mean(wanted, known) or f'known: {known_names(known)}'}"
    )


def as_names(names: str | Iterable[str], argument: str = "names") -> list[str]:
    """Several names, or a single one: text is a name, not letters. ``argument`` is what the caller passed."""
    if isinstance(names, str):
        return [names]
    if not isinstance(names, Iterable):
        raise InputError(f"{argument}: must be a name or several names, found {names!r}")
    return list(names)


def without_reference(name: str) -> str:
    """A metric's name without the reference that it used: ``COMET-22`` of ``COMET-22-refA``."""
    return re.sub(r"-(src|all|(ref|postedit)[^-]*)$", "", name)


def did_you_mean(wanted: str, known: Collection[str]) -> str:
    """Ask for the known names that look like the one that is wanted; empty where none does."""
    by_shape = {shape.casefold(): name for name in known for shape in (name, without_reference(name))}
    folded = wanted.casefold()
    begin = [name for shape, name in by_shape.items() if folded and shape.startswith(folded)]
    few = by_shape if len(by_shape) <= MOST_COMPARED and len(folded) <= MOST_COMPARED else ()
    close = [by_shape[shape] for shape in difflib.get_close_matches(folded, few, n=4, cutoff=0.6)]
    likely = list(dict.fromkeys(begin + close))[:4]
    return f"did you mean {' or '.join(map(short, likely))}?" if likely else ""


def short(name: str) -> str:
    """A name for a message, cut where it is very long."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def known_names(known: Iterable[str]) -> str:
    """The known names for a message, the first of them where there are many."""
    names = [short(name) for name in dict.fromkeys(known)]
    more = f" and {len(names) - MOST_LISTED:,} more" if len(names) > MOST_LISTED else ""
    return f"{', '.join(names[:MOST_LISTED]) or 'none at all'}{more}"
