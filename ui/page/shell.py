"""What does every page start with? Its settings, the links to other pages, how it is shared, the theme, its charts."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pandas as pd
import pyarrow as pa
import streamlit as st

from tiekit import warm_up
from ui.classroom import session
from ui.link import link, own_data
from ui.page import lecture, pages, predict, question, stage
from ui.page.pages import Page
from ui.present import dock, presenting
from ui.work import memory, presets, render_queue, upload_quota
from ui.work.downloads import file_name
from ui.work.streamlit_internals import FONT, RAIL, RUNNING, SMALL, part
from ui.work.text import with_index

COPY_HTML = '<button type="button"></button><span role="status"></span>'

COPY_CSS = """
:host { font-size: var(--small, 0.875rem); }
span { margin-left: 0.5rem; }
button {
    font: inherit; color: var(--st-text-color); background: none; cursor: pointer; padding: 0.25rem 0.5rem;
    border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 0.5rem); white-space: nowrap;
}
button:hover { border-color: var(--st-primary-color); }
button:focus-visible { outline: 2px solid var(--st-text-color); outline-offset: 2px; }
"""

_copy = presets.component("tiekit_copy_link", "page/copy_link.js", COPY_HTML, COPY_CSS)


def copy_button(step: int = 0, *, with_answers: bool = False) -> None:
    """Show a button that copies the page's address; the strip of pages is moved to the open ``step``."""
    key = "copy_answers" if with_answers else "copy_link"
    _copy(key=key, width="content", data={"answers": with_answers, "running": RUNNING, "step": step})


FILES_HTML = '<button type="button">SVG</button><button type="button">PNG</button><span role="status"></span>'

FILES_CSS = """
:host { font-size: 0.875rem; }
span { margin-left: 0.5rem; }
button {
    font: inherit; color: var(--st-text-color); background: none; border: 0; cursor: pointer;
    text-decoration: underline; padding: 0.25rem 0.5rem; border-radius: 0.5rem; min-height: 1.75rem;
}
button:hover { color: var(--st-link-color); }
button:focus-visible { outline: 2px solid var(--st-text-color); outline-offset: -2px; }
"""

_files = presets.component("tiekit_picture", "page/picture.js", FILES_HTML, FILES_CSS)


Legend: TypeAlias = Iterable[tuple[str, str, str]]
"""Color, glyph and label of each kind of mark."""


def _offer_files(key: str, alt: str, legend: Legend = ()) -> None:
    """Show buttons for the one chart of the open container; the files are named after its key.

    A file needs the words that stand beside the chart on the page: the first part of ``alt``, up to a colon, is its
    heading, and the ``legend`` stands below.
    """
    named = {"file": file_name(key), "alt": alt, "legend": [list(mark) for mark in legend]}
    data = {**named, "chart": part("stVegaLiteChart"), "font": FONT}
    _files(key=f"picture {key}", data=data)


ICON = "data:image/png;base64," + b64encode((Path(__file__).parents[1] / "icon.png").read_bytes()).decode()
"""Sent with the page: a file that Streamlit offers is gone while the page runs again, just when a browser may ask."""

SWITCH, RADIO = "label:has(input[type=checkbox])", "label:has(input[type=radio])"

