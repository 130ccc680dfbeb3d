"""What does the page's link hold, which parts are damaged, and what does the browser's Back return to?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from secrets import token_hex
from typing import Any, TypeAlias

import streamlit as st

from ui.work import presets, streamlit_internals
from ui.work.streamlit_internals import CONNECTED, RUNNING, part
from ui.work.text import plain

Damage: TypeAlias = list[tuple[str, str]]
"""Keys of a link, each with an invalid text."""

KEY = "link of the page"
"""The session's key for its `Link`."""


class Link:
    """The object that reads and writes the page's address and reports what is damaged in it.

    Everything that takes a value from the link asks it. Damage is looked for once in a session, under a name (the key
    of a widget, or a page), and reported in one box in each run that asks, until the name is forgotten because the
    user has continued.

    The link holds what differs from the page as it opens. So the browser's Back and Forward restore the page by its
    address alone: the session forgets the page's controls and reads them as on a first visit.
    """

    def __init__(self) -> None:
        self._damaged: dict[str, Damage] = {}
        self._place: Any = None
        self._said: list[str] = []
        self._usual: dict[str, object] = {}
        self._controls: dict[str, set[str]] = {}
        self._page = ""
        self._is_entered = False
        self._is_begun = False

    @property
    def is_restored(self) -> bool:
        """Whether this run restores an address that the browser returned to; what was read from it is read again."""
        return streamlit_internals.is_history_run()

    @property
    def is_entered(self) -> bool:
        """Whether this run is the first one since another page was open; then no control of the page is drawn yet."""
        return self._is_entered

    def begin_run(self) -> None:
        """Note that the session still holds the page as it was before this run; restore the whole of its address."""
        self._is_begun = True
        if self.is_restored:
            held = streamlit_internals.asked_address()
            lost = {key: texts for key, texts in held.items() if key not in st.query_params}
            for key, texts in lost.items():
                streamlit_internals.start_with(key, *texts)
            st.query_params.update(lost)

    def open_page(self, page: str = "") -> None:
        """Begin a run of a page; damage of its link will be reported at this place."""
        self._is_entered = page != self._page
        self._place, self._said, self._page = st.empty(), [], page
        self._is_begun = False
        if self.is_restored:
            self._damaged.clear()
            for key in self._controls.get(page, set()) & {str(key) for key in st.session_state}:
                del st.session_state[key]

    def text(self, key: str, default: str = "") -> str:
        """Return the text of a key; of several the last, as Streamlit does."""
        return str(st.query_params.get(key, default))

    def texts(self, key: str) -> list[str]:
        """Return all texts of a key."""
        return list(st.query_params.get_all(key))

    def keys(self) -> set[str]:
        """Return the keys that the link holds."""
        return {str(key) for key in st.query_params}

    def has_any(self, keys: Iterable[str]) -> bool:
        """Return whether the link holds one of these keys."""
        return any(key in st.query_params for key in keys)

    def usual(self, key: str, default: object = "") -> Any:
        """Return what a control starts with where the link does not name it; `fill` says so, or else ``default``."""
        return self._usual.get(key, default)

    def value(self, key: str, default: object = None) -> Any:
        """Return what a widget holds; before it is drawn, what it will take from the link."""
        if self.is_restored and self._is_begun:  # the session holds the page that was left
            return st.query_params.get(key, default)
        return st.session_state.get(key, st.query_params.get(key, default))

    def early_value(self, key: str, default: object = None) -> Any:
        """Return the same, also before the page is opened in this run.

        Until then, where the browser's Back or Forward restores an address, the session holds the page that was left.
        """
        if self.is_restored:
            return streamlit_internals.asked_address().get(key, [default])[-1]
        return self.value(key, default)

    def write(self, key: str, text: str) -> None:
        """Put a text into the link; an empty text removes the key.

        A text that is there already is not written: each write resets the address to its state at the start of the run,
        and so overwrites what the user is typing.
        """
        if text and text != self.text(key):
            st.query_params[key] = text
        elif not text and key in st.query_params:
            del st.query_params[key]

    def write_all(self, key: str, texts: Sequence[str]) -> None:
        """Put several texts into the link under one key; none removes the key."""
        if not texts:
            self.write(key, "")
        elif list(texts) != self.texts(key):
            st.query_params[key] = list(texts)

    def fill(self, page: str, defaults: Mapping[str, object], is_valid: Mapping[str, Callable[[str], bool]]) -> None:
        """Fill in what the link leaves open on a session's first visit of a page, and report what is damaged.

        What the link holds takes precedence over ``defaults``, by key of a widget. ``is_valid`` says of the keys whose
        text may be damaged whether it is not: Streamlit silently drops what a widget cannot take, and all but the last
        of several texts for one key. The damage is forgotten under the name of the ``page``.
        """
        self._usual.update(defaults)
        self._note([*defaults, *is_valid])
        if page not in self._damaged:
            held = {key: self.texts(key) for key in st.query_params}
            repeated = [(key, both(texts)) for key, texts in held.items() if key in defaults and len(texts) > 1]
            wrong = [(key, held[key][-1]) for key, test in is_valid.items() if key in held and not test(held[key][-1])]
            self._damaged[page] = repeated + wrong
            for key, value in defaults.items():
                if key not in held or key in dict(wrong):
                    st.session_state.setdefault(key, value)
                    if self.is_restored:
                        streamlit_internals.start_with(key, str(value))
        self._say(page)

    def check(self, name: str, find: Callable[[list[str]], list[str]]) -> None:
        """Report which texts of a key are damaged; ``find`` picks them at the first check of a session."""
        if name not in self._damaged:
            self._damaged[name] = [(name, text) for text in find(self.texts(name))]
        self._say(name)

    def check_choice(self, key: str, options: Sequence[str], *, is_single: bool = False) -> None:
        """Report which texts of a key are not among the options; ``is_single``: only one can be chosen."""

        def find(texts: list[str]) -> list[str]:
            if is_single and len(texts) > 1:
                return [both(texts)]
            known = set(options)
            return [text for text in texts if text and text not in known]

        self._note([key])
        self.check(key, find)

    def forget(self, *names: str) -> None:
        """Forget the damage under these names, because the user has continued."""
        self._damaged.update({name: [] for name in names})

    def _note(self, keys: Iterable[str]) -> None:
        """Remember which controls the page has."""
        self._controls.setdefault(self._page, set()).update(keys)

    def _say(self, name: str) -> None:
        """Report the damage together with that reported before."""
        if self._place is None:
            self.open_page()
        for key, text in self._damaged[name]:
            words = f"{plain(key)} cannot be “{plain(text[:80])}”"
            if words not in self._said:
                self._said.append(words)
                self._place.warning(f"This link is damaged: {'; '.join(self._said)}. What does not fit was left out.")


