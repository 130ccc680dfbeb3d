"""Which columns of a table are human scores, which are metrics, and which are neither? What their names tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tiekit.base.errors import shown
from tiekit.readers._columns import listed, plain_name

_STRONG = re.compile(r"(human|mqm|esa|gold).*|da|da_?(sqm|score)|sqm|psqm|mos|gt|ground_?truth|experts?(_?\d+)?")
"""Names of human scores, in lower case with _ for other signs."""

_WEAK = tuple(map(re.compile, (r"ratings?", r"labels?", r"annotator(_?\d+)?", r"overall", r"score")))
"""Names that often are those of human scores, but not always; the first that fits counts."""

_NEVER_ALONE = _WEAK[2]
"""Names that may also be those of persons."""

_METRIC = re.compile(
    r"x?comet.*|.*kiwi.*|unbabel.*|.*bleu.*|chrf.*|h?ter|wer|cer|nist\d?|spice|cider.*|bleurt.*|bert.*|bart.*|metric.*|"
    r"yisi.*|meteor.*|rouge.*|matese.*|gemba.*|unite.*|prism.*|maee.*|remedy.*|xlsim.*|sentinel.*|sescore.*|mover.*|"
    r"supert|unieval.*|geval|reuse.*|hwtsc.*|gpt.*|llm.*|claude.*|gemini.*|llama.*|qwen.*|mistral.*|pred|predict.*|"
    r"auto|autorater.*|automatic"
)
"""Words in names of metrics and of predictions, in lower case."""

_JUDGE = re.compile(r"judge.*|model.*")

_STOPPED = re.compile(
    r"year|turn|annotators|raters?|line|lines|n|rank|start|end|(start|end|n|num|number_of)_.*|id|.*_(ids?|number|idx|index)|idx|index|no|"
    r"num|number|pos|position|row|page|count|counts|seed|fold|split|date|day|month|time|times|timestamp|duration|"
    r"worker|unnamed_\d+"
)
"""Names of numbers that are no scores, in lower case with _ for other signs."""

METRICX = frozenset({"label", "prediction"})
"""The scores in a table that MetricX evaluates: its predictions are better when lower."""

HOW = "say otherwise with human= and metrics="


@dataclass(frozen=True)
class Roles:
    """Columns by role.

    Attributes
    ----------
    human, metrics : tuple of str
    left_out : mapping of str to str
        Columns that look like scores and are none, with the reason.
    why : str
        Why the human scores are a guess; empty where names say it or the caller does.
    """

    human: tuple[str, ...]
    metrics: tuple[str, ...]
    left_out: Mapping[str, str]
    why: str = ""

    def sentence(self, more: Sequence[str] = ()) -> str:
        """What was guessed and left out, in one line; empty where nothing was."""
        if not self.why and not self.left_out and not more:
            return ""
        human, metrics = (listed(names) or "no column" for names in (self.human, self.metrics))
        reasons: dict[str, list[str]] = {}
        for name, reason in self.left_out.items():
            reasons.setdefault(reason, []).append(name)
        left = [f"left out {listed(names)} ({reason})" for reason, names in reasons.items()]
        why = f" ({self.why})" if self.why else ""
        return "; ".join([f"took {human} for human scores{why} and {metrics} for metrics", *left, *more, HOW])


def assign(
    numeric: Sequence[str],
    odd: Mapping[str, str],
    labels: Iterable[str],
    human: Sequence[str] | None,
    metrics: Sequence[str] | None,
) -> Roles:
    """Give every column of numbers a role: what the caller says, else what its name says.

    ``odd`` are columns of texts that look like mistyped numbers, with one of their cells; ``labels`` are usual names of
    labels, in lower case, that no score has.
    """
    taken = {*(human or ()), *(metrics or ())}
    usual = set(labels)
    left = {name: "named like no score" for name in numeric if name not in taken and _is_stopped(name, usual)}
    free = [name for name in numeric if name not in taken and name not in left]
    people, why = (tuple(human), "") if human is not None else _people(free, alone=not metrics)
    if human is None or metrics is None:
        left |= {name: f"{shown(cell)} is not a number" for name, cell in odd.items() if name not in taken}
    if metrics is not None:
        said = {name: reason for name, reason in left.items() if name in odd}
        return Roles(people, tuple(metrics), said, why)
    chosen = set(people)
    others = [name for name in free if name not in chosen]
    return Roles(people, tuple(name for name in others if not is_human(name)), left, why)


def is_human(name: str) -> bool:
    """Whether a column is named like human scores, and not like a metric that predicts them."""
    plain = plain_name(name)
    return _STRONG.fullmatch(plain) is not None and not any(_METRIC.fullmatch(word) for word in plain.split("_"))


def is_named_human(name: str) -> bool:
    """Whether a column is named like human scores, or as they often are."""
    return is_human(name) or (not is_metric(name) and any(one.fullmatch(plain_name(name)) for one in _WEAK))


def is_metric(name: str) -> bool:
    """Whether a column is named like a known metric, or like a prediction."""
    return any(_METRIC.fullmatch(word) or _JUDGE.fullmatch(word) for word in plain_name(name).split("_")) and (
        not is_human(name)
    )


def _is_stopped(name: str, labels: set[str]) -> bool:
    """Whether a column of numbers is named like something else than a score."""
    if is_human(name):
        return False
    plain = plain_name(name)
    return plain in labels or _STOPPED.fullmatch(plain) is not None


def _people(names: Sequence[str], *, alone: bool) -> tuple[tuple[str, ...], str]:
    """The columns of human scores, and why they are a guess; ``alone`` where metrics are among the names too."""
    strong = tuple(name for name in names if is_human(name))
    if strong:
        return strong, ""
    unknown = [name for name in names if not is_metric(name)]
    for pattern in _WEAK:
        found = tuple(name for name in unknown if pattern.fullmatch(plain_name(name)))
        if found:
            is_clear = len(found) == len(unknown) and pattern is not _NEVER_ALONE and len(names) > len(found)
            return found, "" if is_clear else "the name that is most like that of human scores"
    if not unknown or (alone and len(names) == 1):
        return (), "no column is named like them" if unknown else ""
    return (unknown[0],), "the first column of numbers; none is named like human scores"
