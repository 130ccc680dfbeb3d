"""How is an evaluation set written? As files in the layout of mt-metrics-eval, which `read_mtme` reads back."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tiekit.base.atomic import replace_folder, write_file
from tiekit.base.errors import InputError, LeftOutWarning, warn
from tiekit.base.names import known_names, row_names
from tiekit.base.validation import FloatArray
from tiekit.sets.arguments import likely_gold
from tiekit.sets.evalset import EvalSet
from tiekit.sets.scores import Lengths

UNKNOWN = "-"
"""The domain or the document of a segment that has none, where others or the other field have one."""

UNKNOWN_PAIR = "und-und"
"""The language pair of a set that does not say one: the code of languages that are not determined, twice."""

UNTRANSLATED = "[No translation supplied]"
"""What the layout has for a text that is not there."""

_NO_WORD = re.compile(r"[\s\x00-\x1f\x7f\ufeff\ud800-\udfff]")
_NO_FILE = re.compile(r"""^\.|[/\\:*?"<>|\x00-\x1f\x7f\ud800-\udfff]""")
_NO_FOLDER = re.compile(r"^\W|[^\w.+-]")
_NO_PAIR = re.compile(r"^\W|[^\w+-]")
_NO_LINE = re.compile(r"[\r\n\0\ud800-\udfff]|^\ufeff")


