"""How do steps of messages read files? All of a folder, each as its cells are divided."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from tiekit.base.errors import InputError, ReadError
from tiekit.readers._source import ResolvedSource, file_stem, head_of
from tiekit.sets.evalset import SINGLE_SYSTEM

_READS = re.compile(r"(?<=\.read_csv\()(path|PATH)(, sep='[^']+')?(?![^()]*\bsep=)")
_COMMA, _POINT = re.compile(r"\d,\d"), re.compile(r"\d\.\d")

_ONE_OF_ALL = re.compile(r"pass those with the scores, such as json\.load\(open\(PATH\)\)((\['[^']+'\])+), in Python")
"""What is said of the rows of one file."""


def with_steps(
    error: InputError | ReadError, given: ResolvedSource, paths: Mapping[str, str]
) -> InputError | ReadError:
    """An error in files, with the path of its file, and steps that read these; ``paths`` are names before unpacking."""
    if not isinstance(error, ReadError):
        return InputError(_mend(str(error), given))
    path = paths.get(error.path, error.path)
    name = given.path(path) if path in given.files else path
    return ReadError(name, _mend(error.problem, given), line=error.line)


def _mend(told: str, given: ResolvedSource) -> str:
    """What is told of files, with steps that divide cells as the files do, and that read all files of a folder."""
    tables = [name for name in given.files if Path(name).suffix.lower() in (".csv", ".tsv")]
    first = next(iter(tables or given.files))
    if ".read_csv(" in told:
        top = head_of(given.first(first)).decode("utf-8", "replace")
        mark = next((mark for mark in "\t;," if mark in top.partition("\n")[0]), ",")
        more = f", sep={mark!r}" * (mark != ",")
        more += ", decimal=','" * (mark != "," and bool(_COMMA.search(top)) and not _POINT.search(top))
        told = _READS.sub(lambda found: found[1] + more, told)
    if len(given.files) > 1 and (step := _ONE_OF_ALL.search(told)):
        paths = f"sorted(pathlib.Path(FOLDER).glob('*{Path(first).suffix}'))"
        rows = f"{{path.stem: json.load(open(path)){step[1]} for path in {paths}}}"
        told = told.replace(step[0], f"in Python, pass {rows}")
    return told


_READ = {
    ".json": "json(path, precise_float=True)",
    ".jsonl": "json(path, lines=True, precise_float=True)",
    ".tsv": "csv(path, sep='\\t')",
    ".xlsx": "excel(path)",
    ".csv": "csv(path)",
}
"""How pandas reads files by their endings."""


def advise_files(systems: Mapping[str, Sequence[str]], *, is_nameless: bool) -> str:
    """How files with these systems, which lack segments of each other, are passed together, or one by one."""
    names = [name.removesuffix(".tsv") if ".xlsx" in name.lower() else name for name in systems]
    endings, every = {Path(name).suffix.lower() for name in names}, [one for some in systems.values() for one in some]
    if is_nameless or len(endings) > 1 or not endings <= _READ.keys():
        return "give each a row for every segment, without a score where there is none"
    [ending] = endings
    paths, one = f"sorted(pathlib.Path(FOLDER).glob('*{ending}'))", f"pandas.read_{_READ[ending]}"
    if len(every) == len(systems) and {*every} <= {SINGLE_SYSTEM, *map(file_stem, systems)}:
        one += ".assign(system=path.stem)"
    elif len({*every}) < len(every):
        return f"add one by one, for path in {paths}: data = data.with_scores(path, name=path.stem) (or with_human)"
    return f"in Python, pass pandas.concat([{one} for path in {paths}], ignore_index=True)"


def leave_out(kinds: Mapping[str, object]) -> str:
    """How the files of a folder are passed without the only one of another kind than all others; empty elsewhere."""
    counted = Counter(kinds.values())
    odd = [name for name, kind in kinds.items() if counted[kind] == 1]
    if len(odd) != 1 or len(counted) != 2 or len(kinds) < 3 or "/" in odd[0]:
        return ""
    others = f"[path for path in sorted(pathlib.Path(FOLDER).glob('*')) if path.name != {odd[0]!r}]"
    return f"leave {odd[0]} out if it holds no scores of segments, but means: in Python, pass {others}"
