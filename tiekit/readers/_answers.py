"""Which columns of texts may hold the scores that are wanted, such as the answers of a language model that judges?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from itertools import islice, repeat
from operator import eq

import numpy as np

from tiekit.base.errors import ReadError, quote
from tiekit.base.names import count_different, fold, plain_name
from tiekit.readers._cells import count_rows
from tiekit.readers._columns import Table
from tiekit.readers._numbers import MISSING, mend_number
from tiekit.readers._score_names import CONFIDENCE, PERSONS, SCORE, STOPPED, is_metric, is_named_human, is_other_metric

_JUDGED = re.compile(r"(.*_)?(judge?ments?|verdicts?|assessments?|evaluations?|correct(ness)?)")
"""Names of what a judge says, whatever it is."""

_ANSWER = re.compile(
    r"(.*_)?(answers?|responses?|outputs?|repl(y|ies)|completions?|generations?|results?|content|judges?|decisions?)"
)
"""Names of what a model writes, be it judgments or translations."""

_OUTPUTS = re.compile("pred|predictions?")
"""Names of scores and of what a model writes."""

_SENTENCES = re.compile(
    r"(gold|ref|reference|expected|correct|true)_.+|(.*_)?(src|source|mt|tgt|trg|target|hyp|hypothes[ei]s|refs?|references?|"
    r"translations?|postedits?|pe|prompts?|instructions?|questions?|query|inputs?|contexts?|passages?|articles?|"
    r"documents?|titles?|urls?|paths?|files?|filenames?|names?|captions?|summar(y|ies)|"
    r"spans?|errors?|tokens|usage|metadata|langs?|languages?|dates?|times?|at)(_?([a-z]|\d+))?"
)
"""Names of texts that are judged or explained, and of what else holds numbers and is no score."""

_EXPLAINED = re.compile(
    r"(.*_)?(explanations?|comments?|critiques?|reason(s|ings?)?|rationales?|feedback|justifications?|notes?|remarks?|"
    r"analys[ei]s|thoughts?|thinking|why)|(scores?|ratings?|grades?)_.*"
)
"""Names of what a judge writes beside its score, or with it."""

_NUMBER = r"\d+(?:[.,]\d+)?"
_SCORED = re.compile(
    rf"^\W*?{_NUMBER}(?=\s*%|\W*$|[^\w\s/:-]*\s)|(?:^|[\s(\[{{*\"'=>：])-?{_NUMBER}[分点점]?\W*$|"
    rf"\b{_NUMBER}\s*(?:/|out of)\s*(?:5|10|100)\b(?!/)|"
    r"\b(?:scor|rat(?:e|ing)|grade|point|mark|quality|verdict|judge?ment|overall|total)\w*[\W_]{0,6}"
    r"(?:(?:is|of|as|a|at)\b\W{0,4}){0,2}\d",
    re.IGNORECASE,
)
"""A number as a judge writes it: at the beginning or the end, out of 5, 10 or 100, or behind a word for scores."""

_PLACES = re.compile(r"\b(start|end|position|offset|index|line|length|confidence)\W{1,4}\d+(\.\d+)?")
"""Numbers of spans of errors, which are no scores."""

_INSIDE = re.compile(r"""[\[({:,]\s*(["']?)-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\1(?=\s*[\])},]|\s+-?\d)""")
"""A number by itself in a list or in an object."""

MOST_SEEN = 1000
"""Maximum number of rows of a column that are looked at."""

LONGEST_PART = 200
"""So many characters at the beginning and at the end of a text are searched for a number."""

NEARLY_ALL = 0.9
"""So many explanations hold a number where they hold the scores, at least."""

MOST_GRADES = 5
"""Maximum number of different texts, such as yes and no, that are taken for grades."""

UNCHANGED = "holds the same in all rows"
"""Why a column of numbers is no score, or perhaps none."""

SHORTEST = 3
"""Minimum number of letters of a column's name that is looked for in a metric's."""


def find_answers(
    table: Table, keys: Sequence[str], texts: Iterable[str], wanted: Collection[str], *, is_doubtful: bool = False
) -> dict[str, str]:
    """The columns of texts that may hold scores, each with one of its texts.

    Such a column is named like the scores that are ``wanted`` or like a judgment, or holds a number as a judge writes
    it in most rows, or a few grades below a name for answers. Where the numbers that were taken are doubtful, any text
    of a judge may have been meant. Texts that are the same in all rows, or in all rows of each system or segment (the
    columns ``keys``), are none.
    """
    found = dict[str, str]()
    for name in texts:
        cells = table.cells(name)
        seen = [cell for cell in islice(cells, MOST_SEEN) if cell not in MISSING]
        is_likely = seen and _may_hold_scores(name, seen, wanted, is_doubtful=is_doubtful)
        if is_likely and count_different(cells) > 1 and not _is_shared(table, keys, cells):
            found[name] = seen[0]
    return found


def find_nested(table: Table, keys: Sequence[str], texts: Iterable[str]) -> dict[str, str]:
    """The columns of lists or objects that hold numbers, each with one of these cells; places in texts are no scores.

    Those that are the same in all rows of each system or segment (the columns ``keys``) are none.
    """
    found = dict[str, str]()
    for name in texts:
        cells = table.cells(name)
        seen = (
            cell for cell in islice(cells, MOST_SEEN) if cell[:1] in ("[", "{", "(") and cell[-1:] in ("]", "}", ")")
        )
        first = next((cell for cell in seen if _INSIDE.search(_PLACES.sub("", cell))), "")
        if first and not _is_shared(table, keys, cells):
            found[name] = first
    return found


def _is_shared(table: Table, keys: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether cells are the same in all rows, or in all rows of each of several systems or segments."""
    if count_different(cells) == 1 < len(cells):
        return True
    return any(count_rows(key, cells) == count_different(key) < len(cells) for key in map(table.cells, keys))


def find_unscored(table: Table, names: Iterable[str], *, is_sure: bool) -> dict[str, str]:
    """The columns that hold nothing, or texts, though their names are those of scores, and what they hold.

    Where the metric is not sure, any column that holds nothing may have been meant.
    """
    found = dict[str, str]()
    for name in names:
        is_score = SCORE.fullmatch(plain_name(name)) is not None
        text = next((cell for cell in table.cells(name) if cell not in MISSING), None)
        if text is None and (is_score or not is_sure or is_named_human(name) or is_metric(name)):
            found[name] = "holds no score"
        elif text is not None and is_score:
            told = f", write {number}" if (number := mend_number(text)) else ""
            found[name] = f"holds texts such as {quote(text[:30])}{told}"
    return found


def find_constants(table: Table, names: Iterable[str]) -> list[str]:
    """The columns that hold the same number in all rows, such as a code of success."""
    return [
        name for name in names if len(table.lines) > 1 and all(map(eq, cells := table.cells(name), repeat(cells[0])))
    ]


def _may_hold_scores(name: str, seen: Sequence[str], wanted: Collection[str], *, is_doubtful: bool) -> bool:
    """Whether a column may hold scores by its name and some of its texts."""
    plain = plain_name(name)
    if fold(name) in map(fold, wanted):
        return True
    if any(one.fullmatch(plain) for one in (_SENTENCES, STOPPED, PERSONS)):
        return False
    is_explained = _EXPLAINED.fullmatch(plain)
    if is_doubtful and (is_explained or _ANSWER.fullmatch(plain) or is_metric(name)):
        return True
    is_grade = _ANSWER.fullmatch(plain) or is_metric(name) or is_named_human(name)
    if _JUDGED.fullmatch(plain) or (is_grade and len({*seen}) <= min(MOST_GRADES, len(seen) / 2)):
        return True
    parts = (f"{cell[:LONGEST_PART]} {cell[-LONGEST_PART:]}" if len(cell) > LONGEST_PART else cell for cell in seen)
    found = [scored[0] for scored in (_SCORED.search(_PLACES.sub("", part)) for part in parts) if scored]
    least = NEARLY_ALL if is_explained else 0.5
    return len(found) > least * len(seen) and len({*found}) > 1  # all lists begin with 1


def find_idle(table: Table, clear: str, names: Iterable[str]) -> dict[str, str]:
    """The columns of numbers that are no scores beside one that surely is, as they never differ, or never from it."""
    free = [name for name in names if name in table.columns and name != clear and len(table.lines) > 1]
    others = [name for name in free if not may_be_meant(name, ())]
    found = dict.fromkeys(find_constants(table, others), UNCHANGED)
    with suppress(ReadError):
        scores = table.scores(clear)
        forms = scores, np.round(100 * scores)
        same = (n for n in others if any(np.array_equal(table.scores(n), one, equal_nan=True) for one in forms))
        found |= dict.fromkeys(same, f"holds the same as {clear}")
    return found


def is_called(name: str, wanted: Collection[str]) -> bool:
    """Whether a column is surely that of the scores, by its name."""
    return plain_name(name) in ("score", "scores") or fold(name) in map(fold, wanted)


def is_another(name: str, wanted: Collection[str]) -> bool:
    """Whether a column is named like another metric than the one that is wanted, or like how sure a judge is."""
    metrics = [one for one in wanted if is_metric(one) and fold(one) != fold(name)]
    return any(CONFIDENCE.fullmatch(plain_name(name)) or is_other_metric(name, one) for one in metrics)


def is_score(name: str, wanted: Collection[str]) -> bool:
    """Whether a column is named like scores, and like those of no other metric than the one that is wanted."""
    plain = plain_name(name)
    return (SCORE.fullmatch(plain) is not None or is_metric(name)) and not is_another(name, wanted)


def may_be_meant(name: str, wanted: Collection[str]) -> bool:
    """Whether a column that was left out may be meant though another is surely that of scores."""
    if is_called(name, wanted):
        return True
    is_score = is_expected(name, wanted) or is_named_human(name) or is_metric(name)
    return is_score and not any(one.fullmatch(plain_name(name)) for one in (STOPPED, _OUTPUTS, _ANSWER))


def is_expected(name: str, wanted: Collection[str]) -> bool:
    """Whether a column of numbers is named like the scores that are ``wanted``, or like any where none are named."""
    ours, names, plain = fold(name), [*map(fold, wanted)], plain_name(name)
    if SCORE.fullmatch(plain) and not CONFIDENCE.fullmatch(plain):
        return True
    return (
        ours in names or any(len(ours) >= SHORTEST and ours in one for one in names) or (is_metric(name) and not names)
    )
