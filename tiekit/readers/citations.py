"""Which papers stand behind a number? Their BibTeX, found by the name of what was used or in a result's signature."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pandas as pd

from tiekit.base.errors import InputError
from tiekit.base.names import find_name
from tiekit.base.results import Result, __version__
from tiekit.core.measure import split_star
from tiekit.core.registry import ALIASES
from tiekit.readers.facts import data_file
from tiekit.sets.evalset import EvalSet

YEAR = 2026

OWN_ENTRY = (
    "@misc{tiekit,\n"
    "  title = {tiekit: How Ties Decide the Meta-Evaluation of Machine-Translation and Text-Generation Metrics},\n"
    "  author = {{The tiekit authors}},\n"
    f"  year = {{{YEAR}}},\n"
    f"  note = {{Version {__version__}}}\n"
    "}"
)
"""BibTeX of this version of tiekit."""

FACTS = ("coefficient", "measures", "value", "test", "interval", "ranking", "set", "human")
"""The facts of a signature that papers stand behind."""

_KEYWORDS = re.compile(r",\n  keywords = \{(.*)\}")


def cite(*used: object) -> str:
    r"""Return BibTeX: tiekit, and the papers behind what was used.

    Parameters
    ----------
    *used : str, result, Leaderboard or EvalSet
        Names: of coefficients and measures (``"acc_eq*"``, ``"item/tau_b"``), tests (``"permutation"``,
        ``"williams"``), intervals (``"bootstrap"``, ``"bonett-wright"``), corrections (``"holm"``), data sets
        (``"wmt22"``), human scores (``"mqm"``). Of a result and a leaderboard the signature says what was used; of an
        `EvalSet`, its name and its gold score. Nothing: every source.

    Returns
    -------
    str
        One entry per source, each once, with a DOI or an address.

    Raises
    ------
    InputError
        For a name that no source belongs to; the message suggests names.

    Examples
    --------
    >>> import tiekit as tk
    >>> re.findall("@.*{(.*),", tk.cite("acc_eq*", "permutation"))
    ['tiekit', 'deutsch-etal-2023-ties', 'deutsch-etal-2021-statistical', 'phipson-smyth-2010-permutation']
    >>> re.findall("doi = {(.*)}", tk.cite(tk.correlate([1, 2, 2], [3, 1, 2], "tau_b")))
    ['10.1093/biomet/33.3.239']
    """
    sources = list(_sources())
    known = {name for _, names in sources for name in names}
    wanted = set() if used else known
    for one in used:
        wanted |= _known_name(one, known) if isinstance(one, str) else {*_names_of(one)} & known
    return "\n\n".join([OWN_ENTRY, *(entry for entry, names in sources if wanted & names)]) + "\n"


def _sources() -> Iterator[tuple[str, set[str]]]:
    """Each entry of data/references.bib, without its keywords, and these."""
    text = data_file("references.bib").read_text(encoding="utf-8")
    for entry in text.strip().split("\n\n"):
        if found := _KEYWORDS.search(entry):
            yield _KEYWORDS.sub("", entry), set(found[1].split(", "))


def _known_name(used: str, known: set[str]) -> set[str]:
    """The names of sources that a name stands for."""
    if used in known:
        return {used}
    name, star, _ = split_star(used, argument="used")
    name = find_name("used", ALIASES.get(name, name), known)
    return {name, *(["calibration"] if star else [])}


def _names_of(used: object) -> Iterator[str]:
    """What a result, a leaderboard or a set was made with, whether or not a source is known."""
    if isinstance(used, EvalSet):
        yield from (used.name, used.gold or "")
    elif isinstance(used, pd.DataFrame) and "signatures" in used.attrs:
        for column in used.attrs["signatures"].values():
            for line in column.values():
                yield from _names_in(line)
    elif isinstance(used, Result):
        yield type(used).__name__
        yield from _names_in(getattr(used, "signature", ""))
    else:
        raise InputError(f"used: must be a name, a result, a leaderboard or an EvalSet, found {type(used).__name__}")


def _names_in(line: str) -> Iterator[str]:
    """Names in a signature; a star stands for calibration."""
    facts = dict(fact.partition(":")[::2] for fact in line.split("|"))
    for part in (part for fact in FACTS for part in re.split("[,/]", facts.get(fact, ""))):
        yield part.removesuffix("*")
        if part.endswith("*"):
            yield "calibration"