def write_mtme(
    data: EvalSet,
    root: str | Path,
    *,
    testset: str | None = None,
    language_pair: str | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a set in the layout of mt-metrics-eval v2.

    Every digit is kept. A missing score is ``None``. Documents, domains, texts and lengths of texts are written where
    the set has them. A set of one segment without documents and texts is written as scores of whole systems
    (``.sys.score``). A set with metrics alone is written too: such files stand beside those of other metrics.

    The layout does not hold everything. Segments are named by their line there. System names have no spaces, and names
    of files no slashes; these become underscores. Where only one of documents and domains is known, the other is ``-``.
    The gold score, the standard reference and the outliers of a test set that tiekit does not know are not kept. Where
    there are outputs, systems come back in the order of their names. A text with a line break is written in a file
    ``.jsonl``, which mt-metrics-eval itself does not read.

    Parameters
    ----------
    data : EvalSet
    root : path
        The folder that holds the folders of test sets; it is made if it is not there.
    testset, language_pair : str, optional
        Names of the folder and of the files; None takes those of the set. A set without a pair becomes ``und-und``.
    overwrite : bool
        Replace files that are there; others in the folder stay. Whoever is stopped on the way, as by a full disk or a
        signal, leaves the folder as it was.

    Returns
    -------
    Path
        The folder of the test set.

    Raises
    ------
    InputError
        If the set has no scores, a file is there already, or a folder or a file cannot be written.

    Warns
    -----
    LeftOutWarning
        For names that are changed, for labels of segments other than 1, 2, …, for metrics without any score (the layout
        cannot hold them), for lengths of the outputs of some systems alone, for a gold score that is not the one that
        is taken where the folder is read, and for a set without metrics, which is not read alone.

    References
    ----------
    The layout: github google-research/mt-metrics-eval, "File organization".

    Examples
    --------
    >>> import tempfile
    >>> import tiekit as tk
    >>> data = tk.EvalSet("toy", "en-de", ("A", "B"), ("1", "2"), {"mqm": [[-1, -5], [0, 0]]},
    ...                   {"BLEU-refA": [[30, 10.5], [40, float("nan")]]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     written = write_mtme(data, folder)
    ...     print((written / "metric-scores/en-de/BLEU-refA.seg.score").read_text().split())
    ...     again = tk.read_mtme(folder, "toy", "en-de")
    ['A', '30.0', 'A', '10.5', 'B', '40.0', 'B', 'None']
    >>> again.human["mqm"]
    array([[-1., -5.],
           [ 0.,  0.]])
    """
    if not isinstance(data, EvalSet):
        raise InputError(f"data: must be an EvalSet, found {type(data).__name__}")
    if not (data.human or data.metrics) or not data.systems or not data.segments:
        raise InputError("data: has no scores to write")
    name = _folder_name("testset", testset, data.name, _NO_FOLDER, "testset")
    pair = _folder_name("language_pair", language_pair, data.language_pair, _NO_PAIR, UNKNOWN_PAIR)
    try:
        folder = Path(root).expanduser() / name
    except (TypeError, RuntimeError) as error:
        raise InputError(f"root: must be the path of a folder, found {root!r} ({error})") from None
    if data.gold is not None and data.gold != (taken := likely_gold(data.human)):
        text = (
            f"gold: the layout does not hold that it is {data.gold}; where tiekit does not know the test set, reading"
        )
        warn(f"{text} takes {taken or 'none'}; pass human={data.gold!r} then", LeftOutWarning)
    if not data.metrics:
        warn("metrics: there are none, and a folder is read only with some; add scores before", LeftOutWarning)
    try:
        files = dict(_files(data, pair))
        with replace_folder(folder) as fresh:
            there = [path for path in files if (fresh / path).exists()]
            if there and not overwrite:
                problem = f"{folder / there[0]} is there already" + f", and {len(there) - 1} more" * (len(there) > 1)
                raise InputError(f"root: {problem}; choose another folder, or pass overwrite=True to replace it")
            for path, text in files.items():
                (fresh / path).parent.mkdir(parents=True, exist_ok=True)
                write_file(fresh / path, text)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        advice = "set PYTHONUTF8=1" if isinstance(error, UnicodeEncodeError) else "choose another folder"
        raise InputError(f"root: {folder} cannot be written ({error}); {advice}") from error
    return folder


def _folder_name(argument: str, wanted: str | None, found: str, forbidden: re.Pattern[str], usual: str) -> str:
    """The name that is given, or that of the set as the layout can hold it."""
    if wanted is None:
        return forbidden.sub("_", found).lstrip("_") or usual
    if not isinstance(wanted, str) or not wanted or forbidden.search(wanted):
        raise InputError(f"{argument}: expected a plain name such as wmt22 or zh-en, found {wanted!r}")
    return wanted


def _files(data: EvalSet, pair: str) -> Iterator[tuple[str, str]]:
    """All files of a set: their paths below the folder of the test set, and what is in them."""
    counts = _counts(data)
    placed = data.documents or data.domains or data.sources or data.outputs or counts.outputs
    suffix = ".seg.score" if placed or len(data.segments) > 1 else ".sys.score"
    labels = ("all",) if suffix == ".sys.score" else row_names(len(data.segments))
    if data.segments != labels:
        shown = known_names(data.segments[:3])
        warn(
            f"segments: the layout names them by their line, so their labels ({shown}, …) are not kept", LeftOutWarning
        )
    systems = _words("systems", data.systems, is_file=bool(data.outputs))
    for human, name in _words("human", data.human, is_file=True, spaces=True).items():
        yield f"human-scores/{pair}.{name}{suffix}", _scores(systems, data.human[human])
    metrics = {name: scores for name, scores in data.metrics.items() if not _is_missing(name, scores)}
    for metric, name in _words("metrics", metrics, is_file=True, spaces=True).items():
        yield f"metric-scores/{pair}/{name}{suffix}", _scores(systems, metrics[metric])
    if data.documents or data.domains:
        yield f"documents/{pair}.docs", _labels(data)
    references = _words("references", {**data.references, **counts.references}, is_file=True)
    if data.sources:
        yield _texts(f"sources/{pair}", "source", data.sources)
    for reference, texts in data.references.items():
        yield _texts(f"references/{pair}.{references[reference]}", "target", texts)
    for system, name in systems.items() if data.outputs else ():
        texts = data.outputs.get(system) or (UNTRANSLATED,) * len(data.segments)
        yield _texts(f"system-outputs/{pair}/{name}", "hypothesis", texts)
    columns = {"sources": counts.sources} if counts.sources else {}
    columns |= {f"references/{references[name]}": numbers for name, numbers in counts.references.items()}
    columns |= {f"system-outputs/{systems[name]}": numbers for name, numbers in counts.outputs.items()}
    if columns:
        rows = [columns, *zip(*columns.values(), strict=True)]
        yield f"lengths/{pair}.tsv", "".join("\t".join(map(str, row)) + "\n" for row in rows)
    if data.identical is not None and not data.outputs:
        rows = [systems.values(), *data.identical.T.tolist()]
        yield f"identical/{pair}.tsv", "".join("\t".join(map(str, row)) + "\n" for row in rows)


def _words(argument: str, names: Iterable[str], *, is_file: bool, spaces: bool = False) -> dict[str, str]:
    """What each name is in the layout, once each; names that need no change keep theirs."""

    def fitting(name: str) -> str:
        word = name if spaces else _NO_WORD.sub("_", name)
        return (_NO_FILE.sub("_", word) if is_file else word) or "_"

    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(names, key=lambda name: fitting(name) != name):
        word = fitting(name)
        while word in taken:
            word += "_"
        taken.add(word)
        found[name] = word
    changed = [f"{name!r} is {word!r}" for name, word in found.items() if name != word]
    if changed:
        warn(f"{argument}: the layout cannot hold some names, so {known_names(changed)}", LeftOutWarning)
    return {name: found[name] for name in names}


def _is_missing(name: str, scores: FloatArray) -> bool:
    """Whether a metric has no score at all, which is said."""
    missing = all(math.isnan(score) for row in scores.tolist() for score in row)
    if missing:
        warn(f"metrics: {name} has no scores, so it is not written", LeftOutWarning)
    return missing


def _scores(systems: Mapping[str, str], scores: FloatArray) -> str:
    """The lines of a score file; ``repr`` is the shortest text that is read as the same float64."""
    return "".join(
        f"{system}\t{'None' if score != score else repr(score)}\n"
        for system, row in zip(systems.values(), scores.tolist(), strict=True)
        for score in row
    )


def _labels(data: EvalSet) -> str:
    """The lines of a file of documents."""
    size = len(data.segments)
    columns = [
        [words[label] for label in labels]
        for labels in (data.domains or (UNKNOWN,) * size, data.documents or (UNKNOWN,) * size)
        for words in [_words("documents", dict.fromkeys(labels), is_file=False)]
    ]
    return "".join(f"{domain}\t{document}\n" for domain, document in zip(*columns, strict=True))


def _texts(path: str, key: str, texts: Sequence[str]) -> tuple[str, str]:
    """A file of texts: one per line, or one object per line where a text cannot be a line."""
    if any(_NO_LINE.search(text) for text in texts) or not any(text.strip() for text in texts):
        return f"{path}.jsonl", "".join(f"{json.dumps({key: text})}\n" for text in texts)
    return f"{path}.txt", "".join(f"{text}\n" for text in texts)


def _counts(data: EvalSet) -> Lengths:
    """The lengths of texts that are not there; those of outputs only if every system has them, as the layout wants."""
    known = data.lengths
    references = {name: counts for name, counts in known.references.items() if name not in data.references and counts}
    outputs = {name: counts for name, counts in known.outputs.items() if name not in data.outputs and counts}
    if outputs and not all(name in outputs for name in data.systems):
        warn("lengths: those of the outputs of some systems alone are not written", LeftOutWarning)
        outputs = {}
    return Lengths(() if data.sources else known.sources, references, outputs)
