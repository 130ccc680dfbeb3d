"""How do WMT's MQM ratings and averages over raters become scores? One error per line, or one system and segment."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from tiekit.base.errors import InputError, ReadError, RoleWarning, quote, warn
from tiekit.base.names import ALIASES, count_different, plain_name
from tiekit.readers._cells import Aggregate, count_rows, join_names, lay_out, number_labels
from tiekit.readers._columns import ColumnLayout, Rows, Table, Texts, delimiter_of, head_line, open_rows
from tiekit.readers._numbers import number_like
from tiekit.readers._questions import Format
from tiekit.readers._score_names import PERSONS
from tiekit.readers._source import HEAD
from tiekit.readers._table import open_table
from tiekit.sets.evalset import EvalSet

LAYOUTS = tuple(
    ColumnLayout(
        ("system", "document", "place", "segment", "rater", "source", "target", "category", "severity"),
        header=("system", *names, "rater", "source", "target", "category", "severity"),
        delimiter="\t",
        most=100,
    )
    for names in (("doc", "doc_id", "seg_id"), ("doc", "docSegId", "globalSegId"))
)
"""The columns of the files of 2020–2022, and of those from 2023 on."""

CONVERTER: Mapping[str, float] = MappingProxyType(
    {"major": 5, "minor": 1, "neutral": 0, "major/non-translation!": 25, "minor/fluency/punctuation": 0.1}
)
"""Weights of the published averages."""

NO_ERROR = ("", "no-error", "neutral")

_TESTS = ("hotw_test",)
"""Severities of lines that tested the raters' attention."""

WMT24: Mapping[str, float] = MappingProxyType(
    {
        **dict.fromkeys(NO_ERROR, 0),
        **{"minor": 1, "major": 5, "critical": 5, "minor/fluency/punctuation": 0.1},
        **{f"{severity}/non-translation!": 25 for severity in ("minor", "major", "critical")},
        **{f"{s}/{kind}": 0 for s in ("minor", "major", "critical") for kind in ("source issue", "reinterpretation")},
    }
)
"""Weights of WMT 2024's general task, which knows no other severity."""

WEIGHTS: Mapping[str, Mapping[str, float]] = MappingProxyType({"converter": CONVERTER, "wmt24": WMT24})
"""Weights by name."""


