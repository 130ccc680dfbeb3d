"""How is a source read whose format nobody named? It is recognized by its name and its first bytes."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from tiekit.base.errors import (
    InputError,
    LeftOutWarning,
    ReadError,
    RoleWarning,
    collect_warnings,
    join_warnings,
    quote,
    warn,
)
from tiekit.base.names import are_nameless, find_name, names_in, short, some_of
from tiekit.readers._archives import ARRAYS, is_packed, unpack
from tiekit.readers._columns import Table
from tiekit.readers._json import BELOW, JOINED, is_object, parse_json, say_where_scores_are
from tiekit.readers._labels import FEWEST_COUNTED, ROWS_UNNAMED
from tiekit.readers._numbers import number_like
from tiekit.readers._other_files import say_unknown, say_what_to_do
from tiekit.readers._questions import Choices, Defaults, Format, resolve_arguments
from tiekit.readers._records import holds_table, where_rows_are
from tiekit.readers._roles import VOTES, ask_about
from tiekit.readers._score_names import is_human, is_metric
from tiekit.readers._source import (
    BYTES,
    LONGEST_LINE,
    ResolvedSource,
    check_number,
    describe_files,
    file_stem,
    head_of,
    object_of,
    plain_name,
    read_text,
    resolve_source,
)
from tiekit.readers._steps import advise_files, leave_out, with_steps
from tiekit.readers._systems import share_of_systems
from tiekit.readers._table import FRAME, TREC, flat, open_table
from tiekit.readers.formats.arrays import AS_TABLE, IN_FILE, ONE_OBJECT, scores_in_memory
from tiekit.readers.registry import FORMATS, recognize
from tiekit.sets.alignment import EACH, ENOUGH, ORDERS_DIFFER, ROWS_NAMED, shared_labels
from tiekit.sets.evalset import KEPT, SINGLE_SYSTEM, EvalSet
from tiekit.sets.same_texts import text_key
from tiekit.sets.scores import NEGATED, FloatMatrix, Lengths

IN_ORDER = (ROWS_UNNAMED[1:], "their rows were taken in their order")
"""What warnings say of rows whose order is a guess, unless texts tell that it is right."""

TOGETHER = "files that are read together have the same segments, and either other systems or other scores"


def side_by_side(parts: Mapping[str, EvalSet]) -> EvalSet:
    """One set of the sets of several files, which have the same segments.

    Files of different systems give one metric of all of them; files of the same systems give one metric each, named by
    the files where the names are the same. Human scores that are the same in both are kept once.
    """
    first, whole = next(iter(parts.items()))
    for name, part in parts.items():
        if part.language_pair != whole.language_pair:
            raise InputError(f"source: {name} has other languages than {first}; {TOGETHER}: read each by itself")
        if lacking := {*whole.segments} ^ {*part.segments}:
            segment = next(label for label in (*whole.segments, *part.segments) if label in lacking)
            without, other = (first, name) if segment in part.segments else (name, first)
            problem = f"{without} has no segment {segment}, which {other} has; {TOGETHER}"
            is_nameless = any(are_nameless(one.segments) for one in parts.values())
            most = max(len(one.segments) for one in parts.values())
            advice = leave_out({name: 2 * len(one.segments) > most for name, one in parts.items()})
            advice = advice or advise_files({name: one.systems for name, one in parts.items()}, is_nameless=is_nameless)
            raise InputError(f"source: {problem}: {advice}")
    disagree = any(part.segments != whole.segments for part in parts.values())
    parts = _name_systems({name: _in_order(part, whole.segments) for name, part in parts.items()})
    rows = [set(part.systems) for part in parts.values()]
    _check_sources(parts)
    same = all(one == rows[0] for one in rows)
    if not same and sum(map(len, rows)) > len(set().union(*rows)):
        twice = next((name for name in whole.systems for one in rows[1:] if name in one), "")
        raise InputError(f"source: {twice} is in several files, but not all systems are; {TOGETHER}")
    joined = _with_more_scores(parts) if same else _with_more_systems(parts)
    digest = sha256(repr(sorted((name, part.digest) for name, part in parts.items())).encode()).hexdigest()
    notes = tuple(f"{name}: {note}" for name, part in parts.items() for note in part.notes)
    notes += (ORDERS_DIFFER,) * disagree
    return replace(whole, **joined, digest=digest, notes=notes, raters={}, outliers=(), identical=None)


def _name_systems(parts: Mapping[str, EvalSet]) -> Mapping[str, EvalSet]:
    """Files without systems whose human scores differ are those of a system each, named as the file."""
    sets = list(parts.values())
    stems = [file_stem(name) for name in parts]
    if {one.systems for one in sets} != {(SINGLE_SYSTEM,)} or len({*stems}) < len(stems):
        return parts
    if not sets[0].human or any(one.human.keys() != sets[0].human.keys() for one in sets):
        return parts
    if all(np.array_equal(one.human[key], sets[0].human[key], equal_nan=True) for one in sets for key in one.human):
        return parts
    said = "no column names systems and the files have other human scores, so each was taken for a system named as it"
    warn(f"source: {said}; to say otherwise, add a column system", RoleWarning)
    return _named_by_file(parts)


def _named_by_file(parts: Mapping[str, EvalSet]) -> dict[str, EvalSet]:
    """Sets of one system each, which is named as the file."""
    return {
        name: replace(
            one, systems=(stem,), outputs=dict(zip((stem,), one.outputs.values(), strict=False)), lengths=Lengths()
        )
        for (name, one), stem in zip(parts.items(), map(file_stem, parts), strict=True)
    }


def _with_known_systems(parts: Mapping[str, EvalSet], systems: object, segments: object) -> Mapping[str, EvalSet]:
    """Files of the same scores without systems that are named like those of the set to which they are added."""
    stems, sets = [*map(file_stem, parts)], [*parts.values()]
    is_each = {one.systems for one in sets} == {(SINGLE_SYSTEM,)} and len({*stems}) == len(stems) > 1
    if not (is_each and isinstance(systems, tuple) and isinstance(segments, tuple)):
        return parts
    columns = {tuple(sorted((*one.human, *one.metrics))) for one in sets}
    is_alike = len(columns) == 1 and all(len(one.segments) <= len(segments) for one in sets)
    try:
        known = sum(map(bool, names_in(stems, systems).values()))
    except InputError:
        return parts
    if not known and all(share_of_systems(names, systems, segments) for names in columns):
        return {name: _as_one_metric(part, stem) for (name, part), stem in zip(parts.items(), stems, strict=True)}
    is_named = 2 * known >= len(stems) and (is_alike or any(one.outputs for one in sets))
    return _named_by_file(parts) if is_named else parts


def _as_one_metric(part: EvalSet, name: str) -> EvalSet:
    """A set of one system whose columns are systems of another set as one metric, which is named as the file."""
    columns = {**part.human, **part.metrics}
    stacked = np.concatenate(list(columns.values()))
    note = "Its columns are systems, and their scores those of one metric."
    found = EvalSet(part.name, part.language_pair, tuple(columns), part.segments, {}, {name: stacked})
    kept = {key: getattr(part, key) for key in ("documents", "domains", "sources", "references", "digest")}
    return replace(found, notes=(*part.notes, note), **kept)


def _in_order(part: EvalSet, segments: tuple[str, ...]) -> EvalSet:
    """A set whose segments stand in another order."""
    if part.segments == segments:
        return part
    place = {segment: column for column, segment in enumerate(part.segments)}
    order = [place[segment] for segment in segments]

    def move(values: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(values[column] for column in order) if values else ()

    return replace(
        part,
        segments=segments,
        human={name: scores[:, order] for name, scores in part.human.items()},
        metrics={name: scores[:, order] for name, scores in part.metrics.items()},
        raters={name: counts[:, order] for name, counts in part.raters.items()},
        documents=move(part.documents),
        domains=move(part.domains),
        sources=move(part.sources),
        references={name: move(texts) for name, texts in part.references.items()},
        outputs={name: move(texts) for name, texts in part.outputs.items()},
        identical=None,
    )


def _check_sources(parts: Mapping[str, EvalSet]) -> None:
    """Refuse files with other documents or sources than those of the first one."""
    having = {name: part.sources for name, part in parts.items() if part.sources}
    first = next(iter(having), "")
    documents = {name: part.documents for name, part in parts.items() if part.documents}
    for name, found in documents.items():
        if found != (expected := next(iter(documents.values()))):
            row = next(row for row, pair in enumerate(zip(found, expected, strict=True)) if len({*pair}) > 1)
            problem = (
                f"row {row + 1} is of the document {quote(found[row])} in {name}, and of {quote(expected[row])} in "
            )
            problem += f"{next(iter(documents))}; put their rows in one order, or name the segments, too"
            raise InputError(f"source: {problem}")
    for name, sources in having.items():
        if sources != having[first]:
            pairs = zip(map(text_key, sources), map(text_key, having[first]), strict=True)
            place = next((place for place, (text, other) in enumerate(pairs) if text != other), None)
            if place is not None:
                segment = parts[name].segments[place]
                raise InputError(f"source: {name} has another source for segment {segment} than {first}; {TOGETHER}")


def _with_more_systems(parts: Mapping[str, EvalSet]) -> dict[str, Any]:
    """The systems of all files, one after the other."""
    sets = list(parts.values())

    def stack(kind: str) -> dict[str, FloatMatrix]:
        return {
            name: np.concatenate(
                [getattr(one, kind).get(name, np.full((len(one.systems), len(one.segments)), np.nan)) for one in sets]
            )
            for name in dict.fromkeys(name for one in sets for name in getattr(one, kind))
        }

    return {
        "systems": tuple(name for one in sets for name in one.systems),
        "human": stack("human"),
        "metrics": stack("metrics"),
        "outputs": {name: texts for one in sets for name, texts in one.outputs.items()},
    }


def _with_more_scores(parts: Mapping[str, EvalSet]) -> dict[str, Any]:
    """The metrics of all files beside each other."""
    systems = next(iter(parts.values())).systems
    names = [name for part in parts.values() for name in part.metrics]
    human: dict[str, FloatMatrix] = {}
    metrics: dict[str, FloatMatrix] = {}
    for file, part in parts.items():
        places = {name: place for place, name in enumerate(part.systems)}
        order = [places[name] for name in systems]
        for name, matrix in part.human.items():
            if not np.array_equal(human.setdefault(name, matrix[order]), matrix[order], equal_nan=True):
                problem = f"source: {file} has other human scores {quote(name)} than the files before; {TOGETHER}"
                raise InputError(f"{problem}; add those that hold another score by with_scores(FILE, name=NAME)")
        for name, matrix in part.metrics.items():
            stem = file_stem(file)
            called = name if names.count(name) == 1 else stem if len(part.metrics) == 1 else f"{name} ({stem})"
            if called in metrics:
                name = re.split(r"[/\\\\]", file)[-1]
                step = f"sorted(pathlib.Path(FOLDER).glob('*/{name}'))"
                more = f"; of folders with a file of each metric, give those of one: {step}" if name != file else ""
                raise InputError(f"source: two files hold the metric {quote(called)}; {TOGETHER}{more}")
            metrics[called] = matrix[order]
    return {"human": human, "metrics": metrics, "outputs": {}}


Rows: TypeAlias = pd.DataFrame | Sequence[Mapping[str, Any]]

NEVER_PACKED = ("mateo", "score_lists")
"""Formats of archives, whose readers take them as they are."""

NO_COLUMNS = ("mtme", "scores", "score_lines", "score_lists", "archive", "table")
"""Formats that no columns tell."""

FIRST_ROWS = 20
"""A table in memory is recognized by so many rows."""


def as_file(table: Rows, wanted: Format | None) -> tuple[Format, dict[str, bytes]] | None:
    """The format of a table's columns and the file that the table would be; None for a plain table."""
    if wanted is FORMATS["table"] or (isinstance(table, pd.DataFrame) and KEPT in table.attrs):
        return None
    few = table.head(FIRST_ROWS) if isinstance(table, pd.DataFrame) else table[:FIRST_ROWS]
    for ending in (".csv", ".tsv", ".jsonl"):
        name = f"{FRAME}{ending}"
        try:
            found = recognize({name: _contents(few, ending)})
        except (TypeError, ValueError, csv.Error):
            continue
        if found and found.name not in NO_COLUMNS and wanted in (None, found):
            return found, {name: _contents(table, ending)}
    return (wanted, {f"{FRAME}.csv": _contents(table, ".csv")}) if wanted and wanted.takes_tables else None


