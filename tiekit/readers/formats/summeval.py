"""How are SummEval's annotations read? Each line of JSON is one summary with ratings of experts and crowd workers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np

from tiekit.base.errors import InputError, ReadError, quote
from tiekit.readers._cells import Aggregate, lay_out
from tiekit.readers._json import objects
from tiekit.readers._questions import Format
from tiekit.readers._source import read_text
from tiekit.sets.evalset import EvalSet

ASPECTS = ("coherence", "consistency", "fluency", "relevance")
GROUPS = {"expert": "expert_annotations", "turker": "turker_annotations"}
METRICS = "metric_scores_"
"""How the keys of objects of metrics begin, behind which the number of references stands."""

Annotators = Literal["expert", "turker"]


def read_summeval(
    source: str | Path | Mapping[str, bytes], *, annotators: Annotators = "expert", aggregate: Aggregate = "error"
) -> EvalSet:
    """Read the annotations of SummEval: summaries of news, rated from 1 to 5 in four aspects.

    Each line is an object with ``id`` (the article), ``model_id``, ``expert_annotations`` and ``turker_annotations``
    (lists of objects with ``coherence``, ``consistency``, ``fluency`` and ``relevance``); ``decoded``, the summary, is
    read if it is there.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file, such as ``model_annotations.aligned.jsonl``.
    annotators : {"expert", "turker"}
        Whose ratings are used: experts, or crowd workers.
    aggregate : {"error", "mean", "median", "sum"}
        What is done with several lines of one model and article.

    Returns
    -------
    EvalSet
        One human score per aspect, the mean over the annotators who rated it, and no metric. Systems are models,
        segments are articles.

    Raises
    ------
    ReadError
        For a line that is not such an object, a rating that is no number, and summaries that come twice; the message
        names file and line.

    References
    ----------
    Fabbri et al. (2021), doi:10.1162/tacl_a_00373; github Yale-LILY/SummEval.

    Examples
    --------
    >>> import json
    >>> ratings = [{"coherence": 2, "consistency": 5, "fluency": 5, "relevance": r} for r in (3, 4)]
    >>> line = json.dumps({"id": "a1", "model_id": "M1", "expert_annotations": ratings})
    >>> data = read_summeval({"annotations.jsonl": line.encode()})
    >>> data.systems, data.segments, data.human["relevance"].tolist()
    (('M1',), ('a1',), [[3.5]])
    """
    if annotators not in GROUPS:
        raise InputError(f"annotators: must be one of {', '.join(GROUPS)}, found {annotators!r}")
    file = read_text(source, "file of annotations")
    lines, items = zip(*objects(file.path, file.text), strict=True)
    rows = list(zip(lines, items, strict=True))
    systems, segments = ([_text(file.path, line, one, key) for line, one in rows] for key in ("model_id", "id"))
    ratings = [_ratings(file.path, line, one, GROUPS[annotators]) for line, one in rows]
    cells = lay_out(file.path, systems, segments, lines, aggregate=aggregate, columns=len(ASPECTS))
    texts = [text for one in items if isinstance(text := one.get("decoded"), str)]
    numbers = sorted({*map(len, ratings)})
    known = np.array([(~np.isnan(each)).sum(axis=0) for each in ratings])
    means = np.array([np.nansum(each, axis=0) for each in ratings]) / np.where(known, known, np.nan)
    of_all = np.array([list(map(len, ratings))]).T
    lacking = [
        f"{aspect} is not rated by all in {number:,} of {len(rows):,} lines: its mean is that of the others."
        for aspect, number in zip(ASPECTS, (known < of_all).sum(axis=0).tolist(), strict=True)
        if number
    ]
    left = next(
        (f"{key}.{one}" for key, found in items[0].items() if key.startswith(METRICS) for one in found or ()), ""
    )
    hint = f"Left out the metrics under {METRICS}…; to read them, pass format='table' and metrics={left!r} or others."
    return cells.evalset(
        file,
        {one: cells.matrix(means[:, at], one) for at, one in enumerate(ASPECTS) if known[:, at].any()},
        {},
        name="SummEval",
        outputs=cells.outputs(texts, complete=True) if len(texts) == len(items) else {},
        notes=(
            f"Each score is the mean of {' or '.join(map(str, numbers))} {annotators}s.",
            *lacking,
            *[hint] * bool(left),
        ),
    )


def _text(path: str, line: int, one: Mapping[str, Any], key: str) -> str:
    """A name in an object."""
    found = one.get(key)
    if not isinstance(found, str) or not found:
        problem = f"found no text under {key!r}; expected the files of SummEval with {', '.join(('id', 'model_id'))}"
        raise ReadError(path, f"{problem} and {', '.join(GROUPS.values())}; add it, or read a table", line=line)
    return found


def _ratings(path: str, line: int, one: Mapping[str, Any], key: str) -> list[list[float]]:
    """The ratings of the aspects by each annotator; NaN where there is none, but for one."""
    found = one.get(key)
    if not isinstance(found, list) or not found:
        raise ReadError(path, f"found no ratings under {key!r}; choose other annotators, or delete the line", line=line)
    rows = [[rating.get(aspect) if isinstance(rating, dict) else None for aspect in ASPECTS] for rating in found]
    for row in rows:
        for aspect, value in zip(ASPECTS, row, strict=True):
            is_lacking = value is None and row != [None] * len(ASPECTS)
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e100
            if not (is_lacking or is_number):
                problem = f"found {quote(repr(value))} for {aspect!r}; expected a number"
                raise ReadError(path, f"{problem}; mend or delete this line", line=line)
    return [[np.nan if value is None else float(value) for value in row] for row in rows]


FORMAT = Format(
    name="summeval",
    label="annotations of SummEval (JSON lines)",
    upload="The annotations",
    recognizes=lambda _, head: (
        head.lstrip().startswith(b"{") and b'"model_id"' in head and b'"expert_annotations"' in head
    ),
    read=read_summeval,
)
