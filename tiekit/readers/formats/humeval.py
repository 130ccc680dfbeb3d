"""How are the human scores of WMT24 and WMT25 read, that the general task published with all texts?"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tiekit.base.errors import ReadError, quote
from tiekit.base.names import known_names
from tiekit.readers._cells import SegmentId, lay_out, split_id
from tiekit.readers._json import compact, refuse, stream_objects, to_score
from tiekit.readers._questions import Format, choose, question
from tiekit.readers._source import file_stem, one_file
from tiekit.sets.evalset import EvalSet
from tiekit.sets.scores import FloatMatrix

_REFERENCE = re.compile(r"ref[A-Z]")
_HUMAN = re.compile(r"human\d{0,3}", re.ASCII)
_ERRORS = re.compile(r"errors\d{0,3}", re.ASCII)
STANDARD = "refA"
SPANS = "spans"
EMPTY = "is empty; expected one object per segment"


class _Rating(NamedTuple):
    """One score that somebody gave, and what it is called."""

    line: int
    system: str
    segment: str
    human: str
    score: float


@dataclass
class _Pair:
    """The segments of one language pair."""

    segments: dict[str, tuple[SegmentId, int]] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)
    texts: list[dict[str, str]] = field(default_factory=list)
    ratings: list[_Rating] = field(default_factory=list)


def humeval_pairs(source: str | Path | Mapping[str, bytes]) -> tuple[str, ...]:
    """List the language pairs in a file of human scores, see `read_humeval`.

    Examples
    --------
    >>> line = b'{"scores": {}, "src_text": "a", "tgt_text": {}, "doc_id": "cs-de_DE_#_news_#_d1_#_0"}'
    >>> humeval_pairs({"humeval.jsonl": line})
    ('cs-de_DE',)
    """
    file = one_file("source", source, "file of human scores")
    items = stream_objects(file, len)
    pairs = tuple(dict.fromkeys(_identify(file.path, line, item).language_pair for line, item in items))
    if not pairs:
        raise ReadError(file.path, EMPTY)
    return pairs


def read_humeval(
    source: str | Path | Mapping[str, bytes],
    *,
    language_pair: str | None = None,
    name: str | None = None,
    by_rater: bool = False,
    spans: bool = False,
) -> EvalSet:
    """Read human scores and texts from ``wmt24-genmt-humeval.jsonl`` or ``wmt25-genmt-humeval.jsonl``.

    Each line is an object for one segment, with ``scores``, ``src_text``, ``tgt_text`` and ``doc_id``. A system's
    score is an object with ``human1`` and ``human2`` (WMT25), or a list of objects with a ``score`` each (WMT24).
    Files of up to 256 MB are read line by line.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file.
    language_pair : str, optional
        One of the file's pairs, such as ``cs-de_DE``; needed where it has several.
    name : str, optional
        Name of the set; None: the name of the file without its ending.
    by_rater : bool
        Whether the human scores are the mean of all annotators, ``esa``, which is the gold score, and those of each
        annotator, ``esa-ANNOTATOR``, instead of ``esa-human1`` and the like.
    spans : bool
        Whether the human score ``spans`` is made too: the number of marked error spans, negated, as a mean over all
        annotators; 0 is none.

    Returns
    -------
    EvalSet
        It holds no metric. Human scores are named after the protocol, ``esa`` unless the file names one: from
        ``human1`` and ``human2`` come ``esa-human1``, ``esa-human2`` and ``esa-merged``, their mean (of those that
        are there), and ``esa-human1`` is the gold score, as in mt-metrics-eval; a list becomes ``esa``, the mean of
        its scores. Systems are those with a score; segments that were not selected for evaluation stay, with NaN. A
        segment's name is its line in the test set (WMT24), or what follows the pair in its ``doc_id`` (WMT25).
        Sources, outputs and references are kept; an output that the file lacks is empty. ``refA`` counts as the
        standard reference.

    Raises
    ------
    ReadError
        If a line is not such an object or a score is no number; the message names file and line.
    InputError
        If the file has several language pairs and none is chosen; the message lists them.

    References
    ----------
    github wmt-conference/wmt24-news-systems and wmt-conference/wmt25-general-mt.

    Examples
    --------
    >>> line = (b'{"scores": {"A": {"human1": 70, "human2": 90}}, "src_text": "Ahoj", "tgt_text": {"A": "Hallo"},'
    ...         b' "doc_id": "cs-de_DE_#_news_#_d1_#_0"}')
    >>> data = read_humeval({"humeval.jsonl": line})
    >>> data.segments, data.gold, data.human["esa-merged"]
    (('news_#_d1_#_0',), 'esa-human1', array([[80.]]))
    """
    file, digest = one_file("source", source, "file of human scores"), hashlib.sha256()
    found: dict[str, _Pair] = {}
    for line, item in stream_objects(file, digest.update):
        segment = _identify(file.path, line, item)
        pair = found.setdefault(segment.language_pair, _Pair())
        if language_pair == segment.language_pair or (language_pair is None and len(found) == 1):
            _add(pair, file.path, line, segment, item, by_rater, spans)
    if not found:
        raise ReadError(file.path, EMPTY)
    chosen = choose("language_pair", language_pair, found, file.path)
    if chosen != language_pair and language_pair is not None:
        return read_humeval(source, language_pair=chosen, name=name, by_rater=by_rater, spans=spans)
    return _evalset(file.path, chosen, found[chosen], digest.hexdigest(), name)


def _identify(path: str, line: int, item: Mapping[str, Any]) -> SegmentId:
    """The segment of an object."""
    if not isinstance(item.get("doc_id"), str) or not isinstance(item.get("scores"), dict):
        refuse(path, 'one segment with "scores" and "doc_id", as WMT published it', item, line=line)
    return split_id(path, item["doc_id"], line)


def _add(
    pair: _Pair, path: str, line: int, segment: SegmentId, item: Mapping[str, Any], by_rater: bool, spans: bool
) -> None:
    """Keep texts and ratings of one segment."""
    _, before = pair.segments.setdefault(segment.label, (segment, line))
    if before != line:
        problem = f"found the segment {quote(segment.label)} again, after line {before}; keep one of the two lines"
        raise ReadError(path, problem, line=line)
    source, texts = item.get("src_text", ""), item.get("tgt_text", {})
    if not isinstance(source, str):
        refuse(path, 'a text in "src_text"', source, line=line)
    if not isinstance(texts, dict) or not all(isinstance(text, str | None) for text in texts.values()):
        refuse(path, 'one text per system in "tgt_text"', texts, line=line)
    pair.sources.append(source)
    pair.texts.append({system: text for system, text in texts.items() if text is not None})
    for system, given in item["scores"].items():
        if not system.strip():
            raise ReadError(path, "found a system without a name; name it", line=line)
        for human, score in (_by_rater if by_rater else _scores)(path, line, system, given):
            pair.ratings.append(_Rating(line, system, segment.label, human, score))
        for number in _numbers_of_spans(given) if spans else ():
            pair.ratings.append(_Rating(line, system, segment.label, SPANS, -number))


def _scores(path: str, line: int, system: str, given: Any) -> Iterator[tuple[str, float]]:
    """The scores that a system got for one segment, with their names."""
    place = f" of {quote(system)}"
    if isinstance(given, dict):
        for key in (key for key in given if _HUMAN.fullmatch(key)):
            score, protocol = to_score(path, given[key], line=line, place=place), _protocol(given)
            yield f"{protocol}-{key}" if key != "human" else protocol, score
            if key != "human":
                yield f"{protocol}-merged", score
        return
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        refuse(path, f'an object with "human1", or a list of objects with "score",{place}', given, line=line)
    for one in given:
        yield _protocol(one), to_score(path, one.get("score"), line=line, place=place)


def _numbers_of_spans(given: Any) -> Iterator[float]:
    """How many error spans each annotator marked, of those whose list of errors is there."""
    for one in given if isinstance(given, list) else [given]:
        for key, marked in one.items():
            if _ERRORS.fullmatch(key) and isinstance(marked, list):
                yield float(len(marked))


def _by_rater(path: str, line: int, system: str, given: Any) -> Iterator[tuple[str, float]]:
    """The scores that a system got for one segment: under the name of the protocol, and under its annotator's."""
    ones = given if isinstance(given, list) else [given]
    if not all(isinstance(one, dict) for one in ones):
        refuse(
            path, f'an object with "human1", or a list of objects with "score", of {quote(system)}', given, line=line
        )
    for one in ones:
        for key in (key for key in one if key == "score" or _HUMAN.fullmatch(key)):
            annotator = one.get(f"annotator{key.removeprefix('human')}" if key != "score" else "annotator")
            if not isinstance(annotator, str) or not annotator.strip():
                refuse(path, f'an "annotator" beside "{key}" of {quote(system)}', annotator, line=line)
            score = to_score(path, one[key], line=line, place=f" of {quote(system)}")
            yield _protocol(one), score
            yield f"{_protocol(one)}-{annotator.strip()}", score


