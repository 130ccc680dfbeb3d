"""Leaderboard: which metric agrees best with the human scores, and how much that depends on the coefficient."""

import streamlit as st

from ui.evalset import notes, sources
from ui.leaderboard import answer, newcomer, official, own_weights, published_values, ranking
from ui.leaderboard.question import choose_question, compute, offer_downloads
from ui.leaderboard.significance import test_differences
from ui.leaderboard.two_metrics import side_by_side
from ui.page import shell

DOOR = ":material/leaderboard:", "Rank the metrics of WMT22 or of your own files, by every coefficient."

TITLE = "WMT22"

is_usual = sources.is_usual() and not newcomer.has_added()
shell.open_page(TITLE, "" if is_usual else "Which metric is best? It depends on the coefficient.", is_asked=is_usual)
adding = st.container()
ranks = shell.room("bump")
reading, notice = st.container(), st.container()
for_adding, standings = newcomer.places(adding, ranks)
with shell.researchers(is_needed=not is_usual) as is_read:
    control, result = st.container(width=400), st.container()
    for_source, for_human, for_domain, for_tests, for_values = st.columns(
        [4, 3, 2, 3, 4], gap="small", vertical_alignment="bottom"
    )
    below = st.container()
with for_values:
    is_printed = published_values.is_wanted()
if is_printed:
    with result:
        published_values.show(control)
    official.show("")
    st.stop()
opened = sources.choose_evalset(for_source, notice, needs_metrics=False)
if opened is None:
    st.stop()
opened = newcomer.add_metrics(opened, for_adding, notice)
with result:
    question = choose_question(opened, (for_human, control, for_domain), below)
    frame = None if question is None else compute(question, below)
if question is None or frame is None:
    st.stop()
with ranks:
    offer_ranks = answer.show_ranks(frame, question)
with reading:
    answer.explain(TITLE)
if is_read:
    with for_tests:
        tests = answer.choose_tests(question)
    with result:
        frame = ranking.add_fairness_columns(frame, question, below)
        found = answer.show(frame, question, tests)
        notes.say_probes(question.probes)
        answer.say_how_to_read()
    answer.say_standings(frame, question, found, standings)
    with below:
        answer.show_below(frame, question)
        st.header("Which differences are significant?")
        test_differences(question)
        side_by_side(frame, question)
        st.header("A coefficient of your own")
        own_weights.show(frame, question)

        official.show(sources.opened_root())

        st.header("Download")
        offer_downloads(frame, question, found)
        offer_ranks()
shell.close_page(TITLE)
