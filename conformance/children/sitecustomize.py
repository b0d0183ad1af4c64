"""Found by Python processes that a suite starts: they run on the CPU like the suite itself."""

from __future__ import annotations

import sys
from pathlib import Path


def _is_script() -> bool:
    """Whether this process runs a Python file (and is no compiler, installer or ``-c`` one-liner)."""
    return any(Path(argument).suffix == ".py" for argument in sys.orig_argv[1:3])


if _is_script():
    from conformance.torch_on_cpu import everything_on_cpu

    _ACTIVE = everything_on_cpu()
    _ACTIVE.__enter__()
