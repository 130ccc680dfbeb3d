"""Which ES modules are there? The files beside this one, and one that Python writes: tiekit's formulas."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import MappingProxyType

from tiekit.coefficients.formula import SYMBOLS
from tiekit.coefficients.registry import COEFFICIENTS

FOLDER = Path(__file__).parent


def modules() -> dict[str, str]:
    """Return the text of every module by its name."""
    return {**files(), "formulas.js": formulas()}


@cache
def files() -> MappingProxyType[str, str]:
    """Return the text of the modules that are files, by name."""
    return MappingProxyType({path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.js"))})


@cache
def style() -> str:
    """Return the style sheet of the toy lab."""
    return (FOLDER / "lab.css").read_text(encoding="utf-8")


def formulas() -> str:
    """Return a module with the formula of each present coefficient as it stands in Python, a function of the counts."""
    arguments = ", ".join(SYMBOLS)
    lines = [
        f"  {name}: ({arguments}) => {entry.formula.text},\n"
        for name, entry in COEFFICIENTS.items()
        if entry.formula is not None
    ]
    return f"const {{ sqrt }} = Math;\n\nexport const FORMULAS = {{\n{''.join(lines)}}};\n"
