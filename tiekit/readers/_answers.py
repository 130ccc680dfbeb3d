"""Which columns of texts may hold the scores that are wanted, such as the answers of a language model that judges?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import islice

from tiekit.base.errors import quote
from tiekit.base.names import count_different, fold, plain_name
from tiekit.readers._cells import count_rows
from tiekit.readers._columns import Table
from tiekit.readers._numbers import MISSING, mend_number
from tiekit.readers._score_names import PERSONS, SCORE, STOPPED, is_metric, is_named_human

_JUDGED = re.compile(r"(.*_)?(judge?ments?|verdicts?|assessments?|evaluations?|correct(ness)?)")
"""Names of what a judge says, whatever it is."""

_ANSWER = re.compile(
    r"(.*_)?(answers?|responses?|outputs?|repl(y|ies)|completions?|generations?|results?|content|judges?|decisions?)"
)
"""Names of what a model writes, be it judgments or translations."""

_SENTENCES = re.compile(
    r"(gold|ref|reference|expected|correct|true)_.+|(.*_)?(src|source|mt|tgt|trg|target|hyp|hypothes[ei]s|refs?|references?|"
    r"translations?|postedits?|pe|prompts?|instructions?|questions?|query|inputs?|contexts?|passages?|articles?|"
    r"documents?|titles?|urls?|paths?|files?|filenames?|names?|explanations?|comments?|captions?|summar(y|ies)|"
    r"spans?|errors?|tokens|usage|metadata|langs?|languages?|dates?|times?|at)(_?([a-z]|\d+))?"
)
"""Names of texts that are judged or explained, and of what else holds numbers and is no score."""

_NUMBER = r"\d+(?:[.,]\d+)?"
_SCORED = re.compile(
    rf"^\W*?{_NUMBER}(?=\s*%|\W*$|[^\w\s/:-]*\s)|(?:^|[\s(\[{{*\"'=>：])-?{_NUMBER}[分点점]?\W*$|"
    rf"\b{_NUMBER}\s*(?:/|out of)\s*(?:5|10|100)\b(?!/)|"
    r"\b(?:scor|rat(?:e|ing)|grade|point|mark|quality|verdict|judge?ment|overall|total)\w*[\W_]{0,6}"
    r"(?:(?:is|of|as|a|at)\b\W{0,4}){0,2}\d",
    re.IGNORECASE,
)
"""A number as a judge writes it: at the beginning or the end, out of 5, 10 or 100, or behind a word for scores."""

MOST_SEEN = 1000
"""Maximum number of rows of a column that are looked at."""

LONGEST_PART = 200
"""So many characters at the beginning and at the end of a text are searched for a number."""

MOST_GRADES = 5
"""Maximum number of different texts, such as yes and no, that are taken for grades."""

SHORTEST = 3
"""Minimum number of letters of a column's name that is looked for in a metric's."""


def find_answers(table: Table, keys: Sequence[str], texts: Iterable[str], wanted: Collection[str]) -> dict[str, str]:
    """The columns of texts that may hold scores, each with one of its texts.

    Such a column is named like the scores that are ``wanted`` or like a judgment, or holds a number as a judge writes
    it in most rows, or a few grades below a name for answers. Texts that are the same in all rows, or in all rows of
    each system or segment (the columns ``keys``), are none.
    """
    found = dict[str, str]()
    for name in texts:
        cells = table.cells(name)
        seen = [cell for cell in islice(cells, MOST_SEEN) if cell not in MISSING]
        if seen and _may_hold_scores(name, seen, wanted) and count_different(cells) > 1:
            each = map(table.cells, keys)
            if not any(count_rows(key, cells) == count_different(key) < len(cells) for key in each):
                found[name] = seen[0]
    return found


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
    return [name for name in names if count_different(table.cells(name)) == 1 < len(table.lines)]


def _may_hold_scores(name: str, seen: Sequence[str], wanted: Collection[str]) -> bool:
    """Whether a column may hold scores by its name and some of its texts."""
    plain = plain_name(name)
    if fold(name) in map(fold, wanted):
        return True
    if any(one.fullmatch(plain) for one in (_SENTENCES, STOPPED, PERSONS)):
        return False
    is_grade = _ANSWER.fullmatch(plain) or is_metric(name) or is_named_human(name)
    if _JUDGED.fullmatch(plain) or (is_grade and len({*seen}) <= min(MOST_GRADES, len(seen) / 2)):
        return True
    parts = (f"{cell[:LONGEST_PART]} {cell[-LONGEST_PART:]}" if len(cell) > LONGEST_PART else cell for cell in seen)
    return 2 * sum(_SCORED.search(part) is not None for part in parts) > len(seen)


def is_expected(name: str, wanted: Collection[str]) -> bool:
    """Whether a column of numbers is named like the scores that are ``wanted``, or like any where none are named."""
    if SCORE.fullmatch(plain_name(name)):
        return True
    ours, names = fold(name), [*map(fold, wanted)]
    return (
        ours in names or any(len(ours) >= SHORTEST and ours in one for one in names) or (is_metric(name) and not names)
    )