def read_mqm_ratings(
    source: str | Path | Mapping[str, bytes],
    *,
    weights: str | Mapping[str, float] = "converter",
    language_pair: str = "",
    by_rater: bool = False,
) -> EvalSet:
    """Read MQM ratings, one error per line, and turn them into scores.

    The header of 2020–2022 is ``system doc doc_id seg_id rater source target category severity`` with or without a
    comment; from 2023 on, ``docSegId`` and ``globalSegId`` stand in the third and fourth place, and metadata at the
    end. Tabs separate the cells, quotation marks mean themselves; CSV and JSON with these names of columns are read as
    well, and tables of one's own that name system, segment, rater and severity, and perhaps document and category. A
    line of the severity ``No-error``, or of none, says that a rater found nothing.

    A rater's score of a segment is the sum of the weights of the errors; the score is the mean over the raters,
    negated, so that higher is better. The weight of an error is that of the longest of
    ``severity/category/subcategory``, ``severity/category`` and ``severity`` that has one; case is ignored.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file, such as ``mqm_ted_ende.tsv``.
    weights : {"converter", "wmt24"} or mapping of str to float
        ``converter`` gives the published averages: major 5, minor 1, minor punctuation 0.1, major non-translation 25,
        all else 0. ``wmt24`` is the rule of WMT 2024's general task: critical is 5 as well, a non-translation 25 in any
        severity, a source issue or reinterpretation 0, and an unknown severity is an error. Own weights have keys such
        as ``major`` and ``minor/fluency/punctuation``; what has none counts 0.
    language_pair : str
        The file does not name it.
    by_rater : bool
        Whether each rater's scores are kept too, as human scores ``mqm-RATER``; see `tiekit.humans.split_raters`.

    Returns
    -------
    EvalSet
        The human score ``mqm`` and no metric. Segments are named by ``seg_id`` or ``globalSegId``; where a number
        stands in several documents it counts within its document, and the name is ``DOCUMENT:NUMBER``. Notes tell
        how many raters there are, which severities count 0, and whether the canary segment of 2024 was left out.

    Raises
    ------
    ReadError
        For another header, a line that is too short, or an unknown severity under ``wmt24``; the message names file and
        line.
    InputError
        For weights that are none.

    Warns
    -----
    RoleWarning
        For a severity that has no weight by ``converter``, and counts 0.

    References
    ----------
    github google/wmt-mqm-human-evaluation, google-research/mt-metrics-eval (converter) and
    wmt-conference/wmt24-news-systems; Freitag et al. (2021), doi:10.1162/tacl_a_00437.

    Examples
    --------
    >>> header = "system\\tdoc\\tdoc_id\\tseg_id\\trater\\tsource\\ttarget\\tcategory\\tseverity\\n"
    >>> first, second = "A d 1 1 r1 s t Style/Awkward Major", "A d 1 1 r2 s t No-error No-error"
    >>> lines = f"{first}\\n{second}\\n".replace(" ", "\\t")
    >>> read_mqm_ratings({"mqm.tsv": (header + lines).encode()}).human["mqm"].tolist()
    [[-2.5]]
    """
    table, strict = _weights(weights)
    lines = open_rows(source, "file of ratings", "\t")
    first = next(iter(lines))[1]
    every = _by_name(source, lines) or lines.table(next((one for one in LAYOUTS if one.begins(first)), LAYOUTS[0]))
    part = every.keep([document.strip().casefold() != "canary" for document in every.cells("document")])
    if not part.lines:
        raise ReadError(part.path, "has a header and no rows that count; expected one line per error", line=1)
    canary = len(every.lines) - len(part.lines)
    columns = {name: part.cells(name) for name in part.columns}
    numbered = _segments(columns)
    unknown: Counter[str] = Counter()

    def each_weight() -> Iterator[float]:
        """The weight of each line."""
        for line, severity, category in zip(part.lines, columns["severity"], columns["category"], strict=True):
            weight = _weight(table, severity, category)
            if weight is None and strict:
                problem = f"the severity {quote(severity)} has no weight in WMT 2024's rule"
                raise ReadError(part.path, f'{problem}; pass weights="converter", or weights of your own', line=line)
            if weight is None and severity.strip().casefold() not in NO_ERROR:
                unknown[severity] += 1
            yield weight or 0.0

    errors = np.fromiter(each_weight(), np.float64, len(part.lines))
    every_line = lay_out(part.path, columns["system"], numbered, part.lines, aggregate="mean")
    of_segment = np.zeros(len(every_line.segments), np.int64)
    codes, names = number_labels(columns["document"])
    of_segment[every_line.columns] = codes
    codes, raters = number_labels(columns["rater"])
    _, first, places = np.unique(every_line.places * len(raters) + codes, return_index=True, return_inverse=True)
    order = np.argsort(first)
    first = first[order]
    cells = replace(every_line, places=every_line.places[first])
    several = int((cells.raters > 1).sum())
    rule = weights if isinstance(weights, str) else "own weights"
    unweighted = []
    for name, number in unknown.most_common(3):
        found = f"the severity {quote(name)} counts 0 ({number:,} lines)"
        if plain_name(name) not in _TESTS and isinstance(weights, str):
            more = ", or weights='wmt24', by which it is 5" * (name.strip().casefold() in WMT24)
            example = f"weights={{'major': 5, 'minor': 1, {name.strip().casefold()[:40]!r}: 5}}"
            found += f", as what is no error; if it is one, pass such as {example}{more}"
            warn(f"{part.path}: {found}", RoleWarning)
        unweighted.append(f"{found[:1].upper()}{found[1:]}.")
    notes = [
        f"MQM ratings of {len(raters)} raters, weighted by {rule} and negated.",
        *[f"{several:,} cells have several raters (up to {cells.raters.max()}): their mean is used."] * (several > 0),
        *unweighted,
        *["Segments are counted within their documents."] * (numbered is not columns["segment"]),
        *[f"The canary segment was left out ({canary:,} lines)."] * (canary > 0),
    ]
    each = [raters[code] for code in codes[first].tolist()] if by_rater else ()
    sums = np.asarray(np.bincount(places, weights=errors)[order], np.float64)
    human = cells.with_raters("mqm", -sums, each)
    documents = tuple(names[code] for code in of_segment.tolist()) if any(names) else ()
    return cells.evalset(part, human, {}, pair=language_pair, documents=documents, gold="mqm", notes=tuple(notes))


