"""What may a browser ask of a public server, and what does it see of a link? ASGI applications around Streamlit's.

The guard bounds uploads, admits WebSockets of the app's own pages alone, and sends headers that guard the visitor. The
previews give each page its title, description and picture: Streamlit sends the same HTML for every address, with its
own name and icon, and search engines and chats read only that.
"""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import ClassVar
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import streamlit as st

from ui import pace, upload_form
from ui.pace import Message, Receive, Send
from ui.page import pages, shell
from ui.work import bounded_reading, memory, public_url, streamlit_internals, upload_quota
from ui.work.visitor import network_of

HERE = Path(__file__).parent

POLICY = "; ".join(
    (
        "default-src 'self'",
        # Streamlit's page holds a script, its charts evaluate expressions, figures are modules made in memory.
        "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
    )
)
"""No page asks another host for anything, whatever a visitor or a file has put on it; others may embed pages."""

HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)
"""Sent with every answer: files are what they are called, other sites do not learn a link, no device is asked for."""

TOO_MUCH = b"This session, or the server, holds as many files as it may. Remove some, or try again in some minutes."

NO_PAGE = b"No page of this server belongs to this upload. Reload the page."

NO_LENGTH = b"An upload says how long it is, as every browser does."

NO_NAMES = b"No page names an upload like this."

LONGEST_PATH, MOST_KEYS = 1_000, 500
"""Maximum number of characters of a path, and of keys in the address of a page: to take 30,000 of them apart takes as
long as all else that a request costs, fifty times."""

LONGEST_NUMBER = 20
"""Maximum number of digits in which an upload says how long it is."""

UPLOAD_SECONDS, LATE = 30.0, 408
"""Seconds that the next piece of an upload may take, and the status of one that takes longer."""

POLICY_VIOLATED = 1008
"""The code with which a WebSocket is refused (RFC 6455)."""

ABOUT = (
    "How much do tied scores decide which machine-translation metric wins? Lessons and a leaderboard, in the browser."
)
FILES = {"tiekit-icon.png": HERE / "icon.png", "tiekit-preview.png": HERE / "preview.png"}
"""What is served beside Streamlit's own files, by the last part of the address."""

UNWANTED = (b"if-none-match", b"if-modified-since")
"""Headers of requests that ask for the whole page only if it is another one."""

Application = Callable[[Message, Receive, Send], Awaitable[None]]