def _contents(table: Rows, ending: str) -> bytes:
    """The file that a table would be; between tabs quotation marks mean themselves, numbered columns have no header."""
    frame = flat(table if isinstance(table, pd.DataFrame) else pd.DataFrame(list(table)))
    if ending == ".jsonl":
        records = frame.to_dict("records") if isinstance(table, pd.DataFrame) else table
        return "".join(json.dumps(record) + "\n" for record in records).encode()
    if ending == ".tsv":
        return str(
            frame.replace(r"[\t\r\n]+", " ", regex=True).to_csv(index=False, sep="\t", quoting=csv.QUOTE_NONE)
        ).encode()
    return str(frame.to_csv(index=False, header=not pd.api.types.is_integer_dtype(frame.columns))).encode()


ENDINGS = (".txt", ".jsonl", ".json", ".tsv", ".csv", ".seg.score")
"""Endings that contents without a name may have had."""

LEVELS = 2
"""Maximum number of levels of folders, below the one that is read, that are searched for a layout."""

INSIDE = "scores"
"""The name of a file that a folder could hold: a layout is recognized by its folders."""

MAX_FOLDERS = 10_000


def read(source: Any, *, format: str | None = None, **choices: Any) -> EvalSet:
    """Read scores in any known format; the first note of the set says which one it is.

    The format is recognized by the names and the first bytes of the files, which may be compressed with gzip. A
    question that the format asks, such as which language pair is meant, needs no answer where there is only one.

    Parameters
    ----------
    source : path, list of paths, bytes, mapping of str to bytes, DataFrame, Series, list of dicts, array or dict
        A file, several files that belong together (such as one per system, or one per metric), a folder of such files
        or in the layout of mt-metrics-eval, contents, contents by name, or a table in memory; or scores as
        `tiekit.readers.read_score_lists` takes them from JSON: an array, or a dict of scores by system.
    format : str, optional
        Name of the format; None recognizes it. The names are the keys of `tiekit.readers.registry.FORMATS`.
    **choices
        Arguments of the format's reader, such as ``language_pair="zh-en"``, ``human="mqm"`` or
        ``lower_is_better="TER"``.

    Returns
    -------
    EvalSet
        Of a file that holds only a metric's scores, the set has no human scores; `EvalSet.with_scores` puts them
        beside those of another set.

    Raises
    ------
    ReadError
        If there is no such file, no format fits, or a file breaks a rule of its format; the message names the file, the
        line and what to do.
    InputError
        If the source is of no known type, the format does not exist or has no such argument, or a choice must be
        made: the message names the argument and lists the options.

    Warns
    -----
    RoleWarning
        For a dict of lists with a key that is named like human scores: its keys are systems. For scores that seem to
        stand for missing ones (-999), or to be in per cent beside others of about 0 to 1.
    OrderWarning
        For systems with the same scores in all segments.
    LeftOutWarning
        For files of a folder that no format recognizes. The readers give warnings of their own.

    Examples
    --------
    >>> import tiekit as tk
    >>> data = read({"scores.csv": b"system,segment,mqm,BLEU\\nA,1,-1,30\\nB,1,0,25\\n"})
    >>> data.notes[0]
    'scores.csv: read as one table (CSV or TSV)'
    >>> folder = tk.examples().path["synthetic/qaa-qab"]
    >>> read(folder, language_pair="qaa-qab").name
    'synthetic'
    >>> read(folder)
    Traceback (most recent call last):
    tiekit.errors.InputError: language_pair: choose one, such as language_pair='qaa-qab'; there are qaa-qab, qaa-qac
    """
    return ask_about(read_likely(source, format, choices, {}))


