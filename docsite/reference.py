"""What does each public name do? One page per namespace, made from its docstrings."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import ModuleType

import tiekit as tk
from tiekit.core import Plotted, Result, ResultOfScores

NAMESPACES = tuple(name for name in tk.__all__ if inspect.ismodule(getattr(tk, name)))
"""One for each further question."""

MODULES = ("tiekit", *(f"tiekit.{name}" for name in NAMESPACES))


OF_RESULTS = (Result, ResultOfScores, Plotted)
"""What all results can do: docs/results.md."""


def file_of(module: str) -> str:
    """Return the page of a namespace."""
    return f"reference/{module.removeprefix('tiekit').removeprefix('.') or 'tiekit'}.md"


def page(module: str) -> str:
    """Write the page of a namespace: what it is for, its names by kind, and the documentation of each."""
    namespace = import_module(module)
    elsewhere = tk.errors.__all__ if namespace is tk else ()  # each name has one page
    names = [name for name in namespace.__all__ if not name.startswith("__") and name not in elsewhere]
    entries = {name: getattr(namespace, name) for name in names}
    spaces = [name for name in names if inspect.ismodule(entries[name])]
    parts = [f"# {module}", f"::: {module}\n    options:\n      members: []\n      show_root_heading: false"]
    if spaces:
        parts.append("Namespaces: " + ", ".join(f"[`{module}.{name}`]({name}.md)" for name in spaces) + ".")
    kinds = {
        "Functions": [name for name in names if inspect.isroutine(entries[name])],
        "Classes": [name for name in names if inspect.isclass(entries[name]) and not _is_error(entries[name])],
        "Errors and warnings": [name for name in names if inspect.isclass(entries[name]) and _is_error(entries[name])],
    }
    kinds["Constants"] = [name for name in names if name not in spaces and name not in chain(*kinds.values())]
    for heading, listed in kinds.items():
        if listed:
            parts += [f"## {heading}", *(_entry(namespace, name, entries[name]) for name in listed)]
    return "\n\n".join(parts) + "\n"


def _is_error(value: type) -> bool:
    return issubclass(value, Exception)


def _entry(namespace: ModuleType, name: str, value: object) -> str:
    """Ask mkdocstrings for a class or function, where it is defined; write a constant from the string after it."""
    if inspect.isclass(value) or inspect.isroutine(value):
        options = f"heading: {name}\n      toc_label: {name}\n      heading_level: 3"
        if inspect.isclass(value) and (inherited := _other_methods(value)):
            options += f"\n      inherited_members: {inherited}"
        return f"::: {value.__module__}.{name}\n    options:\n      {options}"
    return f"### {name}\n\n{_string_after(namespace.__name__, name)}"


def _other_methods(value: type) -> list[str]:
    """The public methods that tiekit gives a class in another one; those of all results have a page of their own."""
    others = [base for base in value.__mro__[1:] if base.__module__.startswith("tiekit.") and base not in OF_RESULTS]
    return [name for base in others for name in vars(base) if not name.startswith("_") and not _is_error(value)]


def _source(module: str) -> str:
    """The text of a module, or of the stub that says where its names are."""
    file = Path(str(import_module(module).__file__))
    stub = file.with_suffix(".pyi")
    return (stub if stub.exists() else file).read_text(encoding="utf-8")


def _string_after(module: str, name: str) -> str:
    """Return what the string after a constant says; imports are followed to where it is given its value."""
    body = ast.parse(_source(module)).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.ImportFrom) and node.module and name in {alias.name for alias in node.names}:
            return _string_after(f"{module}.{node.module}" if node.level else node.module, name)
        named = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
        if isinstance(node, ast.Assign | ast.AnnAssign) and name in named:
            match after:
                case ast.Expr(ast.Constant(str(text))):
                    return inspect.cleandoc(text)
    raise KeyError(f"{module}.{name} is a constant without a string after it that says what it is")
