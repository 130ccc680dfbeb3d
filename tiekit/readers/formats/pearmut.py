"""How are annotations of Pearmut read? One JSON object per line: the items that one person saw, scored by system."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tiekit.base.errors import ReadError, quote
from tiekit.readers._cells import lay_out
from tiekit.readers._json import compact, refuse, stream_objects, to_name, to_score
from tiekit.readers._questions import Format, choose, question
from tiekit.readers._source import TextFile, one_file
from tiekit.readers.formats.esa import MARK, REFERENCE, SPANS, SegmentId, split_id
from tiekit.sets.evalset import EvalSet

LEFT_OUT = ("welcome_", "random_", "goodbye_")
"""How numbers of tutorials, of repeated items and of last pages begin: Pearmut counts none of them."""


class _Rating(NamedTuple):
    """What one person said of one translation."""

    line: int
    system: str
    segment: SegmentId
    user: str
    score: float
    n_spans: float
    source: str
    output: str


def pearmut_pairs(source: str | Path | Mapping[str, bytes]) -> tuple[str, ...]:
    """List the language pairs that a file's item names tell, see `read_pearmut`; one empty name where they tell none.

    Examples
    --------
    >>> pearmut_pairs({"a.jsonl": b'{"annotation": [{"A": {"score": 9}}], "item": [{"item_id": "x", "src": "a", '
    ...                           b'"tgt": {"A": "b"}}], "user_id": "u", "item_i": 0}'})
    ('',)
    """
    return tuple(_read_log(source)[1])


def read_pearmut(
    source: str | Path | Mapping[str, bytes],
    *,
    language_pair: str | None = None,
    name: str | None = None,
    by_rater: bool = False,
    spans: bool = False,
) -> EvalSet:
    """Read human scores and texts from an output of Pearmut, with which WMT26 collects contrastive ESA.

    Each line is what one person submitted: ``item`` is a list of segments with ``item_id``, ``src`` and ``tgt`` (texts
    by system), ``annotation`` a list of as many objects, or null where it was skipped, with ``score`` and
    ``error_spans`` by system; ``user_id`` and ``item_i`` say whose and which. Tutorials, repeated items and last pages
    (``item_i`` ``welcome_0``, ``random_0``, ``goodbye_0``) are left out, as Pearmut's own ranking does. Of what a
    person submitted twice the last counts. Files of up to 256 MB are read line by line.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file.
    language_pair : str, optional
        Of names such as ``cs-de_DE_#_news_#_DOCUMENT_#_0`` one of the file's pairs, needed where it has several; else
        how the pair is to be called.
    name : str, optional
        Name of the set; None: the name of the file without its ending.
    by_rater : bool
        Whether each person's scores are kept too, as human scores ``esa-USER``.
    spans : bool
        Whether the human score ``spans`` is made too: the number of marked error spans, negated; 0 is none.

    Returns
    -------
    EvalSet
        The human score ``esa``, the mean of all persons' scores, where Pearmut takes the last one; ``da`` where nobody
        marked a span. It holds no metric. Translations without a score are NaN. Segments without a name are numbered.
        Documents and domains are there where the names of all items tell them.

    Raises
    ------
    ReadError
        If a line lacks ``item`` or ``annotation``, these differ in length, or a score is no number; the message names
        file and line.
    InputError
        If the file has several language pairs and none is chosen; the message lists them.

    References
    ----------
    github zouharvi/pearmut, ``examples/annotated_cache`` and ``server/results_export.py``.

    Examples
    --------
    >>> line = (b'{"annotation": [{"A": {"score": 70, "error_spans": [{"start_i": 0, "end_i": 3}]}}], "item": '
    ...         b'[{"item_id": "en-es-0", "src": "a", "tgt": {"A": "b"}}], "user_id": "u1", "item_i": 0}')
    >>> data = read_pearmut({"cesa.jsonl": line}, language_pair="en-es", spans=True)
    >>> data.segments, data.human["esa"], data.human["spans"]
    (('en-es-0',), array([[70.]]), array([[-1.]]))
    """
    file, by_pair, dropped = _read_log(source)
    told = any(by_pair)
    pair = choose("language_pair", language_pair, by_pair, file.path) if told else ""
    rows = by_pair[pair]
    lines = [row.line for row in rows]
    cells = lay_out(
        file.path, [row.system for row in rows], [row.segment.label for row in rows], lines, aggregate="mean", columns=2
    )
    scores = np.array([row.score for row in rows])
    marked = np.array([row.n_spans for row in rows])
    kind = "esa" if marked.any() else "da"
    human = cells.with_raters(kind, scores, [row.user for row in rows] if by_rater else ())
    several = int((cells.raters > 1).sum())
    notes = [
        f"Pearmut: {len(rows):,} scores of {len({row.user for row in rows}):,} persons, "
        f"{int((cells.raters > 0).sum()):,} translations",
        *([f"{several:,} translations have several scores; their mean is the score"] if several else []),
        *(
            [f"left out: {', '.join(f'{number:,} {what}' for what, number in dropped.most_common())}"]
            if dropped
            else []
        ),
    ]
    sources = cells.sources([row.source for row in rows], lines)
    documents = cells.labels([row.segment.document for row in rows], lines, "the items' names") if told else ()
    return cells.evalset(
        file,
        human | ({SPANS: cells.matrix(-marked)} if spans else {}),
        {},
        name=name,
        pair=pair or language_pair or "",
        documents=documents,
        domains=cells.labels([row.segment.domain for row in rows], lines, "the items' names") if told else (),
        sources=sources if all(sources) else (),
        outputs=cells.outputs([row.output for row in rows]),
        standard_reference=REFERENCE if REFERENCE in cells.systems else None,
        gold=kind,
        raters={kind: cells.scores_per_cell(scores)} if several else {},
        notes=tuple(notes),
    )


def _read_log(source: str | Path | Mapping[str, bytes]) -> tuple[TextFile, dict[str, list[_Rating]], Counter[str]]:
    """The scores that count, by language pair, and how many others there are, by the reason."""
    file, digest = one_file("source", source, "output of Pearmut"), hashlib.sha256()
    found: dict[tuple[str, SegmentId, str], _Rating] = {}
    numbers: dict[str, str] = {}
    dropped: Counter[str] = Counter()
    for line, entry in stream_objects(file, digest.update):
        items, annotations = entry.get("item"), entry.get("annotation")
        if not isinstance(items, list) or not isinstance(annotations, list) or len(items) != len(annotations):
            refuse(file.path, 'as many objects in "item" as in "annotation", as Pearmut writes them', entry, line=line)
        if isinstance(number := entry.get("item_i"), str) and number.startswith(LEFT_OUT):
            dropped["lines of tutorials, repeated items and last pages"] += 1
            continue
        user = to_name(file.path, entry.get("user_id"), 'the person in "user_id"', line=line)
        for item, annotation in zip(items, annotations, strict=True):
            if annotation is None:
                dropped["items that were skipped"] += 1
                continue
            for row in _ratings(file.path, line, user, item, annotation, numbers):
                if row.score == row.score:
                    found[row.system, row.segment, user] = row
                else:
                    dropped["translations without a score"] += 1
    rows = list(found.values())
    if not rows:
        raise ReadError(file.path, "has no score that counts; expected a line for each item that a person submitted")
    by_pair: dict[str, list[_Rating]] = {}
    told = all(row.segment.language_pair for row in rows)
    for row in rows:
        by_pair.setdefault(row.segment.language_pair if told else "", []).append(row)
    return TextFile(file.path, "", digest.hexdigest()), by_pair, dropped


def _ratings(path: str, line: int, user: str, item: Any, annotation: Any, numbers: dict[str, str]) -> Iterator[_Rating]:
    """What a person said of each translation of a segment; ``numbers`` holds those of segments without a name."""
    texts = item.get("tgt") if isinstance(item, dict) else None
    if not isinstance(texts, dict) or not isinstance(annotation, dict):
        refuse(path, 'texts by system in "tgt", and annotations by system', item, line=line)
    source = item.get("src") if isinstance(item.get("src"), str) else ""
    if "item_id" in item:
        label = to_name(path, item["item_id"], 'the item\'s name in "item_id"', line=line)
        segment = split_id(path, label, line) if MARK in label else SegmentId("", "", "", label)
    else:
        segment = SegmentId("", "", "", numbers.setdefault(source, f"item {len(numbers) + 1}"))
    for system, said in annotation.items():
        of = f" of {quote(system)}"
        if not isinstance(said, dict) or not system.strip():
            refuse(path, f'an object with "score"{of}', said, line=line)
        marked = said.get("error_spans") or []
        if not isinstance(marked, list):
            refuse(path, f'a list in "error_spans"{of}', marked, line=line)
        score = to_score(path, said.get("score"), line=line, place=of)
        text = texts.get(system)
        output = text if isinstance(text, str) else ""
        yield _Rating(line, system, segment, user, score, float(len(marked)), source, output)


def _recognizes(_name: str, head: bytes) -> bool:
    """Whether the first line begins as what a person submitted."""
    start = compact(head)
    return start.startswith(b'{"annotation":[') and any(
        key in start for key in (b'"error_spans":[', b'"actions":[', b'"item":[')
    )


FORMAT = Format(
    name="pearmut",
    label="annotations of Pearmut (JSON lines)",
    upload="The output",
    recognizes=_recognizes,
    read=read_pearmut,
    asks=lambda files, _: (
        question("language_pair", "Language pair", pairs, key="upload_pair", always=True)
        if any(pairs := pearmut_pairs(files))
        else iter(())
    ),
)
