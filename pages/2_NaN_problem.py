"""NaN problem: what happens to a segment for which a coefficient has no value?"""

import streamlit as st

from ui.evalset import sources
from ui.link import link
from ui.nan_problem import buckets, by_group, inputs, tables, tie_breaking
from ui.page import glossary, lecture, pages, papers, shell
from ui.work import downloads

DOOR = ":material/block:", "A metric that ties all of a hard segment can win."

TITLE = "The missing segment"

shell.open_page(TITLE)
link.of_page().fill("nan", inputs.starting_values(), buckets.IN_LINK | tie_breaking.IN_LINK | tables.IN_LINK)

picture, second = shell.room("nan"), st.container()
drawer = st.expander("Edit scores")
with st.container() if lecture.is_on() else drawer:
    inputs.choose_example()
with drawer:
    entry = by_group.choose_coefficient("nan_coefficient")
    segments = inputs.type_scores()
with picture:
    tied, as_page = inputs.show_tiles(segments, entry)
if not lecture.is_on():
    with drawer:
        downloads.embed(as_page, "nan_problem.html")
    glossary.terms("NaN problem", "τ_b")
typed = by_group.evaluate_typed(inputs.as_evalset(*tied), entry)
if not lecture.is_on():
    with second:
        inputs.explain(pages.find(TITLE), segments, typed)
with shell.researchers() as is_read:
    if is_read:
        st.header("Means, ranks and Python code")
        if entry.name == "acc_eq":
            inputs.say_bound(segments, tied)
        tables.compare(typed, "typed segments", asks=False)
    glossary.terms("undefined group", "common groups")
    st.header("The NaN problem on an evaluation set")
    with st.container(border=True):
        opened = sources.choose_evalset()
    found = None if opened is None else by_group.evaluate_set(opened)
    if found is not None:
        buckets.say_on_set(found, second)
    if is_read and found is not None:
        tables.count_table(found)
        tables.compare(found, "evaluation set")
        tables.grid(found)
    if is_read:
        scores = {"the evaluation set": found, "the typed segments": typed} if found else {"the segments above": typed}
        st.header("Does a metric gain from fewer distinct scores?")
        buckets.bucket_effect(scores)

        st.header("Does a metric gain from random tie-breaking?")
        tie_breaking.random_tie_breaking(scores)

        st.header("Try this")
        st.markdown(
            "- Make BLEU win under drop, with two segments left. Under which rules does it win then?\n"
            "- Change the coefficient to acc\\_eq. Which tiles get a value, and can BLEU still win?\n"
            "- Leave out the metrics that tie most. How many groups have a value for every metric now?\n"
            "- At which number of buckets is τ\\_b highest, and how many groups are left there?"
            + papers.sources(
                papers.DEUTSCH.cite("Section 4.2, Figure 3, Tables 3, 4, 9"), notebook="03_missing_segments.ipynb"
            )
        )
shell.close_page(TITLE)
