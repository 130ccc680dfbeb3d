"""Unfinished requests are bounded in size and time, and a server without its guards is not served."""

from __future__ import annotations

import asyncio
import http.client
import itertools
import math
import socket
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress

import pytest
import streamlit
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode

from tests.strategies import examples
from ui import connections, middleware, pace, server
from ui.connections import BoundedConfig
from ui.evalset import sources
from ui.work import bounded_reading, public_url, upload_quota

KEY = b"Sec-WebSocket-Key: Z3VhcmRzIGFuc3dlciBoZQ==\r\nSec-WebSocket-Version: 13\r\n"
UPGRADE = b"GET / HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" + KEY + b"\r\n"


async def answer(scope, receive, send):
    """Answers every request with "ok", and lets every WebSocket in."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        if (await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "bytes": b"ok"})
    elif scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})


@contextmanager
def serving(app, config=BoundedConfig):
    """A server in a thread; its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    running = uvicorn.Server(config(app, log_level="critical", lifespan="off"))
    thread = threading.Thread(target=asyncio.run, args=(running.serve([listening]),), daemon=True)
    thread.start()
    try:
        yield listening.getsockname()
    finally:
        running.should_exit = True
        thread.join(10)
        listening.close()


def is_closed(connection, within):
    """Whether the server closes a connection within some seconds."""
    connection.settimeout(within)
    try:
        while connection.recv(1000):
            pass
        return True
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def read_head(connection):
    """Read what the server answers up to the blank line."""
    connection.settimeout(5)
    while not connection.recv(1000).endswith(b"\r\n\r\n"):
        pass


def read_until(connection, wanted):
    """Read what the server sends up to what is wanted; it sends that before it ends the connection."""
    received = b""
    while wanted not in received:
        piece = connection.recv(1000)
        assert piece, received
        received += piece


def open_over_proxy(opened, address, home):
    """A WebSocket that the proxy of this computer opens for a visitor."""
    one = opened.enter_context(socket.create_connection(address))
    one.sendall(UPGRADE.replace(b"Host", b"X-Forwarded-For: " + home + b"\r\nHost"))
    read_head(one)
    return one


@pytest.fixture
def soon(monkeypatch):
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.3)


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("begun", [b"", b"GET", b"GET / HTTP/1.1\r\nHost: here\r\nX: "])
def test_a_request_that_does_not_begin_in_time_is_dropped(begun):
    with serving(answer) as address, socket.create_connection(address) as connection:
        connection.sendall(begun)
        assert is_closed(connection, 5)


@pytest.mark.usefixtures("soon")
def test_the_second_request_of_a_connection_is_bounded_too():
    with serving(answer) as address, socket.create_connection(address) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        connection.settimeout(5)
        read_until(connection, b"ok")
        connection.sendall(b"GET / HT")
        assert is_closed(connection, 3)  # what keeps a quiet connection alive for 5 s ended with the first byte


def test_an_endless_header_is_cut():
    with serving(answer) as address, socket.create_connection(address) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX: ")
        with suppress(ConnectionError):
            connection.sendall(b"x" * 3 * connections.MAX_HEADER_BYTES)
        assert is_closed(connection, 5)


GET, CHUNKED = b"GET / HTTP/1.1\r\n\r\n", b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize("first", [b"", GET, CHUNKED + b"0\r\n"], ids=["first", "later", "behind a body"])
@pytest.mark.parametrize("piece", [b"a:\r\n", b"x"], ids=["lines", "one line"])
def test_a_header_ends_whether_an_earlier_request_is_answered_or_not(first, piece):
    async def wait_a_moment(scope, receive, send):
        await asyncio.sleep(3)
        await answer(scope, receive, send)

    with serving(wait_a_moment) as address, socket.create_connection(address) as connection:
        connection.sendall(first + (b"" if first.endswith(b"0\r\n") else GET[:-2]))
        with suppress(ConnectionError):
            for _ in range(2 if piece == b"a:\r\n" else 40):
                connection.sendall(piece * 300 if piece == b"a:\r\n" else piece * 10_000)
        assert is_closed(connection, 1)


def test_a_header_that_comes_at_once_is_refused_if_it_is_long():
    async def never(scope, receive, send):  # noqa: ARG001
        pytest.fail("it is refused")

    with serving(never) as address, socket.create_connection(address) as connection:
        connection.sendall(GET[:-2] + b"a: %b\r\n" % bytes(1_000).replace(b"\0", b"x") * 70 + b"\r\n")
        connection.settimeout(5)
        assert connection.recv(12) == b"HTTP/1.1 400"


