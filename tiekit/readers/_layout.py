"""How do the files of a test set become an `EvalSet`? By their names; a metric whose file breaks a rule is left out."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError, LeftOutWarning, ReadError, quote, warn
from tiekit.base.names import MOST_LISTED, as_names, find_name, known_names
from tiekit.base.validation import FloatArray, IntArray
from tiekit.readers._amounts import check_cells, check_systems, each_piece
from tiekit.readers._cells import check_size, rows_by_code
from tiekit.readers._numbers import parse_scores
from tiekit.readers._source import File, Files
from tiekit.readers.facts import Facts, primary_metrics
from tiekit.sets.arguments import likely_gold
from tiekit.sets.evalset import EvalSet
from tiekit.sets.scores import Counts, Lengths

SUFFIX = ".seg.score"
SUFFIXES = {"segment": SUFFIX, "system": ".sys.score"}
"""How the names of score files end, by the level of their scores."""


def text_files(files: Files, pattern: str, prefix: str = "") -> dict[str, File]:
    """Text files by name; ``.txt`` comes before ``.jsonl``."""
    objects, plain = files.find(f"{pattern}.jsonl"), files.find(f"{pattern}.txt")
    return files_by_name(objects, prefix, ".jsonl") | files_by_name(plain, prefix, ".txt")


def files_by_name(files: Sequence[File], prefix: str, ending: str) -> dict[str, File]:
    """Files by their name without prefix and ending."""
    files_by_name = {file.base.removeprefix(prefix).removesuffix(ending): file for file in files}
    return dict(sorted(files_by_name.items()))


def select_files(argument: str, wanted: str | Iterable[str] | None, files: Mapping[str, File]) -> dict[str, File]:
    """The files that are asked for; None is all."""
    if wanted is None:
        return dict(files)
    names = [find_name(argument, name, files) for name in as_names(wanted, argument)]
    return {name: files[name] for name in names}


def pairs_with_human_scores(files: Files, suffix: str = SUFFIX) -> set[tuple[str, str]]:
    """Test sets and language pairs with human scores."""
    found = files.find(f"*/human-scores/*{suffix}")
    return {(file.name.split("/")[0], file.base.split(".")[0]) for file in found}


def pairs_with_metric_scores(files: Files, suffix: str = SUFFIX) -> set[tuple[str, str]]:
    """Test sets and language pairs with scores of metrics."""
    found = files.find(f"*/metric-scores/*/*{suffix}")
    return {(file.name.split("/")[0], file.name.split("/")[2]) for file in found}


def explain_absence(files: Files, testset: str, language_pair: str, suffix: str) -> str:
    """What to say of a test set or a language pair that does not exist, or that lacks one kind of scores."""
    with_human, with_metrics = pairs_with_human_scores(files, suffix), pairs_with_metric_scores(files, suffix)
    wanted = (testset, language_pair)
    if wanted in with_metrics:
        which = "any language pair" if all(name != testset for name, _ in with_human) else repr(language_pair)
        problem = f"{testset} has metric scores, but no human scores of {which}"
        return f"{problem}; put them into {testset}/human-scores/{language_pair}.NAME{suffix}, or take another test set"
    if wanted in with_human:
        expected = f"expected {testset}/metric-scores/{language_pair}/NAME-REF{suffix}"
        return f"{testset} has human scores of {quote(language_pair)}, but no metric scores; {expected}"
    found: dict[str, list[str]] = defaultdict(list)
    for name, pair in sorted(with_human & with_metrics):
        found[name].append(pair)
    if testset in found:
        pairs = known_names(found[testset])
        return f"{testset} has no human and metric scores of {quote(language_pair)}; found: {pairs}"
    is_level = suffix != SUFFIXES["segment"]
    if is_level and wanted in pairs_with_human_scores(files) & pairs_with_metric_scores(files):
        problem = f"{testset} has scores of segments of {quote(language_pair)}, but no files *{suffix}"
        return f"{problem}; read these with level='segment'"
    listed = "; ".join(f"{name} ({known_names(pairs)})" for name, pairs in list(found.items())[:MOST_LISTED])
    listed = listed or f"none (expected TESTSET/human-scores/*{suffix} and TESTSET/metric-scores/*/*{suffix})"
    return f"there is no test set {quote(testset)}; found: {listed}"


STANDARD, ALL = "standard", "all"
"""What ``references`` may be apart from names."""

_REFERENCE = re.compile(r"ref\w?")


def used_references(
    metrics: Iterable[str], references: Sequence[str], systems: Collection[str] = ()
) -> dict[str, tuple[str, ...]]:
    """The references that each metric uses: BLEU-refA refA, X-refA.refB both, Y-all every one, Z-src none."""
    known = {*references, *systems}
    suffixes = {name: name.rpartition("-")[2] if "-" in name else "" for name in metrics}
    used = {
        name: tuple(part for part in suffix.split(".") if part in known or _REFERENCE.fullmatch(part))
        for name, suffix in suffixes.items()
    }
    every = tuple(references) or tuple(dict.fromkeys(part for parts in used.values() for part in parts))
    return {name: every if suffixes[name] == ALL else parts for name, parts in used.items()}


def only_reference(used: Iterable[Sequence[str]], systems: Collection[str]) -> str | None:
    """The one reference that all metrics use, if it is a row."""
    references = {part for parts in used for part in parts}
    return references.pop() if len(references) == 1 and references <= set(systems) else None


def reference_names(references: str | Iterable[str], standard: str | None) -> list[str] | None:
    """The references whose metrics are asked for, by name: None is every one, and none the unknown standard one."""
    names = as_names(references, "references")
    if not names or not all(isinstance(name, str) for name in names):
        raise InputError(f"references: must be {STANDARD!r}, {ALL!r} or names of references, found {references!r}")
    if names == [STANDARD]:
        return [standard] if standard else []
    return None if names == [ALL] else names


def choose_metrics(
    scored: Mapping[str, File],
    metrics: str | Iterable[str] | None,
    wanted: Sequence[str] | None,
    references: Sequence[str],
) -> tuple[dict[str, File], list[str]]:
    """The metrics that are named, or those that use no other references than the wanted ones; and a note on the rest.

    ``wanted`` and ``references`` are names of references: those that metrics may use (see `reference_names`), and those
    that exist.
    """
    used = used_references(scored, references)
    known = {*references, *(part for parts in used.values() for part in parts)}
    for name in wanted or ():
        if name not in known and any(used.values()):
            raise InputError(f"references: there is no reference {name!r}; known: {known_names(sorted(known))}")
    fitting = {name: file for name, file in scored.items() if not wanted or set(used[name]) <= set(wanted)}
    if metrics is not None:
        return {
            name: scored[name]
            for name in (_find_metric(name, scored, fitting) for name in as_names(metrics, "metrics"))
        }, []
    others = [name for name in scored if name not in fitting]
    if not fitting:
        found = f"no metric uses {known_names(wanted or ())} alone, found {known_names(others)}"
        raise InputError(f'references: {found}; pass references="all", or the name of a reference')
    if others:
        names = f"{known_names(wanted or ())} are not read: {known_names(others)}"
        return fitting, [f'{len(others)} metrics of other references than {names} (references="all" reads them)']
    if wanted is not None and not wanted and len(known) > 1:
        found = known_names(sorted(known))
        return fitting, [f"the standard reference is not known, so metrics of all references are read: {found}"]
    return fitting, []


def choose_primary(scored: Mapping[str, File], testset: str, language_pair: str) -> tuple[dict[str, File], list[str]]:
    """The primary and the baseline metrics of a test set, and a note on the others."""
    primary = primary_metrics(testset, language_pair)
    if primary is None:
        raise InputError(
            f"primary: the primary metrics of {testset} {language_pair} are not known; name those to read (metrics=)"
        )
    kept = {name: file for name, file in scored.items() if name.rpartition("-")[0] in primary}
    if not kept:
        raise InputError(
            f"primary: {testset} {language_pair} has none of its primary metrics; found {known_names(scored)}"
        )
    others = [name for name in scored if name not in kept]
    return kept, [f"{len(others)} metrics that are not primary are not read: {known_names(others)}"] if others else []


def _find_metric(name: str, scored: Mapping[str, File], fitting: Mapping[str, File]) -> str:
    """The metric that is meant: one that uses the wanted references comes before the others."""
    try:
        return find_name("metrics", name, scored if isinstance(name, str) and name in scored else fitting)
    except InputError:
        return find_name("metrics", name, scored)


UNTRANSLATED = "[No translation supplied]"
"""A line that says that there is no text."""


def read_labels(files: Files, file: File) -> list[tuple[str, str]]:
    """Domain and document of each segment, the first two fields of its line."""
    rows = [line.split() for line in files.lines(file)]
    for number, row in enumerate(rows, start=1):
        if len(row) < 2:
            problem = f"expected two fields, DOMAIN DOCUMENT; found {len(row)}: {quote(' '.join(row))}"
            raise ReadError(file.path, problem, line=number)
    return [(row[0], row[1]) for row in rows]


def read_texts(files: Files, file: File, key: str, size: int | None = None) -> tuple[str, ...]:
    """Read one text per line, or from a ``.jsonl`` file one object per line with the text under `key`.

    ``null`` in an object and a line `UNTRANSLATED` are empty texts.
    """
    texts = tuple(files.lines(file))
    if file.name.endswith(".jsonl"):
        texts = tuple(_json_text(file.path, number, line, key) for number, line in enumerate(texts, start=1))
    if size is not None:
        check_length(file, len(texts), size)
    return tuple("" if text == UNTRANSLATED else text for text in texts)


def _json_text(path: str, number: int, line: str, key: str) -> str:
    """The text in a line of a ``.jsonl`` file."""
    try:
        text = json.loads(line)[key]
    except (ValueError, KeyError, TypeError, RecursionError):
        text = 0
    if text is not None and not isinstance(text, str):
        raise ReadError(path, f'expected {{"{key}": "..."}}, found {quote(line)}', line=number)
    return text or ""


def check_length(file: File, found: int, expected: int, *, line: int | None = None, what: str = "segments") -> None:
    """Refuse a file, or the lines of a system of which `line` is the last, without exactly one entry per segment."""
    if found != expected:
        twice = " (does the block occur twice?)" if found == 2 * expected else ""
        raise ReadError(file.path, f"found {found} {what}, expected {expected}{twice}", line=line or found)


HEAD = re.compile(r"(sources|(references|system-outputs)/([^/]+))")
"""The head of a column: the folder of the texts in the layout, and the name of the reference or the system."""

COUNT = re.compile(r"[0-9]{1,9}")


def read_lengths(files: Files, file: File | None, size: int) -> Lengths:
    """Read numbers of characters: a header, then one line per segment, with tabs between the cells."""
    if file is None:
        return Lengths()
    expected = "sources, references/NAME and system-outputs/NAME, each once"
    columns = _read_numbers(files, file, size, (HEAD, expected), (COUNT, "number of characters"))

    def under(folder: str) -> dict[str, Counts]:
        return {head.removeprefix(folder): counts for head, counts in columns.items() if head.startswith(folder)}

    return Lengths(columns.get("sources", ()), under("references/"), under("system-outputs/"))


LABEL = re.compile(r"-1|[0-9]{1,9}")


def read_identical(file: File | None, systems: Sequence[str], size: int) -> IntArray | None:
    """Read labels of texts: a column a system, -1 where it has none. They say what texts do, and are in no digest."""
    if file is None:
        return None
    heads = re.compile("|".join(map(re.escape, systems)))
    told = f"the systems {known_names(systems)}, each once"
    columns = _read_numbers(Files({}), file, size, (heads, told), (LABEL, "number of a text"))
    return np.array([columns.get(system, (-1,) * size) for system in systems], np.int64).reshape(len(systems), size)


def _read_numbers(
    files: Files, file: File, size: int, heads: tuple[re.Pattern[str], str], cells: tuple[re.Pattern[str], str]
) -> dict[str, Counts]:
    """Read a table of whole numbers, by column; patterns of heads and cells come with what messages say of them."""
    header, *rows = [line.split("\t") for line in files.lines(file)]
    for place, head in enumerate(header):
        if head in header[:place] or not heads[0].fullmatch(head):
            raise ReadError(file.path, f"found the column {quote(head)}; expected {heads[1]}", line=1)
    for line, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise ReadError(file.path, f"found {len(row)} cells, expected {len(header)}", line=line)
        wrong = next((cell for cell in row if not cells[0].fullmatch(cell)), None)
        if wrong is not None:
            raise ReadError(file.path, f"{quote(wrong)} is no {cells[1]}", line=line)
    check_length(file, len(rows), size, line=len(rows) + 1)
    return dict(zip(header, (tuple(map(int, column)) for column in zip(*rows, strict=True)), strict=True))


@dataclass(frozen=True)
class Blocks:
    """One score file: its numbers, line by line, and the lines of each system, counted from 0."""

    file: File
    values: NDArray[np.float64]
    lines: Mapping[str, IntArray]

    @property
    def usual_length(self) -> int:
        """The number of lines of most systems."""
        return _mode(map(len, self.lines.values()))

    @property
    def one_line_each(self) -> bool:
        """Whether every line begins with another word."""
        return len(self.values) == len(self.lines) > 1

    def check_names(self) -> None:
        """Ask what a file means whose lines all begin with another word."""
        if self.one_line_each:
            first, second = list(self.lines)[:2]
            problem = f"every line begins with another word ({quote(first)}, {quote(second)}, …)"
            meant = "expected SYSTEM SCORE, with a line for each segment of a system"
            advice = "write the system's name before each of its scores; name scores of whole systems .sys.score"
            raise ReadError(self.file.path, f"{problem}; {meant}: {advice}", line=2)

    def check_lengths(self, size: int) -> None:
        """Refuse a system that does not have one line per segment."""
        if size > 1:
            self.check_names()
        for system, lines in self.lines.items():
            what = f"scores of {quote(system)}"
            check_length(self.file, len(lines), size, line=int(lines[-1]) + 1, what=what)

    def matrix(self, rows: Mapping[str, int], size: int) -> NDArray[np.float64]:
        """One row per system, NaN where the file has none of its scores; an unknown system is refused."""
        self.check_lengths(size)
        matrix = np.full((len(rows), size), np.nan)
        for system, lines in self.lines.items():
            if system not in rows:
                expected = f"expected one that has outputs: {known_names(rows)}"
                raise ReadError(self.file.path, f"unknown system {quote(system)}; {expected}", line=int(lines[0]) + 1)
            matrix[rows[system]] = self.values[lines]
        return matrix

    def lacking(self, systems: Iterable[str], may_lack: Collection[str]) -> list[str]:
        """The systems without a line, apart from those that the file may lack."""
        return [system for system in systems if system not in self.lines and system not in may_lack]


def read_blocks(files: Files, file: File) -> Blocks:
    """Read lines SYSTEM SCORE; those of a system are in the order of the segments, others may stand between them."""
    text = files.text(file).rstrip()
    check_cells(file.path, text, None)
    known, codes, values, before = dict[str, int](), list[IntArray](), list[FloatArray](), 0
    for piece in each_piece(text):
        names, tokens = _fields(file.path, piece, before)
        values.append(parse_scores(tokens, range(before + 1, before + len(tokens) + 1), file.path))
        before += len(tokens)
        for name in dict.fromkeys(names):
            known.setdefault(name, len(known))
        check_systems(file.path, len(known), before)
        codes.append(np.fromiter(map(known.__getitem__, names), np.int64, len(names)))
    rows = rows_by_code(np.concatenate(codes))
    return Blocks(file, np.concatenate(values), dict(zip(known, rows, strict=True)))


def _fields(path: str, text: str, before: int) -> tuple[Sequence[str], Sequence[str]]:
    """The systems and the scores of all lines of a piece of a file, as text; so many lines are before it."""
    words = text.split()
    gaps = np.frombuffer(text.encode(), np.uint8)
    gaps = gaps[(gaps == ord("\t")) | (gaps == ord(" ")) | (gaps == ord("\n"))]
    in_line, at_end = gaps[::2] != ord("\n"), gaps[1::2] == ord("\n")
    if len(words) == len(gaps) + 1 and len(in_line) > len(at_end) and in_line.all() and at_end.all():
        return words[::2], words[1::2]  # the usual case: faster than splitting every line
    rows = [line.split() for line in text.split("\n")]
    for number, row in enumerate(rows, start=before + 1):
        if len(row) != 2:
            expected = "SYSTEM SCORE (system names cannot hold spaces)"
            problem = f"expected two fields, {expected}; found {len(row)}: {quote(' '.join(row))}"
            problem += "; a table with a header is read if its name ends in .tsv"
            raise ReadError(path, problem, line=number)
    return [name for name, _ in rows], [token for _, token in rows]


def usual_length(scores: Iterable[Blocks]) -> int:
    """The number of lines of most files' systems: the number of segments if no other file has it."""
    files = list(scores)
    return _mode(one.usual_length for one in [one for one in files if not one.one_line_each] or files)


