"""A file in which child processes pass their findings to the program's record."""

from __future__ import annotations

import contextlib
import os
import struct
from collections.abc import Iterator
from typing import Any

_LENGTH = struct.Struct("<q")
_OPEN_FILES = "/proc/{}/fd"
"""Where Linux shows the files that a process has open."""
_BINARY = getattr(os, "O_BINARY", 0)
"""The flag that keeps Windows from changing the ends of lines in a file; 0 on other systems."""


class Spool:
    """A file that its owner process reads, and to which other processes append.

    Forked processes inherit the open file; others open it by `path` as long as its owner lives. On Linux the
    file has no name, so it disappears however the owner ends; elsewhere it keeps its ``name`` until it is
    closed.
    """

    def __init__(self, descriptor: int, name: str | None = None) -> None:
        self._descriptor = descriptor
        self._name = name
        self._read = 0

    @classmethod
    def new(cls) -> Spool:
        """Make an empty spool in a new file."""
        import tempfile

        made, name = tempfile.mkstemp(prefix="tilewright-")
        is_found_without = os.path.isdir(_OPEN_FILES.format(os.getpid()))
        try:
            descriptor = os.open(name, os.O_RDWR | os.O_APPEND | _BINARY)
            return cls(descriptor, None if is_found_without else name)
        finally:
            os.close(made)
            if is_found_without:
                os.unlink(name)

    @classmethod
    def at(cls, path: str) -> Spool | None:
        """Open the spool at `path`, which another process owns and reads, for appending. Returns None if the
        file cannot be opened: the owner is gone.
        """
        try:
            return cls(os.open(path, os.O_WRONLY | os.O_APPEND | _BINARY))
        except OSError:
            return None

    @property
    def path(self) -> str:
        """Return the path by which processes that were not forked open the file."""
        return self._name or f"{_OPEN_FILES.format(os.getpid())}/{self._descriptor}"

    def append(self, entry: object) -> None:
        """Append an entry, which is pickled, by a single write."""
        import pickle  # few runs need it

        data = pickle.dumps(entry)
        os.write(self._descriptor, _LENGTH.pack(len(data)) + data)

    def entries(self) -> Iterator[Any]:
        """Yield the entries that were appended since the last call. An entry that is not complete yet is left
        for the next call.
        """
        import pickle

        while len(head := self._at(self._read, _LENGTH.size)) == _LENGTH.size:
            (size,) = _LENGTH.unpack(head)
            data = self._at(self._read + _LENGTH.size, size)
            if len(data) < size:
                return
            self._read += _LENGTH.size + size
            yield pickle.loads(data)

    def _at(self, place: int, size: int) -> bytes:
        """Return `size` bytes from the offset `place` of the file, fewer at its end."""
        if hasattr(os, "pread"):
            return os.pread(self._descriptor, size, place)
        # Of Windows, where no other process shares the position of the file; whoever writes appends.
        os.lseek(self._descriptor, place, os.SEEK_SET)
        return os.read(self._descriptor, size)

    def close(self) -> None:
        """Close the file, and remove it if it has a name."""
        os.close(self._descriptor)
        if self._name is not None:
            with contextlib.suppress(OSError):  # on Windows while another process has it open
                os.unlink(self._name)
