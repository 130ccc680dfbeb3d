"""How often may something go wrong? A number of times in a while, for one address and for all together."""

from __future__ import annotations

from collections import deque


class Limit:
    """Counts events of the last seconds.

    Parameters
    ----------
    by_one, by_all : int
        How many are allowed from one address, and from all together.
    per : float
        In so many seconds.
    """

    def __init__(self, by_one: int, by_all: int, per: float) -> None:
        self._by_one, self._by_all, self._per = by_one, by_all, per
        self._events: deque[tuple[float, str]] = deque(maxlen=by_all)

    def count(self, address: str, now: float) -> None:
        """Note an event; only the latest ``by_all`` are kept, which is all that `is_reached` needs."""
        self._events.append((now, address))

    def is_reached(self, address: str, now: float) -> bool:
        """Return whether no more events are allowed from an address at this time."""
        while self._events and now - self._events[0][0] >= self._per:
            self._events.popleft()
        mine = sum(other == address for _, other in self._events)
        return mine >= self._by_one or len(self._events) >= self._by_all