def read_likely(source: Any, format: str | None, choices: Choices, likely: Defaults) -> EvalSet:
    """Read as `read` does; questions that are not answered get the ``likely`` answers where these are offered."""
    wanted = None if format is None else FORMATS[find_name("format", format, FORMATS)]
    given = resolve_source(source)
    inner = _with_json_inside(given, wanted)
    try:
        return _read_resolved(inner, wanted, choices, likely)
    except (InputError, ReadError) as error:
        is_read = isinstance(error, ReadError) or str(error).startswith("source: ")
        if inner is given or not is_read:
            raise
        problem = error.problem if isinstance(error, ReadError) else str(error).removeprefix("source: ")
        path = given.path(next(iter(given.files)))
        problem = re.sub(_SOURCE, IN_FILE, problem)
        if "rows below" in problem:
            raise ReadError(path, f"{problem}, in Python") from None
        parts = (AS_TABLE.partition("(")[0], f"; {ONE_OBJECT}")
        problem = problem.partition(parts[0])[0].removesuffix(parts[1])
        raise ReadError(path, f"{problem}{parts[1]}, in an array") from None


def _read_resolved(given: ResolvedSource, wanted: Format | None, choices: Choices, likely: Defaults) -> EvalSet:
    """Read what was passed, a table, scores or files."""
    if given.scores is not None:
        data = scores_in_memory(given.scores, **resolve_arguments(FORMATS["score_lists"], {}, choices, {}))
        for what, names in (("systems", data.systems), ("metrics", tuple(data.metrics))):
            people = [name for name in names if is_human(name)]
            if people and len(names) > len(people) and not likely:
                told = f"the keys, {quote(people[0])} among them, are taken for {what}"
                other = "columns of scores use tk.read(pd.DataFrame(…))"
                other = other if what == "systems" else "human scores use tk.EvalSet.from_arrays(HUMAN, METRICS)"
                warn(f"source: {told}; for {other}", RoleWarning)
        return replace(data, notes=(f"{given.label}: read as {FORMATS['score_lists'].label}", *data.notes))
    if given.table is not None:
        return _read_table(given, wanted, choices, likely)
    if given.folder is not None and (found := _layout(given.folder, wanted)):
        entry, root, testset = found
        chosen = {"testset": testset, **choices} if testset and "testset" not in choices else choices
        return _read(entry, root, chosen, likely, given.label)
    check_number(given)
    entry, files, paths = _open(given, wanted)
    label = given.label if given.folder is not None else describe_files(list(paths.values()))
    try:
        return _read(entry, files, choices, likely, label, each=len(files) > 1 and not entry.several)
    except (InputError, ReadError) as error:
        raise with_steps(error, given, paths) from None


