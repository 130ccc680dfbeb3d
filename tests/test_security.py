"""What a public server exposes is what docs/security.md says: no path, no code, bounded uploads, no other host."""

from __future__ import annotations

import ast
import asyncio
import getpass
import re
import socket
import tomllib
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest
import streamlit as st

import tiekit as tk
from ui import middleware, pace
from ui.evalset import sources, upload
from ui.work import bounded_reading, render_queue, result_cache, upload_quota, visitor

ROOT = Path(__file__).parents[1]
SOURCES = [ROOT / "app.py", *(file for folder in ("tiekit", "ui", "pages") for file in (ROOT / folder).rglob("*.py"))]
RUNS_CODE = {"eval", "exec", "compile", "__import__", "system", "popen", "Popen", "run_path"}
RUNS_CODE |= {"read_pickle", "unsafe_load"}
DESERIALIZES = {"pickle", "cPickle", "dill", "cloudpickle", "shelve", "marshal", "yaml", "subprocess"}
ASKS_OTHERS = {
    "requests",
    "urllib3",
    "urllib.request",
    "http.client",
    "httpx",
    "aiohttp",
    "ftplib",
    "smtplib",
    "socket",
}
LOCAL = {"server.address": "127.0.0.1"}


def calls(tree: ast.AST) -> set[str]:
    """The names of all that a file calls; of attributes only those of the os module are meant."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            of = node.func.value if isinstance(node.func, ast.Attribute) else None
            if not (isinstance(of, ast.Name) and of.id == "re"):
                found.add(name)
    return found


def imports(tree: ast.AST) -> set[str]:
    """The modules that a file imports."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, node.module.partition(".")[0]}
    return found


@cache
def trees():
    """The syntax tree of each file."""
    return {file.relative_to(ROOT).as_posix(): ast.parse(file.read_text(encoding="utf-8")) for file in SOURCES}


def where(look, wanted):
    """Which files have what is wanted."""
    return {file: found for file, tree in trees().items() if (found := look(tree) & wanted)}


def test_each_promise_names_tests_that_are_there():
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    parts = re.split("^## ", page, flags=re.MULTILINE)[1:]
    answers = [part for part in parts if part.partition("\n")[0].endswith("?")]
    assert len(answers) >= 17
    for answer in answers:
        promises = answer.split("\n- ")[1:]
        assert promises
        for promise in promises:
            assert re.search("`test_", promise), f"no test is named: {promise[:80]}"
    known = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in ROOT.glob("tests/**/*.py")}
    for part in page.split("\n- "):
        files = re.findall(r"`(tests/[\w/]+\.py)`", part)
        assert set(files) <= set(known), part[:80]
        for name in re.findall(r"`(test_\w+)`", part):
            assert any(f"def {name}(" in known[file] for file in files), name


def test_code_is_run_for_formulas_of_the_source_alone():
    assert where(calls, RUNS_CODE) == {
        "tiekit/core/formula.py": {"compile", "eval"},
        "tiekit/cli/app.py": {"Popen"},
        "ui/work/bounded_reading.py": {"Popen"},  # the process that reads an upload
    }
    assert where(imports, DESERIALIZES) == {
        "tiekit/cli/app.py": {"subprocess"},
        "tiekit/core/_compile.py": {"pickle"},  # the name of an error alone
        "ui/work/bounded_reading.py": {"pickle", "subprocess"},  # what the app's own process sends back, no upload
        "ui/work/reader_process.py": {"pickle"},  # the call that the server sends
        "ui/work/sizes.py": {"pickle"},  # it counts bytes, and reads nothing
    }


def test_other_hosts_are_asked_by_the_download_alone():
    found = where(imports, ASKS_OTHERS)
    assert found.pop("ui/work/public_url.py") == {"socket"}  # it sends nothing
    assert found.pop("ui/connections.py") == {"http.client"}  # the server asks itself
    assert set(found) == {"tiekit/readers/download.py"}


def test_no_html_holds_what_a_visitor_gave():
    for file, tree in trees().items():
        text = (ROOT / file).read_text(encoding="utf-8")
        assert not re.search("unsafe_allow_|allow_pickle=(?!False)|joblib import .*load", text), file
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "st.html":
                assert "STYLE" in ast.unparse(node) or "style(" in ast.unparse(node), file


def test_each_text_field_takes_so_many_characters():
    fields = ("st.text_input", "place.text_input", "st.text_area", "st.chat_input")
    for file, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and {ast.unparse(one) for one in (node.func, *node.args[:1])} & {*fields}:
                assert "max_chars" in {one.arg for one in node.keywords}, f"{file}:{node.lineno}"


