"""How are scores read that no column names? Arrays, lists and dicts: in memory, in JSON, in NumPy's .npy and .npz."""

from __future__ import annotations

import hashlib
import io
import math
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError, ReadError, quote
from tiekit.base.names import ALIASES, known_names, plain_name, row_names
from tiekit.base.validation import FloatArray, as_scores, is_default, is_frame, is_series, text_labels
from tiekit.readers._amounts import check_number, check_rows
from tiekit.readers._archives import ZIP, open_zip
from tiekit.readers._cells import ask_spelling
from tiekit.readers._json import compact, parse_json, refuse, to_score
from tiekit.readers._questions import Format, check_text
from tiekit.readers._records import is_word, where_rows_are
from tiekit.readers._source import MAX_BYTES, one_file, read_text
from tiekit.sets.alignment import ORDERS_DIFFER
from tiekit.sets.evalset import SINGLE_SYSTEM, EvalSet

AS_TABLE = "; make a table of columns: pandas.DataFrame({}), with the columns system, segment and score"

IN_FILE = "json.load(open(PATH))"
"""How Python opens a file of JSON."""

ONE_OBJECT = "give one object for each score, such as {'system': 'A', 'segment': 1, 'score': 0.5}"

ROWS_NAMED = "source, columns=['system', 'segment', 'score']"

METRIC = "score"
"""The name of a metric that a source does not name."""

MOST_NAMES = 3
"""So many names stand above a score at most: those of a metric, a system and a segment."""

LISTS = "one list of scores for each of"
"""How the first note begins of a source of several systems."""

NPY = b"\x93NUMPY"
LONGEST_HEADER = 4096
"""Bytes of the header of an array, which says its shape."""

_PICKLES = (".pkl", ".pickle", ".joblib")
_NUMBER = r"(?:-?\d[\d.eE+-]*|null|NaN)"
_KEY = r'\{"[^"]*":'
_NESTED = re.compile(rf'\[*{_NUMBER}[,\]]|\[\["|{_KEY}(?:\[+{_NUMBER}|{_KEY}(?:\[*|{_KEY}){_NUMBER})'.encode())
_BESIDE = re.compile(rf'\{{(?:"[^"]*":{_NUMBER},)+"[^"]*":\[{_NUMBER}'.encode())

_ROWS = re.compile(rb"\}[ \t]*\r?\n[ \t\r\n]*\{")
"""The end of an object in a line, and the beginning of the next."""

Names: TypeAlias = dict[str, tuple[str, ...]]
Nested: TypeAlias = Any
"""Scores: a list, a list of lists, or a dict of scores by name."""


