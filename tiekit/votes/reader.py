"""How do files of judges become votes? MT-bench, Arena, AlpacaEval, and tables with the same columns."""

from __future__ import annotations

import hashlib
import math
import re
from array import array
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import partial
from itertools import chain, count, islice
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.base.errors import InputError, ReadError, RoleWarning, collect_warnings, quote, warn
from tiekit.base.names import known_names
from tiekit.base.validation import IntArray
from tiekit.readers import (
    MEASURES,
    PAIRS,
    PERSONS,
    Table,
    Texts,
    find_groups,
    parse_scores,
    plain_name,
    say_pairs,
)
from tiekit.votes.columns import (
    ABSTENTIONS,
    BESIDE,
    COLUMNS,
    EMPTY,
    FIRST,
    MOST_ROWS,
    ORDERS,
    SCORES,
    WORDS,
    find_scores_of_judges,
    may_say_order,
    say_how_to_name_winners,
    say_how_to_rename,
    say_how_to_use_order,
    say_how_to_use_scores,
    say_how_to_use_winners,
    say_how_to_write_winners,
    usual_names,
    word_of,
)
from tiekit.votes.sources import Source, as_rows, files_of, text_of
from tiekit.votes.votes import OUTCOMES, PAIR, VoteRow, Votes, check_row, difference, make_votes, to_outcomes

FIRST_GAME = "g1_winner"
ALPACA = "preference"
_WINNERS = "winner", "swapped"

_EXPECTED = "model_a, model_b, tie, tie (bothbad), the name of one of both models, or nothing for an abstention"


_CODED = [field for field in COLUMNS if field not in SCORES]

MOST_OF_ORDER = 10
"""Maximum number of different values of a column that may say which answer was shown first."""

MOST_NAMES, LONGEST_NAME = 200_000, 1_000
"""Maximum number of different names beside those of items, and of the characters of one."""

_AT_ONCE = 10_000
"""The number of rows that are looked at as Python values at a time."""

_CODES = [(part, np.int32) for part in ("line", "layout", *_CODED)]
_Layout = tuple[str, frozenset[str], str, bool]
_Told = tuple[str, dict[str, None], Sequence[str]]
"""A column that may be told, what it holds, and what the names of a row's models are replaced with there."""


class _Rows(NamedTuple):
    """Rows for one vote each."""

    path: str
    digest: str
    codes: Mapping[str, NDArray[Any]]
    layouts: list[_Layout]
    """Some fields of `_Line`, which codes stand for."""
    items: NDArray[Any]
    texts: NDArray[Any]
    """What the other codes stand for."""
    differences: array[float]
    """Of the scores of those rows that have scores and no winner."""
    refused: list[ReadError]
    """Of the row after the last one, whose scores are none."""
    orders: Mapping[tuple[str, ...], Mapping[str, None]]
    """What columns hold that say the language pair, or may say which answer was shown first.

    They are called by their names and those of the models' columns.
    """


class _Line(NamedTuple):
    """A row for one vote: the fields that it has, and the texts of all fields of `COLUMNS` but scores."""

    path: str
    line: int
    fields: frozenset[str]
    name: str
    """Of the column with the winner."""
    is_second: bool
    """Whether it is MT-bench's second game."""
    text: Mapping[str, str]

    def refuse(self, problem: str) -> ReadError:
        """An error that names the file and the line."""
        return ReadError(self.path, problem, line=self.line)


def _number_together(*columns: NDArray[Any]) -> IntArray:
    """One number for rows that are equal in all columns of whole numbers from 0 on, in the order of the rows."""
    found = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        found = pd.factorize(found * (int(column.max()) + 1) + column)[0]
    return found


