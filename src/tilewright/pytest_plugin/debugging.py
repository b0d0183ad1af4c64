"""The option ``--tilewright-pdb``: the debugger of kernels on the terminal of a test run."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest

from tilewright.debugger.console import Console
from tilewright.debugger.session import Action, Session
from tilewright.debugger.stop import KernelStop
from tilewright.driver import debugging as driver_debugging


def target(options: Namespace) -> str:
    """Return the target that the debugger needs. Raises `pytest.UsageError` if the options name another
    target.
    """
    if options.tilewright_target not in (None, driver_debugging.TARGET):
        raise pytest.UsageError("--tilewright-pdb stops in the interpreter; leave out --tilewright-target")
    return driver_debugging.TARGET


@contextmanager
def on_terminal(config: pytest.Config) -> Generator[None]:
    """Attach a debugger that stops at findings during a ``with`` block. Raises `pytest.UsageError` if
    pytest-xdist runs the tests in processes without a terminal.
    """
    if hasattr(config, "workerinput") or getattr(config.option, "numprocesses", None):
        raise pytest.UsageError("--tilewright-pdb needs the terminal: leave out -n")
    with driver_debugging.attached(Session(_Uncaptured(config), only_findings=True)):
        yield


class _Uncaptured:
    """The terminal, which pytest gives back to the user while a tile block has stopped."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._console = Console()

    def stopped(self, session: Session, stop: KernelStop) -> Action:
        """Show a stop, read commands, and return how to go on. Raises `KeyboardInterrupt`, which ends the
        test run, if the user leaves the debugger.
        """
        capture: Any = self._config.pluginmanager.getplugin("capturemanager")
        if capture is not None:
            capture.suspend_global_capture(in_=True)
        try:
            action = self._console.stopped(session, stop)
        finally:
            if capture is not None:
                capture.resume_global_capture()
        if action is Action.QUIT:
            raise KeyboardInterrupt("the debugger was left")  # tests catch `Exception`
        return action