def _names_in(head: bytes) -> list[str]:
    """The names of columns in the first line of a table, or of the fields of the first object in JSON."""
    if head.startswith((b"{", b"[")):
        return re.findall(r'"([^"\\]+)"\s*:', head.decode("utf-8", "replace"))
    first = head_line(head)
    return [name.strip().strip('"') for name in first.split(delimiter_of(first))]


def _layout_of(names: Iterable[str]) -> ColumnLayout | None:
    """The layout whose columns are all there, in whatever order and beside others."""
    known = {name.casefold() for name in names}
    return next((one for one in LAYOUTS if known.issuperset(map(str.casefold, one.first_line))), None)


_OWN: Mapping[str, Callable[[str], object]] = {
    **{kind: ALIASES[kind].__contains__ for kind in ("system", "document", "segment")},
    "rater": PERSONS.fullmatch,
    "category": re.compile(r"(error_?|mqm_?)?(category|type)|error").fullmatch,
    "severity": re.compile(r"(error_?|mqm_?)?severity").fullmatch,
}
"""What the columns of a table of one's own are called; `LAYOUTS` has the names on the left."""


def own_columns(columns: Iterable[str]) -> dict[str, str]:
    """The columns of ratings in a table of one's own, by their names in `LAYOUTS`; empty where one is lacking."""
    plain = {plain_name(name): name for name in columns}
    found = {kind: name for kind, is_it in _OWN.items() for one, name in plain.items() if is_it(one)}
    return found if found.keys() >= {"system", "segment", "rater", "severity"} else {}


def _by_name(source: str | Path | Mapping[str, bytes], lines: Rows) -> Table | None:
    """The columns of ratings that were saved as CSV or JSON, with further columns, or under names of one's own."""
    names = _names_in(lines.text[:HEAD].lstrip().encode())
    layout = _layout_of(names)
    if layout.begins(next(iter(lines))[1]) if layout else not own_columns(names):
        return None
    table = open_table(source)
    found = own_columns(table.columns)
    if layout:
        found = dict(zip(layout.names, table.find_columns("source", layout.first_line), strict=True))
    empty = Texts([""] * len(table.lines))
    return replace(
        table, columns={name: table.cells(found[name]) if name in found else empty for name in LAYOUTS[0].names}
    )