class Guard:
    """Answers as the application inside, unless a request uploads too much or comes from another site's page."""

    last_gone: ClassVar[float] = -math.inf
    """When a page's connection last ended, of `time.monotonic`."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self._quota, self._shared = upload_quota.QUOTA, pace.Shared()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request or refuse it."""
        is_long = len(str(scope.get("path", ""))) > LONGEST_PATH
        if scope["type"] == "http" and is_long:
            await _answer(send, b"", [], 414)
        elif scope["type"] == "websocket" and (is_long or not is_own_page(scope)):
            await receive()
            await send({"type": "websocket.close", "code": POLICY_VIOLATED})
        elif scope["type"] == "websocket":
            sent, is_taken, session, cut = set[str](), asyncio.Event(), "", scope.get(pace.CUT)

            async def note(message: Message) -> None:
                nonlocal session
                if cut and not session and (session := streamlit_internals.session_in(message.get("bytes") or b"")):
                    memory.connections[session] = cut
                sent.add(message["type"])
                is_taken.clear()
                try:
                    await send(message)
                finally:
                    is_taken.set()
                if streamlit_internals.is_end_of_run(message.get("bytes") or b""):
                    page.end()

            async def receive_when_taken() -> Message:
                message = await receive()
                if message["type"] == "websocket.receive":  # a page that takes nothing asks for nothing more
                    await is_taken.wait()
                return message

            address, gone = address_of(scope), scope.get(pace.GONE)
            page = pace.Page(self._shared.pages, address, gone)
            try:
                with self._shared.kept.of_page(address) as take:
                    slowed = pace.at_a_pace(receive_when_taken, note, address, self._shared, gone, take, page)
                    await self._app(_without_origin(_bounded_request(scope)), slowed, note)
            finally:
                page.end()
                if memory.connections.get(session) is cut:  # it may have come back by another one
                    memory.connections.pop(session, None)
                if "websocket.accept" in sent:  # Streamlit refuses other paths, and has no session then
                    Guard.last_gone = time.monotonic()
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        else:
            async with self._shared.requests.place(address_of(scope), scope.get(pace.GONE)) as give_up:
                if give_up is not None:
                    await self._request(_bounded_request(scope), receive, send, give_up)

    async def _request(self, scope: Message, receive: Receive, send: Send, give_up: Callable[[], None]) -> None:
        """Answer a request that has a place, and give that up when the answer begins, or it is about an upload."""
        file = uploaded_file(str(scope.get("path", "")))
        if file is None:

            async def send_on(message: Message) -> None:
                give_up()
                await send(message)

            with suppress(pace.GivenUpError):
                await self._app(scope, receive, _add_headers(self._shared.answers.to(address_of(scope), send_on)))
            return
        give_up()
        if scope["method"] == "PUT":
            await self._upload(*file, scope, receive, _Status(_add_headers(send)))
        else:
            status = _Status(_add_headers(send))
            await self._app(scope, receive, status)
            if scope["method"] == "DELETE" and status.is_success:
                self._quota.remove(*file)

    async def _upload(self, session: str, file: str, scope: Message, receive: Receive, send: _Status) -> None:
        """Let a session upload a file, if it has room for it."""
        address, size = address_of(scope), headers_of(scope).get(b"content-length", b"")
        receive = self._at_a_pace(_in_time(receive, send), address, send, scope.get(pace.GONE))
        if not size.isdigit() or len(size) > LONGEST_NUMBER:
            await _answer(send, NO_LENGTH, [(b"content-type", b"text/plain")], 411)
            return
        if len(session) + len(file) > streamlit_internals.LONGEST_NAME:
            await _answer(send, NO_NAMES, [(b"content-type", b"text/plain")], 400)
            return
        if not self._quota.has_room(session, address, int(size)):
            if int(size) <= upload_quota.LARGEST * 2**20:  # a browser that still sends sees no answer
                while (await receive()).get("more_body"):
                    pass
            await _answer(send, TOO_MUCH, [(b"content-type", b"text/plain")], 413)
            return
        if not upload_quota.is_admitted(session):
            await _answer(send, NO_PAGE, [(b"content-type", b"text/plain")], 400)
            return
        with self._quota.upload(session, address, int(size)) as coming:

            async def receive_and_count() -> Message:
                message = await receive()
                coming.arrived += len(message.get("body", b""))
                return message

            form = upload_form.UploadForm(receive_and_count, headers_of(scope).get(b"content-type", b""), send.refuse)
            await self._app(form.name_in(scope), form.receive, send)
            if send.is_success and upload_quota.is_admitted(session):
                coming.arrived = 0  # it is counted as one that is held
                self._quota.keep(session, file, int(size))
            elif send.is_success:  # the session went meanwhile, and Streamlit would keep the file for good
                await self._app({**scope, "method": "DELETE"}, receive, _send_nothing)

    def _at_a_pace(self, receive: Receive, address: str, send: _Status, gone: asyncio.Event | None) -> Receive:
        """Receive as ``receive`` does, the next piece when those of this address before are due."""

        async def receive_at_a_pace() -> Message:
            message = await receive()
            if bounded_reading.is_for_others():
                wait = self._shared.uploads.wait_for(address, len(message.get("body", b"")))
                if wait == math.inf:
                    send.refuse(LATE)
                if wait == math.inf or await pace.is_gone(gone, wait):
                    return {"type": "http.disconnect"}
            return message

        return receive_at_a_pace


