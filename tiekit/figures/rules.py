"""Which values may what moves in a figure take? Rules that are written once, and checked here and in the browser."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from numbers import Integral, Real
from typing import Any

Data = Mapping[str, Any]
"""What a figure shows, as JSON takes it."""

Bound = float | str | None
"""A number, a path to a number in the data, a path to a list, whose length it is, or None for no bound."""


def is_whole(value: Any) -> bool:
    """Return whether a value is a whole number; True and False are not."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_finite(value: Any) -> bool:
    """Return whether a value is a finite number; True and False are not, nor whole numbers that no float holds."""
    try:
        return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:
        return False


class Rule:
    """A rule for a value; ``shared/rules.js`` checks it in the browser.

    ========================================== ==================================================================
    kind and details                           what must hold
    ========================================== ==================================================================
    ``whole``, low, high                       a whole number between two bounds
    ``index``, path                            a place in a list, counted from 0
    ``number``, low, high                      a finite number between two bounds
    ``one_of``, choices                        one of several values, or of those to which a path leads
    ``optional``, rule                         None, or what keeps a rule
    ``either``, rule, rule …                   what keeps one of several rules
    ``list_of``, rule, least, most, ascending  a list of which each part keeps a rule; perhaps in ascending order
    ``tuple_of``, rule, rule …                 a list of which each part has a rule of its own
    ``all_ways``                               "all", where every way to swap can be tried
    ``tie``                                    a segment and two systems, with two scores of the metric ``goal``
    ``scores``, ``lines``, ``unless``          scores, which Python checks by functions of its own
    ========================================== ==================================================================

    A text among the details is a path into the data, such as ``"metrics.name"``: the names of all metrics.
    """

    def __init__(self, kind: str, *details: Any) -> None:
        self.kind, self.details = kind, details

    def as_json(self) -> list[Any]:
        """Return the rule as the browser takes it."""
        return [self.kind, *(one.as_json() if isinstance(one, Rule) else one for one in self.details)]

    def holds(self, value: Any, data: Data | None = None) -> bool:
        """Return whether a value keeps the rule; without data, whether it does in some data."""
        return bool(getattr(self, f"_is_{self.kind}")(value, data, *self.details))

    def words(self, data: Data) -> str:
        """Return what must hold, as it follows "must be"."""
        return str(getattr(self, f"_say_{self.kind}")(data, *self.details))

    def _is_whole(self, value: Any, data: Data | None, low: float, high: Bound = None) -> bool:
        return is_whole(value) and low <= value <= _bound(high, data, math.inf)

    def _say_whole(self, data: Data, low: float, high: Bound = None) -> str:
        return f"a whole number {_range(low, _bound(high, data, math.inf))}"

    def _is_index(self, value: Any, data: Data | None, path: str) -> bool:
        return is_whole(value) and 0 <= value < _bound(path, data, math.inf)

    def _say_index(self, data: Data, path: str) -> str:
        return f"a whole number {_range(0, _bound(path, data, math.inf) - 1)}"

    def _is_number(self, value: Any, data: Data | None, low: Bound = None, high: Bound = None) -> bool:
        return is_finite(value) and _bound(low, data, -math.inf) <= value <= _bound(high, data, math.inf)

    def _say_number(self, data: Data, low: Bound = None, high: Bound = None) -> str:
        most = _bound(high, data, math.inf)
        return f"a {'finite ' * (most == math.inf)}number {_range(_bound(low, data, -math.inf), most)}".rstrip()

    def _is_one_of(self, value: Any, data: Data | None, choices: str | Sequence[Any]) -> bool:
        if isinstance(choices, str):
            if data is None:
                return isinstance(value, str) or is_whole(value)
            choices = _at(choices, data)
        return any(type(value) is type(one) and value == one for one in choices)

    def _say_one_of(self, data: Data, choices: str | Sequence[Any]) -> str:
        names = _at(choices, data) if isinstance(choices, str) else choices
        return f"one of {', '.join(dict.fromkeys(map(str, names)))}"

    def _is_optional(self, value: Any, data: Data | None, rule: Rule) -> bool:
        return value is None or rule.holds(value, data)

    def _say_optional(self, data: Data, rule: Rule) -> str:
        return f"None or {rule.words(data)}"

    def _is_either(self, value: Any, data: Data | None, *rules: Rule) -> bool:
        return any(rule.holds(value, data) for rule in rules)

    def _say_either(self, data: Data, *rules: Rule) -> str:
        return " or ".join(words for rule in rules if (words := rule.words(data)))

    def _is_list_of(
        self, value: Any, data: Data | None, rule: Rule, least: Bound = None, most: Bound = None, order: str = ""
    ) -> bool:
        return (
            isinstance(value, list | tuple)
            and _bound(least, data, 0) <= len(value) <= _bound(most, data, math.inf)
            and all(rule.holds(one, data) for one in value)
            and (not order or all(a < b for a, b in pairwise(value)))
        )

    def _say_list_of(self, data: Data, rule: Rule, least: Bound = None, most: Bound = None, order: str = "") -> str:
        low, high = _bound(least, data, 0), _bound(most, data, math.inf)
        size = f" of {low:.0f}" if low == high else f" of at most {high:.0f}" if high < math.inf else ""
        return f"a list{size}{order and ', '}{order}, each {rule.words(data)}"

    def _is_tuple_of(self, value: Any, data: Data | None, *rules: Rule) -> bool:
        return (
            isinstance(value, list | tuple)
            and len(value) == len(rules)
            and all(rule.holds(one, data) for rule, one in zip(rules, value, strict=True))
        )

    def _say_tuple_of(self, data: Data, *rules: Rule) -> str:
        return f"a list of {', '.join(rule.words(data) for rule in rules)}"

    def _is_all_ways(self, value: Any, data: Data | None) -> bool:
        return isinstance(value, str) and value == "all" and (data is None or self._say_all_ways(data) != "")

    def _say_all_ways(self, data: Data) -> str:
        return "" if data.get("samples") or len(data["items"]) > data["few"] else '"all"'

    def _is_tie(self, value: Any, data: Data | None) -> bool:
        places = Rule("tuple_of", Rule("index", "segments"), Rule("index", "systems"), Rule("index", "systems"))
        if not places.holds(value, data) or value[1] == value[2]:
            return False
        rows = {one["name"]: one["scores"] for one in data["metrics"]}.get(data["goal"]) if data else None
        return data is None or (rows is not None and all(rows[value[0]][system] is not None for system in value[1:]))

    def _say_tie(self, data: Data) -> str:
        return "[segment, system, system] with two scores" + ("" if data["goal"] else "; only a puzzle has ties")


def _at(path: str, data: Any) -> Any:
    """Return what a path leads to: a value, or of a list the values of its parts."""
    for part in path.split("."):
        if isinstance(data, list | tuple):
            found = [one[part] for one in data]
            data = [one for each in found for one in (each if isinstance(each, list | tuple) else [each])]
        else:
            data = data[part]
    return data


def _bound(bound: Bound, data: Data | None, otherwise: float) -> float:
    """Return a bound as a number."""
    if isinstance(bound, str):
        bound = None if data is None else _at(bound, data)
    return otherwise if bound is None else len(bound) if isinstance(bound, list | tuple) else float(bound)


def _range(low: float, high: float) -> str:
    if low == -math.inf and high == math.inf:
        return ""
    return f"of at least {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
