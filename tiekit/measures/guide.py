"""Which number should one report? Rules over five answers about the data, with reasons and sources."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from tiekit.api import count_ties
from tiekit.base.errors import InputError
from tiekit.base.results import Result
from tiekit.core.grouping import DEFAULT_GROUPING
from tiekit.core.ties import is_discrete
from tiekit.readers.facts import data_file
from tiekit.sets.arguments import Exclude, check_set, gold_of, with_names
from tiekit.sets.evalset import EvalSet

FEW_TIES, MANY_TIES = 0.02, 0.2
"""From these shares of human ties on there are few, and many."""

MANY_SYSTEMS = 10
"""From so many systems on there are many."""

HEADINGS = {"report": "Report", "beside": "Report beside it", "avoid": "Do not report"}
"""What the roles of rules are called."""

BY_ITEM = "within each segment"
"""What numbers grouped by item are called; a paragraph adds the field's word where it first says so."""


@dataclass(frozen=True, eq=False, repr=False)
class Advice(Result):
    """Which numbers to report for some data.

    Attributes
    ----------
    answers : mapping of str to str
        The answers that were given or found in the data, by question: ``ties``, ``groups``, ``scales``, ``systems``
        and ``purpose``.
    rules : pandas.DataFrame
        One row per rule that holds: ``role`` ("report", "beside" or "avoid"), ``number``, ``why``, ``source``, ``url``.
    """

    _number: ClassVar[str | None] = None

    answers: Mapping[str, str]
    rules: pd.DataFrame

    def __str__(self) -> str:
        return self.text

    def _grid(self) -> pd.DataFrame:
        return self.rules.set_index("role")[["number", "why", "source"]]

    def _rules_of(self, role: str) -> list[tuple[str, str, str, str]]:
        """Number, reason, source and address of each rule of a role."""
        columns = (self.rules[name].tolist() for name in ("role", "number", "why", "source", "url"))
        return [(number, why, source, url) for of, number, why, source, url in zip(*columns, strict=True) if of == role]

    @property
    def text(self) -> str:
        """The answers and the rules that follow, as plain text."""
        lines = [f"{asks} {possible[self.answers[name]]}." for name, (asks, possible) in questions().items()]
        for role, heading in HEADINGS.items():
            rows = [f"- {number}. {why} ({source}, {url})" for number, why, source, url in self._rules_of(role)]
            lines += ["", f"{heading}:", *rows] if rows else []
        return "\n".join(lines)

    @property
    def paragraph(self) -> str:
        """The rules that hold as a paragraph for a paper, with what is not reported and why."""

        def rules_of(role: str) -> list[tuple[str, str, str]]:
            found = self._rules_of(role)
            return [(_within(number), _within(why[:-1]), _in_brackets(source)) for number, why, source, _ in found]

        said = " ".join(f"We report {number}, since {why} {source}." for number, why, source in rules_of("report"))
        said = said.replace(BY_ITEM, f"{BY_ITEM} (grouped by item)", 1)
        if beside := [f"{number} {source}" for number, _, source in rules_of("beside")]:
            said += f" Beside it we give {', '.join(beside[:-1])}{' and ' * (len(beside) > 1)}{beside[-1]}."
        avoided = [f"{name.removesuffix(', alone')}, since {why} {source}" for name, why, source in rules_of("avoid")]
        return said + f" We do not rely on {'. Nor do we rely on '.join(avoided)}." * bool(avoided)


def _within(words: str) -> str:
    """Words as they stand within a sentence."""
    return words[0].lower() + words[1:] if words[1:2].islower() or words.startswith("A ") else words


def _in_brackets(source: str) -> str:
    """A source as it is cited in brackets: "(Deutsch et al., 2023)"."""
    authors, _, year = source.partition(" (")
    return f"({authors}, {year.partition(')')[0]})"


def questions() -> Mapping[str, tuple[str, Mapping[str, str]]]:
    """Return the questions by name: what is asked, and the possible answers with their words."""
    found: dict[str, dict[str, Any]] = _guide()["questions"]
    return MappingProxyType({name: (one["asks"], MappingProxyType(one["answers"])) for name, one in found.items()})


@cache
def _guide() -> dict[str, Any]:
    """The file of rules; the address of a source stands there or in the bibliography."""
    return tomllib.loads(data_file("guide.toml").read_text(encoding="utf-8"))