_SOURCE = re.compile(r"\bsource(?=\[|\.items)")
"""What messages call an object in memory."""


def _with_json_inside(given: ResolvedSource, wanted: Format | None) -> ResolvedSource:
    """What a single file of JSON that no format recognizes holds, where that is scores or rows below names."""
    if wanted is not None or given.folder is not None or len(given.files) != 1:
        return given
    [(name, head)] = given.first_bytes().items()
    first = object_of(head) or head_of(head)
    is_joined = JOINED.match(first) and b"[" not in first
    is_inside = is_joined or (BELOW.search(first) and not recognize({name: head}))
    if not is_object(name, first) or not is_inside or name == BYTES:
        return given
    text = read_text({given.path(name): given.contents([name])[name]}, "file of scores")
    found = parse_json(text.path, text.text)
    try:
        return replace(resolve_source(found), label=name)
    except InputError:
        if told := where_rows_are(found, "json.load(open(PATH))"):
            raise ReadError(text.path, f"{told}, in Python") from None
        return given


def _open(given: ResolvedSource, wanted: Format | None) -> tuple[Format, dict[str, bytes], dict[str, str]]:
    """The format of the files, their contents by the names that its reader gets, and what each was called before.

    A file that is packed is taken for what it holds.
    """
    wanted = None if wanted is FORMATS["archive"] else wanted
    before: dict[str, str] = {}
    if (wanted is None or wanted.name not in NEVER_PACKED) and any(map(is_packed, given.first_bytes().values())):
        parts = {name: unpack(given.path(name), name, data) for name, data in given.contents(list(given.files)).items()}
        before = {inner: name for name, (inner, _) in parts.items()}
        if len(before) < len(parts):
            twice = next(inner for name, (inner, _) in parts.items() if before[inner] != name)
            raise ReadError(given.label, f"two of its archives hold {quote(twice)}; rename one, and pack it again")
        given = replace(given, files=dict(parts.values()))
        if any(is_packed(data) and not inner.lower().endswith(ARRAYS) for inner, data in parts.values()):
            wanted = FORMATS["mateo"]  # the only workbooks that stay as they are
    try:
        entry, names = _recognize(given, wanted)
    except ReadError as error:
        raise ReadError(before.get(error.path, error.path), error.problem, line=error.line) from None
    files = {names[name]: content for name, content in given.contents(list(names)).items()}
    if wanted is None and entry is FORMATS["score_lists"] and all(map(holds_table, files.values())):
        entry = FORMATS["table"]
    return entry, files, {names[name]: before.get(name, name) for name in names}


