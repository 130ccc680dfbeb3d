"""What may a browser ask of a public server? Uploads within limits, and answers with headers that guard the visitor."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from ui.work import streamlit_internals, upload_quota

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

TOO_MUCH = b"This session holds as many uploaded files as it may. Remove some, or reload the page."

NO_LENGTH = b"An upload says how long it is, as every browser does."

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Guard:
    """An ASGI application around Streamlit's."""

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]]) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request as Streamlit does, unless it uploads more than a session may hold."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = {name.lower() for name, _ in message["headers"]}
                more = [(name, value) for name, value in HEADERS if name not in there]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        session = streamlit_internals.uploading_session(str(scope.get("path", "")))
        if scope["method"] != "PUT" or session is None:
            await self._app(scope, receive, guarded)
            return
        length = _length_of(scope)
        if length is None:
            await _refuse(guarded, 411, NO_LENGTH)
            return
        if not upload_quota.has_room(session, length):
            upload_quota.refuse(session, length)
            await _refuse(guarded, 413, TOO_MUCH)
            return
        with upload_quota.taken(session, length):
            await self._app(scope, receive, guarded)


async def _refuse(send: Send, status: int, words: bytes) -> None:
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(words)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": words})


def _length_of(scope: Message) -> int | None:
    """How long a request says that it is; None where it does not."""
    said = dict(scope["headers"]).get(b"content-length", b"")
    return int(said) if said.isdigit() else None