@pytest.mark.parametrize("is_chunked", [False, True])
def test_a_body_counts_for_no_header(is_chunked):
    async def count(_, receive, send):
        size = 0
        while (message := await receive())["type"] == "http.request":
            size += len(message["body"])
            if not message["more_body"]:
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": str(size).encode()})

    piece, number = bytes(50_000), 40
    head = CHUNKED if is_chunked else b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (len(piece) * number)
    with serving(count) as address, socket.create_connection(address) as connection:
        for _ in range(2):
            connection.sendall(head)
            for _ in range(number):
                connection.sendall(b"%x\r\n%b\r\n" % (len(piece), piece) if is_chunked else piece)
            connection.sendall(b"0\r\n\r\n" if is_chunked else b"")
            connection.settimeout(5)
            read_until(connection, b"2000000")


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(("number", "is_refused"), [(connections.MAX_WAITING + 1, False), (10_000, True)])
def test_so_many_requests_wait_for_the_answer_to_an_earlier_one(number, is_refused):
    async def wait_a_moment(scope, receive, send):
        asked.append(scope)
        await asyncio.sleep(0.3)
        await answer(scope, receive, send)

    asked = []
    with serving(wait_a_moment) as address, socket.create_connection(address) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n\r\n" * number)
        connection.settimeout(5)
        assert connection.recv(12) == (b"HTTP/1.1 400" if is_refused else b"HTTP/1.1 200")
        if is_refused:
            assert is_closed(connection, 5)
        else:
            while len(asked) < number:
                time.sleep(0.01)
    assert len(asked) == (1 if is_refused else number)


def test_a_slow_answer_and_an_open_websocket_are_no_unfinished_requests():
    async def slow(scope, receive, send):
        await asyncio.sleep(1)
        await answer(scope, receive, send)

    for request, status in ((b"GET / HTTP/1.1\r\nHost: here\r\n\r\n", b"200"), (UPGRADE, b"101")):
        with serving(slow) as address, socket.create_connection(address) as connection:
            connection.sendall(request)
            connection.settimeout(5)
            assert connection.recv(12).endswith(status)
            if status == b"101":
                read_head(connection)
                assert not is_closed(connection, 1)


WHOLE, BEGUN, MORE, PING, PONG = (bytes([first]) + b"\x80" + bytes(4) for first in (0x82, 0x02, 0x00, 0x89, 0x8A))
"""Frames as a browser masks them, without content."""


@pytest.mark.parametrize(
    ("frames", "seconds", "ends"),
    [
        (BEGUN, 0.3, True),
        (b"\x82\xfe", 0.3, True),
        (BEGUN + MORE * 20, 60, True),
        (PING * 20, 60, True),
        (PONG * 20, 60, True),
        (b"\x82\xfe\x00\x7e" + bytes(4 + 126) + b"\x82\xff" + bytes(6) + b"\x01\x00" + bytes(4 + 255), 0.3, True),
        (b"\x82\xfe\x00\x7e" + bytes(4 + 126) + b"\x82\xff" + bytes(6) + b"\x01\x00" + bytes(4 + 256), 0.3, False),
        (WHOLE * 20 + PING, 0.3, False),
        (BEGUN + MORE + b"\x80" + MORE[1:] + PONG, 0.3, False),
    ],
)
def test_a_message_ends_in_time_and_in_few_pieces(monkeypatch, frames, seconds, ends):
    async def open_and_wait(_, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] == "websocket.receive":
            pass

    monkeypatch.setattr(connections, "MAX_PARTS", 10)
    monkeypatch.setattr(connections, "MESSAGE_SECONDS", seconds)
    with serving(open_and_wait) as address, socket.create_connection(address) as connection:
        connection.sendall(UPGRADE)
        read_head(connection)
        connection.sendall(frames)
        assert is_closed(connection, 5 if ends else 1) is ends