def _mode(lengths: Iterable[int]) -> int:
    """The most frequent length, or the largest of those."""
    counted = Counter(lengths)
    return max(counted, key=lambda length: (counted[length], length))


In = TypeVar("In")
Out = TypeVar("Out")


@dataclass(frozen=True)
class Layout:
    """The files of a test set by their role; scores of ``whole`` systems, broken rules are errors if ``strict``."""

    files: Files
    human: Mapping[str, File]
    metrics: Mapping[str, File]
    documents: File | None = None
    sources: File | None = None
    references: Mapping[str, File] = field(default_factory=dict)
    outputs: Mapping[str, File] = field(default_factory=dict)
    lengths: File | None = None
    identical: File | None = None
    facts: Facts | None = None
    standard: str | None = None
    whole: bool = False
    strict: bool = False


class _Metrics:
    """The metrics that break no rule so far, and the errors of the others."""

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self.failed: dict[str, ReadError] = {}

    def each(self, items: Mapping[str, In], function: Callable[[str, In], Out]) -> dict[str, Out]:
        """What a function makes of every metric, without those that break a rule in it."""
        done = {}
        for name, item in items.items():
            try:
                done[name] = function(name, item)
            except ReadError as error:
                if self.strict:
                    raise
                self.failed[name] = error
        if items and not done:
            raise next(iter(self.failed.values()))
        return done

    def say(self) -> list[str]:
        """Warn of every metric that is left out, and note it."""
        notes = [f"the metric {name} is left out: {error}" for name, error in sorted(self.failed.items())]
        for note in notes:
            warn(f"{note} (strict=True refuses the set)", LeftOutWarning)
        return notes