def read_votes(source: Source, *, judge: str = "judge") -> Votes:
    """Read pairwise votes: JSON objects in lines or in an array, or a table as CSV, TSV, Excel or Parquet.

    | what | fields |
    |---|---|
    | MT-bench | ``question_id``, ``model_a``, ``model_b``, ``winner``, ``judge``, ``turn`` |
    | MT-bench, both orders | ``question_id``, ``model_1``, ``model_2``, ``g1_winner``, ``g2_winner`` |
    | Arena | as MT-bench; ``winner`` may be ``tie (bothbad)`` |
    | AlpacaEval | ``instruction``, ``generator_1``, ``generator_2``, ``preference`` from 1 to 2, 1.5 for a tie |
    | scores of a judge | ``score_a`` and ``score_b`` instead of ``winner``, or where it is empty |
    | PandaLM | ``idx``, ``cmp_key`` (``A_B``), ``annotator1`` …, ``…_result`` of a judge: 1 and 2, 0 for a tie |
    | Arena-Hard | ``question_id``, ``model``, ``games`` with a ``score`` each; ``baseline``, if the file names it |
    | auto-j | ``response 1``, ``response 2``, ``label``, ``output`` of a judge: 0 and 1, 2 for a tie |

    Parameters
    ----------
    source : path, mapping of names to bytes, DataFrame, list of dicts, or list of paths
        Several files are those of a judge each. Votes without a judge are those of a judge who is called as the file.
        Rows without models are those of the first file with models that have the same ``question_id``, or the like;
        without ids, those in the same order, as PandaLM's with the same ``idx`` and auto-j's are.
    judge : str
        The judge of votes that name none.

    Returns
    -------
    Votes
        AlpacaEval's preference p becomes 3 − 2p, from 1 to −1, so that a tie threshold can be put on it; its order of
        answers is unknown. An empty winner and "error" are abstentions. PandaLM's "garbage" is a tie, as in its own
        evaluation, and Arena-Hard's ``A>>B`` is ``A>B``. Where scores decide, other columns, such as SHP's labels, are
        not read. Auto-j names no models: they are ``response 1`` and ``response 2``.

    Raises
    ------
    ReadError
        For missing columns, a winner, preference or score that is none, equal models, an empty name, a winner such as
        ``A`` that is a model of other rows only, or of the second answer; the message names file and line. For names
        of more than 1,000 characters, and more than 200,000 of models, judges and winners.
    InputError
        For other sources.

    Warns
    -----
    RoleWarning
        For votes of one judge on the same two answers in the same order, with the column that tells them apart, such as
        that of a criterion: each counts; for several language pairs; for files that are joined in the order of their
        rows; for empty winners in a file without ties; and for a column such as ``swapped`` that may say which answer
        was shown first, which is not used.

    References
    ----------
    Zheng et al. (2023), arXiv 2306.05685; Li et al. (2023), AlpacaEval, github.com/tatsu-lab/alpaca_eval; Wang et al.
    (2023), PandaLM, arXiv 2306.05087; Li et al. (2023), auto-j, arXiv 2310.05470.

    Examples
    --------
    >>> file = b'{"question_id": 81, "model_a": "alpaca", "model_b": "vicuna", "winner": "tie", "judge": ["expert_17"]}'
    >>> votes = read_votes({"votes.jsonl": file})
    >>> votes.judges, votes.preference
    (('expert_17',), array([0.]))
    """
    path, votes, pairs = _read(source, judge)
    if len(votes.items) == votes.n_votes and not pairs:
        return votes
    same = _number_together(*(getattr(votes, part) for part in (*PAIR, "judge")), votes.shown + 1)
    if repeats := votes.n_votes - int(same.max()) - 1:
        found = f"{repeats:,} of {votes.n_votes:,} votes are of the same item, answers, order and judge as one before"
        say = _say_what_differs(source, judge)
        say = say or "delete rows that were written twice, or name the raters in a column judge"
        warn(f"{path}: {found}; all count; {say}", RoleWarning)
    elif pairs and (say := _say_what_differs(source, judge)):
        warn(f"{path}: all votes count, but {say}", RoleWarning)
    return votes


def _say_what_differs(source: Any, judge: str) -> str:
    """Which column tells votes on the same answers apart, or holds several language pairs, and how one is kept."""
    path = {pd.DataFrame: "DataFrame", list: "list"}.get(type(source), "")
    with collect_warnings():  # they were given as the votes were read
        files = files_of(source, judge)
    for called, records, _ in files:
        rows = [row for line, record in records for row in as_rows(called, line, record, judge)]
        if not rows:
            continue
        first = rows[0]
        named = {field: str(name) for field, name in usual_names(first).items()}
        names = [name for name in first if not isinstance(first[name], Mapping | list) or str(name) in named.values()]
        columns = {str(name): [text_of(row.get(name)) for row in rows] for name in names}
        table = Table(path if called == "source" else called, "", range(len(rows)), columns)
        if pairs := say_pairs(table, ""):
            return pairs
        keys = [named[field] for field in ("item", "a", "b", "turn", "judge") if field in named]
        free = [name for name in columns if name not in named.values() and plain_name(name) not in ORDERS]
        told = [name for name in free if PERSONS.fullmatch(plain_name(name)) or MEASURES.fullmatch(plain_name(name))]
        groups = find_groups(table, [columns[key] for key in keys], free, {*free}.difference(told))
        if groups.even:
            name, item = groups.even[0], named["item"]
            if PERSONS.fullmatch(plain_name(name)):
                return f"if {groups.say_apart()} and says who voted, pass FRAME.assign(judge=FRAME[{name!r}])"
            joined = f"FRAME[{item!r}].astype(str) + ' ' + FRAME[{name!r}].astype(str)"
            more = f"if each has items of its own, pass FRAME.assign(**{{{item!r}: {joined}}}); else "
            return f"{groups.say_apart()}: {more * (name not in told)}{groups.keep_one('')}"
    return ""


