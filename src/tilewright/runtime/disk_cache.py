"""Compiled kernels on disk, by their content.

A record is one file, named by its key.  It is written beside its place and renamed, so others see all of it or nothing;
it begins with the digest of the rest, and one whose digest is wrong is dropped.  So any number of processes share a
directory without locks.  Records not used for longest go first when there are too many bytes.

The directory must belong to the user alone: code in it is executed. Environment variables: `TILEWRIGHT_CACHE_DIR` is
the place, `TILEWRIGHT_CACHE_SIZE` the limit (`2G`; 0 switches the cache off), and `TILEWRIGHT_CACHE_BY_CONTENT=1`
identifies the compiler by the contents of its files, not by their times: for caches that outlive an installation, as
in CI.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

from tilewright.ir.diagnostic import DiagnosticError, failure
from tilewright.ir.support.record import Record
from tilewright.runtime import codes

DIRECTORY_VARIABLE = "TILEWRIGHT_CACHE_DIR"
SIZE_VARIABLE = "TILEWRIGHT_CACHE_SIZE"
CONTENT_VARIABLE = "TILEWRIGHT_CACHE_BY_CONTENT"
DEFAULT_SIZE = 1 << 29
_SYSTEM = sys.platform
NOWHERE = Path(os.devnull, "tilewright")
"""The directory of users without one: it cannot be made, so nothing is kept."""

MAGIC = b"tilewright record 1\n"
SUFFIX = ".kernel"
_TEMPORARY = ".new"
_DIGEST = hashlib.sha256().digest_size
_ABANDONED = 3600.0
"""Seconds after which a file that was never renamed is taken to be left over from a process that ended."""
_PRUNE_EVERY = 16
"""The number of records that a process writes between two checks of the total size."""
_UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}

_T = TypeVar("_T")


class CacheEntry(Record, frozen=True):
    """A record: its key, its size in bytes, when it was last used (seconds since 1970)."""

    key: str
    size: int
    used: float


def key_of(parts: Sequence[bytes]) -> str:
    """Return the key of a record: a digest of `parts`, which together determine its content."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()


@cache
def program_stamp() -> str:
    """Return a fingerprint of the compiler's sources, which is part of the cache key.

    Places, sizes and times of all source files, read once per process (some milliseconds). With the environment
    variable `TILEWRIGHT_CACHE_BY_CONTENT` the contents are used instead of the times, which every new installation
    changes.
    """
    by_content = os.environ.get(CONTENT_VARIABLE, "0") not in ("", "0")
    root = str(Path(__file__).parents[1])
    found: list[tuple[str, int, int | str]] = []
    pending = [root]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    state = _content_stamp(entry.path) if by_content else status.st_mtime_ns
                    found.append((entry.path[len(root) :], status.st_size, state))
                elif entry.name != "__pycache__" and entry.is_dir():
                    pending.append(entry.path)
    return hashlib.sha256(repr(sorted(found)).encode()).hexdigest()


