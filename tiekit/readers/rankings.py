"""How are WMT's relative rankings read? One set of five ranked translations per line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from tiekit.errors import ReadError
from tiekit.names import known_names
from tiekit.readers._delimited import one_file, read_rows
from tiekit.readers._text import Files, quoted

if TYPE_CHECKING:
    from tiekit.judgments.rankings import Rankings

PLACES = range(1, 6)
LABELS = ("srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId")
HEADER = (
    *LABELS,
    *(f"system{place}{what}" for place in PLACES for what in ("Number", "Id")),
    *(f"system{place}rank" for place in PLACES),
)
"""The columns of the files of WMT 2008–2014, and of later files in the same format."""

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
        file and line.
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
    file, files = one_file("path", path, "file of rankings"), Files({})
    rows = _rows(file.path, files.text(file))
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
    from tiekit.judgments.rankings import build_rankings

    return build_rankings(
        pairs_of,
        segments,
        judges,
        np.array(names, object).reshape(shape),
        np.array(numbers, np.int64).reshape(shape),
        skipped={reason: number for reason, number in skipped.items() if number},
        digest=files.digest,
    )


def _rows(path: str, text: str) -> list[tuple[int, list[str]]]:
    """Line number and cells (languages, segment, judge, five systems, five ranks) of every line below the header."""
    delimiter = "\t" if "\t" in text.lstrip("\n").partition("\n")[0] else ","
    rows: list[tuple[int, list[str]]] = []
    order: list[int] = []
    width = 0
    for line, row in read_rows(path, text, delimiter):
        if not order:
            order, width = _order(path, line, [cell.strip() for cell in row]), len(row)
        elif len(row) != width:
            raise ReadError(path, f"found {len(row)} cells, expected {width} as in the header", line=line)
        else:
            rows.append((line, [row[place].strip() for place in order]))
    if not rows:
        raise ReadError(path, "has a header and no rows; expected one line per ranked set", line=1)
    return rows


def _order(path: str, line: int, header: Sequence[str]) -> list[int]:
    """The positions of the wanted columns."""
    needed = ("srclang", "trglang", "srcIndex", "judgeId")
    wanted = (*needed, *(f"system{place}Id" for place in PLACES), *(f"system{place}rank" for place in PLACES))
    for name in wanted:
        if header.count(name) != 1:
            problem = "occurs twice" if name in header else "is missing"
            expected = "expected the header of WMT's rankings, srclang,trglang,srcIndex,…,system5rank"
            raise ReadError(path, f"column {name!r} {problem} in {quoted(','.join(header))}; {expected}", line=line)
    return [header.index(name) for name in wanted]


def _check(path: str, line: int, row: Sequence[str]) -> tuple[Sequence[str], list[int]]:
    """The systems and ranks of a line, checked."""
    systems, ranks = row[4:9], row[9:]
    for name, cell in zip(("srclang", "trglang", "srcIndex", "judgeId"), row, strict=False):
        if not cell:
            raise ReadError(path, f"found an empty cell in column {name!r}; expected a name", line=line)
    for place, system in enumerate(systems):
        if not system or system in systems[:place]:
            problem = f"found {quoted(system)} again" if system else "found an empty cell"
            column = f"system{place + 1}Id"
            raise ReadError(path, f"{problem} in column {column!r}; expected five different systems", line=line)
    for place, rank in zip(PLACES, ranks, strict=True):
        if rank not in _RANKS:
            problem = f"{quoted(rank)} in column 'system{place}rank' is not a rank"
            raise ReadError(path, f"{problem}; expected 1 to 5, or -1 where it was left blank", line=line)
    return systems, [_RANKS[rank] for rank in ranks]
