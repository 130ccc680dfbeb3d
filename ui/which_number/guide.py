"""Which number should one report? Five questions, the rules that follow from the answers, and the end of the lesson."""

from __future__ import annotations

from itertools import chain
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit.measures import HEADINGS, Advice, answers_of, questions
from ui.evalset.compared_set import ComparedSet
from ui.link.controls import choose
from ui.page import glossary, lecture, pages, question, shell
from ui.page.pages import Page
from ui.present import presenting
from ui.work import result_cache
from ui.work.text import plain, with_index

OWN, TOY = {"add_scores": "open"}, {"h": "0 0 0 0 1 2"}
"""Links that lead straight to where one's own scores are put in."""

COLUMNS = 3
"""How many questions stand side by side, so that no answer is cut."""


def choose_number(page: Page, case: ComparedSet | None, notes: Any) -> None:
    """Let the user answer five questions, and show which numbers to report, with reasons and sources.

    What the open set answers, and all rules as text, stand in the container for ``notes``. Nothing is asked before
    the page's own question.
    """
    if question.asks():
        return
    known: dict[str, str] = {}
    if case is not None:
        known = result_cache.once(("guide", *case.key), lambda: answers_of(case.data, case.rated, ()))
    given: dict[str, Any] = {}
    room, asked = shell.room("questions"), list(questions().items())
    rows = [room.columns(COLUMNS, gap="small") for _ in range(0, len(asked), COLUMNS)]
    like_set = "" if case is None else f"As in {case.data.name.upper()} {case.data.language_pair}"
    for place, (name, (asks, answers)) in zip(chain(*rows), asked, strict=False):
        with place:
            first = [like_set] * (name in known)
            chosen = choose(asks, [*first, *answers.values()], f"guide_{name}")
        told = {words: answer for answer, words in answers.items()}
        given[name] = known[name] if chosen == like_set else told[chosen]
    advice = tk.measures.which_number(**given)
    said = [f"{questions()[name][1][given[name]]}" for name in known]
    if said:
        whose = "The open set" if all(given[name] == answer for name, answer in known.items()) else "Your answers"
        notes.caption(f"{whose}: {plain('; '.join(said))}.")
    numbers = advice.rules.loc[advice.rules["role"] == "report", "number"]
    question.say(page, numbers="; ".join(numbers))
    with presenting.frame("guide"):
        _show_advice(advice)
    st.header("A paragraph for your paper")
    st.code(advice.paragraph, language=None, wrap_lines=True)
    notes.markdown("All rules as text; in Python: `tk.measures.which_number(data, purpose=…).text`.")
    notes.code(advice.text, language=None, wrap_lines=True)


def _show_advice(advice: Advice) -> None:
    """Show the rules by role."""
    roles = [role for role in HEADINGS if (advice.rules["role"] == role).any()]
    for place, role in zip(st.columns(len(roles), gap="medium"), roles, strict=True):
        rows = advice.rules[advice.rules["role"] == role]
        texts = rows[["number", "why", "source", "url"]].to_numpy().tolist()
        lines = [f"- **{with_index(plain(number))}.** {with_index(plain(why))}" for number, why, _, _ in texts]
        with place:
            st.markdown(f"**{HEADINGS[role]}**\n\n" + "\n".join(lines))
    sources = advice.rules[["source", "url"]].drop_duplicates().to_numpy().tolist()
    st.markdown("; ".join(f"[{plain(source)}]({url})" for source, url in sources))


def end_lesson() -> None:
    """Say in a line a page what was seen, and what one can do now, after the last page of the lesson."""
    if lecture.is_on():
        return
    st.subheader("You saw")
    told = pages.path()[: -1 if question.asks() else None]  # the last line answers
    st.markdown("\n".join(f"{page.number}. {with_index(page.saw[0].upper() + page.saw[1:])}" for page in told))
    if question.asks():
        return
    glossary.terms("acc_eq", "calibration ε*", "held-out", "MQM")
    with st.container(horizontal=True):
        st.page_link(
            "pages/5_Leaderboard.py", label="Rank your own metric", icon=":material/leaderboard:", query_params=OWN
        )
        st.page_link("pages/1_Toy_lab.py", label="Try your own scores", icon=":material/science:", query_params=TOY)
        st.page_link("pages/13_Teach_this.py", label="Teach this, and cite it", icon=":material/school:")
