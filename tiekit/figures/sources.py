"""Which ES modules and style sheets are there? Files in these folders, and the formulas, which Python writes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import MappingProxyType

from tiekit.core.formula import SYMBOLS
from tiekit.core.registry import COEFFICIENTS

FOLDER = Path(__file__).parent


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