def address_of(scope: Message) -> str:
    """Return where a visitor is, as trusted proxies alone may say."""
    return network_of(str((scope.get("client") or [""])[0]))


def is_own_page(scope: Message) -> bool:
    """Return whether a page of this server opens a WebSocket, or of a site that ``server.corsAllowedOrigins`` names.

    Programs other than browsers send no origin. A proxy tells in ``X-Forwarded-Host`` which host the browser asked for.
    """
    headers = headers_of(scope)
    origin = headers.get(b"origin")
    if origin is None:
        return True
    hosts = {headers.get(b"host"), headers.get(b"x-forwarded-host", b"").partition(b",")[0].strip()} - {None, b""}
    named = origin.decode("latin-1")
    try:
        asked = urlsplit(named)
    except ValueError:  # it is no address, such as http://[x
        return False
    is_own = asked.scheme in ("http", "https") and asked.netloc.encode("latin-1") in hosts
    return is_own or named in st.get_option("server.corsAllowedOrigins")


def _bounded_request(scope: Message) -> Message:
    """A request whose answer is whole and not compressed, with the cookies alone that the app knows.

    A long answer would be compressed anew for all that ask for it, which takes seconds before it begins, and a hundred
    ranges of it take two hundred threads; Streamlit keeps thousands of other cookies of each connection. Its page tells
    it what the address holds over a connection of its own, so that too many keys are left out here.
    """
    query = scope.get("query_string", b"")
    names = (streamlit_internals.COOKIE.encode(), public_url.token_cookie().encode())

    def own(cookies: bytes) -> bytes:
        return b"; ".join(filter(None, (_cookie(cookies, name) for name in names)))

    return {
        **scope,
        "query_string": query if query.count(b"&") < MOST_KEYS else b"",
        "headers": [
            (name, own(value) if name == b"cookie" else value)
            for name, value in scope["headers"]
            if name not in (b"accept-encoding", b"range")
        ],
    }


def _cookie(cookies: bytes, name: bytes) -> bytes:
    """The first cookie of a name; many others are passed over at once, not taken apart."""
    at = -1
    while (at := cookies.find(name + b"=", at + 1)) >= 0:
        if not at or cookies[at - 1] in b"; ":
            return cookies[at:].partition(b";")[0].strip()
    return b""


def _without_origin(scope: Message) -> Message:
    """An admitted request that says nothing of its page: of one that Streamlit takes for another's, it asks other hosts
    who the server is, while all wait."""
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if name != b"origin"]}


def uploaded_file(path: str) -> tuple[str, str] | None:
    """Return session and file that a request with this path uploads or removes; None for another request."""
    parts = path.strip("/").split("/")
    place = parts.index("upload_file") if "upload_file" in parts else len(parts)
    is_upload = "_stcore" in parts[:place] and len(parts) == place + 3
    return (parts[place + 1], parts[place + 2]) if is_upload else None


def _in_time(receive: Receive, send: _Status) -> Receive:
    """Receive as ``receive`` does; who sends no further piece for `UPLOAD_SECONDS` is taken to have gone.

    For Streamlit that is an error of its own; ``send`` says whose it is.
    """

    async def receive_in_time() -> Message:
        try:
            return await asyncio.wait_for(receive(), UPLOAD_SECONDS)
        except TimeoutError:
            send.refuse(LATE)
            return {"type": "http.disconnect"}

    return receive_in_time


class _Status:
    """Sends on, with another status if the request was refused, and knows whether the answer tells of success."""

    def __init__(self, send: Send) -> None:
        self._send, self.is_success, self._refusal = send, False, 0

    def refuse(self, status: int = 400) -> None:
        """Let the answer have this status, whatever the application makes of the end of the request."""
        self._refusal = status

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.is_success = 200 <= message["status"] < 300
            message = {**message, "status": self._refusal or message["status"]}
        await self._send(message)


async def _send_nothing(_: Message) -> None:
    """Answer nobody."""