def test_messages_that_have_not_ended_hold_so_much_together_and_the_longest_goes_first(monkeypatch):
    async def count(_, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": str(len(message["bytes"]))})

    def begin(size, sent):
        """Begin a message of a size by sending part of it."""
        one = opened.enter_context(socket.create_connection(address))
        one.sendall(UPGRADE)
        read_head(one)
        one.sendall(b"\x82\xff" + size.to_bytes(8, "big") + bytes(4) + bytes(sent))
        return one

    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")
    monkeypatch.setattr(connections, "HELD_BYTES", 2**20)
    with serving(count) as address, ExitStack() as opened:
        small = begin(100_000, 90_000)
        long = [begin(400_000, 300_000 + 1000 * number) for number in range(3)]
        assert not any(is_closed(one, 0.2) for one in (small, *long))
        late = begin(400_000, 200_000)
        assert [is_closed(one, 0.3) for one in (small, *long, late)] == [False, False, False, True, False]
        small.sendall(bytes(10_000))
        assert small.recv(100).endswith(b"100000")
        for part in (100_000, 100_000):
            late.sendall(bytes(part))
        assert late.recv(100).endswith(b"400000")


def test_a_message_that_waits_for_its_pace_is_dropped_when_its_page_has_gone():
    """Those who come and go leave nothing that waits: of that, uvicorn counts as much as of connections."""
    told = []

    async def slow(scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        slowed = pace.at_a_pace(receive, send, "here", shared, scope[pace.GONE])
        told.append((await slowed())["type"])

    shared = pace.Shared()
    shared.messages = pace.Paces(1, 0.01, are_shared=False, longest=250)
    with serving(slow) as address:
        for _ in range(3):
            with socket.create_connection(address) as one:
                one.sendall(UPGRADE)
                read_head(one)
                one.sendall(connections.SHORT_LIST)
                time.sleep(0.2)
        time.sleep(0.5)
    assert told == ["websocket.receive", *["websocket.disconnect"] * 2]
    assert shared.messages.wait_for("here", 1) == math.inf, "more than 250 s"


def test_a_piece_of_an_upload_that_waits_is_dropped_when_its_browser_has_gone(monkeypatch):
    told, shared = [], pace.Shared()

    async def upload(scope, receive, send):
        guard = middleware.Guard(upload)
        guard._shared = shared
        taken = guard._at_a_pace(receive, "here", middleware._Status(send), scope[pace.GONE])
        told.append((await taken())["type"])

    shared.uploads = pace.Paces(1, 0.01, are_shared=True, longest=250)
    monkeypatch.setattr(bounded_reading, "is_for_others", lambda: True)
    with serving(upload) as address:
        for _ in range(4):
            with socket.create_connection(address) as one:
                one.sendall(b"PUT / HTTP/1.1\r\nContent-Length: 2\r\n\r\nx")
                time.sleep(0.2)
        time.sleep(0.5)
    assert told == ["http.request", *["http.disconnect"] * 3], "two have gone, and the last one would wait too long"


def test_those_who_have_gone_take_no_place(monkeypatch):
    async def go_on(scope, receive, send):
        await answer(scope, receive, send)
        await asyncio.sleep(3)

    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 5)
    with serving(go_on) as address:
        for _ in range(8):
            with closing(http.client.HTTPConnection(*address, timeout=30)) as client:
                client.request("GET", "/")
                assert client.getresponse().status == 200


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system is not asked")
@pytest.mark.parametrize("is_reset", [True, False])
def test_that_a_connection_has_gone_is_known_while_it_is_not_read(is_reset):
    async def accept(_, writer):
        writer.transport.pause_reading()
        gone = connections.Gone()
        assert not gone.is_set(), "nothing is known of it"
        gone.transport = writer.transport
        told.append(gone.is_set())
        client.send(b"a message that waits")
        client.close()
        while not gone.is_set():
            await asyncio.sleep(0.01)
        writer.transport.abort()
        await asyncio.sleep(0.05)
        told.append(gone.is_set())

    async def serve():
        server = await asyncio.start_server(accept, "127.0.0.1", 0)
        if is_reset:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.connect(server.sockets[0].getsockname())
        while len(told) < 2:
            await asyncio.sleep(0.01)
        server.close()

    told, client = [], socket.socket()
    with ThreadPoolExecutor() as thread:
        thread.submit(lambda: asyncio.run(asyncio.wait_for(serve(), 60))).result()
    assert told == [False, True]


@pytest.mark.parametrize(("number", "is_ended"), [(5, False), (6, True)])
def test_so_many_connections_there_are_of_a_proxy_that_names_nobody(monkeypatch, number, is_ended):
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 5)
    with serving(answer) as address, ExitStack() as opened:
        *_, last = [opened.enter_context(socket.create_connection(address)) for _ in range(number)]
        assert is_closed(last, 1) is is_ended


