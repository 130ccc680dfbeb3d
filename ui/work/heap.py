"""How does memory stay level while many sessions come and go? Threads share two heaps instead of having many."""

from __future__ import annotations

import ctypes
from contextlib import suppress

M_ARENA_MAX = -8
"""Which of glibc's parameters the number of heaps is (malloc.h)."""

HEAPS = 2


def share() -> bool:
    """Let threads share `HEAPS` heaps; return whether the C library knows how to.

    By default glibc gives threads up to eight heaps for each core. What one of them gives back, no other uses, so a
    server's memory grows for minutes although its sessions hold no more. Threads that exist keep the heap they have.
    """
    with suppress(OSError, TypeError, AttributeError):
        return bool(ctypes.CDLL(None).mallopt(M_ARENA_MAX, HEAPS))
    return False