def local(monkeypatch, headers, address="127.0.0.1"):
    monkeypatch.setattr(st, "context", SimpleNamespace(headers=headers))
    monkeypatch.setattr(st, "get_option", {"server.address": address}.get)
    return sources._is_local()


def test_folders_are_opened_on_ones_own_computer_alone(monkeypatch):
    monkeypatch.delenv(bounded_reading.PUBLIC, raising=False)
    assert local(monkeypatch, {"Host": "localhost:8501"})
    assert not local(monkeypatch, {"Host": "localhost:8501"}, address="0.0.0.0")
    assert not local(monkeypatch, {"Host": "localhost:8501"}, address=None)
    for host in ("tiekit.example", "localhost.evil.example", "", "10.0.0.1"):
        assert not local(monkeypatch, {"Host": host})
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "CF-Connecting-IP"):
        assert not local(monkeypatch, {"Host": "localhost", header: "1.2.3.4"})
    monkeypatch.setenv(bounded_reading.PUBLIC, "1")
    assert not local(monkeypatch, {"Host": "localhost:8501"})


def test_uploads_are_bounded_in_number_and_size():
    with pytest.raises(tk.InputError, match=r"These are 10,000 files; up to 5,000 are read at once"):
        upload.by_name([SimpleNamespace(name=str(place), getvalue=bytes) for place in range(10_000)])
    with (ROOT / ".streamlit" / "config.toml").open("rb") as file:
        options = tomllib.load(file)
    assert options["server"]["maxUploadSize"] == upload_quota.LARGEST == 64
    assert options["client"]["showErrorDetails"] == "none"
    assert "enableXsrfProtection" not in options["server"]
    assert "enableCORS" not in options["server"]


async def streamlit(scope, receive, send):  # noqa: ARG001
    """Answers every request alike."""
    headers = [(b"content-type", b"text/plain"), (b"referrer-policy", b"no-referrer")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"ok"})


async def receive():
    """The last piece of a request."""
    return {"type": "http.request"}


@pytest.fixture
def sessions(monkeypatch):
    """Sessions that have drawn a page."""
    monkeypatch.setattr(upload_quota, "_admitted", dict.fromkeys("abc", 1))
    monkeypatch.setattr(upload_quota, "QUOTA", upload_quota.Quota())
    return upload_quota._admitted


def asked(method, path, guard=None, client=("192.0.2.1", 1), **headers):
    """Status and headers of an answer."""
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope, answer = {"type": "http", "method": method, "path": path, "headers": sent, "client": client}, []

    async def send(message):
        answer.append(message)

    with ThreadPoolExecutor(1) as thread:  # browser tests in this process have a loop of their own
        thread.submit(lambda: asyncio.run((guard or middleware.Guard(streamlit))(scope, receive, send))).result()
    return answer[0]["status"], dict(answer[0]["headers"])


def test_every_answer_has_headers_that_guard_the_visitor():
    status, headers = asked("GET", "/")
    assert status == 200
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"referrer-policy"] == b"no-referrer"  # what Streamlit says itself stays
    assert b"permissions-policy" in headers
    assert b"default-src 'self'" in headers[b"content-security-policy"]
    assert not re.search(rb"https?:|ws{1,2}:|\*", headers[b"content-security-policy"])


@pytest.mark.parametrize("base", ["", "/course/tiekit"])
def test_a_session_holds_only_so_much(monkeypatch, sessions, base):
    monkeypatch.setattr(upload_quota, "MOST_BYTES", 1000)
    path, guard = f"{base}/_stcore/upload_file", middleware.Guard(streamlit)
    assert asked("PUT", f"{path}/a/1", guard, content_length="900")[0] == 200
    assert asked("PUT", f"{path}/a/2", guard, content_length="101")[0] == 413
    assert asked("PUT", f"{path}/a/2", guard, content_length="100")[0] == 200
    assert asked("PUT", f"{path}/b/1", guard, content_length="1000")[0] == 200
    for size in ("-1", "9" * 5_000):
        assert asked("PUT", f"{path}/b/2")[0] == asked("PUT", f"{path}/b/2", content_length=size)[0] == 411
    assert asked("PUT", f"{path}/b/{'x' * 200}", guard, content_length="0")[0] == 400  # names are held, too
    assert asked("DELETE", f"{path}/a/1", guard)[0] == 200
    assert asked("PUT", f"{path}/a/3", guard, content_length="900")[0] == 200
    assert asked("PUT", "/a/1", guard, content_length="2000")[0] == 200
    sessions.pop("b")
    assert asked("PUT", f"{path}/b/1", guard, content_length="1")[0] == 400, "no browser's: it has drawn no page"


