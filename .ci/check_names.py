"""Does a function or a module bear a bare participle as its name (`given`, `shown_first`)? A name is a noun or a verb.

    python .ci/check_names.py FOLDER_OR_FILE...

Classes, properties, fields and keyword arguments may; so may a question (`is_sorted`) and what names its noun or verb
too (`tied_pairs`, `count_tied`).
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

IRREGULAR = (
    "alone beside built chosen cut done drawn found given held hidden kept known laid left lost made met put read_out "
    "said seen sent set_out shown spent split_off spread_out taken told together thrown understood won worn written"
)
OTHERS = (
    "a again all and apart as at away before by each first for from here in into last now of off on once or out so "
    "that the then there to too up with within"
)
NOUNS = "bed embed exceed feed need proceed seed speed succeed weed"
PUBLIC = ("adjusted",)
"""Names that people use already: a method of `EvalSet`."""


def main(places: list[str]) -> int:
    """Print each such name; 1 if there is one."""
    found = 0
    for path in map(Path, places):
        for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
            for line, name in names_of(file):
                if is_bare_participle(name) and name not in PUBLIC:
                    print(f"{file}:{line}: {name} is a bare participle; name it by a noun or a verb")
                    found += 1
    return min(found, 1)


def names_of(file: Path) -> Iterator[tuple[int, str]]:
    """The names of a module and of its functions and methods, each with its line."""
    yield 1, file.stem
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not any(
            "property" in ast.unparse(decorator) for decorator in node.decorator_list
        ):
            yield node.lineno, node.name


def is_bare_participle(name: str) -> bool:
    """Whether a name holds a participle and no word that it could belong to."""
    words = name.strip("_").split("_")
    bare = [word in IRREGULAR.split() or is_regular(word) for word in words]
    return any(bare) and all(one or word in OTHERS.split() for one, word in zip(bare, words, strict=True))


def is_regular(word: str) -> bool:
    """Whether a word looks like a regular participle."""
    return bool(re.fullmatch(r"\w{2,}ed", word)) and word not in NOUNS.split()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
