"""Memory that threads compute in, kept from launch to launch."""

from __future__ import annotations

import ctypes
import threading
from typing import Any

from tilewright.ir.diagnostic import failure
from tilewright.runtime import codes
from tilewright.runtime.workers.threads import VARIABLE

LINE = 64


class Scratch:
    """Scratch memory of one or several threads; it grows when more is requested."""

    def __init__(self) -> None:
        self._buffer: Any = None
        self._size = 0
        self._address = 0

    def at_least(self, size: int, threads: int = 1) -> int:
        """Return the address, at the beginning of a cache line, of ``size`` bytes for each of ``threads``
        threads, one after the other. The contents are not kept, and a larger request invalidates earlier
        addresses. Raises `DiagnosticError` if there is not enough memory.
        """
        whole = size * threads
        if whole > self._size:
            self._buffer, self._size = None, 0  # the old bytes are no longer needed
            self._buffer = _buffer(whole + LINE, size + LINE)
            self._size = whole
            self._address = -(-ctypes.addressof(self._buffer) // LINE) * LINE
        return self._address


def _buffer(size: int, wanted: int) -> Any:
    try:
        return (ctypes.c_char * size)()
    except (MemoryError, OverflowError) as error:
        message = f"a thread of the launch needs {wanted} bytes of memory for tiles, and the system has less"
        hint = f"launch with fewer threads, such as threads=1 or {VARIABLE}=1, or compute in smaller tiles"
        raise failure(codes.NO_SCRATCH, message, hint=hint) from error


class _OfThread(Scratch, threading.local):
    """Scratch memory; each thread has its own."""

    def __init__(self) -> None:
        super().__init__()
        self._spare: list[Scratch] = []

    def borrowed(self) -> Scratch:
        """Return memory that no other launch of the thread uses until it is returned."""
        return self._spare.pop() if self._spare else Scratch()

    def give_back(self, memory: Scratch) -> None:
        """Make memory from `borrowed` available to later launches of the thread."""
        self._spare.append(memory)


SCRATCH = _OfThread()
"""The scratch memory of this thread."""
