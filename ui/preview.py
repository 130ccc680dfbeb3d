"""What does a link to the app look like where it is shared? Title, description and picture of each page, and an icon.

Streamlit sends the same page of HTML for every address, with its own name and icon. Search engines and chats read only
that, so the words are put into it on the way to the browser.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from html import escape
from pathlib import Path
from typing import Any

from ui.page import pages

HERE = Path(__file__).parent
ABOUT = (
    "How much do tied scores decide which machine-translation metric wins? Lessons and a leaderboard, in the browser."
)
FILES = {"tiekit-icon.png": HERE / "icon.png", "tiekit-preview.png": HERE / "preview.png"}
"""What is served beside Streamlit's own files, by the last part of the address."""

UNWANTED = (b"accept-encoding", b"if-none-match", b"if-modified-since", b"range")
"""Headers of requests that ask for less than the whole page as it is."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Preview:
    """An ASGI application around Streamlit's."""

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request: with one of our files, a page of HTML with our words, or as Streamlit does."""
        last = str(scope.get("path", "")).rpartition("/")[2]
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
        elif last in FILES:
            await _answer(send, FILES[last].read_bytes(), [(b"content-type", b"image/png")])
        elif last in _titles():
            await self._page(scope, receive, send, last)
        else:
            await self._app(scope, receive, send)

    async def _page(self, scope: Message, receive: Receive, send: Send, address: str) -> None:
        """Send Streamlit's page with our words in its head."""
        given = {name: value.decode("latin-1") for name, value in headers_of(scope)}
        asked = [(name, value) for name, value in headers_of(scope) if name not in UNWANTED]
        start: Message = {}
        body = bytearray()

        async def collect(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            else:
                body.extend(message.get("body", b""))

        await self._app({**scope, "headers": asked, "extensions": {}}, receive, collect)
        headers = [(name, value) for name, value in start["headers"] if name not in (b"content-length", b"etag")]
        is_html = any(name == b"content-type" and b"text/html" in value for name, value in headers)
        content = bytes(body)
        if is_html:
            scheme = given.get(b"x-forwarded-proto", str(scope["scheme"])).partition(",")[0]
            host = given.get(b"x-forwarded-host", given.get(b"host", "")).partition(",")[0]
            place = str(scope["path"]).rpartition("/")[0]
            content = with_words(content.decode(), address, f"{scheme}://{host}{place}").encode()
        await _answer(send, content, headers, start["status"])


def headers_of(scope: Message) -> list[tuple[bytes, bytes]]:
    """Return the headers of a request, by names in small letters."""
    return list(scope["headers"])


async def _answer(send: Send, body: bytes, headers: Iterable[tuple[bytes, bytes]], status: int = 200) -> None:
    whole = [*headers, (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": whole})
    await send({"type": "http.response.body", "body": body})


def _titles() -> dict[str, tuple[str, str]]:
    """Title and description of each page, by the last part of its address."""
    lessons = {page.address: (f"{page.title} · tiekit", page.words.replace("\\", "")) for page in pages.lessons()}
    return {"": ("tiekit", ABOUT), **lessons}


def with_words(page: str, address: str, root: str) -> str:
    """Return Streamlit's page of HTML with our title, description, icon and picture; ``root`` is where the app lies."""
    title, words = _titles()[address]
    picture = f"{root}/tiekit-preview.png"
    named = {
        "og:title": title,
        "og:description": words,
        "og:image": picture,
        "og:type": "website",
        "og:site_name": "tiekit",
    }
    ours = "".join(f'<meta property="{name}" content="{escape(text)}" />' for name, text in named.items())
    ours += f'<meta name="description" content="{escape(words)}" />'
    ours += '<meta name="twitter:card" content="summary_large_image" />'
    page = re.sub("<title>.*?</title>", lambda _: f"<title>{escape(title)}</title>{ours}", page, count=1)
    return page.replace('href="./favicon.png"', 'href="./tiekit-icon.png"', 1)