def _read(source: Any, judge: str) -> tuple[str, Votes, bool]:
    """The votes of all rows, and whether they are of several language pairs.

    The outcome of each is that of the first row that is alike, or both are refused.
    """
    path, digest, codes, layouts, items, texts, differences, refused, orders = _read_rows(source, judge)
    a, b, *others = (codes[field] for field in ("a", "b", "layout", "turn"))
    names = np.array([a, b, codes["judge"]])
    empty = texts == ""
    winners = (
        np.where(codes[field] == a, 0, np.where(codes[field] == b, 1, codes[field].astype(np.int64) + 2))
        for field in _WINNERS
    )
    kinds = _number_together(a == b, (items == "")[codes["item"]], *empty[names], *winners, *others)
    firsts = np.unique(kinds, return_index=True)[1]
    lines = partial(_lines, codes, firsts, layouts, items, texts)
    _refuse_words_that_are_models(texts[np.unique(names[:2])], lines())
    if doubtful := _find_doubtful(codes, texts):
        [line] = _lines(codes, np.array(doubtful[:1]), layouts, items, texts)
        text = line.text[doubtful[1]]
        problem = (
            f"found {quote(text)} in field {line.name!r}, which is a model of the row and a word for another result"
        )
        raise line.refuse(f"{problem}; {_NAME_WINNERS}")
    rows = (check_row(_vote_of(line), place + 1) for place, line in zip(map(int, firsts), lines(), strict=True))
    try:
        outcomes = to_outcomes(rows)
    except _UnknownWinnerError as unknown:
        step = _say_how_to_write(codes, layouts, texts, unknown)
        raise ReadError(unknown.path, unknown.problem + step, line=unknown.line) from None
    for error in refused:
        raise error
    have_scores, are_second = np.array([(fields >= {*SCORES}, second) for _, fields, _, second in layouts]).T
    is_second = are_second[codes["layout"]]
    winner = np.where(is_second, codes["swapped"], codes["winner"])
    by_scores = have_scores[codes["layout"]] & empty[winner]
    names[:2] = np.where(is_second, names[1::-1], names[:2])
    cast = {field: outcomes[field][kinds] for field in OUTCOMES}
    if not (cast["preference"] == 0).any():
        without = np.array([word_of(text) in EMPTY for text in texts])[winner] & ~have_scores[codes["layout"]]
        _tell_what_is_empty(path, without, layouts)
    models = texts[np.unique(names[:2])] if orders else ()
    words = {word_of(text) for text in texts[np.unique(winner)]}.difference(map(word_of, models)) if orders else set()
    for (name, used, *pair), seen in orders.items():
        said = ""
        if BESIDE.fullmatch(plain_name(name)):
            said = say_how_to_use_winners(name, used, seen, pair)
        elif plain_name(name) not in PAIRS and may_say_order(name, words):
            said = say_how_to_use_order(name, seen, pair[:2])
        if said:
            warn(f"{path}: {said}", RoleWarning)
    cast["preference"][by_scores] = np.where(is_second[by_scores], -1, 1) * np.array(differences)
    item = codes["item"]
    del (
        codes,
        a,
        b,
        others,
        lines,
        rows,
        kinds,
        firsts,
        is_second,
        by_scores,
        winner,
    )  # as large as the votes themselves
    several = any(plain_name(name) in PAIRS and len(seen) > 1 for (name, *_), seen in orders.items())
    return path, make_votes(item, items, texts, names, cast, digest), several


def _tell_what_is_empty(path: str, without: NDArray[np.bool_], layouts: list[_Layout]) -> None:
    """Warn of votes without a winner where none is a tie; AlpacaEval's may be without, as it writes 1.5 for a tie."""
    names = dict.fromkeys((name for _, _, name, _ in layouts if plain_name(name) != ALPACA), "tie")
    if names and without.any():
        found = (
            f"{without.sum():,} of {without.size:,} votes have no winner and none is a tie; took them as abstentions"
        )
        warn(f"{path}: {found}; if they are ties, pass FRAME.fillna({names})", RoleWarning)


