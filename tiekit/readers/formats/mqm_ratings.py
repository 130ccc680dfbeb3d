"""How do MQM ratings become scores? Each line is one error that one rater marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from tiekit.base.errors import InputError, ReadError, quote
from tiekit.readers._cells import lay_out
from tiekit.readers._questions import Format
from tiekit.readers._rows import ColumnLayout, open_rows
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
    end. Tabs separate the cells, quotation marks mean themselves. A line of the severity ``No-error``, or of none, says
    that a rater found nothing.

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
    rows = open_rows(source, "file of ratings", "\t")
    every = rows.table(next((layout for layout in LAYOUTS if layout.begins(rows.cells[0])), LAYOUTS[0]))
    part = every.keep([document.strip().casefold() != "canary" for document in every.cells("document")])
    if not part.lines:
        raise ReadError(part.path, "has a header and no rows that count; expected one line per error", line=1)
    canary = len(every.lines) - len(part.lines)
    columns = {name: part.cells(name) for name in part.columns}
    numbered = _segments(columns)
    sums: dict[tuple[str, str, str], float] = {}
    first: dict[tuple[str, str, str], int] = {}
    unknown: Counter[str] = Counter()
    keys = zip(columns["system"], numbered, columns["rater"], strict=True)
    for line, key, severity, category in zip(part.lines, keys, columns["severity"], columns["category"], strict=True):
        weight = _weight(table, severity, category)
        if weight is None and strict:
            problem = f"the severity {quote(severity)} has no weight in WMT 2024's rule"
            raise ReadError(part.path, f'{problem}; pass weights="converter", or weights of your own', line=line)
        if weight is None and severity.strip().casefold() not in NO_ERROR:
            unknown[severity] += 1
        sums[key] = sums.get(key, 0.0) + (weight or 0.0)
        first.setdefault(key, line)
    systems, segments, raters = zip(*sums, strict=True)
    cells = lay_out(part.path, systems, segments, list(first.values()), aggregate="mean")
    documents = dict(zip(numbered, columns["document"], strict=True))
    several = int((cells.raters > 1).sum())
    rule = weights if isinstance(weights, str) else "own weights"
    notes = [
        f"MQM ratings of {len(set(raters))} raters, weighted by {rule}.",
        *[f"{several:,} cells have several raters (up to {cells.raters.max()}): their mean is used."] * (several > 0),
        *[f"The severity {quote(name)} counts 0 ({number:,} lines)." for name, number in unknown.most_common(3)],
        *["Segments are counted within their documents."] * (numbered is not columns["segment"]),
        *[f"The canary segment was left out ({canary:,} lines)."] * (canary > 0),
    ]
    return EvalSet(
        part.stem,
        language_pair,
        cells.systems,
        cells.segments,
        cells.with_raters("mqm", -np.array(list(sums.values())), raters if by_rater else ()),
        {},
        documents=tuple(documents[segment] for segment in cells.segments),
        gold="mqm",
        digest=part.digest,
        notes=tuple(notes),
    )


def _segments(columns: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """The name of each line's segment, with its document where one number stands in several."""
    numbers, documents = columns["segment"], columns["document"]
    if len(set(zip(numbers, documents, strict=True))) == len(set(numbers)):
        return numbers
    return [f"{document}:{number}" if number else "" for document, number in zip(documents, numbers, strict=True)]


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


FORMAT = Format(
    name="mqm_ratings",
    label="MQM ratings (one error per line)",
    upload="The ratings",
    several=False,
    recognizes=lambda _, head: any(layout.begins_head(head) for layout in LAYOUTS),
    read=read_mqm_ratings,
)