def _protocol(given: Mapping[str, Any]) -> str:
    """The protocol as the file names it, or ESA."""
    named = given.get("protocol")
    return named.strip().lower() if isinstance(named, str) and named.strip() else "esa"


def _evalset(path: str, pair: str, found: _Pair, digest: str, name: str | None) -> EvalSet:
    """The set of one language pair."""
    if not found.ratings:
        raise ReadError(path, f"has no human score of {pair}; choose another language pair")
    human = _matrices(path, found)
    systems = tuple(dict.fromkeys(rating.system for rating in found.ratings))
    ids = [segment for segment, _ in found.segments.values()]
    references = sorted({system for texts in found.texts for system in texts if _REFERENCE.fullmatch(system)})
    unrated = sorted({system for texts in found.texts for system in texts} - {*systems, *references})
    rated = np.any([~np.isnan(scores).all(axis=0) for scores in human.values()], axis=0).sum()
    first = [one for one in human if one.endswith("-human1")]
    notes = [f"human scores of WMT's general task: {rated:,} of {len(ids):,} segments of {pair} are rated"]
    lists = [one for one in human if "-" not in one and one != SPANS]
    averages = first or lists or [one for one in human if one != SPANS]
    notes += [f"{one} is the mean of all scores that a translation got" for one in lists]
    if unrated:
        notes.append(f"left out, as nobody rated them: {known_names(unrated)}")
    return EvalSet(
        file_stem(path) if name is None else name,
        pair,
        systems,
        tuple(segment.label for segment in ids),
        human,
        {},
        documents=tuple(segment.document for segment in ids),
        domains=tuple(segment.domain for segment in ids),
        sources=tuple(found.sources),
        references={one: tuple(texts.get(one, "") for texts in found.texts) for one in references},
        outputs=_outputs(systems, found.texts),
        standard_reference=STANDARD if STANDARD in systems else None,
        gold=averages[0] if len(averages) == 1 else None,
        digest=digest,
        notes=tuple(notes),
    )