STYLE = f"""<style>
:root {{
header {{ height: {stage.HEADER}; min-height: {stage.HEADER}; background: transparent; pointer-events: none; }}
header button {{ pointer-events: auto; }}
{part("stMainBlockContainer")} {{ max-width: none; padding-top: calc({stage.HEADER} + 0.25rem); }}
@media (min-width: 865px) {{ {part("stMainBlockContainer")} {{ padding-left: 5rem; padding-right: 5rem; }} }}
.st-key-ways {{ min-height: 2.5rem; }}
:is(.st-key-ways, [class*="st-key-answer_page"]) {part("stSkeleton")} {{ height: 1.25rem; visibility: hidden; }}
.st-key-lead {{ min-height: 4.1rem; }}
@media (min-width: 701px) {{
    .st-key-room_podium {{ min-height: 27.5rem; }}
    .st-key-room_lab {{ min-height: 36rem; }}
    .st-key-room_nan {{ min-height: 24rem; }}
    .st-key-room_curves {{ min-height: 37rem; }}
    .st-key-room_bump {{ min-height: 42rem; }}
    .st-key-room_few_ties {{ min-height: 33rem; }}
    .st-key-room_moves {{ min-height: 37rem; }}
}}
@media (max-width: 480px) {{
    .st-key-ways {{ min-height: 4.7rem; }}
    .st-key-lead {{ min-height: 4.4rem; }}
    .st-key-room_podium {{ min-height: 47rem; }}
    .st-key-room_lab {{ min-height: 55rem; }}
    .st-key-room_nan {{ min-height: 30rem; }}
    .st-key-room_curves {{ min-height: 43rem; }}
    .st-key-room_bump {{ min-height: 47.5rem; }}
    .st-key-room_few_ties {{ min-height: 35rem; }}
    .st-key-moves {{ min-height: 37rem; }}
}}
[class*="st-key-room_"] > :first-child {{ position: absolute; }}
&:has([class*="st-key-answer_page"] [role=status]) .st-key-aside {{ display: none; }}
div:has(> :is(.st-key-aside, .st-key-adding)) {{ order: 1; }}
:is(.st-key-room_podium, .st-key-room_lab) > div:has(> .st-key-aside) {{ margin-top: auto; }}
@media (min-width: 1100px) {{
    [class*="st-key-room_"] {{ position: relative; }}
    div:has(> .st-key-adding) {{ position: absolute; right: 0; width: fit-content; z-index: 1; }}
    div:has(> .st-key-aside) {{ position: absolute; right: 0; top: 3.5rem; width: 37%; z-index: 1; }}
    :is(.st-key-room_podium, .st-key-room_lab) div:has(> .st-key-aside) {{ top: 0; width: 28%; }}
    .st-key-room_lab div:has(> .st-key-aside) {{ width: 53%; }}
    &:has(.st-key-guess-none) .st-key-room_podium {{ min-height: 21rem; }}
    &:has(.st-key-guess-none) .st-key-room_lab {{ min-height: 24rem; }}
}}
.st-key-ways:is(:not(:has(.st-key-pages)), :has(.st-key-pages {part("stSkeleton")})) * {{ visibility: hidden; }}
@media (max-width: 700px) {{
    header {{ background: transparent; }}
    header, header :not(button, button *) {{ pointer-events: none; }}
    {part("stMainBlockContainer")} {{ padding-top: 0.5rem; }}
}}
div:has(> .st-key-ways) {{ margin-bottom: -0.5rem; }}
h1 {{ font-size: 1.75rem !important; line-height: 1.25 !important; padding: 0 0 0.25rem !important; max-width: 66rem; }}
h2 {{ font-size: 1.6rem !important; }}
h3 {{ font-size: 1.3rem !important; }}
{SMALL} {{ font-size: 0.7em !important; vertical-align: sub; line-height: 0; }}
.st-key-ways {{ --small: 0.8125rem; width: auto; margin-right: -3.5rem; column-gap: 0.75rem; row-gap: 0.25rem; }}
.st-key-pages {{ column-gap: 0; row-gap: 0.25rem; }}
.st-key-ways :is(a, label, button) p {{ font-size: var(--small); white-space: nowrap; }}
.st-key-ways {part("stBaseButton-tertiary")} {{ min-height: 1.75rem; padding: 0.125rem; }}
.st-key-ways a {{ padding: 0.1rem 0.3rem; }}
[class*="st-key-step_"] {{
    position: relative; border-bottom: 3px solid color-mix(in srgb, currentColor 15%, transparent);
}}
[class*="st-key-step_"]::after {{
    position: absolute; right: 0; top: -0.25rem; font-size: 0.625rem; line-height: 1;
}}
div:has(> [class*="st-key-answer_page"]) {{ margin-bottom: -0.5rem; }}
[class*="st-key-answer_page"] {{ column-gap: 0.5rem; row-gap: 0.25rem; min-height: 3.25rem; }}
@media (max-width: 480px) {{
    [class*="st-key-answer_page"] {{ min-height: 6.5rem; align-content: start; }}
    &:has(.st-key-guess-none) :is(.st-key-room_podium, .st-key-room_lab, .st-key-room_curves) {{ min-height: 36rem; }}
    .st-key-room_curves {{ position: relative; }}
    .st-key-room_curves > div:has(> .st-key-aside) {{ position: absolute; top: 24.5rem; z-index: 1; }}
}}
.st-key-guess-again {{ margin-left: auto; flex: none !important; }}
@media (min-width: 701px) {{
    div:has(> [class*="st-key-answer_page"]) {{ margin-top: -0.5rem; }}
    [class*="st-key-answer_page"]:has([role=status]) {{ flex-wrap: nowrap; }}
    [class*="st-key-answer_page"] > :has([role=status]) {{ flex: 1; min-width: 0; }}
}}
[class*="st-key-answer_page"] button {{ min-height: 2rem; padding: 0.1rem 0.6rem; }}
[class*="st-key-answer_page"] p[role=status] {{ margin: 0; }}
[class*="st-key-answer_page"] sub {{ line-height: 0; }}
[class*="st-key-answer_page"]:has([role=status]) > [class*="st-key-guess-"]:not(.st-key-guess-again) {{
    display: none;
}}
.st-key-next {{ border-top: 1px solid; padding: 0.5rem 0; }}
a:focus-visible {{ outline: 2px solid; outline-offset: 2px; }}
{part("stStatusWidget")} button {{ display: none; }}
{part("stBaseButton-tertiary")}, {part("stPopoverButton")} {{ color: inherit !important; }}
div:has(> {part("stElementToolbar")}):has({part("stVegaLiteChart")}) > {part("stElementToolbar")} {{
    top: min(100%, 100vh - 9rem);
}}
div:has(> .st-key-unseen), {part("stHeaderActionElements")} {{ display: none; }}
@media (max-width: 700px) {{
    h1 {{ font-size: 1.5rem !important; }}
    h2 {{ font-size: 1.3rem !important; }}
    h3 {{ font-size: 1.15rem !important; }}
    .st-key-lecture:has(input:not(:checked)) {{ display: none; }}
    .st-key-wide {{ display: none; }}
    .st-key-ways {{ margin-right: 0; }}
    {part("stTable")} :is(td, th) {{ padding: 0.25rem 0.2rem !important; }}
    div:has(> .st-key-pages) {{ flex: 0 0 100%; min-width: 0; padding-right: 2.5rem; box-sizing: border-box; }}
    .st-key-pages {{ flex-wrap: nowrap !important; overflow-x: auto; scrollbar-width: none; padding-bottom: 0.4rem; }}
    .st-key-pages > * {{ flex: none; }}
    .st-key-pages::after {{ content: ""; flex: 0 0 2rem; }}
    .st-key-pages {{ mask-image: linear-gradient(to right, #000 calc(100% - 2rem), transparent); }}
}}
@media (min-width: 701px) {{ .st-key-narrow {{ display: none; }} }}
@media (forced-colors: active) {{
    {SWITCH} > div:first-of-type {{ border: 1px solid; }}
    {SWITCH} > div:first-of-type > div {{ background: CanvasText; forced-color-adjust: none; }}
    {SWITCH}:has(:checked) > div:first-of-type {{ background: Highlight; forced-color-adjust: none; }}
    {RADIO} > div > div:first-child {{ border: 1px solid; }}
    {RADIO}:has(:checked) > div > div:first-child {{ background: Highlight; forced-color-adjust: none; }}
    {RAIL} {{ outline: 1px solid; }}
    :focus-visible, {SWITCH}:has(:focus-visible) {{ outline: 2px solid Highlight !important; }}
}}
}}
</style>"""
"""The server puts these rules into a page's head: they leave room for what comes later, so that nothing moves. Within
`:root` they count more than Streamlit's own, which come after them. The reason for each is given with its part in
`ui.work.streamlit_internals`. In a narrow window the pages are a
row that is moved sideways, beside the menu; lecture mode cannot be switched on, and of the containers with the keys
wide and narrow only the fitting one is shown. What is unseen are scripts. Where the reader forces colors, switches,
radio buttons and sliders, which are grounds without a border, would not be seen, nor would Streamlit's shadow around
what has the focus. The row of a question has room for an answer of two lines, and what was offered goes as the answer
comes, not when the run ends."""