def test_all_sessions_hold_only_so_much_and_those_of_an_address_half_of_it(monkeypatch, sessions):
    monkeypatch.setenv("TIEKIT_PUBLIC", "1")
    monkeypatch.setattr(upload_quota, "MOST_OF_ALL", 20_000)
    monkeypatch.setattr(upload_quota, "MOST_OF_ADDRESS", 10_000)
    monkeypatch.setattr(upload_quota, "RESERVE", 0)
    monkeypatch.setattr(upload_quota, "LITTLE", 0)
    path, guard = "/_stcore/upload_file", middleware.Guard(streamlit)
    home, stranger = ("192.0.2.1", 5), [("192.0.2.9", 4), ("192.0.2.9", 3)]
    assert asked("PUT", f"{path}/a/1", guard, stranger[0], content_length="7900")[0] == 200
    assert asked("PUT", f"{path}/b/1", guard, stranger[1], content_length="1000")[0] == 413
    assert asked("DELETE", f"{path}/a/1", guard, stranger[0])[0] == 200
    assert asked("PUT", f"{path}/b/1", guard, stranger[1], content_length="1000")[0] == 413, "a page may still have it"
    assert asked("PUT", f"{path}/c/1", guard, home, content_length="8500")[0] == 200
    sessions.pop("a")
    assert asked("PUT", f"{path}/b/1", guard, stranger[1], content_length="1000")[0] == 200
    assert upload_quota.MOST_OF_ADDRESS * 2 == upload_quota.MOST_OF_ALL


def test_a_lecture_hall_has_room_beside_a_stranger_and_a_process_for_all():
    hall = 60 * (5 * 2**20 + upload_quota.BYTES_BESIDE)
    assert 2 * hall < upload_quota.MOST_OF_ADDRESS <= upload_quota.MOST_OF_ALL - upload_quota.MOST_OF_ADDRESS
    for file, limit in (("compose.yaml", r"mem_limit: (\d+)g"), ("docs/deploy.md", r"MemoryMax=(\d+)G")):
        [most] = re.findall(limit, (ROOT / file).read_text(encoding="utf-8"))
        waiting = (bounded_reading.KEPT + bounded_reading.SPARES) * 100 * 2**20  # each without what it read
        reading = bounded_reading.AT_ONCE * (bounded_reading.MEMORY + bounded_reading.MEMORY_OF_SMALL) + waiting
        computing = render_queue.COMPUTING * render_queue.MEMORY + result_cache.BEGUN[-1] * result_cache.MEMORY
        uploads = 1.125 * upload_quota.MOST_OF_ALL  # Python allots an eighth more
        assert uploads + reading + computing + 2**30 < int(most) * 2**30, file


@pytest.mark.parametrize(
    ("client", "address"),
    [
        (("192.0.2.1", 5), "192.0.2.1"),
        (("2001:db8:1:2:3::4", 5), "2001:db8:1::/56"),
        (("::ffff:192.0.2.1", 5), "192.0.2.1"),
        (("2001:db8:1:abcd::4", 5), "2001:db8:1:ab00::/56"),
        (("a socket's path", 0), "a socket's path"),
        (None, ""),
    ],
)
def test_an_address_is_that_of_one_visitor(client, address):
    assert middleware.address_of({"client": client}) == address


def test_the_address_of_whose_page_is_drawn_is_that_of_one_visitor(monkeypatch):
    class Page:
        session_state: ClassVar = {}
        context = SimpleNamespace(ip_address="2001:db8:1:2:3::4")

    monkeypatch.setattr(visitor, "st", Page)
    assert visitor.current_visitor().address == "2001:db8:1::/56"


def test_a_file_that_arrives_when_its_session_has_gone_is_removed(sessions):
    asked_for = []

    async def slow(scope, receive, send):
        asked_for.append((scope["method"], scope["path"]))
        sessions.pop("a", None)
        await streamlit(scope, receive, send)

    guard = middleware.Guard(slow)
    assert asked("PUT", "/_stcore/upload_file/a/1", guard, content_length="9")[0] == 200
    assert asked_for == [("PUT", "/_stcore/upload_file/a/1"), ("DELETE", "/_stcore/upload_file/a/1")]
    assert guard._quota.has_room("b", "", 1)
    assert not guard._quota._sessions


