"""What does each term mean? The glossary of the app, as a page."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

DATA = Path(__file__).parents[1] / "data" / "glossary.toml"


def terms() -> str:
    """Write one heading per term, in alphabetical order, with its meaning and source."""
    entries = tomllib.loads(DATA.read_text(encoding="utf-8"))
    return "\n\n".join(_entry(term, entries[term]) for term in sorted(entries, key=str.casefold))


def _entry(term: str, entry: dict[str, str | list[str]]) -> str:
    also = f"*Also: {', '.join(map(_plain, entry['also']))}.* " if entry.get("also") else ""
    return (
        f"### {_plain(term)}\n\n{also}{_plain(str(entry['meaning']))}\n\n<small>{_plain(str(entry['source']))}</small>"
    )


def _plain(text: str) -> str:
    """Write plain text so that Markdown shows every character of it."""
    return re.sub(r"([\\`*_{}\[\]<>#|])", r"\\\1", text)