def _say_how_to_write(
    codes: Mapping[str, NDArray[Any]], layouts: list[_Layout], texts: NDArray[Any], error: ReadError
) -> str:
    """How rows are passed whose column of winners holds unknown words, one of which an error names."""
    places = np.flatnonzero(codes["line"] == error.line)
    here = [layouts[at] for at in codes["layout"][places] if layouts[at][0] == error.path]
    name, second = next((name, second) for *_, name, second in here if f" field {name!r};" in error.problem)
    winner = codes[_WINNERS[second]]
    models = [winner == codes["a"], winner == codes["b"]]
    unsaid = texts[np.unique(winner[~(models[0] | models[1])])].tolist()
    known = {WORDS[word_of(text)][0] for text in unsaid if word_of(text) in WORDS}
    known |= {value for value, named in zip((1.0, -1.0), models, strict=True) if named.any()}
    unknown = sorted(text for text in unsaid if word_of(text) not in WORDS)
    return say_how_to_write_winners(name, unknown, texts[np.unique([codes["a"], codes["b"]])].tolist(), known)


def _lines(
    codes: Mapping[str, NDArray[Any]],
    places: IntArray,
    layouts: list[_Layout],
    items: NDArray[Any],
    texts: NDArray[Any],
) -> Iterator[_Line]:
    """The rows of the codes at some places."""
    for start in range(0, len(places), _AT_ONCE):
        part = places[start : start + _AT_ONCE]
        line, layout, item, *cells = (codes[field][part] for field in ("line", "layout", *_CODED))
        texts_of = zip(items[item], *(texts[cell] for cell in cells), strict=True)
        for number, place, row in zip(line.tolist(), layout.tolist(), texts_of, strict=True):
            path, fields, name, is_second = layouts[place]
            yield _Line(path, number, fields, name, is_second, dict(zip(_CODED, row, strict=True)))


def _refuse_words_that_are_models(models: Iterable[str], lines: Iterable[_Line]) -> None:
    """Refuse a word for an answer, such as A, that is a model of other rows, where it may be meant as the word."""
    names = {model.casefold() for model in models} & WORDS.keys() - {""}
    for line in lines if names else ():
        for text in (line.text["winner"], line.text["swapped"]):
            if word_of(text) in names and text not in (line.text["a"], line.text["b"]):
                problem = f"found {quote(text)}, a model of other rows, in field {line.name!r}, where it is no model"
                raise line.refuse(f"{problem}; {_NAME_WINNERS}")


def _find_doubtful(codes: Mapping[str, NDArray[Any]], texts: NDArray[Any]) -> tuple[int, str] | None:
    """The first row whose winner is one of its models by name, and a word for another result; None where some are sure.

    Such a winner in any row is a model's name that is no word. The second value says which field it is.
    """
    models = np.unique([codes["a"], codes["b"]])
    if not any(text.casefold() in WORDS for text in filter(None, texts[models].tolist())):
        return None
    words = [WORDS.get(word_of(text)) for text in texts.tolist()]
    meant = np.array([2.0 if word is None else word[0] for word in words])
    found = list[tuple[int, str]]()
    for field in _WINNERS:
        winner = codes[field]
        named = (texts != "")[winner] & ((winner == codes["a"]) | (winner == codes["b"]))
        if (named & (meant[winner] == 2)).any():
            return None
        other = named & (meant[winner] != np.where(winner == codes["a"], 1, -1))
        found += [(int(place), field) for place in np.flatnonzero(other)[:1]]
    return min(found, default=None)


_NAME_WINNERS = "write model_a, model_b and tie for winners, or rename the models"


