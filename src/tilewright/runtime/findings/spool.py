"""A file in which processes that a program starts tell the program's record what they found."""

from __future__ import annotations

import os
import pickle
import struct
from collections.abc import Iterator
from typing import IO, Any

_LENGTH = struct.Struct("<q")


class Spool:
    """An unnamed file that the process that made it reads, and to which others append.

    Forked processes have it open.  Others find it by `path` as long as the process that made it lives, on Linux only.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._read = 0

    @classmethod
    def new(cls) -> Spool:
        """An empty one."""
        import tempfile
        from pathlib import Path

        descriptor, name = tempfile.mkstemp(prefix="tilewright-")
        os.close(descriptor)
        path = Path(name)
        file = path.open("a+b", buffering=0)  # every write goes to the end; closed with the record
        path.unlink()
        return cls(file)

    @classmethod
    def at(cls, path: str) -> Spool | None:
        """That of another process; None if the process is gone."""
        from pathlib import Path

        try:
            return cls(Path(path).open("ab", buffering=0))
        except OSError:
            return None

    @property
    def path(self) -> str:
        """Where processes that were not forked find it."""
        return f"/proc/{os.getpid()}/fd/{self._file.fileno()}"

    def append(self, entry: object) -> None:
        """Add something that can be pickled, in one piece."""
        data = pickle.dumps(entry)
        os.write(self._file.fileno(), _LENGTH.pack(len(data)) + data)

    def entries(self) -> Iterator[Any]:
        """What was added since the last time."""
        descriptor = self._file.fileno()
        while len(head := os.pread(descriptor, _LENGTH.size, self._read)) == _LENGTH.size:
            (size,) = _LENGTH.unpack(head)
            data = os.pread(descriptor, size, self._read + _LENGTH.size)
            if len(data) < size:
                return
            self._read += _LENGTH.size + size
            yield pickle.loads(data)

    def close(self) -> None:
        """Give the file back."""
        self._file.close()
