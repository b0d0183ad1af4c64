"""Time limits of tests, by signals. pytest-timeout calls this module, and its own way is used without
signals.

Its message has the stacks of all other threads. The threads of tilewright are left out here, as the test did
not start them.
"""

from __future__ import annotations

import signal
import sys
import threading
import traceback
from importlib import import_module
from typing import Any

import pytest

from tilewright.runtime.elsewhere import ELSEWHERE

_OURS = "tilewright"
"""The beginning of the names of tilewright's threads."""


class TimeLimit(pytest.fail.Exception):
    """The failure of a test that took longer than its time limit."""


def begin(item: pytest.Item, settings: Any) -> bool:
    """Set a timer signal that ends the test ``item`` with `TimeLimit` after ``settings.timeout`` seconds,
    unless a debugger runs. Store the function that cancels the timer as ``item.cancel_timeout``, and return
    True. Return False, with no timer set, in a thread other than the main thread or if pytest-timeout's
    method is not ``signal``.
    """
    if settings.method != "signal" or threading.current_thread() is not threading.main_thread():
        return False

    keeper: Any = import_module("pytest_timeout")

    def handler(number: int, frame: object) -> None:
        is_debugged: bool = not settings.disable_debugger_detection and keeper.is_debugging()
        if not is_debugged:
            _show_other_threads(item)
            ELSEWHERE.stop()
            raise TimeLimit(keeper.PYTEST_FAILURE_MESSAGE % settings.timeout)

    def cancel() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)

    setattr(item, "cancel_timeout", cancel)  # noqa: B010 - the name under which pytest-timeout looks
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, settings.timeout)
    return True


def _show_other_threads(item: pytest.Item) -> None:
    """Write the stacks of all threads but the current thread and tilewright's own threads to the terminal."""
    frames: dict[int, Any] = vars(sys)["_current_frames"]()
    terminal = item.config.get_terminal_writer()
    for thread in threading.enumerate():
        is_other = thread is not threading.current_thread() and not thread.name.startswith(_OURS)
        if is_other and thread.ident in frames:
            terminal.sep("~", title=f"Stack of {thread.name} ({thread.ident})")
            terminal.write("".join(traceback.format_stack(frames[thread.ident])))