def test_messages_that_wait_hold_so_much_together(monkeypatch):
    """One is dealt with for long, and the next one waits behind it, on each of some connections."""

    async def deal(_, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] == "websocket.receive":
            while not may_go_on.is_set():
                await asyncio.sleep(0.02)
            await send({"type": "websocket.send", "text": "done"})

    def send(size):
        one = opened.enter_context(socket.create_connection(address))
        one.sendall(UPGRADE)
        read_head(one)
        one.sendall((b"\x82\xff" + size.to_bytes(8, "big") + bytes(4) + bytes(size)) * 2)
        return one

    may_go_on = threading.Event()
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")
    monkeypatch.setattr(connections, "HELD_BYTES", 2**20)
    with serving(deal) as address, ExitStack() as opened:
        held = [send(200_000), send(250_000)]
        assert not any(is_closed(one, 0.3) for one in held)
        small = send(50_000)
        assert not any(is_closed(one, 0.3) for one in (*held, small))
        late = send(50_000)
        assert [is_closed(one, 0.3) for one in (*held, small, late)] == [False, True, False, False]
        may_go_on.set()
        for one in (held[0], small, late):
            one.settimeout(5)
            assert one.recv(100).count(b"done") >= 1
        again = [send(size) for size in (200_000, 250_000)]
        assert not any(is_closed(one, 0.3) for one in again), "what was dealt with holds nothing"


@pytest.mark.parametrize(("number", "ends"), [(connections.MAX_MESSAGES, False), (20_000, True)])
def test_so_many_messages_of_a_page_wait(number, ends):
    async def count(_, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] == "websocket.receive":
            taken.append(True)

    taken = []
    with serving(count) as address, socket.create_connection(address) as connection:
        connection.sendall(UPGRADE)
        read_head(connection)
        connection.sendall(WHOLE * number)
        assert is_closed(connection, 1) is ends
        assert len(taken) == (number if not ends else 0)


