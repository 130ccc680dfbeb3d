"""What does a teacher take from here? Lectures, a sheet of questions, what goes into a course page, how to cite."""

from __future__ import annotations

import html
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

import tiekit as tk
from ui.page import pages
from ui.present import presenting
from ui.present.presenting import Place, Plan, plans
from ui.work import downloads, public_url
from ui.work.presets import table
from ui.work.text import count_noun


def show_plans() -> None:
    """Show the plans beside one another."""
    for plan, column in zip(plans(), st.columns(len(plans()), gap="large"), strict=True):
        with column:
            _plan(plan)


def _plan(plan: Plan) -> None:
    st.subheader(f"{plan.name} minutes")
    st.markdown(plan.aim)
    st.button(
        "Present", key=f"present {plan.name}", on_click=presenting.go, args=(Place(plan.name, 1),), width="stretch",
        icon=":material/slideshow:", help=f"The lecture of {plan.name} minutes from its first slide",
    )  # fmt: skip
    first = 1
    for step in plan.steps:
        label = f"{step.minutes} min · {title(step.page)} · {count_noun(len(step.scenes), 'slide')}"
        place = Place(plan.name, first)
        st.page_link(presenting.BRIDGE, label=label, query_params={presenting.PARAM: str(place)})
        first += len(step.scenes)


def title(stem: str) -> str:
    """Return the title of a page by the stem of its file."""
    return next(
        (page.title for page in pages.lessons() if page.address == stem.partition("_")[2]), pages.path()[0].title
    )


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


def offer_sheet() -> None:
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


SIZE = 'width="100%" height="760" style="border: 0" loading="lazy"'


def embed() -> None:
    """Say how a page, or one figure alone, is shown inside another page."""
    seen = urlsplit(str(st.context.url or ""))
    origin = public_url.origin(seen.geturl()) or f"{seen.scheme or 'http'}://{seen.netloc or 'localhost:8501'}"
    address = html.escape(f"{origin}/Toy_lab?embed=true&eps=1")
    st.markdown(
        "**A page with its controls**, as long as this server runs. Copy the page's link, add `embed=true`, and put it "
        "into an `<iframe>`:"
    )
    st.code(f'<iframe src="{address}" title="tiekit: Toy lab" {SIZE}></iframe>', language=None, wrap_lines=True)
    st.markdown(
        "**One figure without a server**: *Embed (HTML)* below a figure saves one file that moves as on the page and "
        "loads nothing from elsewhere. Put the file beside your course page, and show it by "
        '`<iframe src="figure.html"></iframe>`.'
    )


def cite() -> None:
    """Show BibTeX of tiekit and of the paper, and offer that of all sources."""
    st.markdown("This software, and the paper whose method it teaches:")
    st.code(tk.cite("acc_eq*"), language=None, wrap_lines=True)
    st.markdown("In Python, `tk.cite(result)` returns the papers behind a result.")
    words = "BibTeX of tiekit and of every paper, test and data set that it uses."
    downloads.offer("All sources (BibTeX)", tk.cite, "tiekit.bib", "text/plain", help=words)