def read_score_lists(
    source: str | Path | Mapping[str, bytes], *, metric: str | None = None, name: str | None = None
) -> EvalSet:
    """Read scores that are arrays, lists or dicts, from JSON or from NumPy's .npy and .npz.

    - ``{"SysA": [0.9, null], "SysB": …}``: the scores of each system, in the order of segments
    - ``{"SysA": {"1": 0.9, "2": null}, …}``: by system and segment
    - ``{"COMET": {"SysA": [0.9, …], …}, …}``: by metric and system, or by metric, system and segment
    - ``[[0.9, 0.5], [0.3, …]]``, .npy: a matrix without names: systems 1, 2, … × segments 1, 2, …
    - ``{"COMET": [[0.9, …], …], …}``, .npz: a matrix for each metric
    - ``[0.9, 0.5, …]``, ``{"scores": […]}``: the segments of one system, or all systems one after the other

    `EvalSet.with_scores` gives what has no names those of the set.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file. A pickle, or an array of objects, is refused: reading it would run whatever program it holds.
    metric, name : str, optional
        Name of the metric, where the source does not name metrics, and of the set; None: that of the file without its
        ending.

    Returns
    -------
    EvalSet
        Metrics, no human score. Higher is better; null and NaN are missing. Single numbers and texts beside lists,
        such as ``mean_score``, are left out, and a note says so.

    Raises
    ------
    ReadError
        If the lists have different lengths or hold no numbers, an array claims another size than it has, or the file
        is a pickle.

    References
    ----------
    The form in which github SapienzaNLP/guardians-mt-metric-evaluation keeps scores; numpy.lib.format.

    Examples
    --------
    >>> data = read_score_lists({"chrF.json": b'{"SysA": [0.9, null], "SysB": [0.3, 0.5]}'}, metric="chrF")
    >>> data.metrics["chrF"]
    array([[0.9, nan],
           [0.3, 0.5]])
    """
    if metric is not None:
        check_text("metric", metric)
    file = one_file("source", source, "file of scores")
    data = file.read()
    if _is_pickle(file.base, data[:16]):
        problem = "is a pickle, which can run programs when it is read; if it is your own, in Python, pass"
        raise ReadError(file.path, f"{problem} pandas.read_pickle(PATH), and save it as CSV")
    if data.startswith((NPY, ZIP)):
        found, names = _read_arrays(file.path, data)
        called, digest = PurePosixPath(file.base).stem, hashlib.sha256(data).hexdigest()
        return _evalset(file.path, found, metric or called or METRIC, called if name is None else name, digest, names)
    text = read_text(source, "file of scores")
    found, called = parse_json(text.path, text.text), text.stem if name is None else name
    if isinstance(found, list) and any(map(_is_row, found)):
        step = "pandas.DataFrame(json.load(open(PATH)), columns=['system', 'segment', 'score'])"
        problem = f"holds rows without names of their columns; in Python, pass {step} with the names of yours"
        raise ReadError(text.path, problem)
    try:
        return _evalset(text.path, found, metric or text.stem or METRIC, called, text.digest)
    except ReadError:
        if told := where_rows_are(found, IN_FILE):
            raise ReadError(text.path, f"{told}, in Python") from None
        raise


def scores_in_memory(scores: Nested, *, metric: str = METRIC, name: str | None = None) -> EvalSet:
    """The set of arrays, lists or dicts of scores in memory, as `read_score_lists` reads them from a file."""
    check_text("metric", metric)
    if isinstance(scores, np.matrix) or (type(scores) is np.ndarray and scores.dtype.hasobject):
        scores = np.asarray(scores).tolist()
    is_labeled = isinstance(scores, Mapping) and {_depth(score) for score in scores.values()} == {0}
    try:
        return _evalset("source", [scores] if is_labeled else scores, metric, METRIC if name is None else name, "")
    except ReadError as error:
        first = next(iter(scores.values() if isinstance(scores, Mapping) else scores), None)
        if told := where_rows_are(scores, "source"):
            raise InputError(f"source: {told}") from None
        advice = (
            AS_TABLE.format(ROWS_NAMED if _is_row(first) and len([*(first or ())]) == 3 else "source")
            if _is_row(first)
            else f"; {ONE_OBJECT}"
            if isinstance(first, Mapping)
            else ""
        )
        raise InputError(f"source: {error.problem}{advice if 'expected' in error.problem else ''}") from None


def _is_row(found: object) -> bool:
    """Whether a list holds texts, as a row of a table does."""
    return isinstance(found, (list, tuple)) and any(isinstance(cell, str) for cell in found)


def _evalset(path: str, found: Nested, metric: str, name: str, digest: str, names: Names | None = None) -> EvalSet:
    """The set of nested scores; ``names`` are those of the systems, or of the segments, of matrices without any."""
    names = names or {}
    matrices, notes = _by_metric(path, found, metric)
    (systems, segments), first = _labels(path, matrices), next(iter(matrices.values()))
    systems, segments = names.get("system", systems), names.get("segment", segments)
    if first.systems or names or len(first.rows) > 1:
        note = f"{LISTS} {len(systems)} systems, {len(segments):,} segments each"
    else:
        note = f"one list of {len(segments):,} scores"
    filled = {key: one.fill(systems, segments) for key, one in matrices.items()}
    if first.by_segment or "segment" in names:
        there = np.logical_or.reduce([~np.isnan(matrix) for matrix in filled.values()])
        if not there.all():  # else all names stand beside each other
            ask_spelling(path, systems, segments, *np.nonzero(there))
    if not all(one.is_in_order(segments) for one in matrices.values()):
        notes += (ORDERS_DIFFER,)
    if not digest:
        content = (repr((systems, segments, key)).encode() + matrix.tobytes() for key, matrix in filled.items())
        digest = hashlib.sha256(b"".join(content)).hexdigest()
    return EvalSet(name, "", systems, segments, {}, filled, digest=digest, notes=(note, *notes))


