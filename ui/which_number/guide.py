"""Which number should one report? Five questions, the rules that follow from the answers, and the end of the lesson."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit.measures import HEADINGS, Advice, answers_of, facts_of, questions
from ui.evalset import sources
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
.zone, .zone i { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .3rem; }
.zone { padding: .5rem .75rem; }
.zone.here { border: 2px solid; padding: calc(.5rem - 1px) calc(.75rem - 1px); }
.zone i { display: inline-block; width: 1.3rem; line-height: 1.3rem; margin: .25rem .15rem .25rem 0;
    text-align: center; font-style: normal; }
.zone .tie { font-weight: 700; background: color-mix(in srgb, currentColor 25%, transparent); }
.zone b { display: block; min-height: 3em; line-height: 1.5; } .zone sub { line-height: 0; }
[class*="st-key-zone_"] { position: relative; } [class*="st-key-tap_"] { position: absolute; inset: 0; }
[class*="st-key-tap_"] :is(div, button) { height: 100%; background: none !important; }
[class*="st-key-tap_"] p { font-size: 0 !important; } .zones { margin-bottom: 0; } .st-key-guide_ties { display: none; }
</style>"""
"""How the three ways in which people tie look, and that a button without visible words lies over each."""


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
        _zones(zones, {}, {})
        question.explain(page)
        return
    given: dict[str, Any] = {}
    told, room = st.container(), st.expander("Your own data, and a paragraph for your paper")
    asked = list(questions().items())
    places = [zones, *room.columns(len(asked) - 1, gap="small")]  # the list of the first is not seen: cards choose
    like_set = "" if case is None else f"As in {case.data.name.upper()}: "
    is_answered = question.is_answered() and sources.is_usual()
    for place, (name, (asks, answers)) in zip(places, asked, strict=True):
        with place:
            fact = facts.get(name, "")
            first = [like_set + (percent(fact) if name == "ties" else str(fact))] * (name in known)
            usual = [answers["few"]] if name == "ties" and is_answered else first  # what the page asks about
            chosen = choose(asks, list(dict.fromkeys([*usual, *first, *answers.values()])), f"guide_{name}")
        by_words = dict.fromkeys(first, known.get(name, "")) | {words: answer for answer, words in answers.items()}
        given[name] = by_words[chosen]
    advice = tk.measures.which_number(**given)
    said = [f"{questions()[name][1][given[name]]}" for name in known]
    if said:
        whose = "The open set" if all(given[name] == answer for name, answer in known.items()) else "Your answers"
        notes.caption(f"{whose}: {plain('; '.join(said))}.")
    by_ties = {ties: _numbers(tk.measures.which_number(**{**given, "ties": ties})) for ties in TEN}
    _zones(zones, given, by_ties)
    with told:
        with presenting.frame("guide"):
            _show_advice(advice, questions()["ties"][1][given["ties"]])
        _end_lesson()
    with room:
        st.code(advice.paragraph, language=None, wrap_lines=True)
        cited = advice.rules[["source", "url"]].drop_duplicates().to_numpy().tolist()
        st.markdown("; ".join(f"[{plain(source)}]({url})" for source, url in cited))
    notes.markdown("All rules as text; in Python: `tk.measures.which_number(data, purpose=…).text`.")
    notes.code(advice.text, language=None, wrap_lines=True)


def _numbers(advice: Advice) -> str:
    """The numbers to report, as a card has room for them."""
    return "; ".join(advice.rules.loc[advice.rules["role"] == "report", "number"]).replace(" within each segment", "")


def _zones(room: Any, given: Mapping[str, str], numbers: Mapping[str, str]) -> None:
    """Show cards: how many of ten pairs people tie, and the numbers to report; a tap chooses what is then marked."""

    def tap(words: str) -> None:
        st.session_state["guide_ties"] = words

    room.html(f'{ZONES}<p class="zones">{"Tap a card. " * bool(numbers)}Of ten pairs, people tie:</p>')
    possible = questions()["ties"][1].items()
    for place, (ties, words) in zip(room.columns(len(TEN), gap="small"), possible, strict=True):
        pairs = '<i class="tie">=</i>' * TEN[ties] + "<i>&lt;</i>" * (10 - TEN[ties])
        number = with_index(escape(numbers.get(ties, "?")), is_html=True)
        here = ' class="zone here" aria-current="true"' if given.get("ties") == ties else ' class="zone"'
        card = place.container(key=f"zone_{ties}")
        card.html(f'<div{here}>{escape(words)}<br><span aria-hidden="true">{pairs}</span><b>{number}</b></div>')
        if numbers:
            card.button(words, key=f"tap_{ties}", on_click=tap, args=(words,), width="stretch")


def _show_advice(advice: Advice, ties: str) -> None:
    """Show the rules by role, above all the number to report where people tie as on the marked card."""
    others = first = st.container()
    if advice.rules["role"].ne("report").any():
        others = st.expander("What else to report, and what not", expanded=presenting.is_on())
    places = [first, *others.columns([2, 1], gap="medium")]
    for place, (role, heading) in zip(places, HEADINGS.items(), strict=True):
        rows = advice.rules[advice.rules["role"] == role]
        texts = rows[["number", "why"]].to_numpy().tolist()
        lines = [f"**{with_index(plain(number))}.** {with_index(plain(why))}" for number, why in texts]
        if role == "report":
            place.markdown(f"Now: {ties[0].lower()}{ties[1:]}. {heading}: {' '.join(lines)}")
        elif lines:
            place.markdown(f"**{heading}**\n\n" + "\n".join(f"- {line}" for line in lines))


def _end_lesson() -> None:
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
