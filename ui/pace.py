"""How fast may a page ask? Each at its own pace, and for what takes long at one that is shared among addresses.

And how much may wait for who takes it slowly? A piece of each answer, and so many bytes of the answers themselves.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, MutableMapping
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

from ui.work import streamlit_internals, upload_quota

MESSAGES, PER_SECOND = 60, 5.0
"""Number of messages that a page may send at once, and how many in each second thereafter; further ones wait."""

OF_ADDRESS, OF_ADDRESS_PER_SECOND = 300, 150.0
"""The same for all pages from an address, such as the 300 phones of a lecture hall, which ask again every two seconds.
"""

LONGEST = 15.0
"""Maximum number of seconds that a message waits for those of all pages from its address."""

MOST_ENTRIES = 2 * upload_quota.MOST_FILES
"""Maximum number of entries that the lists of a message have, those in its JSON too: files of a field, for instance."""

ADDRESSES_OF_A_MESSAGE, ENTRIES_OF_A_MESSAGE, BYTES_OF_A_MESSAGE, MESSAGES_OF_A_DOWNLOAD = 200, 2_000, 2**16, 5
"""How many files whose addresses are asked for, how many entries of lists, and how many bytes count as a message of
their own; and as how many messages it counts that a file is to be made."""

LARGE, LARGE_PER_SECOND = 100, 20.0
"""A large message counts as several. So many of them, beyond the first of each, an address may send at once, and so
many in each second thereafter are for all addresses that sent some: it may ask for the addresses of 20,000 files at
once, and of 4,000 in each second."""

UPLOADED, UPLOADED_PER_SECOND = 64 * 2**20, 16.0 * 2**20
"""Number of bytes of uploads that an address may send at once, and that all addresses share in a second thereafter:
Streamlit reads them where it sends the messages of all pages."""

LONGEST_OF_UPLOAD = 30.0
"""Maximum number of seconds that a piece of an upload waits for those of its address."""

PIECE = 2**16
"""Number of bytes of an answer that are sent at once; the next ones when the browser has taken some."""

SMALL, FEW, KEPT_OF_ADDRESS, KEPT = 2**14, 4 * 2**20, 64 * 2**20, 192 * 2**20
"""Bytes of a message that any page may send; and of the longest ones of the pages of an address whatever others have,
of one address, and of all: sessions keep what they hold."""

SENT_TO_ADDRESS, SENT = 192 * 2**20, 384 * 2**20
"""Maximum number of bytes of the answers in memory that one address, and all, are taking; others have them at once."""

AT_ONCE, LONGEST_PLACE = 4, 5.0
"""Number of requests whose answers are being made at the same time, and seconds after which one counts no more."""

PAGES, LONGEST_PAGE = 8, 1.0
"""Number of pages that are being drawn or sent at the same time, and seconds after which one counts no more: some
compute for longer, or wait."""

MOST_REST = 0.1
"""Maximum number of seconds for all else between two messages."""

PATIENCE = 5.0
"""Maximum number of seconds that who asks for much waits for what his address asked for before."""

UNREADABLE, TOO_BIG, TRY_LATER = 1003, 1009, 1013
"""The codes with which a WebSocket ends that sends what nobody reads, or too much of it, or when too much is asked of
the server; then the page opens another one (RFC 6455; 1013 is in IANA's registry of WebSocket close codes)."""

GONE = "tiekit.gone"
"""The key of the scope of a connection, or a request, with the event that who asks has gone."""

CUT = "tiekit.cut"
"""The key of the scope of a page's connection with what ends it at once."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class Pace:
    """So much at once, and so much in each second thereafter."""

    def __init__(self, most: float, per_second: float) -> None:
        self._most, self._per_second, self._left, self._at = most, per_second, most, time.monotonic()

    def wait_for(self, number: float, longest: float = math.inf) -> float:
        """Take so much, and return the seconds until it is due; nothing, and they are infinite, beyond ``longest``."""
        self.change_to(self._per_second)
        wait = max(0.0, (number - self._left) / self._per_second) if number else 0.0
        self._left -= number * (wait <= longest)
        return wait if wait <= longest else math.inf

    def change_to(self, per_second: float) -> None:
        """Let so much come in each second from now on."""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._per_second)
        self._at, self._per_second = now, per_second

    def is_full(self) -> bool:
        """Whether it is as if nothing had been taken."""
        return self._left + (time.monotonic() - self._at) * self._per_second >= self._most


class Paces:
    """So much at once for each address, and so much in each second thereafter, for each or shared by those who ask."""

    def __init__(self, most: float, per_second: float, *, are_shared: bool, longest: float = math.inf) -> None:
        self._most, self._per_second, self._are_shared, self._longest = most, per_second, are_shared, longest
        self._paces: dict[str, Pace] = {}

    def wait_for(self, address: str, number: float) -> float:
        """Take so much for an address, and return the seconds until it is due; infinite, and nothing, if too long."""
        if not number:
            return 0.0
        if self._are_shared or address not in self._paces:
            waiting = {name: pace for name, pace in self._paces.items() if not pace.is_full()}
            self._paces = {address: Pace(self._most, self._per_second)} | waiting
        for pace in self._paces.values() if self._are_shared else ():
            pace.change_to(self._per_second / len(self._paces))
        return self._paces[address].wait_for(number, self._longest)


class Line:
    """Where messages pass one by one: addresses take turns, and all else has as much time as each takes.

    To draw a page, Streamlit starts a thread where it serves everybody, and waits until Python lets that run: a hundred
    at once would hold up all for seconds.
    """

    def __init__(self) -> None:
        # the address that is next comes first
        self._waiting: dict[str, deque[tuple[asyncio.Future[bool], asyncio.Event | None]]] = {}
        self._calls: asyncio.Task[None] | None = None

    async def stand(self, address: str, gone: asyncio.Event | None = None) -> bool:
        """Wait until a message from an address may pass, or its page has ``gone``; return whether it passes."""
        place: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append((place, gone))
        if self._calls is None or self._calls.done():
            self._calls = asyncio.create_task(self._call())
        leaves = asyncio.create_task(_leave(place, gone)) if gone else None
        try:
            return await place
        finally:
            if leaves:
                leaves.cancel()

    async def _call(self) -> None:
        while self._waiting:
            address, line = next(iter(self._waiting.items()))
            del self._waiting[address]
            place, gone = line.popleft()
            if line:
                self._waiting[address] = line
            if place.done():  # who has left waits no more
                continue
            if gone and gone.is_set():  # and nothing has told him so
                place.set_result(False)
                continue
            await self._let_pass(place)

    async def _let_pass(self, place: asyncio.Future[bool]) -> None:
        place.set_result(True)
        began = time.monotonic()
        await asyncio.sleep(0)  # it passes
        await asyncio.sleep(min(MOST_REST, time.monotonic() - began))


async def _leave(place: asyncio.Future[bool], gone: asyncio.Event) -> None:
    """Give up a place in the line as soon as its page has ``gone``."""
    await gone.wait()
    if not place.done():
        place.set_result(False)


class Requests(Line):
    """Where requests wait for one of few places, which each has until its answer begins: addresses take turns.

    Else all that ask at the same time are answered in one go, for which every step of whatever else is done waits. So
    do pages that want to be drawn; each has its place until it is sent: Streamlit goes from one page to the next, with
    a step of all else after each of a hundred messages, so that where many were drawn a round takes half a minute.
    """

    def __init__(self, at_once: int, longest: float) -> None:
        super().__init__()
        self._free, self._longest = asyncio.Semaphore(at_once), longest

    async def _let_pass(self, place: asyncio.Future[bool]) -> None:
        await self._free.acquire()
        if place.done():
            self._free.release()
        else:
            place.set_result(True)
            await asyncio.sleep(0)

    async def take(self, address: str, gone: asyncio.Event | None) -> Callable[[], None] | None:
        """Wait for a place, and return what gives it up; None if who asks has ``gone``. It ends in time."""
        if not await self.stand(address, gone):
            return None
        has_place = True

        def give_up() -> None:
            nonlocal has_place
            if has_place:
                has_place = False
                end.cancel()
                self._free.release()

        end = asyncio.get_running_loop().call_later(self._longest, give_up)
        return give_up

    @asynccontextmanager
    async def place(self, address: str, gone: asyncio.Event | None) -> AsyncIterator[Callable[[], None] | None]:
        """Yield what gives up a place, as `take` returns it; it is free after the block."""
        give_up = await self.take(address, gone)
        try:
            yield give_up
        finally:
            if give_up:
                give_up()


class Kept:
    """How many bytes the longest messages of the pages that are open have; beyond the bounds only small ones pass."""

    def __init__(self) -> None:
        self._sizes = Counter[str]()

    @contextmanager
    def of_page(self, address: str) -> Iterator[Callable[[int], bool]]:
        """Yield what takes a message of so many bytes, and says whether it passes, of a page open in the block."""
        longest = 0

        def take(size: int) -> bool:
            nonlocal longest
            more = max(0, size - longest)
            of_address = self._sizes[address] + more
            is_full = of_address > KEPT_OF_ADDRESS or (of_address > FEW and self._sizes.total() + more > KEPT)
            if size > SMALL and more and is_full:
                return False
            longest += more
            self._sizes[address] += more
            return True

        try:
            yield take
        finally:
            self._sizes[address] -= longest
            if not self._sizes[address]:
                del self._sizes[address]


class Page:
    """An open page, which has a place while it is drawn and sent; each time it is to be drawn it waits for another."""

    def __init__(self, places: Requests, address: str, gone: asyncio.Event | None) -> None:
        self._places, self._address, self._gone = places, address, gone
        self.end: Callable[[], None] = lambda: None  # gives up its place

    async def begin(self) -> bool:
        """Wait until the page may be drawn; return whether it is still there."""
        self.end()
        give_up = await self._places.take(self._address, self._gone)
        self.end = give_up or self.end
        return give_up is not None


class GivenUpError(Exception):
    """An answer is sent no further."""


class Answers:
    """The long answers that are being taken; where they are too many bytes, the oldest of who has most is given up."""

    def __init__(self, of_address: int = SENT_TO_ADDRESS, of_all: int = SENT) -> None:
        self._of_address, self._of_all = of_address, of_all
        self._taken: dict[asyncio.Timeout, tuple[str, int]] = {}  # the oldest first

    def to(self, address: str, send: Send) -> Send:
        """Send what is sent, a long answer in pieces; `GivenUpError` ends it."""

        async def send_in_pieces(message: Message) -> None:
            body = memoryview(message.get("body", b""))
            if len(body) <= PIECE:
                await send(message)
                return
            async with self._count(address, len(body)):
                for start in range(0, len(body), PIECE):
                    is_last = start + PIECE >= len(body)
                    more = not is_last or message.get("more_body", False)
                    await send({**message, "body": bytes(body[start : start + PIECE]), "more_body": more})

        return send_in_pieces

    @asynccontextmanager
    async def _count(self, address: str, size: int) -> AsyncIterator[None]:
        """Count an answer while it is being sent, in this block."""
        try:
            async with asyncio.timeout(None) as end:
                self._taken[end] = address, size
                self._give_up()
                try:
                    yield
                finally:
                    self._taken.pop(end, None)
        except TimeoutError:
            raise GivenUpError from None

    def _give_up(self) -> None:
        """Give up the oldest answers of who has most until there is room for all; a single one has."""
        while len(self._taken) > 1:
            sizes = Counter[str]()
            for address, size in self._taken.values():
                sizes[address] += size
            (most, size), *_ = sizes.most_common(1)
            if size <= self._of_address and sizes.total() <= self._of_all:
                return
            oldest = next(end for end, (address, _) in self._taken.items() if address == most)
            del self._taken[oldest]
            oldest.reschedule(0)


class Shared:
    """What the pages of all visitors may ask for, and take."""

    def __init__(self) -> None:
        self.answers = Answers()
        self.line, self.requests, self.pages = Line(), Requests(AT_ONCE, LONGEST_PLACE), Requests(PAGES, LONGEST_PAGE)
        self.kept = Kept()
        self.messages = Paces(OF_ADDRESS, OF_ADDRESS_PER_SECOND, are_shared=False, longest=LONGEST)
        self.large = Paces(LARGE, LARGE_PER_SECOND, are_shared=True, longest=PATIENCE)
        self.uploads = Paces(UPLOADED, UPLOADED_PER_SECOND, are_shared=True, longest=LONGEST_OF_UPLOAD)


def at_a_pace(
    receive: Receive,
    send: Send,
    address: str,
    shared: Shared,
    gone: asyncio.Event | None = None,
    take: Callable[[int], bool] = lambda _: True,
    page: Page | None = None,
) -> Receive:
    """Receive as ``receive`` does, but no faster than a page may send; others are served between two messages.

    What waits is dropped when the page has ``gone``: else those who come and go would leave ever more that waits. One
    that the `Kept` do not ``take`` ends the connection. What has a ``page`` drawn waits until that may begin.
    Pages send bytes, in lists of no more than `MOST_ENTRIES`: the connection of who sends anything else is closed. A
    large message waits before it is read, and each is read in its turn, so that those of one address hold up none of
    another: to walk through 20,000 parts of 40 KB takes a tenth of a second.
    """
    own = Pace(MESSAGES, PER_SECOND)

    async def receive_at_a_pace() -> Message:
        message = await receive()
        if message["type"] != "websocket.receive":
            return message
        content = message.get("bytes") or b""
        by_size = max(0.0, len(content) / BYTES_OF_A_MESSAGE - 1)
        wait = max(shared.messages.wait_for(address, 1), shared.large.wait_for(address, by_size))
        if wait < math.inf:
            if (wait and await is_gone(gone, wait)) or not await shared.line.stand(address, gone):
                return dict(LEFT)
            asked = streamlit_internals.read_message(content, MOST_ENTRIES)
            if asked.entries > MOST_ENTRIES:
                return await _close(send, TOO_BIG)
            if message.get("bytes") is None or asked.is_made_up:
                return await _close(send, UNREADABLE)
            by_content = max(asked.addresses / ADDRESSES_OF_A_MESSAGE, asked.entries / ENTRIES_OF_A_MESSAGE) - 1
            wait = shared.large.wait_for(address, max(0.0, by_content - by_size))
        if wait == math.inf or not take(len(content)):
            return await _close(send, TRY_LATER)
        turns = max(1 + max(by_size, by_content), asked.downloads * MESSAGES_OF_A_DOWNLOAD)
        if await is_gone(gone, max(wait, own.wait_for(turns))):
            return dict(LEFT)
        passes = await shared.line.stand(address, gone) and (not page or not asked.is_run or await page.begin())
        return message if passes else dict(LEFT)

    return receive_at_a_pace


LEFT = {"type": "websocket.disconnect", "code": 1006}
"""What tells the application that a page has gone without a word (RFC 6455)."""


async def is_gone(gone: asyncio.Event | None, seconds: float) -> bool:
    """Wait for some seconds, or until who asks has ``gone``; return whether he has."""
    if gone is None or not seconds:
        await asyncio.sleep(seconds)
        return False
    with suppress(TimeoutError):
        await asyncio.wait_for(gone.wait(), seconds)
    return gone.is_set()


async def _close(send: Send, code: int) -> Message:
    """End a connection, and return what tells the application so."""
    await send({"type": "websocket.close", "code": code})
    return {"type": "websocket.disconnect", "code": code}
