"""Who is next, of those who wait to have an upload read or a result computed? No address takes all places from others.

So many are served at a time. Whose address has fewest places goes first; then whose address, and then whose session,
was served for the shortest time of late; then who asked first. So what is wanted from a single address, by however many
sessions, waits for each other and holds up somebody else by the one that is being served. A lecture hall behind one
address has all places while nobody else wants one.

A page reads a file, or computes what it shows, by several calls, one after another. Between two of them the place stays
its session's, unless somebody waits who goes first by these rules, or nothing follows.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from threading import Event, Lock
from time import monotonic

from ui.work.visitor import Limit, Visitor, current_visitor

RECENT, STEP = 15.0, 3.0
"""Seconds within which the time of a call counts, from its end; seconds by which times are compared: who was served for
less than these is as one who never was.

Who comes goes first until he has had as much as others: of minutes, he would hold up a lecture hall for as long.
"""

KEPT = 0.2
"""Seconds for which a place stays its session's after a call."""

MOST_PAUSES = 10
"""Who is farther behind in the line looks less often who has come or gone: up to so many times less often."""

LOOK = 0.1
"""Seconds after which it is looked anew who is next, if nobody has come or gone."""

COMPUTED = Limit(RECENT)
"""For how many milliseconds of the last seconds each session and address had a page drawn or a result computed."""


@dataclass(eq=False, frozen=True)
class Ticket:
    """A visitor's wish to have one call made, or gone on with; the event is set when it has a place."""

    visitor: Visitor
    has_begun: bool = False
    called: Event = field(default_factory=Event)
    is_alone: bool = False  # no other call follows


@dataclass
class Turn:
    """A place that a session has: for which call, since when, and when that ended."""

    ticket: Ticket
    since: float
    ended: float | None = None


def note(served: Limit, visitor: Visitor, since: float, ended: float) -> None:
    """Note for how long something was done for a visitor and his address."""
    for cause in (visitor.session, visitor.address):
        served.add(cause, ended, round(1000 * (ended - since)))


