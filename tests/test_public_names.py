"""Public are the names in `__all__` of tiekit and its namespaces: each is there, says what it is, and no other is."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from functools import cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

import tiekit as tk
from docsite.reference import NAMESPACES

ROOT = Path(__file__).parents[1]
MODULES = ["tiekit", *(f"tiekit.{name}" for name in NAMESPACES)]


def assigned_names(statement: ast.stmt) -> set[str]:
    """The names to which a statement gives a value."""
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        return {
            node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
    return set()


@cache
def documented_constants() -> set[str]:
    """Names of the library that are given a value, with a string that says what it is right after."""
    found = set()
    for path in (ROOT / "tiekit").rglob("*.py"):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for assigned, after in pairwise(body):
            if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
                found |= assigned_names(assigned)
    return found


MOST_NAMES = 45
"""Maximum number of names that `tiekit` offers, errors and warnings apart."""


@pytest.mark.parametrize("module", MODULES)
def test_no_name_stands_twice(module: str) -> None:
    names = list(import_module(module).__all__)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("module", MODULES)
def test_a_public_name_can_be_imported_and_says_what_it_is(module: str) -> None:
    offered = {name: getattr(import_module(module), name) for name in import_module(module).__all__}
    silent = [name for name, value in offered.items() if not said_of(name, value)]
    assert silent == []


def said_of(name: str, value: object) -> str | None:
    """The documentation of a class, a function or a module, or the name of a constant that has one."""
    if inspect.isclass(value) or inspect.isroutine(value) or inspect.ismodule(value):
        return value.__doc__
    return name if name in documented_constants() else None


def test_a_name_without_documentation_would_be_seen() -> None:
    assert not said_of("f", lambda: 0)
    assert not said_of("NO_SUCH_NAME", 1)


def test_namespaces_are_loaded_when_they_are_first_used() -> None:
    show = f"print(*(name for name in sys.modules if name in {MODULES[1:]!r}))"
    code = f"import sys, tiekit\n{show}\nprint(tiekit.judgments.__name__)\n{show}"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    first, name, then, *_ = done.stdout.split("\n")
    assert (first, name) == ("", "tiekit.judgments")
    assert "tiekit.judgments" in then.split()


def test_there_is_no_other_name() -> None:
    assert dir(tk) == sorted(tk.__all__)
    assert len([name for name in tk.__all__ if name not in tk.errors.__all__]) <= MOST_NAMES
    with pytest.raises(AttributeError, match="attribute permutation_test"):
        tk.permutation_test  # noqa: B018