def open_archives(files: Mapping[str, bytes]) -> tuple[Format, dict[str, bytes]]:
    """The format of what packed files hold, and that."""
    entry, inner, _ = _open(resolve_source(files), None)
    return entry, inner


def _read(entry: Format, files: Any, choices: Choices, likely: Defaults, label: str, *, each: bool = False) -> EvalSet:
    """Read in a known format, or each file by itself; the set says in which."""
    parts = {name: {name: content} for name, content in files.items()} if each else {"": files}

    def read_part(name: str, **more: Any) -> EvalSet:
        part = entry.opens(parts[name]) if entry.opens else parts[name]
        given = {**choices, **more}
        try:
            arguments = resolve_arguments(entry, part, given, likely)
        except InputError:
            rest = {key: one for key, one in given.items() if key not in ("language_pair", "testset")}
            if len(rest) < len(given) and entry is FORMATS["table"]:  # it says which rows to keep, if there are several
                entry.read(part, **resolve_arguments(entry, part, rest, likely))
            raise
        return entry.read(part, **arguments)

    with collect_warnings() as told:
        sets: Mapping[str, EvalSet] = {name: read_part(name) for name in parts}
    said = join_warnings(told, label, parts) if each else told
    ours = {**likely, **choices}.get("segments")
    if column := _find_labels(sets, choices) if each else "":
        sets = {name: read_part(name, segment=column) for name in sets}
        taken = f"took {quote(column)} for segment=, as all files hold the same whole numbers in it, in other orders"
        said = [(RoleWarning, f"{label}: {taken}")]
    sets = _with_same_labels(sets, label, ours, read_part, column) if each else sets
    if each and entry is FORMATS["table"] and "segment" not in choices:
        _check_rows(sets, {name: open_table(part) for name, part in parts.items()}, {*(ours or ())})
    for category, message in said:
        warn(message, category)
    unclear = next((note for one in sets.values() for note in one.notes if ROWS_UNNAMED in note), "")
    if unclear and (each or ours):
        step = "if that is wrong, name the column of the segments, such as segment=COLUMN"
        warn(f"{label}: {unclear[:1].lower()}{unclear[1:]}; {step}", RoleWarning)
    data = side_by_side(_with_known_systems(sets, likely.get("systems"), ours)) if each else sets[""]
    return replace(data, notes=(f"{label}: {EACH if each else ''}read as {entry.label}", *data.notes))