def open_page(title: str, lead: str = "", *, is_asked: bool = True) -> None:
    """Set up the page, and write its title and its main idea: a page of the lesson has a question for it.

    The page ``is_asked`` its question unless other scores are open than those that it is about.
    """
    page = pages.find(title)
    render_queue.take_turn(computes=page.file not in pages.LIGHT)
    upload_quota.admit_session()
    memory.tell_if_ended()
    link.of_page().begin_run()
    name = "tiekit" if page.file == pages.START else f"{title} · tiekit"
    st.set_page_config(page_title=name, page_icon=ICON, layout="wide")
    stem = presenting.START if page.file == pages.START else Path(page.file).stem
    stage.hear_missed()
    presenting.enter(stem, {lecture.KEY: "true"})
    session.open_page(title)
    ways, head = st.container(), st.container(key="lead", gap=None)
    link.of_page().open_page(title)
    predict.keep_in_link()
    with ways:
        _ways(stem, page)
    with st.container(key="unseen"):
        predict.keep_in_browser()
        session.keep_in_tab()
        link.open_again_after_restart()
        link.one_entry_for_each_choice(predict.SEEN, *own_data.KEYS)
    with head:
        _compile_kernels()
        st.html(STYLE + _style_of_steps(page) + lecture.STYLE * lecture.is_on())
        st.caption(f"{page.label} · {page.scores}" if page.scores and is_asked else page.label)
        st.title(with_index(lead or page.question), anchor=False)
        if (place := presenting.place()) is not None:
            dock.show(place, dark=theme() == "dark")
    question.ask(page, is_asked=is_asked)