def _content_stamp(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def default_directory() -> Path:
    """Return the directory of the cache, or `NOWHERE` for a user without a home directory.

    That is `TILEWRIGHT_CACHE_DIR`, or else `tilewright` in `XDG_CACHE_HOME` if the user sets it, or else in
    the system's directory for caches of a user: `~/.cache`, `~/Library/Caches` on a Mac, `%LOCALAPPDATA%` on
    Windows.
    """
    if given := os.environ.get(DIRECTORY_VARIABLE):
        return Path(given)
    if base := os.environ.get("XDG_CACHE_HOME"):  # on every system
        return Path(base) / "tilewright"
    try:
        place = _place_of_the_system()
    except RuntimeError:  # a user without a home, which is usual in containers
        return NOWHERE
    return place if place.is_absolute() else NOWHERE


def _place_of_the_system() -> Path:
    # platformdirs returns this folder, too, but its import takes longer than all of tilewright's start.
    if _SYSTEM == "linux":
        return Path.home() / ".cache" / "tilewright"
    from platformdirs import user_cache_path

    return user_cache_path("tilewright", appauthor=False)


def parse_size(text: str) -> int:
    """Return a number of bytes, such as ``64M``; units are powers of 1024. Raises `DiagnosticError` for
    anything else.
    """
    match = re.fullmatch(r"(\d+)\s*([KMGT]?)(?:i?B)?", text.strip().upper().replace("IB", "B"))
    if match is None:
        raise failure(codes.BAD_CACHE_SIZE, f"'{text}' is not a size", hint="write 64M or 2G")
    return int(match[1]) << _UNITS[match[2]]


def default_size() -> int:
    """Return the size limit of the cache in bytes, from the environment or the default. Raises
    `DiagnosticError` if the variable is not a size.
    """
    given = os.environ.get(SIZE_VARIABLE)
    return DEFAULT_SIZE if given is None else parse_size(given)


class DiskCache:
    """Records in a directory, at most ``limit`` bytes of them.

    If the disk fails, compilations still succeed: then no record is found, and none is stored.
    """

    def __init__(self, directory: Path | None = None, limit: int | None = None) -> None:
        self.directory = default_directory() if directory is None else directory
        self.limit = default_size() if limit is None else limit
        self._written = 0

    def get(self, key: str) -> bytes | None:
        """Return the record of a key, and count the use. None for an unknown key, for a damaged record, which
        is removed, if the directory is missing or not to be trusted, and if the limit is 0.
        """
        if not self._usable():
            return None
        path = self._path(key)
        try:
            data = _read(path)
        except FileNotFoundError:
            return None
        except OSError:  # of a disk that fails, or no file at all
            data = b""
        content = _content(data)
        with contextlib.suppress(OSError):
            if content is None:
                path.unlink()
            else:
                os.utime(path)
        return content

    def put(self, key: str, content: bytes) -> None:
        """Store a record; it replaces a record of the same key. Nothing is stored if the record is larger
        than the limit, the directory is not to be trusted, or the disk fails. Now and then the oldest records
        are removed (`prune`).
        """
        data = MAGIC + hashlib.sha256(content).digest() + content
        if len(data) > self.limit or not self._usable(create=True):
            return
        path = self._path(key)
        temporary = path.with_suffix(f".{os.getpid()}.{secrets.token_hex(4)}{_TEMPORARY}")
        try:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            temporary.write_bytes(data)
            temporary.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            return
        if self._written % _PRUNE_EVERY == 0:
            self.prune()
        self._written += 1

    def of(self, key: str, make: Callable[[], bytes], use: Callable[[bytes], _T]) -> _T:
        """Return ``use`` of the record of a key; ``make`` makes the record if there is none.

        A record that ``use`` refuses (ValueError or `DiagnosticError`) was written by another program: it is replaced.
        """
        found = self.get(key)
        if found is not None:
            with contextlib.suppress(ValueError, DiagnosticError):
                return use(found)
        made = make()
        self.put(key, made)
        return use(made)

    def entries(self) -> list[CacheEntry]:
        """Return every record, the one used last first."""
        found = [
            CacheEntry(Path(file.name).stem, status.st_size, status.st_mtime)
            for file, status in self._files()
            if file.name.endswith(SUFFIX)
        ]
        return sorted(found, key=lambda entry: (-entry.used, entry.key))

    def content(self, key: str) -> bytes | None:
        """Return the record of a key without counting a use. None if the record is damaged or gone, if the
        directory is not to be trusted, and if the limit is 0.
        """
        if not self._usable():
            return None
        try:
            return _content(_read(self._path(key)))
        except OSError:
            return None

    def verify(self, accepts: Callable[[bytes], bool] = lambda content: True) -> list[str]:
        """Read every record, remove the records that are damaged or that `accepts` refuses, and return their
        keys.
        """
        damaged = [entry.key for entry in self.entries() if self._is_damaged(entry.key, accepts)]
        for key in damaged:
            with contextlib.suppress(OSError):
                self._path(key).unlink()
        return damaged

    def prune(self, limit: int | None = None) -> int:
        """Remove the least recently used records until the rest fits `limit` (default: the limit of the
        cache), and files of processes that ended while they wrote. Return the number of removed bytes of
        records.
        """
        self._sweep()
        room, removed = self.limit if limit is None else limit, 0
        for entry in self.entries():
            room -= entry.size
            if room < 0:
                with contextlib.suppress(OSError):
                    self._path(entry.key).unlink()
                    removed += entry.size
        return removed

    def _sweep(self) -> None:
        """Remove temporary files that were last written more than `_ABANDONED` seconds ago: their processes
        are taken to have ended while they wrote.
        """
        for file, status in self._files():
            if file.name.endswith(_TEMPORARY) and time.time() - status.st_mtime > _ABANDONED:
                with contextlib.suppress(OSError):
                    os.unlink(file.path)

    def _files(self) -> Iterator[tuple[os.DirEntry[str], os.stat_result]]:
        if not self._usable():
            return
        for directory in _listed(self.directory):
            if len(directory.name) != 2 or not directory.is_dir(follow_symlinks=False):
                continue
            for file in _listed(directory.path):
                with contextlib.suppress(OSError):  # another process may have removed it
                    yield file, file.stat(follow_symlinks=False)

    def _is_damaged(self, key: str, accepts: Callable[[bytes], bool]) -> bool:
        try:
            content = _content(_read(self._path(key)))
        except FileNotFoundError:  # another process has removed it
            return False
        except OSError:
            return True
        return content is None or not accepts(content)

    def _path(self, key: str) -> Path:
        return self.directory / key[:2] / f"{key}{SUFFIX}"

    def check(self) -> None:
        """Raise `DiagnosticError` if the path of the cache exists and is not a directory that may be trusted:
        it belongs to another user, or others may write to it.
        """
        with contextlib.suppress(OSError):
            if not _is_private(os.stat(self.directory)):
                raise _unsafe(self.directory)

    def _usable(self, *, create: bool = False) -> bool:
        """Return whether there is a directory that may be trusted, and the cache has a limit other than 0.
        With ``create`` a missing directory is made.
        """
        if not self.limit:
            return False
        try:
            if create:
                self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            return _is_private(os.stat(self.directory))
        except OSError:
            return False


def _is_private(status: os.stat_result) -> bool:
    """Return whether a status is of a directory of this user that no other user may write to. On systems
    without user numbers this is true of every directory.
    """
    if not stat.S_ISDIR(status.st_mode):
        return False
    return not hasattr(os, "getuid") or (
        status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    )


def _listed(directory: str | Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as found:
            return list(found)
    except OSError:
        return []


def _read(path: Path) -> bytes:
    """Return the bytes of a file. Raises OSError for others, such as a pipe, from which reading would block."""
    with open(path, "rb", opener=_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(f"'{path}' is not a file")
        return file.read()


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _content(data: bytes) -> bytes | None:
    """Return the content of a record; None if its start or its digest is wrong."""
    start = len(MAGIC) + _DIGEST
    if len(data) < start or not data.startswith(MAGIC):
        return None
    content = data[start:]
    return content if hashlib.sha256(content).digest() == data[len(MAGIC) : start] else None


def _unsafe(directory: Path) -> Exception:
    message = f"the cache directory '{directory}' belongs to another user, or other users may write to it"
    hint = f"chmod 700 '{directory}', or name another one in {DIRECTORY_VARIABLE}"
    return failure(codes.UNSAFE_CACHE, message, hint=hint)
