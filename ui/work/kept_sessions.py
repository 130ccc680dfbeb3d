"""Who may come back? Sessions that lost their connection, for a while; where many have, addresses share the room.

Streamlit keeps 128, whosever they are, and also those of connections that asked for nothing: a stranger who opened so
many and left took their sessions from all who had lost their connection. Here a session is kept once it has drawn a
page, and where there are too many the oldest goes of the address that has most.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from ui.work import upload_quota

MOST = 1_000
"""Maximum number of sessions that are kept: of a lecture hall of 300 all, beside three strangers who leave as many."""


class KeptSessions:
    """Keeps sessions for ``ttl_seconds``, as Streamlit's `MemorySessionStorage` does."""

    def __init__(self, ttl_seconds: float, *, most: int = MOST, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._most, self._clock = ttl_seconds, most, clock
        self._kept: dict[str, tuple[float, str, Any]] = {}  # until when, and of which address; the oldest first

    def get(self, session_id: str) -> Any:
        """Return a session that is kept."""
        self._forget()
        return self._kept[session_id][2] if session_id in self._kept else None

    def save(self, session_info: Any) -> None:
        """Keep a session, if it has drawn a page."""
        name = session_info.session.id
        self._kept.pop(name, None)
        address = upload_quota.address_of(name)
        if address is not None:
            self._kept[name] = self._clock() + self._seconds, address, session_info
        self._forget()

    def delete(self, session_id: str) -> None:
        """Keep a session no longer."""
        self._kept.pop(session_id, None)
        self._forget()

    def list(self) -> list[Any]:
        """Return all sessions that are kept."""
        self._forget()
        return [session for _, _, session in self._kept.values()]

    def _forget(self) -> None:
        """Let go of those whose time is over, and of the oldest of who has most while there are too many."""
        now = self._clock()
        for name in [name for name, (until, _, _) in self._kept.items() if until <= now]:
            del self._kept[name]
        while len(self._kept) > self._most:
            [(most, _)] = Counter(address for _, address, _ in self._kept.values()).most_common(1)
            del self._kept[next(name for name, (_, address, _) in self._kept.items() if address == most)]
