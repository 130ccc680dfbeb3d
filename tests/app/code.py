"""The code that a page shows, run as it stands and as its notebook."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Mapping
from typing import Any

import tiekit as tk
from docsite.reference import NAMESPACES
from ui.work import downloads


def run(source: str) -> Any:
    """Run Python and return the value of its last line."""
    lines, names = ast.parse(source), {}
    last = lines.body.pop()
    exec(compile(lines, "code", "exec"), names)
    return eval(compile(ast.Expression(last.value), "code", "eval"), names)


def cells(text: str) -> str:
    """Return all code of a notebook."""
    return "\n".join(cell["source"] for cell in json.loads(text)["cells"] if cell["cell_type"] == "code")


def run_cells(text: str) -> Any:
    """Run a notebook's code in this process."""
    return run(cells(text))


def both(shown: Mapping[str, tuple[Any, ...]], part: str) -> list[Any]:
    """The values of the code as shown and of its notebook, for the code whose name ends so."""
    [name] = [name for name in shown if name.endswith(part)]
    call, data, load, lengths = shown[name]
    source, book = downloads.source(call, data, load), downloads.notebook(name, call, data, lengths=lengths)
    assert private_names(source) == private_names(cells(book)) == []
    return [run(source), run_cells(book)]


def private_names(source: str) -> list[str]:
    """What code imports or uses that no reader of the documentation would know."""
    tree, found = ast.parse(source), []
    allowed = {"numpy", *sys.stdlib_module_names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [a.name for a in node.names if a.name not in allowed and (a.name, a.asname) != ("tiekit", "tk")]
        if isinstance(node, ast.ImportFrom):
            found += [str(node.module)] * (str(node.module).split(".")[0] not in allowed)
        if isinstance(node, ast.Attribute):
            found += [ast.unparse(node)] * (node.attr.startswith("_") or not _is_public(node))
    return found


def _is_public(node: ast.Attribute) -> bool:
    """Whether `tk`, or one of its namespaces, offers an attribute or keeps it reachable; others are not looked at."""
    match ast.unparse(node.value).split("."):
        case ["tk"]:
            return node.attr in {*tk.__all__, *tk.INNER}
        case ["tk", namespace] if namespace in NAMESPACES:
            return node.attr in getattr(tk, namespace).__all__
    return True