class Places:
    """A number of places, at most one for each session.

    A call that has begun holds memory until it ends, also while it lets others pass: ``begun`` are how many of an
    address may have begun in any case, how many of one at most, and how many in all. A call that lets nobody pass for
    seconds of ``patience`` goes on, but its place is taken for its own address alone. For how long somebody was
    ``served`` of late, in milliseconds, is compared by ``step`` seconds; others may note there what else they did for
    him. Every method may be called from any thread. The ``clock`` returns seconds and never goes back.
    """

    def __init__(
        self,
        number: int,
        clock: Callable[[], float] = monotonic,
        *,
        begun: tuple[float, float, float] = (math.inf, math.inf, math.inf),
        patience: float = math.inf,
        served: Limit | None = None,
        step: float = STEP,
    ) -> None:
        self._most_begun, self._begun = begun, set[Ticket]()
        self._number, self._patience, self._step = number, patience, step
        self._clock, self._lock = clock, Lock()
        self._waiting: dict[Ticket, int] = {}  # in the order of asking, each with its number in the line
        self._turns: dict[str, Turn] = {}
        self._served = Limit(RECENT) if served is None else served
        self._next = 0.0  # when the line is made anew, if nobody comes or goes

    def ask(
        self,
        visitor: Visitor,
        *,
        has_begun: bool = False,
        called: Event | None = None,
        is_alone: bool = False,
    ) -> Ticket:
        """Return a ticket, which waits until `number` says that it has a place; whatever happens, it must `leave`."""
        with self._lock:
            ticket = Ticket(visitor, has_begun, called or Event(), is_alone)
            self._waiting[ticket] = 0
            self._call()
            return ticket

    def number(self, ticket: Ticket) -> int:
        """Return the number of a ticket among those that wait, in the order in which they would be called now.

        It is 0 for a ticket that has a place.
        """
        with self._lock:
            if self._clock() >= self._next:
                self._call()
            return self._waiting.get(ticket, 0)

    @contextmanager
    def wait(
        self,
        look: Callable[[int], object],
        pause: float,
        visitors: Sequence[Visitor] | None = None,
        *,
        is_alone: bool = False,
    ) -> Iterator[Callable[[], None]]:
        """Wait for a place for one of some visitors, else for who draws this thread's page, and have it in this block.

        Meanwhile ``look`` is called with the number in the line, every ``pause`` seconds or more seldom. Who has
        come to the ``visitors`` stands in the line, too, and who has left them no more; if nobody is left, ``look`` is
        called with 0, and the block goes on without a place unless that raises an error. The block is given what lets
        those pass who go first, and waits again. If it ``is_alone``, no other call of its page follows.
        """
        tickets, called = dict[Visitor, Ticket](), Event()
        ask = partial(self.ask, called=called, is_alone=is_alone)
        first: Ticket | None = None  # by which the call began
        wanted = [current_visitor()] if visitors is None else visitors

        def leave(but: Collection[Visitor] = ()) -> None:
            for visitor in [one for one in tickets if one not in but]:
                self.leave(tickets.pop(visitor))

        def stand() -> None:
            while True:
                called.clear()
                here = tuple(wanted)
                leave(but=here)
                for visitor in here:
                    if visitor not in tickets:
                        tickets[visitor] = ask(visitor, has_begun=first is not None)
                if not here:
                    look(0)
                    return
                numbers = {visitor: self.number(ticket) for visitor, ticket in tickets.items()}
                next_one = min(numbers, key=numbers.__getitem__)
                if not numbers[next_one]:
                    leave(but=[next_one])
                    return
                look(numbers[next_one])
                called.wait(pause * min(numbers[next_one], MOST_PAUSES))

        def let_pass() -> None:
            for ticket in tickets.values():
                self.leave(ticket, has_ended=False)
            tickets.clear()
            stand()

        try:
            stand()
            first = next(iter(tickets.values()), None)
            yield let_pass
        finally:
            leave()
            if first is not None:
                self.leave(first)

    def leave(self, ticket: Ticket, *, has_ended: bool = True) -> None:
        """Give a ticket's place back, or wait no more; the call may go on by another ticket unless it ``has_ended``."""
        with self._lock:
            if has_ended:
                self._begun.discard(ticket)
            turn = self._turns.get(ticket.visitor.session)
            if ticket in self._waiting:
                del self._waiting[ticket]
            elif turn is not None and turn.ticket is ticket and turn.ended is None:
                turn.ended = self._clock()
                note(self._served, ticket.visitor, turn.since, turn.ended)
            self._call()

    def n_taken(self) -> int:
        """The number of places where a call is made."""
        with self._lock:
            return sum(turn.ended is None for turn in self._turns.values())

    def _call(self) -> None:
        """Give each free place to who is next, and a kept one to its session; number those who still wait."""
        now = self._clock()
        self._next = now + LOOK
        for session, turn in [*self._turns.items()]:
            if turn.ended is not None:
                del self._turns[session]
                if turn.ticket.is_alone:
                    continue
                line = self._line([turn.ticket, *self._waiting], now)  # as if it asked again
                if now - turn.ended < KEPT and line[0] is turn.ticket:
                    self._turns[session] = turn
        line = [ticket for ticket in self._line(self._waiting, now) if not self._take(ticket, now)]
        numbers = {ticket: number for number, ticket in enumerate(line, 1)}
        self._waiting = {ticket: numbers[ticket] for ticket in self._waiting if ticket in numbers}

    def _take(self, ticket: Ticket, now: float) -> bool:
        """Let a ticket have its session's place, or a free one; return whether there is one."""
        session, address = ticket.visitor.session, ticket.visitor.address
        turn, since = self._turns.get(session), now
        if turn is not None:
            if turn.ended is None:
                return False
            since = turn.ended
        elif sum(self._holds_up(one, address, now) for one in self._turns.values()) >= self._number:
            return False
        if not ticket.has_begun:
            if not self._may_begin(address, self._n_begun()):
                return False
            self._begun.add(ticket)
        self._turns[session] = Turn(ticket, since)
        ticket.called.set()
        return True

    def _holds_up(self, turn: Turn, address: str, now: float) -> bool:
        """Whether a turn takes a place that an address could have."""
        return turn.ticket.visitor.address == address or now - turn.since < self._patience

    def _n_begun(self) -> Counter[str]:
        """How many calls have begun and not ended, by address."""
        return Counter(one.visitor.address for one in self._begun)

    def _may_begin(self, address: str, begun: Counter[str]) -> bool:
        """Whether a call of an address may begin beside those that have begun and not ended."""
        in_any_case, of_address, in_all = self._most_begun
        return begun[address] < in_any_case or (begun[address] < of_address and begun.total() < in_all)

    def _line(self, tickets: Iterable[Ticket], now: float) -> list[Ticket]:
        """Return tickets in the order in which they would be called, each as if those before had been.

        Those that may not begin come last, and count for nothing: they would hold back what their address has begun.
        """
        sessions = set(self._turns)
        addresses = Counter(turn.ticket.visitor.address for turn in self._turns.values())
        begun = self._n_begun()
        ranks: dict[Ticket, tuple[bool, bool, int, int]] = {}
        for ticket in sorted(tickets, key=lambda one: self._steps(one.visitor.session, now)):
            who = ticket.visitor
            may_begin = ticket.has_begun or self._may_begin(who.address, begun)
            steps = self._steps(who.address, now)
            ranks[ticket] = not may_begin, who.session in sessions, addresses[who.address], steps
            if may_begin:
                addresses[who.address] += who.session not in sessions
                sessions.add(who.session)
                begun[who.address] += not ticket.has_begun
        return sorted(ranks, key=ranks.__getitem__)

    def _steps(self, cause: str, now: float) -> int:
        """How many times a step's seconds a session or an address was served of late."""
        return self._served.count(cause, now) // round(1000 * self._step)
