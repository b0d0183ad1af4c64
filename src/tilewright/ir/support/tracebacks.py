"""Tracebacks with the frames of the program, without the frames of tilewright and of frontends."""

from __future__ import annotations

import os
import runpy
import sys
import traceback

from tilewright.ir.support.option_spelling import wants_traceback

_OURS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_FRONTENDS = ("cuda.tile", "triton")
_RUNNERS = ("<frozen runpy>", runpy.__file__)


def traceback_text(error: BaseException) -> str:
    """Return the traceback of an exception and of its causes: all frames if the user requests them, else only
    the frames of the program.
    """
    if wants_traceback():
        return "".join(traceback.TracebackException.from_exception(error, capture_locals=False).format())
    return "".join(of_program_only(error).format())


def of_program_only(error: BaseException) -> traceback.TracebackException:
    """Return the traceback of an exception and of its causes without the frames of tilewright, of frontends
    and of Python's runner.
    """
    shown = traceback.TracebackException.from_exception(error, capture_locals=False)
    _drop_frames(shown)
    return shown


def _drop_frames(shown: traceback.TracebackException) -> None:
    """Remove the frames of tilewright, of frontends and of the runner from a traceback and from its causes."""
    pending = [shown]
    while pending:
        one = pending.pop()
        kept = [
            frame for frame in one.stack if not is_ours(frame.filename) and not _is_frontends(frame.filename)
        ]
        one.stack = traceback.StackSummary.from_list(kept)
        pending += [other for other in (one.__cause__, one.__context__) if other is not None]


def is_ours(file: str) -> bool:
    """Return whether a file belongs to tilewright or to Python's runner of scripts."""
    return file.startswith(_OURS + os.sep) or file in _RUNNERS


def _is_frontends(file: str) -> bool:
    """Return whether a file belongs to a frontend that the program uses."""
    loaded = [sys.modules[name] for name in _FRONTENDS if name in sys.modules]
    folders = [folder for module in loaded for folder in getattr(module, "__path__", ())]
    return any(file.startswith(str(folder) + os.sep) for folder in folders)