def test_a_text_is_refused_and_what_was_sent_over_a_connection_goes_with_it(monkeypatch):
    async def wait(_, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        await asyncio.sleep(1)

    def note(self, *settings):
        made(self, *settings)
        kept.append(self)

    kept, made = [], connections.BoundedWebSocket.connection_made
    monkeypatch.setattr(connections.BoundedWebSocket, "connection_made", note)
    monkeypatch.setattr(connections, "HELD_BYTES", 40_000)
    large, unfinished, text = b"\x82\xfe\x90\x00", b"\x82\xff" + (50_000).to_bytes(8, "big"), b"\x81\x80"
    with serving(wait) as address:
        for head, size, ends in (
            (large, 0x9000, False),
            (large, 0x9000, False),  # the one before is ended
            (unfinished, 30_000, False),
            (text, 0, True),
        ):
            with socket.create_connection(address) as connection:
                connection.sendall(UPGRADE)
                read_head(connection)
                connection.sendall(head + bytes(4) + bytes(size))
                assert is_closed(connection, 0.2) is ends
        time.sleep(0.2)
        for one in kept:
            assert [one.queue.get_nowait()["type"] for _ in range(one.queue.qsize())] == ["websocket.disconnect"]
            assert not one.conn.reader.buffer


SIZE, NUMBER = 2**20, 16
"""The bytes of a message, and how many are sent."""


async def send_much(_, receive, send):
    """Sends what nobody has to take to a WebSocket."""
    await receive()
    await send({"type": "websocket.accept"})
    await asyncio.sleep(0.3)
    for _ in range(NUMBER):
        await send({"type": "websocket.send", "bytes": bytes(SIZE)})
    await receive()


async def answer_much(_scope, _receive, send):
    """Sends a long answer."""
    send = pace.Answers().to("here", send)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await asyncio.sleep(0.3)
    await send({"type": "http.response.body", "body": bytes(NUMBER * SIZE)})


@pytest.mark.parametrize("is_slow", [False, True])
@pytest.mark.parametrize(("app", "request_"), [(send_much, UPGRADE), (answer_much, b"GET / HTTP/1.1\r\n\r\n")])
def test_who_takes_nothing_of_what_he_is_sent_is_not_waited_for_and_who_is_slow_is(monkeypatch, app, request_, is_slow):
    ended = threading.Event()

    async def tell_the_end(scope, receive, send):
        try:
            await app(scope, receive, send)
        finally:
            ended.set()

    monkeypatch.setattr(connections, "UNTAKEN_SECONDS", 1.0)
    with serving(tell_the_end) as address, socket.create_connection(address) as connection:
        connection.sendall(request_)
        read_head(connection)
        if not is_slow:
            assert ended.wait(10)
            return
        taken = 0
        while taken < NUMBER * SIZE and (piece := connection.recv(2**18)):
            taken += len(piece)
            if taken < 6 * SIZE:
                time.sleep(0.1)
        assert taken >= NUMBER * SIZE, "it was closed"


OPCODES = [Opcode.CONT, Opcode.TEXT, Opcode.BINARY, Opcode.PING, Opcode.PONG]


@examples(100)
@given(
    st.lists(st.tuples(st.sampled_from(OPCODES), st.booleans(), st.sampled_from([0, 1, 125, 126, 70_000]))),
    st.lists(st.integers(0, 100_000)),
)
def test_frames_are_told_apart_wherever_they_are_cut(frames, cuts):
    """The frames are written by the package websockets."""
    sent = [
        Frame(op, bytes(min(size, 125) if op >= Opcode.PING else size), fin=is_last or op >= Opcode.PING)
        for op, is_last, size in frames
    ]
    data = b"".join(frame.serialize(mask=True) for frame in sent)
    watch = object.__new__(connections.BoundedWebSocket)
    for begin, end in itertools.pairwise([0, *sorted({cut % (len(data) + 1) for cut in cuts}), len(data)]):
        watch._take(watch._head + data[begin:end])
    assert watch._n_parts == sum(frame.opcode not in (Opcode.TEXT, Opcode.BINARY) for frame in sent)
    messages = [frame for frame in sent if frame.opcode < Opcode.CLOSE]
    assert (watch._head, watch._left, watch._in_message) == (b"", 0, bool(messages) and not messages[-1].fin)


@pytest.mark.parametrize(("proxy", "host"), [("127.0.0.1", b"evil.example"), ("10.0.0.1", None)])
def test_a_proxy_that_is_trusted_alone_says_for_which_host_it_asks(monkeypatch, proxy, host):
    async def app(scope, receive, send):
        seen.append(middleware.headers_of(scope).get(b"x-forwarded-host"))
        await answer(scope, receive, send)

    seen = []
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", proxy)
    with serving(app) as address, closing(http.client.HTTPConnection(*address, timeout=30)) as client:
        client.request("GET", "/", headers={"X-Forwarded-Host": "evil.example"})
        assert client.getresponse().status == 200
    assert seen == [host]


@pytest.mark.parametrize(("proxy", "is_bounded"), [("192.0.2.1", True), ("127.0.0.1", False)])
def test_no_address_but_a_trusted_proxy_s_takes_all_places(monkeypatch, proxy, is_bounded):
    monkeypatch.setattr(connections, "MAX_OF_ADDRESS", 2)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", proxy)
    with serving(answer) as address, ExitStack() as opened:
        first, second, third = [opened.enter_context(socket.create_connection(address)) for _ in range(3)]
        assert is_closed(third, 1) == is_bounded
        assert not is_closed(first, 0.1)
        second.close()
        with closing(http.client.HTTPConnection(*address, timeout=30)) as client:
            client.request("GET", "/")
            assert client.getresponse().status == 200


def test_who_comes_has_a_place_however_many_idle_connections_two_addresses_hold(monkeypatch):
    homes, failed = {}, []
    monkeypatch.setattr(asyncio.BaseEventLoop, "call_exception_handler", lambda _, context: failed.append(context))

    def connect(home):
        one = opened.enter_context(socket.socket())
        one.bind(("127.0.0.1", 0))
        homes[one.getsockname()[1]] = home
        one.connect(address)
        if home == "a":
            one.sendall(UPGRADE)
            read_head(one)
        return one

    async def serve(scope, receive, send):
        if scope["type"] == "http":
            await answer(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.accept"})
        await receive()

    def made(self, transport):
        note(self, transport)
        self.address = homes[transport.get_extra_info("peername")[1]]

    note = connections._UntilUntaken.connection_made
    monkeypatch.setattr(connections._UntilUntaken, "connection_made", made)
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 10)
    monkeypatch.setattr(connections, "SPARE", 3)
    with serving(serve) as address, ExitStack() as opened:
        hall = [connect("hall")]
        strangers = [connect(home) for home in "aaaabbbb"]
        assert [is_closed(one, 0.2) for one in strangers] == [False, False, False, True, False, False, False, True]
        late = connect("late")
        late.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        assert late.recv(15) == b"HTTP/1.1 200 OK"
        assert not is_closed(hall[0], 0.1)
        assert sum(is_closed(one, 0.1) for one in strangers) == 3
    assert not failed


def test_who_comes_over_a_proxy_has_a_place_however_many_connections_another_holds_over_it(monkeypatch):
    async def wait(_, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        await receive()

    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 10)
    monkeypatch.setattr(connections, "SPARE", 3)
    with serving(wait) as address, ExitStack() as opened:
        hall = [open_over_proxy(opened, address, b"192.0.2.1") for _ in range(2)]
        strangers = [
            open_over_proxy(opened, address, b"2001:db8::%d" % number) for number in range(1, 6)
        ]  # of one network
        late = [open_over_proxy(opened, address, b"192.0.2.2") for _ in range(2)]
        assert [is_closed(one, 0.2) for one in strangers] == [False, False, False, True, True]
        assert not any(is_closed(one, 0.1) for one in hall + late)


def test_a_page_that_is_at_work_gives_its_place_to_nobody_while_others_are_idle(monkeypatch):
    def connect(home, *, is_at_work=False):
        one = open_over_proxy(opened, address, home)
        one.sendall(WHOLE * is_at_work)
        time.sleep(0.05)
        return one

    async def take(_, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] == "websocket.receive":
            pass

    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 10)
    monkeypatch.setattr(connections, "SPARE", 3)
    monkeypatch.setattr(connections, "IDLE_SECONDS", 0.1)
    with serving(take) as address, ExitStack() as opened:
        strangers = [connect(b"192.0.2.1") for _ in range(2)]
        time.sleep(0.2)
        hall = [connect(b"192.0.2.2", is_at_work=True) for _ in range(7)]
        assert [is_closed(one, 0.2) for one in strangers] == [True, True]
        assert not any(is_closed(one, 0.1) for one in hall)
        connect(b"192.0.2.3", is_at_work=True)
        assert [is_closed(one, 0.1) for one in hall] == [False] * 6 + [True], "nobody is idle"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not limit the number of open files")
