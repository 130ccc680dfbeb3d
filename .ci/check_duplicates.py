"""Report lines of code that stand twice: of Python by pylint's search for duplicate code, of JavaScript by one here.

    python .ci/check_duplicates.py FOLDER_OR_FILE...

Comments, docstrings, imports and signatures are ignored. `pylint` itself first infers what every name means; this
search never asks, and without it takes a tenth of the time.
"""

from __future__ import annotations

import io
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from itertools import combinations
from pathlib import Path

from astroid import MANAGER, nodes
from astroid.builder import AstroidBuilder
from pylint.checkers.symilar import Symilar

MAY_STAND_TWICE = 5
"""Maximum number of equal lines of Python; what is longer is reported."""

MAY_STAND_TWICE_IN_JAVASCRIPT = 10
"""Maximum number of equal lines of JavaScript in two files; lines of brackets alone are not counted."""

COMMENT = re.compile(r"/\*[\s\S]*?\*/|(?<![:\"'`])//.*$", re.MULTILINE)
NAMES = re.compile(r"^__all__ = \[[^\]]*\]", re.MULTILINE)  # two faces may offer the same names
IMPORT = re.compile(r"^(import|export) [^;]*? from [^;]*;$", re.MULTILINE)


class Reader(AstroidBuilder):
    """Reads code without inferring what its names mean."""

    def delayed_assattr(self, node: nodes.AssignAttr) -> None:
        """Leave an attribute alone."""


def main(places: list[str]) -> int:
    """Print what stands twice; 1 if anything does."""
    found = [[path] if path.is_file() else sorted(path.rglob("*.py")) for path in map(Path, places)]
    if not all(found):
        sys.exit(f"one of {places} holds no Python")
    search = Symilar(
        min_lines=MAY_STAND_TWICE,
        ignore_comments=True,
        ignore_docstrings=True,
        ignore_imports=True,
        ignore_signatures=True,
    )
    for file in (file for files in found for file in files):
        text = NAMES.sub(lambda hit: "\n" * hit[0].count("\n"), file.read_text(encoding="utf-8"))
        tree = Reader(MANAGER, apply_transforms=False).string_build(text)
        search.append_stream(str(file), io.StringIO(text), tree=tree)
    report = io.StringIO()
    with redirect_stdout(report):
        search.run()
    twice = [] if "duplicates=0 " in report.getvalue() else [report.getvalue()]
    scripts = sorted(file for path in map(Path, places) for file in path.rglob("*.js"))
    twice += repeats({str(file): file.read_text(encoding="utf-8") for file in scripts}, MAY_STAND_TWICE_IN_JAVASCRIPT)
    print("".join(twice), end="")
    return min(len(twice), 1)


def repeats(scripts: Mapping[str, str], longest: int) -> list[str]:
    """Say which runs of more than ``longest`` lines two of these scripts share, the longest run once."""
    code = {name: list(lines_of(text)) for name, text in scripts.items()}
    places: dict[tuple[str, ...], list[tuple[str, int]]] = defaultdict(list)
    for name, lines in code.items():
        for start in range(len(lines) - longest):
            places[tuple(text for _, text in lines[start : start + longest + 1])].append((name, start))
    pairs = {(one, other) for found in places.values() for one, other in combinations(found, 2) if one[0] != other[0]}
    said = []
    for (one, start), (other, at) in sorted(pairs):
        if ((one, start - 1), (other, at - 1)) in pairs:
            continue  # the run began above
        more = 0
        while ((one, start + more + 1), (other, at + more + 1)) in pairs:
            more += 1
        first, second = code[one][start][0], code[other][at][0]
        said.append(f"{longest + 1 + more} lines stand twice: {one}:{first} and {other}:{second}\n")
    return said


def lines_of(script: str) -> Iterator[tuple[int, str]]:
    """The lines of a script that say something, with their numbers: no comment, import or bracket alone."""
    bare = COMMENT.sub(lambda hit: "\n" * hit[0].count("\n"), IMPORT.sub(lambda hit: "\n" * hit[0].count("\n"), script))
    for number, line in enumerate(bare.splitlines(), 1):
        if re.search(r"\w", line):
            yield number, " ".join(line.split())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
