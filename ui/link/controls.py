"""Which controls keep the user's choice in the link? If a choice is lost, the page says so."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal

import streamlit as st
from streamlit.errors import StreamlitAPIException

from ui.link import link
from ui.work import streamlit_internals
from ui.work.text import as_label

MANY = 12
"""More options than these get buttons for all and none, and a search."""

ON_OR_OFF = ("true", "false", "True", "False")
"""What Streamlit reads as the state of a toggle in a link."""

streamlit_internals.look_up_on_demand()


def choose(
    label: str,
    options: Sequence[str],
    key: str,
    *,
    help: str | None = None,
    printed: Callable[[str], str] | None = None,
) -> str:
    """Let the user choose one of several options; the first unless the page starts with another or the link names one.

    If the chosen option disappears for a while, it is chosen again when it returns. With ``printed``, such as
    `tiekit.charts.label_of`, each option is shown as that function writes it; the link holds the option itself, and may
    hold what is shown.
    """
    of_page = link.of_page()
    of_page.check_choice(key, list(_options_by_text(options, printed)), is_single=True)
    away = st.session_state.setdefault("choices_away", {})
    if of_page.is_restored:
        away.pop(key, None)
    if away.get(key) in options:
        st.session_state[key] = away.pop(key)
    usual = of_page.usual(key, options[0])
    first = options.index(usual) if usual in options else 0
    if printed is not None and key not in st.session_state:
        named = _options_by_text(options, printed).get(of_page.text(key), _kept_choice(key))
        if named in options or of_page.is_restored:  # else the browser would go on showing what it left
            st.session_state[key] = named if named in options else options[first]
    if st.session_state.get(key, options[first]) not in options:
        away[key] = st.session_state[key]
        st.session_state[key] = options[first]
    if printed is None:
        write_if_not(options[first], key)
    shown, bound = printed or str, _bound(printed)
    on_change = _on_change(key, options[first], bound)
    st.selectbox(label, options, first, shown, key=key, bind=bound, help=help, on_change=on_change)
    chosen = str(st.session_state[key])
    if printed is not None:
        of_page.write(key, "" if chosen == options[first] else chosen)
        _kept_by_key()[key] = None if chosen == options[first] else chosen  # another page has another usual option
    return chosen


def _kept_by_key() -> dict[str, Any]:
    """What was chosen in controls that Streamlit does not keep in the link, for a visitor who comes back to a page."""
    kept: dict[str, Any] = st.session_state.setdefault("kept_printed", {})
    return kept


def _kept_choice(key: str) -> Any:
    """What was chosen before another page was visited; None where the browser's Back or Forward restores an address."""
    return None if link.of_page().is_restored else _kept_by_key().get(key)


def _options_by_text(options: Sequence[str], printed: Callable[[str], str] | None) -> dict[str, str]:
    """The options by what a link may hold of each: the option itself, or how it is shown."""
    return {printed(option) if printed else option: option for option in options} | {one: one for one in options}


def _bound(printed: Callable[[str], str] | None) -> Literal["query-params"] | None:
    """Whether Streamlit keeps a control in the link, which would hold the options as they are shown."""
    return "query-params" if printed is None else None


def choose_among_few(label: str, options: Sequence[str], key: str) -> str:
    """Let the user choose one of a few options, all visible; the first unless the page or the link names another."""
    link.of_page().check_choice(key, options, is_single=True)
    named = link.of_page().usual(key, options[0])
    usual = named if named in options else options[0]
    write_if_not(usual, key)
    chosen = st.segmented_control(
        label,
        options,
        default=usual,
        required=True,
        key=key,
        bind="query-params",
        on_change=_on_change(key, usual, "query-params"),
    )
    return str(chosen or usual)


