"""Which added scores were matched to segments by numbers, or by their order, alone? What is said where they are used.

The notes on a set tell it: those of `Alignment.sentences`.
"""

from __future__ import annotations

from collections.abc import Iterable

from tiekit.base.names import some_of
from tiekit.sets.documents import BY_DOMAIN
from tiekit.sets.evalset import EvalSet

_ALONE = {
    "by number": "segment numbers",
    "by number, counted from 0": "segment numbers",
    "by position": "the order of segments",
    "in their order": "the order of segments",
    f"by {BY_DOMAIN}": "domains and numbers in them",
}
"""What a note on matched scores ends with where no documents and no texts show whose they are, and how it is told."""


def say_assumed(data: EvalSet, names: Iterable[str]) -> str:
    """Return sentences on those of the metrics and human scores whose order is assumed; empty where none is."""
    found = [(f", {names_of}, ", by) for names_of, by in map(_read_note, data.notes) if by in _ALONE]
    by_kind: dict[str, list[str]] = {}
    for name in names:
        for every, by in found:
            if f", {name}, " in every:
                by_kind.setdefault(_ALONE[by], []).append(name)
    return " ".join(
        f"{some_of(some)} {'is' if len(some) == 1 else 'are'} matched by {what} alone: "
        "no documents or texts read beside the scores show that they are in the set's order; columns named document or "
        "source would."
        for what, some in by_kind.items()
    )


def _read_note(note: str) -> tuple[str, str]:
    """Whose scores a note says were matched, and how segments were; names may hold whatever else stands in it."""
    before, _, by = note.rpartition(" cells), segments ")
    return before.rpartition(" systems and ")[0].rpartition(": ")[0], by.partition(";")[0]