class _Matrix:
    """Scores by system (row) and segment: those without names are numbered."""

    def __init__(self, path: str, found: Nested, of: str = "") -> None:
        self.systems: tuple[str, ...] = ()
        self.segments: dict[str, None] = {}
        self.rows: Sequence[FloatArray | dict[str, float]] | FloatArray
        if type(found) is np.ndarray and found.ndim == 2 and found.size and _are_finite(found):
            check_rows(path, found.shape[1])
            self.rows, self.by_segment = found, False
            return
        if is_frame(found):
            if not all(dtype.kind in "biuf" for dtype in found.dtypes):
                named = f"{quote(of)} is a table with columns {known_names(map(str, found.columns), most=5)}"
                advice = "join them, pandas.concat(TABLES.values()), if it names systems, or give each by itself"
                raise ReadError(path, f"{named}; {advice}, such as with_scores(TABLE, name={of!r})")
            axes = plain_name(str(found.index.name)), plain_name(str(found.columns.name))
            is_turned = axes[0] in ALIASES["segment"] or axes[1] in ALIASES["system"]
            found = (found if is_turned else found.T).to_dict()
        rows = [found]
        if isinstance(found, Mapping):
            self.systems, rows = tuple(text_labels(list(found))), list(found.values())
        elif _depth(found) > 1:
            rows = list(found)
        places = [quote(name) for name in self.systems] or [f"row {place}" for place in range(1, len(rows) + 1)]
        if any(is_series(row) and not is_default(row.index) for row in rows):  # their labels count, as a frame's do
            rows = [_by_label(path, row, place) for place, row in zip(places, rows, strict=True)]
        checked: list[Any] = []
        self.rows = checked
        for place, row in zip(places, rows, strict=True):
            place += f" of {quote(of)}" if of else ""
            if isinstance(row, Mapping):
                labels = text_labels(list(row))
                self.segments |= dict.fromkeys(labels)
                checked.append(dict(zip(labels, _numbers(path, list(row.values()), place), strict=True)))
            else:
                checked.append(_numbers(path, row, place))
        self.by_segment = isinstance(self.rows[0], dict)
        mixed = [isinstance(row, dict) != self.by_segment for row in self.rows]
        if any(mixed):
            which = places[mixed.index(True)]
            raise ReadError(path, f"only one of {places[0]} and {which} labels its segments; label them all, or none")
        if not self.by_segment:
            self._check_lengths(path, places)

    def _check_lengths(self, path: str, places: Sequence[str]) -> None:
        size = len(self.rows[0])
        for place, row in zip(places, self.rows, strict=True):
            if len(row) != size:
                problem = f"{place} has {len(row):,} segments, but {places[0]} has {size:,}"
                raise ReadError(path, f"{problem}; score all systems on the same segments")

    def is_in_order(self, segments: Sequence[str]) -> bool:
        """Whether the scores of every system stand in the order of these segments; scores without labels do."""
        return all(_is_part(row, iter(segments)) for row in self.rows if isinstance(row, dict))

    def fill(self, systems: Sequence[str], segments: Sequence[str]) -> FloatArray:
        """The matrix of these systems and segments; NaN where there is no score."""
        if isinstance(self.rows, np.ndarray):
            return self.rows
        place = {name: row for row, name in enumerate(self.systems)} or {name: row for row, name in enumerate(systems)}
        matrix = np.full((len(systems), len(segments)), np.nan)
        for at, name in enumerate(systems):
            row = self.rows[place[name]] if name in place else None
            if isinstance(row, dict):
                matrix[at] = [row.get(label, np.nan) for label in segments]
            elif row is not None:
                matrix[at] = row
        return matrix


