"""What do students work on? A sheet of questions as one HTML page that prints well, with or without answers."""

from __future__ import annotations

import html
from collections.abc import Iterator
from functools import partial
from typing import Any

import streamlit as st

from ui.work import downloads
from ui.work.presets import table

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font: 11pt/1.45 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; color: #111; }}
h1 {{ font-size: 1.4em; }}
h2 {{ font-size: 1.1em; margin: 1.6em 0 .3em; border-bottom: 1px solid #999; break-after: avoid; }}
li {{ margin: .8em 0; break-inside: avoid; }}
.line {{ height: 1.9em; border-bottom: 1px solid #bbb; }}
.answer {{ margin: .4em 0 0; padding-left: .8em; border-left: 3px solid #0072b2; }}
footer {{ margin-top: 2em; font-size: .85em; }}
@page {{ margin: 18mm; }}
@media print {{ body {{ margin: 0; max-width: none; padding: 0; }} }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{intro}</p>
{questions}
<footer>tiekit. After Deutsch, Foster and Freitag (2023), Ties Matter, https://aclanthology.org/2023.emnlp-main.798</footer>
</body>
</html>
"""

TITLE = "How do ties decide which metric is best?"


def questions() -> list[dict[str, Any]]:
    """Return the questions in the order of the pages."""
    return table("sheet.toml", "question")


def as_page(*, answers: bool) -> str:
    """Return the sheet as the text of an HTML page; with room for answers, or with the answers."""
    return PAGE.format(
        title=html.escape(TITLE),
        intro="With answers, for teachers." if answers else "Name: " + "_" * 30,
        questions="\n".join(_list(answers=answers)),
    )


def _list(*, answers: bool) -> Iterator[str]:
    """The questions under the titles of their pages, numbered through."""
    pages = list(dict.fromkeys(question["page"] for question in questions()))
    number = 1
    for page in pages:
        mine = [question for question in questions() if question["page"] == page]
        yield f'<h2>{html.escape(page)}</h2>\n<ol start="{number}">'
        for question in mine:
            room = '<div class="line"></div>' * question["lines"]
            below = f'<p class="answer">{html.escape(question["answer"])}</p>' if answers else room
            yield f"<li>{html.escape(question['ask'])}{below}</li>"
        yield "</ol>"
        number += len(mine)


def offer() -> None:
    """Offer the sheet as files."""
    st.markdown(
        f"{len(questions())} questions, from counting pairs by hand to reading a p-value. Open the file in a browser "
        "and print it, or change it in any editor."
    )
    with st.container(horizontal=True):
        for label, file, answers in (
            ("Sheet (HTML)", "tiekit-sheet.html", False),
            ("Sheet with answers (HTML)", "tiekit-sheet-answers.html", True),
        ):
            downloads.offer(label, partial(as_page, answers=answers), file, "text/html")
