"""What does this word mean? A definition in two sentences at a term's first use on a page."""

from __future__ import annotations

import tomllib
from functools import cache

from ui.page import papers
from ui.work import presets
from ui.work.presets import DATA

CSS = """
:host { --width: min(26rem, 100vw - 2rem); font-size: 0.875rem; line-height: 1.6; color: var(--st-text-color); }
section { display: flex; flex-wrap: wrap; align-items: baseline; column-gap: 0.75rem; }
button {
    font: inherit; color: inherit; background: none; border: 0; padding: 0.1rem 0.25rem; min-height: 1.75rem;
    border-radius: 0.5rem; cursor: pointer; text-decoration: underline dotted; text-underline-offset: 0.25em;
}
button:hover { color: var(--st-link-color); }
button:focus-visible { outline: 2px solid; outline-offset: -2px; }
[popover] {
    position: fixed; inset: auto; margin: 0; padding: 0.75rem 1rem; box-sizing: border-box;
    width: var(--width); left: clamp(1rem, var(--left), 100vw - 1rem - var(--width));
    color: var(--st-text-color); background: var(--st-background-color);
    border: 1px solid; border-radius: 0.5rem; overflow-wrap: anywhere;
}
[popover]:popover-open { display: block; }
[popover]:not(:popover-open) { display: none; }
p { margin: 0.5rem 0 0; }
"""

_terms = presets.component("tiekit_terms", "page/terms.js", "<section></section>", CSS)


@cache
def definitions() -> dict[str, dict[str, str]]:
    """Return meaning and source of every term, by each of its names."""
    entries = tomllib.loads((DATA / "glossary.toml").read_text(encoding="utf-8"))
    return {name: entry for term, entry in entries.items() for name in (term, *entry.get("also", ()))}


def terms(*names: str) -> None:
    """Show a row of terms of data/glossary.toml, each of which opens its definition, with the keyboard too.

    No two rows on a page start with the same term.
    """
    entries = [(name, definitions()[name]) for name in names]
    data = [
        {"name": name, "meaning": entry["meaning"], "source": papers.with_version(entry["source"])}
        for name, entry in entries
    ]
    _terms(key=f"terms from {names[0]}", data=data)
