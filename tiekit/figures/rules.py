"""Which values may what moves in a figure take? Rules that are written once, and checked here and in the browser."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    """Return whether a value is a finite number; True and False are not."""
    return isinstance(value, Real) and not isinstance(value, bool) and math.isfinite(value)


@dataclass(frozen=True)
class Rule:
    """A rule for a value; the functions of this module make them, ``shared/rules.js`` checks them in the browser.

    Attributes
    ----------
    kind : str
        What must hold.
    details : tuple
        What follows from the kind: bounds, names, other rules. A text is a path into the data, such as
        ``"metrics.name"``: the names of all metrics.
    """

    kind: str
    details: tuple[Any, ...] = ()

    def as_json(self) -> list[Any]:
        """Return the rule as the browser takes it."""
        return [self.kind, *(one.as_json() if isinstance(one, Rule) else one for one in self.details)]

    def holds(self, value: Any, data: Data | None = None) -> bool:
        """Return whether a value keeps the rule; without data, whether it does in some data."""
        return bool(getattr(self, f"_is_{self.kind}")(value, data, *self.details))

    def words(self, data: Data) -> str:
        """Return what must hold, as it follows "must be"."""
        return str(getattr(self, f"_say_{self.kind}")(data, *self.details))

    def _is_whole(self, value: Any, data: Data | None, low: float, high: Bound) -> bool:
        return is_whole(value) and low <= value <= _bound(high, data, math.inf)

    def _say_whole(self, data: Data, low: float, high: Bound) -> str:
        return f"a whole number {_range(low, _bound(high, data, math.inf))}"

    def _is_index(self, value: Any, data: Data | None, path: str) -> bool:
        return is_whole(value) and 0 <= value < _bound(path, data, math.inf)

    def _say_index(self, data: Data, path: str) -> str:
        return f"a whole number {_range(0, _bound(path, data, math.inf) - 1)}"

    def _is_number(self, value: Any, data: Data | None, low: Bound, high: Bound) -> bool:
        return is_finite(value) and _bound(low, data, -math.inf) <= value <= _bound(high, data, math.inf)

    def _say_number(self, data: Data, low: Bound, high: Bound) -> str:
        return f"a number {_range(_bound(low, data, -math.inf), _bound(high, data, math.inf))}".rstrip()

    def _is_one_of(self, value: Any, data: Data | None, choices: str | Sequence[Any]) -> bool:
        if isinstance(choices, str):
            if data is None:
                return isinstance(value, str) or is_whole(value)
            choices = _at(choices, data)
        return not isinstance(value, bool) and value in choices

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
        self, value: Any, data: Data | None, rule: Rule, least: Bound, most: Bound, is_ascending: bool
    ) -> bool:
        return (
            isinstance(value, list | tuple)
            and _bound(least, data, 0) <= len(value) <= _bound(most, data, math.inf)
            and all(rule.holds(one, data) for one in value)
            and (not is_ascending or all(a < b for a, b in pairwise(value)))
        )

    def _say_list_of(self, data: Data, rule: Rule, least: Bound, most: Bound, is_ascending: bool) -> str:
        low, high = _bound(least, data, 0), _bound(most, data, math.inf)
        size = f" of {low:.0f}" if low == high else f" of at most {high:.0f}" if high < math.inf else ""
        return f"a list{size}{', ascending' if is_ascending else ''}, each {rule.words(data)}"

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
        if not tuple_of(index("segments"), index("systems"), index("systems")).holds(value, data):
            return False
        [rows] = [one["scores"] for one in data["metrics"] if one["name"] == data["goal"]] if data else [None]
        segment, *pair = value
        return pair[0] != pair[1] and (rows is None or all(rows[segment][system] is not None for system in pair))

    def _say_tie(self, _: Data) -> str:
        return "[segment, system, system] with two scores"


def whole(low: float, high: Bound = None) -> Rule:
    """Make a rule for a whole number between two bounds."""
    return Rule("whole", (low, high))


def index(path: str) -> Rule:
    """Make a rule for a place in a list, counted from 0."""
    return Rule("index", (path,))


def number(low: Bound = None, high: Bound = None) -> Rule:
    """Make a rule for a finite number between two bounds."""
    return Rule("number", (low, high))


def one_of(choices: str | Sequence[Any]) -> Rule:
    """Make a rule for one of several values, or of those to which a path leads."""
    return Rule("one_of", (choices,))


def optional(rule: Rule) -> Rule:
    """Make a rule that also allows None."""
    return Rule("optional", (rule,))


def either(*rules: Rule) -> Rule:
    """Make a rule of which one part must hold."""
    return Rule("either", rules)


def list_of(rule: Rule, least: Bound = None, most: Bound = None, *, is_ascending: bool = False) -> Rule:
    """Make a rule for a list whose parts all keep a rule."""
    return Rule("list_of", (rule, least, most, is_ascending))


def tuple_of(*rules: Rule) -> Rule:
    """Make a rule for a list of which each part has a rule of its own."""
    return Rule("tuple_of", rules)


def tie() -> Rule:
    """Make a rule for a tie of two scores of the metric ``goal``: a segment and two systems, counted from 0."""
    return Rule("tie")


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
