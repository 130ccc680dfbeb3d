"""How does the app start? As an ASGI application around ``app.py``, with the guards that ``streamlit run`` lacks.

A Streamlit server loads a page's code when somebody opens it. Here all pages are loaded and the counting loops are
compiled before the server answers, and the evaluation set that opens first is read and computed. Otherwise the first
visitor waits some seconds longer than the others.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import os
import sys
import time
import tomllib
import webbrowser
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from threading import Thread
from typing import Any

import streamlit as st
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from streamlit.errors import StreamlitAPIException

import tiekit as tk
import ui
from tiekit import warm_up
from tiekit.core import DEFAULT_GROUPING
from tiekit.ranking import POLICIES
from ui import connections
from ui.calibration import on_set as calibrated
from ui.evalset import groupings
from ui.evalset.compared_set import ComparedSet
from ui.evalset.selection import Selection, held_bytes
from ui.evalset.sources import OpenSet, open_published
from ui.evalset.tie_kinds import usual
from ui.grouping import on_set
from ui.leaderboard import answer, significance
from ui.leaderboard import question as asked
from ui.link import link
from ui.measures import agreement
from ui.middleware import Guard, Owner, Preview
from ui.nan_problem import by_group
from ui.sentinels import few_ties, probes, shares
from ui.work import (
    bounded_reading,
    downloads,
    kept_sessions,
    memory,
    public_url,
    result_cache,
    streamlit_internals,
    upload_quota,
)

APP = Path(__file__).parents[1] / "app.py"

HELP = """python -m ui [--server.port 8600] [--server.address 0.0.0.0] [--server.headless true] …

Opens the app, on this computer only unless --server.address says otherwise. Takes every option of `streamlit run`."""

OPTIONS = {"server.address": "localhost", "logger.hideWelcomeMessage": True}
"""Options of Streamlit that hold unless the command line says otherwise: who should be let in is always said."""

LISTS = ("server.allowedHosts", "server.corsAllowedOrigins", "server.folderWatchBlacklist", "server.folderWatchList")
"""Options that take several values, each named anew."""

ARENAS = 2
"""Maximum number of heaps that threads share."""

M_ARENA_MAX = -8
"""Which of glibc's parameters the number of heaps is (malloc.h)."""

COUNTED = upload_quota.QUOTA.bytes_here, held_bytes
"""What returns how many bytes are kept that are bounded where they are: of uploads, and of what is made of sets."""

TIDYING = 20.0
"""Seconds between two times at which the memory of visitors who have gone is given back."""

MOMENT = 0.5
"""Seconds until a connection that was closed is known to be."""

PATIENCE = 3.0
"""Seconds that a server waits for what it prepares before it answers; the rest is computed while it answers."""