@with_names
def which_number(
    data: EvalSet | None = None,
    *,
    purpose: str = "segments",
    ties: str | float | None = None,
    groups: str | None = None,
    scales: str | None = None,
    systems: str | int | None = None,
    human: str | None = None,
    exclude: Exclude = None,
) -> Advice:
    """Say which number to report, from five answers about the data.

    Parameters
    ----------
    data : EvalSet, optional
        An evaluation set, which answers the first four questions itself.
    purpose : {"segments", "systems", "threshold", "wmt"}
        What the metric is for: to choose between translations, to rank systems, to tell good translations from bad
        ones, to compare with published WMT results.
    ties : {"none", "few", "many"} or float, optional
        How many pairs of translations of a segment the human score ties; a number is their share, from 0 to 1.
    groups : {"several", "one"}, optional
        Whether there are several translations of each segment.
    scales : {"discrete", "continuous", "both"}, optional
        Which scores the metrics give; a discrete one gives at most 30 different scores, and
        repeats them: each occurs 1.5 times or more on average.
    systems : {"few", "many"} or int, optional
        Whether there are at least 10 systems; a number is that of systems.
    human, exclude
        Which human score of the set, without which of its systems; as for `correlate`.

    Returns
    -------
    Advice
        The rules that hold, with reasons and sources; ``advice.text`` is all of it as text.

    Raises
    ------
    InputError
        For an answer that is missing, unknown or out of range, and unknown names of the set.

    Examples
    --------
    >>> found = which_number(ties=0.08, groups="several", scales="both", systems=14)
    >>> found.rules["number"].iloc[0]
    "acc_eq* within each segment, with the share of pairs that people tie, and each metric's rank at other shares"
    >>> print(found.text.splitlines()[0])
    How many of the pairs do people tie? Few (below 20 %).
    """
    found: dict[str, Any] = {} if data is None else answers_of(check_set(data), human, exclude)
    given = {"ties": _of_share(ties), "groups": groups, "scales": scales, "systems": _of_number(systems)}
    found |= {name: answer for name, answer in given.items() if answer is not None} | {"purpose": purpose}
    answers = {}
    for name, (_, possible) in questions().items():
        answer = found.get(name)
        if not isinstance(answer, str) or answer not in possible:
            what = "nothing" if answer is None else repr(answer)
            raise InputError(f"{name}: must be one of {', '.join(possible)}, found {what}")
        answers[name] = answer
    held = [rule for rule in _guide()["rules"] if all(answers[name] in few for name, few in rule["when"].items())]
    from_where = [_guide()["sources"][rule["source"]] for rule in held]
    rows = [
        (rule["role"], rule["number"], rule["why"], source["label"], source["url"])
        for rule, source in zip(held, from_where, strict=True)
    ]
    columns = ["role", "number", "why", "source", "url"]
    return Advice(MappingProxyType(answers), pd.DataFrame(rows, columns=columns))


def answers_of(data: EvalSet, human: str | None = None, exclude: Exclude = None) -> dict[str, str]:
    """Answer the questions about ties, groups, scales and systems from an evaluation set; some may have no answer."""
    return {name: _ANSWERS.get(name, str)(fact) for name, fact in facts_of(data, human, exclude).items()}


def facts_of(data: EvalSet, human: str | None = None, exclude: Exclude = None) -> dict[str, Any]:
    """Find what answers them: the share of pairs that the human ties, the number of systems, and two answers."""
    chosen = data.select(exclude=exclude)
    gold = chosen.human[gold_of(chosen, human)]
    rated = ~np.isnan(gold)
    several = bool((rated.sum(axis=0) > 1).any())
    ties = count_ties(gold, grouping=DEFAULT_GROUPING if several else "global")
    kinds = {"discrete" if is_discrete(scores) else "continuous" for scores in chosen.metrics.values()}
    found = {"ties": ties.share if ties.n_pairs else None, "groups": "several" if several else "one"}
    found |= {"scales": None if not kinds else kinds.pop() if len(kinds) == 1 else "both"}
    found |= {"systems": int(rated.any(axis=1).sum())}
    return {name: fact for name, fact in found.items() if fact is not None}


def _of_share(ties: str | float | None) -> str | None:
    """The answer that a share of ties means."""
    if ties is None or isinstance(ties, str):
        return ties
    if not isinstance(ties, Real) or isinstance(ties, bool) or not 0 <= float(ties) <= 1:
        raise InputError(f"ties: must be a share from 0 to 1, or none, few or many, found {ties!r}")
    return "none" if ties < FEW_TIES else "few" if ties < MANY_TIES else "many"


def _of_number(systems: str | int | None) -> str | None:
    """The answer that a number of systems means."""
    if systems is None or isinstance(systems, str):
        return systems
    if not isinstance(systems, Integral) or isinstance(systems, bool) or systems < 1:
        raise InputError(f"systems: must be a whole number of at least 1, or few or many, found {systems!r}")
    return "few" if systems < MANY_SYSTEMS else "many"


_ANSWERS: Mapping[str, Any] = MappingProxyType({"ties": _of_share, "systems": _of_number})
"""What turns a fact into an answer, where the two differ."""
