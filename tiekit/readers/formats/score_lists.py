"""How is one list of scores per system read? From JSON; what Python pickled is refused, as it could run a program."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from tiekit.base.errors import ReadError, quote
from tiekit.readers._json import compact, parse_json, refuse, to_score
from tiekit.readers._questions import Format, check_text
from tiekit.readers._source import file_stem, one_file, read_text
from tiekit.readers.formats.comet import check_lengths
from tiekit.sets.evalset import EvalSet

_PICKLES = (".pkl", ".pickle", ".joblib")
_SCORE = (b"n", b"N", b"-", *(str(digit).encode() for digit in range(10)))


def read_score_lists(
    source: str | Path | Mapping[str, bytes], *, metric: str = "score", name: str | None = None
) -> EvalSet:
    """Read a JSON object with one list of scores per system: ``{"SysA": [0.9, null], "SysB": [0.3, 0.5]}``.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file. A pickle of such a dict is refused: reading it would run whatever program it holds.
    metric : str
        Name of the metric in the set.
    name : str, optional
        Name of the set; None: the name of the file without its ending.

    Returns
    -------
    EvalSet
        One metric, no human score; segments ``"1"`` to ``"n"`` in the order of the lists. Higher is better; null and
        NaN are missing.

    Raises
    ------
    ReadError
        If the lists have different lengths or hold no numbers, or the file is a pickle.

    References
    ----------
    The form in which github SapienzaNLP/guardians-mt-metric-evaluation keeps scores.

    Examples
    --------
    >>> data = read_score_lists({"chrF.json": b'{"SysA": [0.9, null], "SysB": [0.3, 0.5]}'}, metric="chrF")
    >>> data.metrics["chrF"]
    array([[0.9, nan],
           [0.3, 0.5]])
    """
    check_text("metric", metric)
    file = one_file("source", source, "file of scores")
    if _is_pickle(file.base, file.read()[:16]):
        problem = "is a pickle, which can run programs when it is read; save it as JSON"
        raise ReadError(file.path, f"{problem}, in Python: json.dump(scores, open('scores.json', 'w'))")
    text = read_text(source, "file of scores")
    found = parse_json(text.path, text.text)
    if not isinstance(found, dict) or not found:
        refuse(file.path, "an object with a list of scores for each system", found)
    first, *_ = found
    for system, scores in found.items():
        if not isinstance(scores, list) or not scores:
            refuse(file.path, f"a list of scores for {quote(system)}", scores)
        if not system.strip():
            raise ReadError(file.path, "holds a system without a name; name it")
        check_lengths(file.path, (first, len(found[first])), (system, len(scores)))
    rows = [
        [to_score(file.path, score, place=f" for {quote(system)}, segment {at}") for at, score in enumerate(scores, 1)]
        for system, scores in found.items()
    ]
    return EvalSet(
        file_stem(file.path) if name is None else name,
        "",
        tuple(found),
        tuple(str(place) for place in range(1, len(rows[0]) + 1)),
        {},
        {metric: np.array(rows)},
        digest=text.digest,
        notes=(f"JSON with one list of scores for each of {len(rows)} systems, {len(rows[0]):,} segments each",),
    )


def _is_pickle(name: str, head: bytes) -> bool:
    """Whether a file is a pickle, by its ending or its first bytes."""
    binary = len(head) > 1 and head[0] == 0x80 and head[1] in range(2, 6)
    return name.lower().removesuffix(".gz").endswith(_PICKLES) or binary or head.startswith((b"(dp", b"(lp"))


def _recognizes(name: str, head: bytes) -> bool:
    """Whether the first value of an object is a list of scores, or the file is a pickle."""
    if _is_pickle(name, head):
        return True
    key, mark, rest = compact(head).partition(b'":[')
    return key.startswith(b'{"') and b'":' not in key and bool(mark) and rest.startswith(_SCORE)


FORMAT = Format(
    name="score_lists",
    label="JSON with one list of scores per system",
    upload="The JSON file",
    several=False,
    recognizes=_recognizes,
    read=read_score_lists,
)
