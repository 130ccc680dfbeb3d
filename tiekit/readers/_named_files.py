"""Which file of a folder is which? Human scores, scores of metrics and texts, by their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from tiekit.base.errors import shown
from tiekit.base.names import MOST_LISTED, as_names, find_name, known_names
from tiekit.readers._text import File, Files

SUFFIX = ".seg.score"
SUFFIXES = {"segment": SUFFIX, "system": ".sys.score"}
"""How the names of score files end, by the level of their scores."""


def texts(files: Files, pattern: str, prefix: str = "") -> dict[str, File]:
    """Text files by name; ``.txt`` comes before ``.jsonl``."""
    objects, plain = files.find(f"{pattern}.jsonl"), files.find(f"{pattern}.txt")
    return named(objects, prefix, ".jsonl") | named(plain, prefix, ".txt")


def named(files: Sequence[File], prefix: str, ending: str) -> dict[str, File]:
    """Files by their name without prefix and ending."""
    named = {file.base.removeprefix(prefix).removesuffix(ending): file for file in files}
    return dict(sorted(named.items()))


def chosen(argument: str, wanted: str | Iterable[str] | None, files: Mapping[str, File]) -> dict[str, File]:
    """The files that are asked for; None is all."""
    if wanted is None:
        return dict(files)
    names = [find_name(argument, name, files) for name in as_names(wanted, argument)]
    return {name: files[name] for name in names}


def rated(files: Files, suffix: str = SUFFIX) -> set[tuple[str, str]]:
    """Test sets and language pairs with human scores."""
    found = files.find(f"*/human-scores/*{suffix}")
    return {(file.name.split("/")[0], file.base.split(".")[0]) for file in found}


def scored(files: Files, suffix: str = SUFFIX) -> set[tuple[str, str]]:
    """Test sets and language pairs with scores of metrics."""
    found = files.find(f"*/metric-scores/*/*{suffix}")
    return {(file.name.split("/")[0], file.name.split("/")[2]) for file in found}


def not_there(files: Files, testset: str, language_pair: str, suffix: str) -> str:
    """What to say of a test set or a language pair that does not exist, or that lacks one kind of scores."""
    with_human, with_metrics = rated(files, suffix), scored(files, suffix)
    wanted = (testset, language_pair)
    if wanted in with_metrics:
        which = "any language pair" if all(name != testset for name, _ in with_human) else repr(language_pair)
        problem = f"{testset} has metric scores, but no human scores of {which}"
        return f"{problem}; put them into {testset}/human-scores/{language_pair}.NAME{suffix}, or take another test set"
    if wanted in with_human:
        expected = f"expected {testset}/metric-scores/{language_pair}/NAME-REF{suffix}"
        return f"{testset} has human scores of {shown(language_pair)}, but no metric scores; {expected}"
    found: dict[str, list[str]] = defaultdict(list)
    for name, pair in sorted(with_human & with_metrics):
        found[name].append(pair)
    if testset in found:
        pairs = known_names(found[testset])
        return f"{testset} has no human and metric scores of {shown(language_pair)}; found: {pairs}"
    listed = "; ".join(f"{name} ({known_names(pairs)})" for name, pairs in list(found.items())[:MOST_LISTED])
    if not listed and suffix != SUFFIXES["segment"] and (testset, language_pair) in rated(files) & scored(files):
        problem = f"{testset} has scores of segments of {shown(language_pair)}, but no files *{suffix}"
        return f"{problem}; read these with level='segment'"
    listed = listed or f"none (expected TESTSET/human-scores/*{suffix} and TESTSET/metric-scores/*/*{suffix})"
    return f"there is no test set {shown(testset)}; found: {listed}"
