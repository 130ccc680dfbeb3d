"""What may a connection hold, and do the server's guards answer? Bounds of unfinished requests; a look at oneself."""

from __future__ import annotations

import asyncio
import http.client
import math
import ssl
import sys
from collections import Counter
from contextlib import closing, suppress
from typing import Any, BinaryIO
from urllib.parse import urlsplit

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from ui import pace
from ui.work.visitor import network_of

MAX_HEADER_BYTES, MAX_HEADERS, HEADER_SECONDS = 65_536, 200, 15.0
"""How many bytes of a request are no body, in how many lines, and how long it takes until it is known."""

MAX_WAITING = 2
"""Number of requests that a connection sends while an earlier one is not answered; browsers send none."""

MAX_MESSAGE_BYTES = 4_000_000
"""Maximum size of what a page sends at once; uploads are no such messages."""

MAX_PARTS, MESSAGE_SECONDS = 200, 30.0
"""How many pieces of messages and pings a page sends within the seconds that one message may take."""

MAX_MESSAGES, MESSAGE_BYTES = 300, 500
"""How many messages of a page wait, and what each holds beside its content."""

HELD_BYTES = 128 * 2**20
"""Maximum number of bytes that all messages together hold that have begun, or wait, and are not dealt with."""

UNTAKEN_SECONDS = 30.0
"""Seconds within which a browser takes some of what waits for it; else it has gone."""

TCP, TCP_INFO, ESTABLISHED = 6, 11, 1
"""How Linux numbers the protocol, the question for the state of a connection, and that neither side has ended it."""

TEXT = 1
"""What says that a frame begins a text."""

CLOSE = b"\x88"
"""The first byte of the frame that closes a connection."""

LONGEST_HEAD = 14
"""Bytes of the longest head of a frame."""

MAX_CONNECTIONS = 3000
"""Maximum number of connections at the same time; further ones are ended."""

FILES_OF_CONNECTION, FILES_BESIDE = 4, 300
"""Number of files that the server has open for a connection, since a session waits by three of its own, and beside."""

MAX_OF_ADDRESS = 2000
"""Maximum number of connections from one address, a lecture hall's or a stranger's; a trusted proxy may have all."""

SPARE = 100
"""Number of connections that are kept for those who come: for them the newest idle one of who has most is ended."""

IDLE_SECONDS = 2.0
"""Seconds after which a connection over which nothing was asked is idle."""

SELF_CHECK_SECONDS = 10.0
"""Seconds within which the server must answer its own questions."""


