"""Which number should one report? Five questions, the rules that follow from the answers, and the end of the lesson."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit.measures import HEADINGS, Advice, answers_of, facts_of, questions
from ui.evalset.compared_set import ComparedSet
from ui.link.controls import choose
from ui.page import glossary, lecture, pages, question
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
.zone { padding: .4rem .75rem; font-size: .9rem; line-height: 1.45; }
.zone.here { border: 2px solid; padding: calc(.4rem - 1px) calc(.75rem - 1px); }
.zone i { display: inline-block; width: 1.3rem; line-height: 1.3rem; margin: .2rem .15rem .2rem 0;
    text-align: center; font-style: normal; }
.zone .tie { font-weight: 700; background: color-mix(in srgb, currentColor 25%, transparent); }
.zone p { margin: 0; min-height: 5.8em; } .zone sub { line-height: 0; }
.zone:not(.here, .open) p { font-size: 2.5rem; line-height: 2.32em; min-height: 0; text-align: center; opacity: .6; }
@media (max-width: 480px) { .zone p { min-height: 7.25em; } .zone:not(.here, .open) p { line-height: 2.9em; } }
[class*="st-key-zone_"] { position: relative; } [class*="st-key-tap_"] { position: absolute; inset: 0; }
[class*="st-key-tap_"] :is(div, button) { height: 100%; background: none !important; }
[class*="st-key-tap_"] p { font-size: 0 !important; } .st-key-guide_ties { display: none; }
</style>"""
"""How the three ways in which people tie look, and that a button without visible words lies over each."""


def choose_number(
    page: Page, case: ComparedSet | None, notes: Any, room: Any = None, show: Callable[[], dict[str, str]] | None = None
) -> None:
    """Let the user answer five questions; show which numbers to report, with reasons and sources.

    What the open set answers, and all rules as text, stand in the container for ``notes``. Nothing is asked, and no
    number is said, before the page's own question is answered. In the ``room`` is the picture that it is about, which
    ``show`` draws; it returns the numbers in the answer.
    """
    known: dict[str, str] = {}
    facts: dict[str, Any] = {}
    if case is not None:
        chosen_set = case.data, case.rated, ()
        known = result_cache.once(("guide", *case.key), lambda: answers_of(*chosen_set))
        facts = result_cache.once(("facts", *case.key), lambda: facts_of(*chosen_set))
    cards = None
    if room is not None and show is not None:
        picture, cards = room.columns([3, 2], gap="medium")
        with picture:
            question.say(page, **show())
        if question.asks():
            with cards:
                question.explain(page)
            return
    with presenting.frame("guide"):
        cards = cards or st.container()
        others = st.expander("What else to report, and what not", expanded=presenting.is_on())
    _end_lesson()
    own = st.expander("Your own data, and a paragraph for your paper")
    given: dict[str, Any] = {}
    asked = list(questions().items())
    places = [cards, *own.columns(len(asked) - 1, gap="small")]  # the list of the first is not seen: cards choose
    like_set = "" if case is None else f"As in {case.data.name.upper()}: "
    for place, (name, (asks, answers)) in zip(places, asked, strict=True):
        with place:
            first = [like_set + _say_fact(name, facts[name])] if name in known else []
            chosen = choose(asks, list(dict.fromkeys([*first, *answers.values()])), f"guide_{name}")
        by_words = dict.fromkeys(first, known.get(name, "")) | {words: answer for answer, words in answers.items()}
        given[name] = by_words[chosen]
        if name == "ties":
            opened = "" if chosen in first else given[name]
    advice = tk.measures.which_number(**given)
    said = [f"{questions()[name][1][given[name]]}" for name in known]
    if said:
        whose = "The open set" if all(given[name] == answer for name, answer in known.items()) else "Your answers"
        notes.caption(f"{whose}: {plain('; '.join(said))}.")
    _zones(cards, given, opened)
    _show_others(others, advice)
    with own:
        st.code(advice.paragraph, language=None, wrap_lines=True)
        cited = advice.rules[["source", "url"]].drop_duplicates().to_numpy().tolist()
        st.markdown("; ".join(f"[{plain(source)}]({url})" for source, url in cited))
    notes.markdown("All rules as text; in Python: `tk.measures.which_number(data, purpose=…).text`.")
    notes.code(advice.text, language=None, wrap_lines=True)


def _say_fact(name: str, fact: Any) -> str:
    """What the open set says about a question."""
    return percent(fact) if name == "ties" else str(fact)


def _zones(room: Any, given: Mapping[str, Any], opened: str) -> None:
    """Show cards: how many of ten pairs people tie; those that were tapped are open and say what to report."""
    (seen := st.session_state.setdefault("guide cards", set())).add(opened)

    def tap(words: str) -> None:
        st.session_state["guide_ties"] = words

    asks, answers = questions()["ties"]
    rules = {one: tk.measures.which_number(**{**given, "ties": one}).rules.query("role == 'report'") for one in answers}
    split = re.compile("(, | within )").split
    parts = [frozenset(split(number)) for of in rules.values() for number in of["number"]]
    common = frozenset.intersection(*parts) if len(set(parts)) > 1 else frozenset()  # bold is what differs
    room.html(f"{ZONES}<b>{asks}</b><br>" + with_index("acc_eq*: acc_eq at each metric's best ε", is_html=True))
    for ties, words in answers.items():
        pairs = '<i class="tie">=</i>' * TEN[ties] + "<i>&lt;</i>" * (10 - TEN[ties])
        told = ""
        for number, why in rules[ties][["number", "why"]].to_numpy():
            marked = (escape(part) if part in common else f"<b>{escape(part)}</b>" for part in split(number))
            told += f"{''.join(marked)}. {escape(why)} "
        here = 'zone here" aria-current="true"' if ties == opened else f'zone{" open" * (ties in seen)}"'
        card = room.container(key=f"zone_{ties}")
        told = with_index(told, is_html=True) if ties in seen else "?"
        card.html(f'<div class="{here}>{escape(words)}<br><span aria-hidden="true">{pairs}</span><p>{told}</p></div>')
        card.button(words, key=f"tap_{ties}", on_click=tap, args=(words,), width="stretch")


def _show_others(room: Any, advice: Advice) -> None:
    """Show what else to report, and what not."""
    for place, (role, heading) in zip(room.columns([2, 1], gap="medium"), [*HEADINGS.items()][1:], strict=True):
        rows = advice.rules.loc[advice.rules["role"] == role, ["number", "why"]].to_numpy()
        lines = [f"- **{with_index(plain(number))}.** {with_index(plain(why))}" for number, why in rows]
        if lines:
            place.markdown(f"**{heading}**\n\n" + "\n".join(lines))


def _end_lesson() -> None:
    """Say in a line a page what was seen, and that the lesson is done and what comes now."""
    if lecture.is_on():
        return
    st.subheader("You saw")
    saw = ((page.number, page.saw) for page in pages.path())
    st.markdown("\n".join(f"{number}. {with_index(words[0].upper() + words[1:])}" for number, words in saw))
    st.markdown(f"**{pages.path()[-1].next}**")
    glossary.terms("acc_eq", "calibration ε*", "segment")
    with st.container(horizontal=True):
        st.page_link(
            "pages/5_Leaderboard.py", label="Rank your own metric", icon=":material/leaderboard:", query_params=OWN
        )
        st.page_link("pages/1_Toy_lab.py", label="Try your own scores", icon=":material/science:", query_params=TOY)
        st.page_link("pages/13_Teach_this.py", label="Teach this, and cite it", icon=":material/school:")
