"""How are WMT's relative rankings read? One set of five ranked translations per line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, combinations, compress
from pathlib import Path

import numpy as np

from tiekit.base.errors import InputError, ReadError, quote
from tiekit.base.names import find_name, known_names
from tiekit.base.validation import FloatArray
from tiekit.judgments.rankings import Rankings, build_rankings
from tiekit.readers import ColumnLayout, Table, TextFile, choose, open_rows, read_columns, read_text

PLACES = range(1, 6)
NEEDED = ("srclang", "trglang", "srcIndex", "judgeId")
HEADER = (
    *("srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"),
    *(f"system{place}{what}" for place in PLACES for what in ("Number", "Id")),
    *(f"system{place}rank" for place in PLACES),
)
"""The columns of the files of WMT 2008–2014, and of later files in the same format."""

MOST_PAIRS = 100
"""Maximum number of language pairs of a file."""

MOST_SYSTEMS = 2_000
"""Maximum number of systems of a file: each may be compared with each other one."""

MOST_CELLS, MOST_CELLS_OF_PAIR = 20_000_000, 2_000_000
"""Maximum number of systems × segments of a file, and of one of its language pairs."""

LONGEST_NAME = 500
"""Maximum number of characters of the name of a judge, a system, a segment or a language pair."""

MOST_TRIPLES = 20_000_000
"""Maximum number of times that a translation is judged beside two others of its segment."""

OTHER_LANGUAGES = "another language pair"
TOO_FEW = "fewer than two ranks"
_RANKS = {str(rank): rank for rank in (-1, *PLACES)}


def read_rankings(
    path: str | Path | Mapping[str, bytes], *, source: str | None = None, target: str | None = None
) -> Rankings:
    """Read relative rankings as WMT published them from 2008 on.

    A file has a header, then one set of five ranked systems per line. Columns may have any order; commas or tabs
    separate them. A rank of -1 was left blank by the judge: that translation is left out and counted (``n_blank``), the
    others of its set remain. Lines in other languages than asked for and lines with fewer than two ranks are skipped
    and counted (``skipped``). Anything else that breaks the format is an error.

    Parameters
    ----------
    path : path, or mapping of one name to bytes
        The file.
    source, target : str, optional
        Languages as the file names them, such as French; None reads all.

    Returns
    -------
    Rankings
        Segments are named by ``srcIndex``.

    Raises
    ------
    ReadError
        For an unknown header, a line with too few or too many cells, a rank other than 1 to 5 and -1, a missing or
        repeated system, an empty name of a language, segment or judge, or languages that no line has; the message names
        file and line. For more than 100 language pairs, 2,000 systems, 20 million cells (systems × segments; 2 million
        of one language pair) or 20 million triples of translations, which would take memory or minutes.
    InputError
        For several files.

    References
    ----------
    Bojar et al. (2013), Findings of WMT13, aclanthology.org/W13-2201.

    Examples
    --------
    >>> systems = ",".join(f"{place},{name}" for place, name in enumerate("ABCDE"))
    >>> file = f"{','.join(HEADER)}\\nFrench,English,7,-1,7,ann,{systems},1,2,2,-1,5\\n"
    >>> rankings = read_rankings({"wmt13.csv": file.encode()})
    >>> rankings.language_pairs, rankings.n_sets, rankings.n_blank, rankings.preferences().n_judgments
    (('French-English',), 1, 1, 5)
    """
    file = read_text(path, "file of rankings", "path")
    rows = _rows(file)
    skipped: Counter[str] = Counter()
    found: set[tuple[str, str]] = set()
    sets = []
    for line, row in rows:
        languages = row[0], row[1]
        found.add(languages)
        systems, ranks = _check(file.path, line, row)
        if (source not in (None, languages[0])) or (target not in (None, languages[1])):
            skipped[OTHER_LANGUAGES] += 1
        elif sum(rank > 0 for rank in ranks) < 2:
            skipped[TOO_FEW] += 1
        else:
            sets.append(("-".join(languages), row[2], row[3], systems, ranks))
    if skipped[OTHER_LANGUAGES] == len(rows):
        pairs = known_names(sorted("-".join(languages) for languages in found))
        raise ReadError(
            file.path, f"has no line from {source or 'any language'} to {target or 'any language'}; found: {pairs}"
        )
    pairs_of, segments, judges, names, numbers = zip(*sets, strict=True) if sets else ((),) * 5
    shape = (len(sets), len(PLACES))
    rankings = build_rankings(
        pairs_of,
        segments,
        judges,
        np.array(names, object).reshape(shape),
        np.array(numbers, np.int64).reshape(shape),
        skipped={reason: number for reason, number in skipped.items() if number},
        digest=file.digest,
    )
    return check_amounts(file.path, rankings)


def check_amounts(path: str, rankings: Rankings) -> Rankings:
    """Refuse what would take far more room, or time, than the file: all is counted before anything is laid out."""
    n_pairs, n_systems, n_segments = (
        len(names) for names in (rankings.language_pairs, rankings.systems, rankings.segments)
    )
    names = rankings.language_pairs, rankings.systems, rankings.judges, rankings.segments
    longest = max(chain.from_iterable(names), key=len, default="")
    if len(longest) > LONGEST_NAME:
        problem = f"found {quote(longest)}, which has {len(longest):,} characters, where a name stands"
        raise ReadError(path, f"{problem}; the limit is {LONGEST_NAME:,}; see whether a column of texts is called so")
    of_set = np.broadcast_to(rankings.pair_of_segment[rankings.segment][:, None], rankings.system.shape)
    named = rankings.system >= 0
    own = np.unique(of_set[named] * n_systems + rankings.system[named]) // max(n_systems, 1)
    systems, segments = (np.bincount(each, minlength=n_pairs) for each in (own, rankings.pair_of_segment))
    largest = int(np.argmax(systems * segments)) if n_pairs else 0
    of_pair = f"{systems[largest]:,} systems × {segments[largest]:,} segments" if n_pairs else ""
    for found, what, limit in (
        (n_pairs, "language pairs", MOST_PAIRS),
        (n_systems, "systems", MOST_SYSTEMS),
        (n_systems * n_segments, f"cells, {n_systems:,} systems × {n_segments:,} segments", MOST_CELLS),
        (int((systems * segments).max(initial=0)), f"cells of one language pair, {of_pair}", MOST_CELLS_OF_PAIR),
        (_count_triples(rankings), "triples of translations", MOST_TRIPLES),
    ):
        if found > limit:
            advice = "split it, by language pair or segment, or make Rankings.from_rows in Python"
            raise ReadError(path, f"has {found:,} {what}; the limit is {limit:,}; {advice}")
    return rankings


def _count_triples(rankings: Rankings) -> int:
    """The number of times that a translation is judged beside two later ones of its segment."""
    n = max(len(rankings.systems), 1)
    ranked = np.where(rankings.rank < 0, -1, rankings.system)
    keys = [np.full(1, -1, np.int64)]
    for one, other in combinations(ranked.T, 2):
        there = (one >= 0) & (other >= 0)
        first, second = (pick(one[there], other[there]) for pick in (np.minimum, np.maximum))
        keys.append((rankings.segment[there] * n + first) * n + second)
    ordered = np.sort(np.concatenate(keys))
    first = ordered[1:][np.diff(ordered) > 0] // n
    beside = np.diff(np.flatnonzero(np.diff(first, prepend=-1, append=-1)))
    return int((beside * (beside - 1) // 2).sum())


def _rows(file: TextFile) -> list[tuple[int, Sequence[str]]]:
    """Line number and cells (languages, segment, judge, five systems, five ranks) of every line below the header."""
    wanted = (*NEEDED, *(f"system{place}Id" for place in PLACES), *(f"system{place}rank" for place in PLACES))
    table = read_columns(file)
    for name in wanted:
        if name.casefold() not in table.columns:
            problem = f"column {name!r} is missing in {quote(','.join(table.columns))}"
            expected = "expected the header of WMT's rankings, srclang,trglang,srcIndex,…,system5rank"
            raise ReadError(file.path, f"{problem}; {expected}", line=1)
    cells = zip(*(map(str.strip, table.cells(name.casefold())) for name in wanted), strict=True)
    return list(zip(table.lines, cells, strict=True))


def _check(path: str, line: int, row: Sequence[str]) -> tuple[Sequence[str], list[int]]:
    """The systems and ranks of a line, checked."""
    systems, ranks = row[4:9], row[9:]
    for name, cell in zip(NEEDED, row, strict=False):
        if not cell:
            raise ReadError(path, f"found an empty cell in column {name!r}; expected a name", line=line)
    for place, system in enumerate(systems):
        if not system or system in systems[:place]:
            problem = f"found {quote(system)} again" if system else "found an empty cell"
            column = f"system{place + 1}Id"
            raise ReadError(path, f"{problem} in column {column!r}; expected five different systems", line=line)
    for place, rank in zip(PLACES, ranks, strict=True):
        if rank not in _RANKS:
            problem = f"{quote(rank)} in column 'system{place}rank' is not a rank"
            raise ReadError(path, f"{problem}; expected 1 to 5, or -1 where it was left blank", line=line)
    return systems, [_RANKS[rank] for rank in ranks]


DARR = ColumnLayout(("LP", "DATA", "SID", "BETTER", "WORSE"))
WITH_DIFFERENCE = ColumnLayout((*DARR.names, "6"), header=DARR.names)
TEXTS = {"src", "ref", "pos", "neg"}
"""Columns of the files that COMET is trained on."""

DARR_LANGUAGES, OTHER_TESTSET, CLOSE = "another language pair", "another test set", "a smaller difference"


def read_darr(
    source: str | Path | Mapping[str, bytes],
    *,
    language_pair: str | None = None,
    testset: str | None = None,
    threshold: float = 25.0,
) -> Rankings:
    """Read judgments that WMT made of direct assessments from 2017 to 2020 (daRR): a better and a worse translation.

    The header is ``LP DATA SID BETTER WORSE``; blanks separate the cells of a line. A sixth column is the difference of
    the two assessments. What is left out is counted (``skipped``).

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file, such as ``DArr-seglevel.csv``.
    language_pair : str, optional
        The pair to read; None reads all.
    testset : str, optional
        The test set to read, where the file holds several (its column ``DATA``).
    threshold : float
        Lines with a smaller difference than this are left out. Without a sixth column nothing is: files were made
        with 25.

    Returns
    -------
    Rankings
        One set of two translations per line, with the ranks 1 and 2. There is one judge, named ``DA``; segments are
        named as the file does. It goes into every function of `tiekit.judgments`, such as ``attainable``.

    Raises
    ------
    ReadError
        For another header, lines of another number of cells, a system that is better than itself, a difference that is
        no number or negative, and files of texts without systems; the message names file and line. For too much, as
        `read_rankings`.
    InputError
        For a language pair or test set that the file does not have, and where there are several test sets and none is
        chosen.

    References
    ----------
    Ma et al. (2018), Results of the WMT18 Metrics Shared Task, aclanthology.org/W18-6450.

    Examples
    --------
    >>> lines = b"LP DATA SID BETTER WORSE\\nen-de set d.1_3 A B\\nen-de set d.1_3 A C\\n"
    >>> rankings = read_darr({"DArr-seglevel.csv": lines})
    >>> rankings.systems, rankings.n_sets, rankings.preferences().n_judgments
    (('A', 'B', 'C'), 2, 2)
    """
    if isinstance(threshold, bool) or not isinstance(threshold, (int, float)) or not 0 <= threshold < np.inf:
        raise InputError(f"threshold: must be a number of at least 0, found {threshold!r}")
    rows = open_rows(source, "file of judgments", None)
    head = rows.head()
    if {*head[0][0].lower().split(",")} >= TEXTS:
        problem = "holds texts and does not say which systems wrote them (lp,src,ref,pos,neg)"
        advice = "read DArr-seglevel.csv of the same year, which names the systems"
        raise ReadError(rows.path, f"{problem}; {advice}", line=rows.begin)
    table = rows.table(WITH_DIFFERENCE if len(head) > 1 and len(head[1]) == 6 else DARR)
    columns = {name: table.cells(name) for name in table.columns}
    difference = _differences(table) if "6" in columns else np.full(len(table.lines), np.inf)
    testset = choose("testset", testset, columns["DATA"], rows.path)
    if language_pair is not None:
        language_pair = find_name("language_pair", language_pair, set(columns["LP"]))
    languages, sets = (np.array(list(columns[name]), object) for name in ("LP", "DATA"))
    others = np.zeros(languages.size, bool) if language_pair is None else languages != language_pair
    wrong = [sets != testset, others, difference < threshold]
    reasons = np.select(wrong, [OTHER_TESTSET, DARR_LANGUAGES, CLOSE], "").tolist()
    kept = [not reason for reason in reasons]
    pairs, segments, better, worse = (list(compress(columns[name], kept)) for name in ("LP", "SID", "BETTER", "WORSE"))
    for line, first, second in zip(compress(table.lines, kept), better, worse, strict=True):
        if first == second:
            problem = f"found {quote(first)} as BETTER and as WORSE; expected two different systems"
            raise ReadError(rows.path, f"{problem}; delete the line", line=line)
    rankings = build_rankings(
        pairs,
        segments,
        ["DA"] * len(pairs),
        np.array([better, worse], object).T,
        np.tile(np.array([1, 2], np.int64), (len(pairs), 1)),
        skipped=dict(Counter(filter(None, reasons))),
        digest=rows.digest,
    )
    return check_amounts(rows.path, rankings)


def _differences(table: Table) -> FloatArray:
    """The differences of the assessments, none of which is negative."""
    found = table.numbers("6", missing=frozenset())
    if (found < 0).any():
        place = int(np.argmax(found < 0))
        problem = f"found the difference {table.cells('6')[place]}; expected that of BETTER and WORSE, not negative"
        raise ReadError(table.path, f"{problem}; exchange the two systems", line=table.lines[place])
    return found