def _add_headers(send: Send) -> Send:
    """Send what is sent, with `HEADERS`."""

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message["headers"]}
            more = [(name, value) for name, value in HEADERS if name not in there]
            message = {**message, "headers": [*message["headers"], *more]}
        await send(message)

    return send_with_headers


class Owner:
    """Gives the browser that opens the printed address its secret as a cookie, and takes it out of the address."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Send on to the address without the secret, or answer as the application inside."""
        asked = scope.get("query_string", b"").decode("latin-1")
        named = [one.partition("=")[2] for one in asked.split("&") if one.partition("=")[0] == public_url.TOKEN]
        if scope["type"] != "http" or scope["method"] != "GET" or not any(map(public_url.is_token, named)):
            await self._app(scope, receive, send)
            return
        query = parse_qsl(asked, keep_blank_values=True)  # for its owner alone: to take a long one apart takes long
        rest = urlencode([(name, value) for name, value in query if name != public_url.TOKEN])
        path = "/" + quote(str(scope["path"]).lstrip("/"))
        cookie = f"{public_url.token_cookie()}={named[-1]}; Path=/; HttpOnly; SameSite=Strict"
        headers = [(b"location", f"{path}{'?' * bool(rest)}{rest}".encode()), (b"set-cookie", cookie.encode())]
        await _answer(send, b"", headers, 303)


class Preview:
    """Puts words of our own into the head of a page of HTML, serves icon and picture, and leads old addresses on."""

    def __init__(self, app: Application) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request: with one of our files, a page with our words, a new address, or as Streamlit does."""
        last, query = str(scope.get("path", "")).rpartition("/")[2], scope.get("query_string", b"")
        if scope["type"] != "http" or scope["method"] != "GET":
            await self._app(scope, receive, send)
        elif to := pages.new_address(last, [one.partition("=")[0] for one in query.decode("latin-1").split("&")]):
            await _answer(send, b"", [(b"location", to.encode() + b"?" * bool(query) + query)], 308)
        elif last in FILES:
            await _answer(send, FILES[last].read_bytes(), [(b"content-type", b"image/png")])
        elif last in _titles():
            await self._page(scope, receive, send, last)
        else:
            await self._app(scope, receive, send)

    async def _page(self, scope: Message, receive: Receive, send: Send, address: str) -> None:
        """Send Streamlit's page with our words in its head."""
        wanted = [(name, value) for name, value in scope["headers"] if name not in UNWANTED]
        start: Message = {}
        body = bytearray()

        async def collect(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
            else:
                body.extend(message.get("body", b""))

        await self._app({**scope, "headers": wanted, "extensions": {}}, receive, collect)
        if not start:  # whoever asked has gone
            return
        headers = [(name, value) for name, value in start["headers"] if name not in (b"content-length", b"etag")]
        content = bytes(body)
        if any(name == b"content-type" and b"text/html" in value for name, value in headers):
            content = with_words(content.decode(), address, _root(scope)).encode()
        await _answer(send, content, headers, start["status"])


def headers_of(scope: Message) -> dict[bytes, bytes]:
    """Return the headers of a request, by names in small letters."""
    return dict(scope["headers"])


def _root(scope: Message) -> str:
    """Where the app lies, as the browser has it."""
    headers = {name: value.decode("latin-1") for name, value in headers_of(scope).items()}
    scheme = headers.get(b"x-forwarded-proto", str(scope["scheme"])).partition(",")[0]
    host = headers.get(b"x-forwarded-host", headers.get(b"host", "")).partition(",")[0]
    return f"{scheme}://{host}{str(scope['path']).rpartition('/')[0]}"


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
    ours += '<meta name="twitter:card" content="summary_large_image" />' + shell.STYLE
    page = re.sub("<title>.*?</title>", lambda _: f"<title>{escape(title)}</title>{ours}", page, count=1)
    return page.replace('href="./favicon.png"', 'href="./tiekit-icon.png"', 1)
