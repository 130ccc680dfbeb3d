"""What does the visitor expect? A question whose answer is hidden until a prediction, and the score across pages.

Questions of one kind are asked once: other data, another metric or coefficient ask no second time. The address holds
which kinds are answered, so that a reload keeps them; `ui.page.shell` can leave them out. Predictions stay in the
browser's tab, so that no link tells them. A visitor who wants no questions has all answers shown.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any, TypeAlias

import streamlit as st

from ui.classroom import guess, question_view, session
from ui.classroom.scale import Scale
from ui.link import link
from ui.work import presets
from ui.work.text import bare


def _draw_guess(key: str, question: str, scale: Scale) -> str | None:
    """Let the visitor draw a guess; return it, None while there is none."""
    now, name = st.session_state, f"predict {key}"

    def hear(text: str) -> None:
        now[name] = text

    drawn: str | None = now.get(name)
    guess.show(scale, bare(question), f"guess {key}", hear, guess=scale.value(drawn), said=scale.hint())
    return drawn


def _say_drawn(key: str, question: str, scale: Scale, answer: str | None, truth: float, why: str) -> None:
    """Show the truth beside the guess, if there is one, and say how far off it was."""
    found, it_is = scale.value(answer), f"**It is: {scale.words(truth)}.** {why}"
    guess.show(scale, bare(question), f"guess {key}", guess=found, truth=truth)
    if found is None:
        st.info(it_is)
        return
    told = f"You drew {scale.words(found)}: {scale.distance(found, truth)}."
    if scale.is_near(found, truth):
        st.success(f"**Right. {told}** {it_is}", icon=":material/check:")
    else:
        st.warning(f"**{told}**\n\n{it_is}", icon=":material/close:")


SEEN = "seen"
"""The link's key for the kinds of questions whose answers are shown."""

ANSWERS, SHOW = "answers", "show"
"""The link's key, and its text where no question is asked."""

KEPT = 40
"""The most kinds that a link holds, the latest."""

MOST, LONGEST = 200, 1_000
"""The most predictions of a session with those of its browser, and characters of a question or an answer of these."""

LONGEST_KEY = 500
"""Maximum number of characters of what an answer depends on; of more, its digest stands for it."""

UNSCORED = "page "
"""The beginning of keys of questions that are not scored: each opens a page."""

Predictions: TypeAlias = dict[str, tuple[str, bool]]
"""By question, what was predicted and whether it was right."""

_browser = presets.component("tiekit_predictions", "page/predict.js")


def keep_in_link() -> None:
    """Read from the link which answers are revealed on a session's first visit; afterwards keep them in the link.

    Kinds of questions are named by a digest, so that a link shows neither the right answer nor a prediction.
    """
    of_page, now = link.of_page(), st.session_state
    if SEEN not in now:
        now[SEEN] = _kinds_in(of_page.texts(SEEN))
    of_page.check(SEEN, lambda texts: [link.both(texts)] if texts and not _is_whole(texts) else [])
    of_page.write(SEEN, ".".join(now[SEEN][-KEPT:]))


def switch() -> None:
    """Show the toggle between questions and answers; the link and the links to other pages keep it."""
    of_page, now = link.of_page(), st.session_state
    of_page.check(ANSWERS, lambda texts: [link.both(texts)] if texts and texts != [SHOW] else [])
    if "answers shown" not in now or of_page.is_restored:
        now["answers shown"] = of_page.text(ANSWERS) == SHOW
    now["show_answers"] = now["answers shown"]

    def change() -> None:
        now["answers shown"] = now["show_answers"]
        of_page.forget(ANSWERS)

    st.toggle("Show answers", key="show_answers", on_change=change)
    of_page.write(ANSWERS, SHOW if now["answers shown"] else "")


def keep_in_browser() -> None:
    """Keep the predictions in the browser's tab, from where a reload has them back; call it once in each run."""
    now = st.session_state
    is_new = "predictions" not in now
    given = [[key, answer, is_right] for key, (answer, is_right) in _predictions().items()]
    data = {"predictions": given, "isNew": is_new, "revealed": now.get("just revealed")}
    _browser(key="predicted", width="content", data=data, on_stored_change=_take_over)


