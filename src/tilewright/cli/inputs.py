"""The inputs of commands: files, directories, and stdin."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from tilewright.cli.errors import UsageError
from tilewright.cpp.options import CppOptions, is_cpp

STDIN = "<stdin>"
"""The name in diagnostics of the input that comes through stdin."""


SUFFIXES = (".mlir", ".tileirbc")
"""The suffixes of files with modules; a directory stands for the files below it that have one."""


def files_of(names: Iterable[str]) -> list[str]:
    """Return the paths of the input files, each once, in order. A directory stands for the files with modules
    below it, in the order of their names; any other name is returned as it is, whether or not it exists.
    Raises `UsageError` for a directory without such files.
    """
    found: list[str] = []
    for name in names:
        below = _modules_below(name) if os.path.isdir(name) else [name]
        if not below:
            raise UsageError(f"no file below '{name}' ends with {' or '.join(SUFFIXES)}")
        found += below
    return list(dict.fromkeys(found))


def _modules_below(directory: str) -> list[str]:
    """Return the regular files below a directory that have names of modules, sorted. Pipes are left out:
    opening one waits for a writer.
    """
    paths = (
        os.path.join(folder, file)
        for folder, _, files in os.walk(directory)
        for file in files
        if file.endswith(SUFFIXES)
    )
    return sorted(filter(os.path.isfile, paths))


def read_input(name: str, cpp: CppOptions | None = None) -> bytes:
    """Return the bytes of a file, or of stdin for ``-``. A file with CUDA C++ is compiled to bytecode, with
    the options ``cpp``, by default the usual ones. Raises `UsageError` if the file cannot be read, and
    `DiagnosticError` for errors that the C++ compiler reports.
    """
    if name == "-":
        return sys.stdin.buffer.read()
    if is_cpp(name) and os.path.isfile(name):
        from tilewright.driver.reading import file_bytes

        return file_bytes(name, cpp)
    try:
        with open(name, "rb") as file:  # `pathlib` would load as much as an empty Python does
            return file.read()
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot read '{name}': {reason}") from error