def run(arguments: Sequence[str]) -> None:
    """Run the app until it is stopped, with options as ``streamlit run`` takes them, such as ``--server.port 8600``."""
    if {"-h", "--help"} & set(arguments):
        sys.exit(HELP)
    options = OPTIONS | read_options(arguments)
    if os.environ.get(bounded_reading.PUBLIC):  # else Streamlit lets a browser on this computer change its files
        options["server.headless"] = True
    memory.limit()  # which may be no number
    limit_malloc_arenas()
    keep_uploads_in_memory()
    connections.bound()
    streamlit_internals.keep_sessions_in(kept_sessions.KeptSessions)
    streamlit_internals.send_to_who_is_there()
    public_url.make_token()
    for module in walk_packages(ui.__path__, "ui."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    warm_up.warm_up()
    app = make_app()
    sys.argv = [str(APP)]  # Streamlit looks for .streamlit/config.toml beside the program
    try:
        with suppress(KeyboardInterrupt):
            app.run(config=options)
    except StreamlitAPIException as error:
        sys.exit(str(error))


def make_app() -> st.App:
    """Return the app as an ASGI application: what the browser asks for passes the guard and the previews."""
    return st.App(
        APP,
        middleware=[Middleware(Guard), Middleware(Owner), Middleware(Preview)],
        routes=[Route("/health", _health)],
        lifespan=_lifespan,
    )


def read_options(arguments: Sequence[str]) -> dict[str, Any]:
    """Return the options of a command line by name; `SystemExit` says which argument is none."""
    found: dict[str, Any] = {}
    rest = list(arguments)
    while rest:
        name, has_value, text = rest.pop(0).partition("=")
        if not name.startswith("--") or "." not in name or not (has_value or rest):
            sys.exit(f"{name}: expected an option of Streamlit and its value, such as --server.port 8600")
        value = _read_value(text if has_value else rest.pop(0))
        name = name.removeprefix("--")
        found[name] = [*found.get(name, []), value] if name in LISTS else value
    return found


def _read_value(text: str) -> Any:
    """A truth value or a number, as a configuration file has them, or else the text."""
    with suppress(tomllib.TOMLDecodeError):
        value = tomllib.loads(f"value = {text}")["value"]
        if isinstance(value, bool | int | float):
            return value
    return text


async def _health(_: Request) -> PlainTextResponse:
    return PlainTextResponse("ok", headers={link.PROCESS_HEADER: link.PROCESS})


@asynccontextmanager
async def _lifespan(_: st.App) -> AsyncIterator[None]:
    """Prepare what is asked for first; as soon as the server answers, see whether its guards do."""
    asyncio.get_running_loop().set_default_executor(
        ThreadPoolExecutor(downloads.THREADS)
    )  # Streamlit makes files in it
    await asyncio.to_thread(prepare_in_time)
    gc.freeze()  # the collector need not search what was imported; once visitors come, it would keep what they bring
    Thread(target=open_if_guarded, daemon=True).start()
    if bounded_reading.is_bounded():
        Thread(target=memory.watch, args=(asyncio.get_running_loop(), give_back_memory, COUNTED), daemon=True).start()
    tidying = asyncio.create_task(_tidy())
    yield
    tidying.cancel()


async def _tidy() -> None:
    """Give back memory now and then; the last visitor's too, once his session could no longer come back."""
    seen = 0.0
    while True:
        await asyncio.sleep(TIDYING)
        if seen < Guard.last_gone <= time.monotonic() - st.get_option("server.disconnectedSessionTTL"):
            await asyncio.to_thread(connections.come_and_go, public_url.of_server())
            await asyncio.sleep(MOMENT)
            seen = time.monotonic()
        await asyncio.to_thread(bounded_reading.end_idle)
        await asyncio.to_thread(give_back_memory)


def give_back_memory() -> None:
    """Free what visitors who have gone left in circles of references, and let glibc give the pages back.

    A session and what it opened refer to each other. Python looks for such circles among old objects seldom, and knows
    nothing of how large their arrays are: without this a server grows by the files of dozens who have gone.
    """
    gc.collect()
    with suppress(OSError, TypeError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def open_if_guarded() -> None:
    """Say where the app is, and open it in the browser; end the program if a guard does not answer."""
    address = public_url.of_server()
    if unguarded := connections.find_open_doors(address):
        print(f"tiekit: the app is not served, because {'; '.join(unguarded)}.", file=sys.stderr, flush=True)
        os._exit(1)
    address = public_url.with_token(address)
    print(f"tiekit: {address} (Ctrl+C stops it)", flush=True)
    if not st.get_option("server.headless"):
        webbrowser.open(address)


def limit_malloc_arenas() -> bool:
    """Let threads share `ARENAS` heaps; return whether the C library knows how to.

    By default glibc gives threads up to eight heaps for each core. What one of them gives back, no other uses, so a
    server's memory grows for minutes although its sessions hold no more. Threads that exist keep the heap they have.
    """
    with suppress(OSError, TypeError, AttributeError):
        return bool(ctypes.CDLL(None).mallopt(M_ARENA_MAX, ARENAS))
    return False


def keep_uploads_in_memory() -> None:
    """Let no upload be written to the disk on its way, where it would fail if the disk is full.

    Starlette writes what exceeds 1 MB to a temporary file, which Streamlit then reads into memory. Streamlit itself
    stops an upload that exceeds its limit.
    """
    MultiPartParser.spool_max_size = 0  # no limit


def prepare_in_time() -> None:
    """Begin to prepare, in a thread, and wait for `PATIENCE`."""
    thread = Thread(target=prepare, args=(open_published(),), daemon=True)
    thread.start()
    thread.join(PATIENCE)


def prepare(opened: OpenSet) -> None:
    """Compute what pages show of a set before anything is chosen.

    Of Measures only what comes with the app: what else it shows takes seconds, for which every first visitor of another
    page would wait.
    """
    data = opened.data
    human = sorted(data.human, key=lambda name: name != data.gold)[0]
    selection = Selection(opened, human, tuple(data.metrics), data.default_exclude, None)
    question = asked.Question(selection, asked.USUAL, ("acc_eq",), POLICIES[0])
    compared = ComparedSet(selection)
    result_cache.prepare(agreement.prepared_tasks(compared))
    result_cache.prepare(asked.tasks_of(question, question.contest))
    result_cache.prepare(by_group.tasks_of(selection, tk.COEFFICIENTS["tau_b"]))
    calibrated.best_first(data)
    result_cache.prepare(calibrated.tasks_of(selection, "acc_eq", "absolute"))
    result_cache.prepare(groupings.tasks_of(on_set.by_all_groupings(selection, on_set.columns()[0])))
    result_cache.prepare(shares.tasks_of(compared, shares.Scope(usual(compared), "acc_eq", DEFAULT_GROUPING)))
    for ranked in probes.rankings_of(compared, probes.COLUMNS[0]):
        result_cache.prepare(groupings.tasks_of(ranked))
    result_cache.prepare(significance.tasks_of(answer.column_to_test(question)))
    result_cache.prepare(few_ties.tasks_of(compared, DEFAULT_GROUPING))  # the longest comes last