def _matrices(path: str, found: _Pair) -> dict[str, FloatMatrix]:
    """Each human score as (systems, segments), with the segments that nobody rated."""
    ratings, places = found.ratings, {label: place for place, label in enumerate(found.segments)}
    lines, segments = [rating.line for rating in ratings], [rating.segment for rating in ratings]
    names = sorted({rating.human for rating in ratings})
    systems = [rating.system for rating in ratings]
    cells = lay_out(path, systems, segments, lines, aggregate="mean", columns=len(names))
    scores = np.array([rating.score for rating in ratings])
    of_name = np.array([names.index(rating.human) for rating in ratings])
    matrices = {}
    for number, human in enumerate(names):
        whole = np.full((len(cells.systems), len(places)), np.nan)
        columns = [places[label] for label in cells.segments]
        whole[:, columns] = cells.matrix(np.where(of_name == number, scores, np.nan))
        matrices[human] = whole
    return matrices


def _outputs(systems: Sequence[str], texts: Sequence[Mapping[str, str]]) -> dict[str, tuple[str, ...]]:
    """The outputs of the systems that have any."""
    having = {system for found in texts for system in found}
    return {one: tuple(found.get(one, "") for found in texts) for one in systems if one in having}


def _recognizes(_name: str, head: bytes) -> bool:
    """Whether the first line begins as an object of one segment with its scores."""
    start = compact(head)
    known = (b'"doc_id":', b'"src_text":', b'"human1":', b'"annotator')
    return start.startswith(b"{") and b'"scores":{' in start and any(key in start for key in known)


FORMAT = Format(
    name="humeval",
    label="human scores of WMT24 or WMT25 (…-humeval.jsonl)",
    upload="The file of human scores",
    several=False,
    recognizes=_recognizes,
    read=read_humeval,
    asks=lambda files, _: question(
        "language_pair", "Language pair", humeval_pairs(files), key="upload_pair", always=True
    ),
)