def choose_many(
    label: str,
    options: Sequence[str],
    default: Sequence[str],
    key: str,
    *,
    help: str | None = None,
    printed: Callable[[str], str] | None = None,
) -> list[str]:
    """Let the user choose any of several options; the usual ones again as soon as other options are offered.

    Where options only join those that were there, or only leave, the choice among the others stays, and the usual ones
    of those that join are chosen. With ``printed`` options are shown as `choose` shows them.
    """

    def label_of(option: str) -> str:
        return as_label(printed(option) if printed else option)

    of_page, known = link.of_page(), _options_by_text(options, printed) | _options_by_text(options, label_of)
    of_page.check_choice(key, list(known))
    if printed is not None and key not in st.session_state:
        named = {known[text] for text in of_page.texts(key) if text in known}
        if named or of_page.texts(key) == [""]:
            st.session_state[key] = _in_order(options, named)
        elif of_page.is_restored:  # else the browser would go on showing what it left
            st.session_state[key] = list(default)
        elif not of_page.has_any([key]) and (before := _kept_choice(key)) is not None:
            st.session_state[key] = _in_order(options, before)
    offered = st.session_state.setdefault("offered", {})
    now = tuple(options), tuple(default)
    if link.of_page().is_restored:
        offered.pop(key, None)
    if (before := offered.get(key, now)) != now:
        st.session_state[key] = _carried_over(key, before[0], options, default)
    offered[key] = now
    if printed is None:
        write_if_not(list(default), key)
    if len(options) > MANY:
        _choose_all_or_none(label, options, key, printed or str)
    bound = _bound(printed)
    chosen = st.pills(
        label,
        options,
        selection_mode="multi",
        default=list(default),
        format_func=label_of,
        key=key,
        bind=bound,
        help=help,
        on_change=_on_change(key, list(default), bound, label_of),
        label_visibility="collapsed" if len(options) > MANY else "visible",
    )
    found = list(map(str, _in_order(options, chosen)))
    if printed is not None:
        of_page.write_all(key, [] if set(found) == set(default) else found or [""])
        _kept_by_key()[key] = found
    return found


def _in_order(options: Sequence[str], chosen: Collection[str]) -> list[str]:
    """The options that are chosen; there may be thousands."""
    found = set(chosen)
    return [option for option in options if option in found]


def write_if_not(usual: object, key: str) -> None:
    """Put what was chosen into the link, where it is not what the page would start with. Call it before the control.

    Streamlit leaves out of the link what was the default when it was chosen, and what was chosen on another page until
    the second change of page.
    """
    now, of_page = st.session_state, link.of_page()
    if now.get(key, usual) != usual and not of_page.has_any([key]):
        now[key] = now[key]
        if of_page.is_entered and isinstance(now[key], str):
            of_page.write(key, now[key])


def _carried_over(key: str, before: Sequence[str], options: Sequence[str], default: Sequence[str]) -> list[str]:
    """What is chosen of the options where those before were others."""
    if not (set(before) <= set(options) or set(options) <= set(before)):
        return list(default)
    kept, joined = set(st.session_state.get(key, default) or ()).intersection(before), set(default).difference(before)
    return _in_order(options, kept | joined)


def rename_options(key: str, names: Mapping[str, str]) -> None:
    """Let options of `choose_many` have other names, so that what was chosen stays."""

    def rename(options: Sequence[str]) -> tuple[str, ...]:
        return tuple(names.get(name, name) for name in options)

    offered = st.session_state.get("offered", {})
    if key in offered:
        offered[key] = rename(offered[key][0]), rename(offered[key][1])
    if key in st.session_state:
        st.session_state[key] = list(rename(st.session_state[key] or []))


