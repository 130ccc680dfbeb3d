"""A server on 127.0.0.1 that gives one archive and misbehaves as it is told, and archives to give."""

from __future__ import annotations

import io
import mmap
import re
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
    etag: str | None = '"one"'
    modified: str | None = None
    kind: str = "application/gzip"
    ranges: bool = True
    if_range: bool = True
    """Whether it minds If-Range."""

    length: bool = True
    """Whether it says how long the file is."""

    most: int | None = None
    """So many bytes it gives at most when it is asked for a range."""

    cuts: list[int] = field(default_factory=list)
    """After how many bytes the first answers end."""

    statuses: list[int] = field(default_factory=list)
    """What the first answers are instead."""

    then: Site | None = None
    """What is given from the second answer on."""

    asked: list[dict[str, str]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    """From which byte on each answer with a body gave the file."""

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        """Give the file, or a part of it."""
        self.asked.append(dict(handler.headers.items()))
        if self.statuses and (status := self.statuses.pop(0)) != 200:
            handler.send_response(status)
            handler.send_header("Content-Length", "0")
            handler.end_headers()
            return
        site = self.then if self.then is not None and len(self.asked) > 1 else self
        start, status = 0, 200
        wish = re.fullmatch(r"bytes=(\d+)-", handler.headers.get("Range", ""))
        same = not site.if_range or handler.headers.get("If-Range") in {site.etag, site.modified, None}
        if wish and site.ranges and same:
            start, status = int(wish[1]), 206
            if start >= len(site.body):
                status = 416
        handler.send_response(status)
        handler.send_header("Content-Type", site.kind)
        if site.etag:
            handler.send_header("ETag", site.etag)
        if site.modified:
            handler.send_header("Last-Modified", site.modified)
        end = start + min(len(site.body) - start, site.most or len(site.body)) if status == 206 else len(site.body)
        if status == 206:
            handler.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(site.body)}")
        if status == 416:
            end = start
        if site.length or status == 416:
            handler.send_header("Content-Length", str(end - start))
        handler.end_headers()
        if site.cuts:
            end = min(end, start + site.cuts.pop(0))
        if status != 416:
            self.starts.append(start)
        for at in range(start, end, PIECE):
            handler.wfile.write(site.body[at : min(at + PIECE, end)])


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