def assemble(layout: Layout, name: str, language_pair: str, notes: list[str]) -> EvalSet:
    """Read the files of a layout."""
    files, trial = layout.files, _Metrics(strict=layout.strict)
    human = {key: read_blocks(files, file) for key, file in layout.human.items()}
    metrics = trial.each(layout.metrics, lambda _, file: read_blocks(files, file))
    labels = read_labels(files, layout.documents) if layout.documents else []
    sources = read_texts(files, layout.sources, "source") if layout.sources else ()
    said = 1 if layout.whole else len(labels) or len(sources)
    size = said or usual_length([*human.values(), *metrics.values()])

    lengths = read_lengths(files, layout.lengths, size)

    def check(_: str, scores: Blocks) -> Blocks:
        if not said and not layout.outputs and not lengths.outputs:
            scores.check_names()
        scores.check_lengths(size)
        return scores

    human = {key: check(key, scores) for key, scores in human.items()}
    metrics = trial.each(metrics, check)
    ordered = sorted([*human.values(), *metrics.values()], key=lambda scores: scores.file.name)
    systems = tuple(
        sorted(layout.outputs or lengths.outputs)
        or dict.fromkeys(system for scores in ordered for system in scores.lines)
    )
    check_size(files.root, (len(systems), size), sum(len(scores.values) for scores in ordered), max(len(ordered), 1))
    rows = {system: row for row, system in enumerate(systems)}
    used = used_references(metrics, tuple(layout.references or lengths.references), systems)
    if layout.sources:
        check_length(layout.sources, len(sources), size)

    def matrix(key: str, scores: Blocks) -> FloatArray:
        lacking = scores.lacking(systems, used[key])
        found = scores.matrix(rows, size)
        if layout.strict and lacking:
            problem = f"has no scores of {known_names(map(quote, lacking))}; expected all {len(systems)} systems"
            raise ReadError(scores.file.path, problem, line=len(scores.values))
        if not layout.strict and np.isnan(found).all():
            raise ReadError(scores.file.path, "has no score that is not missing; expected some numbers")
        if lacking:
            notes.append(f"{key} has no scores of {known_names(lacking)}")
        return found

    data = EvalSet(
        name,
        language_pair,
        systems,
        ("all",) if layout.whole else tuple(str(number) for number in range(1, size + 1)),
        human={key: scores.matrix(rows, size) for key, scores in human.items()},
        metrics=trial.each(metrics, matrix),
        documents=tuple(document for _, document in labels),
        domains=tuple(domain for domain, _ in labels),
        sources=sources,
        references={key: read_texts(files, file, "target", size) for key, file in layout.references.items()},
        outputs={key: read_texts(files, file, "hypothesis", size) for key, file in layout.outputs.items()},
        lengths=lengths,
        identical=None if layout.outputs else read_identical(layout.identical, systems, size),
        standard_reference=layout.standard or only_reference(used.values(), systems),
        outliers=layout.facts.outliers if layout.facts else (),
        gold=layout.facts.gold if layout.facts and layout.facts.gold in human else likely_gold(human),
        digest=files.digest,
    )
    return replace(_without_canary(data, notes), notes=(*notes, *trial.say()))


def _without_canary(data: EvalSet, notes: list[str]) -> EvalSet:
    """Leave out the first segment of WMT24, a text against training on the test set that was rated all the same."""
    if data.name != "wmt24" or data.segments == ("all",):
        return data
    if not data.sources:
        notes.append("without the sources, a canary in segment 1 cannot be known, and is not left out")
    elif data.sources[0].casefold().startswith("canary") and len(data.segments) > 1:
        notes.append("segment 1 is left out: it is the canary of WMT24")
        return data.select(exclude=(), segments=data.segments[1:])
    return data
