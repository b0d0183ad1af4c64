"""A file in which processes that a program starts tell the program's record what they found."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import Any

_LENGTH = struct.Struct("<q")


class Spool:
    """An unnamed file that the process that made it reads, and to which others append.

    Forked processes have it open.  Others find it by `path` as long as the process that made it lives, on Linux only.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._read = 0

    @classmethod
    def new(cls) -> Spool:
        """An empty one."""
        import tempfile

        made, name = tempfile.mkstemp(prefix="tilewright-")
        try:
            return cls(os.open(name, os.O_RDWR | os.O_APPEND))
        finally:
            os.close(made)
            os.unlink(name)

    @classmethod
    def at(cls, path: str) -> Spool | None:
        """That of another process; None if the process is gone."""
        try:
            return cls(os.open(path, os.O_WRONLY | os.O_APPEND))
        except OSError:
            return None

    @property
    def path(self) -> str:
        """Where processes that were not forked find it."""
        return f"/proc/{os.getpid()}/fd/{self._descriptor}"

    def append(self, entry: object) -> None:
        """Add something that can be pickled, in one piece."""
        import pickle  # which few runs need

        data = pickle.dumps(entry)
        os.write(self._descriptor, _LENGTH.pack(len(data)) + data)

    def entries(self) -> Iterator[Any]:
        """What was added since the last time."""
        import pickle

        while len(head := os.pread(self._descriptor, _LENGTH.size, self._read)) == _LENGTH.size:
            (size,) = _LENGTH.unpack(head)
            data = os.pread(self._descriptor, size, self._read + _LENGTH.size)
            if len(data) < size:
                return
            self._read += _LENGTH.size + size
            yield pickle.loads(data)

    def close(self) -> None:
        """Give the file back."""
        os.close(self._descriptor)
