"""How are the automatic scores of WMT25's general task read? A file per system, a line per document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tiekit.base.errors import ReadError, quote
from tiekit.base.names import known_names
from tiekit.readers._amounts import check_number
from tiekit.readers._json import compact, objects, refuse, to_name, to_score
from tiekit.readers._questions import Choice, Choices, Format, Upload, choose, question
from tiekit.readers._source import File, Files, files_by_stem
from tiekit.readers.formats.esa import MARK
from tiekit.sets.evalset import EvalSet

FIELDS = ("language_pair", "domain", "document_id", "metric_scores")
_Documents = dict[tuple[str, str], dict[str, list[float]]]
"""By domain and document, the scores of each metric."""


def read_automatic_scores(
    source: str | Path | Sequence[str | Path] | Mapping[str, bytes],
    *,
    language_pair: str | None = None,
    name: str = "wmt25",
) -> EvalSet:
    """Read ``automatic_scores/SYSTEM.jsonl`` of WMT25's general task.

    Each line is an object of one document: ``language_pair``, ``domain``, ``document_id``, and ``metric_scores``, which
    holds for each metric one score per segment.

    Parameters
    ----------
    source : path, several paths, or mapping of names to bytes
        The files, each named after its system.
    language_pair : str, optional
        One of the files' pairs, such as ``en-is_IS``; needed where there are several.
    name : str
        Name of the set.

    Returns
    -------
    EvalSet
        The metrics, and no human score; higher is better on all of them. Segments are named as `read_humeval` names
        those of WMT25: ``DOMAIN_#_DOCUMENT_#_0``, and so on. A document that a system did not translate is NaN.

    Raises
    ------
    ReadError
        If a field is missing, a score is no number, a document is there twice, or metrics, or systems, have different
        numbers of scores for one document; the message names file and line.
    InputError
        If there are several language pairs and none is chosen; the message lists them.

    References
    ----------
    github wmt-conference/wmt25-general-mt, ``data/automatic_scores``.

    Examples
    --------
    >>> row = b'{"language_pair": "en-is_IS", "domain": "news", "document_id": "d", '
    >>> data = read_automatic_scores({"Kite.jsonl": row + b'"metric_scores": {"XCOMET": [0.5, 0.25]}}'})
    >>> data.systems, data.segments, data.metrics["XCOMET"]
    (('Kite',), ('news_#_d_#_0', 'news_#_d_#_1'), array([[0.5 , 0.25]]))
    """
    files, found = Files({}), dict[str, dict[str, _Documents]]()
    by_name = files_by_stem(source)
    paths = {system: file.path for system, file in by_name.items()}
    for system, file in by_name.items():
        for pair, documents in _read(files, file).items():
            found.setdefault(pair, {})[system] = documents
    pair = choose("language_pair", language_pair, found, next(iter(paths.values())))
    by_system = found[pair]
    sizes = _sizes(by_system, paths)
    metrics = dict.fromkeys(
        metric for documents in by_system.values() for scores in documents.values() for metric in scores
    )
    check_number(next(iter(paths.values())), sum(sizes.values()) * len(by_system) * len(metrics), "scores")
    matrices = {
        metric: np.array(
            [
                np.concatenate([documents.get(key, {}).get(metric, [np.nan] * size) for key, size in sizes.items()])
                for documents in by_system.values()
            ]
        )
        for metric in metrics
    }
    labels = [(domain, document, place) for (domain, document), size in sizes.items() for place in range(size)]
    return EvalSet(
        name,
        pair,
        tuple(by_system),
        tuple(MARK.join((domain, document, str(place))) for domain, document, place in labels),
        {},
        matrices,
        documents=tuple(document for _, document, _ in labels),
        domains=tuple(domain for domain, _, _ in labels),
        digest=files.digest,
        notes=(f"automatic scores of {len(by_system)} systems on {len(sizes):,} documents of {pair}",),
    )


def _read(files: Files, file: File) -> dict[str, _Documents]:
    """The documents of one system, by language pair."""
    found: dict[str, _Documents] = {}
    for line, item in objects(file.path, files.text(file)):
        lacking = [field for field in FIELDS if field not in item]
        if lacking:
            raise ReadError(file.path, f"has no field {lacking[0]}; found: {known_names(item)}", line=line)
        pair, domain, document = (to_name(file.path, item[field], field, line=line) for field in FIELDS[:3])
        documents = found.setdefault(pair, {})
        if (domain, document) in documents:
            raise ReadError(file.path, f"holds the document {quote(document)} again; keep one of them", line=line)
        documents[domain, document] = _scores(file.path, item[FIELDS[3]], line)
    return found


def _scores(path: str, found: Any, line: int) -> dict[str, list[float]]:
    """The scores of each metric for one document."""
    if not isinstance(found, dict) or not found or not all(isinstance(scores, list) for scores in found.values()):
        refuse(path, "a list of scores for each metric in metric_scores", found, line=line)
    if len({len(scores) for scores in found.values()}) > 1:
        numbers = ", ".join(f"{metric} {len(scores)}" for metric, scores in list(found.items())[:5])
        raise ReadError(path, f"has different numbers of scores of one document ({numbers}); score all", line=line)
    return {
        metric: [to_score(path, score, line=line, place=f" of {metric}") for score in scores]
        for metric, scores in found.items()
    }


def _sizes(by_system: Mapping[str, _Documents], paths: Mapping[str, str]) -> dict[tuple[str, str], int]:
    """The number of segments of each document, the same for all systems."""
    sizes: dict[tuple[str, str], int] = {}
    for system, documents in by_system.items():
        for key, scores in documents.items():
            size = len(next(iter(scores.values())))
            if sizes.setdefault(key, size) != size:
                problem = f"has {size} scores of the document {quote(key[1])}, other systems {sizes[key]}"
                raise ReadError(paths[system], f"{problem}; score all systems on the same segments")
    return sizes


def _ask(files: Upload, _chosen: Choices) -> Iterator[Choice]:
    """Ask for the language pair, where there are several."""
    pairs = [pair for file in files_by_stem(files).values() for pair in _read(Files({}), file)]
    yield from question("language_pair", "Language pair", pairs)


FORMAT = Format(
    name="automatic_scores",
    label="WMT25's automatic scores (a JSON lines file per system)",
    upload="The systems' files",
    several=True,
    recognizes=lambda _, head: b'"metric_scores":{' in compact(head) and b'"document_id":' in compact(head),
    read=read_automatic_scores,
    asks=_ask,
)
