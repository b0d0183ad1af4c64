"""Running a Python file as ``python FILE ARGUMENTS`` does, on a machine without a GPU."""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tilewright.driver.dependencies import frontend_hint
from tilewright.gpu_programs import codes
from tilewright.gpu_programs.routing import routed
from tilewright.gpu_programs.settings import Settings
from tilewright.ir.diagnostic import DiagnosticError, failure

SUFFIX = ".py"
"""The end of the names of such files."""
SEE_ABOVE = "see above"
"""What a traceback says of diagnostics that stand in front of it."""
_OURS = str(Path(__file__).parents[1])
_RUNNERS = ("<frozen runpy>", runpy.__file__)


def nothing_was_told(error: BaseException) -> bool:
    """Says of any exception that nobody has been told of it."""
    return False


def run_script(
    script: str,
    arguments: Sequence[str],
    settings: Settings,
    was_told: Callable[[BaseException], bool] = nothing_was_told,
) -> int:
    """Run a Python file with its arguments; answers the exit status.

    An exception that leaves the program is shown as Python does, without the frames of tilewright.  `SystemExit` and
    `KeyboardInterrupt` pass through.  Processes that the program starts find the same settings in their environment.
    Diagnostics stand on lines of their own, unless ``was_told`` says that they have been shown.
    """
    with routed(settings):
        return run_in_place(script, arguments, settings, was_told)


def exit_status(program: Callable[[], int]) -> int:
    """The exit status of a program, also of one that calls `sys.exit`, whose words go to stderr as Python has it."""
    try:
        return program()
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            return int(ended.code or 0)
        print(ended.code, file=sys.stderr)
        return 1


def run_in_place(
    script: str,
    arguments: Sequence[str],
    settings: Settings,
    was_told: Callable[[BaseException], bool] = nothing_was_told,
) -> int:
    """As `run_script`, within a routing that the caller has begun."""
    if not os.path.isfile(script):
        raise failure(codes.NOT_A_SCRIPT, f"there is no file '{script}'", hint="name a Python file")
    with _as_program([script, *arguments], settings.environment()):
        try:
            runpy.run_path(script, run_name="__main__")
        except Exception as error:
            _show(error, was_told)
            return 1
    return 0


@contextmanager
def _as_program(command: list[str], variables: dict[str, str]) -> Generator[None]:
    """``sys.argv``, ``sys.path`` and the environment as the program expects them."""
    before = sys.argv, sys.path[:], {name: os.environ.get(name) for name in variables}
    sys.argv = command
    sys.path.insert(0, str(Path(command[0]).resolve().parent))
    os.environ.update(variables)
    try:
        yield
    finally:
        sys.argv, sys.path[:], variables_before = before
        for name, value in variables_before.items():
            os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)


def _show(error: BaseException, was_told: Callable[[BaseException], bool]) -> None:
    """Print the traceback of an exception: the frames of the program only.

    Diagnostics stand in front of it: each begins a line, where editors look for a file and a line.
    """
    sys.stdout.flush()
    raised = error
    if isinstance(error, DiagnosticError):
        if not was_told(error):
            print(error, file=sys.stderr)
        raised = DiagnosticError([], SEE_ABOVE).with_traceback(error.__traceback__)
        raised.__cause__, raised.__context__ = error.__cause__, error.__context__
        raised.__suppress_context__ = error.__suppress_context__
    shown = traceback.TracebackException.from_exception(raised, capture_locals=False)
    _drop_frames(shown)
    print("".join(shown.format()), end="", file=sys.stderr)
    if isinstance(raised, ModuleNotFoundError):
        hint = frontend_hint(raised.name or "")
        print(*(f"hint: {one}" for one in hint), sep="\n", end="\n" if hint else "", file=sys.stderr)


def _drop_frames(shown: traceback.TracebackException) -> None:
    """Leave the frames of tilewright and of the runner out of a traceback, and of what caused it."""
    pending = [shown]
    while pending:
        one = pending.pop()
        kept = [frame for frame in one.stack if not is_ours(frame.filename)]
        one.stack = traceback.StackSummary.from_list(kept)
        pending += [other for other in (one.__cause__, one.__context__) if other is not None]


def is_ours(file: str) -> bool:
    """Whether a file is of tilewright or of Python's runner of scripts."""
    return file.startswith(_OURS + os.sep) or file in _RUNNERS