def close_page(title: str) -> None:
    """Say what a page of the lesson has shown, once it is answered, and lead to the next one."""
    page, path = pages.find(title), pages.path()
    question.end(page)
    if lecture.is_on() or page.number == len(path):
        return
    after = path[page.number]
    with st.container(key="next", horizontal=True, vertical_alignment="center"):
        if not question.asks():
            end = "" if page.next.endswith("?") else "."
            st.markdown(f"You saw: {page.saw} Next: {page.next}{end}", width="content")
        st.page_link(
            after.file, label=f"**Next: {after.label}**", icon=":material/arrow_forward:", icon_position="right"
        )


def room(name: str) -> Any:
    """Return a container that keeps room for a picture before it comes; `STYLE` says how much."""
    place = st.container(key=f"room_{name}")
    place.html("<span></span>")  # an empty container would not be on the page
    return place


def side_of(picture: Any) -> Any:
    """Return where words stand: beside the picture while its answer is kept back, then below it."""
    return picture.container(key="aside") if question.asks() and not lecture.is_on() else st.container()


READ = "researchers read"
"""The session's key for the pages whose box for researchers was open, or whose link holds a choice."""


@contextmanager
def researchers(*, is_needed: bool = False) -> Iterator[bool]:
    """Draw into the box for what only researchers need; the value says whether to draw what nothing outside needs.

    Of a box that was never open on a page that shows nothing chosen, browser and server are spared the rest: it was two
    thirds of the time to the picture. The box is open where what it holds ``is_needed``, in a class, and for whoever
    comes by a link with a choice, unless they have answered the page's question: whoever reads the lesson and reloads
    finds the page as it was.
    """
    now, of_page = st.session_state, link.of_page()
    read, (file, has_choice) = now.setdefault(READ, set()), now[question.OPEN]
    if of_page.is_entered or "researchers" not in now:
        now["researchers"] = bool(of_page.keys() - question.SETTINGS) and not question.is_answered()
    is_open = is_needed or now["researchers"] or presenting.is_on() or session.current_lesson() is not None
    box = st.expander("For researchers", expanded=is_open, key="for_researchers", on_change="rerun")
    if has_choice or is_open or box.open:
        read.add(file)
    with box:
        yield file in read