def _take_over() -> None:
    """Put the predictions that the browser has stored before those of the session."""
    found = _sound((st.session_state.get("predicted") or {}).get("stored")) | _predictions()
    st.session_state["predictions"] = dict(list(found.items())[-MOST:])


def _sound(stored: Any) -> Predictions:
    """The predictions that a browser has stored; what is none is left out."""
    rows = stored[-MOST:] if isinstance(stored, list) else []
    return {
        row[0]: (row[1], row[2])
        for row in rows
        if isinstance(row, list)
        and len(row) == 3
        and all(map(isinstance, row, (str, str, bool)))
        and max(map(len, row[:2])) <= LONGEST
    }


def _predictions() -> Predictions:
    found: Predictions = st.session_state.get("predictions", {})
    return found


def _kinds_in(texts: list[str]) -> list[str]:
    """The kinds of questions that a link's texts name, each once."""
    return [name for name in dict.fromkeys(".".join(texts).split(".")) if re.fullmatch("[0-9a-f]{8}", name)]


def _is_whole(texts: list[str]) -> bool:
    """Whether a link has one text that consists of names of kinds."""
    return len(texts) == 1 and texts[0].split(".") == _kinds_in(texts)


def is_any_revealed() -> bool:
    """Return whether there are answers that a link can show."""
    return bool(st.session_state.get(SEEN))


def note_own_files(*, are_open: bool) -> None:
    """Say whether the files that are open are the visitor's own: about them nothing is asked."""
    st.session_state["own files"] = are_open


def place_of(key: str) -> str:
    """Return the key of the container that has a question and its answer."""
    return f"answer_{'page_' * key.startswith(UNSCORED)}{name_of(key)}"


def name_of(key: str) -> str:
    """The name of a question's kind."""
    return hashlib.sha256(key.partition(":")[0].encode()).hexdigest()[:8]


def _short_key(key: str) -> str:
    """A key, with a digest of what the answer depends on where that is long: it goes to each browser of a class."""
    kind, _, rest = key.partition(":")
    return key if len(rest) <= LONGEST_KEY else f"{kind}: {hashlib.sha256(rest.encode(errors='replace')).hexdigest()}"


def predict_first(
    key: str, question: str, options: Mapping[str, str], truth: str, *, is_about_files: bool = False
) -> bool:
    """Let the visitor predict before the answer is drawn; afterwards say whether the prediction was right, and why.

    Return whether the answer may be drawn. ``key`` is the question's kind, which is asked once, a colon, and what the
    answer depends on; ``options`` have the reasons why they are right or wrong, ``truth`` is one of them; both are
    Markdown. Nothing is asked about the visitor's own files where ``is_about_files``, see `note_own_files`.
    """
    return _ask_first(key, question, options, truth, None, is_about_files=is_about_files)


def draw_first(key: str, question: str, scale: Scale, truth: float, why: str, *, is_about_files: bool = False) -> bool:
    """Let the visitor draw a number on a scale before the answer is drawn; the rest is as in `predict_first`."""
    right = scale.text(truth)
    if right is None:
        raise ValueError(f"truth: must lie on the scale from {scale.low} to {scale.high}, found {truth}")
    return _ask_first(key, question, {right: why}, right, scale, is_about_files=is_about_files)


