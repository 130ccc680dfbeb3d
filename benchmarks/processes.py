"""How many processes of the app stand behind one address? One, or several behind the proxy of `deploy/nginx.conf`."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.measure import ROOT
from tests.browser import kit

PROGRAM = shutil.which("nginx")


@contextmanager
def serve(number: int, folder: Path) -> Iterator[tuple[kit.Address, list[kit.Server]]]:
    """The address of so many processes, and the processes; what they print goes into a folder."""
    with ExitStack() as stack:
        servers = [
            stack.enter_context(kit.serve(ROOT / "app.py", ROOT, folder / f"log {place}")) for place in range(number)
        ]
        address = servers[0] if number == 1 else stack.enter_context(_proxy(servers, folder))
        yield address, servers


@contextmanager
def _proxy(servers: list[kit.Server], folder: Path) -> Iterator[kit.Address]:
    """The proxy that `compose.yaml` starts, here before processes without containers."""
    if PROGRAM is None:
        raise FileNotFoundError("nginx: install it to serve several processes at one address")
    port, of_class = _free_ports()
    file, log = folder / "nginx.conf", folder / "nginx log"
    ports = [int(server.url.rsplit(":", 1)[1]) for server in servers]
    file.write_text(settings(ports, port, of_class, folder), encoding="utf-8")
    ahead = f"daemon off; master_process off; pid {folder / 'pid'};"
    with log.open("wb") as said:
        process = subprocess.Popen([PROGRAM, "-c", str(file), "-e", "stderr", "-g", ahead], stdout=said, stderr=said)
    server = kit.Server(f"http://127.0.0.1:{port}", log, process)
    try:
        if not kit.healthy(server):
            raise RuntimeError(server.log())
        yield server
    finally:
        kit.stop(server)


def settings(ports: list[int], port: int, of_class: int, folder: Path) -> str:
    """`deploy/nginx.conf` for processes of this computer: where they and the proxy listen, and where it keeps files."""
    text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    text = re.sub(r"app(\d):8501", lambda found: f"127.0.0.1:{ports[(int(found[1]) - 1) % len(ports)]}", text)
    text = text.replace("class:8501", f"127.0.0.1:{ports[0]}")
    text = text.replace("listen 8080", f"listen 127.0.0.1:{port}")
    text = text.replace("listen 8081", f"listen 127.0.0.1:{of_class}")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    kept = "".join(f"    {kind}_temp_path {folder / kind};\n" for kind in kinds)
    return text.replace("http {\n", f"http {{\n    access_log off;\n{kept}", 1)


def _free_ports() -> tuple[int, int]:
    with socket.socket() as one, socket.socket() as another:
        one.bind(("127.0.0.1", 0))
        another.bind(("127.0.0.1", 0))
        return one.getsockname()[1], another.getsockname()[1]