def are_negated(scores: EvalSet) -> bool:
    """Whether the reader of a format has negated scores, as MetricX's does, so that higher is better."""
    return any("negated" in note and not note.endswith(NEGATED) for note in scores.notes)


def _find_labels(sets: Mapping[str, EvalSet], choices: Choices) -> str:
    """The only column taken for scores that names the rows: other whole numbers in each, the same in all files."""
    first, *others = sets.values()
    found = []
    for kind in ("human", "metrics") if are_nameless(first.segments) else ():
        for name, scores in getattr(first, kind).items() if kind not in choices else ():
            rows = [getattr(one, kind).get(name, np.empty(0)) for one in others]
            is_label = np.unique(scores).size == scores.size >= FEWEST_COUNTED and bool((scores % 1 == 0).all())
            is_label &= all(np.array_equal(np.sort(scores, None), np.sort(row, None)) for row in rows)
            found += [name] if is_label and not all(np.array_equal(scores, row) for row in rows) else []
    return found[0] if len(found) == 1 and not is_human(found[0]) and not is_metric(found[0]) else ""


def _check_rows(sets: Mapping[str, EvalSet], tables: Mapping[str, Table], labels: Set[str]) -> None:
    """Refuse files in which a column names the rows otherwise than what was taken for their names.

    Such a column has other values in each row of a file, the same ones in all files, and does not count. None is a
    column of the segments of a set (``labels``) beside names that are these, too.
    """
    (name, first), *others = tables.items()
    for column in first.columns:
        cells = first.cells(column)
        known = {*cells}
        if len(known) < max(len(cells), 2) or len(sets[name].segments) != len(cells) or "" in known:
            continue
        is_ours = known <= labels and labels >= {*sets[name].segments}
        if is_ours or known in ({*map(str, range(len(cells)))}, {*map(str, range(1, len(cells) + 1))}):
            continue
        ours = dict(zip(sets[name].segments, cells, strict=True))
        for other, table in others:
            theirs = table.cells(column) if column in table.columns else ()
            if {*theirs} != known or len(sets[other].segments) != len(theirs):
                break
            found = dict(zip(sets[other].segments, theirs, strict=True))
            odd = next((segment for segment in ours.keys() & found.keys() if ours[segment] != found[segment]), None)
            if odd is not None:
                problem = f"{quote(column)} of segment {quote(odd)} is {quote(ours[odd])} in {name}, but "
                problem += f"{quote(found[odd])} in {other}, so their rows are in different orders"
                raise InputError(f"source: {problem}; name the column of the segments, such as segment={column!r}")