def test_the_system_is_asked_for_the_files_that_connections_take_and_bounds_them_if_it_refuses():
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    cases = [((256, 15_000), (12_300, 3000)), ((14_000, 14_000), (14_000, 3000)), ((1024, 4096), (4096, 949))]
    cases = [(limits, expected) for limits, expected in cases if before[1] not in range(limits[1])]
    if not cases:
        pytest.skip(f"this system allows {before[1]} open files")
    code = (
        "import resource; from ui.connections import BoundedConfig\n"
        f"for limits in {[limits for limits, _ in cases]}:\n"  # the most first: no process raises what it may have
        "    resource.setrlimit(resource.RLIMIT_NOFILE, limits)\n"
        "    number = BoundedConfig(None).max_connections\n"
        "    print(*resource.getrlimit(resource.RLIMIT_NOFILE), number)"
    )
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60).stdout
    found = [tuple(map(int, line.split())) for line in said.splitlines()]
    assert found == [(after, limits[1], number) for limits, (after, number) in cases]
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == before


def test_streamlit_makes_its_settings_by_the_name_that_is_replaced(monkeypatch):
    monkeypatch.setattr(uvicorn, "Config", uvicorn.Config)
    connections.bound()
    made = uvicorn.Config(answer, ws_max_size=10**9, http="auto")
    assert (made.ws_max_size, made.http) == (connections.MAX_MESSAGE_BYTES, connections.BoundedProtocol)
    assert made.ws is connections.BoundedWebSocket


def test_a_server_without_guards_lets_everything_through(monkeypatch):
    monkeypatch.setattr(connections, "SELF_CHECK_SECONDS", 0.5)
    with serving(answer, uvicorn.Config) as (host, port):
        found = connections.find_open_doors(f"http://{host}:{port}")
    assert {"uploads", "pages", "messages", "answers"} <= {words.split()[0] for words in found}


def test_a_server_with_its_guards_lets_nothing_through(monkeypatch):
    monkeypatch.setattr(middleware.st, "get_option", {"server.corsAllowedOrigins": []}.get)
    monkeypatch.setattr(upload_quota, "MOST_BYTES", 100)
    with serving(middleware.Guard(answer)) as (host, port):
        assert connections.find_open_doors(f"http://{host}:{port}") == []
        with closing(http.client.HTTPConnection(host, port, timeout=30)) as client:
            client.request("PUT", "/_stcore/upload_file/full/1", bytes(20 * 2**20))
            assert client.getresponse().status == 413, "not a connection that ends"