def _ask_first(
    key: str, question: str, options: Mapping[str, str], truth: str, scale: Scale | None, *, is_about_files: bool
) -> bool:
    """Ask a question whose answer is an option or, on a scale, a number; return whether the answer may be drawn."""
    key = _short_key(key)
    if (lesson := session.current_lesson()) is not None:
        return question_view.by_class(lesson, key, question, options, truth, scale)
    now = st.session_state
    seen = now.setdefault(SEEN, [])
    is_asked = not (now.get("answers shown") or (is_about_files and now.get("own files")))
    with st.container(border=True, key=place_of(key) if is_asked else None):
        if is_asked and name_of(key) not in seen:
            st.markdown(f"**Predict:** {question}")
            _choose(key, question, options, truth, scale)
            return False
        st.markdown(f"**{'Predict' if is_asked else 'Question'}:** {question}")
        answer, _ = _predictions().get(key, (None, False)) if is_asked else (None, False)
        if scale is not None:
            _say_drawn(key, question, scale, answer, float(truth), options[truth])
        elif answer is None or answer not in options:
            st.info(f"**It is: {truth}.** {options[truth]}")
        elif answer == truth:
            st.success(f"**Right: {answer}.** {options[truth]}", icon=":material/check:")
        else:
            wrong = f"**You said: {answer}.** {options[answer]}"
            st.warning(f"{wrong}\n\n**It is: {truth}.** {options[truth]}", icon=":material/close:")
        if is_asked:
            _score(key)
    return True


def _choose(key: str, question: str, options: Mapping[str, str], truth: str, scale: Scale | None) -> None:
    """Let the visitor choose an option, or draw a number, and reveal the answer, or reveal it without one."""
    now = st.session_state
    if scale is not None:
        chosen = _draw_guess(key, question, scale)
    else:
        label = "Your prediction"
        chosen = st.radio(label, list(options), index=None, key=f"predict {key}", label_visibility="collapsed")

    def tell(*, is_predicted: bool) -> None:
        answer = now.get(f"predict {key}")
        if scale is not None:  # the browser may have told it in the same moment as the button
            answer = guess.last(scale, f"guess {key}") or answer
        if not is_predicted:
            reveal(key)
        elif answer is not None:
            reveal(key, answer, answer == truth if scale is None else scale.is_near(float(answer), float(truth)))

    with st.container(horizontal=True):
        is_none = chosen is None
        st.button("Reveal", key=f"reveal {key}", disabled=is_none, on_click=tell, kwargs={"is_predicted": True})
        shown: dict[str, Any] = {"on_click": tell, "kwargs": {"is_predicted": False}}
        st.button("Just show me", key=f"show {key}", type="tertiary", **shown)


def reveal(key: str, answer: str | None = None, is_right: bool = False) -> None:
    """Note that an answer is shown from the next run on, and what was predicted, if anything; a callback."""
    now = st.session_state
    now["predictions"] = {of: told for of, told in _predictions().items() if of != key}  # none of an earlier visit
    if answer is not None:
        now["predictions"][key] = answer, is_right
    now[SEEN] = [*now.get(SEEN, []), name_of(key)]
    serial, _ = now.get("just revealed", (0, ""))
    now["just revealed"] = serial + 1, f"st-key-{place_of(key)}"
    link.of_page().forget(SEEN)


def is_revealed(key: str) -> bool:
    """Return whether the answer to a question of this kind is shown."""
    now = st.session_state
    return bool(now.get("answers shown")) or name_of(key) in now.get(SEEN, [])


def prediction(key: str) -> str | None:
    """Return what was predicted."""
    return _predictions().get(key, (None, False))[0]


def _score(key: str) -> None:
    """Show how many predictions were right so far, with buttons to ask again or to clear the score."""
    given = {of: told for of, told in _predictions().items() if not of.startswith(UNSCORED)}
    right = sum(hit for _, hit in given.values())
    with st.container(horizontal=True, vertical_alignment="center"):
        if given:
            st.caption(f"Predictions right so far, on all pages: {right} of {len(given)}", width="content")
        st.button("Ask again", key=f"again {key}", type="tertiary", on_click=ask_again, args=(key,))
        if given:
            st.button("Clear the score", key=f"clear {key}", type="tertiary", on_click=_clear)


def ask_again(key: str) -> None:
    """Ask a question again: the others of its kind too."""
    now = st.session_state
    now["predictions"] = {other: told for other, told in _predictions().items() if other != key}
    now[SEEN] = [name for name in now[SEEN] if name != name_of(key)]
    now.pop(f"predict {key}", None)


def _clear() -> None:
    """Forget all predictions that are scored; what is revealed stays so."""
    now = st.session_state
    now["predictions"] = {of: told for of, told in _predictions().items() if of.startswith(UNSCORED)}
