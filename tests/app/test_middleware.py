"""Where a link is shared, a page has its own title, description and picture; other sites open no connection."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from html import escape

import pytest
from starlette.datastructures import Headers
from streamlit import net_util
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.web.server.starlette import starlette_websocket

from ui import middleware, pace
from ui.page import pages

PAGE = '<html><head><link rel="shortcut icon" href="./favicon.png" /><title>Streamlit</title></head></html>'


async def streamlit(scope, receive, send):  # noqa: ARG001
    """Sends a page, or nothing if the browser has it."""
    body = b"" if dict(scope["headers"]).get(b"if-none-match") else PAGE.encode()
    headers = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": [*headers, (b"etag", b"1")]})
    await send({"type": "http.response.body", "body": body})


def asked(path, query="", **headers):
    """What the app answers: headers and body."""
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": path, "scheme": "http", "headers": sent}
    scope["query_string"] = query.encode()
    answer = []

    async def send(message):
        answer.append(message)

    with ThreadPoolExecutor(1) as thread:  # browser tests in this process have a loop of their own
        thread.submit(lambda: asyncio.run(middleware.Preview(streamlit)(scope, None, send))).result()
    return dict(answer[0]["headers"]), answer[1]["body"]


def test_every_page_has_its_own_words():
    for page in pages.lessons():
        headers, body = asked(f"/{page.address}", if_none_match="1", host="tiekit.example")
        text = body.decode()
        assert f"<title>{page.title} · tiekit</title>" in text
        assert f'<meta name="description" content="{escape(page.words.replace(chr(92), ""))}" />' in text
        assert '<meta property="og:image" content="http://tiekit.example/tiekit-preview.png" />' in text
        assert 'href="./tiekit-icon.png"' in text
        assert headers[b"content-length"] == str(len(body)).encode()
        assert b"etag" not in headers


def test_the_picture_has_the_address_that_a_proxy_shows():
    text = asked("/", host="inner", x_forwarded_host="tiekit.example", x_forwarded_proto="https")[1].decode()
    assert 'content="https://tiekit.example/tiekit-preview.png"' in text
    assert "<title>tiekit</title>" in text
    below = asked("/lab/", host="tiekit.example")[1].decode()
    assert 'content="http://tiekit.example/lab/tiekit-preview.png"' in below


@pytest.mark.parametrize(
    ("query", "to"),
    [
        ("", "Sentinels"),
        ("row=COMET-22-refA&tied=0.42", "Sentinels?row=COMET-22-refA&tied=0.42"),
        ("guide_purpose=To+rank+systems&x=%C3%A4", "Which_number?guide_purpose=To+rank+systems&x=%C3%A4"),
    ],
)
def test_an_old_address_leads_to_its_new_place_with_what_the_link_held(query, to):
    headers, body = asked("/lab/MQM_or_ESA", query)
    assert headers[b"location"].decode() == to
    assert not body


def test_a_host_cannot_write_html():
    assert "<script>" not in asked("/", host='"><script>')[1].decode()


def test_icon_and_picture_are_served_and_all_else_is_streamlits():
    for name in middleware.FILES:
        headers, body = asked(f"/{name}")
        assert body.startswith(b"\x89PNG")
        assert headers[b"content-type"] == b"image/png"
    assert asked("/static/index.js", if_none_match="1")[1] == b""


@pytest.mark.parametrize(
    ("headers", "is_admitted"),
    [
        ({"host": "tiekit.example"}, True),  # no browser
        ({"host": "tiekit.example", "origin": "https://tiekit.example"}, True),
        ({"host": "localhost:8501", "origin": "http://localhost:8501"}, True),
        ({"host": "app1:8501", "origin": "https://tiekit.example", "x_forwarded_host": "tiekit.example"}, True),
        ({"host": "tiekit.example", "origin": "https://allowed.example"}, True),
        ({"host": "tiekit.example/x", "origin": "https://allowed.example"}, True),  # no host that an origin can have
        ({"host": "tiekit.example", "origin": "https://evil.example"}, False),
        ({"host": "localhost:8501", "origin": "http://localhost:3000"}, False),
        ({"host": "tiekit.example", "origin": "null"}, False),
        ({"host": "tiekit.example", "origin": "//tiekit.example"}, False),
        ({"origin": "null"}, False),
        ({"host": "tiekit.example", "origin": "http://[no-address"}, False),
    ],
)
@pytest.mark.parametrize("before", [[], [(b"host", b"first.example")]])
def test_only_pages_of_the_app_open_a_connection(monkeypatch, before, headers, is_admitted):
    monkeypatch.setattr(middleware.st, "get_option", {"server.corsAllowedOrigins": ["https://allowed.example"]}.get)
    monkeypatch.setattr(net_util, "get_external_ip", lambda: pytest.fail("another host would be asked"))
    sent = before + [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    opened, answer = [], []

    async def inner(scope, receive, send):  # noqa: ARG001
        opened.append(scope["type"])
        named = Headers(scope=scope)  # of two lines, the first
        assert starlette_websocket._is_origin_allowed(named.get("origin"), named.get("host"))

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        answer.append(message)

    scope = {"type": "websocket", "path": "/_stcore/stream", "headers": sent}
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(middleware.Guard(inner)(scope, receive, send))).result()
    assert opened == ["websocket"] * is_admitted
    assert answer == [{"type": "websocket.close", "code": 1008}] * (not is_admitted)


def test_a_page_that_takes_nothing_of_what_it_is_sent_asks_for_nothing_more():
    happened = []

    async def draw(_, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        sending = asyncio.create_task(send({"type": "websocket.send", "bytes": b"a page"}))
        await asyncio.sleep(0)
        happened.append((await receive())["type"])
        await sending

    async def visit():
        sent, is_read = asyncio.Queue(), asyncio.Event()
        for message in ({"type": "websocket.connect"}, {"type": "websocket.receive", "bytes": b""}):
            sent.put_nowait(message)

        async def send(message):
            if message["type"] == "websocket.send":
                await is_read.wait()

        scope = {"type": "websocket", "path": "/_stcore/stream", "headers": [], "client": ("127.0.0.1", 1)}
        visiting = asyncio.create_task(middleware.Guard(draw)(scope, sent.get, send))
        await asyncio.wait([visiting], timeout=0.3)
        happened.append("now it reads")
        is_read.set()
        await visiting

    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(visit())).result()
    assert happened == ["now it reads", "websocket.receive"]


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_answers_are_whole_and_not_compressed_and_of_cookies_the_app_sees_its_own(monkeypatch, kind):
    monkeypatch.setattr(middleware.public_url, "token_cookie", lambda: "own")
    seen = []

    async def note(scope, receive, send):  # noqa: ARG001
        seen.append(scope["headers"])

    sent = [
        b"; ".join(b"%d=" % number for number in range(10_000)),
        b'a=1;own="2; _streamlit_xsrf=3;ownb=4',
        b"own=5=6",
        b"down=7; x; own=8 ;own=9",
    ]
    headers = [
        (b"host", b"a=b"),
        (b"accept-encoding", b"gzip"),
        (b"range", b"bytes=0-0,2-2"),
        *((b"cookie", one) for one in sent),
    ]
    scope = {"type": kind, "method": "GET", "path": "/", "headers": headers}
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(middleware.Guard(note)(scope, None, None))).result()
    kept = [b"", b'_streamlit_xsrf=3; own="2', b"own=5=6", b"own=8"]
    assert seen == [[(b"host", b"a=b"), *((b"cookie", one) for one in kept)]]


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_long_paths_are_refused_and_too_many_keys_left_out(kind):
    seen, answers = [], []

    async def note(scope, receive, send):  # noqa: ARG001
        seen.append(scope["query_string"])

    async def send(message):
        answers.append(message.get("status") or message.get("code"))

    async def receive():
        return {"type": "websocket.connect"}

    async def ask_all():
        for path, keys in (("/a", 500), ("/a", 501), ("/" * 1_000, 1), ("/" * 1_001, 1)):
            query = b"&".join([b"a=1"] * keys)
            scope = {"type": kind, "method": "GET", "path": path, "query_string": query, "headers": []}
            await middleware.Guard(note)(scope, receive, send)

    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(ask_all())).result()
    assert [query.count(b"a=1") for query in seen] == [500, 0, 1]
    assert list(filter(None, answers)) == [414 if kind == "http" else middleware.POLICY_VIOLATED]


def test_the_pages_of_an_address_keep_so_much_until_they_are_closed(monkeypatch):
    monkeypatch.setattr(pace, "KEPT_OF_ADDRESS", 50_000)
    long = BackMsg(rerun_script={"query_string": "a" * 40_000}).SerializeToString()
    closed, shared = [], middleware.Guard(None)

    async def visit(inner):
        sent = asyncio.Queue()
        sent.put_nowait({"type": "websocket.receive", "bytes": long})

        async def send(message):
            closed.extend(code for name, code in message.items() if name == "code")

        async def draw(_, receive, send):
            await send({"type": "websocket.accept"})
            await receive()
            await inner()

        shared._app = draw
        scope = {"type": "websocket", "path": "/_stcore/stream", "headers": [], "client": ("127.0.0.1", 1)}
        await shared(scope, sent.get, send)

    async def nothing():
        pass

    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(visit(lambda: visit(nothing)))).result()
        assert closed == [1013]
        thread.submit(lambda: asyncio.run(visit(nothing))).result()
    assert closed == [1013]


@pytest.mark.parametrize(("begins", "longest", "together"), [(False, 9, 2), (True, 9, 6), (False, 0.01, 6)])
def test_few_answers_are_made_at_the_same_time_until_they_begin_or_take_long(monkeypatch, begins, longest, together):
    monkeypatch.setattr(pace, "AT_ONCE", 2)
    monkeypatch.setattr(pace, "LONGEST_PLACE", longest)
    number = [0, 0]

    async def take_a_moment(scope, receive, send):  # noqa: ARG001
        number[:] = number[0] + 1, max(number[1], number[0] + 1)
        if begins:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(0.2)
        number[0] -= 1

    async def send(message):
        assert message

    async def ask_all():
        guard = middleware.Guard(take_a_moment)
        scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
        gone = asyncio.Event()
        gone.set()
        await asyncio.gather(
            *(guard(scope, None, send) for _ in range(6)), guard(scope | {pace.GONE: gone}, None, send)
        )

    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(ask_all())).result()
    assert number == [0, together]


@pytest.mark.parametrize(
    ("ends", "longest", "part"),
    [
        (ForwardMsg(script_finished=0), 9, ""),
        (ForwardMsg(), 9, ""),
        (ForwardMsg(), 9, "a part of it"),
        (None, 9, ""),
        (ForwardMsg(), 0.01, ""),
    ],
)
def test_few_pages_are_drawn_at_the_same_time_until_they_are_sent_or_take_long(monkeypatch, ends, longest, part):
    monkeypatch.setattr(pace, "PAGES", 2)
    monkeypatch.setattr(pace, "LONGEST_PAGE", longest)
    wanted = {"type": "websocket.receive", "bytes": BackMsg(rerun_script={"fragment_id": part}).SerializeToString()}
    drawing, most, drawn = set(), [0], []

    async def draw(scope, receive, send):
        await send({"type": "websocket.accept"})
        await receive()
        drawing.add(scope["client"])
        most[0] = max(most[0], len(drawing))
        await asyncio.sleep(0.2)
        drawing.discard(scope["client"])
        drawn.append(scope["client"])
        if ends is not None:  # else the page goes without a word
            await send({"type": "websocket.send", "bytes": ends.SerializeToString()})
            await leave.wait()

    async def visit(guard, number):
        async def receive():
            return wanted

        async def send(_):
            pass

        client = f"192.0.2.{number % 3}", number
        await guard({"type": "websocket", "path": "/_stcore/stream", "headers": [], "client": client}, receive, send)

    async def visit_all():
        nonlocal leave
        leave, guard = asyncio.Event(), middleware.Guard(draw)
        pages = [asyncio.create_task(visit(guard, number)) for number in range(6)]
        await asyncio.sleep(1.5)
        leave.set()
        for page in pages:
            page.cancel()
        await asyncio.gather(*pages, return_exceptions=True)

    leave = None
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(visit_all())).result()
    is_told = ends is not None and ends.WhichOneof("type") == "script_finished"
    assert len(drawn) == (6 if is_told or ends is None or longest < 1 or part else 2)
    assert most[0] == (6 if longest < 1 or part else 2)


def test_requests_pass_one_by_one_and_addresses_take_turns():
    began, passed = [], []

    async def note(scope, receive, send):  # noqa: ARG001
        began.append(scope["client"][0][-1])

    async def ask_all():
        guard = middleware.Guard(note)

        async def ask(address):
            scope = {"type": "http", "method": "GET", "path": "/", "headers": [], "client": (f"192.0.2.{address}", 1)}
            await guard(scope, None, None)

        async def watch():
            while len(began) < 6:
                passed.append(len(began))
                await asyncio.sleep(0)

        await asyncio.gather(*(ask(address) for address in (1, 1, 1, 1, 2, 3)), watch())

    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(ask_all())).result()
    assert began == ["1", "2", "3", "1", "1", "1"]
    assert {*passed} == {*range(6)}, "all else is served between two"
