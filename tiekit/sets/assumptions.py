"""Which added scores were matched to segments by numbers, or by their order, alone? What is said where they are used.

The notes on a set tell it: those of `Alignment.sentences`.
"""

from __future__ import annotations

from collections.abc import Iterable

from tiekit.base.names import some_of
from tiekit.sets.documents import BY_DOMAIN, ENDS_LACK
from tiekit.sets.evalset import EvalSet

_UNKNOWN = (
    "no documents or texts were read that show whether the scores are in the set's order; name such columns document "
    "or source"
)
_ASSUMED = {
    "by number": f"segment numbers alone: {_UNKNOWN}",
    "by number, counted from 0": f"segment numbers alone: {_UNKNOWN}",
    "by position": f"the order of segments alone: {_UNKNOWN}",
    "in their order": f"the order of segments alone: {_UNKNOWN}",
    f"by {BY_DOMAIN}": f"domains and numbers in them alone: {_UNKNOWN}",
}
"""What a note on matched scores ends with where little shows whose they are, and how it is told."""


def say_assumed(data: EvalSet, names: Iterable[str]) -> str:
    """Return sentences on those of the metrics and human scores whose order is assumed; empty where none is."""
    found = [(f", {names_of}, ", said) for names_of, by in map(_read_note, data.notes) if (said := _say(by))]
    by_kind: dict[str, list[str]] = {}
    for name in names:
        for every, said in found:
            if f", {name}, " in every:
                by_kind.setdefault(said, []).append(name)
    return " ".join(
        f"{some_of(some)} {'is' if len(some) == 1 else 'are'} matched by {said}." for said, some in by_kind.items()
    )


def _say(by: str) -> str:
    """What is assumed of scores that were matched so; empty where nothing is."""
    if not by.endswith(ENDS_LACK):
        return _ASSUMED.get(by, "")
    documents = by.rpartition(", in ")[2].removesuffix(ENDS_LACK)
    return (
        f"documents and numbers in them, where {documents}documents lack only their last segments: if rows were left "
        "out before these numbers were counted, scores stand beside wrong segments; count first, then leave out"
    )


def _read_note(note: str) -> tuple[str, str]:
    """Whose scores a note says were matched, and how segments were; names may hold whatever else stands in it."""
    before, _, by = note.rpartition(" cells), segments ")
    return before.rpartition(" systems and ")[0].rpartition(": ")[0], by.partition(";")[0]