@pytest.mark.usefixtures("sessions")
def test_what_streamlit_refuses_is_not_counted(monkeypatch):
    monkeypatch.setattr(upload_quota, "MOST_BYTES", 1000)

    async def refuses(scope, receive, send):
        gone = scope["method"] == "PUT" and (await receive())["type"] == "http.disconnect"
        await send({"type": "http.response.start", "status": 500 if gone else 400, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    path, guard = "/_stcore/upload_file", middleware.Guard(refuses)
    assert [asked("PUT", f"{path}/a/{file}", guard, content_length="900")[0] for file in range(3)] == [400] * 3
    with guard._quota.upload("a", "", 900):
        guard._quota.keep("a", "1", 900)
    assert asked("DELETE", f"{path}/a/1", guard)[0] == 400
    assert not guard._quota.has_room("a", "", 101)
    monkeypatch.setattr(middleware, "UPLOAD_SECONDS", 0)
    form = {"content_length": "900", "content_type": "multipart/form-data; boundary=a"}
    assert asked("PUT", f"{path}/b/1", guard, **form)[0] == 408, "the visitor was late"


@pytest.mark.usefixtures("sessions")
@pytest.mark.parametrize(("is_for_others", "waits"), [(True, [0.0, 0.0, 0.5]), (False, [])])
def test_the_pieces_of_uploads_come_at_a_pace_on_a_server_for_others(monkeypatch, is_for_others, waits):
    found = []

    async def wait(_, seconds):
        found.append(seconds)
        return False

    async def takes_all(scope, receive, send):
        while (await receive()).get("more_body"):
            pass
        await streamlit(scope, receive, send)

    async def receive():
        body = pieces.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(pieces)}

    async def send(message):
        assert message

    monkeypatch.setattr(pace, "UPLOADED", 200)
    monkeypatch.setattr(pace, "UPLOADED_PER_SECOND", 200.0)
    monkeypatch.setattr(pace.time, "monotonic", lambda: 100.0)
    monkeypatch.setattr(pace, "is_gone", wait)
    monkeypatch.setattr(bounded_reading, "is_for_others", lambda: is_for_others)
    scope = {
        "type": "http",
        "method": "PUT",
        "path": "/_stcore/upload_file/a/1",
        "headers": [(b"content-length", b"9"), (b"content-type", b"multipart/form-data; boundary=a")],
    }
    pieces = [b"--a\r\nX: y\r\n\r\n".ljust(100), bytes(100), b"\r\n--a--\r\n".rjust(100)]
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(middleware.Guard(takes_all)(scope, receive, send))).result()
    assert found == waits


@pytest.mark.usefixtures("sessions")
def test_uploads_under_way_count_as_what_a_session_holds(monkeypatch):
    monkeypatch.setattr(upload_quota, "MOST_BYTES", 100)
    answers = []

    async def slow(scope, receive, send):
        await asyncio.sleep(0.05)
        if dict(scope["headers"])[b"content-length"] == b"61":
            raise OSError
        await streamlit(scope, receive, send)

    def put(session, length):
        path = f"/_stcore/upload_file/{session}/{length}"
        scope = {"type": "http", "method": "PUT", "path": path, "headers": [(b"content-length", b"%d" % length)]}

        async def send(message):
            answers.append((session, length, message.get("status")))

        return guarded(scope, receive, send)

    async def uploads():
        await asyncio.gather(put("c", 61), return_exceptions=True)
        await asyncio.gather(put("a", 60), put("a", 50), put("b", 50), put("a", 40), put("c", 100))

    guarded = middleware.Guard(slow)
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(uploads())).result()
    statuses = {(session, length): status for session, length, status in answers if status}
    assert statuses == {("a", 60): 200, ("a", 50): 413, ("b", 50): 200, ("a", 40): 200, ("c", 100): 200}


def test_uploads_have_the_address_that_is_counted():
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

    [url] = MemoryUploadedFileManager("/_stcore/upload_file").get_upload_urls("a", ["x.csv"])
    assert middleware.uploaded_file(url.upload_url) == ("a", url.file_id)


def test_a_signature_holds_no_path_no_user_and_no_computer(tmp_path):
    folder = tmp_path / "secret-place"
    folder.mkdir()
    table = folder / "scores.csv"
    table.write_text(
        "system,segment,mqm,BLEU\n" + "".join(f"{s},{n},{n % 3},{n % 5}\n" for s in "AB" for n in range(9))
    )
    data = tk.read(table)
    board = tk.leaderboard(data, "mqm", coefficients=["tau_b"], calibrated="acc_eq")
    found = [tk.correlate(data, "BLEU", human="mqm").signature, board.attrs["signatures"]["tau_b"]["BLEU"]]
    for secret in ("secret-place", str(tmp_path), getpass.getuser(), socket.gethostname()):
        assert len(secret) < 3 or not any(secret in signature for signature in found)
