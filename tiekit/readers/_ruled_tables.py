"""Which lines of a table are drawn? Those of Markdown, and of databases that print tables."""

from __future__ import annotations

import re

_EDGES = re.compile(r"^\||\|$", re.MULTILINE)
_RULE = re.compile(r"\A(\n*[^\n]*\n)[ :|-]*-[ :|-]*(?=\n)")
"""The first line of a table in Markdown and the rule below it."""

_DRAWN = re.compile(r"\A\n*(?:\+[-=+]+\+\n|[^\n]*\|[^\n]*\n-+\+[-+]*\n)")
"""How a table of MySQL or PostgreSQL begins: its rules have a + where columns meet."""
_LINES = re.compile(r"^(?:[-+][-=+]+|\(?\d+ rows?\b.*)$", re.MULTILINE)
"""Its rules, and the number of rows below it."""


def is_drawn(text: str) -> bool:
    """Whether a text begins as a table that a database prints."""
    return _DRAWN.match(text) is not None


def with_tabs(text: str) -> str:
    """A table whose cells are divided by ``|`` with tabs instead, which may stand in no cell; others as they are."""
    drawn = is_drawn(text)
    text = _LINES.sub("", text) if drawn else text
    first = text.lstrip("\n").partition("\n")[0]
    is_markdown = first[:1] == "|"
    if (
        "|" not in first
        or any(mark in first for mark in "\t;,")
        or not (drawn or is_markdown or len(first.split()) == 1)
    ):
        return text
    text = text.replace("\t", " ")
    return (_EDGES.sub("", _RULE.sub(r"\1", text)) if is_markdown else text).replace("|", "\t")
