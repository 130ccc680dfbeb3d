"""Which lines of a table are drawn? Those of Markdown, and of databases that print tables."""

from __future__ import annotations

import re

_EDGES = re.compile(r"^\||\|$", re.MULTILINE)

_BORDER, _BELOW_NAMES = re.compile(r"\+[-=+]+\+"), re.compile(r"-+\+[-+]*")
"""The first line of a table of MySQL, the second of one of PostgreSQL: rules have a + where columns meet."""

_LINES = re.compile(r"^(?:[-+][-=+]+|\(?\d+ rows?\b.*)$", re.MULTILINE)
"""Its rules, and the number of rows below it."""


def is_drawn(text: str) -> bool:
    """Whether a text begins as a table that a database prints."""
    first, second = (text[lines] for lines in _first_lines(text))
    return bool(_BORDER.fullmatch(first) or ("|" in first and _BELOW_NAMES.fullmatch(second)))


def _first_lines(text: str) -> tuple[slice, slice]:
    """Where the first two lines stand; empty ones before them are none."""
    start = len(text) - len(text.lstrip("\n"))
    places = [start - 1]
    for _ in range(2):
        found = text.find("\n", places[-1] + 1)
        places.append(len(text) if found < 0 else found)
    return slice(places[0] + 1, places[1]), slice(places[1] + 1, places[2])


def with_tabs(text: str) -> str:
    """A table whose cells are divided by ``|`` with tabs instead, which may stand in no cell; others as they are."""
    drawn = is_drawn(text)
    text = _LINES.sub("", text) if drawn else text
    names, rule = _first_lines(text)
    first = text[names]
    is_markdown = first[:1] == "|"
    if (
        "|" not in first
        or any(mark in first for mark in "\t;,")
        or not (drawn or is_markdown or len(first.split()) == 1)
    ):
        return text
    if is_markdown and "-" in text[rule] and not text[rule].strip(" :|-"):
        text = text[: rule.start] + text[rule.stop :]
    plain = text.replace("\t", " ")
    plain = _EDGES.sub("", plain) if is_markdown else plain
    return plain.replace("|", "\t") if plain.strip() else text
