"""A server on 127.0.0.1 that gives one archive and misbehaves as it is told, and archives to give."""

from __future__ import annotations

import io
import mmap
import tarfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any

TOP = "mt-metrics-eval-v2"
PIECE = 2**20


def score_files(testset: str, pair: str = "en-de", lines: int = 2) -> dict[str, bytes]:
    """The files of a small test set: two systems, one human score, one metric that hardly compresses."""
    random = Random(f"{testset}{pair}")
    human = "".join(f"{system}\t{score}\n" for system in "AB" for score in random.choices("01234", k=lines))
    metric = "".join(f"{system}\t{random.random()}\n" for system in "AB" for _ in range(lines))
    return {
        f"{TOP}/{testset}/human-scores/{pair}.mqm.seg.score": human.encode(),
        f"{TOP}/{testset}/metric-scores/{pair}/chrF-refA.seg.score": metric.encode(),
        f"{TOP}/{testset}/sources/{pair}.txt": b"x\n" * lines,
    }


def tgz(members: Iterable[tuple[str | tarfile.TarInfo, bytes]]) -> bytes:
    """An archive of files, or of whatever the description of a member says it is."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=1) as tar:
        for member, content in members:
            described = tarfile.TarInfo(member) if isinstance(member, str) else member
            if described.isreg():
                described.size = len(content)
            tar.addfile(described, io.BytesIO(content))
    return packed.getvalue()


@cache
def archive(lines: int = 2, testsets: tuple[str, ...] = ("toy", "other")) -> bytes:
    """An archive of small test sets with two language pairs each."""
    return tgz(
        item
        for testset in testsets
        for pair in ("en-de", "en-de_AT")
        for item in score_files(testset, pair, lines).items()
    )


@dataclass
class Site:
    """What the server gives, and what it was asked."""

    body: bytes | mmap.mmap
    url: str = ""
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "application/gzip"})
    has_length: bool = True
    """Whether it says how long the file is."""

    cuts: list[int] = field(default_factory=list)
    """After how many bytes the first answers end."""

    statuses: list[int] = field(default_factory=list)
    """What the first answers are instead."""

    asked: list[dict[str, str]] = field(default_factory=list)

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Give the file, or what was ordered instead."""
        self.asked.append(dict(handler.headers.items()))
        status = self.statuses.pop(0) if self.statuses else 200
        body = self.body if status == 200 else b""
        handler.send_response(status)
        for name, value in self.headers.items():
            handler.send_header(name, value)
        if self.has_length:
            handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        end = self.cuts.pop(0) if self.cuts else len(body)
        for at in range(0, end, PIECE):
            handler.wfile.write(body[at : min(at + PIECE, end)])


@contextmanager
def serve(site: Site, path: str = "/some/where/toys.tgz") -> Iterator[Site]:
    """Give the site an address for as long as it is needed."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.answer(self)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    site.url = f"http://127.0.0.1:{server.server_port}{path}"
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
