"""The debugger of this process: it follows the launches that the interpreter makes."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tilewright.dialects.cuda_tile.ops.control import EntryOp
    from tilewright.interp.program import LaunchObserver

TARGET = "interp"
"""The target whose launches a debugger follows."""
PYTHON_VARIABLE = "PYTHONBREAKPOINT"
"""The environment variable with which Python ignores `breakpoint()`: its value is then ``0``."""


class LaunchDebugger(Protocol):
    """The interface of a debugger to the driver, which calls `follow` for each launch of the program that is
    about to begin.
    """

    def follow(self, entry: EntryOp, arguments: Mapping[str, Any]) -> LaunchObserver:
        """Return the observer of a launch that is about to begin. ``arguments`` are the arguments of the
        program's launch, by the names of the parameters, as far as they are known.
        """
        ...


_told = threading.local()


def tell_arguments(names: Iterable[str], arguments: Iterable[Any]) -> None:
    """Store the arguments of the launch that this thread is about to make, by the `names` of the parameters
    of the program's kernel. Frontends call this, because the kernel in the IR has other parameters.
    `take_arguments` returns them.
    """
    _told.arguments = dict(zip(names, arguments, strict=False))


def take_arguments() -> dict[str, Any]:
    """Return the arguments that `tell_arguments` stored for the launch that this thread makes, by name, and
    forget them. Return an empty dictionary if none are stored.
    """
    found: dict[str, Any] = getattr(_told, "arguments", {})
    _told.arguments = {}
    return found


_attached: list[LaunchDebugger] = []


@contextmanager
def attached(debugger: LaunchDebugger) -> Generator[None]:
    """Let `debugger` follow the launches that the interpreter makes in all threads during a ``with`` block.
    An outer debugger follows none meanwhile.
    """
    _attached.append(debugger)
    try:
        yield
    finally:
        _attached.remove(debugger)


def is_attached() -> bool:
    """Return whether a debugger is attached, which follows the launches of the interpreter in this process."""
    return bool(_attached)


def debugger_for(has_breakpoint: Callable[[], bool]) -> LaunchDebugger | None:
    """Return the debugger that follows a launch: the attached one; else a debugger on the terminal, if
    ``has_breakpoint()`` is true, which means that the kernel calls `breakpoint`; else None.
    ``PYTHONBREAKPOINT=0`` in the environment excludes the latter debugger.
    """
    if _attached:
        return _attached[-1]
    if not has_breakpoint() or os.environ.get(PYTHON_VARIABLE) == "0":
        return None
    started: LaunchDebugger = import_module("tilewright.debugger.console").at_breakpoints()
    return started
