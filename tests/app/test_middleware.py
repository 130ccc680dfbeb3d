"""Where a link is shared, a page has its own title, description and picture; other sites open no connection."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from html import escape

import pytest
from streamlit import net_util
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.web.server.starlette import starlette_websocket

from ui import middleware
from ui.page import pages
from ui.work import upload_quota

PAGE = '<html><head><link rel="shortcut icon" href="./favicon.png" /><title>Streamlit</title></head></html>'


async def streamlit(scope, receive, send):  # noqa: ARG001
    """Sends a page, compressed if the browser takes that."""
    body = b"compressed" if dict(scope["headers"]).get(b"accept-encoding") else PAGE.encode()
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
        headers, body = asked(f"/{page.address}", accept_encoding="gzip", host="tiekit.example")
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
    assert asked("/static/index.js", accept_encoding="gzip")[1] == b"compressed"


@pytest.mark.parametrize(
    ("headers", "is_admitted"),
    [
        ({"host": "tiekit.example"}, True),  # no browser
        ({"host": "tiekit.example", "origin": "https://tiekit.example"}, True),
        ({"host": "localhost:8501", "origin": "http://localhost:8501"}, True),
        ({"host": "app1:8501", "origin": "https://tiekit.example", "x_forwarded_host": "tiekit.example"}, True),
        ({"host": "tiekit.example", "origin": "https://allowed.example"}, True),
        ({"host": "tiekit.example", "origin": "https://evil.example"}, False),
        ({"host": "localhost:8501", "origin": "http://localhost:3000"}, False),
        ({"host": "tiekit.example", "origin": "null"}, False),
        ({"origin": "null"}, False),
        ({"host": "tiekit.example", "origin": "http://[no-address"}, False),
    ],
)
def test_only_pages_of_the_app_open_a_connection(monkeypatch, headers, is_admitted):
    monkeypatch.setattr(middleware.st, "get_option", {"server.corsAllowedOrigins": ["https://allowed.example"]}.get)
    monkeypatch.setattr(net_util, "get_external_ip", lambda: pytest.fail("another host would be asked"))
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    opened, answer = [], []

    async def inner(scope, receive, send):  # noqa: ARG001
        opened.append(scope["type"])
        named = middleware.headers_of(scope)
        assert starlette_websocket._is_origin_allowed(
            *(named.get(name, b"").decode() or None for name in (b"origin", b"host"))
        )

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        answer.append(message)

    scope = {"type": "websocket", "path": "/_stcore/stream", "headers": sent}
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(middleware.Guard(inner)(scope, receive, send))).result()
    assert opened == ["websocket"] * is_admitted
    assert answer == [{"type": "websocket.close", "code": 1008}] * (not is_admitted)


FILES = [{"name": "scores.tsv", "file_id": "1", "file_urls": {"file_id": "1"}}] * (upload_quota.MOST_FILES - 1)
FILES_OF_A_PAGE = {"widgets": [{"id": "a", "file_uploader_state_value": {"uploaded_file_info": FILES}}]}
JSON_OF_A_PAGE = [{"json_value": "[" * 10_001}, {"json_trigger_value": "1," * 10_001}]
LONG_JSON = [{"json_trigger_value": f'"{"é" * 2**14}"'}, {"json_value": f'"{"a" * 2**15}"'}]
MESSAGES = {
    "a message": ({"rerun_script": {"query_string": "a" * 300}}, 1, 1003),
    "a page": ({"rerun_script": {"widget_states": FILES_OF_A_PAGE}}, 5, 1003),
    "a download": ({"backend_operation_request": {"deferred_file": {"file_id": "1"}}}, 5, 1003),
    "names": ({"file_urls_request": {"file_names": ["scores.tsv"] * upload_quota.MOST_FILES}}, 50, 1003),
    "too many names": ({"file_urls_request": {"file_names": [""] * 1_990_000}}, None, 1009),
    "too many controls": ({"rerun_script": {"widget_states": {"widgets": [{}] * 990_000}}}, None, 1009),
    "too many hashes": ({"rerun_script": {"cached_message_hashes": [""] * 1_990_000}}, None, 1009),
    "typed lists": ({"rerun_script": {"widget_states": {"widgets": [{"string_value": "[1,2]" * 20_001}]}}}, 1, 1003),
    "too many lists of JSON": ({"rerun_script": {"widget_states": {"widgets": JSON_OF_A_PAGE}}}, None, 1009),
    "a component's long text": ({"rerun_script": {"widget_states": {"widgets": LONG_JSON}}}, None, 1003),
    "one of them alone": ({"rerun_script": {"widget_states": {"widgets": LONG_JSON[1:]}}}, 1, 1003),
    "too many choices": (
        {"rerun_script": {"widget_states": {"widgets": [{"string_array_value": {"data": ["", ""]}}] * 10_000}}},
        None,
        1009,
    ),
    "what is kept for all": ({"clear_cache": True}, None, 1003),
    "a file of the server": ({"backend_operation_request": {"install_skills": {}}}, None, 1003),
    "a long name": ({"rerun_script": {"fragment_id": "a" * 201}}, None, 1003),
    "a name of two lines": ({"backend_operation_request": {"deferred_file": {"file_id": "1\n2"}}}, None, 1003),
}


@pytest.mark.parametrize(("content", "turns", "code"), MESSAGES.values(), ids=MESSAGES)
def test_messages_beyond_a_pace_wait_and_others_are_served_between_any_two(monkeypatch, content, turns, code):
    sent = BackMsg(**content).SerializeToString()
    now, waits, answer = [100.0], [], []

    async def sleep(seconds):
        waits.append(seconds)
        now[0] += seconds

    message = {"type": "websocket.receive", "bytes": sent}

    async def receive():
        return message

    async def send(given):
        answer.append(given)

    monkeypatch.setattr(middleware.asyncio, "sleep", sleep)
    monkeypatch.setattr(middleware.time, "monotonic", lambda: now[0])
    shared = middleware._Shared()
    at_a_pace = middleware._at_a_pace(receive, send, shared)

    async def take(number):
        for _ in range(number):
            assert (await at_a_pace())["type"] == message["type"]
        message["bytes"] = message["bytes"] if turns is None else None  # text, which no page sends
        assert (await at_a_pace())["type"] == "websocket.disconnect"

    at_once = middleware.MESSAGES // turns if turns else 0
    number = at_once + 5 * bool(turns)
    with ThreadPoolExecutor() as thread:
        thread.submit(lambda: asyncio.run(take(number))).result()
    assert waits[:at_once] == [0] * at_once  # a turn for others each time
    assert now[0] - 100 == pytest.approx((number * turns - middleware.MESSAGES) / middleware.PER_SECOND if turns else 0)
    assert answer == [{"type": "websocket.close", "code": code}]
    assert turns or shared.downloads.wait_for(middleware.DOWNLOADS) == 0, "what is refused takes nothing from others"


@pytest.mark.parametrize(
    ("content", "at_once", "number"),
    [
        ({"file_urls_request": {"file_names": [""] * 10_000}}, 2, 5),
        ({"backend_operation_request": {"deferred_file": {"file_id": "1"}}}, 60, 20),
    ],
    ids=["addresses", "downloads"],
)
def test_addresses_and_downloads_come_at_a_pace_that_all_pages_share(monkeypatch, content, at_once, number):
    sent = [BackMsg(**one).SerializeToString() for one in (content, {"rerun_script": {}})]
    monkeypatch.setattr(middleware.time, "monotonic", lambda: 100.0)
    waits, answer, shared = [], [], middleware._Shared()

    async def sleep(seconds):
        waits.append(seconds)

    async def send(given):
        answer.append(given)

    async def take(one):  # each time another connection, which may ask for one thing at once
        async def receive():
            return {"type": "websocket.receive", "bytes": one}

        await middleware._at_a_pace(receive, send, shared)()

    async def ask():
        for _ in range(at_once + number + 3):
            await take(sent[0])
        await take(sent[1])

    monkeypatch.setattr(middleware.asyncio, "sleep", sleep)
    with ThreadPoolExecutor() as thread:
        thread.submit(lambda: asyncio.run(ask())).result()
    assert waits[:at_once] == [0.0] * at_once
    assert waits[at_once:-1] == pytest.approx([middleware.PATIENCE * (one + 1) / number for one in range(number)])
    assert waits[-1] == 0.0, "who asks for neither waits for nobody"
    assert answer == [{"type": "websocket.close", "code": 1013}] * 3