def _with_same_labels(
    sets: Mapping[str, EvalSet], label: str, ours: object, read_part: Callable[..., EvalSet], column: str
) -> Mapping[str, EvalSet]:
    """The sets of several files, or those without names of rows where these are others in each, such as translations.

    Refused are files in other orders of rows whose names are none of the set to which they are added.
    """
    first, *others = (one.segments for one in sets.values())
    is_even = all(len(names) == len(first) for names in others)
    is_guessed = any(ROWS_NAMED in note for one in sets.values() for note in one.notes)
    if not is_even or not (column or is_guessed):
        return sets
    shared = {*first}.intersection(*others)
    in_place = sum(len({*names}) == 1 and names[0] in shared for names in zip(first, *others, strict=True))
    is_same_text = len(shared) < len(first) and in_place >= ENOUGH * len(shared)
    if 2 * len(shared) < len(first) or is_same_text:
        told = f"no column holds the same names of rows in all files, so {IN_ORDER[1]}"
        warn(f"{label}: {told}; name that of the segments, segment=COLUMN, if that is wrong", RoleWarning)
        return {name: read_part(name, segment=()) for name in sets}
    if isinstance(ours, tuple) and any(names != first for names in others) and not shared_labels(ours, first):
        problem = f"its files have their rows ({some_of(first)}) in different orders, and none is a segment of the set"
        raise InputError(f"source: {problem} ({some_of(ours)}); give both the same labels")
    return sets


def _read_table(given: ResolvedSource, wanted: Format | None, choices: Choices, likely: Defaults) -> EvalSet:
    """Read a table in memory: as a tool's file if it has its columns."""
    entry = FORMATS["table"]
    if found := as_file(given.table, wanted):
        return _read(*found, choices, likely, given.label)
    if wanted not in (None, entry):
        problem = f"the {given.label} does not have the columns of the format {wanted.name!r}"
        raise InputError(f"format: {problem}; leave format= out to read it as a table")
    return _read(entry, given.table, choices, likely, given.label)


def _layout(folder: Path, wanted: Format | None) -> tuple[Format, Path, str | None] | None:
    """The format of a whole folder, the root to read from, and the test set whose own folder this is."""
    entries = [entry for entry in FORMATS.values() if entry.several == "directory" and wanted in (None, entry)]
    for inner in _folders(folder, LEVELS):
        parts = inner.relative_to(folder).parts
        for entry in entries:
            if entry.recognizes(f"{'/'.join(parts)}/{INSIDE}", b""):
                own = len(parts) == 1
                return entry, folder.resolve().parent if own else folder, folder.resolve().name if own else None
    return None


def _folders(folder: Path, levels: int) -> list[Path]:
    """The folders below a folder, those on the first level first."""
    try:
        inner = sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith("."))
    except OSError:
        return []
    deeper = [path for one in inner[:MAX_FOLDERS] for path in _folders(one, levels - 1)] if levels > 1 else []
    return [*inner, *deeper][:MAX_FOLDERS]


def _recognize(given: ResolvedSource, wanted: Format | None) -> tuple[Format, dict[str, str]]:
    """The format of the files, and the names under which its reader gets them, by the names that they have."""
    firsts = given.first_bytes()
    if list(given.files) == [BYTES]:
        told, name = _nameless(firsts[BYTES], wanted)
        return told, {BYTES: name}
    found = wanted or recognize(firsts)
    known = firsts if found else _find_known(given, firsts)
    entry = found or recognize(known)
    assert entry is not None
    return entry, {name: name for name in known}