def _read_rows(source: Any, judge: str) -> _Rows:
    """The rows of a source."""
    files = files_of(source, judge)
    path, _, digest = files[0]
    if len(files) > 1:
        digest = hashlib.sha256("".join(one for *_, one in files).encode()).hexdigest()
    layouts, texts = defaultdict[_Layout, int](count().__next__), defaultdict[str, int](count().__next__)
    items = Texts()  # they may all differ: in the dictionary they would take twice the memory
    differences, refused, orders = array("d"), list[ReadError](), defaultdict[tuple[str, ...], dict[str, None]](dict)
    kept = layouts, texts, items, differences, refused, orders
    rows = [_code_rows(path, found, judge, *kept) for path, found, _ in files]
    try:
        found = np.fromiter(chain.from_iterable(rows), _CODES)
    except ReadError:
        for _, records, _ in files:
            deque(records, 0)  # a line that is no JSON is told first
        raise
    del files, rows  # the cells of the files
    if not found.size:
        raise refused[0] if refused else ReadError(path, "has no votes; expected one row per vote")
    found["judge"][found["judge"] == texts[""]] = texts[str(judge)]
    codes = {field: found[field].astype(np.min_scalar_type(found[field].max(initial=0))) for field, _ in _CODES}
    del found
    codes["item"], names = pd.factorize(np.fromiter(_share(items), object, len(items)))
    return _Rows(path, digest, codes, list(layouts), names, np.array([*texts], object), differences, refused, orders)


def _share(cells: Iterable[str]) -> Iterator[str]:
    """The cells of a column, of which equal ones that are near each other are one object."""
    known: dict[str, str] = {}
    for cell in cells:
        if len(known) == _AT_ONCE:
            known.clear()
        yield known.setdefault(cell, cell)


def _code_rows(
    path: str,
    records: Iterable[tuple[int, Any]],
    judge: str,
    layouts: dict[_Layout, int],
    texts: dict[str, int],
    items: Texts,
    differences: array[float],
    refused: list[ReadError],
    orders: dict[tuple[str, ...], dict[str, None]],
) -> Iterator[tuple[int, ...]]:
    """The codes of records; those with the same fields as one before are not looked through again.

    Names of items are put into ``items``, to be numbered together; their codes are 0. Where scores decide, their
    difference is put into ``differences``; if one is none, the error is put into ``refused``, and no more is read.
    """
    known: dict[tuple[Any, ...], tuple[list[Any], list[int], bool, list[_Told]]] = {}
    for number, record in records:
        keys = tuple(record) if isinstance(record, Mapping) else ()
        for row in [record] if keys in known else as_rows(path, number, record, judge):
            if keys not in known:
                keys = tuple(row) if isinstance(row, Mapping) else ()
                fields, name = _fields(path, number, row, records)
                games = [(False, name)]
                if plain_name(name) == FIRST_GAME and "swapped" in fields:
                    games.append((True, str(fields["swapped"])))
                names = [fields.get(field, usual[0]) for field, usual in COLUMNS.items()]
                places = [layouts[path, frozenset(fields), called, game] for game, called in games]
                pair = [str(fields[field]) for field in ("a", "b", "item", "turn") if field in fields]
                known_names = {str(called) for called in fields.values()}
                models = [text_of(row[fields[field]]) for field in ("a", "b")]
                told: list[_Told] = [
                    (one, orders[one, name, *pair], () if BESIDE.fullmatch(plain_name(one)) else pair[:2])
                    for one in map(str, row)
                    if plain_name(one) in ORDERS | PAIRS
                    or (
                        one not in known_names
                        and name
                        and (
                            BESIDE.fullmatch(plain_name(one))
                            or not FIRST.isdisjoint(plain_name(one).split("_"))
                            or text_of(row.get(one)) in ("", *models)
                        )
                    )
                ]
                if name and (scored := find_scores_of_judges(one for one in map(str, row) if one not in known_names)):
                    warn(f"{path}: {say_how_to_use_scores(scored, name, pair)}", RoleWarning)
                known[keys] = names, places, fields.keys() >= {*SCORES}, told
            names, places, has_scores, told = known[keys]
            item, *scores, a, b, winner, swapped, who, turn = map(text_of, map(row.get, names))
            for one, seen, sides in told:
                if len(seen) < MOST_OF_ORDER:
                    text = text_of(row.get(one))[:LONGEST_NAME]
                    seen.setdefault(sides[text == b] if sides and text in (a, b) else text)
            if max(map(len, (a, b, winner, swapped, who, turn))) > LONGEST_NAME:
                found = quote(max((a, b, winner, swapped, who, turn), key=len))
                problem = f"found {found}, which has more than {LONGEST_NAME:,} characters"
                raise ReadError(path, f"{problem}, where a name stands; leave out columns of texts", line=number)
            codes = [texts[cell] for cell in (a, b, winner, swapped, who, turn)]
            if len(texts) > MOST_NAMES:
                problem = f"has more than {MOST_NAMES:,} different names of models, judges and winners"
                raise ReadError(path, f"{problem}; see whether a column of texts or scores is called as one of names")
            for place, text in zip(places, (winner, swapped), strict=False):
                if has_scores and not text:
                    try:
                        differences.append(_difference(path, number, scores))
                    except ReadError as error:
                        refused.append(error)
                        deque(records, 0)  # a line that is no JSON is told first
                        return
                items.append(item)
                yield number, place, 0, *codes


