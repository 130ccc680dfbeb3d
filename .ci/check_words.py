"""Does a text of the app use a word that readers stumble over? data/words.toml lists them, with what to write "
"instead."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXTS = ("app.py", "pages/*.py", "ui/**/*.py", "tiekit/charts/*.py", "tiekit/figures/**/*.py", "tiekit/figures/**/*.js")
DATA = ("data/*.toml", "data/scenes/*.toml", "data/papers/*.toml", "README.md", "docs/*.md")
COMMENT = re.compile(r"^\s*(//|/?\*).*$|(?<=[\s;])// .*$", re.MULTILINE)


def main() -> int:
    """Print each place where a word stands, and return how many there are, at most 1."""
    entries = tomllib.loads((ROOT / "data" / "words.toml").read_text(encoding="utf-8"))["word"]
    words = [(re.compile(entry["pattern"], re.IGNORECASE), entry["write"]) for entry in entries]
    found = 0
    for file in sorted(file for pattern in (*TEXTS, *DATA) for file in ROOT.glob(pattern)):
        if file.name == "words.toml":
            continue
        for line, text in _texts(file):
            for pattern, write in words:
                for hit in pattern.finditer(text):
                    at = line + text[: hit.start()].count("\n")
                    print(f"{file.relative_to(ROOT)}:{at}: “{hit[0]}”. Write: {write}")
                    found += 1
    return min(found, 1)


def _texts(file: Path) -> Iterator[tuple[int, str]]:
    """The texts of a file that people read, each with its first line; of Python all strings but docstrings."""
    content = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        yield 1, COMMENT.sub("", content) if file.suffix == ".js" else content
        return
    tree = ast.parse(content)
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in silent:
            yield node.lineno, node.value


if __name__ == "__main__":
    sys.exit(main())
