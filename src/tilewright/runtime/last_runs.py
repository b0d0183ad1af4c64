"""The last run of each program, for editors: its findings or proofs, its modules, and its files as they were.

Records are kept in the folder `runs` of the cache directory, one for each program and kind, at most `LIMIT`
bytes of them. A directory that is not to be trusted, or a cache that is switched off, keeps none.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tilewright.ir.support.record import Record
from tilewright.runtime import disk_cache

FOLDER = "runs"
LIMIT = 1 << 26
MOST_RECORDS = 64
"""The maximum number of records that `read_all` returns."""
LARGEST_FILE = 1 << 20
"""The maximum size in bytes of a file whose text is kept."""
RUN, PROOFS = "run", "proofs"
_SCHEMA = 1


class LastRun(Record, frozen=True):
    """A run of a program, or with the kind `PROOFS` the proofs about its kernels.

    - ``program``: the absolute path of a file, or with ``is_module`` the name of a Python module.
    - ``arguments``, ``directory``: the arguments and the working directory of the program.
    - ``began``: the time of the beginning, in seconds since 1970.
    - ``target``, ``checks``: the settings of the launches.
    - ``report``: the report in JSON, as `tilewright run --json` or `verify --prove --json` writes it, with
      diagnostics under ``findings``.
    - ``modules``: the modules that were launched, as bytecode or text.
    - ``sources``: the texts of the program's files, by absolute path.
    """

    kind: str
    program: str
    began: float
    report: Mapping[str, Any]
    modules: Sequence[bytes] = ()
    sources: Mapping[str, str] = {}
    arguments: Sequence[str] = ()
    directory: str = ""
    target: str = ""
    checks: Sequence[str] = ()
    is_module: bool = False

    @property
    def key(self) -> str:
        """The key of the record, a digest of ``kind`` and ``program``, and for a module of the working
        directory: a later record with the same key replaces it. The arguments of the program are no part of
        it.
        """
        place = self.directory if self.is_module else ""
        return disk_cache.key_of([part.encode(errors="replace") for part in (self.kind, self.program, place)])

    def path_of(self, file: str) -> str:
        """Return the absolute path of a file that the report or a module names."""
        return os.path.normpath(os.path.join(self.directory, file))

    def to_bytes(self) -> bytes:
        """Return the record as JSON."""
        texts = [base64.b64encode(one).decode() for one in self.modules]
        data: dict[str, Any] = {name: getattr(self, name) for name in LastRun.parameters}
        data |= {"modules": texts, "arguments": [*self.arguments], "checks": [*self.checks]}
        return json.dumps({"schema": _SCHEMA, **data}).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> LastRun:
        """Return the record in `data`. Raises `ValueError` for other data, and for a record of another version."""
        fields: dict[str, Any] = json.loads(data)
        if fields.pop("schema", None) != _SCHEMA or set(fields) != set(cls.parameters):
            raise ValueError("the record has another version")
        fields["modules"] = [base64.b64decode(one) for one in fields["modules"]]
        return cls(**fields)


def store(run: LastRun) -> None:
    """Keep a record in place of the last one of the same program and kind. Nothing is kept if the cache is
    switched off, or its directory is not to be trusted. Raises `DiagnosticError` if the environment variable
    for the size of the cache has no size.
    """
    limit = min(LIMIT, disk_cache.default_size())
    with contextlib.suppress(OSError):
        disk_cache.default_directory().mkdir(mode=0o700, parents=True, exist_ok=True)
    _records(limit).put(run.key, run.to_bytes())


def read_all(known: Mapping[str, tuple[float, LastRun]] | None = None) -> dict[str, tuple[float, LastRun]]:
    """Return the last records, at most `MOST_RECORDS`, by key, the newest first, each with the time at which
    it was written. Records that ``known``, an earlier result, has with the same time are not read again;
    damaged records are left out.
    """
    cache, found = _records(LIMIT), dict[str, tuple[float, LastRun]]()
    for entry in cache.entries()[:MOST_RECORDS]:
        earlier = (known or {}).get(entry.key)
        if earlier is not None and earlier[0] == entry.used:
            found[entry.key] = earlier
            continue
        content = cache.content(entry.key)
        with contextlib.suppress(ValueError, KeyError):  # a record of another version of tilewright
            if content is not None:
                found[entry.key] = entry.used, LastRun.from_bytes(content)
    return found


def _records(limit: int) -> disk_cache.DiskCache:
    return disk_cache.DiskCache(disk_cache.default_directory() / FOLDER, limit)


def texts_of(files: Iterable[str], began: float) -> dict[str, str]:
    """Return the texts of files by absolute path. Files that cannot be read, are too large, or were written
    after the time ``began`` are left out.
    """
    found: dict[str, str] = {}
    for file in sorted({os.path.abspath(one) for one in files if not one.startswith("<")}):
        with contextlib.suppress(OSError, ValueError):
            status = os.stat(file)
            if status.st_size <= LARGEST_FILE and status.st_mtime <= began:
                with open(file, encoding="utf-8", newline="") as opened:
                    found[file] = opened.read()
    return found


def files_in(modules: Sequence[bytes]) -> list[str]:
    """Return the files of this process's Python modules that may be named in `modules`: bytecode has the names of
    the files that its kernels were written in, and the folders of files outside of the working directory.
    """
    found: list[str] = []
    here = os.path.join(os.getcwd(), "")
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.endswith(".py"):
            folder, name = (word.encode(errors="replace") for word in os.path.split(file))
            is_near = os.path.abspath(file).startswith(here)
            if any(name in one and (is_near or folder in one) for one in modules):
                found.append(file)
    return found


def now() -> float:
    """Return the time in seconds since 1970."""
    return time.time()
