"""The app starts with the options of a command line; what is prepared is what pages ask for, and nobody waits long."""

import asyncio
import gc
import platform
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest
import streamlit as st
import uvicorn
from starlette.datastructures import Headers
from starlette.formparsers import MultiPartParser
from streamlit.runtime import memory_session_storage

from ui import connections, server
from ui.evalset.sources import OpenSet
from ui.page import shell
from ui.work import downloads, kept_sessions, presets, public_url, result_cache

LATER = {
    "2_NaN_problem": {"buckets", "untied"},
    "5_Leaderboard": {"counts"},
    "3_Calibration": {"curve", "every k-th", "domains", "language pairs", "identical", "repaired", 0, 1},
    "6_Sentinels": {"few ties, held out"},
}
"""What takes a moment and is computed when a page is opened."""


@pytest.fixture(scope="module")
def prepared():
    """The results after the synthetic set was prepared."""
    st.cache_resource.clear()
    server.prepare(OpenSet(presets.sample("qaa-qab"), ""))
    return result_cache._results()


@pytest.mark.parametrize("page", ["5_Leaderboard", "4_Grouping", "2_NaN_problem", "3_Calibration", "6_Sentinels"])
def test_a_page_computes_only_what_was_not_prepared(prepared, open_app, page):
    before = set(prepared._done)
    assert before
    open_app(page)
    assert {key[0] for key in set(prepared._done) - before} == LATER.get(page, set())


def test_a_server_does_not_wait_for_long(monkeypatch):
    go, done = threading.Event(), threading.Event()
    monkeypatch.setattr(server, "PATIENCE", 0.01)
    monkeypatch.setattr(server, "prepare", lambda opened: go.wait(60) and opened and done.set())
    server.prepare_in_time()
    assert not done.is_set()
    go.set()
    assert done.wait(60)


def test_a_server_waits_for_what_is_soon_done(monkeypatch):
    done = []
    monkeypatch.setattr(server, "PATIENCE", 60)
    monkeypatch.setattr(server, "prepare", lambda opened: time.sleep(0.2) or done.append(opened.data.name))
    server.prepare_in_time()
    assert done == ["wmt22"]


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["--server.port", "8600", "--server.headless=true"], {"server.port": 8600, "server.headless": True}),
        (
            ["--server.address", "0.0.0.0", "--theme.primaryColor=#0072B2"],
            {"server.address": "0.0.0.0", "theme.primaryColor": "#0072B2"},
        ),
        (["--server.port=1", "--server.port=2"], {"server.port": 2}),
        (["--server.allowedHosts=a", "--server.allowedHosts", "b"], {"server.allowedHosts": ["a", "b"]}),
        (["--server.baseUrlPath", ""], {"server.baseUrlPath": ""}),
    ],
)
def test_options_are_those_of_streamlit_run(arguments, options):
    assert server.read_options(arguments) == options


@pytest.mark.parametrize("arguments", [["8600"], ["--port", "8600"], ["--server.port"]])
def test_what_is_no_option_is_named(arguments):
    with pytest.raises(SystemExit, match=rf"{arguments[0]}: expected an option of Streamlit"):
        server.read_options(arguments)


def test_the_app_runs_on_this_computer_alone_unless_told_otherwise(monkeypatch):
    ran = []
    monkeypatch.setattr(MultiPartParser, "spool_max_size", MultiPartParser.spool_max_size)
    monkeypatch.setattr(uvicorn, "Config", uvicorn.Config)
    monkeypatch.setattr(public_url, "_token", None)
    monkeypatch.setattr(memory_session_storage, "MemorySessionStorage", None)
    monkeypatch.setattr(server, "limit_malloc_arenas", lambda: ran.append("arenas"))
    monkeypatch.setattr(sys, "argv", ["ui"])
    monkeypatch.setattr(st.App, "run", lambda app, config: ran.append((app.script_path, sys.argv, config)))
    server.run(["--server.port", "8600"])
    monkeypatch.setenv("TIEKIT_PUBLIC", "1")
    server.run(["--server.address", "0.0.0.0"])
    assert MultiPartParser.spool_max_size == 0
    assert uvicorn.Config is connections.BoundedConfig
    assert memory_session_storage.MemorySessionStorage is kept_sessions.KeptSessions
    assert public_url.with_token("x") != "x"
    arenas, (script, argv, first), _, (_, _, second) = ran
    assert arenas == "arenas"
    assert argv == [str(script)] == [str(server.APP)]
    assert (first["server.port"], first["server.address"]) == (8600, "localhost")
    assert "server.headless" not in first  # the browser is opened
    assert (second["server.address"], second["server.headless"]) == ("0.0.0.0", True)


OPTIONS = {"server.headless": False, "server.address": "localhost", "server.port": 8600}


@pytest.mark.parametrize(
    ("options", "address"),
    [
        ({}, "http://localhost:8600"),
        ({"server.address": "0.0.0.0", "server.baseUrlPath": "/lab/"}, "http://localhost:8600/lab"),
        ({"server.address": "::1", "server.sslCertFile": "cert.pem"}, "https://[::1]:8600"),
        ({"server.headless": True}, None),
    ],
)
def test_the_browser_is_opened_when_all_is_prepared(monkeypatch, options, address):
    done, opened = [], threading.Event()
    monkeypatch.setattr(st, "get_option", (OPTIONS | options).get)
    monkeypatch.setattr(server, "prepare_in_time", lambda: done.append("prepared"))
    monkeypatch.setattr(server.connections, "find_open_doors", lambda _address: [])
    monkeypatch.setattr(server.webbrowser, "open", lambda at: (done.append(at), opened.set()))

    async def start():
        async with server._lifespan(server.make_app()):
            return

    with ThreadPoolExecutor(1) as thread:  # browser tests in this process have a loop of their own
        thread.submit(lambda: asyncio.run(start())).result()
    assert opened.wait(5 if address else 0.2) == (address is not None)
    assert done == ["prepared", address][: 1 + (address is not None)]