def _find_known(given: ResolvedSource, firsts: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a folder that are of one format; whether others are left out is said."""
    by_name = {name: recognize({name: first}) for name, first in firsts.items()}
    known = {name: first for name, first in firsts.items() if by_name[name]}
    if given.folder is None or recognize(known) is None:
        raise _unknown(given, by_name, firsts)
    left = [name for name in firsts if name not in known]
    step = "; format='table' may read them, too" * (len({PurePosixPath(name).suffix for name in firsts}) == 1)
    warn(f"{given.label}: left out {describe_files(left)}, which no format recognizes{step}", LeftOutWarning)
    return known


def _nameless(content: bytes, wanted: Format | None) -> tuple[Format, str]:
    """The format of contents without a name, and a name that it recognizes.

    A format that recognizes a name alone is taken only if no other fits and there are two words in the first line.
    """
    head = object_of(content) or head_of(content)
    entries = [wanted] if wanted else list(FORMATS.values())
    fits = [
        (entry, f"{BYTES}{ending}")
        for entry in entries
        for ending in ENDINGS
        if entry.recognizes(f"{BYTES}{ending}", head)
    ]
    if not wanted and _is_blocks(head):
        return FORMATS["scores"], f"{BYTES}.seg.score"
    for entry, name in fits:
        if not entry.recognizes(name, b""):
            return entry, name
    if wanted:
        return wanted, next((name for _, name in fits), BYTES)
    if fits and len(head.split(b"\n", 1)[0].split()) == 2:
        return fits[0]
    given = ResolvedSource(BYTES, {BYTES: content})
    raise _unknown(given, {BYTES: None}, {BYTES: content})


def _is_blocks(head: bytes) -> bool:
    """Whether every line is a name and a number."""
    lines = [line.split() for line in head.decode("utf-8", "replace").split("\n")[:10] if line.strip()]
    return bool(lines) and all(len(line) == 2 and not number_like(line[0]) and number_like(line[1]) for line in lines)


def refusal(files: Mapping[str, bytes]) -> ReadError:
    """What to say of files that no format recognizes, by their names and first bytes."""
    firsts = {name: content[:LONGEST_LINE] for name, content in files.items()}
    return _unknown(resolve_source(firsts), {name: recognize({name: first}) for name, first in firsts.items()}, firsts)


def _unknown(given: ResolvedSource, by_name: Mapping[str, Format | None], firsts: Mapping[str, bytes]) -> ReadError:
    """What to say of files of no format, or of several."""
    found = {name: entry for name, entry in by_name.items() if entry}
    if len(found) == len(by_name) and len(found) > 1:
        each = "; ".join(f"{short(name)} is {entry.label}" for name, entry in list(found.items())[:5])
        advice = leave_out({name: entry.name for name, entry in found.items()}) or "read each by itself"
        return ReadError(given.label, f"the files do not belong together: {each}; {advice}")
    name = next(name for name, entry in by_name.items() if entry is None)
    first = object_of(firsts[name]) or head_of(firsts[name])
    hint = say_what_to_do(plain_name(name), first)
    if not first.strip():
        hint = "cannot be unpacked; fetch it again" if firsts[name].strip() else "is empty; expected scores"
    if hint:
        return ReadError(given.path(name), hint, line=1 if first.startswith(b"LP ") else None)
    line = first.split(b"\n", 1)[0]
    if b'"model_a"' in line and b'"model_b"' in line:
        return ReadError(given.path(name), VOTES, line=1)
    if len(line.split()) == 6 and line.split()[1] == b"Q0":
        return ReadError(given.path(name), TREC, line=1)
    if told := say_where_scores_are(name, first, is_one=len(by_name) == 1):
        return ReadError(given.path(name), told)
    told = say_unknown(plain_name(name), first)
    if first.lstrip()[:1] in (b"{", b"["):
        advice = f"{ONE_OBJECT}, in lines or in an array (format='table' reads these in any case)"
        told = f"{told.partition(';')[0]}; {advice}; in Python, pandas.json_normalize and pandas.read_json make a "
        told += "DataFrame of others"
    return ReadError(given.path(name), told)
