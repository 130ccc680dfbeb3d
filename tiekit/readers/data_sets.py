"""Which scores come along with tiekit, and how are they loaded fast?

A set is kept beside its texts, such as ``data/wmt23/en-de.npz``, which ``data/make_sets.py`` writes from them: numbers
as arrays, and names as JSON. Nothing in it is pickled.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import KNOWN, InputError, ReadError
from tiekit.base.names import find_name
from tiekit.base.validation import SETTLED, digest_of
from tiekit.readers.facts import data_file
from tiekit.readers.formats.mtme import read_mtme
from tiekit.sets.evalset import EvalSet
from tiekit.sets.scores import Lengths

Arrays: TypeAlias = dict[str, NDArray[Any]]

SETS = {
    "wmt22": {"zh-en": "WMT22 Chinese–English"},
    "wmt23": {
        "zh-en": "WMT23 Chinese–English",
        "he-en": "WMT23 Hebrew–English",
        "en-de": "WMT23 English–German",
    },
    "synthetic": {"qaa-qab": "invented, with texts", "qaa-qac": "invented, with texts, another pair"},
}
"""The sets that come along, by test set and language pair, each with its name."""

FILES = {
    "metric": ("wmt22/metric-scores/zh-en/chrF-refA.seg.score.gz", "a metric's scores of WMT22 Chinese–English"),
    "submission": ("synthetic/metric-scores/qaa-qab/Contour-refA.seg.score", "a metric's scores of the synthetic set"),
    "rankings": ("rankings/synthetic.csv", "invented rankings of two judges"),
    "votes": ("votes/synthetic.csv", "invented votes between pairs of answers"),
}
"""Files that come along to try readers on."""


def load(testset: str, language_pair: str | None = None) -> EvalSet:
    """Return a set that comes along with tiekit: published scores of WMT22 and WMT23, or the synthetic set.

    Parameters
    ----------
    testset : str
        ``"wmt22"``, ``"wmt23"`` or ``"synthetic"``; `examples` lists them. ``"wmt23/en-de"`` names the language pair,
        too.
    language_pair : str, optional
        Such as ``"zh-en"``. None: the only pair of ``wmt22``, the first of ``synthetic``; ``wmt23`` has three.

    Returns
    -------
    EvalSet
        Read-only; the same object at each call. Every score is as published, NaN where there is none. The sets of WMT
        hold no texts, but the number of characters of each (`EvalSet.lengths`). Nothing is downloaded.

    Raises
    ------
    InputError
        If there is no such set or pair; the message names those that there are.
    ReadError
        If a file is missing, because tiekit is not completely installed.

    References
    ----------
    Freitag et al. (2022), Results of WMT22 Metrics Shared Task, https://aclanthology.org/2022.wmt-1.2; Freitag et al.
    (2023), Results of WMT23 Metrics Shared Task, https://aclanthology.org/2023.wmt-1.51. The READMEs in the folders
    ``wmt22`` and ``wmt23`` of tiekit's data have all sources and licenses.

    Examples
    --------
    >>> data = load("wmt23", "en-de")
    >>> len(data.systems), len(data.segments), len(data.metrics), data.gold
    (14, 557, 43, 'mqm')
    >>> load("wmt22").lengths.sources[:3]
    (8, 11, 23)
    """
    if not isinstance(testset, str):
        raise InputError(f"testset: must be the name of a set, such as wmt23, found {testset!r}")
    if language_pair is None and "/" in testset:
        testset, language_pair = testset.split("/", 1)
    testset = find_name("testset", testset, SETS)
    pairs = SETS[testset]
    if language_pair is None and testset == "wmt23":
        raise InputError(f"language_pair: wmt23 has several; name one of {', '.join(pairs)}")
    pair = next(iter(pairs)) if language_pair is None else find_name("language_pair", language_pair, pairs)
    return _load(testset, pair)


@cache
def _load(testset: str, pair: str) -> EvalSet:
    """One object for each set, however it is asked for; nobody is warned of its near ties, which its README names."""
    found = _read_set(testset, pair)
    both = {**found.human, **found.metrics}
    KNOWN.update(map(digest_of, both.values()))
    SETTLED.update({(f"{found.name} {found.language_pair}", name): scores for name, scores in both.items()})
    return found


def _read_set(testset: str, pair: str) -> EvalSet:
    folder = data_file(testset)
    if testset == "synthetic":
        return read_mtme(folder.parent, testset, pair)
    path = folder / f"{pair}.npz"
    if not path.exists():
        raise ReadError(str(path), "is missing from tiekit's data folder; install tiekit again")
    with np.load(path, allow_pickle=False) as arrays:
        return unpack(dict(arrays))


def load_wmt22() -> EvalSet:
    """Return the scores of WMT22 Chinese–English, on which Deutsch et al. (2023) print Table 18.

    18 systems and 2 references, 1,875 segments in 256 documents and 4 domains, 5 kinds of human scores (``mqm`` is the
    standard one), 24 metrics. It is what ``load("wmt22", "zh-en")`` returns.

    Returns
    -------
    EvalSet
        Read-only; the same object at each call.

    Raises
    ------
    ReadError
        If a file is missing, because tiekit is not completely installed.

    References
    ----------
    Freitag et al. (2022), Results of WMT22 Metrics Shared Task, https://aclanthology.org/2022.wmt-1.2; scores of GEMBA:
    Kocmi and Federmann (2023), https://aclanthology.org/2023.eamt-1.19.

    Examples
    --------
    >>> data = load_wmt22()
    >>> data.human["mqm"].shape, len(data.metrics), data.gold, data.standard_reference
    ((20, 1875), 24, 'mqm', 'refA')
    """
    return load("wmt22", "zh-en")


def examples() -> Any:
    """Return a table of what comes along with tiekit: sets of scores, rankings, votes, a metric's file.

    Returns
    -------
    DataFrame
        One row each, by name (``"wmt23/en-de"``, ``"votes"``): ``what`` it is, the ``python`` that opens it, and the
        ``path`` of its file or folder.

    Raises
    ------
    ReadError
        If a file is missing, because tiekit is not completely installed.

    Examples
    --------
    >>> list(examples().index)[:5]
    ['wmt22/zh-en', 'wmt23/zh-en', 'wmt23/he-en', 'wmt23/en-de', 'synthetic/qaa-qab']
    >>> examples().python["wmt23/en-de"]
    'tk.load("wmt23", "en-de")'
    """
    import pandas as pd

    from tiekit.readers._listing import Listing

    rows = {
        f"{testset}/{pair}": (what, f'tk.load("{testset}", "{pair}")', str(data_file(testset)))
        for testset, pairs in SETS.items()
        for pair, what in pairs.items()
    }
    readers = {"rankings": "judgments.read_rankings", "votes": "votes.read_votes"}
    for name, (file, what) in FILES.items():
        call = f'tk.{readers.get(name, "read")}(tk.examples().path["{name}"])'
        rows[name] = (what, call, str(data_file(file)))
    found = pd.DataFrame.from_dict(rows, orient="index", columns=["what", "python", "path"]).rename_axis("name")
    return Listing(found)


def pack(data: EvalSet) -> bytes:
    """Return a set as the bytes of a compressed ``.npz``: scores by their width, integers, and a record of the rest."""
    arrays: Arrays = {}
    record: dict[str, Any] = {}
    for field in fields(data):
        value = getattr(data, field.name)
        if isinstance(value, Lengths):
            record[field.name] = [bool(value.sources), list(value.references), list(value.outputs)]
            counts = [value.sources] if value.sources else []
            arrays[field.name] = np.array([*counts, *value.references.values(), *value.outputs.values()], np.int32)
        elif isinstance(value, Mapping) and value and isinstance(next(iter(value.values())), np.ndarray):
            record[field.name] = list(value)
            arrays |= _narrow(field.name, value)
        elif isinstance(value, np.ndarray):
            arrays[field.name] = value.astype(np.int32)
        else:
            record[field.name] = dict(value) if isinstance(value, Mapping) else value
    arrays["record"] = np.frombuffer(json.dumps(record, ensure_ascii=False).encode(), np.uint8)
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()


def _narrow(kind: str, matrices: Mapping[str, NDArray[Any]]) -> Arrays:
    """Each matrix, scores in half the width if every bit survives, their bytes sorted by place, which packs better."""
    found: Arrays = {}
    for number, matrix in enumerate(matrices.values()):
        if np.issubdtype(matrix.dtype, np.integer):
            found[f"{kind}.{number}"] = np.asarray(matrix, np.int32)
            continue
        with np.errstate(over="ignore"):
            half = matrix.astype(np.float32)
        kept = half if half.astype(np.float64).tobytes() == matrix.tobytes() else np.asarray(matrix)
        found[f"{kind}.{number}"] = np.ascontiguousarray(np.moveaxis(kept[..., None].view(np.uint8), -1, 0))
    return found


def unpack(arrays: Arrays) -> EvalSet:
    """Return the set that `pack` wrote, equal to the last bit."""
    record = json.loads(arrays["record"].tobytes())
    for name, value in record.items():
        if name == "lengths":
            has_sources, references, outputs = value
            rows = iter([tuple(row) for row in arrays[name].tolist()])
            sources = next(rows) if has_sources else ()
            record[name] = Lengths(sources, *({one: next(rows) for one in names} for names in (references, outputs)))
        elif isinstance(value, list) and f"{name}.0" in arrays:
            record[name] = {one: _widen(arrays[f"{name}.{number}"]) for number, one in enumerate(value)}
        elif isinstance(value, list):
            record[name] = tuple(value)
        elif isinstance(value, dict):
            record[name] = {one: tuple(texts) if isinstance(texts, list) else texts for one, texts in value.items()}
    identical = arrays["identical"].astype(np.int64) if "identical" in arrays else None
    return EvalSet(**record | {"identical": identical})


def _widen(matrix: NDArray[Any]) -> NDArray[Any]:
    if matrix.dtype != np.uint8:
        return matrix.astype(np.int64)
    joined = np.ascontiguousarray(np.moveaxis(matrix, 0, -1))
    return joined.view(np.float32 if len(matrix) == 4 else np.float64)[..., 0].astype(np.float64)
