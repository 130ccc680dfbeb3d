"""Which metrics of a test set are read? By name, by the references that they use, or the primary ones."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from tiekit.base.errors import InputError
from tiekit.base.names import as_names, find_name, known_names
from tiekit.readers._text import File
from tiekit.readers.facts import primary_metrics

STANDARD, ALL = "standard", "all"
"""What ``references`` may be apart from names."""

_REFERENCE = re.compile(r"ref\w?")


def used_references(
    metrics: Iterable[str], references: Sequence[str], systems: Collection[str] = ()
) -> dict[str, tuple[str, ...]]:
    """The references that each metric uses: BLEU-refA refA, X-refA.refB both, Y-all every one, Z-src none."""
    known = {*references, *systems}
    suffixes = {name: name.rpartition("-")[2] if "-" in name else "" for name in metrics}
    used = {
        name: tuple(part for part in suffix.split(".") if part in known or _REFERENCE.fullmatch(part))
        for name, suffix in suffixes.items()
    }
    every = tuple(references) or tuple(dict.fromkeys(part for parts in used.values() for part in parts))
    return {name: every if suffixes[name] == ALL else parts for name, parts in used.items()}


def only_reference(used: Iterable[Sequence[str]], systems: Collection[str]) -> str | None:
    """The one reference that all metrics use, if it is a row."""
    references = {part for parts in used for part in parts}
    return references.pop() if len(references) == 1 and references <= set(systems) else None


def reference_names(references: str | Iterable[str], standard: str | None) -> list[str] | None:
    """The references whose metrics are asked for, by name: None is every one, and none the unknown standard one."""
    names = as_names(references, "references")
    if not names or not all(isinstance(name, str) for name in names):
        raise InputError(f"references: must be {STANDARD!r}, {ALL!r} or names of references, found {references!r}")
    if names == [STANDARD]:
        return [standard] if standard else []
    return None if names == [ALL] else names


def choose_metrics(
    scored: Mapping[str, File],
    metrics: str | Iterable[str] | None,
    wanted: Sequence[str] | None,
    references: Sequence[str],
) -> tuple[dict[str, File], list[str]]:
    """The metrics that are named, or those that use no other references than the wanted ones; and a note on the rest.

    ``wanted`` and ``references`` are names of references: those that metrics may use (see `reference_names`), and those
    that exist.
    """
    used = used_references(scored, references)
    known = {*references, *(part for parts in used.values() for part in parts)}
    for name in wanted or ():
        if name not in known and any(used.values()):
            raise InputError(f"references: there is no reference {name!r}; known: {known_names(sorted(known))}")
    fitting = {name: file for name, file in scored.items() if not wanted or set(used[name]) <= set(wanted)}
    if metrics is not None:
        return {
            name: scored[name] for name in (_found(name, scored, fitting) for name in as_names(metrics, "metrics"))
        }, []
    others = [name for name in scored if name not in fitting]
    if not fitting:
        found = f"no metric uses {known_names(wanted or ())} alone, found {known_names(others)}"
        raise InputError(f'references: {found}; pass references="all", or the name of a reference')
    if others:
        names = f"{known_names(wanted or ())} are not read: {known_names(others)}"
        return fitting, [f'{len(others)} metrics of other references than {names} (references="all" reads them)']
    if wanted is not None and not wanted and len(known) > 1:
        found = known_names(sorted(known))
        return fitting, [f"the standard reference is not known, so metrics of all references are read: {found}"]
    return fitting, []


def choose_primary(scored: Mapping[str, File], testset: str, language_pair: str) -> tuple[dict[str, File], list[str]]:
    """The primary and the baseline metrics of a test set, and a note on the others."""
    primary = primary_metrics(testset, language_pair)
    if primary is None:
        raise InputError(
            f"primary: the primary metrics of {testset} {language_pair} are not known; name those to read (metrics=)"
        )
    kept = {name: file for name, file in scored.items() if name.rpartition("-")[0] in primary}
    if not kept:
        raise InputError(
            f"primary: {testset} {language_pair} has none of its primary metrics; found {known_names(scored)}"
        )
    others = [name for name in scored if name not in kept]
    return kept, [f"{len(others)} metrics that are not primary are not read: {known_names(others)}"] if others else []


def _found(name: str, scored: Mapping[str, File], fitting: Mapping[str, File]) -> str:
    """The metric that is meant: one that uses the wanted references comes before the others."""
    try:
        return find_name("metrics", name, scored if isinstance(name, str) and name in scored else fitting)
    except InputError:
        return find_name("metrics", name, scored)
