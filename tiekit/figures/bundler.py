"""Which ES modules and style sheets are there, and how do many become one? Files, and formulas that Python writes.

In a bundle each module is in a scope of its own, after those that it imports. They keep to a part of the language that
two patterns read: ``import { a, b } from "./x.js";``, with a path that leads from the module's own folder to the other,
and ``export`` before the declaration of one function, class or constant, each at the beginning of a line. Every other
line that begins with one of the two words is refused, so that a bundle does what a browser does with the modules.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from tiekit.core.formula import SYMBOLS
from tiekit.core.registry import COEFFICIENTS

FOLDER = Path(__file__).parent

_NAME = r"[A-Za-z_$][\w$]*"
_PATH = r"(?:\./|(?:\.\./)+)(?:\w+/)*\w+\.js"
_IMPORT = re.compile(rf'^import \{{\s*({_NAME}(?:\s*,\s*{_NAME})*)\s*,?\s*\}} from "({_PATH})";$', re.MULTILINE)
_EXPORT = re.compile(rf"^export (default (?!const))?((?:async )?function\*?|class|const) ?({_NAME})?(.*)", re.MULTILINE)
_RULE = re.compile(r"^ *// -{20,}.*\n", re.MULTILINE)  # between parts of a file
_NOT_UNDERSTOOD = re.compile(r"^\s*(?:import|export)\b.*|^.*\bimport\s*[.(].*", re.MULTILINE)
_INNER = re.compile(r"\([^()]*\)|\{[^{}]*\}|\[[^\[\]]*\]")
_SECOND_CONSTANT = re.compile(rf",\s*{_NAME}\s*=[^=>]")


class BundleError(ValueError):
    """The modules cannot be bundled; the message names the one that is wrong."""


class _Module:
    """A module's text without its imports and exports, and what they were."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.variable = "$" + name.removesuffix(".js").replace("/", "_")
        self.exports: dict[str, str] = {}
        folder = posixpath.dirname(name)
        self.imports = [
            (posixpath.normpath(posixpath.join(folder, path)), re.findall(_NAME, names))
            for names, path in _IMPORT.findall(text)
        ]
        self.text = _EXPORT.sub(self._declaration, _RULE.sub("", _IMPORT.sub("", text))).strip()
        if found := _NOT_UNDERSTOOD.search(self.text):
            raise BundleError(f"{name}: cannot bundle {found.group().strip()!r}.")
        names = [one for _, names in self.imports for one in names]
        if twice := [one for one in names if names.count(one) > 1]:
            raise BundleError(f"{name}: {twice[0]} is imported twice.")

    def _declaration(self, found: re.Match[str]) -> str:
        default, keyword, name, rest = found.groups()
        if not (default or name) or (keyword == "const" and _SECOND_CONSTANT.search(_INNER.sub("", rest))):
            raise BundleError(f"{self.name}: cannot bundle {found.group()!r}; export one name at a time.")
        offered, declared = "default" if default else name, name or "$default"
        if offered in self.exports:
            raise BundleError(f"{self.name}: {offered} is exported twice.")
        self.exports[offered] = declared
        return f"{keyword} {declared}{rest}"

    def scope(self, modules: Mapping[str, _Module]) -> str:
        """The module as a constant that holds what it exports."""
        for source, names in self.imports:
            if missing := [name for name in names if name not in modules[source].exports]:
                raise BundleError(f"{self.name} imports {missing[0]}, which {source} does not export.")
        taken = [f"const {{ {', '.join(names)} }} = {modules[source].variable};" for source, names in self.imports]
        given = ", ".join(f"{offered}: {declared}" for offered, declared in self.exports.items())
        return "\n".join([f"const {self.variable} = (() => {{", *taken, self.text, f"return {{ {given} }};", "})();"])


def bundle(entry: str, modules: Mapping[str, str]) -> str:
    """Return one ES module that exports what the entry exports, of texts by path; what is not reached is left out.

    Raises BundleError where a module or an export is missing, modules import one another in a circle, or a statement is
    not understood.
    """
    found: dict[str, _Module] = {}

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise BundleError(f"Modules import one another in a circle: {' → '.join([*path, name])}.")
        if name in found:
            return
        if name not in modules:
            raise BundleError(f"There is no module {name}{f', which {path[-1]} imports' if path else ''}.")
        module = _Module(name, modules[name])
        for source, _ in module.imports:
            visit(source, (*path, name))
        found[name] = module

    visit(entry, ())
    top = found[entry]
    names = [name for name in top.exports if name != "default"]
    ends = [f"export const {{ {', '.join(names)} }} = {top.variable};"] if names else []
    ends += [f"export default {top.variable}.default;"] if "default" in top.exports else []
    return "\n\n".join([*(module.scope(found) for module in found.values()), *ends]) + "\n"


def modules() -> dict[str, str]:
    """Return the text of every module by its path."""
    return {**files(), "shared/formulas.js": formulas()}


@cache
def files() -> MappingProxyType[str, str]:
    """Return the text of the modules that are files, by path."""
    found = sorted(FOLDER.glob("*/*.js"))
    return MappingProxyType({path.relative_to(FOLDER).as_posix(): path.read_text(encoding="utf-8") for path in found})


@cache
def style(*folders: str) -> str:
    """Return the style sheets of one or more folders as one, after the one that all share."""
    sheets = [path for folder in ("shared", *folders) for path in sorted((FOLDER / folder).glob("*.css"))]
    return "".join(path.read_text(encoding="utf-8") for path in sheets)


def formulas() -> str:
    """Return a module with the formula of each present coefficient as it stands in Python, a function of the counts."""
    arguments = ", ".join(SYMBOLS)
    lines = [
        f"  {name}: ({arguments}) => {entry.formula.text},\n"
        for name, entry in COEFFICIENTS.items()
        if entry.formula is not None
    ]
    return f"const {{ sqrt }} = Math;\n\nexport const FORMULAS = {{\n{''.join(lines)}}};\n"
