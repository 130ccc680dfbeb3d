"""What does an upload hold? A form with one file, as every browser sends it; Streamlit is given one like it.

Its parser goes letter by letter through content that is nearly the line which ends a part, for a third of a second a
megabyte, and serves nobody meanwhile. That line is chosen by whoever uploads. Here another one takes its place, which
nobody can know.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

from ui.pace import Message, Receive

LONGEST_HEAD = 2**13
"""Maximum number of bytes before the file: the line that begins it, and its name twice."""

_BOUNDARY = re.compile(rb'multipart/form-data;[^,]*?boundary="?([^\s",;]{1,70})"?', re.IGNORECASE)
"""The type of a form, and the end of the line that divides it (RFC 2046, section 5.1.1)."""


class UploadForm:
    """Receives a form, and hands on one with the same file; what is none ends as if its visitor had gone."""

    def __init__(self, receive: Receive, content_type: bytes, refuse: Callable[[], None]) -> None:
        found = _BOUNDARY.match(content_type)
        self._receive, self._refuse = receive, refuse
        self._line = b"--" + found[1] if found else b""
        self._own_line = b"--" + secrets.token_hex(16).encode()
        self._held = bytearray()  # the head until all of it is there, then what may be the end of the form
        self._has_begun = False

    def name_in(self, scope: Message) -> Message:
        """A request that names the type of the form that is handed on."""
        own = (b"content-type", b"multipart/form-data; boundary=" + self._own_line[2:])
        return {**scope, "headers": [*(one for one in scope["headers"] if one[0] != b"content-type"), own]}

    async def receive(self) -> Message:
        """Return the next piece of the form."""
        while self._line:
            message = await self._receive()
            if message["type"] != "http.request":
                return message
            self._held += message.get("body", b"")
            is_last = not message.get("more_body")
            piece = self._take(is_last=is_last)
            if piece is None:
                break
            if piece:
                return {"type": "http.request", "body": piece, "more_body": not is_last}
        self._refuse()
        return {"type": "http.disconnect"}

    def _take(self, *, is_last: bool) -> bytes | None:
        """What can be handed on of all that has come; None if it is no form with a file."""
        head = b""
        if not self._has_begun:
            found, blank, rest = self._held.partition(b"\r\n\r\n")
            if not blank and len(found) <= LONGEST_HEAD and not is_last:
                return b""
            if not blank or len(found) > LONGEST_HEAD or not found.startswith(self._line + b"\r\n"):
                return None
            head = self._own_line + found[len(self._line) :] + blank
            self._has_begun, self._held = True, rest
        end = b"\r\n" + self._line + b"--"
        if is_last:
            file, mark, after = bytes(self._held).rpartition(end)
            is_whole = mark and after in (b"", b"\r\n")
            return head + file + b"\r\n" + self._own_line + b"--\r\n" if is_whole else None
        ready = max(0, len(self._held) - len(end) - 2)
        content = bytes(self._held[:ready])
        del self._held[:ready]
        return head + content