def _style_of_steps(page: Page) -> str:
    """The line of progress below the steps of the lesson: those that were opened, and the one that is open."""
    seen = st.session_state.setdefault("steps seen", set())
    seen.add(page.number)
    half = "color-mix(in srgb, currentColor 50%, transparent)"
    rules = [f".st-key-step_{number} {{ border-bottom-color: {half}; }}" for number in seen if number]
    if page.number:
        rules.append(f".st-key-step_{page.number} {{ border-bottom-color: currentColor; }}")
    guessed = [step.number for step in pages.path() if predict.prediction(question.key_of(step)) is not None]
    rules += [f'.st-key-step_{number}::after {{ content: "✓" / "answered"; }}' for number in guessed]
    return f"<style>:root {{ {' '.join(rules)} }}</style>"


def _ways(stem: str, page: Page) -> None:
    """Show links to the steps of the lesson and to other pages, what a lecturer needs, and what shares the page."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="ways"):
        places = st.container(horizontal=True, gap="xsmall", key="pages")
        with st.popover("More", type="tertiary", key="more"):
            for other in pages.more():
                st.page_link(other.file, label=f"**{other.title}** · {other.words}", icon=other.icon)
        with st.popover("Teach", type="tertiary", key="teach"):
            lecture.switch()
            predict.switch()
            if presenting.of_page(stem):
                go = presenting.Place(stem, 1)
                st.button("Present this page", key="present", on_click=presenting.go, args=(go,), type="tertiary")
            if predict.is_any_revealed():
                copy_button(page.number, with_answers=True)
            st.page_link(pages.TEACH, label="Prepare a lecture, a class or a sheet")
            st.page_link(pages.JOIN, label="Join a class")
        copy_button(page.number)
        if lecture.is_on() and not presenting.is_on():
            dock.share_button()
        with places, st.popover("Pages", type="tertiary") if lecture.is_on() else places:
            for step in pages.path():
                with st.container(key=f"step_{step.number}", width="content"):
                    st.page_link(step.file, label=step.label)


@st.cache_resource(show_spinner="Preparing the counting loops; after an installation this takes some seconds …")
def _compile_kernels() -> bool:
    warm_up.warm_up()
    return True


def theme() -> str:
    """Return the theme in which charts are drawn: "light" or "dark"."""
    return "dark" if st.context.theme.type == "dark" else "light"


def draw(frame: pd.DataFrame | pa.Table, figure: dict[str, Any], alt: str, key: str, legend: Legend = ()) -> None:
    """Draw a chart of `tiekit.charts` over its frame, and offer its files; ``alt`` says in words what it shows.

    The files have a ``legend`` where the chart has none. For a frame that is kept between runs, an Arrow table saves
    the conversion.
    """
    shown = lecture.enlarge(figure) if lecture.is_on() else figure
    with presenting.frame(key), st.container(gap=None):
        st.vega_lite_chart({**shown, "datasets": {"source": frame}}, alt=alt, key=key)
        _offer_files(key, alt, legend)
