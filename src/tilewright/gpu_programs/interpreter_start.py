"""The code that the file ``tilewright.pth`` runs when Python starts and ``TILEWRIGHT`` is set in the
environment.

Python reads such files of its site-packages at every start. This file tests one environment variable, and
imports this module only if the variable is set. Modules of the program are then changed when the program
imports them.
"""

from __future__ import annotations

import os
import sys

from tilewright.gpu_programs.routing import active, start
from tilewright.gpu_programs.settings import TARGET_VARIABLE, ProgramSettings
from tilewright.ir.diagnostic import DiagnosticError
from tilewright.ir.support.doors import ENVIRONMENT, speak
from tilewright.runtime.findings.record import inherit

SWITCH_OFF = ("", "0", "off")


def begin() -> None:
    """Start the routing that the environment selects, in this process.

    A wrong setting ends the process with status 2. Nothing changes for processes of the interpreter itself,
    such as ``-m pip``: they import no module that would be changed.
    """
    if os.environ.get(TARGET_VARIABLE, "") in SWITCH_OFF or active() is not None:
        return
    try:
        start(ProgramSettings.from_environment())
        inherit()
        speak(ENVIRONMENT)
        sys.excepthook = _excepthook
    except DiagnosticError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


def _excepthook(kind: type[BaseException], error: BaseException, trace: object) -> None:
    """Print an uncaught exception as `tilewright run` does."""
    from tilewright.gpu_programs.script import error_text

    if isinstance(error, Exception):
        sys.stdout.flush()
        print(error_text(error), end="", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, error.__traceback__)
