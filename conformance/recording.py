"""A pytest plugin that keeps the kernels that a suite launches, and runs none of them.

    pytest --tilewright --tilewright-target interp -p conformance.recording --record-kernels FOLDER TESTS

Each kernel is a file of Tile IR in FOLDER, named after its entry and its content. Tests that look at results fail,
as there are none. `benchmarks.pipelined_loops` reads such folders. `--sample-smallest` of `conformance.sampling`
chooses tests.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tilewright.driver.repeatable import LaunchedKernel, LaunchEngine
from tilewright.gpu_programs import active

DIGITS = 10
"""The hexadecimal digits of a content in the name of its file."""
LONGEST = 60
"""The most letters of an entry in the name of its file."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the option."""
    parser.getgroup("recording", "kernels of a suite").addoption(
        "--record-kernels",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="Write kernels to FOLDER instead of running them.",
    )


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let each launch of this process be recorded. Raises `pytest.UsageError` without ``--tilewright``."""
    route_to(Recorder(session.config.option.record_kernels), "--record-kernels")


def route_to(engine: LaunchEngine, option: str) -> None:
    """Let `engine` run the launches of this process. Raises `pytest.UsageError`, which names the option that
    asked for it, without ``--tilewright``.
    """
    routing = active()
    if routing is None:
        raise pytest.UsageError(f"{option} records launches that --tilewright routes")
    routing.launches.engine = engine


class Recorder:
    """The engine of launches: writes each kernel into the folder `folder` once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, launched: LaunchedKernel, target: str, check: Sequence[str] = ()) -> None:
        """Keep the kernel of a launch."""
        (self.folder / file_name(launched)).write_bytes(content_of(launched))


def content_of(launched: LaunchedKernel) -> bytes:
    """Return the Tile IR of a launch, bytecode or text, as frontends give it."""
    content: Any = launched.bytecode
    return content


def file_name(launched: LaunchedKernel) -> str:
    """Return the name of the file for a kernel."""
    content = content_of(launched)
    digest = hashlib.sha256(content).hexdigest()[:DIGITS]
    ending = "tileirbc" if content.startswith(b"\x7f") else "mlir"
    return f"{launched.entry[:LONGEST]}.{digest}.{ending}"
