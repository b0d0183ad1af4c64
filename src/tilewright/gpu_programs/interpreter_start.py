"""What the file ``tilewright.pth`` runs when Python starts and ``TILEWRIGHT`` is set in the environment.

Python reads such files of its site-packages at every start.  Ours looks at one environment variable; only if that is
set is this module imported, and then modules of the program are changed when it imports them.
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
    """Route what this process launches, as the environment says; a wrong setting ends the process with status 2.

    Processes of the interpreter itself (``-m pip``, say) are none the worse: they import nothing that is changed.
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
    """Show what ends the process as `tilewright run` does."""
    from tilewright.gpu_programs.script import words

    if isinstance(error, Exception):
        sys.stdout.flush()
        print(words(error), end="", file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, error.__traceback__)