def _choose_all_or_none(label: str, options: Sequence[str], key: str, printed: Callable[[str], str]) -> None:
    """Two buttons over many options, and a field that adds those found by a part of their names, in code or printed."""

    def choose_these(wanted: Sequence[str]) -> None:
        st.session_state[key] = list(wanted)
        _forget(key)

    def add_found() -> None:
        found, st.session_state[f"{key}_find"] = st.session_state[f"{key}_find"].casefold(), ""
        already = set(st.session_state.get(key) or ())
        if found:
            choose_these([name for name in options if name in already or found in f"{name} {printed(name)}".casefold()])

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            f"{label}: add all whose names contain", key=f"{key}_find", on_change=add_found, max_chars=200, width=320
        )
        st.button("All", key=f"{key}_all", on_click=choose_these, args=(options,), help=f"{label}: choose all")
        st.button("None", key=f"{key}_none", on_click=choose_these, args=((),), help=f"{label}: choose none")


def slide(label: str, options: Sequence[str], usual: str, key: str) -> str:
    """Let the user choose one of several options in their order; the usual one unless the link names another."""
    link.of_page().check_choice(key, options, is_single=True)
    on_change = _on_change(key, usual, "query-params")
    return str(st.select_slider(label, options, usual, key=key, bind="query-params", on_change=on_change))


LARGEST_SEED = 2**31 - 1


def is_seed(text: str) -> bool:
    """Whether a text of a link is a seed."""
    return text.isdecimal() and len(text) < 11 and int(text) <= LARGEST_SEED


def choose_seed(label: str, usual: int, key: str) -> int:
    """Let the user choose the seed of random numbers; the usual one unless the link holds one.

    The page reports a text that is no seed, by `Link.fill` with `is_seed`. Here it is left out of the link: of an
    infinite number Streamlit makes an OverflowError.
    """
    of_page = link.of_page()
    if of_page.has_any([key]) and not is_seed(of_page.text(key)):
        with suppress(StreamlitAPIException):  # drawn before: it holds a seed
            of_page.write(key, "")
        streamlit_internals.start_without(key)
    return int(st.number_input(label, 0, LARGEST_SEED, usual, key=key, bind="query-params", required=True) or 0)


def toggle(label: str, key: str, *, help: str | None = None) -> bool:
    """Let the user switch something on or off; off unless the link says otherwise."""
    link.of_page().check_choice(key, ON_OR_OFF, is_single=True)
    on_change = _on_change(key, False, "query-params", lambda value: str(value).lower())
    return st.toggle(label, key=key, bind="query-params", help=help, on_change=on_change)


def keep_between_pages(keys: Sequence[str]) -> None:
    """Hold these choices when the page changes; what the link or the user says takes precedence.

    Streamlit forgets a control that another page does not draw. Call it before they are drawn.
    """
    state, kept = st.session_state, st.session_state.setdefault("kept_between_pages", {})
    if link.of_page().is_restored:
        for key in keys:
            kept.pop(key, None)
        return
    kept.update({key: state[key] for key in keys if key in state})
    state.update({key: kept[key] for key in keys if key in kept and not link.of_page().has_any([key])})


def keep_choice(key: str, usual: object, shown: Callable[[Any], str] = str) -> None:
    """Put what the user has just chosen into the link, or what is usual out of it, where the browser has not.

    Where a control moves up the page, Streamlit's part in the browser forgets that the link holds it: the control is
    drawn in its new place before it leaves the old one. ``shown`` writes a value as the link holds it.
    """
    now = st.session_state[key]
    texts = [shown(one) for one in now] or [""] if isinstance(now, list) else [shown(now)]
    if link.of_page().texts(key) != ([] if now == usual else texts):
        st.session_state[key] = now  # Streamlit writes what the script assigned


def _on_change(key: str, usual: object, bound: str | None, shown: Callable[[Any], str] = str) -> Callable[[], None]:
    """What is done when the user changes a control; ``bound`` if Streamlit keeps it in the link."""

    def react() -> None:
        _forget(key)
        if bound:
            keep_choice(key, usual, shown)

    return react


def _forget(key: str) -> None:
    link.of_page().forget(key)
    st.session_state.get("choices_away", {}).pop(key, None)