class _UntilUntaken:
    """Who takes nothing of what he is sent is waited for no longer than `UNTAKEN_SECONDS`: it would be kept for him."""

    transport: asyncio.Transport
    config: BoundedConfig
    address, is_of_proxy, since = "", False, 0.0  # where from, whether from a proxy that tells no more, and since when
    _untaken: asyncio.TimerHandle | None = None
    _n_untaken = math.inf  # bytes, when they were looked at last

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Note where the connection comes from."""
        super().connection_made(transport)  # type: ignore[misc]
        peer = str(next(iter(transport.get_extra_info("peername") or ()), ""))  # of IPv6 its network counts
        self.address, self.is_of_proxy = network_of(peer), bool(peer) and peer in self.config.trusted
        self.since = asyncio.get_running_loop().time()

    def pause_writing(self) -> None:
        """Wait until the browser has taken what is there for it, as long as it takes some."""
        super().pause_writing()  # type: ignore[misc]
        self._n_untaken = math.inf
        self._see_what_is_taken()

    def resume_writing(self) -> None:
        """Go on."""
        self._stop_seeing()
        super().resume_writing()  # type: ignore[misc]

    def _see_what_is_taken(self) -> None:
        before, self._n_untaken = self._n_untaken, self.transport.get_write_buffer_size()
        if self._n_untaken < before:
            self._untaken = asyncio.get_running_loop().call_later(UNTAKEN_SECONDS, self._see_what_is_taken)
        else:
            self.transport.abort()

    def _stop_seeing(self) -> None:
        if self._untaken is not None:
            self._untaken.cancel()
            self._untaken = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        self._stop_seeing()
        super().connection_lost(exc)  # type: ignore[misc]


_HTTP: Any = HttpToolsProtocol  # whose types are narrower than what it takes


class Gone(asyncio.Event):
    """That who asks has gone. Where messages wait the connection is not read, so on Linux the system is asked, too."""

    transport: asyncio.Transport | None = None

    def is_set(self) -> bool:
        """Return whether the connection has been lost, or the other side has ended it."""
        if super().is_set() or self.transport is None or sys.platform != "linux":
            return super().is_set()
        try:
            states = self.transport.get_extra_info("socket").getsockopt(TCP, TCP_INFO, 1)
        except (AttributeError, OSError):  # it is closed, or is no TCP connection
            return self.transport.is_closing()
        return bool(states[0] != ESTABLISHED)


class BoundedProtocol(_UntilUntaken, _HTTP):  # type: ignore[misc]
    """HTTP as uvicorn speaks it, but a request must begin in time, and within `MAX_HEADER_BYTES`."""

    _deadline: asyncio.TimerHandle | None = None
    _n_bytes, _n_headers, _n_in_lines = 0, 0, 0  # of a request, answered next or later, without its body; of its header
    _is_handed_on = False

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._gone = Gone()

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Wait for a request; if its address, or all together, have too many connections, end one."""
        super().connection_made(transport)
        self._gone.transport = transport
        self._wait_for_request()
        most = self.config.max_connections - SPARE
        if len(self.connections) <= min(MAX_OF_ADDRESS, most):
            return
        there = [one for one in self.connections if not one.transport.is_closing()]
        known = [one for one in there if not one.is_of_proxy]
        if (
            sum(one.address == self.address for one in known) > MAX_OF_ADDRESS
            or len(there) > self.config.max_connections
        ):
            transport.abort()
        elif known and len(there) > most:
            now = self.loop.time()  # first those whose end hurts nobody who is at work, or has just come
            likely = [one for one in known if one.is_idle and now - one.since > IDLE_SECONDS] or known
            numbers = Counter(one.address for one in likely)
            who = max(numbers, key=numbers.__getitem__)
            max((one for one in likely if one.address == who), key=lambda one: one.since).transport.abort()

    @property
    def is_idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more, and tell who answers."""
        self._stop_waiting()
        self._gone.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take a piece of a request; close the connection if what is no body is too long."""
        request = self.cycle
        self._n_bytes += len(data)
        super().data_received(data)
        if self.cycle is not request or self._is_handed_on:
            self._stop_waiting()
        elif request is None or request.response_complete:
            self._wait_for_request()
        if self._n_bytes > MAX_HEADER_BYTES and not self._is_handed_on:
            self.transport.abort()

    def on_message_begin(self) -> None:
        """Begin to take a request; refuse it where too many wait for answers: each holds much more than it sends."""
        if len(self.pipeline) >= MAX_WAITING:
            raise ValueError(f"expected at most {MAX_WAITING} requests before the answer to an earlier one")
        self._n_headers = self._n_in_lines = 0
        super().on_message_begin()
        self.scope[pace.GONE] = self._gone

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a line of a header, or of what follows a body in pieces; refuse it if there are too many."""
        self._n_headers += 1
        self._n_in_lines += len(name) + len(value)
        if self._n_headers > MAX_HEADERS or self._n_in_lines > MAX_HEADER_BYTES:
            raise ValueError(f"expected a header of at most {MAX_HEADERS} lines and {MAX_HEADER_BYTES} bytes")
        super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        """Take a piece of a body."""
        self._n_bytes -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End a request."""
        self._n_bytes = 0
        super().on_message_complete()

    def handle_websocket_upgrade(self, *event: Any) -> None:
        """Hand the connection on."""
        self._is_handed_on = True
        super().handle_websocket_upgrade(*event)

    def _wait_for_request(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class Held:
    """What messages hold until they are dealt with; beyond the bound it ends a connection of the address with most."""

    def __init__(self) -> None:
        self._sizes, self._total = dict[BoundedWebSocket, int](), 0

    def note(self, connection: BoundedWebSocket, size: int) -> None:
        """Note how many bytes of messages are held that have come over a connection."""
        self._total += size - self._sizes.pop(connection, 0)
        if size:
            self._sizes[connection] = size
        while self._total > HELD_BYTES:
            of_address = Counter[str]()
            for one, held in self._sizes.items():
                of_address[one.sender] += held
            most = max(of_address, key=of_address.__getitem__)
            longest = max((one for one in self._sizes if one.sender == most), key=self._sizes.__getitem__)
            self.note(longest, 0)
            longest.transport.abort()


class BoundedWebSocket(_UntilUntaken, AutoWebSocketsProtocol):  # type: ignore[misc, valid-type]  # one of some, by what is installed
    """A WebSocket as uvicorn speaks it, but a message ends in time, and pieces without content have a limit.

    The frames are told apart here (RFC 6455, section 5.2), before uvicorn sees them, as its versions keep them each in
    its own way.
    """

    _deadline: asyncio.TimerHandle | None = None
    _is_begun, _in_message = False, False  # after the request that opens it; between the pieces of a message
    _head, _left = b"", 0  # of a frame: its first bytes, until all of its head is there, and the bytes that follow
    _n_parts, _since = 0, 0.0
    _n_begun, _n_whole = 0, 0  # bytes of the message that has begun, and of those that wait or are dealt with
    _n_messages = 0  # that wait or are dealt with
    is_idle = True  # no page has sent anything
    _is_text = False  # no page sends that, and Python takes four times its bytes

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._gone = Gone()

    def data_received(self, data: bytes) -> None:
        """Take what a page sends; close the connection if a message does not end in time, or of too many pieces."""
        if self._is_begun:
            self._watch(data)
            if self._sent_too_many or self._is_text:
                self.transport.abort()
            if self.transport.is_closing():
                return
        self._is_begun = True
        super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more, and let go of what was sent: the connection itself is in circles that are freed late."""
        self._stop_waiting()
        self.config.held.note(self, 0)
        self._gone.set()
        while not self.queue.empty():
            self.queue.get_nowait()
        with suppress(AttributeError):  # by the version of uvicorn
            self.frames.clear()
            self.conn.reader.discard()
        super().connection_lost(exc)

    async def run_asgi(self) -> None:
        """Serve the page, which is told when it has gone, and how to end it."""
        self._gone.transport = self.transport
        self.scope[pace.GONE], self.scope[pace.CUT] = self._gone, self.transport.abort
        await super().run_asgi()

    async def receive(self) -> Any:
        """Return the next message; the application has dealt with those before it, and knows whom a proxy serves."""
        visitor = network_of(str((self.scope["client"] or [""])[0]))  # nobody's if it ended before it was accepted
        if self.is_of_proxy and visitor != self.address:
            self.address, self.is_of_proxy = visitor, False
        if self.queue.empty():
            self._n_whole = self._n_messages = 0
            self._note_held()
        return await super().receive()

    @property
    def _sent_too_many(self) -> bool:
        return self._n_parts > MAX_PARTS or self._n_messages > MAX_MESSAGES

    def _note_held(self) -> None:
        held = self._n_begun + self._n_whole + self._n_messages * MESSAGE_BYTES
        self.config.held.note(self, 0 if self.transport.is_closing() else held)

    @property
    def sender(self) -> str:
        """Whose messages count together; where a proxy says of nobody for whom it asks, each connection by itself."""
        return str(id(self)) if self.is_of_proxy else self.address

    def _watch(self, data: bytes) -> None:
        """Wait for the end of a message that has begun."""
        loop = asyncio.get_running_loop()
        if loop.time() - self._since > MESSAGE_SECONDS:
            self._n_parts, self._since = 0, loop.time()
        self._take(self._head + data)
        is_finished = not (self._head or self._left or self._in_message)
        self._n_begun += len(data)
        if is_finished:
            self._n_begun, self._n_whole = 0, self._n_whole + self._n_begun
            self._stop_waiting()
        elif self._deadline is None:
            self._deadline = loop.call_later(MESSAGE_SECONDS, self.transport.abort)
        self._note_held()

    def _take(self, data: bytes) -> None:
        """Go from frame to frame."""
        at, self._head = 0, b""
        while at < len(data) and not self._sent_too_many:
            if self._left:
                taken = min(self._left, len(data) - at)
                at, self._left = at + taken, self._left - taken
                continue
            head = data[at : at + LONGEST_HEAD]
            length = head[1] & 0x7F if len(head) > 1 else 0
            more = {126: 2, 127: 8}.get(length, 0)  # bytes of a length that has no room in the second byte
            size = 2 + more + 4 * (len(head) > 1 and head[1] >> 7)
            if len(head) < size:
                self._head = head
                return
            opcode, is_last = head[0] & 0x0F, head[0] >> 7
            is_control = opcode >= 8
            if opcode and not is_control:  # another message begins
                self._n_begun, self._n_whole = -at, self._n_whole + self._n_begun + at
                self._n_messages += 1
                self.is_idle = False
                self._is_text = self._is_text or opcode == TEXT
            self._n_parts += is_control or not opcode
            self._in_message = self._in_message if is_control else not is_last
            at, self._left = at + size, int.from_bytes(head[2 : 2 + more], "big") if more else length

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class BoundedConfig(uvicorn.Config):
    """Settings of uvicorn with our bounds, whoever makes them."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        bounds = {
            "http": BoundedProtocol,
            "ws": BoundedWebSocket,
            "ws_max_size": MAX_MESSAGE_BYTES,
            "limit_concurrency": None,  # it counts those too who have gone, and then refuses everybody
        }
        super().__init__(*args, **settings | bounds)
        self.max_connections = allow_connections()

    def load(self) -> None:
        """Load the app; only proxies whose addresses of visitors are believed say which host a visitor asked for."""
        super().load()
        self.held = Held()
        self.trusted = self.loaded_app.trusted_hosts
        self.loaded_app = _without_untrusted_hosts(self.loaded_app)


