"""How is a test set in the layout of mt-metrics-eval read, as one comes with tiekit, and score files without it?"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Literal, TypeAlias

from tiekit.base.errors import InputError, LeftOutWarning, ReadError, warn
from tiekit.base.names import as_names
from tiekit.readers._layout import (
    STANDARD,
    SUFFIXES,
    Layout,
    assemble,
    choose_metrics,
    choose_primary,
    explain_absence,
    files_by_name,
    pairs_with_human_scores,
    pairs_with_metric_scores,
    reference_names,
    select_files,
    text_files,
)
from tiekit.readers._questions import Choice, Choices, Format, Upload
from tiekit.readers._source import GZIP, Files, Source, check_source, describe_files
from tiekit.readers.facts import testset_facts
from tiekit.sets.evalset import Decimals, EvalSet

NO_TESTSET = (
    "There is no test set in this folder; expected TESTSET/human-scores/SRC-TGT.NAME.seg.score and "
    "TESTSET/metric-scores/SRC-TGT/NAME-REF.seg.score (wmt24pp has no human scores)"
)
"""What to say of a folder that holds no test set."""

_LIKELY_HUMAN = re.compile(r"(.+\.)?(human|mqm|esa|gold|da|wmt)\b", re.IGNORECASE)
_LAYOUT_FOLDERS = {
    "human-scores",
    "metric-scores",
    "documents",
    "sources",
    "references",
    "system-outputs",
    "lengths",
    "identical",
}

Level: TypeAlias = Literal["segment", "system"]

PAIR = re.compile(r"([a-z]{2,3}(?:_\w+)?-[a-z]{2,3}(?:_\w+)?)\.(?!(seg|sys)\.score$)")


def list_mtme(root: Source) -> dict[str, tuple[str, ...]]:
    """List the test sets in a folder with their language pairs.

    Parameters
    ----------
    root : path, or mapping of str to bytes
        The folder or the files, see `read_mtme`.

    Returns
    -------
    dict of str to tuple of str
        The language pairs that have human and metric scores of segments, by test set.

    Raises
    ------
    ReadError
        If there is no such folder.

    Examples
    --------
    >>> list_mtme({"v2/toy/human-scores/en-de.mqm.seg.score": b"A 1",
    ...            "v2/toy/metric-scores/en-de/BLEU-refA.seg.score": b"A 2"})
    {'toy': ('en-de',)}
    """
    files = Files(root)
    both = pairs_with_human_scores(files) & pairs_with_metric_scores(files)
    found = defaultdict(list)
    for testset, language_pair in sorted(both):
        found[testset].append(language_pair)
    return {testset: tuple(pairs) for testset, pairs in found.items()}


def read_mtme(
    root: Source,
    testset: str,
    language_pair: str,
    *,
    human: str | Iterable[str] | None = None,
    metrics: str | Iterable[str] | None = None,
    references: str | Iterable[str] = STANDARD,
    primary: bool = False,
    level: Level = "segment",
    strict: bool = False,
    lower_is_better: str | Iterable[str] = (),
    decimals: Decimals | None = None,
) -> EvalSet:
    """Read one language pair of a test set in the layout of mt-metrics-eval v2.

    Segment scores are read (``*.seg.score``: lines SYSTEM SCORE; those of a system are in the order of the segments,
    and lines of other systems may stand between them), and documents, sources, references and outputs if they exist.
    ``None``, ``null``, ``nan`` and ``NA`` are missing scores. A system that a file lacks is a row of missing scores. Of
    a line of documents, the first two fields count. A text that is ``null`` or ``[No translation supplied]`` is empty.
    Files may be compressed (``*.seg.score.gz``). Lengths of texts that are not there are read from
    ``lengths/LANGUAGE-PAIR.tsv``, a table of characters with the columns ``sources``, ``references/NAME`` and
    ``system-outputs/NAME`` and one line per segment; which outputs are identical from ``identical/LANGUAGE-PAIR.tsv``,
    with a column a system and the same number for the same text of a line. The first segment of wmt24 is
    left out where its source is the canary, which was rated like a translation.

    Parameters
    ----------
    root : path, or mapping of str to bytes
        The folder that holds the folder of the test set, or files by path
        (``"wmt22/human-scores/zh-en.mqm.seg.score"``; folders before that are ignored).
    testset, language_pair : str
        Names such as ``wmt22`` and ``zh-en``, or ``wmt25`` and ``en-sr_Cyrl_RS``.
    human, metrics : str or iterable of str, optional
        Names of the scores to read (``COMET-22`` where only ``COMET-22-refA`` fits); None reads all human scores, and
        the metrics that ``references`` and ``primary`` let in.
    references : {"standard", "all"} or names of references
        Read the metrics that use no other reference than these, as their names say (``-refA``, ``-refA.refB``,
        ``-all``; ``-src`` uses none). Where the standard reference is not known, ``"standard"`` is ``"all"``. A single
        name becomes the standard reference of the set.
    primary : bool
        Read only the primary and the baseline metrics of a shared task, as `primary_metrics` knows them.
    level : {"segment", "system"}
        ``"system"`` reads the scores of whole systems (``*.sys.score``, one line per system) as one segment ``all``,
        without documents and texts. They are those that were submitted, which need not be means of segments; compare
        them by ``grouping="system_means"``.
    strict : bool
        Refuse the set where the file of a metric breaks a rule, or lacks a system that is not among the references
        that it uses. Otherwise such a metric is left out with a warning, or has a row of missing scores, and the notes
        say so.
    lower_is_better : str or iterable of str
        Human scores and metrics to negate, so that higher is better.
    decimals : int, or mapping of str to int, optional
        Round all scores to this many decimals, or those of a name (``{"mqm": 6}``).

    Returns
    -------
    EvalSet
        Systems are sorted if there are outputs, and otherwise in the order of the score files. Segments are named by
        their line. Standard reference, outliers and gold score come from tiekit's table of WMT test sets. A test set
        that is not in the table has no outliers; its standard reference is the one that all names of metrics agree on
        (if it is a row), its gold score the only human score, or ``mqm``, or ``esa-human1``. The notes say what was not
        read and why.

    Raises
    ------
    ReadError
        If a file of human scores or texts breaks a rule, or that of every metric (the message names file and line), or
        if the test set or the pair does not exist (the message lists those that do) or has no human scores.
    InputError
        If a human score, a metric or a reference does not exist, or if the primary metrics of a set are not known.

    Warns
    -----
    LeftOutWarning
        For each metric that is left out because its file breaks a rule; with file, line and reason.

    References
    ----------
    The layout: github google-research/mt-metrics-eval, "File organization". The canary: github
    wmt-conference/wmt24-news-systems, humeval.

    Examples
    --------
    >>> files = {"toy/human-scores/en-de.mqm.seg.score": b"A -1\\nA None\\nB 0\\nB -5\\n",
    ...          "toy/metric-scores/en-de/BLEU-refA.seg.score": b"B 30\\nB 10\\nA 20.5\\nA 7\\n"}
    >>> data = read_mtme(files, "toy", "en-de")
    >>> data.systems, data.gold
    (('A', 'B'), 'mqm')
    >>> data.metrics["BLEU-refA"]
    array([[20.5,  7. ],
           [30. , 10. ]])
    """
    for argument, value in (("testset", testset), ("language_pair", language_pair)):
        if not (isinstance(value, str) and re.fullmatch(r"\w[\w.+-]*", value)):
            raise InputError(f"{argument}: expected a plain name such as wmt22 or zh-en, found {value!r}")
    if not isinstance(primary, bool):
        raise InputError(f"primary: must be True or False, found {primary!r}")
    if not (isinstance(level, str) and level in SUFFIXES):
        raise InputError(f"level: must be one of {', '.join(SUFFIXES)}, found {level!r}")
    files, suffix, whole = Files(root), SUFFIXES[level], level == "system"
    people = files_by_name(files.find(f"{testset}/human-scores/{language_pair}.*{suffix}"), f"{language_pair}.", suffix)
    others = files_by_name(files.find(f"{testset}/metric-scores/{language_pair}/*{suffix}"), "", suffix)
    if not people or not others:
        raise ReadError(files.root, explain_absence(files, testset, language_pair, suffix))
    facts = testset_facts(testset, language_pair)
    translated = text_files(files, f"{testset}/references/{language_pair}.*", f"{language_pair}.")
    wanted = reference_names(references, facts.standard_reference if facts else None)
    metric_files, notes = choose_metrics(others, metrics, wanted, tuple(translated))
    if primary and metrics is None:
        metric_files, more = choose_primary(metric_files, testset, language_pair)
        notes += more
    layout = Layout(
        files,
        human=select_files("human", human, people),
        metrics=metric_files,
        documents=None if whole else next(iter(files.find(f"{testset}/documents/{language_pair}.docs")), None),
        sources=None if whole else text_files(files, f"{testset}/sources/{language_pair}").get(language_pair),
        references={} if whole else translated,
        outputs={} if whole else text_files(files, f"{testset}/system-outputs/{language_pair}/*"),
        lengths=None if whole else next(iter(files.find(f"{testset}/lengths/{language_pair}.tsv")), None),
        identical=None if whole else next(iter(files.find(f"{testset}/identical/{language_pair}.tsv")), None),
        facts=facts,
        standard=wanted[0] if wanted and len(wanted) == 1 else facts.standard_reference if facts else None,
        whole=whole,
        strict=strict,
    )
    data = assemble(layout, testset, language_pair, notes)
    return data.adjusted(lower_is_better=lower_is_better, decimals=decimals)


def read_score_files(
    files: Mapping[str, bytes],
    *,
    human: str | Iterable[str],
    strict: bool = False,
    lower_is_better: str | Iterable[str] = (),
    decimals: Decimals | None = None,
    name: str = "score files",
) -> EvalSet:
    """Read score files without the folders of a test set.

    Parameters
    ----------
    files : mapping of str to bytes
        Files ``NAME.seg.score`` with lines as in `read_mtme`, and optionally one ``.docs`` file with one line
        DOMAIN DOCUMENT per segment. Or files ``NAME.sys.score`` with one line per system, which become one segment
        ``all``; beside scores of segments they are left out.
    human : str or iterable of str
        The files of human scores. ``zh-en.mqm.seg.score`` becomes ``mqm`` of the language pair ``zh-en``. There may be
        no others, and then no metric is read.
    strict : bool
        Refuse the files where that of a metric breaks a rule or lacks a system; otherwise as in `read_mtme`.
    lower_is_better : str or iterable of str
        Names (without ``.seg.score``) of scores to negate, so that higher is better.
    decimals : int, or mapping of str to int, optional
        Round all scores to this many decimals, or those of a name (``{"mqm": 6}``).
    name : str
        Name of the set.

    Returns
    -------
    EvalSet

    Raises
    ------
    ReadError
        If a file of human scores breaks a rule, or that of every metric; the message names file and line. A file
        ``.seg.score`` whose lines all begin with another word is refused too: it holds scores of whole systems, or
        lacks the systems.
    InputError
        If a file of human scores is not among the files.

    Warns
    -----
    LeftOutWarning
        For each metric that is left out because its file breaks a rule, and for scores of whole systems beside those
        of segments.

    Examples
    --------
    >>> files = {"en-de.mqm.seg.score": b"A 1\\nA 2\\nB 2\\nB 0\\n", "chrF.seg.score": b"A 3\\nA 4\\nB 5\\nB 6\\n"}
    >>> data = read_score_files(files, human="en-de.mqm.seg.score")
    >>> data.language_pair, list(data.human), list(data.metrics)
    ('en-de', ['mqm'], ['chrF'])
    """
    if not isinstance(files, Mapping):
        raise InputError(f"files: expected bytes by the name of their file, found {type(files).__name__}")
    check_source("files", files)
    human = as_names(human, "human")
    files, suffix = _of_one_level(files, human, name)
    found = Files(files)
    scores = {file.path: file for file in found.find(f"*{suffix}")}
    is_whole = suffix == SUFFIXES["system"]
    documents = [] if is_whole else found.find("*.docs")
    if not scores:
        raise ReadError(documents[0].path if documents else "files", f"is no score file; add files NAME{suffix}")
    if len(documents) > 1:
        raise ReadError(documents[1].path, f"is a second .docs file beside {documents[0].path}; keep one of them")
    people = select_files("human", human, scores)
    others = files_by_name([file for path, file in scores.items() if path not in people], "", suffix)
    pairs = {match[1] for file in people.values() if (match := PAIR.match(file.base))}
    language_pair = pairs.pop() if len(pairs) == 1 else ""
    layout = Layout(
        found,
        human=files_by_name(list(people.values()), f"{language_pair}.", suffix),
        metrics=others,
        documents=next(iter(documents), None),
        whole=is_whole,
        strict=strict,
    )
    data = assemble(layout, name, language_pair, [])
    return data.adjusted(lower_is_better=lower_is_better, decimals=decimals)


def _of_one_level(files: Mapping[str, bytes], human: str | Iterable[str], name: str) -> tuple[Mapping[str, bytes], str]:
    """The files of segments, or those of whole systems where there are no others, and how their names end."""
    suffix = next((one for one in SUFFIXES.values() if _ending_in(files, one)), SUFFIXES["segment"])
    whole = _ending_in(files, SUFFIXES["system"]) if suffix != SUFFIXES["system"] else []
    for path in set(files).difference(whole, _ending_in(files, suffix, ".docs")):
        raise ReadError(path, f"has an unknown ending; expected NAME{suffix} for scores, NAME.docs for documents")
    for path in set(whole).intersection(as_names(human, "human")):
        beside = f"stand beside those of segments ({_ending_in(files, suffix)[0]}); give files of one kind"
        raise ReadError(path, f"its scores of whole systems {beside}")
    if whole:
        told = "as they hold scores of whole systems, and others hold those of segments"
        warn(f"{name}: left out {describe_files(whole)}, {told}", LeftOutWarning)
    return {path: content for path, content in files.items() if path not in whole}, suffix


def _ending_in(names: Iterable[str], *endings: str) -> list[str]:
    """The files whose names have one of these endings, compressed or not."""
    return [name for name in names if name.removesuffix(GZIP).endswith(endings)]


def _ask_layout(files: Upload, chosen: Choices) -> Iterator[Choice]:
    """Ask for test set and language pair."""
    found = list_mtme(files)
    if not found:
        raise InputError(NO_TESTSET)
    yield Choice("testset", "Test set", tuple(found), (), "upload_testset", several=False)
    yield Choice("language_pair", "Language pair", found[chosen["testset"]], (), "upload_pair", several=False)


def _layout_code(_files: Upload, chosen: Choices) -> str:
    """The call of `read_mtme`."""
    folder = f"folder that holds {chosen['testset']}"
    return f"tk.read_mtme({folder!r}, {chosen['testset']!r}, {chosen['language_pair']!r})"


def _is_scores(name: str, _head: bytes) -> bool:
    """Whether a file is a score file or a list of documents."""
    return bool(_ending_in([name], *SUFFIXES.values(), ".docs"))


def _ask_scores(files: Upload, _chosen: Choices) -> Iterator[Choice]:
    """Ask which files hold human scores."""
    names = tuple(next(filter(None, (_ending_in(files, one) for one in SUFFIXES.values())), []))
    likely = tuple(name for name in names if _LIKELY_HUMAN.match(name))
    needed = "Say which file holds the human scores."
    yield Choice("human", "Which files hold human scores?", names, likely, "human_files", needed=needed)


def _scores_code(files: Upload, chosen: Choices) -> str:
    """The call of `read_score_files`."""
    read = f"{{name: open(name, 'rb').read() for name in {list(files)!r}}}"
    return f"tk.read_score_files({read}, human={chosen['human']!r})"


FORMAT = Format(
    name="mtme",
    label="a folder in mt-metrics-eval layout",
    upload="The folder",
    several="directory",
    recognizes=lambda name, _: not _LAYOUT_FOLDERS.isdisjoint(PurePosixPath(name).parts[:-1]),
    read=read_mtme,
    asks=_ask_layout,
    code=_layout_code,
)

SCORE_FILES = Format(
    name="scores",
    label=".seg.score files",
    upload="The score files",
    several=True,
    recognizes=_is_scores,
    read=read_score_files,
    asks=_ask_scores,
    code=_scores_code,
)
