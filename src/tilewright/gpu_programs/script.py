"""Running a Python file as ``python FILE ARGUMENTS`` does, on a machine without a GPU."""

from __future__ import annotations

import importlib.util
import os
import runpy
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from tilewright.driver.dependencies import frontend_hint
from tilewright.gpu_programs import codes, settings as gpu_programs_settings
from tilewright.gpu_programs.routing import routed, start
from tilewright.ir.diagnostic import DiagnosticError, diagnostics_text, failure
from tilewright.ir.support.tracebacks import is_ours, traceback_text
from tilewright.runtime.elsewhere import ELSEWHERE

SUFFIX = ".py"
"""The suffix of the names of Python files."""


def nothing_was_told(error: BaseException) -> bool:
    """Return False for every exception: its diagnostics have not been printed."""
    return False


def run_script(
    script: str,
    arguments: Sequence[str],
    settings: gpu_programs_settings.ProgramSettings,
    was_told: Callable[[BaseException], bool] = nothing_was_told,
    *,
    is_module: bool = False,
    lasting: bool = False,
) -> int:
    """Run the Python file `script`, or with ``is_module`` the module of this name as ``python -m`` does, with
    its arguments; return the exit status: 0, or 1 after an uncaught exception.

    An uncaught exception is shown as Python does, without the frames of tilewright. `SystemExit` and
    `KeyboardInterrupt` pass through. Processes that the program starts find the same settings in their
    environment. The diagnostics of an exception are printed before its traceback, unless ``was_told`` returns
    that they have been printed. ``lasting`` is for a process that ends with the program: its threads that run
    on, and its functions of `atexit`, still find the GPU. Raises `DiagnosticError` if there is no such file
    or module.
    """
    if lasting:
        start(settings)
        _become([script, *arguments], settings.environment(), is_module)
        try:
            return run_in_place(script, arguments, settings, was_told, is_module=is_module)
        except KeyboardInterrupt:
            ELSEWHERE.finish()
            raise
    with routed(settings):
        return run_in_place(script, arguments, settings, was_told, is_module=is_module)


def exit_status(program: Callable[[], int]) -> int:
    """Run a program; return its exit status, also if it calls `sys.exit`. A message of `sys.exit` goes to
    stderr, and the status is 1, as in Python.
    """
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
    settings: gpu_programs_settings.ProgramSettings,
    was_told: Callable[[BaseException], bool] = nothing_was_told,
    *,
    is_module: bool = False,
) -> int:
    """Run a script or a module as `run_script` does, with the same parameters, within a routing that the
    caller has started. Return 0, or 1 after an uncaught exception, which is shown. Raises `DiagnosticError`
    if there is no such file or module.
    """
    if not is_module and not os.path.isfile(script):
        raise failure(codes.NOT_A_SCRIPT, f"there is no file '{script}'", hint="name a Python file")
    with _as_program([script, *arguments], settings.environment(), is_module):
        if is_module:
            _check_module(script)
        try:
            if is_module:
                runpy.run_module(script, run_name="__main__", alter_sys=True)
            else:
                runpy.run_path(script, run_name="__main__")
        except Exception as error:
            show(error, was_told)
            return 1
    return 0


def _check_module(name: str) -> None:
    """Raise `DiagnosticError` if the module does not exist, or is a package that cannot be run."""
    hint = "name a module that this Python finds, or a package with a __main__"
    if _spec(name) is None:
        raise failure(codes.NOT_A_SCRIPT, f"there is no module '{name}'", hint=hint)
    is_package = _spec(name).submodule_search_locations is not None
    if is_package and _spec(f"{name}.__main__") is None:
        raise failure(codes.NOT_A_SCRIPT, f"the package '{name}' has no module __main__", hint=hint)


def _spec(name: str) -> Any:
    """Return the specification of a module, or None if there is no such module. Raises `ModuleNotFoundError`
    if a package that it is in imports a missing module.
    """
    try:
        return importlib.util.find_spec(name)
    except (ModuleNotFoundError, ValueError) as error:
        if isinstance(error, ModuleNotFoundError) and not name.startswith(f"{error.name}."):
            raise
        return None


@contextmanager
def _as_program(command: list[str], variables: dict[str, str], is_module: bool) -> Generator[None]:
    """Set ``sys.argv``, ``sys.path`` and the environment for a program during a ``with`` block, and restore
    them afterwards.
    """
    before = sys.argv, sys.path[:], {name: os.environ.get(name) for name in variables}
    _become(command, variables, is_module)
    try:
        yield
    finally:
        sys.argv, sys.path[:], variables_before = before
        for name, value in variables_before.items():
            os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)


def _become(command: list[str], variables: dict[str, str], is_module: bool) -> None:
    """Set ``sys.argv`` to `command`, add `variables` to the environment, and put the program's folder first
    in the import path: the folder of the file, or the working directory if `is_module`.
    """
    sys.argv = command
    folder = os.getcwd() if is_module else str(Path(command[0]).resolve().parent)
    if sys.path[:1] != [folder]:
        sys.path.insert(0, folder)
    os.environ.update(variables)


def show(error: BaseException, was_told: Callable[[BaseException], bool]) -> None:
    """Show an exception of the program on stderr. If the program has set its own `sys.excepthook`, print the
    diagnostics of a `DiagnosticError`, then call the hook with ``error``; otherwise print its `error_text`.
    The diagnostics are left out if ``was_told(error)`` is true: they have been printed or recorded already.
    """
    sys.stdout.flush()
    told = was_told(error)
    if _has_hook():
        if isinstance(error, DiagnosticError) and not told:
            print(error, file=sys.stderr)
        _hand_to_hook(error)
        return
    print(error_text(error, is_told=told), end="", file=sys.stderr)


def error_text(error: BaseException, *, is_told: bool = False) -> str:
    """Return the traceback of an exception, with the frames of the program only, as text.

    The diagnostics of a `DiagnosticError` precede it, unless ``is_told``: they have been printed. Each
    diagnostic begins a line, where editors look for a file and a line. Mistakes that a frontend reports, and
    refused launches, contain the location of the launch, and have no traceback. A hint follows if the module
    of a frontend is missing.
    """
    if isinstance(error, DiagnosticError):
        return diagnostics_text(error, is_told=is_told)
    missing = frontend_hint(error.name or "") if isinstance(error, ModuleNotFoundError) else ()
    return traceback_text(error) + "".join(f"hint: {hint}\n" for hint in missing)


def _has_hook() -> bool:
    """Return whether the program has set its own `sys.excepthook`."""
    code = getattr(sys.excepthook, "__code__", None)
    return sys.excepthook is not sys.__excepthook__ and not (code is not None and is_ours(code.co_filename))


def _hand_to_hook(error: BaseException) -> None:
    """Call `sys.excepthook`.

    An exception of the hook itself is shown before the exception that it was called for, as in Python.
    """
    trace = _of_program(error)
    try:
        sys.excepthook(type(error), error, trace)
    except Exception as failed:
        failed.__context__ = None  # the context is printed below
        print("Error in sys.excepthook:", file=sys.stderr)
        sys.__excepthook__(type(failed), failed, _of_program(failed))
        print("\nOriginal exception was:", file=sys.stderr)
        sys.__excepthook__(type(error), error, trace)


def _of_program(error: BaseException) -> TracebackType | None:
    """Return the traceback of an exception without its first frames, which belong to tilewright or to
    Python's runner of scripts. None if no other frames are left.
    """
    trace = error.__traceback__
    while trace is not None and is_ours(trace.tb_frame.f_code.co_filename):
        trace = trace.tb_next
    return trace
