"""Running a program, or a kernel of a file, under a debugging session."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.debugger.session import Session
from tilewright.driver.debugging import TARGET, attached
from tilewright.gpu_programs.script import exit_status, run_script
from tilewright.gpu_programs.settings import ProgramSettings
from tilewright.ir.support.record import Record


class DebuggedProgram(Record, frozen=True):
    """A Python program to be debugged: a file or, with ``is_module``, a module, and its arguments; the
    run-time checks, the GPU that it sees, and the codes of findings to ignore, as texts of a command line.
    """

    file: str
    arguments: Sequence[str] = ()
    check: str = ""
    gpu: str = ""
    ignore: str = ""
    is_module: bool = False


def run_debugged(program: DebuggedProgram, session: Session, say: Callable[[str], object]) -> int:
    """Run a Python program whose launches a session follows, and return its exit status. ``say`` is called
    with a hint if the program launched no kernel. Raises `DiagnosticError` if there is no such file or
    module.
    """
    settings = ProgramSettings.of(TARGET, program.check, program.gpu, program.ignore)
    with attached(session):
        status = exit_status(
            lambda: run_script(program.file, program.arguments, settings, is_module=program.is_module)
        )
    if not session.launches:
        say("the program launched no kernel that can be debugged")
    return status
