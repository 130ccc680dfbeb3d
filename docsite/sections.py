"""How is text of another file shown on a page? A section of it, by its heading, so that nothing stands twice."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]


def section(file: str, heading: str) -> str:
    """Return what stands under a heading of the second level, without its subsections.

    Raises
    ------
    KeyError
        If the file has no such heading.
    """
    _, found, after = (ROOT / file).read_text(encoding="utf-8").partition(f"\n## {heading}\n")
    if not found:
        raise KeyError(f"{file} has no heading '## {heading}'")
    return after.split("\n## ")[0].split("\n### ")[0].strip()
