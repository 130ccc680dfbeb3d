"""Threads share two heaps."""

import platform
import runpy
import subprocess
import sys

import pytest

from ui.work import heap

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


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has several heaps")
def test_sixteen_threads_share_two_heaps():
    def heaps(first: str) -> int:
        code = HEAPS_OF_THREADS.format(first=first)
        ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
        return int(ran.stdout)

    assert heaps("from ui.work import heap; assert heap.share()") == 2
    assert heaps("") > 2


def test_the_server_begins_with_it(monkeypatch):
    def share() -> None:
        raise SystemExit("asked")

    monkeypatch.setattr(heap, "share", share)
    with pytest.raises(SystemExit, match="asked"):
        runpy.run_module("ui", run_name="__main__")