def _is_part(labels: Iterable[str], others: Iterator[str]) -> bool:
    """Whether labels stand in the order of others, some of which may lie between them."""
    return all(label in others for label in labels)


def _are_finite(found: NDArray[Any]) -> bool:
    """Whether an array holds scores that need no change."""
    return found.dtype == np.float64 and not np.isinf(found).any()


def _by_label(path: str, row: Nested, place: str) -> Nested:
    """A Series as scores by the labels of its index, each of which must be there once; anything else as it is."""
    if is_series(row) and not row.index.is_unique:
        twice = row.index[row.index.duplicated()][0]
        raise ReadError(path, f"{place} has two scores of segment {quote(str(twice))}; give each label once")
    return row.to_dict() if is_series(row) else row


def _labels(path: str, matrices: Mapping[str, _Matrix]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The systems and segments of all metrics; numbers where they have no names."""
    every = list(matrices.values())
    for key, one in matrices.items():
        shape = len(one.rows), bool(one.systems), one.by_segment, 0 if one.by_segment else len(one.rows[0])
        first = len(every[0].rows), bool(every[0].systems), every[0].by_segment
        if shape[1:3] != first[1:] or (not one.systems and shape[0] != first[0]):
            raise ReadError(path, f"{quote(key)} has another shape than {quote(next(iter(matrices)))}; read it alone")
        if not one.by_segment and shape[3] != len(every[0].rows[0]):
            problem = f"{quote(key)} has {shape[3]:,} segments, {quote(next(iter(matrices)))} {len(every[0].rows[0]):,}"
            raise ReadError(path, f"{problem}; score all systems on the same segments")
    systems = tuple(dict.fromkeys(name for one in every for name in one.systems))
    if not systems:
        number = len(every[0].rows)
        systems = row_names(number) if number > 1 else (SINGLE_SYSTEM,)
    segments = tuple(dict.fromkeys(label for one in every for label in one.segments))
    return systems, segments or row_names(len(every[0].rows[0]))


def _by_metric(path: str, found: Nested, metric: str) -> tuple[dict[str, _Matrix], tuple[str, ...]]:
    """The matrix of each metric, and what was left out."""
    if not isinstance(found, Mapping):
        if isinstance(found, np.ndarray) and found.ndim > 2:
            found = _as_matrix(path, found)
        if not 0 < _depth(found) < 3:
            refuse(path, "a list of scores, or one list of them for each system", _excerpt(found))
        return {metric: _Matrix(path, found)}, ()
    found, settings = _without_settings(_only_numbers(found))
    found = _by_segment(found)
    if all(isinstance(one, Mapping) for one in found.values()):
        found = {key: _by_segment(one) for key, one in found.items()}
    found, single = _without_means(found)
    found, texts = _without_texts(found)
    depths = {key: _depth(value) for key, value in found.items()}
    alone = [key for key, depth in depths.items() if depth == 0]
    is_some = 0 < len(alone) < len(found)
    single += settings
    single += [str(key) for key in alone] * is_some
    left = f"{known_names(single, most=5)} left out: each is no list of one value for each segment"
    notes = (left,) * bool(single) + (f"{known_names(texts, most=5)} left out: they hold texts",) * bool(texts)
    if is_some:
        found = {key: value for key, value in found.items() if depths[key]}
        if len(found) == 1 and depths[key := next(iter(found))] == 1 and not isinstance(found[key], Mapping):
            return {metric: _Matrix(path, found[key])}, notes
    elif alone:
        refuse(path, f"a list of scores for {quote(str(alone[0]))}", _excerpt(found[alone[0]]))
    elif not found:
        refuse(path, "an object with a list of scores for each system", {})
    for key in found:
        if not str(key).strip():
            raise ReadError(path, "holds a system without a name; name it")
    deepest = {depths[key] for key in found}
    if len(deepest) > 1 or max(deepest) > 2:
        odd = next(key for key in found if depths[key] != depths[next(iter(found))] or depths[key] > 2)
        likely, whole = max(found, key=lambda key: _count(found[key])), "source" if path == "source" else IN_FILE
        problem = f"{quote(str(odd))} is nested otherwise than the rest; expected a list for each system"
        raise ReadError(path, f"{problem}; pass {whole}[{likely!r}] in Python if it holds all of them")
    if deepest == {1}:
        return {metric: _Matrix(path, found)}, notes
    return {str(key): _Matrix(path, value, str(key)) for key, value in found.items()}, notes


def _as_matrix(path: str, found: NDArray[Any]) -> NDArray[Any]:
    """An array without axes of one; refused if more than two are left, with a step that makes matrices of it."""
    sizes = [size for size in found.shape if size != 1]
    if len(sizes) < 3:
        return found.reshape(sizes if len(sizes) == 2 else (1, -1))
    array, axis = "source" if path == "source" else "numpy.load(PATH)", int(np.argmin(found.shape))
    matrices = f"{{f'm{{at}}': one for at, one in enumerate(numpy.moveaxis({array}, {axis}, 0), 1)}}"
    save = "numpy.save{}('mine.np{}', {}), in Python, and give that file"
    advice = f"pass each matrix by the name of its metric, {matrices}, or their mean, {array}.mean(axis={axis})"
    if path != "source":
        advice = f"write each matrix by the name of its metric, {save.format('z', 'z', '**' + matrices)}, or their mean"
        advice += f", {save.format('', 'y', f'{array}.mean(axis={axis})')}"
    if len(sizes) > 3:
        advice = f"give one matrix of it, such as {array}[{', '.join('0' * (len(found.shape) - 2))}]"
    problem = f"expected systems × segments, segments × systems, or one list; found the shape {found.shape}"
    raise ReadError(path, f"{problem}; {advice}")


def _only_numbers(found: Mapping[Any, Nested]) -> Mapping[Any, Nested]:
    """Scores by three names or more, each alone in an object but for texts, without these objects."""
    level: list[Any] = [found]
    depth = 0
    while level and all(isinstance(one, Mapping) for one in level):
        last, level, depth = level, [below for one in level for below in one.values()], depth + 1
    if depth < MOST_NAMES + 1 or any(isinstance(one, (Mapping, list, tuple)) for one in level):
        return found
    names = {name for one in last for name, value in one.items() if not (isinstance(value, str) and is_word(value))}
    if len(names) != 1:
        return found
    [named] = names

    def keep(some: Mapping[Any, Any], levels: int) -> Any:
        return {key: keep(one, levels - 1) for key, one in some.items()} if levels else some.get(named)

    return dict(keep(found, depth - 1))


FEW_SETTINGS = 0.1
"""What describes scores has at most so many values for each of theirs."""


def _without_settings(found: Mapping[Any, Nested]) -> tuple[Mapping[Any, Nested], list[str]]:
    """Scores by two names or more without what describes how they came about, and the names of that.

    Such are objects with a text and few values, and the others have nothing but scores below their names.
    """
    values = {key: [*one.values()] for key, one in found.items() if isinstance(one, Mapping)}
    kept = {key: found[key] for key, some in values.items() if all(map(_depth, some))}
    settings = [key for key, some in values.items() if any(isinstance(one, str) for one in some)]
    if not kept or not settings or any(_depth(one) for key, one in found.items() if key not in {*kept, *settings}):
        return found, []
    is_few = sum(_count(found[key]) for key in settings) <= FEW_SETTINGS * _count(kept)
    return (kept, [*map(str, settings)]) if is_few else (found, [])


def _count(found: Nested) -> int:
    """How many values lie in lists and objects."""
    if isinstance(found, (Mapping, list, tuple)):
        return sum(map(_count, found.values() if isinstance(found, Mapping) else found))
    return int(getattr(found, "size", 1))


def _by_segment(found: Mapping[Any, Nested]) -> Mapping[Any, Nested]:
    """The scores of each system by segment, where one of its two lists holds the labels of the other's scores."""
    rows = dict[Any, Nested]()
    for key, one in found.items():
        lists = {name: some for name, some in one.items() if isinstance(some, list)} if isinstance(one, Mapping) else {}
        labels = [name for name in lists if plain_name(str(name)).removesuffix("s") in ALIASES["segment"]]
        if len(lists) != 2 or len(labels) != 1 or len({*map(len, lists.values())}) > 1:
            return found
        named = text_labels(lists.pop(labels[0]))
        rows[key] = dict(zip(named, *lists.values(), strict=True))
        if len(rows[key]) < len(named):
            return found
    return rows


def _without_means(found: Mapping[Any, Nested]) -> tuple[Mapping[Any, Nested], list[str]]:
    """The lists of each system without what stands beside them, such as a mean, a text or COMET's metadata of lists of
    spans, and the names of these.

    The only list of each system stands for it; all systems have the same lists.
    """
    if not all(isinstance(one, Mapping) for one in found.values()):
        return found, []
    lists = [
        {name: some for name, some in one.items() if _depth(some) and not _is_beside(name, some)}
        for one in found.values()
    ]
    named = lists[0].keys() if lists else ()
    single = [str(name) for name in dict.fromkeys(name for one in found.values() for name in one) if name not in named]
    if not named or not single or any(one.keys() != named for one in lists):
        return found, []
    if any(isinstance(some, Mapping) for one in lists for some in one.values()):
        return found, []
    return {key: one if len(one) > 1 else one[next(iter(one))] for key, one in zip(found, lists, strict=True)}, single


def _is_beside(name: Any, some: Nested) -> bool:
    """Whether an object holds no scores by name: it is called metadata, or lists of something else are in it."""
    lists = [one for one in some.values() if isinstance(one, list)] if isinstance(some, Mapping) else []
    return bool(lists) and (name == "metadata" or not any(isinstance(one[0], (int, float)) for one in lists if one))


def _without_texts(found: Mapping[Any, Nested]) -> tuple[Mapping[Any, Nested], list[str]]:
    """Scores by three names without what is a text below the third one, such as an explanation, and those names."""
    last = [one for some in found.values() if isinstance(some, Mapping) for one in some.values()]
    if len(last) < 2 or not all(isinstance(one, Mapping) for one in last):
        return found, []
    times = Counter(name for one in last for name in one)
    words = Counter(name for one in last for name, value in one.items() if isinstance(value, str) and is_word(value))
    texts = [name for name, number in words.items() if len(last) < 2 * number and number == times[name]]
    if not texts or len(texts) == len(times):
        return found, []

    def keep(some: Mapping[Any, Any]) -> dict[Any, Any]:
        return {key: {name: one[name] for name in one if name not in texts} for key, one in some.items()}

    return {name: keep(some) for name, some in found.items()}, [str(name) for name in texts]


def _depth(found: Nested) -> int:
    """How many levels of lists and dicts lie above the scores, by the first of each; strings are no lists."""
    if isinstance(found, Mapping):
        return 1 + _depth(next(iter(found.values()), None))
    if isinstance(found, (list, tuple)):
        return 1 + _depth(next(iter(found), None))
    return len(getattr(found, "shape", ()))


def _numbers(path: str, row: Nested, place: str) -> FloatArray:
    """The scores of one row; what is no number is refused with its place."""
    if not isinstance(row, (list, tuple)) and not is_series(row) and not getattr(row, "shape", ()):
        refuse(path, f"a list of scores for {place}", _excerpt(row))
    if not len(row):
        refuse(path, f"a list of scores for {place}", [])
    check_rows(path, len(row))
    if isinstance(row, (list, tuple)):
        checked = [to_score(path, _plain(one), place=f" for {place}, segment {at}") for at, one in enumerate(row, 1)]
        return np.array(checked, dtype=np.float64)
    return as_scores(place, row if isinstance(row, np.ma.MaskedArray) else np.asarray(row))


def _plain(score: object) -> object:
    """A score of NumPy or pandas as Python's."""
    if type(score).__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return None
    return score.item() if isinstance(score, np.generic) else score


def _excerpt(found: object) -> object:
    """What a message quotes of scores that are none."""
    if shape := getattr(found, "shape", None):
        return f"an array of the shape {shape}"
    return found if found is None or isinstance(found, (str, int, float, list, dict)) else type(found).__name__


def _read_arrays(path: str, data: bytes) -> tuple[Nested, Names]:
    """The array of a .npy file, or those of a .npz file by name, and the names of systems or segments in it."""
    if data.startswith(NPY):
        return _as_scores(path, _array(path, data)), {}
    try:
        with open_zip(path, data) as archive:
            parts = archive.infolist()
            if not parts or not all(part.filename.endswith(".npy") for part in parts):
                raise ReadError(path, "is a zip archive of other files than arrays; unpack it, or give one file of it")
            size = sum(part.file_size for part in parts)
            if size > MAX_BYTES:
                raise ReadError(path, f"unpacks to {size:,} bytes; the limit is {MAX_BYTES >> 20} MB; split it")
            found, cells = dict[str, NDArray[Any]](), 0
            for part in parts:
                found[part.filename.removesuffix(".npy")] = one = _array(path, archive.read(part), "biufU", cells)
                cells += one.size
    except (zipfile.BadZipFile, RuntimeError, OSError, NotImplementedError, EOFError, ValueError) as error:
        raise ReadError(path, f"cannot be unpacked ({str(error)[:80]}); save it again with numpy.savez") from None
    names = {} if list(found) == ["arr_0"] else _names(path, found)
    scores = {key: _as_scores(path, one) for key, one in found.items()}
    return (scores["arr_0"], names) if list(scores) == ["arr_0"] else (scores, names)


def _names(path: str, found: dict[str, NDArray[Any]]) -> Names:
    """The names of systems or segments that a file holds beside its arrays of numbers; they are taken out of these."""
    has_matrix = any(one.ndim == 2 and one.dtype.kind != "U" for one in found.values())
    texts = {
        key: found.pop(key)
        for key, one in list(found.items())
        if one.dtype.kind == "U" or (has_matrix and one.dtype.kind in "iu" and one.ndim == 1 and _kind_of(key))
    }
    names = {_kind_of(key): one for key, one in texts.items() if one.ndim == 1 and _kind_of(key)}
    size = tuple(len(names[kind]) if kind in names else None for kind in ("system", "segment"))
    if all(one.ndim == 2 and one.shape == size[::-1] != size for one in found.values()):  # segments × systems
        found |= {key: one.T for key, one in found.items()}
    fits = all(one.ndim == 2 and _fits(size, one.shape) for one in found.values())
    if (texts or has_matrix) and not (fits and len(names) == len(texts)):
        shapes = {name: there.shape for name, there in (texts | found).items()}
        told = "expected matrices systems × segments, and beside them names only as systems and segments"
        raise ReadError(path, f"holds {str(shapes)[1:-1]}; {told}{_as_frame(texts | found)}")
    return {kind: tuple(map(str, one.tolist())) for kind, one in names.items()}


def _kind_of(key: str) -> str:
    """Whether the names of systems or of segments are called so; empty where neither."""
    return next((kind for kind in ("system", "segment") if key.casefold().startswith(kind)), "")


def _fits(size: tuple[int | None, ...], shape: tuple[int, ...]) -> bool:
    return all(n in (None, m) for n, m in zip(size, shape, strict=True))


def _as_frame(found: dict[str, NDArray[Any]]) -> str:
    """How the first matrix of some arrays becomes a table with the arrays that fit it as its names."""
    key = next((key for key, one in found.items() if one.ndim == 2 and one.dtype.kind != "U"), None)
    if key is None:
        return AS_TABLE.format("dict(numpy.load(PATH))")
    names = []
    rows, columns = found[key].shape
    for length, other in ((rows, "SYSTEMS"), (columns, "SEGMENTS")):
        fitting = [name for name, one in found.items() if one.shape == (length,) and rows != columns]
        names.append(f"numpy.load(PATH)[{fitting[0]!r}]" if len(fitting) == 1 else other)
    return f"; pass pandas.DataFrame(numpy.load(PATH)[{key!r}], index={names[0]}, columns={names[1]})"


def _array(path: str, data: bytes, kinds: str = "biuf", cells: int = 0) -> NDArray[Any]:
    """One array of a file, numbers or names, whose header claims no other size than the bytes below it have.

    Before it there were so many ``cells``; all together are counted before they become numbers of eight bytes.
    """
    stream = io.BytesIO(data)
    again = "save it again with numpy.save, as numbers"
    try:
        version = np.lib.format.read_magic(stream)
        readers = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        shape, by_columns, dtype = readers[version](stream, max_header_size=LONGEST_HEADER)
    except Exception as error:  # a damaged header can fail anywhere in NumPy and in Python's parser
        found = f"{type(error).__name__}: {str(error)[:80]}"
        raise ReadError(path, f"is no array that can be read ({found}); {again}") from None
    if dtype.hasobject:
        raise ReadError(path, f"holds objects, which can run programs when they are read; {again}")
    again = f"{again}{AS_TABLE.format('numpy.load(PATH)')}" if dtype.names else again
    if dtype.kind not in kinds or min(shape, default=0) < 1:
        raise ReadError(path, f"holds {dtype} of the shape {shape}; expected numbers, systems × segments; {again}")
    claimed, there = math.prod(shape) * dtype.itemsize, len(data) - stream.tell()
    if claimed != there:
        problem = f"says that it has the shape {shape}, which are {claimed:,} bytes, but {there:,} follow"
        raise ReadError(path, f"{problem}; {again}")
    check_number(path, cells + math.prod(shape), "scores")
    return np.frombuffer(data, dtype, offset=stream.tell()).reshape(shape, order="F" if by_columns else "C")


def _as_scores(path: str, values: NDArray[Any]) -> NDArray[np.float64]:
    """Numbers of a file as a set keeps them."""
    infinite = np.argwhere(np.isinf(values))
    if len(infinite):
        place = tuple(infinite[0].tolist())
        raise ReadError(path, f"holds {values[place]} at {place}; expected finite numbers, nan where one is missing")
    numbers = values.astype(np.float64, order="C")
    numbers += 0.0  # -0.0 becomes 0.0
    numbers.flags.writeable = False  # a set keeps it as it is
    return numbers


def _is_pickle(name: str, head: bytes) -> bool:
    """Whether a file is a pickle, by its ending or its first bytes."""
    binary = len(head) > 1 and head[0] == 0x80 and head[1] in range(2, 6)
    return name.lower().removesuffix(".gz").endswith(_PICKLES) or binary or head.startswith((b"(dp", b"(lp"))


def _recognizes(name: str, head: bytes) -> bool:
    """Whether JSON begins with nested scores, or the file is one of NumPy's, or a pickle."""
    if _is_pickle(name, head) or head.startswith(NPY) or (head.startswith(ZIP) and name.lower().endswith(".npz")):
        return True
    start = compact(head)
    if start.startswith(b'{"columns":[') or (start.startswith(b"{") and _ROWS.search(head)):
        return False  # a table that pandas has split, or rows, one in each line
    return (name.lower().endswith(".json") or start.startswith(b"{")) and bool(
        _NESTED.match(start) or _BESIDE.match(start)
    )


FORMAT = Format(
    name="score_lists",
    label="lists or arrays of scores (JSON, .npy, .npz)",
    upload="The file of lists or arrays",
    recognizes=_recognizes,
    read=read_score_lists,
)
