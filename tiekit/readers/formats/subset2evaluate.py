"""How are items of subset2evaluate read? One JSON object per item, with all human and metric scores of its systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tiekit.base.errors import ReadError, quote
from tiekit.readers._cells import lay_out
from tiekit.readers._json import all_texts, compact, objects, refuse, to_name, to_score
from tiekit.readers._questions import Format
from tiekit.readers._source import read_text
from tiekit.sets.arguments import likely_gold
from tiekit.sets.evalset import EvalSet

_HUMAN = "human"


def read_subset2evaluate(source: str | Path | Mapping[str, bytes], *, name: str | None = None) -> EvalSet:
    """Read items of subset2evaluate, from JSON Lines or a JSON list.

    Each object has ``i``, ``src``, ``ref``, ``tgt`` (texts by system) and ``scores`` (by system, then by name).

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file.
    name : str, optional
        Name of the set; None: the name of the file without its ending.

    Returns
    -------
    EvalSet
        Scores named ``human`` or ``human_…`` are human, all others are metrics. A whole number ``i`` counts the items
        from 0, and its segment is named ``i + 1``. subset2evaluate leaves out segments without human scores, so this
        is not the line in WMT's test set. Documents, domains and texts are kept where every item has them.
        null and NaN are missing scores.

    Raises
    ------
    ReadError
        If an object lacks ``i`` or ``scores``, an item is there twice or a score is no number; the message names file
        and line.

    References
    ----------
    github zouharvi/subset2evaluate.

    Examples
    --------
    >>> line = b'{"i": 0, "src": "a", "ref": "b", "tgt": {"A": "c"}, "scores": {"A": {"human": 80, "chrF": 0.5}}}'
    >>> data = read_subset2evaluate({"items.jsonl": line})
    >>> data.segments, data.human["human"], data.metrics["chrF"]
    (('1',), array([[80.]]), array([[0.5]]))
    """
    file = read_text(source, "file of items")
    items = objects(file.path, file.text)
    segments = [_label(file.path, line, item) for line, item in items]
    rows = [
        (line, system, segment, scores)
        for (line, item), segment in zip(items, segments, strict=True)
        for system, scores in _scores(file.path, line, item)
    ]
    names = tuple(dict.fromkeys(name for *_, scores in rows for name in scores))
    if not names:
        raise ReadError(file.path, 'holds no score; expected scores by name for each system in "scores"')
    lines, systems, labels, found = zip(*rows, strict=True)
    cells = lay_out(file.path, systems, labels, lines, columns=len(names))
    matrices = {one: cells.matrix(np.array([scores.get(one, np.nan) for scores in found])) for one in names}
    by_segment = dict(zip(segments, (item for _, item in items), strict=True))
    whole = [by_segment[segment] for segment in cells.segments]
    human = tuple(one for one in names if one == _HUMAN or one.startswith(f"{_HUMAN}_"))
    outputs = {system: all_texts([item.get("tgt") for item in whole], system) for system in cells.systems}
    reference = all_texts(whole, "ref")
    note = f"items of subset2evaluate: {len(whole):,}; a segment's number counts these items, not lines of a test set"
    return cells.evalset(
        file,
        {one: matrices[one] for one in human},
        {one: matrices[one] for one in names if one not in human},
        name=name,
        documents=all_texts(whole, "doc"),
        domains=all_texts(whole, "domain"),
        sources=all_texts(whole, "src"),
        references={"ref": reference} if reference else {},
        outputs={system: texts for system, texts in outputs.items() if texts},
        gold=_HUMAN if _HUMAN in human else "human_mqm" if "human_mqm" in human else likely_gold(human),
        notes=(note,),
    )


def _label(path: str, line: int, item: Mapping[str, Any]) -> str:
    """The name of an item's segment."""
    place = item.get("i")
    if isinstance(place, int) and not isinstance(place, bool) and place >= 0:
        place += 1
    return to_name(path, place, 'the item\'s number or name in "i"', line=line)


def _scores(path: str, line: int, item: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, float]]]:
    """The scores of each system of an item."""
    scores = item.get("scores")
    if not isinstance(scores, dict) or not all(isinstance(found, dict) for found in scores.values()):
        refuse(path, 'scores by system and name in "scores"', scores, line=line)
    for system, found in scores.items():
        place = f" of {quote(system)}"
        yield system, {one: to_score(path, found[one], line=line, place=place) for one in found}


def _recognizes(_name: str, head: bytes) -> bool:
    """Whether the first object is an item with its number, its source and its texts."""
    start = compact(head)
    return start.startswith((b'{"i":', b'[{"i":')) and b'"src":' in start and b'"tgt":' in start


FORMAT = Format(
    name="subset2evaluate",
    label="items of subset2evaluate (JSON)",
    upload="The items",
    recognizes=_recognizes,
    read=read_subset2evaluate,
)