def _segments(columns: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """The name of each line's segment, with its document where one number stands in several."""
    numbers, documents = columns["segment"], columns["document"]
    if count_rows(numbers, documents) == count_different(numbers):
        return numbers
    return join_names(documents, numbers)


def _weights(weights: str | Mapping[str, float]) -> tuple[Mapping[str, float], bool]:
    """The weights by key in lower case, and whether an unknown severity is an error."""
    if isinstance(weights, str):
        if weights not in WEIGHTS:
            raise InputError(f"weights: must be one of {', '.join(WEIGHTS)} or a mapping, found {weights!r}")
        return WEIGHTS[weights], weights == "wmt24"
    if not isinstance(weights, Mapping) or not all(isinstance(key, str) for key in weights):
        raise InputError(f"weights: must be a name or a mapping of severities to numbers, found {weights!r}")
    for key, value in weights.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < 1e100:
            raise InputError(f"weights: {key!r} must have a finite number, found {value!r}")
    return {key.strip().casefold(): float(value) for key, value in weights.items()}, False


def _weight(table: Mapping[str, float], severity: str, category: str) -> float | None:
    """The weight of the most specific key; None where there is none."""
    severity, (kind, _, more) = severity.strip().casefold(), category.strip().casefold().partition("/")
    for key in (f"{severity}/{kind}/{more.partition('/')[0]}", f"{severity}/{kind}", severity):
        if key in table:
            return table[key]
    return None


DA = ColumnLayout(("SYS", "SID", "RAW.SCR", "Z.SCR", "N"))
MQM = ColumnLayout(("system", "mqm_avg_score", "seg_id"))
MQM_CONVERTED = ColumnLayout(("system", "document", "place", "mqm_avg_score"), header=(), most=100)
"""How lines begin that a converter of ratings wrote; each rater's score follows."""

_PAIR = re.compile(r"ad-seg-scores-([a-z]{2,3}-[a-z]{2,3})", re.ASCII)


def read_da_averages(
    source: str | Path | Mapping[str, bytes], *, language_pair: str | None = None, aggregate: Aggregate = "error"
) -> EvalSet:
    """Read direct assessments that were averaged over raters, as WMT published them for each language pair.

    The header is ``SYS SID RAW.SCR Z.SCR N``; blanks separate the cells of a line. ``SID`` is DOCUMENT_NUMBER, where
    the last underscore divides and the number counts from 0. ``RAW.SCR`` is on the scale of 0 to 100; ``Z.SCR`` was
    standardized for each rater, and WMT ranked systems by it. ``N`` is the number of assessments.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file, such as ``ad-seg-scores-en-de.csv``.
    language_pair : str, optional
        None: the one in the name of the file.
    aggregate : {"error", "mean", "median", "sum"}
        What is done with several lines of one system and segment.

    Returns
    -------
    EvalSet
        The human scores ``da`` and ``da-z`` (the gold score) and no metric. Segments are named ``DOCUMENT:NUMBER`` and
        counted from 1, as `read_submission` names those of 2020.

    Raises
    ------
    ReadError
        For another header, lines without five cells, a SID without a number, what is no number, and cells that come
        twice; the message names file and line.

    References
    ----------
    Barrault et al. (2020), Findings of WMT20, aclanthology.org/2020.wmt-1.1; github WMT-Metrics-task/wmt20-metrics.

    Examples
    --------
    >>> data = read_da_averages({"ad-seg-scores-en-de.csv": b"SYS SID RAW.SCR Z.SCR N \\nA news.7_0 71.5 -0.25 2 \\n"})
    >>> data.language_pair, data.segments, data.human["da"].tolist(), data.human["da-z"].tolist()
    ('en-de', ('news.7:1',), [[71.5]], [[-0.25]])
    """
    table = open_rows(source, "file of averages", None).table(DA)
    places = [_place(table, line, sid) for line, sid in zip(table.lines, table.cells("SID"), strict=True)]
    segments = join_names(*zip(*places, strict=True))
    cells = lay_out(table.path, table.cells("SYS"), segments, table.lines, aggregate=aggregate, columns=2)
    pair = _PAIR.match(Path(table.path).name)
    number = table.numbers("N", missing=frozenset())
    of_cell = f"{int(number.min())} to {int(number.max())}"
    return cells.evalset(
        table,
        {
            "da": cells.matrix(table.numbers("RAW.SCR"), "RAW.SCR"),
            "da-z": cells.matrix(table.numbers("Z.SCR"), "Z.SCR"),
        },
        {},
        pair=language_pair if language_pair is not None else pair[1] if pair else "",
        documents=cells.labels([document for document, _ in places], table.lines, "column 'SID'"),
        gold="da-z",
        notes=(f"Direct assessments: each score is the mean of {of_cell} assessments.",),
    )


def _place(table: Table, line: int, sid: str) -> tuple[str, str]:
    """Document and number in it, from 1 on."""
    document, _, number = sid.rpartition("_")
    if not document or not (number.isascii() and number.isdigit() and len(number) < 10):
        problem = f"{quote(sid)} in column 'SID' does not end in an underscore and a number"
        raise ReadError(table.path, f"{problem}; write DOCUMENT_NUMBER, such as news.7_0", line=line)
    return document, str(int(number) + 1)


def read_mqm_averages(
    source: str | Path | Mapping[str, bytes], *, language_pair: str = "", aggregate: Aggregate = "error"
) -> EvalSet:
    """Read MQM scores that were averaged over raters, as published beside the ratings of WMT 2020–2022.

    The header is ``system mqm_avg_score seg_id``; blanks or tabs separate the cells of a line. The scores are negative:
    higher is better. ``None`` is a segment that was not rated. Lines without a header ``SYSTEM DOCUMENT PLACE SCORE
    rater1=… rater2=…``, as mt-metrics-eval's converter of ratings writes them, are read as well; their segments are
    named ``DOCUMENT:PLACE``.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file, such as ``mqm_newstest2020_ende.avg_seg_scores.tsv``.
    language_pair : str
        The file does not name it.
    aggregate : {"error", "mean", "median", "sum"}
        What is done with several lines of one system and segment.

    Returns
    -------
    EvalSet
        The human score ``mqm`` and no metric. Segments are named by ``seg_id``, the line of the test set, from 1 on.

    Raises
    ------
    ReadError
        For another header, lines without three cells, what is no number, and cells that come twice; the message names
        file and line.

    References
    ----------
    github google/wmt-mqm-human-evaluation; Freitag et al. (2021), doi:10.1162/tacl_a_00437.

    Examples
    --------
    >>> data = read_mqm_averages({"mqm.tsv": b"system mqm_avg_score seg_id\\nA\\t-1.500000 1\\nA\\tNone 2\\n"})
    >>> data.human["mqm"].tolist(), data.segments
    ([[-1.5, nan]], ('1', '2'))
    """
    rows = open_rows(source, "file of averages", None)
    table = rows.table(MQM_CONVERTED if _has_raters(rows.head()[0]) else MQM)
    documents = table.cells("document") if "document" in table.columns else ()
    segments = join_names(documents, table.cells("place")) if documents else table.cells("seg_id")
    cells = lay_out(table.path, table.cells("system"), segments, table.lines, aggregate=aggregate)
    scores = cells.matrix(table.numbers("mqm_avg_score"), "mqm_avg_score")
    missing = int(np.isnan(scores).sum())
    return cells.evalset(
        table,
        {"mqm": scores},
        {},
        pair=language_pair,
        documents=cells.labels(documents, table.lines, "the column of documents") if documents else (),
        gold="mqm",
        notes=("MQM scores that were averaged over raters.", *[f"{missing:,} cells have no score."] * (missing > 0)),
    )


def _has_raters(cells: Sequence[str]) -> bool:
    """Whether a line ends in scores of raters."""
    width = len(MQM_CONVERTED.names)
    return len(cells) > width and number_like(cells[width - 1]) and all("=" in cell for cell in cells[width:])


RATINGS_FORMAT = Format(
    name="mqm_ratings",
    label="MQM ratings (one error per line)",
    upload="The ratings",
    recognizes=lambda _, head: _layout_of(_names_in(head)) is not None,
    read=read_mqm_ratings,
    takes_tables=True,
)

DA_FORMAT = Format(
    name="da_averages",
    label="averages of direct assessments (ad-seg-scores)",
    upload="The averages",
    recognizes=lambda _, head: DA.begins_head(head),
    read=read_da_averages,
)

MQM_FORMAT = Format(
    name="mqm_averages",
    label="MQM averages (avg_seg_scores)",
    upload="The averages",
    recognizes=lambda _, head: MQM.begins_head(head) or _has_raters(head_line(head).split()),
    read=read_mqm_averages,
)