def test_files_that_wait_for_their_turn_hold_up_no_other(monkeypatch):
    monkeypatch.setattr(server, "prepare_in_time", lambda: None)
    monkeypatch.setattr(server, "open_if_guarded", lambda: None)
    may_end = threading.Event()

    async def serve():
        async with server._lifespan(server.make_app()):
            waiting = [
                asyncio.create_task(asyncio.to_thread(may_end.wait, 30)) for _ in range(3 * downloads.OF_ADDRESS)
            ]
            await asyncio.sleep(0)  # they begin first
            try:
                is_made = await asyncio.wait_for(asyncio.to_thread(lambda: not may_end.is_set()), 10)
            finally:
                may_end.set()
            return is_made and all(await asyncio.gather(*waiting))

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(lambda: asyncio.run(serve())).result()


def test_a_server_frees_the_circles_that_visitors_leave(monkeypatch):
    class Visitor:
        pass

    monkeypatch.setattr(server, "TIDYING", 0.01)
    monkeypatch.setattr(server, "prepare_in_time", lambda: None)
    monkeypatch.setattr(server, "open_if_guarded", lambda: None)

    async def serve():
        async with server._lifespan(server.make_app()):
            visitor = Visitor()
            visitor.session, gone = visitor, weakref.ref(visitor)
            del visitor
            shell._compile_kernels.__wrapped__()  # the first page that is drawn keeps nothing for good
            end = time.monotonic() + 5
            while gone() is not None and time.monotonic() < end:
                await asyncio.sleep(0.01)
        return gone()

    gc.disable()  # Python must not find it by chance
    try:
        with ThreadPoolExecutor(1) as thread:  # browser tests in this process have a loop of their own
            assert thread.submit(lambda: asyncio.run(serve())).result() is None
    finally:
        gc.enable()


def test_the_last_visitors_session_is_forgotten_though_nobody_comes(monkeypatch):
    visits = []
    monkeypatch.setattr(server, "TIDYING", 0.01)
    monkeypatch.setattr(server, "MOMENT", 0.01)
    monkeypatch.setattr(server, "prepare_in_time", lambda: None)
    monkeypatch.setattr(server, "open_if_guarded", lambda: None)
    monkeypatch.setattr(server.public_url, "of_server", lambda: "http://tiekit.example")
    monkeypatch.setattr(server.connections, "come_and_go", visits.append)

    async def serve(seconds_since):
        monkeypatch.setattr(server.Guard, "last_gone", time.monotonic() - seconds_since)
        async with server._lifespan(server.make_app()):
            await asyncio.sleep(0.3)

    kept = server.st.get_option("server.disconnectedSessionTTL")
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(serve(kept / 2))).result()
        assert not visits, "it may come back"
        thread.submit(lambda: asyncio.run(serve(kept + 1))).result()
    assert visits == ["http://tiekit.example"], "once, not at every look"


def test_an_unknown_option_ends_the_program_with_a_sentence(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["ui"])
    monkeypatch.setattr(MultiPartParser, "spool_max_size", MultiPartParser.spool_max_size)
    monkeypatch.setattr(uvicorn, "Config", uvicorn.Config)
    monkeypatch.setattr(public_url, "_token", None)
    monkeypatch.setattr(server, "limit_malloc_arenas", lambda: None)
    with pytest.raises(SystemExit, match=r"server\.prot"):
        server.run(["--server.prot", "8600"])


HEAPS_OF_THREADS = """
import ctypes, tempfile, threading
{first}
barrier = threading.Barrier(16)
def fill():
    kept = [bytes(3000) for _ in range(100)]
    barrier.wait()
threads = [threading.Thread(target=fill) for _ in range(16)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
with tempfile.NamedTemporaryFile() as file:
    stream = ctypes.c_void_p(libc.fopen(file.name.encode(), b"w"))
    libc.malloc_info(0, stream)
    libc.fclose(stream)
    print(file.read().decode().count("<heap nr="))
"""


@pytest.mark.campaign
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has several heaps")
def test_sixteen_threads_share_two_heaps():
    def heaps(first: str) -> int:
        code = HEAPS_OF_THREADS.format(first=first)
        ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
        return int(ran.stdout)

    assert heaps("from ui import server; assert server.limit_malloc_arenas()") == 2
    assert heaps("") > 2


def test_a_large_upload_is_kept_in_memory(monkeypatch, tmp_path):
    monkeypatch.setattr(MultiPartParser, "spool_max_size", MultiPartParser.spool_max_size)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "no such folder"))
    server.keep_uploads_in_memory()

    async def stream():
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="large.csv"\r\n\r\n'
        for _ in range(3):
            yield bytes(2**20)
        yield b"\r\n--x--\r\n"

    async def size():
        form = await MultiPartParser(Headers({"content-type": "multipart/form-data; boundary=x"}), stream()).parse()
        content = await form["file"].read()
        await form.close()
        return len(content)

    with ThreadPoolExecutor(1) as thread:  # browser tests in this process have a loop of their own
        assert thread.submit(lambda: asyncio.run(size())).result() == 3 * 2**20