def allow_connections() -> int:
    """Ask the system for the open files that all connections take; return how many connections there may be.

    Many systems allow a process 1,024 files unless it asks for more, macOS 256. Where all are open, nobody is let in.
    """
    if sys.platform == "win32":  # which has no such limit
        return MAX_CONNECTIONS
    import resource

    wanted = FILES_OF_CONNECTION * MAX_CONNECTIONS + FILES_BESIDE
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed not in range(wanted):  # or without a limit, which is a negative number
        return MAX_CONNECTIONS
    allowed = min(wanted, most) if most >= 0 else wanted
    with suppress(ValueError, OSError):  # as macOS may refuse what its settings allow
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max((allowed - FILES_BESIDE) // FILES_OF_CONNECTION, SPARE + 1)


def _without_untrusted_hosts(app: ProxyHeadersMiddleware) -> Any:
    """The application without what others than trusted proxies say of the host."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if scope.get("client") and scope["client"][0] not in app.trusted_hosts:
            scope = {**scope, "headers": [one for one in scope["headers"] if one[0] != b"x-forwarded-host"]}
        await app(scope, receive, send)

    return answer


def bound() -> None:
    """Let Streamlit run its server with our bounds: it makes the settings by uvicorn's public name."""
    uvicorn.Config = BoundedConfig  # type: ignore[misc]


def find_open_doors(address: str) -> list[str]:
    """Ask the server at an address what its guards must refuse, and return what they let through.

    Asked are an upload of a million megabytes, a WebSocket of another site's page, the addresses of 30,000 uploads,
    an endless header, and the headers of an answer. A server that does not answer in time lets nothing through, but is
    named too.
    """
    checks = {
        "uploads are not bounded": _is_upload_refused,
        "pages of other sites may open connections": _is_foreign_page_refused,
        "messages of pages are not bounded": _is_long_list_refused,
        "headers of requests are not bounded": _is_endless_header_refused,
        "answers lack the headers that guard visitors": _has_policy,
    }
    found = []
    for words, is_guarded in checks.items():
        connection = _connect(address)
        try:
            if not is_guarded(connection, urlsplit(address).path):
                found.append(words)
        except (OSError, http.client.HTTPException) as error:
            found.append(f"{words}, or the server does not answer ({error})")
        finally:
            connection.close()
    return found


def come_and_go(address: str) -> None:
    """Open a WebSocket of the server at an address, ask for something, and close it, as a page that is left does.

    Streamlit forgets sessions that have been gone for long enough when the next one comes or goes, but the one to which
    it sent something last only when it sends something to another one. Where nobody comes, this one does.
    """
    connection = _connect(address)
    with closing(connection), suppress(OSError, http.client.HTTPException):
        answer = _open_websocket(connection, urlsplit(address).path)
        connection.sock.sendall(SHORT_LIST)
        answer.read(1)


def _connect(address: str) -> http.client.HTTPConnection:
    parts = urlsplit(address)
    if parts.scheme == "http":
        return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=SELF_CHECK_SECONDS)
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE  # it is this very process that answers
    return http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=SELF_CHECK_SECONDS, context=trusting)