def _fields(path: str, number: int, record: Any, rest: Iterable[tuple[int, Any]] = ()) -> tuple[dict[str, Any], str]:
    """The names that a row has for the fields of `COLUMNS`, and the name of that of the winner."""
    if not isinstance(record, Mapping):
        raise InputError(f"source: must be a list of dicts, found {type(record).__name__} at place {number}")
    named = usual_names(record)
    if lacking := [field for field in ("item", "a", "b") if field not in named]:
        problem = f"has no field {' or '.join(COLUMNS[lacking[0]][:3])}; found: {known_names(map(str, record))}"
        first = [record, *(one for _, one in islice(rest, MOST_ROWS) if isinstance(one, Mapping))]
        raise ReadError(path, problem + say_how_to_rename(named, first), line=number)
    if "winner" not in named and not named.keys() >= {*SCORES}:
        problem = "has neither a field winner or preference nor both score_a and score_b"
        told = say_how_to_name_winners(record, named, (one for _, one in rest))
        raise ReadError(path, f"{problem}; found: {known_names(map(str, record))}; {told}", line=number)
    return named, str(named.get("winner", ""))


def _vote_of(line: _Line) -> VoteRow:
    """The vote of a row."""
    item, a, b = (line.text[field] for field in ("item", "a", "b"))
    for field, name in (("item", item), ("a", a), ("b", b)):
        if not name:
            raise line.refuse(f"found an empty name in field {COLUMNS[field][0]!r}; expected a name")
    if a == b:
        raise line.refuse(f"compares {quote(a)} with itself; expected two different models")
    turn, (preference, tie) = _turn(line), _winner(line, line.text[_WINNERS[line.is_second]], a, b)
    vote = VoteRow(item, a, b, preference, line.text["judge"], turn, tie, plain_name(line.name) != ALPACA)
    return vote._replace(a=b, b=a, preference=-preference) if line.is_second else vote


def _turn(line: _Line) -> int:
    """The number of a turn, 0 for none."""
    text = line.text["turn"].removesuffix(".0")
    if text and not (text.isascii() and text.isdigit() and len(text) < 10):
        raise line.refuse(f"found {quote(text)} in field 'turn'; expected a whole number")
    return int(text or 0)


def _winner(line: _Line, text: str, a: str, b: str) -> tuple[float, str]:
    """The preference for a, and what is said of a tie."""
    if not text and line.fields >= {*SCORES}:
        return math.nan, ""  # the difference of the scores of each row
    if text in (a, b):
        return (1.0 if text == a else -1.0), ""
    word = word_of(text)
    if word in WORDS:
        return WORDS[word]
    if plain_name(line.name) == ALPACA:
        return _alpaca(line, text), ""
    problem = f"found {quote(text)} in field {line.name!r}; expected {_EXPECTED}"
    raise _UnknownWinnerError(line.path, problem, line=line.line)


class _UnknownWinnerError(ReadError):
    """A winner that is no word and no model of the row."""


def _alpaca(line: _Line, text: str) -> float:
    """AlpacaEval's preference, from 1 for the first answer to 2 for the second; 0 was a tie in its first version."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or not (1 <= value <= 2 or value == 0):
        problem = f"found {quote(text)} in field {line.name!r}; expected 1, 2, 1.5 for a tie, or a number between"
        raise _UnknownWinnerError(line.path, problem, line=line.line)
    return float(3 - 2 * value) if value else 0.0


_SHORT = re.compile(r"-?\d{1,9}(\.\d{1,9})?(e[-+]?\d{1,2})?", re.ASCII | re.IGNORECASE)


def _difference(path: str, line: int, scores: Iterable[str]) -> float:
    """The first score less the second one; NaN where one is missing."""
    return difference(*(_number(path, line, *named) for named in zip(SCORES, scores, strict=True)))


def _number(path: str, line: int, field: str, text: str) -> float:
    """A score; NaN where it is missing."""
    if _SHORT.fullmatch(text):
        return float(text) + 0.0  # the usual case: a third of the time; -0 is 0
    return float(parse_scores([text.casefold()], [line], path, missing=ABSTENTIONS, column=field)[0])