def test_the_server_comes_and_goes_as_a_page_does(monkeypatch):
    monkeypatch.setattr(middleware.st, "get_option", {"server.corsAllowedOrigins": []}.get)
    monkeypatch.setattr(middleware.Guard, "last_gone", 0.0)
    with serving(middleware.Guard(answer)) as (host, port):
        connections.come_and_go(f"http://{host}:{port}")
        end = time.monotonic() + 10
        while not middleware.Guard.last_gone and time.monotonic() < end:
            time.sleep(0.01)
    assert middleware.Guard.last_gone
    connections.come_and_go(f"http://{host}:{port}")  # nobody answers: nothing to forget


def test_a_server_that_does_not_answer_is_named(monkeypatch):
    monkeypatch.setattr(connections, "SELF_CHECK_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        found = connections.find_open_doors(f"http://127.0.0.1:{deaf.getsockname()[1]}")
    assert len([words for words in found if "does not answer" in words]) >= 3


def test_an_app_whose_guards_do_not_answer_is_not_served(monkeypatch, capsys):
    ends = []
    monkeypatch.setattr(connections, "find_open_doors", lambda _address: ["uploads are not bounded"])
    monkeypatch.setattr(server.os, "_exit", lambda code: ends.append(code) or (_ for _ in ()).throw(SystemExit(code)))
    with pytest.raises(SystemExit):
        server.open_if_guarded()
    assert ends == [1]
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "tiekit: the app is not served, because uploads are not bounded.\n")


@pytest.fixture
def token(monkeypatch):
    monkeypatch.setattr(public_url, "_token", None)
    public_url.make_token()
    return public_url._token


def visit(path, query=""):
    """What the app answers to a request: status and headers; None if the application inside is asked."""
    sent = []

    async def send(message):
        sent.append(message)

    async def inner(scope, receive, send):
        pass

    scope = {"type": "http", "method": "GET", "path": path, "query_string": query.encode(), "headers": []}
    thread = threading.Thread(target=asyncio.run, args=(middleware.Owner(inner)(scope, None, send),))
    thread.start()
    thread.join()
    return (sent[0]["status"], dict(sent[0]["headers"])) if sent else None


def test_the_printed_address_gives_the_browser_a_cookie_and_is_forgotten(token):
    printed = public_url.with_token("http://localhost:8501")
    assert printed == f"http://localhost:8501/?token={token}"
    status, headers = visit("/Leaderboard", f"a=1&token={token}&b=%20")
    assert (status, headers[b"location"]) == (303, b"/Leaderboard?a=1&b=+")
    cookie = headers[b"set-cookie"].decode()
    assert cookie.startswith(f"{public_url.token_cookie()}={token};")
    assert {"HttpOnly", "SameSite=Strict"} <= set(cookie.split("; "))
    assert visit("//evil.example", f"token={token}")[1][b"location"] == b"/evil.example"


@pytest.mark.parametrize("query", ["", "token=", "token=wrong", "a=1"])
def test_other_addresses_open_the_page_as_ever(token, query):
    assert visit("/Leaderboard", query) is None
    assert token not in query


def test_a_server_for_others_prints_no_secret(monkeypatch, token):
    monkeypatch.setattr(public_url.st, "get_option", {"server.address": "0.0.0.0"}.get)
    assert public_url.with_token("http://localhost:8501") == "http://localhost:8501"
    assert token


@pytest.mark.parametrize(("cookie", "is_offered"), [("right", True), ("wrong", False), ("", False)])
def test_folders_are_offered_to_the_browser_with_the_secret_alone(monkeypatch, token, cookie, is_offered):
    named = {"right": {public_url.token_cookie(): token}, "wrong": {public_url.token_cookie(): "x"}, "": {}}[cookie]
    context = type("Context", (), {"headers": {"Host": "localhost:8501"}, "cookies": named})()
    monkeypatch.setattr(streamlit, "context", context)
    monkeypatch.setattr(streamlit, "get_option", {"server.address": "localhost", "server.port": 8501}.get)
    monkeypatch.delenv(bounded_reading.PUBLIC, raising=False)
    assert sources._is_local() == is_offered