def of_page() -> Link:
    """Return the link of the page that is drawn."""
    if KEY not in st.session_state:
        st.session_state[KEY] = Link()
    link: Link = st.session_state[KEY]
    return link


def both(texts: Sequence[str]) -> str:
    """Join several texts of a key that can have only one; Streamlit takes the last."""
    return "” and “".join(texts)


def is_number(text: str) -> bool:
    """Return whether a text is a finite number of at least 0."""
    try:
        return 0 <= float(text) < float("inf")
    except ValueError:
        return False


PROCESS_HEADER, PROCESS = "tiekit-process", token_hex(8)
"""The header by which the server's answer to ``/health`` says which process it is, and what this one says."""

_restart = presets.component("tiekit_restart", "link/restart.js")
_history = presets.component("tiekit_history", "link/history.js")


def one_entry_for_each_choice(*silent: str) -> None:
    """Keep the browser's history; a change of the ``silent`` keys of the link alone makes no entry."""
    _history(key="history", width="content", data={"running": RUNNING, "silent": silent})


def open_again_after_restart() -> None:
    """Let the browser open the page anew when it finds that the server was started again; it keeps its address."""
    data = {"app": part("stApp"), "connected": CONNECTED, "header": PROCESS_HEADER, "process": PROCESS}
    _restart(key="restart", width="content", data=data)
