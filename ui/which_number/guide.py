"""Which number should one report? Five questions, the rules that follow from the answers, and the end of the lesson."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from itertools import chain
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit.measures import HEADINGS, Advice, answers_of, facts_of, questions
from ui.evalset.compared_set import ComparedSet
from ui.link.controls import choose
from ui.page import glossary, lecture, pages, question, shell
from ui.page.pages import Page
from ui.present import presenting
from ui.work import result_cache
from ui.work.text import percent, plain, with_index

OWN, TOY = {"add_scores": "open"}, {question.OWN: "true"}
"""Links that lead straight to where one's own scores are put in."""

TEN = {"none": 0, "few": 1, "many": 4}
"""How many of ten pairs people tie, by the answer to the question about ties."""

ZONES = """<style>
.zones { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: .75rem; }
.zones :is(div, i) { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .3rem; }
.zones div { padding: .5rem .75rem; }
.zones .here { border: 2px solid; padding: calc(.5rem - 1px) calc(.75rem - 1px); }
.zones i { display: inline-block; width: 1.3rem; line-height: 1.3rem; margin: .25rem .15rem .25rem 0;
    text-align: center; font-style: normal; }
.zones .tie { font-weight: 700; background: color-mix(in srgb, currentColor 25%, transparent); }
.zones b { display: block; min-height: 3em; line-height: 1.5; }
.zones sub { line-height: 0; }
</style>"""
"""How the three ways in which people tie stand side by side."""

COLUMNS = 3
"""How many questions stand side by side, so that no answer is cut."""


def choose_number(page: Page, case: ComparedSet | None, notes: Any) -> None:
    """Let the user answer five questions; show which numbers to report, with reasons and sources.

    What the open set answers, and all rules as text, stand in the container for ``notes``. Nothing is asked, and no
    number is said, before the page's own question is answered.
    """
    known: dict[str, str] = {}
    facts: dict[str, Any] = {}
    if case is not None:
        chosen_set = case.data, case.rated, ()
        known = result_cache.once(("guide", *case.key), lambda: answers_of(*chosen_set))
        facts = result_cache.once(("facts", *case.key), lambda: facts_of(*chosen_set))
    zones = shell.room("zones")
    if question.asks():
        zones.html(_zones({}, {}))
        question.explain(page)
        return
    given: dict[str, Any] = {}
    room, asked = shell.room("questions"), list(questions().items())
    rows = [room.columns(COLUMNS, gap="small") for _ in range(0, len(asked), COLUMNS)]
    like_set = "" if case is None else f"As in {case.data.name.upper()} {case.data.language_pair}: "
    for place, (name, (asks, answers)) in zip(chain(*rows), asked, strict=False):
        with place:
            fact = facts.get(name, "")
            first = [like_set + (percent(fact) if name == "ties" else str(fact))] * (name in known)
            chosen = choose(asks, [*first, *answers.values()], f"guide_{name}")
        told = dict.fromkeys(first, known.get(name, "")) | {words: answer for answer, words in answers.items()}
        given[name] = told[chosen]
    advice = tk.measures.which_number(**given)
    said = [f"{questions()[name][1][given[name]]}" for name in known]
    if said:
        whose = "The open set" if all(given[name] == answer for name, answer in known.items()) else "Your answers"
        notes.caption(f"{whose}: {plain('; '.join(said))}.")
    by_ties = {ties: _numbers(tk.measures.which_number(**{**given, "ties": ties})) for ties in TEN}
    zones.html(_zones(given, by_ties))
    with presenting.frame("guide"):
        _show_advice(advice)
    with st.expander("A paragraph for your paper"):
        st.code(advice.paragraph, language=None, wrap_lines=True)
    notes.markdown("All rules as text; in Python: `tk.measures.which_number(data, purpose=…).text`.")
    notes.code(advice.text, language=None, wrap_lines=True)


def _numbers(advice: Advice) -> str:
    """The numbers to report, in a line."""
    return "; ".join(advice.rules.loc[advice.rules["role"] == "report", "number"])


def _zones(given: Mapping[str, str], numbers: Mapping[str, str]) -> str:
    """A picture: how many of ten pairs people tie, what ``given`` is marked, and below it the numbers to report."""
    cells = ""
    for ties, words in questions()["ties"][1].items():
        pairs = '<i class="tie">=</i>' * TEN[ties] + "<i>&lt;</i>" * (10 - TEN[ties])
        number = with_index(escape(numbers.get(ties, "?")), is_html=True)
        here = ' class="here" aria-current="true"' * (given.get("ties") == ties)
        cells += f'<div{here}>{escape(words)}<br><span aria-hidden="true">{pairs}</span><b>{number}</b></div>'
    return f'{ZONES}<p>Of ten pairs, people tie:</p><div class="zones">{cells}</div>'


def _show_advice(advice: Advice) -> None:
    """Show the rules by role."""
    roles = [role for role in HEADINGS if (advice.rules["role"] == role).any()]
    widths = [2 if role == "beside" else 1 for role in roles]
    for place, role in zip(st.columns(widths, gap="medium"), roles, strict=True):
        rows = advice.rules[advice.rules["role"] == role]
        texts = rows[["number", "why", "source", "url"]].to_numpy().tolist()
        lines = [f"- **{with_index(plain(number))}.** {with_index(plain(why))}" for number, why, _, _ in texts]
        with place:
            st.markdown(f"**{HEADINGS[role]}**\n\n" + "\n".join(lines))
    sources = advice.rules[["source", "url"]].drop_duplicates().to_numpy().tolist()
    st.markdown("; ".join(f"[{plain(source)}]({url})" for source, url in sources))


def end_lesson() -> None:
    """Say in a line a page what was seen, and that the lesson is done and what comes now."""
    if lecture.is_on() or question.asks():
        return
    st.subheader("You saw")
    saw = ((page.number, page.saw) for page in pages.path())
    st.markdown("\n".join(f"{number}. {with_index(words[0].upper() + words[1:])}" for number, words in saw))
    st.markdown(f"**{pages.path()[-1].next}**")
    glossary.terms("acc_eq", "calibration ε*", "segment", "MQM")
    with st.container(horizontal=True):
        st.page_link(
            "pages/5_Leaderboard.py", label="Rank your own metric", icon=":material/leaderboard:", query_params=OWN
        )
        st.page_link("pages/1_Toy_lab.py", label="Try your own scores", icon=":material/science:", query_params=TOY)
        st.page_link("pages/13_Teach_this.py", label="Teach this, and cite it", icon=":material/school:")