def _is_upload_refused(connection: http.client.HTTPConnection, base: str) -> bool:
    connection.putrequest("PUT", f"{base}/_stcore/upload_file/guards/answer")
    connection.putheader("Content-Length", str(10**12))
    connection.endheaders()
    return connection.getresponse().status == http.client.REQUEST_ENTITY_TOO_LARGE


UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Key": "Z3VhcmRzIGFuc3dlciBoZQ==",
    "Sec-WebSocket-Version": "13",
}
"""The headers that open a WebSocket."""

SHORT_LIST = bytes.fromhex("8285 00000000 8201021200")
"""A frame in which a page asks Streamlit for the address of an upload without a name."""

LONG_LIST = bytes.fromhex("82feea65 00000000 8201e0d403") + bytes.fromhex("1200") * 30_000
"""A frame in which a page asks Streamlit for the addresses of 30,000 uploads without names."""


def _is_foreign_page_refused(connection: http.client.HTTPConnection, base: str) -> bool:
    connection.request("GET", f"{base}/_stcore/stream", headers=UPGRADE | {"Origin": "http://guards.invalid"})
    return connection.getresponse().status == http.client.FORBIDDEN


def _is_long_list_refused(connection: http.client.HTTPConnection, base: str) -> bool:
    answer = _open_websocket(connection, base)
    connection.sock.sendall(LONG_LIST)
    return answer.read(1) in (b"", CLOSE)


def _open_websocket(connection: http.client.HTTPConnection, base: str) -> BinaryIO:
    """Open a WebSocket as a page does; return what the server sends over it, from its first frame on."""
    connection.request("GET", f"{base}/_stcore/stream", headers=UPGRADE)
    answer: BinaryIO = connection.sock.makefile("rb")
    while answer.readline().strip():
        pass
    return answer


def _is_endless_header_refused(connection: http.client.HTTPConnection, base: str) -> bool:
    connection.connect()
    connection.sock.sendall(f"GET {base}/health HTTP/1.1\r\nHost: guards\r\nX: ".encode())
    try:
        connection.sock.sendall(b"x" * (2 * MAX_HEADER_BYTES))
        return connection.sock.recv(15)[:9] in (b"", b"HTTP/1.1 ")
    except ConnectionError:
        return True


def _has_policy(connection: http.client.HTTPConnection, base: str) -> bool:
    connection.request("GET", f"{base}/health")
    return "content-security-policy" in connection.getresponse().headers
